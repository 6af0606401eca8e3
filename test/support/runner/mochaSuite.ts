import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { inProject } from '../projectFolder.ts';
import { type Counts, requireTests, withFailure } from './counts.ts';
import { readResults } from './results.ts';
import { type RunLimits, watchRun } from './runLimits.ts';

export interface MochaSuite extends RunLimits {
  /** A pattern relative to the project. */
  readonly files: string;
  /** Which of them run, by their absolute paths. Default: all. */
  readonly includes?: (file: string) => boolean;
  /** Of these files, those to begin with: the long ones, so that no job has one of them left alone in the end. */
  readonly first?: readonly string[];
  /** For one test. */
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** How many files run at once. Default: 1. */
  readonly jobs?: number;
  /** Whether tests may be pending, because they need programs that npm doesn't install. Default: false. */
  readonly mayBePending?: boolean;
}

/** Runs mocha over test files in a Node process of their own, its output shown. */
export async function runMochaSuite(
  suite: MochaSuite,
  { grep }: { readonly grep: string | undefined },
): Promise<Counts> {
  const files = filesOf(suite);
  const counts = await runMocha(suite, { files, grep, jobs: suite.jobs ?? 1 });
  // A pattern may leave files without tests, and so does a run that broke off.
  const hasAllFiles = grep === undefined && suite.mayBePending !== true;
  const isWhole = hasAllFiles && counts.failures.every(({ file }) => file !== undefined);
  return isWhole ? requireTests(counts, files) : counts;
}

function filesOf({ files, includes = () => true, first = [] }: MochaSuite): readonly string[] {
  const found = globSync(files, { cwd: inProject() }).sort();
  const all = found.filter((file) => includes(inProject(file)));
  const missing = first.find((file) => !all.includes(file));
  if (missing !== undefined) throw new Error(`There is no ${missing}`);
  return [...new Set([...first, ...all])].map((file) => inProject(file));
}

interface MochaRun {
  readonly files: readonly string[];
  readonly grep: string | undefined;
  readonly jobs: number;
}

async function runMocha(suite: MochaSuite, run: MochaRun): Promise<Counts> {
  const folder = makeTemporaryFolder('mocha');
  const resultsFile = join(folder, 'results');
  const started = startProcess(process.execPath, argumentsFor(suite, run), {
    cwd: inProject(),
    env: { ...process.env, ...suite.env, LIVE_STREAMS_RESULTS: resultsFile },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const watch = watchRun(resultsFile, suite);
  try {
    const code = await Promise.race([started.exited, watch.overdue]);
    const { counts, hasEnded } = readResults(resultsFile, suite.mayBePending);
    if (!hasEnded) return withFailure(counts, `Mocha ended with ${code} in the middle of its run`);
    return code !== 0 && counts.failed === 0 ? withFailure(counts, `Mocha ended with ${code}`) : counts;
  } catch (error) {
    return withFailure(readResults(resultsFile).counts, String(error));
  } finally {
    watch.dispose();
    await started.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function argumentsFor({ timeoutMs }: MochaSuite, { files, grep, jobs }: MochaRun): readonly string[] {
  return [
    inProject('node_modules/mocha/bin/mocha.js'),
    ...['--timeout', String(timeoutMs), '--exit', '--forbid-only'],
    ...['--require', inProject('test/support/runner/rejectionHooks.ts')],
    ...['--reporter', inProject('test/support/runner/countingReporter.ts')],
    ...(grep === undefined ? [] : ['--grep', grep]),
    ...(jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : []),
    ...files,
  ];
}
