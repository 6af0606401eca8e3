import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { WAIT_MS } from '../page/waitUntil.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { type BrowserKind, startBrowser } from './browser.ts';
import { startVscodeServer, type VscodeServer, type VscodeServerOptions } from './vscodeServer.ts';
import { vsixFile } from './vsix.ts';

export interface WorkbenchOptions extends VscodeServerOptions {
  /** Default: with AAC. */
  readonly browser?: BrowserKind;
  /** Further arguments of the browser. */
  readonly browserArgs?: readonly string[];
  /** Settings of the folder that is opened. */
  readonly folderSettings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
  /** Device pixels for each CSS pixel. Default: 1. */
  readonly scale?: number;
  readonly locale?: string;
  readonly timeZone?: string;
}

export interface Workbench {
  readonly page: Page;
  readonly server: VscodeServer;
  readonly browser: Browser;
  /** The empty folder that is open. */
  readonly folder: string;
  /** Loads the page again, as a window that is reloaded. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the workbench in a browser, with the packaged extension (`.vscode-test/live-streams.vsix`) installed unless
 * `extensions` says otherwise. Everything is fresh: server, data, folder, browser.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const server = await startVscodeServer({ extensions: [vsixFile], ...options });
  const folder = makeWorkspace(options.folderSettings ?? {});
  const closers = [() => server.close(), () => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const run of closers.splice(0).reverse()) await run();
  };
  try {
    const browser = await startBrowser(options.browser, options.browserArgs);
    closers.push(() => browser.close());
    const page = await openPage(browser, options);
    await page.goto(server.address({ folder }));
    await untilReady(page);
    const reload = async () => {
      await page.reload();
      await untilReady(page);
    };
    return { page, server, browser, folder, reload, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a workbench, runs, and closes it whatever happened; where the run fails, the extension host's logs are shown. */
export async function withWorkbench<T>(
  options: WorkbenchOptions,
  run: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  const workbench = await openWorkbench(options);
  try {
    const result = await run(workbench);
    assert.deepEqual(await workbench.server.extensionHostErrors(), [], 'Nobody handled this in the extension host');
    return result;
  } catch (error) {
    console.error(await workbench.server.extensionHostLogs());
    throw error;
  } finally {
    await workbench.close();
  }
}

function makeWorkspace(settings: Readonly<Record<string, unknown>>): string {
  const folder = makeTemporaryFolder('workspace');
  mkdirSync(join(folder, '.vscode'));
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(settings, undefined, 2));
  return folder;
}

async function openPage(browser: Browser, options: WorkbenchOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: options.locale ?? 'en-GB',
    ...(options.timeZone ? { timezoneId: options.timeZone } : {}),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  return page;
}

/** Resolves when the extension host has started what starts by itself: its items are in the status bar by then. */
async function untilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  await page.locator('.activitybar .action-item').first().waitFor();
}
