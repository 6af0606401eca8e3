import { appendFileSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from '../support/countingReporter.ts';
import { didNotRun } from '../support/counts.ts';

/**
 * What VS Code calls inside the extension host. Runs every suite that was bundled beside this file. The environment says
 * where results go: LIVE_STREAMS_OUTPUT grows line by line, LIVE_STREAMS_COUNTS is there in the end whatever happened.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const output = process.env.LIVE_STREAMS_OUTPUT;
  if (output) Mocha.reporters.Base.consoleLog = (...words) => appendFileSync(output, `${format(...words)}\n`);
  try {
    await runMocha();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    writeFileSync(process.env.LIVE_STREAMS_COUNTS ?? '', JSON.stringify(didNotRun(text)));
    throw error;
  }
}

async function runMocha(): Promise<void> {
  const grep = process.env.LIVE_STREAMS_GREP;
  const mocha = new Mocha({ ui: 'bdd', timeout: 150_000, reporter: CountingReporter, ...(grep ? { grep } : {}) });
  for (const file of globSync('**/*.test.js', { cwd: import.meta.dirname }).sort()) {
    mocha.addFile(join(import.meta.dirname, file));
  }
  await mocha.loadFilesAsync();
  await new Promise((resolve) => mocha.run(resolve));
}
