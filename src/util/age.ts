/**
 * Returns the milliseconds since `at`. Infinite if `at` is undefined or in the future: the clock was set back then, it
 * is unknown how long ago, and waiting to reach that time again could take hours.
 */
export function timeSince(at: number | undefined, now: number): number {
  return at === undefined || at > now ? Number.POSITIVE_INFINITY : now - at;
}
