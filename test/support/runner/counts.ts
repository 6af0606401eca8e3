import { inspect } from 'node:util';

/** What a suite came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
  readonly passes: readonly Ran[];
}

export interface Ran {
  /** The full title of the test. */
  readonly title: string;
  /** Absolute path of the test file, where it is known. */
  readonly file?: string | undefined;
  readonly ms?: number | undefined;
}

export interface Failure extends Ran {
  /** The full text of what went wrong. */
  readonly text: string;
}

export const NO_COUNTS: Counts = { passed: 0, failed: 0, failures: [], passes: [] };

/** As given, with one more failure, which is of no test. */
export function withFailure(counts: Counts, text: string, title = 'The suite did not run to its end'): Counts {
  return { ...counts, failed: counts.failed + 1, failures: [...counts.failures, { title, text }] };
}

export function didNotRun(error: unknown): Counts {
  return withFailure(NO_COUNTS, describeFailure(error), 'The suite did not run');
}

/** What is thrown in a process of its own arrives as an object that has only the fields of an error. */
export function describeFailure(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  if (typeof stack === 'string' && stack !== '') return stack;
  return typeof message === 'string' && message !== '' ? message : inspect(error);
}

/** As given, but a run in which no test ran is a failure, and so is each of these files of which no test ran. */
export function requireTests(counts: Counts, files: readonly string[] = []): Counts {
  if (counts.passed + counts.failed === 0) return withFailure(counts, 'No test was found');
  const ran = new Set([...counts.passes, ...counts.failures].map(({ file }) => file));
  const empty = files.filter((file) => !ran.has(file));
  return empty.reduce((sum, file) => withFailure(sum, `No test of ${file} ran`, 'A file without tests'), counts);
}

export function addCounts(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    failures: all.flatMap(({ failures }) => failures),
    passes: all.flatMap(({ passes }) => passes),
  };
}
