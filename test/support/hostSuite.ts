import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type Counts, didNotRun, readCounts, withSecondTry } from './counts.ts';
import { inProject, inTestFolder } from './projectFolder.ts';
import { makeTemporaryFolder } from './temporaryFolder.ts';
import type { EditorName } from './vscodePackage.ts';
import { startVscodeServer, type VscodeServer } from './vscodeServer.ts';
import { startWindowBridge, type WindowBridge } from './windowBridge.ts';

export type Face = 'full' | 'strict';

/** Tests that run inside the extension host. */
export interface HostSuite {
  /** The folder of dist-test with them. */
  readonly tests: 'host' | 'soak';
  /** A run that has not come to an end by then is ended. */
  readonly limitMs: number;
  /** Of the window. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the one that the environment chooses. */
  readonly editor?: EditorName;
  /** A test that fails is run once more, in a fresh extension host. Default: false. */
  readonly secondTry?: boolean;
}

export interface HostRunOptions {
  readonly face: Face;
  readonly grep: string | undefined;
}

/** One run of the host suite: the folder it may write to, and what the suite is told by environment variables. */
interface HostRun {
  readonly workspace: string;
  readonly countsFile: string;
  readonly env: Readonly<Record<string, string>>;
}

function pathsOf({ tests }: HostSuite) {
  return { extensionDevelopmentPath: inProject(), extensionTestsPath: inProject('dist-test', tests, 'index.js') };
}

/** Runs tests inside the extension host of the npm-hosted VS Code, against the extension in dist/. */
export async function runHostSuite(suite: HostSuite, options: HostRunOptions): Promise<Counts> {
  const first = await runHostOnce(suite, options);
  if (suite.secondTry !== true || first.failed === 0 || first.failures.some(isWholeRun)) return first;
  const titles = first.failures.map(({ title }) => title.replace(/ "(before|after) (all|each)" hook.*$/, ''));
  console.log(`\n${first.failed} failed: once more, alone: ${titles.join('; ')}`);
  return withSecondTry(first, await runHostOnce(suite, { ...options, grep: titles.map(escapeForGrep).join('|') }));
}

function isWholeRun({ title }: { readonly title: string }): boolean {
  return title === didNotRun('').failures[0]?.title;
}

function escapeForGrep(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function runHostOnce(suite: HostSuite, options: HostRunOptions): Promise<Counts> {
  return withHostRun(suite, options, async (run) => {
    const bridge = await startWindowBridge();
    try {
      const env = { ...run.env, LIVE_STREAMS_WINDOW: bridge.address };
      const server = await startVscodeServer({ editor: suite.editor, env, withTestDriver: true });
      try {
        return await runInWindow(suite, run, { server, bridge });
      } catch (error) {
        console.error(await server.extensionHostLogs());
        throw error;
      } finally {
        await server.close();
      }
    } finally {
      await bridge.close();
    }
  });
}

async function runInWindow(
  suite: HostSuite,
  run: HostRun,
  { server, bridge }: { readonly server: VscodeServer; readonly bridge: WindowBridge },
): Promise<Counts> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage(suite.size === undefined ? {} : { viewport: suite.size });
    bridge.use(page);
    await page.goto(server.address({ folder: run.workspace, ...pathsOf(suite) }));
    return await untilCounted(run.countsFile, suite.limitMs, server, page);
  } finally {
    await browser.close();
  }
}

/** Runs the same suite in desktop VS Code, which @vscode/test-electron downloads unless VSCODE names one. */
export function runElectronSuite(suite: HostSuite, options: HostRunOptions): Promise<Counts> {
  return withHostRun(suite, options, async (run) => {
    const vscode = process.env.VSCODE;
    const code = await runTests({
      ...pathsOf(suite),
      extensionTestsEnv: run.env,
      launchArgs: [run.workspace, '--disable-extensions', '--disable-workspace-trust'],
      cachePath: inTestFolder('desktop'),
      ...(vscode ? { vscodeExecutablePath: vscode } : {}),
    });
    return readCounts(run.countsFile) ?? didNotRun(`VS Code ended with ${code} and wrote no counts`);
  });
}

async function withHostRun(
  suite: HostSuite,
  { face, grep }: HostRunOptions,
  run: (hostRun: HostRun) => Promise<Counts>,
): Promise<Counts> {
  const workspace = makeTemporaryFolder('host');
  const countsFile = join(workspace, 'counts.json');
  const outputFile = join(workspace, 'output.txt');
  const env = {
    ...suite.env,
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

async function untilCounted(file: string, limitMs: number, server: VscodeServer, page: Page): Promise<Counts> {
  const deadline = Date.now() + limitMs;
  const trouble = new Promise<never>((_, reject) => {
    server.process.exited.then((code) => reject(new Error(`The VS Code server ended with ${code}`)), reject);
    page.once('crash', () => reject(new Error('The page of the workbench crashed')));
  });
  trouble.catch(() => undefined);
  for (;;) {
    const counts = readCounts(file);
    if (counts !== undefined) return counts;
    if (Date.now() > deadline) throw new Error(`The host suite did not come to an end in ${limitMs / 1000} s`);
    await Promise.race([trouble, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
}
