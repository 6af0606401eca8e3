import fc from 'fast-check';

const USUAL_RUNS = 200;

/** How often each property is tried: 200 times, or as often as FUZZ_RUNS says (`npm run fuzz`: 10,000). */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? USUAL_RUNS);

/** What runs the suites says it, so that a second run of what failed tries the same. */
const seed = process.env.FUZZ_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/** This many of a table's rows, spread evenly and always the same; in `npm run fuzz`, all of them. */
export function sampleOf<T>(rows: readonly T[], count: number): readonly T[] {
  if (FUZZ_RUNS > USUAL_RUNS) return rows;
  const rank = (index: number) => Math.floor((index * count) / rows.length);
  return rows.filter((_, index) => rank(index) !== rank(index - 1));
}
