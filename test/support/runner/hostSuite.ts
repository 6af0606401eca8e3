import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { Page } from 'playwright-core';
import { isRunning } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { inProject } from '../projectFolder.ts';
import { startBrowser } from '../vscode/browser.ts';
import { installDesktop } from '../vscode/desktop.ts';
import type { EditorName } from '../vscode/vscodePackage.ts';
import { startVscodeServer, type VscodeServer } from '../vscode/vscodeServer.ts';
import { startWindowBridge, type WindowBridge } from '../vscode/windowBridge.ts';
import { type Counts, describeFailure, withFailure } from './counts.ts';
import { readResults } from './results.ts';
import { type RunLimits, watchRun } from './runLimits.ts';

export type Face = 'full' | 'strict';

/** Tests that run inside the extension host. */
export interface HostSuite extends RunLimits {
  /** The folder of dist-test with them. */
  readonly tests: 'host' | 'soak';
  /** Of the window. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the one that the environment chooses. */
  readonly editor?: EditorName;
}

interface HostRunOptions {
  readonly face: Face;
  readonly grep: string | undefined;
}

/** One run of the host suite: the folder it may write to, and what the suite is told by environment variables. */
interface HostRun {
  readonly workspace: string;
  readonly resultsFile: string;
  readonly env: Readonly<Record<string, string>>;
}

function pathsOf({ tests }: HostSuite) {
  return { extensionDevelopmentPath: inProject(), extensionTestsPath: inProject('dist-test', tests, 'index.js') };
}

/** Runs tests inside the extension host of the npm-hosted VS Code, against the extension in dist/. */
export function runHostSuite(suite: HostSuite, options: HostRunOptions): Promise<Counts> {
  return withHostRun(suite, options, async (run) => {
    const bridge = await startWindowBridge();
    try {
      const env = { ...run.env, LIVE_STREAMS_WINDOW: bridge.address };
      const server = await startVscodeServer({ editor: suite.editor, env, withTestDriver: true });
      try {
        await runInWindow(suite, run, { server, bridge });
        const errors = await server.extensionHostErrors();
        if (errors.length > 0) throw new Error(`Nobody handled this in the extension host:\n${errors.join('\n')}`);
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
): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage(suite.size === undefined ? {} : { viewport: suite.size });
    bridge.use(page);
    await page.goto(server.address({ folder: run.workspace, ...pathsOf(suite) }));
    await untilEnded(suite, run.resultsFile, { server, page });
  } finally {
    await browser.close();
  }
}

/** Runs the same suite in desktop VS Code. */
export function runElectronSuite(suite: HostSuite, options: HostRunOptions): Promise<Counts> {
  return withHostRun(suite, options, async (run) => {
    const code = await runTests({
      ...pathsOf(suite),
      extensionTestsEnv: run.env,
      launchArgs: [run.workspace, '--disable-extensions', '--disable-workspace-trust'],
      vscodeExecutablePath: await installDesktop(),
    });
    if (!readResults(run.resultsFile).hasEnded) throw new Error(`VS Code ended with ${code} in the middle of the run`);
  });
}

async function withHostRun(
  suite: HostSuite,
  { face, grep }: HostRunOptions,
  run: (hostRun: HostRun) => Promise<void>,
): Promise<Counts> {
  const workspace = makeTemporaryFolder('host');
  const resultsFile = join(workspace, 'results');
  const outputFile = join(workspace, 'output.txt');
  const env = {
    ...suite.env,
    LIVE_STREAMS_FACE: face,
    LIVE_STREAMS_GREP: grep ?? '',
    LIVE_STREAMS_RESULTS: resultsFile,
    LIVE_STREAMS_OUTPUT: outputFile,
  };
  try {
    await run({ workspace, resultsFile, env });
    return readResults(resultsFile).counts;
  } catch (error) {
    return withFailure(readResults(resultsFile).counts, describeFailure(error));
  } finally {
    if (existsSync(outputFile)) console.log(readFileSync(outputFile, 'utf8'));
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function untilEnded(
  limits: RunLimits,
  resultsFile: string,
  { server, page }: { readonly server: VscodeServer; readonly page: Page },
): Promise<void> {
  const watch = watchRun(resultsFile, limits);
  const broken = new Promise<never>((_, reject) => {
    server.process.exited.then((code) => reject(new Error(`The VS Code server ended with ${code}`)), reject);
    page.once('crash', () => reject(new Error('The page of the workbench crashed')));
  });
  broken.catch(() => undefined);
  try {
    for (;;) {
      const isThere = isRunning(readResults(resultsFile).pid ?? process.pid);
      // Read after that: the host may have ended because its tests have.
      if (readResults(resultsFile).hasEnded) return;
      if (!isThere) throw new Error('The extension host ended in the middle of its tests');
      await Promise.race([broken, watch.overdue, new Promise((resolve) => setTimeout(resolve, 200))]);
    }
  } finally {
    watch.dispose();
  }
}
