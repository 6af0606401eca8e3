import type { Clip } from '../../api/clips.ts';
import type { ApiError } from '../../api/errors.ts';
import type { MultistreamTarget } from '../../api/multistream.ts';
import type { Abilities, AnswerMeta, HealthCondition, Session, Stream } from '../../api/types.ts';
import type { Clock } from '../../services.ts';
import { withOnly, withoutItem, withoutKey } from '../../util/collections.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { type ChildList, withChildList } from '../childStreams/childStreams.ts';
import {
  forgetUnnamed,
  idsOf,
  isInForce,
  type Listed,
  loaded,
  markLeft,
  mergeListed,
  mergeRead,
  missingFrom,
  rowsAside,
  SETTLED_FOR_MS,
} from './facts.ts';
import { settleBy } from './sessions.ts';
import {
  type AccountNames,
  EMPTY_SNAPSHOT,
  EMPTY_SUB_LIST,
  type ListName,
  type ListState,
  type LoadFailure,
  type Operation,
  type RecentChange,
  type Recordings,
  type Snapshot,
  type SubList,
} from './snapshot.ts';
import { countActive, isInOrder } from './streams.ts';

type LoadedRows<T> = Omit<SubList<T>, 'isLoading' | 'trouble' | 'isLoaded'>;

type RecordingsListed = Pick<
  Recordings,
  'items' | 'revealed' | 'hasNextPage' | 'listedBackTo' | 'requestSeq' | 'loadedAt' | 'serverDate'
>;

/** The state that a writer reads and changes. */
interface Written {
  readonly read: () => Snapshot;
  readonly apply: (change: Partial<Snapshot>) => void;
}

const CLOSED: Written = { read: () => EMPTY_SNAPSHOT, apply: () => {} };

/**
 * Writes the data that one open connection loads and changes to the store, through named intents. Once closed, it
 * writes nothing and its snapshot is empty, so that late responses of a connection never reach the next one.
 */
export class ConnectionWriter implements Disposable {
  readonly #clock: Clock;
  #written: Written;
  #recentClips = new Map<string, { readonly at: number; readonly streamId: string; readonly clip: Clip | undefined }>();

  /** Only for `StreamStore.openWriter`: a single writer is open at a time. */
  constructor(written: Written, clock: Clock) {
    this.#written = written;
    this.#clock = clock;
  }

  get snapshot(): Snapshot {
    return this.#written.read();
  }

  dispose(): void {
    this.#written = CLOSED;
  }

  // Connection

  /** The service responded with 401: rows stay, and background requests stop until the key changes. */
  refused(error: ApiError): void {
    const { connection } = this.snapshot;
    if (!('info' in connection)) return;
    const trouble = { error, at: this.#clock.now(), nextTryAt: undefined };
    this.#apply({ connection: { kind: 'refused', info: connection.info }, trouble });
  }

  abilitiesChanged(abilities: Abilities): void {
    this.#apply({ abilities });
  }

  accountNamed(accountNames: AccountNames): void {
    if (!isSameJson(accountNames, this.snapshot.accountNames)) this.#apply({ accountNames });
  }

  // Multistream targets

  /** Keeps known targets that aren't given. */
  targetsRead(targets: readonly MultistreamTarget[]): void {
    const all = new Map(this.snapshot.targets);
    for (const target of targets) all.set(target.id, target);
    const isSame = this.snapshot.hasTargets && isSameJson([...all.values()], [...this.snapshot.targets.values()]);
    if (!isSame) this.#apply({ targets: all, hasTargets: true });
  }

  // The active streams

  /** @param conditions undefined if the service knows none or the stream is no longer active */
  healthRead(streamId: string, conditions: readonly HealthCondition[] | undefined): void {
    const { health } = this.snapshot;
    if (isSameJson(conditions, health.get(streamId))) return;
    this.#apply({
      health: conditions === undefined ? withoutKey(health, streamId) : new Map(health).set(streamId, conditions),
    });
  }

  /**
   * Returns the IDs of active streams that are missing. Each must be read by ID or passed to `leftActiveUnread`.
   * The poll ends with `pollSucceeded` or `pollFailed`.
   */
  activeListed(listed: Listed): readonly string[] {
    const now = this.#clock.now();
    const facts = mergeListed(this.snapshot, listed, now);
    const active: ListState = { ...loaded(listed), ids: idsOf(listed.streams), aside: [], isSorted: true };
    this.#apply({ ...facts, ...this.#accepted(), lists: { ...this.snapshot.lists, active } });
    return missingFrom(this.snapshot, listed, now);
  }

  /** The last poll succeeded, including its reads by ID. */
  pollSucceeded(): void {
    this.#apply({ trouble: undefined });
  }

  pollFailed(trouble: LoadFailure): void {
    this.#apply({ trouble });
    this.listFailed('active', trouble);
  }

  /** Marks as idle the streams that left the active list but were too many to read by ID. Marks Idle as outdated. */
  leftActiveUnread(ids: readonly string[], answer: AnswerMeta): void {
    const { lists } = this.snapshot;
    this.#apply({
      ...markLeft(this.snapshot, ids, answer),
      lists: { ...lists, idle: { ...lists.idle, isStale: true } },
    });
  }

  // Groups

  listLoading(list: ListName, what: 'isLoading' | 'isLoadingMore'): void {
    this.#setList(list, { [what]: true });
  }

  listed(list: ListName, listed: Listed): void {
    const { lists } = this.snapshot;
    const facts = mergeListed(this.snapshot, listed, this.#clock.now());
    const ids = this.#withoutGone(idsOf(listed.streams));
    const aside = rowsAside(this.snapshot, list);
    const state: ListState = { ...loaded(listed), ids, aside, isSorted: isInOrder(listed.streams, this.snapshot) };
    const current = { ...lists, [list]: state };
    const streams = forgetUnnamed(this.snapshot, { ...this.snapshot, ...facts, lists: current }, list);
    // Also drops lists under a dropped stream. They would otherwise stay for as long as the window is open.
    const under = this.#under((id) => streams.has(id) || !facts.streams.has(id));
    const idle = listed.total ?? (listed.hasNextPage ? undefined : ids.length);
    const isCounted = list === 'idle' && this.snapshot.filter === '' && idle !== undefined;
    const streamCount = isCounted ? idle + countActive({ streams }) : this.snapshot.streamCount;
    this.#apply({ ...facts, streams, ...under, ...this.#accepted(), lists: current, streamCount });
  }

  /** @param streamCount the number of all streams, regardless of the filter */
  streamsCounted(streamCount: number): void {
    this.#apply({ streamCount });
  }

  /** @param count the streams with recording on that match the filter. Ignored once the list is loaded */
  recordingCounted(count: number): void {
    if (!this.snapshot.lists.recording.isLoaded) this.#setList('recording', { total: count });
  }

  unpin(ids: readonly string[]): void {
    const { leftActive, pinnedIds } = this.snapshot;
    const drop = new Set(ids);
    const keep = (set: ReadonlySet<string>) => new Set([...set].filter((id) => !drop.has(id)));
    this.#apply({ leftActive: keep(leftActive), pinnedIds: keep(pinnedIds) });
  }

  listedMore(list: ListName, listed: Listed): void {
    const facts = mergeListed(this.snapshot, listed, this.#clock.now());
    const old = this.snapshot.lists[list];
    const ids = [...new Set([...old.ids, ...this.#withoutGone(idsOf(listed.streams))])];
    const whole = {
      ...listed,
      total: listed.total ?? old.total,
      unreadable: old.unreadable + listed.unreadable,
      isFiltered: old.isFiltered && listed.isFiltered,
    };
    const isSorted = old.isSorted && isInOrder(listed.streams, this.snapshot);
    const { requestSeq, loadedAt, aside } = old;
    const state: ListState = { ...loaded(whole, old.total), ids, aside, isSorted, requestSeq, loadedAt };
    this.#apply({ ...facts, lists: { ...this.snapshot.lists, [list]: state } });
  }

  /** For services that return all rows together. */
  revealMore(list: ListName, rows: number): void {
    this.#setList(list, { revealed: this.snapshot.lists[list].revealed + rows });
  }

  listFailed(list: ListName, trouble: LoadFailure): void {
    this.#setList(list, { isLoading: false, isLoadingMore: false, trouble });
  }

  // Lists under a stream

  sessionsLoading(streamId: string): void {
    this.#setSessions(streamId, { isLoading: true });
  }

  sessionsListed(streamId: string, rows: LoadedRows<Session>): void {
    this.#setSessions(streamId, { ...rows, isLoaded: true, isLoading: false, trouble: undefined });
    const { items } = this.snapshot.recordings;
    const settled = settleBy(rows.items, items);
    if (settled !== items) this.#setRecordings({ items: settled });
  }

  /** Drops the list if its stream is gone. */
  sessionsFailed(streamId: string, trouble: LoadFailure): void {
    const { sessions } = this.snapshot;
    if (this.#hasGone(streamId, trouble)) this.#apply({ sessions: withoutKey(sessions, streamId) });
    else this.#setSessions(streamId, { isLoading: false, trouble });
  }

  /** Keeps clips that were made, read, or deleted a moment ago, because lists may come from a stale replica. */
  clipsListed(streamId: string, clips: readonly Clip[]): void {
    const now = this.#clock.now();
    const recent = [...this.#recentClips].filter(([, { at }]) => now - at < SETTLED_FOR_MS);
    this.#recentClips = new Map(recent);
    const own = recent.flatMap(([, read]) => (read.streamId === streamId && read.clip ? [read.clip] : []));
    const all = [...own, ...clips.filter(({ id }) => !this.#recentClips.has(id))];
    this.#setClips(streamId, all);
  }

  /** Drops the clips if they can no longer be listed. Otherwise, those being made would be read with each poll. */
  clipsFailed(streamId: string, { error }: LoadFailure): void {
    if (error.reason === 'notFound') this.#apply({ clips: withoutKey(this.snapshot.clips, streamId) });
  }

  clipRead(streamId: string, clip: Clip): void {
    this.#recentClips.set(clip.id, { at: this.#clock.now(), streamId, clip });
    const others = this.snapshot.clips.get(streamId)?.filter(({ id }) => id !== clip.id) ?? [];
    this.#setClips(streamId, [clip, ...others]);
  }

  clipGone(streamId: string, clipId: string): void {
    this.#recentClips.set(clipId, { at: this.#clock.now(), streamId, clip: undefined });
    this.#setClips(streamId, this.snapshot.clips.get(streamId)?.filter(({ id }) => id !== clipId) ?? []);
  }

  childrenLoading(list: ChildList): void {
    this.#apply(withChildList(this.snapshot, list, { isLoading: true }));
  }

  childrenListed(list: ChildList, rows: LoadedRows<Stream>): void {
    const state = { ...rows, isLoaded: true, isLoading: false, trouble: undefined };
    this.#apply(withChildList(this.snapshot, list, state));
  }

  /** Drops the list if its stream is gone. */
  childrenFailed(list: ChildList, trouble: LoadFailure): void {
    const { children } = this.snapshot;
    if (list !== undefined && this.#hasGone(list, trouble)) this.#apply({ children: withoutKey(children, list) });
    else this.#apply(withChildList(this.snapshot, list, { isLoading: false, trouble }));
  }

  /**
   * Drops the lists under all other streams. They are loaded again when expanded.
   * @param withClips IDs of the streams whose clips stay
   */
  keepUnder(streamIds: ReadonlySet<string>, withClips: ReadonlySet<string>): void {
    const clips = withOnly(this.snapshot.clips, (id) => withClips.has(id));
    this.#apply({ ...this.#under((id) => streamIds.has(id)), clips });
  }

  #under(stays: (streamId: string) => boolean): Pick<Snapshot, 'sessions' | 'children'> {
    const { sessions, children } = this.snapshot;
    return { sessions: withOnly(sessions, stays), children: withOnly(children, stays) };
  }

  // Recordings

  recordingsLoading(what: 'isLoading' | 'isLoadingMore'): void {
    this.#setRecordings({ [what]: true });
  }

  recordingsListed(listed: RecordingsListed): void {
    this.#setRecordings({ ...listed, isLoaded: true, isLoading: false, isLoadingMore: false, trouble: undefined });
    for (const [streamId, { items }] of this.snapshot.sessions) {
      const settled = settleBy(listed.items, items);
      if (settled !== items) this.#setSessions(streamId, { items: settled });
    }
  }

  recordingsFailed(trouble: LoadFailure): void {
    this.#setRecordings({ isLoading: false, isLoadingMore: false, trouble });
  }

  revealMoreRecordings(rows: number): void {
    this.#setRecordings({ revealed: this.snapshot.recordings.revealed + rows });
  }

  parentsKnown(parents: ReadonlyMap<string, string | undefined>): void {
    const { streams, recordings } = this.snapshot;
    const lastNames = new Map(recordings.lastNames);
    for (const [id, name] of parents) {
      const lastName = name === undefined ? (streams.get(id)?.stream.name ?? recordings.parents.get(id)) : undefined;
      if (lastName !== undefined) lastNames.set(id, lastName);
    }
    this.#setRecordings({ parents: new Map([...recordings.parents, ...parents]), lastNames });
  }

  // One stream

  /** Writes a stream that was just created. Adjusts the counts until lists are read again. */
  created(stream: Stream, answer: AnswerMeta): void {
    const isKnown = this.snapshot.streams.has(stream.id);
    this.#apply({ createdIds: new Set(this.snapshot.createdIds).add(stream.id) });
    this.read(stream, answer, { settle: true, pin: true });
    const { streamCount } = this.snapshot;
    if (isKnown) return;
    if (streamCount !== undefined) this.#apply({ streamCount: streamCount + 1 });
    if (stream.record) this.#addToRecording(1);
  }

  /** Writes a stream that was read. `settle`: after a change, lists that disagree are ignored for a while. */
  read(stream: Stream, answer: AnswerMeta, options: { readonly settle?: boolean; readonly pin?: boolean } = {}): void {
    const before = this.snapshot.streams.get(stream.id)?.stream.record;
    const facts = mergeRead(this.snapshot, stream, answer);
    const recentChanges = options.settle === true ? this.#settle(stream.id, false) : facts.recentChanges;
    const pinnedIds = options.pin === true ? new Set(this.snapshot.pinnedIds).add(stream.id) : this.snapshot.pinnedIds;
    this.#apply({ ...facts, ...this.#accepted(), recentChanges, pinnedIds });
    const after = this.snapshot.streams.get(stream.id)?.stream.record;
    if (before !== undefined && before !== after) this.#addToRecording(after === true ? 1 : -1);
  }

  /** May come from a stale replica, so it overrides neither newer data nor a change that was just read back. */
  notFound(id: string, requestSeq = Number.POSITIVE_INFINITY): void {
    const { streams, recentChanges } = this.snapshot;
    const mark = recentChanges.get(id);
    const isOutweighed = isInForce(mark, this.#clock.now()) && !mark.isGone;
    if (!isOutweighed && (streams.get(id)?.requestSeq ?? 0) <= requestSeq) this.gone(id);
  }

  /**
   * Removes the rows of a stream that is definitely gone; its recordings and clips remain. For a while, ignores lists
   * that still contain it.
   */
  gone(id: string): void {
    // Must come first, while the stream's name is known.
    this.parentsKnown(new Map([[id, undefined]]));
    const { streams, lists, streamCount, leftActive, pinnedIds, createdIds, sessions, children } = this.snapshot;
    const known = streams.get(id);
    const without = (ids: readonly string[]) => ids.filter((other) => other !== id);
    const remove = (state: ListState): ListState =>
      state.ids.includes(id) || state.aside.includes(id)
        ? { ...state, ids: without(state.ids), aside: without(state.aside) }
        : state;
    this.#apply({
      streams: withoutKey(streams, id),
      lists: { active: remove(lists.active), idle: remove(lists.idle), recording: remove(lists.recording) },
      leftActive: withoutItem(leftActive, id),
      pinnedIds: withoutItem(pinnedIds, id),
      createdIds: withoutItem(createdIds, id),
      sessions: withoutKey(sessions, id),
      children: withoutKey(children, id),
      recentChanges: this.#settle(id, true),
      streamCount: streamCount && (known === undefined ? streamCount : streamCount - 1),
    });
    if (known?.stream.record === true) this.#addToRecording(-1);
  }

  beginOperation(streamId: string, operation: Operation): Disposable {
    this.#apply({ operations: new Map(this.snapshot.operations).set(streamId, operation) });
    return onDispose(() => this.#apply({ operations: withoutKey(this.snapshot.operations, streamId) }));
  }

  // Parts

  #addToRecording(more: number): void {
    const { isLoaded, total } = this.snapshot.lists.recording;
    if (!isLoaded && total !== undefined) this.#setList('recording', { total: Math.max(0, total + more) });
  }

  #setList(list: ListName, change: Partial<ListState>): void {
    const { lists } = this.snapshot;
    this.#apply({ lists: { ...lists, [list]: { ...lists[list], ...change } } });
  }

  #setSessions(streamId: string, change: Partial<SubList<Session>>): void {
    const { sessions } = this.snapshot;
    const old = sessions.get(streamId) ?? EMPTY_SUB_LIST;
    this.#apply({ sessions: new Map(sessions).set(streamId, { ...old, ...change }) });
  }

  #setClips(streamId: string, clips: readonly Clip[]): void {
    const newestFirst = clips.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
    const others = withoutKey(this.snapshot.clips, streamId);
    this.#apply({ clips: clips.length === 0 ? others : new Map(others).set(streamId, newestFirst) });
  }

  #setRecordings(change: Partial<Recordings>): void {
    this.#apply({ recordings: { ...this.snapshot.recordings, ...change } });
  }

  #hasGone(streamId: string, { error }: LoadFailure): boolean {
    return error.reason === 'notFound' && !this.snapshot.streams.has(streamId);
  }

  // A successful response after a 401 means that the key works again.
  #accepted(): Partial<Snapshot> {
    const { connection } = this.snapshot;
    if (connection.kind !== 'refused') return {};
    return { connection: { kind: 'open', info: connection.info }, trouble: undefined };
  }

  #settle(id: string, isGone: boolean): ReadonlyMap<string, RecentChange> {
    const now = this.#clock.now();
    const inForce = [...this.snapshot.recentChanges].filter(([, mark]) => isInForce(mark, now));
    return new Map(inForce).set(id, { until: now + SETTLED_FOR_MS, isGone });
  }

  #withoutGone(ids: readonly string[]): readonly string[] {
    const now = this.#clock.now();
    return ids.filter((id) => {
      const mark = this.snapshot.recentChanges.get(id);
      return !(isInForce(mark, now) && mark.isGone);
    });
  }

  #apply(change: Partial<Snapshot>): void {
    this.#written.apply(change);
  }
}
