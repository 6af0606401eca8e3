import { writeFileSync } from 'node:fs';
import { addCounts, type Counts, didNotRun, NO_COUNTS, requireTests, withFailure } from './counts.ts';
import type { Face } from './hostSuite.ts';
import { findLeftOutTests } from './leftOutTests.ts';

export interface Suite {
  /** Made before it runs, once even where several suites want it. */
  readonly needs?: readonly Need[];
  /** Default: one run. */
  readonly faces?: readonly Face[];
  readonly run: (options: SuiteRunOptions) => Promise<Counts>;
  /** What it draws by, and how to repeat that. */
  readonly seeds?: string;
  /** Shows what it measured. */
  readonly report?: (counts: Counts, seconds: number) => void;
}

interface SuiteRunOptions {
  readonly grep: string | undefined;
  readonly face: Face;
}

interface RunnerOptions {
  /** One after the other; what "+" joins runs at once, each part of it one after the other: ui+unit,host. */
  readonly names: readonly string[];
  readonly grep?: string | undefined;
  /** The outcome is written there as well, as JSON. */
  readonly outcomeFile?: string | undefined;
  /** The project whose tests are looked through for what leaves tests out. Default: this one. */
  readonly folder?: string | undefined;
}

/** What a run came to, for those who run it again and again. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Full titles. */
  readonly failures: readonly string[];
}

interface Row {
  readonly title: string;
  readonly counts: Counts;
  readonly seconds: number;
}

/**
 * Runs suites. The last line that it prints is "N passed, N failed"; before it stands what each suite took.
 * @returns the exit code: 0 only where tests ran and none failed
 */
export async function runSuites(suites: Readonly<Record<string, Suite>>, options: RunnerOptions): Promise<number> {
  const rows = await runAll(suites, options);
  const total = addCounts(rows.map(({ counts }) => counts));
  for (const row of rows) printFailures(row);
  console.log('');
  for (const name of options.names.flatMap(partsOf).flat()) {
    if (suites[name]?.seeds !== undefined) console.log(suites[name].seeds);
  }
  for (const row of rows) console.log(lineOf(row));
  if (options.outcomeFile !== undefined) writeFileSync(options.outcomeFile, JSON.stringify(outcomeOf(total)));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

async function runAll(suites: Readonly<Record<string, Suite>>, options: RunnerOptions): Promise<readonly Row[]> {
  const leftOut = findLeftOutTests(options.folder);
  if (leftOut.length > 0) {
    const counts = leftOut.reduce((sum, line) => withFailure(sum, 'It leaves out tests', line), NO_COUNTS);
    return [{ title: 'sources', counts, seconds: 0 }];
  }
  const ready: Ready = new Map();
  const rows: Row[] = [];
  for (const atOnce of options.names) {
    const run = (name: string) => runSuite(name, find(suites, name), { grep: options.grep, ready });
    const runInTurn = async (names: readonly string[]) => {
      const done: Row[] = [];
      for (const name of names) done.push(...(await run(name)));
      return done;
    };
    rows.push(...(await Promise.all(partsOf(atOnce).map(runInTurn))).flat());
  }
  return rows;
}

/** ui+unit,host: what runs at once, and in each part the names of suites that run one after the other. */
const partsOf = (atOnce: string): readonly (readonly string[])[] => atOnce.split('+').map((part) => part.split(','));

function find(suites: Readonly<Record<string, Suite>>, name: string): Suite {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`There is no suite ${name}: ${Object.keys(suites).join(', ')}`);
  return suite;
}

type Need = () => Promise<void>;
/** What suites needed so far. */
type Ready = Map<Need, Promise<void>>;

interface SuiteRun extends Omit<SuiteRunOptions, 'face'> {
  readonly ready: Ready;
}

async function runSuite(name: string, suite: Suite, { grep, ready }: SuiteRun): Promise<readonly Row[]> {
  const faces = suite.faces ?? ['full' as const];
  const titleOf = (face: Face) => (suite.faces === undefined ? name : `${name} (${face})`);
  console.log(`\n== ${faces.map(titleOf).join(', ')}`);
  const took = stopwatch();
  const unmade = await attempt(async () => {
    for (const need of suite.needs ?? []) {
      const made = ready.get(need) ?? need();
      ready.set(need, made);
      await made;
    }
  });
  // A pattern may leave one of several variants without tests, but not all of them.
  const mayBeEmpty = grep !== undefined && faces.length > 1;
  const runOne = async (face: Face): Promise<Row> => {
    const took = stopwatch();
    const counted = () => suite.run({ grep, face });
    const run = async () => (mayBeEmpty ? counted() : requireTests(await counted()));
    const counts = unmade ?? (await attempt(run)) ?? NO_COUNTS;
    return { title: titleOf(face), counts, seconds: took() };
  };
  // One after the other: tests that a busy machine holds up for longer than they wait would fail.
  const faced: Row[] = [];
  for (const face of faces) faced.push(await runOne(face));
  const rows = requireSomeTests(faced);
  for (const row of rows) console.log(lineOf(row));
  suite.report?.(addCounts(rows.map(({ counts }) => counts)), took());
  return rows;
}

/** Seconds since it was made. */
function stopwatch(): () => number {
  const began = performance.now();
  return () => Math.round((performance.now() - began) / 1000);
}

/** Fails the first row if none has a test. */
function requireSomeTests([first, ...others]: readonly Row[]): readonly Row[] {
  if (first === undefined) return others;
  const { passed, failed } = addCounts([first, ...others].map(({ counts }) => counts));
  return [passed + failed === 0 ? { ...first, counts: requireTests(first.counts) } : first, ...others];
}

/** What it came to where it threw; else what it returned. */
async function attempt<T>(run: () => Promise<T>): Promise<T | Counts> {
  try {
    return await run();
  } catch (error) {
    return didNotRun(error);
  }
}

function printFailures({ title, counts }: Row): void {
  for (const failure of counts.failures) console.log(`\nFAILED ${title}: ${failure.title}\n${failure.text}`);
}

function lineOf({ title, counts: { passed, failed }, seconds }: Row): string {
  return `${title}: ${passed} passed, ${failed} failed (${seconds} s)`;
}

function outcomeOf({ passed, failed, failures }: Counts): Outcome {
  return { passed, failed, failures: failures.map(({ title }) => title) };
}
