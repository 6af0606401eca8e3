import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { readStatusBar } from '../support/page/messages.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { untilPlaying, untilProblem } from '../support/page/playerPage.ts';
import {
  answerQuickInput,
  chooseWith,
  pickQuickItem,
  runCommand,
  runEditorCommand,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('A service that is slow or away', () => {
  const workbench = suiteWorkbench({ folderSettings: { 'liveStreams.refreshInterval': 5 } });
  let service: DemoService;

  before(async () => {
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false };
    service = await startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), ...options });
    await connectTo(workbench().page, service);
  });
  after(() => service.dispose());

  it('shows in the view and in the Status Bar that a stream is being created', async () => {
    const { page } = workbench();
    const { requests } = service.control;
    service.control.fault(({ method }) => (method === 'POST' ? 'hang' : undefined));
    await runCommand(page, 'liveStreams.createStream');
    await answerQuickInput(page, 'Slow');
    await pickQuickItem(page, 'Create');
    await waitUntil(async () => requests.some(({ method }) => method === 'POST'));
    await page.locator('.pane .monaco-progress-container.active').first().waitFor();
    await waitUntil(async () => (await readStatusBar(page)).some((text) => text.includes('Creating stream…')));
    await takeScreenshot(page, 'away-creating');
    service.control.fault(undefined);
  });

  it('is tried again by the first row of the view, which is there until it responds', async () => {
    const { page } = workbench();
    // It isn't tried again by itself before the test ends.
    service.control.fault(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const rows = await tree.untilRows(page, (all) => all[0]?.label === 'Retry');
    assert.ok(rows.some(({ label }) => label === 'Active'));
    await takeScreenshot(page, 'away-retry');
    assert.ok((await readStatusBar(page)).some((text) => text.includes('2 live (out of date)')));
    service.control.fault(undefined);
    await tree.rowOf(page, 'Retry').click();
    await tree.untilRows(page, (all) => all[0]?.label === 'Active');
  });

  it('is waited for by the player, which says so after a few seconds, and offers to check the stream', async () => {
    const { page } = workbench();
    service.control.fault(({ path }) => (path.endsWith('.m3u8') ? { status: 404 } : undefined));
    // Its row may just be drawn again, and would then be pressed for no stream.
    await chooseWith(page, 'liveStreams.watchStream', { item: 'Bird nest cam' });
    const { buttons } = await untilProblem(page, /^Waiting for the service to publish the video…$/);
    assert.deepEqual(buttons, ['Check Stream']);
    await takeScreenshot(page, 'away-unpublished');
    service.control.fault(undefined);
    await untilPlaying(page);
  });

  it('selects the row of a new stream for somebody who types by then, and who goes on where they were', async () => {
    const { page } = workbench();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    service.control.clearRequests();
    service.control.fault(async ({ method }) => {
      if (method === 'POST') await answered;
      return undefined;
    });
    await runEditorCommand(page, 'File: New Untitled Text File');
    await runCommand(page, 'liveStreams.createStream');
    await answerQuickInput(page, 'Made meanwhile');
    await pickQuickItem(page, 'Create');
    await waitUntil(async () => service.control.requests.some(({ method }) => method === 'POST'));
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.type('one ');
    answer();
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Made meanwhile' && row.isSelected));
    await page.keyboard.type('two');
    await page.locator('.monaco-editor .view-lines', { hasText: 'one two' }).waitFor();
    await takeScreenshot(page, 'away-made');
    service.control.fault(undefined);
  });
});
