import type { NewClip } from '../../api/clipApi.ts';
import { formatClipTimer } from '../../util/format.ts';
import { parseTimer } from '../../util/positions.ts';

/**
 * The range of a clip: the last seconds of its source, or from one time to another, in seconds from the beginning or as
 * Unix times in milliseconds.
 */
export type ClipRange = { readonly seconds: number } | { readonly from: number; readonly to: number } | ClipBounds;

export type ClipBounds = Pick<NewClip, 'startTime' | 'endTime'>;

/** The broadcast or recording that a clip is cut from. */
export interface ClipSource {
  /** Unix time in milliseconds, by the service's clock; undefined if unknown. */
  readonly beganAt: number | undefined;
  /** When it ended, or the current time if it's still running. */
  readonly endsAt: number | undefined;
}

export type RangeFault = 'noTime' | 'reversed' | 'tooLong' | 'unknownTimes';

/** Returns when a clip starts and ends, or why the range isn't valid. Values that aren't numbers are `noTime`. */
export function clipTimes(range: ClipRange, source: ClipSource): ClipBounds | RangeFault {
  const { beganAt, endsAt } = source;
  if (!Object.values(range).every((seconds) => Number.isFinite(seconds) && seconds >= 0)) return 'noTime';
  if ('startTime' in range) return clipTimesWithin(range, source);
  if (endsAt === undefined) return 'unknownTimes';
  if ('seconds' in range) {
    const startTime = Math.round(endsAt - range.seconds * 1000);
    const endTime = Math.round(endsAt);
    if (startTime === endTime) return 'reversed';
    return startTime < (beganAt ?? startTime) ? 'tooLong' : { startTime, endTime };
  }
  if (range.to <= range.from) return 'reversed';
  if (beganAt === undefined) return 'unknownTimes';
  const [startTime, endTime] = [range.from, range.to].map((seconds) => Math.round(beganAt + seconds * 1000));
  if (startTime === undefined || endTime === undefined || endTime <= startTime) return 'reversed';
  return endTime > endsAt ? 'tooLong' : { startTime, endTime };
}

/** Handles times of frames that were seen. Clocks that differ a little may put them beyond the ends. */
function clipTimesWithin(
  { startTime, endTime }: ClipBounds,
  { beganAt = startTime, endsAt = endTime }: ClipSource,
): ClipBounds | RangeFault {
  const times = {
    startTime: Math.round(Math.max(startTime, beganAt)),
    endTime: Math.round(Math.min(endTime, endsAt)),
  };
  return times.startTime < times.endTime ? times : 'reversed';
}

/** Returns seconds, if both ends are known. */
export function sourceLength({ beganAt, endsAt }: ClipSource): number | undefined {
  return beganAt === undefined || endsAt === undefined ? undefined : Math.max(0, endsAt - beganAt) / 1000;
}

export interface TypedRange {
  readonly from: number;
  readonly to: number;
}

/** Reads "0:10 - 0:25", "0:10 to 0:25", "10 25", or "last 45 s", in seconds; undefined if it's none of these. */
export function parseClipRange(text: string): TypedRange | { readonly seconds: number } | undefined {
  const [, last, minutes] = LAST_PART.exec(text.trim()) ?? [];
  const number = last === undefined ? undefined : parseTimer(last);
  if (number !== undefined) return { seconds: minutes === undefined ? number : number * 60 };
  const [from, to, ...others] = text
    .trim()
    .split(/\s*[-–—~〜～]\s*|\s+(?:to\s+)?/)
    .map(parseTimer);
  return from === undefined || to === undefined || others.length > 0 ? undefined : { from, to };
}

/** The last part of the source, in the languages of the list of lengths. */
const LAST_PART =
  /^(?:last|letzten?|dernières?|últim[ao]s|直近|最近)\s*([\d:.,]+)\s*(?:(m\p{L}*|分钟?)|s\p{L}*|秒)?$/iu;

/** Returns a clip's place in a broadcast, such as "1:01–1:30". Takes seconds from the broadcast's beginning. */
export function formatClipRange(from: number, to: number): string {
  return [from, to].map((seconds) => formatClipTimer(Math.max(0, seconds))).join('–');
}
