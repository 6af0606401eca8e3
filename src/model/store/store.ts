import type { Abilities, AnswerAge, Stream } from '../../api/types.ts';
import type { Clock } from '../../services.ts';
import { withOnly, withoutItem, withoutKey } from '../../util/collections.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import { EMPTY_LIST, EMPTY_RECORDINGS, EMPTY_SNAPSHOT, EMPTY_SUB_LIST } from './emptySnapshot.ts';
import { forgetUnnamed, isInForce, markLeft, mergeListed, mergeRead, missingFrom, SETTLED_FOR_MS } from './facts.ts';
import { HeldSnapshot, type SnapshotChange } from './heldSnapshot.ts';
import { idsOf, type Listed, loaded } from './listed.ts';
import { RecordingsIntents } from './recordingsIntents.ts';
import type {
  ConnectionInfo,
  ConnectionState,
  ListName,
  ListState,
  Operation,
  Settled,
  Snapshot,
  SortKey,
  Trouble,
} from './snapshot.ts';
import { SubListIntents } from './subListIntents.ts';

/** Holds the one snapshot and is alone in replacing it, through named intents. Asks nobody: that is the loader's. */
export class StreamStore implements Disposable {
  /** What hangs under streams. */
  readonly subLists: SubListIntents;
  /** What the Recordings view shows. */
  readonly recordings: RecordingsIntents;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #held: HeldSnapshot;

  constructor(options: {
    readonly clock: Pick<Clock, 'now'>;
    readonly initial?: Partial<
      Pick<
        Snapshot,
        'filter' | 'sort' | 'locale' | 'recordedOnly' | 'recordingsRecordedOnly' | 'showsHistoricChildStreams'
      >
    >;
    readonly onListenerError?: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#held = new HeldSnapshot({ ...EMPTY_SNAPSHOT, ...options.initial }, options.onListenerError);
    this.subLists = new SubListIntents(this.#held);
    this.recordings = new RecordingsIntents(this.#held);
  }

  get snapshot(): Snapshot {
    return this.#held.current;
  }

  get onDidChange(): Event<SnapshotChange> {
    return this.#held.onDidChange;
  }

  dispose(): void {
    this.#held.dispose();
  }

  // Connection

  /** Another connection, or none: a new generation; of the old one nothing stays but how the person looks at lists. */
  connected(connection: ConnectionState): void {
    const { generation, connectionCount, recordings } = this.#snapshot;
    const { filter, sort, locale, recordedOnly, recordingsRecordedOnly, showsHistoricChildStreams } = this.#snapshot;
    this.#apply({
      ...EMPTY_SNAPSHOT,
      ...{ connection, connectionCount },
      ...{ filter, sort, locale, recordedOnly, recordingsRecordedOnly, showsHistoricChildStreams },
      recordings: { ...EMPTY_RECORDINGS, isShown: recordings.isShown },
      generation: generation + 1,
    });
  }

  /** The secret storage is slow to say which connections there are. */
  secretsAwaited(): void {
    if (this.#snapshot.connection.kind === 'starting')
      this.#apply({ connection: { kind: 'starting', isWaiting: true } });
  }

  /** The same connection under another name. */
  renamed(info: ConnectionInfo): void {
    const { connection } = this.#snapshot;
    if (connection.kind === 'none' || connection.kind === 'starting' || connection.info.id !== info.id) return;
    this.#apply({ connection: { kind: connection.kind, info } });
  }

  /** The service answered 401: rows stay, nothing more is asked by itself until the key changes. */
  refused(): void {
    const { connection } = this.#snapshot;
    if (connection.kind === 'open') this.#apply({ connection: { kind: 'refused', info: connection.info } });
  }

  setConnectionCount(connectionCount: number): void {
    this.#apply({ connectionCount });
  }

  abilitiesChanged(abilities: Abilities): void {
    this.#apply({ abilities });
  }

  // How the person looks at it

  /** Another name to look for: idle and recording have to be asked anew, active is filtered here. */
  setFilter(filter: string): void {
    if (filter === this.#snapshot.filter) return;
    const { active } = this.#snapshot.lists;
    this.#apply({ filter, lists: { active, idle: EMPTY_LIST, recording: EMPTY_LIST } });
  }

  setSort(sort: SortKey): void {
    this.#apply({ sort });
  }

  setRecordedOnly(recordedOnly: boolean): void {
    if (recordedOnly === this.#snapshot.recordedOnly) return;
    this.#apply({ recordedOnly, sessions: new Map() });
  }

  /** Nothing is asked for it: the Recordings view knows all sessions, and shows some. */
  setRecordingsRecordedOnly(recordingsRecordedOnly: boolean): void {
    this.#apply({ recordingsRecordedOnly });
  }

  setShowsHistoricChildStreams(showsHistoricChildStreams: boolean): void {
    if (showsHistoricChildStreams === this.#snapshot.showsHistoricChildStreams) return;
    this.#apply({ showsHistoricChildStreams, children: new Map(), orphans: EMPTY_SUB_LIST });
  }

  // The active streams

  /**
   * The whole answer of the active streams (all its pages); the look ends with `lookSucceeded` or `lookFailed`.
   * Returns the ids of streams that were active and are not in it: each has to be looked up, or marked with `left`.
   */
  lookedAtActive(listed: Listed): readonly string[] {
    const now = this.#clock.now();
    const facts = mergeListed(this.#snapshot, listed.streams, listed, now);
    const active: ListState = { ...loaded(listed), ids: idsOf(listed.streams), isStale: false };
    this.#apply({ ...facts, ...this.#accepted(), lists: { ...this.#snapshot.lists, active } });
    return missingFrom(this.#snapshot, listed.streams, listed, now);
  }

  /** The last look succeeded, and whatever it had to ask besides the list. */
  lookSucceeded(): void {
    this.#apply({ trouble: undefined });
  }

  /** The last look failed; what was known stays. */
  lookFailed(trouble: Trouble): void {
    this.#apply({ trouble });
    this.listFailed('active', trouble);
  }

  /** When the failed look is going to be tried again by itself. */
  nextTry(nextTryAt: number | undefined): void {
    const { trouble } = this.#snapshot;
    if (trouble !== undefined && trouble.nextTryAt !== nextTryAt) this.#apply({ trouble: { ...trouble, nextTryAt } });
  }

  /** Streams that left the active ones, too many to be looked up: they are called idle, and Idle out of date. */
  leftUnseen(ids: readonly string[], asked: AnswerAge): void {
    const { lists } = this.#snapshot;
    this.#apply({
      ...markLeft(this.#snapshot, ids, asked),
      lists: { ...lists, idle: { ...lists.idle, isStale: true } },
    });
  }

  // Groups

  listLoading(list: ListName, what: 'isLoading' | 'isLoadingMore'): void {
    this.#setList(list, { [what]: true });
  }

  /** All loaded pages of a group, read again. */
  listed(list: ListName, listed: Listed): void {
    const { lists, sessions, children } = this.#snapshot;
    const facts = mergeListed(this.#snapshot, listed.streams, listed, this.#clock.now());
    const state: ListState = { ...loaded(listed), ids: this.#withoutGone(idsOf(listed.streams)) };
    const current = { ...lists, [list]: state };
    const streams = forgetUnnamed(this.#snapshot, { ...this.#snapshot, ...facts, lists: current }, list);
    // What hangs under a stream goes with it, or it would be asked for at every refresh.
    const stays = (id: string) => streams.has(id) || !facts.streams.has(id);
    const under = { sessions: withOnly(sessions, stays), children: withOnly(children, stays) };
    this.#apply({ ...facts, streams, ...under, ...this.#accepted(), lists: current });
  }

  /** Of the streams that Idle showed beside its pages, those that the whole list does not name are idle no more. */
  unpin(ids: readonly string[]): void {
    const { left, pinned } = this.#snapshot;
    const drop = new Set(ids);
    const keep = (set: ReadonlySet<string>) => new Set([...set].filter((id) => !drop.has(id)));
    this.#apply({ left: keep(left), pinned: keep(pinned) });
  }

  /** One further page of a group. */
  listedMore(list: ListName, listed: Listed): void {
    const facts = mergeListed(this.#snapshot, listed.streams, listed, this.#clock.now());
    const old = this.#snapshot.lists[list];
    const ids = [...new Set([...old.ids, ...this.#withoutGone(idsOf(listed.streams))])];
    const whole = { ...listed, total: listed.total ?? old.total, dropped: old.dropped + listed.dropped };
    const state: ListState = { ...loaded(whole, old.total), ids, turn: old.turn, loadedAt: old.loadedAt };
    this.#apply({ ...facts, lists: { ...this.#snapshot.lists, [list]: state } });
  }

  /** Load more of what is here already, for services that send everything at once. */
  revealMore(list: ListName, rows: number): void {
    this.#setList(list, { revealed: this.#snapshot.lists[list].revealed + rows });
  }

  listFailed(list: ListName, trouble: Trouble): void {
    this.#setList(list, { isLoading: false, isLoadingMore: false, trouble });
  }

  // One stream

  /** What a read by id said. With `settle`, after a change: lists that say otherwise are ignored for a while. */
  read(stream: Stream, asked: AnswerAge, options: { readonly settle?: boolean; readonly pin?: boolean } = {}): void {
    const facts = mergeRead(this.#snapshot, stream, asked);
    const settled = options.settle === true ? this.#settle(stream.id, false) : facts.settled;
    const pinned = options.pin === true ? new Set(this.#snapshot.pinned).add(stream.id) : this.#snapshot.pinned;
    this.#apply({ ...facts, settled, pinned });
  }

  /**
   * A read by id did not find it. That may be a replica that lags behind: not believed against a newer answer, nor against a
   * change that was just read back.
   */
  notFound(id: string, turn = Number.POSITIVE_INFINITY): void {
    const { streams, settled } = this.#snapshot;
    const mark = settled.get(id);
    const isOutweighed = isInForce(mark, this.#clock.now()) && !mark.isGone;
    if (!isOutweighed && (streams.get(id)?.turn ?? 0) <= turn) this.gone(id);
  }

  /** It is surely not there any more: its rows go, and lists that still name it are ignored for a while. */
  gone(id: string): void {
    // First, while its name is known.
    this.recordings.parentsKnown(new Map([[id, undefined]]));
    const { streams, lists, left, pinned, sessions, children } = this.#snapshot;
    const remove = (state: ListState): ListState =>
      state.ids.includes(id) ? { ...state, ids: state.ids.filter((other) => other !== id) } : state;
    this.#apply({
      streams: withoutKey(streams, id),
      lists: { active: remove(lists.active), idle: remove(lists.idle), recording: remove(lists.recording) },
      left: withoutItem(left, id),
      pinned: withoutItem(pinned, id),
      sessions: withoutKey(sessions, id),
      children: withoutKey(children, id),
      settled: this.#settle(id, true),
    });
  }

  /** Says what is being done to a stream until the returned handle is disposed. */
  beginOperation(streamId: string, operation: Operation): Disposable {
    const { generation } = this.#snapshot;
    this.#apply({ operations: new Map(this.#snapshot.operations).set(streamId, operation) });
    return onDispose(() => {
      if (this.#snapshot.generation !== generation) return;
      this.#apply({ operations: withoutKey(this.#snapshot.operations, streamId) });
    });
  }

  // Parts

  #setList(list: ListName, change: Partial<ListState>): void {
    const { lists } = this.#snapshot;
    this.#apply({ lists: { ...lists, [list]: { ...lists[list], ...change } } });
  }

  /** A good answer after a 401 means that the key works again. */
  #accepted(): Partial<Snapshot> {
    const { connection } = this.#snapshot;
    return connection.kind === 'refused' ? { connection: { kind: 'open', info: connection.info } } : {};
  }

  #settle(id: string, isGone: boolean): ReadonlyMap<string, Settled> {
    const now = this.#clock.now();
    const inForce = [...this.#snapshot.settled].filter(([, mark]) => isInForce(mark, now));
    return new Map(inForce).set(id, { until: now + SETTLED_FOR_MS, isGone });
  }

  #withoutGone(ids: readonly string[]): readonly string[] {
    const now = this.#clock.now();
    return ids.filter((id) => {
      const mark = this.#snapshot.settled.get(id);
      return !(isInForce(mark, now) && mark.isGone);
    });
  }

  get #snapshot(): Snapshot {
    return this.#held.current;
  }

  #apply(change: Partial<Snapshot>): void {
    this.#held.apply(change);
  }
}
