import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type Counts, didNotRun, readCounts, withSecondTry } from './counts.ts';
import { inProject, inTestFolder } from './projectFolder.ts';
import { makeTemporaryFolder } from './temporaryFolder.ts';
import { startVscodeServer, type VscodeServer } from './vscodeServer.ts';

export type Face = 'full' | 'strict';

/** A run that has not come to an end by then is ended. */
const LIMIT_MS = 8 * 60_000;

/** One run of the host suite: the folder it may write to, and what the suite is told by environment variables. */
interface HostRun {
  readonly workspace: string;
  readonly countsFile: string;
  readonly env: Readonly<Record<string, string>>;
}

const paths = {
  extensionDevelopmentPath: inProject(),
  extensionTestsPath: inProject('dist-test/host/index.js'),
};

/**
 * Runs dist-test/host inside the extension host of the npm-hosted VS Code, against the extension in dist/. What fails is run
 * once more, in a fresh one.
 */
export async function runHostSuite(face: Face, grep: string | undefined): Promise<Counts> {
  const first = await runHostOnce(face, grep);
  if (first.failed === 0 || first.passed === 0) return first;
  const titles = first.failures.map(({ title }) => title.replace(/ "(before|after) (all|each)" hook.*$/, ''));
  console.log(`\n${first.failed} failed: once more, alone: ${titles.join('; ')}`);
  return withSecondTry(first, await runHostOnce(face, titles.map(escapeForGrep).join('|')));
}

function escapeForGrep(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function runHostOnce(face: Face, grep: string | undefined): Promise<Counts> {
  return withHostRun(face, grep, async (run) => {
    const server = await startVscodeServer({ env: run.env, withTestDriver: true });
    try {
      const browser = await startBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(server.address({ folder: run.workspace, ...paths }));
        return await untilCounted(run.countsFile, server, page);
      } finally {
        await browser.close();
      }
    } catch (error) {
      console.error(await server.extensionHostLogs());
      throw error;
    } finally {
      await server.close();
    }
  });
}

/** Runs the same suite in desktop VS Code, which @vscode/test-electron downloads unless VSCODE names one. */
export function runElectronSuite(face: Face, grep: string | undefined): Promise<Counts> {
  return withHostRun(face, grep, async (run) => {
    const vscode = process.env.VSCODE;
    const code = await runTests({
      ...paths,
      extensionTestsEnv: run.env,
      launchArgs: [run.workspace, '--disable-extensions', '--disable-workspace-trust'],
      cachePath: inTestFolder('desktop'),
      ...(vscode ? { vscodeExecutablePath: vscode } : {}),
    });
    return readCounts(run.countsFile) ?? didNotRun(`VS Code ended with ${code} and wrote no counts`);
  });
}

async function withHostRun(
  face: Face,
  grep: string | undefined,
  run: (hostRun: HostRun) => Promise<Counts>,
): Promise<Counts> {
  const workspace = makeTemporaryFolder('host');
  const countsFile = join(workspace, 'counts.json');
  const outputFile = join(workspace, 'output.txt');
  const env = {
    LIVE_STREAMS_FACE: face,
    LIVE_STREAMS_GREP: grep ?? '',
    LIVE_STREAMS_COUNTS: countsFile,
    LIVE_STREAMS_OUTPUT: outputFile,
  };
  try {
    return await run({ workspace, countsFile, env });
  } catch (error) {
    return didNotRun(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    if (existsSync(outputFile)) console.log(readFileSync(outputFile, 'utf8'));
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function untilCounted(file: string, server: VscodeServer, page: Page): Promise<Counts> {
  const deadline = Date.now() + LIMIT_MS;
  const trouble = new Promise<never>((_, reject) => {
    server.process.exited.then((code) => reject(new Error(`The VS Code server ended with ${code}`)), reject);
    page.once('crash', () => reject(new Error('The page of the workbench crashed')));
  });
  trouble.catch(() => undefined);
  for (;;) {
    const counts = readCounts(file);
    if (counts !== undefined) return counts;
    if (Date.now() > deadline) throw new Error(`The host suite did not come to an end in ${LIMIT_MS / 1000} s`);
    await Promise.race([trouble, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
}
