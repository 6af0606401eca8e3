// node test/support/runSuites.ts SUITE… [--grep PATTERN] [--write]
// Runs the suites one after the other. The last line is "N passed, N failed"; the exit code is 0 only when none failed.
// A suite that measures prints a table; --write puts it into the README too.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type TableCommand, writeBetweenMarks } from '../bench/table.ts';
import { addCounts, type Counts, didNotRun, requireTests } from './counts.ts';
import { type Face, type HostSuite, runElectronSuite, runHostSuite } from './hostSuite.ts';
import { runMochaSuite } from './mochaSuite.ts';
import { requireProcess } from './ownProcess.ts';
import { inProject } from './projectFolder.ts';
import { installVscode } from './vscodePackage.ts';
import { packageForTests } from './vsix.ts';

interface Suite {
  /** Made before it runs, once even where several suites want it. */
  readonly needs: readonly (() => Promise<void>)[];
  readonly runs: readonly Face[] | undefined;
  readonly run: (grep: string | undefined, face: Face) => Promise<Counts>;
  /** What it measured, as a Markdown table, and the command whose table it is. */
  readonly table?: {
    readonly command: TableCommand;
    readonly read: (counts: Counts, seconds: number) => string | undefined;
  };
}

const bothFaces: readonly Face[] = ['full', 'strict'];
const seconds = 1_000;
const minutes = 60 * seconds;

const seed = String(Date.now() % 2 ** 31);

/** In `npm test` the same things are done each time, whatever the machine; `npm run soak` does others each time, for 20 minutes. */
const [SOAKED_BEFORE_ALL, SOAKED_SEED] = [240, '20261121'];
const SOAKED_LONG = 6000;

const host: HostSuite = { tests: 'host', limitMs: 8 * minutes, secondTry: true };

/** SOAK_ACTIONS and SOAK_SEED of the environment say otherwise. */
function soak(usualActions: number, usualSeed: string): Suite {
  const soakTable = inProject('dist-test/soak.md');
  const actions = Number(process.env.SOAK_ACTIONS ?? usualActions);
  const soakSeed = process.env.SOAK_SEED ?? usualSeed;
  const suite: HostSuite = {
    tests: 'soak',
    limitMs: actions * seconds + 12 * minutes,
    // As high as all rows of a service.
    size: { width: 900, height: 1800 },
    env: { SOAK_ACTIONS: String(actions), SOAK_SEED: soakSeed, SOAK_TABLE: soakTable },
  };
  return {
    needs: [buildForHost],
    runs: undefined,
    run: (grep, face) => {
      rmSync(soakTable, { force: true });
      console.log(`The same again: SOAK_SEED=${soakSeed} SOAK_ACTIONS=${actions} npm run soak`);
      return runHostSuite(suite, { grep, face });
    },
    table: { command: 'soak', read: () => (existsSync(soakTable) ? readFileSync(soakTable, 'utf8') : undefined) },
  };
}

const ui = {
  files: 'test/ui/**/*.test.ts',
  // Several times what is waited for at most (waitUntil.ts).
  timeoutMs: 5 * minutes,
  limitMs: 25 * minutes,
  jobs: 2,
  secondTry: true,
};

/** The oldest editor that the manifest allows. */
const inOldest = { LIVE_STREAMS_EDITOR: 'oldest' } as const;

const fuzzRuns = 10_000;

function fuzzTable({ passed, failed }: Counts, took: number): string {
  const [head, rule] = ['| properties | runs of each | failed | seconds |', '| --- | --- | --- | --- |'];
  return `${head}\n${rule}\n| ${passed + failed} | ${fuzzRuns.toLocaleString('en')} | ${failed} | ${took} |`;
}

const suites: Readonly<Record<string, Suite>> = {
  unit: {
    needs: [],
    runs: undefined,
    run: (grep) =>
      runMochaSuite(
        {
          files: 'test/unit/**/*.test.ts',
          timeoutMs: 20 * seconds,
          limitMs: 5 * minutes,
          env: { FUZZ_SEED: process.env.FUZZ_SEED ?? seed },
          jobs: 2,
          secondTry: true,
        },
        grep,
      ),
  },
  package: {
    needs: [packageForTests],
    runs: undefined,
    run: (grep) =>
      runMochaSuite({ files: 'test/package/**/*.test.ts', timeoutMs: 10 * seconds, limitMs: 60 * seconds }, grep),
  },
  host: { needs: [buildForHost], runs: bothFaces, run: (grep, face) => runHostSuite(host, { grep, face }) },
  ui: {
    needs: [packageForTests],
    runs: undefined,
    run: (grep) => runMochaSuite(ui, grep),
  },
  // What an older editor is most likely to do differently: activation, the tree, storage, boxes, webviews.
  oldest: {
    needs: [packageForTests, installOldest],
    runs: undefined,
    run: (grep) => runMochaSuite({ ...ui, files: 'test/ui/{demo,glance}.test.ts', env: inOldest }, grep),
  },
  oldestHost: {
    needs: [buildForHost, installOldest],
    runs: bothFaces,
    run: (grep, face) => runHostSuite({ ...host, editor: 'oldest' }, { grep, face }),
  },
  oldestUi: {
    needs: [packageForTests, installOldest],
    runs: undefined,
    run: (grep) => runMochaSuite({ ...ui, env: inOldest }, grep),
  },
  soak: soak(SOAKED_BEFORE_ALL, SOAKED_SEED),
  longSoak: soak(SOAKED_LONG, seed),
  fuzz: {
    needs: [],
    runs: undefined,
    run: (grep) =>
      runMochaSuite(
        {
          files: 'test/unit/**/*.property.test.ts',
          timeoutMs: 30 * minutes,
          limitMs: 60 * minutes,
          env: { FUZZ_RUNS: String(fuzzRuns) },
        },
        grep,
      ),
    table: { command: 'fuzz', read: fuzzTable },
  },
  electron: { needs: [buildForHost], runs: bothFaces, run: (grep, face) => runElectronSuite(host, { grep, face }) },
};

/** Before the test files want it, which run two at a time. */
async function installOldest(): Promise<void> {
  await installVscode('oldest');
}

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
  const took = Math.round((Date.now() - began) / seconds);
  console.log(`(${took} s)`);
  if (suite.table !== undefined) showTable(suite.table, addCounts(counts), took);
  return named;
}

/** Also of a run that failed: a table that is written only when all is well says nothing. */
function showTable({ command, read }: NonNullable<Suite['table']>, counts: Counts, took: number): void {
  const table = read(counts, took);
  console.log(`\n${table ?? 'It came to no table'}\n`);
  if (values.write && table !== undefined) writeBetweenMarks(inProject('README.md'), table, command);
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

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, write: { type: 'boolean' } },
  allowPositionals: true,
});
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
// Nothing that a suite left open keeps this process: what it started is ended with it.
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
