import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { inTestFolder } from '../projectFolder.ts';
import { isRunning } from './ownProcess.ts';

/**
 * Makes an empty folder below `.vscode-test/runs`. Whoever makes it removes it; what a run left that was ended from
 * outside goes when the next one makes a folder.
 */
export function makeTemporaryFolder(name: string): string {
  const runs = inTestFolder('runs');
  mkdirSync(runs, { recursive: true });
  for (const entry of readdirSync(runs)) {
    const pid = /^\w+-(\d+)-/.exec(entry)?.[1];
    if (pid === undefined || !isRunning(Number(pid)))
      rmSync(inTestFolder('runs', entry), { recursive: true, force: true });
  }
  return mkdtempSync(inTestFolder('runs', `${name}-${process.pid}-`));
}
