import { formatPosition } from '../../../util/format.ts';
import { type Playable, spanNear } from '../../../util/positions.ts';
import type { ClipCut } from '../messages.ts';

export type ClipEnd = 'start' | 'end';

/** The times of the first and the last frame of a clip, as Unix times in milliseconds. */
export type ClipMarks = Readonly<Partial<Record<ClipEnd, number>>>;

export type ClipTimes = Pick<ClipCut, 'startTime' | 'endTime'>;

/** A second, of which part of a frame may be missing. */
const SHORTEST_MS = 990;

interface Watched extends Playable {
  readonly framesPerSecond: number;
}

/** Proposes a clip of what is being watched. Returns undefined if its time isn't known. */
export function proposeMarks(
  position: number,
  watched: Watched,
  dateAt: (position: number) => number | undefined,
): ClipMarks | undefined {
  const { from, to } = spanNear(position, watched, 1 / watched.framesPerSecond);
  const [start, end] = [dateAt(from), dateAt(to)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** When the playable part begins and ends, if that is known, and whether more is to come. */
interface Limits {
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly goesOn: boolean;
}

/**
 * Sets one end. If it's beyond the other one, the other one moves along, to keep the length as far as possible. Where
 * more is to come, the other one becomes open instead, until it's set.
 */
export function setMark(marks: ClipMarks, which: ClipEnd, date: number, { first, last, goesOn }: Limits): ClipMarks {
  const { start, end } = marks;
  if (start === undefined || end === undefined) return { ...marks, [which]: date };
  const length = Math.max(0, end - start);
  if (which === 'end') {
    return { start: date >= start ? start : Math.min(date, Math.max(date - length, first ?? 0)), end: date };
  }
  if (date <= end) return { start: date, end };
  const moved = Math.min(date + length, last ?? Number.POSITIVE_INFINITY);
  return goesOn && moved < date + length ? { start: date } : { start: date, end: Math.max(date, moved) };
}

/** Returns when a clip of these frames starts, and when its last frame ends. Undefined if there is no such clip. */
export function clipTimesOf({ start, end }: ClipMarks, framesPerSecond: number): ClipTimes | undefined {
  if (start === undefined || end === undefined || end < start) return undefined;
  return { startTime: Math.floor(start), endTime: Math.floor(end + 1000 / framesPerSecond) };
}

/** Why these marks make no clip. */
export type MarksFault = 'open' | 'reversed' | 'short';

/** Returns undefined if there is nothing wrong with them, or if nothing is set. */
export function faultOfMarks(marks: ClipMarks, framesPerSecond: number): MarksFault | undefined {
  const { start, end } = marks;
  if (start === undefined) return undefined;
  if (end === undefined) return 'open';
  const times = clipTimesOf(marks, framesPerSecond);
  if (times === undefined) return 'reversed';
  return times.endTime - times.startTime < SHORTEST_MS ? 'short' : undefined;
}

/** "1:05.24", rounded down; "0:01:05.24" if the whole is an hour or more. */
export function formatClipTime(seconds: number, whole = 0): string {
  const hundredths = hundredthsOf(seconds);
  return `${formatPosition(hundredths / 100, whole)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** The time between two times as they are shown, so that the three of them agree. */
export function formatClipLength(start: number, end: number): string {
  return formatClipTime((hundredthsOf(end) - hundredthsOf(start)) / 100);
}

function hundredthsOf(seconds: number): number {
  return Math.floor(seconds * 100 + 0.01);
}
