import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';

/** What a suite came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  readonly failures: readonly Failure[];
  /** What failed at first and passed when it was run again, alone. */
  readonly flaky?: readonly Failure[];
}

export interface Failure {
  /** The full title of the test. */
  readonly title: string;
  /** The full text of what went wrong. */
  readonly text: string;
  /** Absolute path of the test file, where it is known. */
  readonly file?: string | undefined;
}

/** The counts in a file, or undefined where there is none yet. */
export function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return undefined; // not there, or not written to its end
  }
}

export function didNotRun(text: string): Counts {
  return { passed: 0, failed: 1, pending: 0, failures: [{ title: 'The suite did not run', text }] };
}

/** What is thrown in a process of its own arrives as an object that has only the fields of an error. */
export function describeFailure(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  if (typeof stack === 'string' && stack !== '') return stack;
  return typeof message === 'string' && message !== '' ? message : inspect(error);
}

/** As given, but a run in which no test ran is a failure. */
export function requireTests(counts: Counts): Counts {
  return counts.passed + counts.failed > 0 ? counts : didNotRun('No test was found');
}

export function addCounts(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    pending: all.reduce((sum, { pending }) => sum + pending, 0),
    failures: all.flatMap(({ failures }) => failures),
    flaky: all.flatMap(({ flaky }) => flaky ?? []),
  };
}

/**
 * What a run came to whose failures were run again, alone: only what failed both times has failed.
 * @param again the counts of the second run, or undefined where there was none.
 */
export function withSecondTry(first: Counts, again: Counts | undefined): Counts {
  if (again === undefined) return first;
  if (again.failed > 0) return { ...first, failed: again.failed, failures: again.failures };
  // What was not run again has not passed: an error that is of no test.
  if (again.passed < first.failed) return first;
  return { ...first, passed: first.passed + first.failed, failed: 0, failures: [], flaky: first.failures };
}
