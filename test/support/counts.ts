import { readFileSync } from 'node:fs';

/** What a suite came to. `failures` are titles with the full text of what went wrong. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  readonly failures: readonly { readonly title: string; readonly text: string }[];
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
  };
}
