import assert from 'node:assert/strict';
import { takeScreenshot } from '../page/screenshot.ts';
import { describeScreen } from '../page/screenText.ts';
import { tellResult } from '../runner/results.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

/**
 * One workbench for a mocha suite: opened before its tests and closed after them. A test that fails leaves a picture
 * (screenshots/failed-…), what is on screen in words, and the extension host's logs.
 * `options` may be made when the suite begins, for what only then is known: the port of a service.
 * @returns a function that hands it out, for use inside tests and hooks.
 */
export function suiteWorkbench(options: WorkbenchOptions | (() => Promise<WorkbenchOptions>) = {}): () => Workbench {
  let workbench: Workbench | undefined;

  before(async function () {
    this.timeout(300_000); // the first run installs VS Code and the browser
    workbench = await openWorkbench(typeof options === 'function' ? await options() : options);
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || workbench === undefined) return;
    const title = this.currentTest.fullTitle();
    await takeScreenshot(workbench.page, `failed-${title}`);
    tellResult({ kind: 'noted', title, text: `On screen:\n${await describeScreen(workbench.page)}` });
    console.error(await workbench.server.extensionHostLogs());
  });

  after(async () => {
    const errors = await workbench?.server.extensionHostErrors();
    await workbench?.close();
    assert.deepEqual(errors ?? [], [], 'Nobody handled this in the extension host');
  });

  return () => {
    if (workbench === undefined) throw new Error('The workbench is there only while tests run');
    return workbench;
  };
}
