// node test/support/runner/runSuites.ts SUITE… [--grep PATTERN] [--write] [--outcome FILE]
// Runs the suites one after the other. What "+" joins runs at once, each part of it one after the other (ui+unit,host). The last line is "N passed, N failed"; the exit code is 0 only when none failed.
// A suite that measures prints a table; --write puts it into test/bench/README.md too.
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type TableCommand, writeBetweenMarks } from '../../bench/table.ts';
import { requireProcess } from '../process/ownProcess.ts';
import { inProject, inTestFolder } from '../projectFolder.ts';
import { installDesktop } from '../vscode/desktop.ts';
import { installVscode } from '../vscode/vscodePackage.ts';
import { packageForTests } from '../vscode/vsix.ts';
import { addCounts, type Counts } from './counts.ts';
import { type Face, type HostSuite, runElectronSuite, runHostSuite } from './hostSuite.ts';
import { type MochaSuite, runMochaSuite } from './mochaSuite.ts';
import { newSeed, PROPERTY_SEEDS, SOAK_SEEDS } from './seeds.ts';
import { runSuites, type Suite } from './suiteRunner.ts';

const bothFaces: readonly Face[] = ['full', 'strict'];
const seconds = 1_000;
const minutes = 60 * seconds;
// Limits are for machines that are several times slower than one that has nothing else to do.

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, write: { type: 'boolean' }, outcome: { type: 'string' } },
  allowPositionals: true,
});

const host: HostSuite = { tests: 'host', limitMs: 40 * minutes, quietMs: 12 * minutes };

const unit: MochaSuite = {
  files: 'test/unit/**/*.test.ts',
  includes: isBeforeEachChange,
  first: [
    'test/unit/commands/checking.test.ts',
    'test/unit/commands/privateStreams.test.ts',
    'test/unit/model/downloads/download.test.ts',
    'test/unit/broadcast/broadcast.test.ts',
    'test/unit/broadcast/hostileServers.test.ts',
    'test/unit/webview/sound/worker.test.ts',
    'test/unit/demo/ingest/ingest.test.ts',
    'test/unit/support/suiteRunner.test.ts',
    'test/unit/broadcast/sleep.test.ts',
    'test/unit/model/downloads/downloadFiles.test.ts',
    'test/unit/model/inspection/hlsInspection.test.ts',
    'test/unit/commands/testBroadcast.test.ts',
    'test/unit/attack/faults.test.ts',
    'test/unit/broadcast/ffmpeg.test.ts',
    'test/unit/architecture.test.ts',
    'test/unit/demo/life.test.ts',
  ],
  timeoutMs: 2 * minutes,
  limitMs: 30 * minutes,
  quietMs: 6 * minutes,
  // As many as a machine has cores, though another suite runs beside it: much of it is waiting for what never answers.
  jobs: 2,
};
const properties: MochaSuite = { ...unit, files: 'test/unit/**/*.property.test.ts', first: [] };

/** All unit tests by the first seed; the properties by the others too. */
async function runUnit(grep: string | undefined): Promise<Counts> {
  const [first, ...others] = PROPERTY_SEEDS;
  const counts = [await runMochaSuite({ ...unit, env: { FUZZ_SEED: String(first) } }, { grep })];
  for (const seed of others)
    counts.push(await runMochaSuite({ ...properties, env: { FUZZ_SEED: String(seed) } }, { grep }));
  return addCounts(counts);
}

const ui: MochaSuite = {
  files: 'test/ui/**/*.test.ts',
  includes: isBeforeEachChange,
  first: [
    'test/ui/player.test.ts',
    'test/ui/playerInputs.test.ts',
    'test/ui/details.test.ts',
    'test/ui/clips.test.ts',
    'test/ui/broadcasting.test.ts',
    'test/ui/playerFailures.test.ts',
    'test/ui/accessibility.test.ts',
    'test/ui/connecting.test.ts',
    'test/ui/playerRequests.test.ts',
    'test/ui/sideBySide.test.ts',
    'test/ui/finding.test.ts',
    'test/ui/sessionStates.test.ts',
  ],
  // Several times what is waited for at most (waitUntil.ts).
  timeoutMs: 5 * minutes,
  limitMs: 60 * minutes,
  quietMs: 10 * minutes,
  // As many as a machine has cores: half of the time, a test waits for a picture to play or for a service to be asked.
  jobs: 2,
};

/** Against what npm doesn't install, so not part of npm test. One after the other, as some of it is measured. */
const real: MochaSuite = {
  files: 'test/real/**/*.test.ts',
  timeoutMs: 5 * minutes,
  limitMs: 30 * minutes,
  quietMs: 10 * minutes,
  mayBePending: true,
};

/** What the person of a soak does, in all its runs together. SOAK_ACTIONS says otherwise. */
const SOAKED_BEFORE_ALL = 20;
const SOAKED_LONG = 6000;

/** A run for each seed; they share the actions, so that the same is done each time, whatever the machine. */
function soak(usualActions: number, seeds: readonly number[]): Suite {
  const table = inProject('dist-test/soak.md');
  const actions = Math.ceil(Number(process.env.SOAK_ACTIONS ?? usualActions) / seeds.length);
  const limitMs = actions * seconds + 12 * minutes;
  const suiteFor = (seed: number): HostSuite => ({
    ...{ tests: 'soak', limitMs, quietMs: limitMs },
    // As high as all rows of a service, with all views open.
    size: { width: 900, height: 3600 },
    env: { SOAK_ACTIONS: String(actions), SOAK_SEED: String(seed), SOAK_TABLE: table },
  });
  return {
    needs: [buildForHost],
    seeds: seeds.map((seed) => `soak: SOAK_SEED=${seed} SOAK_ACTIONS=${actions} npm run soak`).join('\n'),
    run: async ({ grep, face }) => {
      rmSync(table, { force: true });
      const counts: Counts[] = [];
      for (const seed of seeds) counts.push(await runHostSuite(suiteFor(seed), { grep, face }));
      return addCounts(counts);
    },
    report: () => showTable('soak', existsSync(table) ? readFileSync(table, 'utf8') : undefined),
  };
}

/** The oldest editor that the manifest allows. */
const inOldest = { LIVE_STREAMS_EDITOR: 'oldest' } as const;

const fuzzRuns = 10_000;

function fuzz(seed: number): Suite {
  const env = { FUZZ_RUNS: String(fuzzRuns), FUZZ_SEED: String(seed) };
  const suite: MochaSuite = {
    ...properties,
    files: 'test/unit/**/*.test.ts',
    includes: hasMoreInFuzz,
    timeoutMs: 30 * minutes,
    limitMs: 2 * 60 * minutes,
    quietMs: 60 * minutes,
  };
  return {
    seeds: `properties: FUZZ_SEED=${seed} npm run fuzz`,
    run: ({ grep }) => runMochaSuite({ ...suite, env, jobs: 1 }, { grep }),
    report: (counts, took) => showTable('fuzz', fuzzTable(counts, took)),
  };
}

/** Whether `npm test` runs a file. */
function isBeforeEachChange(file: string): boolean {
  return !file.endsWith('.fuzz.test.ts');
}

/** Whether `npm test` leaves a file out, or tries less of it. */
function hasMoreInFuzz(file: string): boolean {
  const source = readFileSync(file, 'utf8');
  return !isBeforeEachChange(file) || /\/runner\/fuzzRuns\.ts|\bdescribeInBrowsers\b/.test(source);
}

function fuzzTable({ passed, failed }: Counts, took: number): string {
  const [head, rule] = ['| tests | runs of each property | failed | seconds |', '| --- | --- | --- | --- |'];
  return `${head}\n${rule}\n| ${passed + failed} | ${fuzzRuns.toLocaleString('en')} | ${failed} | ${took} |`;
}

function showTable(command: TableCommand, table: string | undefined): void {
  console.log(`\n${table ?? 'It came to no table'}\n`);
  if (values.write && table !== undefined) writeBetweenMarks(inProject('test/bench/README.md'), table, command);
}

async function installOldest(): Promise<void> {
  await installVscode('oldest');
}

async function buildForHost(): Promise<void> {
  await requireProcess(process.execPath, ['esbuild.mjs', '--production', '--tests'], { cwd: inProject() });
}

async function requireDesktop(): Promise<void> {
  await installDesktop();
}

const suites: Readonly<Record<string, Suite>> = {
  unit: {
    seeds: `properties: seed ${PROPERTY_SEEDS.join(' and ')}`,
    run: ({ grep }) => runUnit(grep),
  },
  package: {
    needs: [packageForTests],
    run: ({ grep }) => {
      const limits = { timeoutMs: 60 * seconds, limitMs: 5 * minutes, quietMs: 2 * minutes };
      return runMochaSuite({ files: 'test/package/**/*.test.ts', ...limits }, { grep });
    },
  },
  host: { needs: [buildForHost], faces: bothFaces, run: (options) => runHostSuite(host, options) },
  ui: { needs: [packageForTests], run: (options) => runMochaSuite(ui, options) },
  // Both, for the secrets of a service that has less.
  fuzzHost: {
    needs: [buildForHost],
    faces: bothFaces,
    run: (options) => {
      const names = globSync('test/host/*.test.ts', { cwd: inProject() }).filter((name) =>
        hasMoreInFuzz(inProject(name)),
      );
      const built = names.map((name) => inProject('dist-test/host', basename(name).replace(/ts$/, 'js')));
      const env = { FUZZ_RUNS: String(fuzzRuns), LIVE_STREAMS_FILES: built.join('\n') };
      return runHostSuite({ ...host, env }, options);
    },
  },
  fuzzUi: {
    needs: [packageForTests],
    run: (options) => {
      const env = { FUZZ_RUNS: String(fuzzRuns) };
      return runMochaSuite({ ...ui, includes: hasMoreInFuzz, first: [], env }, options);
    },
  },
  real: { needs: [packageForTests], run: ({ grep }) => runMochaSuite(real, { grep }) },
  // What an older editor is most likely to do differently: activation, the tree, storage, boxes, webviews.
  oldest: {
    needs: [packageForTests, installOldest],
    run: (options) => runMochaSuite({ ...ui, files: 'test/ui/demo.test.ts', first: [], env: inOldest }, options),
  },
  oldestHost: {
    needs: [buildForHost, installOldest],
    faces: bothFaces,
    run: (options) => runHostSuite({ ...host, editor: 'oldest' }, options),
  },
  oldestUi: {
    needs: [packageForTests, installOldest],
    run: (options) => runMochaSuite({ ...ui, env: inOldest }, options),
  },
  soak: soak(SOAKED_BEFORE_ALL, SOAK_SEEDS),
  longSoak: soak(SOAKED_LONG, [newSeed('SOAK_SEED')]),
  fuzz: fuzz(newSeed('FUZZ_SEED')),
  electron: {
    needs: [buildForHost, requireDesktop],
    faces: bothFaces,
    run: (options) => runElectronSuite(host, options),
  },
  electronPlayer: {
    needs: [buildForHost, requireDesktop],
    run: async (options) => {
      const env = { VSCODE: await installDesktop() };
      return runMochaSuite({ ...ui, files: 'test/electron/**/*.test.ts', first: [], jobs: 1, env }, options);
    },
  },
};

// Dozens of processes load the same modules: servers of VS Code, extension hosts, mocha's workers.
process.env.NODE_COMPILE_CACHE ??= inTestFolder('compiled');

const code = await runSuites(suites, { names: positionals, grep: values.grep, outcomeFile: values.outcome });
// Nothing that a suite left open keeps this process: what it started is ended with it.
process.exit(code);
