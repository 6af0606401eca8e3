import type { Answered } from './calls.ts';
import type { Stream } from './types.ts';

/** If the Date header and the local clock differ by more, one of them is wrong. */
const DOUBTFUL_FROM_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns the time of a response by the clock of its streams' timestamps, as Unix time in milliseconds. This is the
 * Date header, unless it is missing or doubtful; then the newest data of the active streams decides. Without a header,
 * the local clock is no substitute: it may be hours off.
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
