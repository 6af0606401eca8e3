// Positions in a video, in seconds.
const WATCHED_SECONDS = 30;
const AT_LEAST_SECONDS = 1;

/** Reads "90", "75:30", "1:02:03.5" as seconds; undefined if it's none of them. */
export function parseTimer(text: string): number | undefined {
  const found = /^(?:(?:(\d{1,3}):(?=[0-5]?\d:))?(\d{1,5}):)?(\d{1,6}(?:[.,]\d{1,3})?)$/.exec(text.trim());
  if (found === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = ''] = found;
  const rest = Number(seconds.replace(',', '.'));
  if (found[2] !== undefined && rest >= 60) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + rest;
}

/** The available part of something that plays, in seconds, and whether more is to come. */
export interface Playable {
  readonly begin: number;
  readonly end: number;
  readonly goesOn: boolean;
}

/**
 * Returns the span being watched at a position: the 30 seconds before it if more is to come at the end, otherwise those
 * after it. If less than a second is available there, it's the other way around.
 *
 * @param frame the seconds by which the span is shorter, because a span of frames also includes the last one
 */
export function spanNear(position: number, { begin, end, goesOn }: Playable, frame = 0) {
  const seconds = WATCHED_SECONDS - frame;
  const from = Math.min(position, Math.max(begin, position - seconds));
  const to = Math.max(position, Math.min(position + seconds, end));
  const isBefore = goesOn ? position - from >= AT_LEAST_SECONDS : to - position < AT_LEAST_SECONDS;
  return isBefore ? { from, to: position } : { from: position, to };
}
