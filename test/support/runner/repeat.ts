// node test/support/runner/repeat.ts [TIMES] [--suites NAME,NAME]
// Runs `npm test`, or these of its suites, again and again, while a process of its own keeps one core busy. Prints what each
// run came to; the exit code is 0 only where all were green. What the runs print goes to .vscode-test/repeat/RUN.log.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startProcess } from '../process/ownProcess.ts';
import { inProject, inTestFolder } from '../projectFolder.ts';
import type { Outcome } from './suiteRunner.ts';

const { values, positionals } = parseArgs({ options: { suites: { type: 'string' } }, allowPositionals: true });
const times = Number(positionals[0] ?? 10);
if (!Number.isInteger(times) || times < 1) throw new Error(`How often? ${positionals[0]}`);

/** The suites of `npm test`, as package.json names them. */
function usualSuites(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  return String(scripts.test).split(' ').slice(2);
}

const suites = values.suites === undefined ? usualSuites() : [values.suites];
const folder = inTestFolder('repeat');
mkdirSync(folder, { recursive: true });

interface Run extends Outcome {
  readonly isGreen: boolean;
  readonly seconds: number;
}

async function runOnce(run: number): Promise<Run> {
  const [logFile, outcomeFile] = [`${folder}/${run}.log`, `${folder}/${run}.json`];
  rmSync(outcomeFile, { force: true });
  const log = openSync(logFile, 'w');
  const began = performance.now();
  const args = [inProject('test/support/runner/runSuites.ts'), ...suites, '--outcome', outcomeFile];
  const code = await startProcess(process.execPath, args, { cwd: inProject(), stdio: ['ignore', log, log] }).exited;
  closeSync(log);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { ...readOutcome(outcomeFile, code), isGreen: code === 0, seconds };
}

/** A runner that ended without an outcome has failed as a whole. */
function readOutcome(file: string, code: number): Outcome {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`The runner ended with ${code}: ${error}`] };
  }
}

const busy = startProcess(process.execPath, ['-e', 'for (;;) Math.sqrt(2);']);
console.log(`${times} × ${suites.join(' ')}, with one core kept busy`);
const runs: Run[] = [];
for (let run = 1; run <= times; run++) {
  const done = await runOnce(run);
  runs.push(done);
  const { passed, failed, failures, seconds } = done;
  console.log(`${run}: ${passed} passed, ${failed} failed, ${seconds} s`);
  for (const title of failures) console.log(`  FAILED ${title}`);
}
await busy.kill();
const green = runs.filter(({ isGreen }) => isGreen).length;
console.log(`${green} of ${times} runs green`);
process.exit(green === times ? 0 : 1);
