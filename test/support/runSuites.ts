// node test/support/runSuites.ts SUITE… [--grep PATTERN]
// Runs the suites one after the other. The last line is "N passed, N failed"; the exit code is 0 only when none failed.
import { parseArgs } from 'node:util';
import { addCounts, type Counts, didNotRun, requireTests } from './counts.ts';
import { type Face, runElectronSuite, runHostSuite } from './hostSuite.ts';
import { runMochaSuite } from './mochaSuite.ts';
import { requireProcess } from './ownProcess.ts';
import { inProject } from './projectFolder.ts';
import { packageForTests } from './vsix.ts';

interface Suite {
  /** Made before it runs, once even where several suites want it. */
  readonly needs: readonly (() => Promise<void>)[];
  readonly runs: readonly Face[] | undefined;
  readonly run: (grep: string | undefined, face: Face) => Promise<Counts>;
}

const bothFaces: readonly Face[] = ['full', 'strict'];
const seconds = 1_000;
const minutes = 60 * seconds;

function soak(soakSeconds: number): Suite {
  const [timeoutMs, limitMs] = [soakSeconds * seconds + 2 * minutes, soakSeconds * seconds + 4 * minutes];
  const env = { SOAK_SECONDS: String(soakSeconds) };
  const run = (grep: string | undefined) =>
    runMochaSuite({ files: 'test/soak/**/*.test.ts', timeoutMs, limitMs, env }, grep);
  return { needs: [], runs: undefined, run };
}

const suites: Readonly<Record<string, Suite>> = {
  unit: {
    needs: [],
    runs: undefined,
    run: (grep) =>
      runMochaSuite(
        { files: 'test/unit/**/*.test.ts', timeoutMs: 20 * seconds, limitMs: 5 * minutes, jobs: 2, secondTry: true },
        grep,
      ),
  },
  package: {
    needs: [packageForTests],
    runs: undefined,
    run: (grep) =>
      runMochaSuite({ files: 'test/package/**/*.test.ts', timeoutMs: 10 * seconds, limitMs: 60 * seconds }, grep),
  },
  host: { needs: [buildForHost], runs: bothFaces, run: (grep, face) => runHostSuite(face, grep) },
  ui: {
    needs: [packageForTests],
    runs: undefined,
    run: (grep) =>
      runMochaSuite(
        { files: 'test/ui/**/*.test.ts', timeoutMs: 60 * seconds, limitMs: 15 * minutes, jobs: 2, secondTry: true },
        grep,
      ),
  },
  soak: soak(60),
  longSoak: soak(20 * 60),
  fuzz: {
    needs: [],
    runs: undefined,
    run: (grep) =>
      runMochaSuite(
        {
          files: 'test/unit/**/*.property.test.ts',
          timeoutMs: 30 * minutes,
          limitMs: 60 * minutes,
          env: { FUZZ_RUNS: '10000' },
        },
        grep,
      ),
  },
  electron: { needs: [buildForHost], runs: bothFaces, run: (grep, face) => runElectronSuite(face, grep) },
};

async function buildForHost(): Promise<void> {
  await requireProcess(process.execPath, ['esbuild.mjs', '--production', '--tests'], { cwd: inProject() });
}

async function runSuite(name: string, grep: string | undefined, ready: Set<unknown>): Promise<[string, Counts][]> {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`There is no suite ${name}: ${Object.keys(suites).join(', ')}`);
  const titles = (suite.runs ?? [undefined]).map((face) => (face === undefined ? name : `${name} (${face})`));
  console.log(`\n== ${titles.join(', ')}`);
  const began = Date.now();
  const made = await guarded(async () => {
    for (const need of suite.needs) if (!ready.has(need)) await need();
    for (const need of suite.needs) ready.add(need);
    return addCounts([]);
  });
  const run = async (face: Face) => (made.failed > 0 ? made : requireTests(await suite.run(grep, face)));
  const results = (suite.runs ?? (['full'] as const)).map((face) => guarded(() => run(face)));
  const counts = await Promise.all(results);
  const named = counts.map((each, index): [string, Counts] => [titles[index] ?? name, each]);
  for (const [title, each] of named) console.log(describe(title, each));
  console.log(`(${Math.round((Date.now() - began) / seconds)} s)`);
  return named;
}

async function guarded(run: () => Promise<Counts>): Promise<Counts> {
  try {
    return await run();
  } catch (error) {
    return didNotRun(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function describe(title: string, { passed, failed, pending, flaky = [] }: Counts): string {
  const rest = `${pending > 0 ? `, ${pending} skipped` : ''}${flaky.length > 0 ? `, ${flaky.length} only the second time` : ''}`;
  return `${title}: ${passed} passed, ${failed} failed${rest}`;
}

const { values, positionals } = parseArgs({ options: { grep: { type: 'string' } }, allowPositionals: true });
const ready = new Set<unknown>();
const results: [string, Counts][] = [];
for (const name of positionals) results.push(...(await runSuite(name, values.grep, ready)));

for (const [title, { failures, flaky }] of results) {
  for (const failure of failures) console.log(`\nFAILED ${title}: ${failure.title}\n${failure.text}`);
  for (const failure of flaky ?? []) console.log(`\nFLAKY ${title}: ${failure.title}\n${failure.text}`);
}
console.log('');
for (const [title, counts] of results) console.log(describe(title, counts));
const total = addCounts(results.map(([, counts]) => counts));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
