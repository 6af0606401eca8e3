import { appendFileSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from '../support/runner/countingReporter.ts';
import { describeFailure } from '../support/runner/counts.ts';
import { createRejectionHooks } from '../support/runner/rejectionHooks.ts';
import { tellResult } from '../support/runner/results.ts';
import { runsOnFace } from './faces.ts';

/** So late may a rejection be handled. VS Code itself waits as long before it speaks of one. */
const HANDLED_WITHIN_MS = 1000;

/**
 * What VS Code calls inside the extension host. Runs every suite that was bundled beside this file. The environment says
 * where results go: LIVE_STREAMS_OUTPUT grows line by line with what is read, LIVE_STREAMS_RESULTS with each result.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  tellResult({ kind: 'started', pid: process.pid });
  const output = process.env.LIVE_STREAMS_OUTPUT;
  if (output) Mocha.reporters.Base.consoleLog = (...words) => appendFileSync(output, `${format(...words)}\n`);
  try {
    await runMocha();
  } catch (error) {
    tellResult({ kind: 'failed', title: 'The suite did not run', text: describeFailure(error) });
    tellResult({ kind: 'ended' });
    throw error;
  }
}

async function runMocha(): Promise<void> {
  const grep = process.env.LIVE_STREAMS_GREP;
  const rootHooks = createRejectionHooks(HANDLED_WITHIN_MS);
  const options = { rootHooks, timeout: 300_000, reporter: CountingReporter, forbidOnly: true };
  const mocha = new Mocha({ ui: 'bdd', ...options, ...(grep ? { grep } : {}) });
  const files = testFiles();
  for (const file of files) await loadTests(mocha, file);
  requireTestsOf(files, mocha.suite);
  await new Promise((resolve) => mocha.run(resolve));
}

/**
 * As mocha's loadFilesAsync, but with import() alone. Mocha tries require() first; VS Code 1.105 answers an import of 'vscode'
 * in this very thread, which require() blocks until there is an answer.
 */
async function loadTests(mocha: Mocha, file: string): Promise<void> {
  const events = Mocha.Suite.constants;
  mocha.suite.emit(events.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  mocha.suite.emit(events.EVENT_FILE_REQUIRE, await import(pathToFileURL(file).href), file, mocha);
  mocha.suite.emit(events.EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}

/** In their order, whether all of them or some. LIVE_STREAMS_FILES, a line each, says which. */
function testFiles(): readonly string[] {
  const wanted = process.env.LIVE_STREAMS_FILES;
  if (wanted) return wanted.split('\n');
  const face = process.env.LIVE_STREAMS_FACE;
  const names = globSync('**/*.test.js', { cwd: import.meta.dirname }).sort();
  return names
    .filter((name) => runsOnFace(face, basename(name, '.test.js')))
    .map((name) => join(import.meta.dirname, name));
}

/** Throws where a file has no test: what was in it would be missed by nobody. */
function requireTestsOf(files: readonly string[], suite: Mocha.Suite): void {
  const withTests = new Set<string | undefined>();
  suite.eachTest((test) => withTests.add(test.file));
  const empty = files.filter((file) => !withTests.has(file));
  if (empty.length > 0) throw new Error(`No test in ${empty.join(', ')}`);
}
