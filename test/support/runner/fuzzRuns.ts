import fc from 'fast-check';

const USUAL_RUNS = 200;

/** How often each property is tried: 200 times, or as often as FUZZ_RUNS says (`npm run fuzz`: 10,000). */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? USUAL_RUNS);

const IN_FUZZ = FUZZ_RUNS > USUAL_RUNS;

/** What runs the suites says it, so that a second run of what failed tries the same. */
const seed = process.env.FUZZ_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/** This many of a table's rows, spread evenly and always the same; in `npm run fuzz`, all of them. */
export function sampleOf<T>(rows: readonly T[], count: number): readonly T[] {
  if (IN_FUZZ) return rows;
  const rank = (index: number) => Math.floor((index * count) / rows.length);
  return rows.filter((_, index) => rank(index) !== rank(index - 1));
}

/** For `npm run fuzz` alone: what costs much beside what `npm test` has of the same already. */
export function itInFuzz(title: string, test: Mocha.AsyncFunc): void {
  if (IN_FUZZ) it(title, test);
}

/** The same for a suite, if other suites of its file run in `npm test`. Otherwise, its file ends in `.fuzz.test.ts`. */
export function describeInFuzz(title: string, define: () => void): void {
  if (IN_FUZZ) describe(title, define);
}

type Property<Inputs extends [unknown, ...unknown[]], Outcome> = [
  ...inputs: { [At in keyof Inputs]: fc.Arbitrary<Inputs[At]> },
  check: (...inputs: Inputs) => Outcome,
];

/** Tries a property FUZZ_RUNS times. It holds unless its check throws or returns false. */
export function forAll<Inputs extends [unknown, ...unknown[]]>(...property: Property<Inputs, unknown>): void {
  fc.assert(fc.property<Inputs>(...(property as Property<Inputs, boolean>)), { numRuns: FUZZ_RUNS });
}

/** The same for one whose check takes time. */
export async function forAllAsync<Inputs extends [unknown, ...unknown[]]>(
  ...property: Property<Inputs, Promise<unknown>>
): Promise<void> {
  await fc.assert(fc.asyncProperty<Inputs>(...(property as Property<Inputs, Promise<boolean>>)), {
    numRuns: FUZZ_RUNS,
  });
}
