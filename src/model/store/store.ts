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

/** Holds the snapshot and is its only writer, through named intents. Sends no requests; the loader does. */
export class StreamStore implements Disposable {
  readonly subLists: SubListIntents;
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

  /** Starts a new generation for another connection, or none. Only the view choices are kept. */
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

  secretsAwaited(): void {
    if (this.#snapshot.connection.kind === 'starting')
      this.#apply({ connection: { kind: 'starting', isWaiting: true } });
  }

  renamed(info: ConnectionInfo): void {
    const { connection } = this.#snapshot;
    if (connection.kind === 'none' || connection.kind === 'starting' || connection.info.id !== info.id) return;
    this.#apply({ connection: { kind: connection.kind, info } });
  }

  /** The service responded with 401: rows stay, and background requests stop until the key changes. */
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

  // View choices

  /** Sets the name filter. Idle and Recording must be reloaded; Active is filtered locally. */
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

  /** Needs no reload: the loaded sessions include those that weren't recorded. */
  setRecordingsRecordedOnly(recordingsRecordedOnly: boolean): void {
    this.#apply({ recordingsRecordedOnly });
  }

  setShowsHistoricChildStreams(showsHistoricChildStreams: boolean): void {
    if (showsHistoricChildStreams === this.#snapshot.showsHistoricChildStreams) return;
    this.#apply({ showsHistoricChildStreams, children: new Map(), orphans: EMPTY_SUB_LIST });
  }

  // The active streams

  /**
   * Writes a complete response of the active streams. The poll ends with `lookSucceeded` or `lookFailed`. Returns the
   * ids of streams that were active and are missing: each has to be read by id, or passed to `leftUnseen`.
   */
  lookedAtActive(listed: Listed): readonly string[] {
    const now = this.#clock.now();
    const facts = mergeListed(this.#snapshot, listed, now);
    const active: ListState = { ...loaded(listed), ids: idsOf(listed.streams), isStale: false };
    this.#apply({ ...facts, ...this.#accepted(), lists: { ...this.#snapshot.lists, active } });
    return missingFrom(this.#snapshot, listed, now);
  }

  /** The last poll succeeded, including its reads by id. */
  lookSucceeded(): void {
    this.#apply({ trouble: undefined });
  }

  lookFailed(trouble: Trouble): void {
    this.#apply({ trouble });
    this.listFailed('active', trouble);
  }

  nextTry(nextTryAt: number | undefined): void {
    const { trouble } = this.#snapshot;
    if (trouble !== undefined && trouble.nextTryAt !== nextTryAt) this.#apply({ trouble: { ...trouble, nextTryAt } });
  }

  /** Marks streams as idle that left the active list but were too many to be read by id, and Idle as stale. */
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

  listed(list: ListName, listed: Listed): void {
    const { lists, sessions, children } = this.#snapshot;
    const facts = mergeListed(this.#snapshot, listed, this.#clock.now());
    const state: ListState = { ...loaded(listed), ids: this.#withoutGone(idsOf(listed.streams)) };
    const current = { ...lists, [list]: state };
    const streams = forgetUnnamed(this.#snapshot, { ...this.#snapshot, ...facts, lists: current }, list);
    // Lists under a dropped stream are dropped as well, or every refresh would reload them.
    const stays = (id: string) => streams.has(id) || !facts.streams.has(id);
    const under = { sessions: withOnly(sessions, stays), children: withOnly(children, stays) };
    this.#apply({ ...facts, streams, ...under, ...this.#accepted(), lists: current });
  }

  /** Removes streams from those that Idle shows besides its pages. */
  unpin(ids: readonly string[]): void {
    const { left, pinned } = this.#snapshot;
    const drop = new Set(ids);
    const keep = (set: ReadonlySet<string>) => new Set([...set].filter((id) => !drop.has(id)));
    this.#apply({ left: keep(left), pinned: keep(pinned) });
  }

  listedMore(list: ListName, listed: Listed): void {
    const facts = mergeListed(this.#snapshot, listed, this.#clock.now());
    const old = this.#snapshot.lists[list];
    const ids = [...new Set([...old.ids, ...this.#withoutGone(idsOf(listed.streams))])];
    const whole = {
      ...listed,
      total: listed.total ?? old.total,
      dropped: old.dropped + listed.dropped,
      isFiltered: old.isFiltered && listed.isFiltered,
    };
    const state: ListState = { ...loaded(whole, old.total), ids, turn: old.turn, loadedAt: old.loadedAt };
    this.#apply({ ...facts, lists: { ...this.#snapshot.lists, [list]: state } });
  }

  /** For services that return all rows at once. */
  revealMore(list: ListName, rows: number): void {
    this.#setList(list, { revealed: this.#snapshot.lists[list].revealed + rows });
  }

  listFailed(list: ListName, trouble: Trouble): void {
    this.#setList(list, { isLoading: false, isLoadingMore: false, trouble });
  }

  // One stream

  /**
   * Writes a stream that was read by id. With `settle`, after a change: lists that disagree are ignored for a while.
   */
  read(stream: Stream, asked: AnswerAge, options: { readonly settle?: boolean; readonly pin?: boolean } = {}): void {
    const facts = mergeRead(this.#snapshot, stream, asked);
    const settled = options.settle === true ? this.#settle(stream.id, false) : facts.settled;
    const pinned = options.pin === true ? new Set(this.#snapshot.pinned).add(stream.id) : this.#snapshot.pinned;
    this.#apply({ ...facts, settled, pinned });
  }

  /**
   * A read by id did not find the stream. That may come from a stale replica, so it doesn't override newer data, nor a
   * change that was just read back.
   */
  notFound(id: string, turn = Number.POSITIVE_INFINITY): void {
    const { streams, settled } = this.#snapshot;
    const mark = settled.get(id);
    const isOutweighed = isInForce(mark, this.#clock.now()) && !mark.isGone;
    if (!isOutweighed && (streams.get(id)?.turn ?? 0) <= turn) this.gone(id);
  }

  /** The stream is definitely gone: removes its rows, and ignores lists that still name it for a while. */
  gone(id: string): void {
    // Must come first, while the stream's name is known.
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

  /** A successful response after a 401 means that the key works again. */
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
