/**
 * Milliseconds since a moment by the same clock. Infinite where there was none, and where it lies ahead: the clock was set
 * back since, nobody knows how long ago, and waiting until it is reached again could take hours.
 */
export function timeSince(at: number | undefined, now: number): number {
  return at === undefined || at > now ? Number.POSITIVE_INFINITY : now - at;
}
