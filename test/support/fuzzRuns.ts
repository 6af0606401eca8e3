/** How often each property is tried: 200 times, or as often as FUZZ_RUNS says (`npm run fuzz`: 10,000). */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 200);
