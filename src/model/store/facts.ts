import type { AnswerMeta, Stream } from '../../api/types.ts';
import { withOnly } from '../../util/collections.ts';
import { isSameJson } from '../../util/sameJson.ts';
import type { ListName, ListState, PagesFacts, RecentChange, Snapshot, StreamFact } from './snapshot.ts';
import { hasNamePart, isOnAir, isRecordingUnlisted, nameFilter } from './streams.ts';

/** How long a change that was read back overrides lists, which come from a replica (src/api/README.md, Lists). */
export const SETTLED_FOR_MS = 30_000;

export interface Listed extends AnswerMeta, PagesFacts, Pick<ListState, 'revealed'> {
  readonly streams: readonly Stream[];
  /** Distinct rows read since the beginning of the list. */
  readonly seen: number;
}

type KnownStreams = Pick<Snapshot, 'streams' | 'recentChanges' | 'leftActive'>;

/** Never overwrites newer data, or a change that was read back until it expires or the list agrees. */
export function mergeListed(facts: KnownStreams, listed: Listed, now: number): KnownStreams {
  const streams = new Map(facts.streams);
  const recentChanges = new Map([...facts.recentChanges].filter(([, mark]) => isInForce(mark, now)));
  const leftActive = new Set(facts.leftActive);
  for (const stream of listed.streams) {
    const known = streams.get(stream.id);
    if (known !== undefined && known.requestSeq > listed.requestSeq) continue;
    if (isOutweighed(recentChanges, stream, known)) continue;
    recentChanges.delete(stream.id);
    noteActive(leftActive, stream);
    streams.set(stream.id, factOf(stream, listed, known));
  }
  return { streams, recentChanges, leftActive };
}

/** Whether a mark still overrides lists. One that expires too far ahead was made before the clock was set back. */
export function isInForce(mark: RecentChange | undefined, now: number): mark is RecentChange {
  return mark !== undefined && mark.until > now && mark.until - now <= SETTLED_FOR_MS;
}

function isOutweighed(
  recentChanges: ReadonlyMap<string, RecentChange>,
  stream: Stream,
  known: StreamFact | undefined,
): boolean {
  const mark = recentChanges.get(stream.id);
  if (mark === undefined) return false;
  return mark.isGone || known === undefined || !agrees(known.stream, stream);
}

function agrees(a: Stream, b: Stream): boolean {
  return (
    a.name === b.name &&
    a.record === b.record &&
    a.isActive === b.isActive &&
    (a.suspended ?? false) === (b.suspended ?? false) &&
    isSameJson(a.playbackPolicy, b.playbackPolicy) &&
    isSameJson(a.targets, b.targets) &&
    isSameJson(a.tags, b.tags) &&
    isSameJson(a.profiles, b.profiles)
  );
}

export function mergeRead(facts: KnownStreams, stream: Stream, answer: AnswerMeta): KnownStreams {
  const known = facts.streams.get(stream.id);
  if (known !== undefined && known.requestSeq > answer.requestSeq) return facts;
  const streams = new Map(facts.streams).set(stream.id, factOf(stream, answer, known));
  const leftActive = new Set(facts.leftActive);
  noteActive(leftActive, stream, known?.stream.isActive);
  return { streams, recentChanges: facts.recentChanges, leftActive };
}

// The service lists a suspended stream as active until it has ended its broadcast.
function noteActive(leftActive: Set<string>, stream: Stream, wasActive = false): void {
  if (isOnAir(stream)) leftActive.delete(stream.id);
  else if (stream.isActive || wasActive) leftActive.add(stream.id);
}

// Keeps the stream object if nothing in it changed, so that rows can be compared by identity.
function factOf(stream: Stream, answer: AnswerMeta, known: StreamFact | undefined): StreamFact {
  const same = known !== undefined && isSameJson(known.stream, stream);
  return aged(same ? known.stream : stream, answer, known?.idleAt);
}

// Copies only the age, so that the fact doesn't keep a whole list response alive.
function aged(stream: Stream, { requestSeq, startedAt, serverDate }: AnswerMeta, idleAt?: number): StreamFact {
  return { stream, requestSeq, startedAt, serverDate, idleAt: stream.isActive ? idleAt : serverDate };
}

/** Returns the IDs of active streams that a newer list doesn't contain. Each must be read by ID. */
export function missingFrom(facts: KnownStreams, listed: Listed, now: number): readonly string[] {
  const named = new Set(listed.streams.map((stream) => stream.id));
  const missing: string[] = [];
  for (const { stream, requestSeq } of facts.streams.values()) {
    if (!stream.isActive || named.has(stream.id) || requestSeq > listed.requestSeq) continue;
    if (!isInForce(facts.recentChanges.get(stream.id), now)) missing.push(stream.id);
  }
  return missing;
}

export function markLeft(facts: KnownStreams, ids: readonly string[], answer: AnswerMeta): KnownStreams {
  const streams = new Map(facts.streams);
  const leftActive = new Set(facts.leftActive);
  for (const id of ids) {
    const known = streams.get(id);
    if (known === undefined) continue;
    streams.set(id, aged({ ...known.stream, isActive: false }, answer));
    leftActive.add(id);
  }
  return { streams, recentChanges: facts.recentChanges, leftActive };
}

/** Drops idle streams that nothing refers to anymore, so that memory doesn't grow over a long day. */
export function forgetUnnamed(before: Snapshot, after: Snapshot, list: ListName): Snapshot['streams'] {
  const { lists, leftActive, pinnedIds, streams } = after;
  const { idle, recording } = lists;
  const named = new Set([
    ...idle.ids,
    ...idle.aside,
    ...recording.ids,
    ...recording.aside,
    ...leftActive,
    ...pinnedIds,
  ]);
  const beside = list === 'recording' ? [...before.streams.values()] : [];
  const unlisted = beside.filter((fact) => isRecordingUnlisted(before, fact)).map((fact) => fact.stream.id);
  const shown = [...before.lists[list].ids, ...before.lists[list].aside, ...unlisted];
  const drop = new Set(shown.filter((id) => !named.has(id)));
  return withOnly(streams, (id) => {
    const fact = drop.has(id) ? streams.get(id) : undefined;
    return fact === undefined || fact.stream.isActive || isRecordingUnlisted(after, fact);
  });
}

/** Returns the rows that a list request didn't ask for, because their names don't match the filter. */
export function rowsAside({ streams, filter, lists }: Snapshot, list: ListName): readonly string[] {
  const asked = nameFilter(filter);
  const { ids, revealed, aside } = lists[list];
  return [...ids.slice(0, revealed), ...aside].filter((id) => {
    const fact = streams.get(id);
    return fact !== undefined && !hasNamePart(fact.stream, asked);
  });
}

export function loaded(listed: Listed, earlierTotal?: number): Omit<ListState, 'ids' | 'aside' | 'isSorted'> {
  return {
    isLoaded: true,
    isLoading: false,
    isLoadingMore: false,
    revealed: listed.revealed,
    hasNextPage: listed.hasNextPage,
    total: listed.total,
    unreadable: listed.unreadable,
    isFiltered: listed.isFiltered,
    missing: missingBetween(earlierTotal, listed),
    trouble: undefined,
    requestSeq: listed.requestSeq,
    loadedAt: listed.startedAt,
    isStale: false,
  };
}

/** Returns how many rows of the service's total weren't on any page. */
function missingOf({ hasNextPage, total, seen, unreadable }: Omit<Listed, 'streams'>): number {
  return hasNextPage || total === undefined ? 0 : Math.max(0, total - seen - unreadable);
}

// Like missingOf. A later page also counts the rows that were created since the earlier ones.
function missingBetween(earlierTotal: number | undefined, listed: Omit<Listed, 'streams'>): number {
  const { total = earlierTotal } = listed;
  return missingOf({ ...listed, total: total && Math.min(total, earlierTotal ?? total) });
}

export function idsOf(streams: readonly Stream[]): readonly string[] {
  return streams.map((stream) => stream.id);
}
