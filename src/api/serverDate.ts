import type { Answered } from './calls.ts';
import type { Stream } from './types.ts';

/** A Date header and the local clock that differ by more leave the question which of them is wrong. */
const DOUBTFUL_FROM_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns the time of an answer by the clock that its streams' times are written by, epoch ms: its Date header, unless there
 * is none or it is doubtful. The newest data of its active streams decides then: without a header no stream is judged by the
 * local clock, which may be hours away from the service's.
 */
export function judgeServerDate(
  { date, answeredAt }: Pick<Answered, 'date' | 'answeredAt'>,
  streams: readonly Stream[],
) {
  if (date !== undefined && Math.abs(date - answeredAt) <= DOUBTFUL_FROM_MS) return date;
  const newest = newestData(streams, answeredAt + DAY_MS);
  if (newest === undefined) return date ?? answeredAt;
  if (date === undefined) return newest;
  return Math.abs(date - newest) <= Math.abs(answeredAt - newest) ? date : answeredAt;
}

function newestData(streams: readonly Stream[], until: number): number | undefined {
  let newest: number | undefined;
  for (const { isActive, lastSeen } of streams) {
    if (isActive && lastSeen !== undefined && lastSeen <= until) newest = Math.max(newest ?? lastSeen, lastSeen);
  }
  return newest;
}
