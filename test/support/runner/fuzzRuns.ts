import fc from 'fast-check';

/** How often each property is tried: 200 times, or as often as FUZZ_RUNS says (`npm run fuzz`: 10,000). */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 200);

/** What runs the suites says it, so that a second run of what failed tries the same. */
const seed = process.env.FUZZ_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
