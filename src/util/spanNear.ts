const SECONDS = 30;
const AT_LEAST_SECONDS = 1;

/** What there is of something that plays, in seconds, and whether more is to come. */
export interface Playable {
  readonly begin: number;
  readonly end: number;
  readonly goesOn: boolean;
}

/**
 * Returns what is being watched at a position: the 30 seconds before it if more is to come at the end, otherwise those
 * after it. Where next to nothing is there, it's the other way around.
 */
export function spanNear(position: number, { begin, end, goesOn }: Playable) {
  const from = Math.min(position, Math.max(begin, position - SECONDS));
  const to = Math.max(position, Math.min(position + SECONDS, end));
  const isBefore = goesOn ? position - from >= AT_LEAST_SECONDS : to - position < AT_LEAST_SECONDS;
  return isBefore ? { from, to: position } : { from: position, to };
}
