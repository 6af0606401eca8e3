import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { NO_COUNTS } from '../../support/runner/counts.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { runSuites, type Suite } from '../../support/runner/suiteRunner.ts';

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly lines: readonly string[];
}

const GOOD = "it('is good', () => {});";

describe('The runner of suites', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTemporaryFolder('suites');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs made-up files of tests by the real runner and the real mocha, in a process of its own. */
  async function run(files: Readonly<Record<string, string>>, options: object = {}): Promise<Ran> {
    mkdirSync(join(folder, 'test/unit'), { recursive: true });
    for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, 'test/unit', name), source);
    const suite = {
      files: `${relative(inProject(), folder)}/test/unit/*.test.ts`,
      ...{ timeoutMs: 60_000, limitMs: 60_000, quietMs: 60_000, ...options },
    };
    const source = `
      const { runSuites } = await import(${JSON.stringify(inProject('test/support/runner/suiteRunner.ts'))});
      const { runMochaSuite } = await import(${JSON.stringify(inProject('test/support/runner/mochaSuite.ts'))});
      const suite = ${JSON.stringify(suite)};
      const run = ({ grep }) => runMochaSuite(suite, { grep });
      const names = ['madeUp'];
      process.exit(await runSuites({ madeUp: { run } }, { names, folder: ${JSON.stringify(folder)} }));`;
    const env = { ...process.env };
    delete env.LIVE_STREAMS_RESULTS;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], { env });
    const chunks: string[] = [];
    child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
    child.stderr.on('data', (chunk) => chunks.push(String(chunk)));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const output = chunks.join('');
    return { code, output, lines: output.trimEnd().split('\n') };
  }

  function assertRed({ code, lines, output }: Ran, lastLine: string, words: RegExp): void {
    assert.equal(lines.at(-1), lastLine, output);
    assert.equal(code, 1);
    assert.match(output, words);
  }

  it('is green where all pass, and says what it took', async () => {
    const { code, lines, output } = await run({ 'a.test.ts': GOOD });
    assert.equal(lines.at(-1), '1 passed, 0 failed', output);
    assert.match(lines.at(-2) ?? '', /^madeUp: 1 passed, 0 failed \(\d+ s\)$/);
    assert.equal(code, 0);
  });

  for (const jobs of sampleOf([2, 1], 1)) {
    describe(`failing files with ${jobs} at once`, () => {
      const options = { jobs };

      it(`is red with ${jobs} at once if a file does not load`, async () => {
        const ran = await run({ 'a.test.ts': GOOD, 'b.test.ts': "throw new Error('not loaded');" }, options);
        assertRed(ran, jobs === 1 ? '0 passed, 1 failed' : '1 passed, 1 failed', /not loaded/);
      });

      it(`is red with ${jobs} at once if a process ends in the middle, and counts what passed of it`, async () => {
        const crash = `${GOOD} it('ends', () => process.exit(0));`;
        const ran = await run({ 'a.test.ts': GOOD, 'b.test.ts': crash }, options);
        assert.match(
          ran.lines.at(-1) ?? '',
          jobs === 1 ? /^2 passed, [12] failed$/ : /^1 passed, [12] failed$/,
          ran.output,
        );
        assert.equal(ran.code, 1);
      });

      it(`is red with ${jobs} at once if a rejection is not handled`, async () => {
        const reject =
          "it('rejects', async () => { Promise.reject(new Error('nobody')); await new Promise((go) => setTimeout(go, 50)); });";
        const ran = await run({ 'a.test.ts': GOOD, 'b.test.ts': reject }, options);
        assertRed(ran, '2 passed, 1 failed', /Nobody handled a rejection[\s\S]*During "rejects": Error: nobody/);
      });

      it(`is red with ${jobs} at once if a file has no test`, async () => {
        const ran = await run({ 'a.test.ts': GOOD, 'b.test.ts': "describe('nothing', () => {});" }, options);
        assertRed(ran, '1 passed, 1 failed', /No test of .*b\.test\.ts ran/);
      });

      it(`is red with ${jobs} at once if a test was skipped`, async () => {
        const ran = await run({ 'a.test.ts': `${GOOD} it('is to be written');` }, options);
        assertRed(ran, '1 passed, 1 failed', /It was skipped/);
      });

      it(`is red with ${jobs} at once if a file hangs`, async () => {
        const hang = "it('hangs', () => { for (;;) Math.sqrt(2); });";
        const ran = await run({ 'a.test.ts': hang }, { ...options, quietMs: 2000 });
        assertRed(ran, '0 passed, 1 failed', /It hangs: no test came to an end in 2 s/);
      });
    });
  }

  it('counts pending tests as none in a suite that may have them, but for a run in which all are', async () => {
    const options = { mayBePending: true };
    const both = await run({ 'a.test.ts': GOOD, 'b.test.ts': "it('needs a program (not installed)');" }, options);
    assert.deepEqual([both.code, both.lines.at(-1)], [0, '1 passed, 0 failed'], both.output);
    assert.match(both.output, /- needs a program \(not installed\)/);
    const none = await run({ 'a.test.ts': '', 'b.test.ts': "it('needs a program (not installed)');" }, options);
    assertRed(none, '0 passed, 1 failed', /No test was found/);
  });

  it('is red where it takes too long, though tests come to their ends', async () => {
    const slow =
      "for (let at = 0; at < 200; at++) it('is slow ' + at, () => new Promise((go) => setTimeout(go, 200)));";
    const { code, output, lines } = await run({ 'a.test.ts': slow }, { limitMs: 2500 });
    assert.match(lines.at(-1) ?? '', /^\d+ passed, 1 failed$/, output);
    assert.match(output, /did not come to an end in 2\.5 s/);
    assert.equal(code, 1);
  });

  it('runs suites at once whose names "+" joins, and makes once what both need', async () => {
    const log: string[] = [];
    const need = async () => void log.push('made');
    const both = Promise.withResolvers<void>();
    const suite = (name: string): Suite => ({
      needs: [need],
      run: async () => {
        log.push(name);
        if (log.length === 3) both.resolve();
        await both.promise;
        return { ...NO_COUNTS, passed: 1, passes: [{ title: name }] };
      },
    });
    assert.equal(await runSuites({ a: suite('a'), b: suite('b') }, { names: ['a+b'], folder }), 0);
    assert.deepEqual(log, ['made', 'a', 'b']);
  });

  it('runs suites that "," joins in turn, beside what "+" joins to them', async () => {
    const log: string[] = [];
    const second = Promise.withResolvers<void>();
    const suite = (name: string, until?: Promise<void>): Suite => ({
      run: async () => {
        log.push(name);
        if (name === 'b') second.resolve();
        await until;
        log.push(`${name} ended`);
        return { ...NO_COUNTS, passed: 1, passes: [{ title: name }] };
      },
    });
    const suites = { a: suite('a'), b: suite('b'), long: suite('long', second.promise) };
    assert.equal(await runSuites(suites, { names: ['long+a,b'], folder }), 0);
    assert.deepEqual(log.slice(0, 4), ['long', 'a', 'a ended', 'b']);
  });

  it('lets a pattern leave faces without tests, unless it leaves all', async () => {
    const strictOnly = (count: number): Suite => ({
      faces: ['full', 'strict'],
      run: async ({ face }) =>
        face === 'full' || count === 0 ? NO_COUNTS : { ...NO_COUNTS, passed: count, passes: [{ title: 'a' }] },
    });
    const options = { names: ['a'], grep: 'words', folder };
    assert.equal(await runSuites({ a: strictOnly(1) }, options), 0);
    assert.equal(await runSuites({ a: strictOnly(0) }, options), 1);
  });

  it('refuses what leaves tests out before anything runs', async () => {
    const ran = await run({ 'a.test.ts': `${GOOD} it.only('is alone', () => console.log('it ran'));` });
    assertRed(ran, '0 passed, 1 failed', /FAILED sources: test\/unit\/a\.test\.ts:1: it\.only\nIt leaves out tests/);
    assert.ok(!ran.output.includes('it ran'));
  });

  it('prints what was noted of a test that failed', async () => {
    const source = `
      import { tellResult } from ${JSON.stringify(inProject('test/support/runner/results.ts'))};
      it('breaks', () => { throw new Error('broken'); });
      it('holds', () => {});
      afterEach(function () {
        const title = this.currentTest.fullTitle();
        tellResult({ kind: 'noted', title, text: 'after ' + title });
      });`;
    const ran = await run({ 'a.test.ts': source });
    assertRed(ran, '1 passed, 1 failed', /FAILED madeUp: breaks\nError: broken[\s\S]*\nafter breaks\n/);
    assert.ok(!ran.output.includes('after holds'));
  });

  it('gives a test that failed no second try', async () => {
    const mark = JSON.stringify(join(folder, 'ran'));
    const source = `
      import { existsSync, writeFileSync } from 'node:fs';
      it('is late', () => {
        if (existsSync(${mark})) return;
        writeFileSync(${mark}, '');
        throw new Error('too late');
      });`;
    assertRed(await run({ 'a.test.ts': source }), '0 passed, 1 failed', /too late/);
  });
});
