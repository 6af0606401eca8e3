import type { AnswerAge, Stream } from '../../api/types.ts';
import { withOnly } from '../../util/collections.ts';
import { isSameJson } from '../../util/sameJson.ts';
import type { ListName, ListState, Settled, Snapshot, StreamFact } from './snapshot.ts';
import { isRecordingUnlisted } from './streams.ts';

/** How long a change that was read back overrides lists, which come from a replica (src/api/README.md, Lists). */
export const SETTLED_FOR_MS = 30_000;

/** A complete list as far as it was read, or one further page. */
export interface Listed extends AnswerAge {
  readonly streams: readonly Stream[];
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly total: number | undefined;
  readonly dropped: number;
  readonly isFiltered: boolean;
  /** Distinct rows read since the beginning of the list. */
  readonly seen: number;
}

type Facts = Pick<Snapshot, 'streams' | 'settled' | 'left'>;

/**
 * Merges the streams of a list response. Never overwrites newer data, nor a change that was just read back until that
 * expires or the list agrees.
 */
export function mergeListed(facts: Facts, listed: Listed, now: number): Facts {
  const streams = new Map(facts.streams);
  const settled = new Map([...facts.settled].filter(([, mark]) => isInForce(mark, now)));
  const left = new Set(facts.left);
  for (const stream of listed.streams) {
    const known = streams.get(stream.id);
    if (known !== undefined && known.turn > listed.turn) continue;
    if (isOutweighed(settled, stream, known)) continue;
    settled.delete(stream.id);
    if (stream.isActive) left.delete(stream.id);
    streams.set(stream.id, factOf(stream, listed, known));
  }
  return { streams, settled, left };
}

/** Whether a mark still overrides lists. One that expires later than it can was made before the clock was set back. */
export function isInForce(mark: Settled | undefined, now: number): mark is Settled {
  return mark !== undefined && mark.until > now && mark.until - now <= SETTLED_FOR_MS;
}

function isOutweighed(settled: ReadonlyMap<string, Settled>, stream: Stream, known: StreamFact | undefined): boolean {
  const mark = settled.get(stream.id);
  if (mark === undefined) return false;
  return mark.isGone || known === undefined || !agrees(known.stream, stream);
}

function agrees(a: Stream, b: Stream): boolean {
  return (
    a.name === b.name &&
    a.record === b.record &&
    a.isActive === b.isActive &&
    (a.suspended ?? false) === (b.suspended ?? false)
  );
}

export function mergeRead(facts: Facts, stream: Stream, answer: AnswerAge): Facts {
  const known = facts.streams.get(stream.id);
  if (known !== undefined && known.turn > answer.turn) return facts;
  const streams = new Map(facts.streams).set(stream.id, factOf(stream, answer, known));
  const left = new Set(facts.left);
  if (stream.isActive) left.delete(stream.id);
  else if (known?.stream.isActive === true) left.add(stream.id);
  return { streams, settled: facts.settled, left };
}

/** Keeps the stream object if nothing in it changed, so that rows can be compared by identity. */
function factOf(stream: Stream, answer: AnswerAge, known: StreamFact | undefined): StreamFact {
  const same = known !== undefined && isSameJson(known.stream, stream);
  return aged(same ? known.stream : stream, answer);
}

/** Copies only the age, so that the fact doesn't keep a whole list response alive. */
function aged(stream: Stream, { turn, startedAt, serverDate }: AnswerAge): StreamFact {
  return { stream, turn, startedAt, serverDate };
}

/**
 * Returns streams that were active and that a newer, complete response of the active streams doesn't name. Each has to
 * be read by id.
 */
export function missingFrom(facts: Facts, listed: Listed, now: number): readonly string[] {
  const named = new Set(listed.streams.map((stream) => stream.id));
  const missing: string[] = [];
  for (const { stream, turn } of facts.streams.values()) {
    if (!stream.isActive || named.has(stream.id) || turn > listed.turn) continue;
    if (!isInForce(facts.settled.get(stream.id), now)) missing.push(stream.id);
  }
  return missing;
}

export function markLeft(facts: Facts, ids: readonly string[], answer: AnswerAge): Facts {
  const streams = new Map(facts.streams);
  const left = new Set(facts.left);
  for (const id of ids) {
    const known = streams.get(id);
    if (known === undefined) continue;
    streams.set(id, aged({ ...known.stream, isActive: false }, answer));
    left.add(id);
  }
  return { streams, settled: facts.settled, left };
}

/**
 * Drops idle streams that a list showed before and that nothing names any more, so that memory doesn't grow over a long
 * day.
 */
export function forgetUnnamed(before: Snapshot, after: Snapshot, list: ListName): Snapshot['streams'] {
  const { lists, left, pinned, streams } = after;
  const named = new Set([...lists.idle.ids, ...lists.recording.ids, ...left, ...pinned]);
  const beside = list === 'recording' ? [...before.streams.values()] : [];
  const unlisted = beside.filter((fact) => isRecordingUnlisted(before, fact)).map((fact) => fact.stream.id);
  const shown = [...before.lists[list].ids, ...unlisted];
  const drop = new Set(shown.filter((id) => !named.has(id)));
  return withOnly(streams, (id) => {
    const fact = drop.has(id) ? streams.get(id) : undefined;
    return fact === undefined || fact.stream.isActive || isRecordingUnlisted(after, fact);
  });
}

export function loaded(listed: Listed, earlierTotal?: number): Omit<ListState, 'ids'> {
  return {
    isLoaded: true,
    isLoading: false,
    isLoadingMore: false,
    revealed: listed.revealed,
    hasNextPage: listed.hasNextPage,
    total: listed.total,
    dropped: listed.dropped,
    isFiltered: listed.isFiltered,
    missing: missingBetween(earlierTotal, listed),
    trouble: undefined,
    turn: listed.turn,
    loadedAt: listed.startedAt,
    isStale: false,
  };
}

/** Returns how many rows the service counts that no page contained. */
export function missingOf({ hasNextPage, total, seen, dropped }: Omit<Listed, 'streams'>): number {
  return hasNextPage || total === undefined ? 0 : Math.max(0, total - seen - dropped);
}

/**
 * Like missingOf. Pages may be minutes apart, and rows created between them are counted by the later page but contained
 * in none.
 */
function missingBetween(earlierTotal: number | undefined, listed: Omit<Listed, 'streams'>): number {
  const { total = earlierTotal } = listed;
  return missingOf({ ...listed, total: total && Math.min(total, earlierTotal ?? total) });
}

export function idsOf(streams: readonly Stream[]): readonly string[] {
  return streams.map((stream) => stream.id);
}
