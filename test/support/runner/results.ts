import { appendFileSync, readFileSync } from 'node:fs';
import { type Counts, type Failure, NO_COUNTS, type Ran } from './counts.ts';

/**
 * One thing that a run tells of itself, written when it happens: what ends in the middle has told what it came to by then.
 */
export type Result =
  | ({ readonly kind: 'passed' } & Ran)
  | ({ readonly kind: 'skipped' } & Ran)
  | ({ readonly kind: 'failed' } & Failure)
  /** What else there is to say of a test that failed. */
  | { readonly kind: 'noted'; readonly title: string; readonly text: string }
  /** Where the tests run. */
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'ended' };

interface Results {
  readonly counts: Counts;
  readonly hasEnded: boolean;
  /** Of the process in which the tests run, where it has told. */
  readonly pid: number | undefined;
}

/** Adds to the file that LIVE_STREAMS_RESULTS names; does nothing where it names none: tests that are run by hand. */
export function tellResult(result: Result): void {
  const file = process.env.LIVE_STREAMS_RESULTS;
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

/** What a file of results holds so far. A test that was skipped has failed, unless tests may be pending: it counts as none. */
export function readResults(file: string, mayBePending = false): Results {
  const results = readLines(file);
  function of<K extends Result['kind']>(kind: K) {
    return results.filter((result): result is Extract<Result, { readonly kind: K }> => result.kind === kind);
  }
  const skipped = mayBePending ? [] : of('skipped').map(skippedFailure);
  const notes = Map.groupBy(of('noted'), ({ title }) => title);
  const failed = of('failed').map(({ title, text, file }) => {
    const noted = notes.get(title)?.map((note) => note.text) ?? [];
    return { title, text: [text, ...noted].join('\n'), file };
  });
  const failures = [...failed, ...skipped];
  const passes = of('passed').map(ranOf);
  return {
    counts: { ...NO_COUNTS, passed: passes.length, failed: failures.length, failures, passes },
    hasEnded: of('ended').length > 0,
    pid: of('started')[0]?.pid,
  };
}

function ranOf({ title, file, ms }: Ran): Ran {
  return { title, file, ms };
}

function skippedFailure({ title, file }: Ran): Failure {
  return { title, file, text: 'It was skipped' };
}

/** The last line may be half written. */
function readLines(file: string): readonly Result[] {
  const whole = readText(file).split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Result);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
