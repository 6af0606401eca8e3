import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, didNotRun, type Failure, readCounts, withSecondTry } from './counts.ts';
import { startProcess } from './ownProcess.ts';
import { inProject } from './projectFolder.ts';
import { makeTemporaryFolder } from './temporaryFolder.ts';

export interface MochaSuite {
  /** A pattern relative to the project. */
  readonly files: string;
  /** For one test. */
  readonly timeoutMs: number;
  /** For the whole run, which is ended then. */
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** How many files run at once. Default: 1. */
  readonly jobs?: number;
  /** Files with a failure are run again, one after the other, and count as they are then. Default: false. */
  readonly secondTry?: boolean;
}

/** Runs mocha over test files in a Node process of their own, its output shown. */
export async function runMochaSuite(suite: MochaSuite, grep: string | undefined): Promise<Counts> {
  const first = await runMocha(suite, [suite.files], suite.jobs ?? 1, grep);
  const files = suite.secondTry ? filesOf(first.failures) : undefined;
  if (files === undefined || files.length === 0) return first;
  console.log(`\n${first.failed} failed: once more, alone: ${files.join(', ')}`);
  return withSecondTry(first, await runMocha(suite, files, 1, grep));
}

/** Undefined where a failure is of no file: that of a run which did not come to its end. */
function filesOf(failures: readonly Failure[]): readonly string[] | undefined {
  const files = failures.map(({ file }) => file);
  return files.every((file) => file !== undefined) ? [...new Set(files)] : undefined;
}

async function runMocha(
  suite: MochaSuite,
  files: readonly string[],
  jobs: number,
  grep: string | undefined,
): Promise<Counts> {
  const folder = makeTemporaryFolder('mocha');
  const countsFile = join(folder, 'counts.json');
  const mocha = [inProject('node_modules/mocha/bin/mocha.js'), '--timeout', String(suite.timeoutMs), '--exit'];
  const reporter = ['--reporter', inProject('test/support/countingReporter.ts')];
  const wanted = [
    ...(grep === undefined ? [] : ['--grep', grep]),
    ...(jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : []),
  ];
  const started = startProcess(process.execPath, [...mocha, ...reporter, ...wanted, ...files], {
    cwd: inProject(),
    env: { ...process.env, ...suite.env, LIVE_STREAMS_COUNTS: countsFile },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const limit = setTimeout(() => {
    console.error(`The run did not come to an end in ${suite.limitMs / 1000} s`);
    void started.kill();
  }, suite.limitMs);
  try {
    const code = await started.exited;
    const counts = readCounts(countsFile) ?? didNotRun(`mocha ended with ${code} and wrote no counts`);
    return code !== 0 && counts.failed === 0 ? didNotRun(`mocha ended with ${code}`) : counts;
  } finally {
    clearTimeout(limit);
    rmSync(folder, { recursive: true, force: true });
  }
}
