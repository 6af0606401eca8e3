import type { ClipCut } from './messages.ts';

export type ClipEnd = 'start' | 'end';

/** The first and the last frame of a clip: when they were, as Unix times in milliseconds. */
export type ClipMarks = Readonly<Partial<Record<ClipEnd, number>>>;

export type ClipTimes = Pick<ClipCut, 'startTime' | 'endTime'>;

/** Returns when a clip of these frames starts and ends: with its last frame. Undefined if there is no such clip. */
export function clipTimesOf({ start, end }: ClipMarks, framesPerSecond: number): ClipTimes | undefined {
  if (start === undefined || end === undefined || end < start) return undefined;
  return { startTime: Math.floor(start), endTime: Math.floor(end + 1000 / framesPerSecond) };
}
