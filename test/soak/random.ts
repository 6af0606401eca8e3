/** Random choices that a seed repeats. */
export interface Chance {
  readonly seed: number;
  /** 0 to below 1. */
  fraction(): number;
  /** 0 to below `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T | undefined;
}

/** mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(fraction() * end);
  return { seed, fraction, below, pick: (from) => from[below(from.length)] };
}
