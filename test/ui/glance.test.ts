import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import {
  pressDialogButton,
  readClipboard,
  readDialog,
  readStatusBar,
  untilNotification,
} from '../support/page/messages.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { answerQuickInput, pickQuickItem, readQuickInput, runEditorCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('At a glance: the status bar, links and notifications', () => {
  const workbench = suiteWorkbench({ folderSettings: { 'liveStreams.refreshInterval': 5 } });
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false };
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
  });
  after(() => service.dispose());

  const countText = (count: number) => new RegExp(`^${count} live$`);
  const untilCount = (count: number) =>
    waitUntil(async () =>
      (await readStatusBar(workbench().page)).some((text) => countText(count).test(text.split(',')[0]?.trim() ?? '')),
    );

  it('counts the live streams in the status bar, and follows the service without a click', async () => {
    const { page } = workbench();
    await connectTo(page, service);
    await untilCount(2);
    service.control.addStream({ name: 'Just now', isActive: true });
    await untilCount(3);
    await takeScreenshot(page, 'status-bar');
  });

  it('goes to one of the live streams from there', async () => {
    const { page } = workbench();
    await page.locator('.statusbar-item', { hasText: '3 live' }).locator('a').click();
    await waitUntil(async () => (await readQuickInput(page)).items.length === 3);
    await pickQuickItem(page, 'Just now');
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Just now' && row.isSelected));
  });

  it('warns in the status bar of a service that cannot be reached', async () => {
    const { page } = workbench();
    service.control.fault(() => ({ status: 503 }));
    const item = page.locator('.statusbar-item.warning-kind', { hasText: '3 live' });
    await item.waitFor();
    assert.match((await item.locator('a').getAttribute('aria-label')) ?? '', /3 live streams.*unavailable \(503\)/);
    await takeScreenshot(page, 'status-bar-warning');
    service.control.fault(undefined);
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await item.waitFor({ state: 'detached' });
  });

  it('copies a link to a stream, and shows the row again when the link is opened', async () => {
    const { page } = workbench();
    const stream = service.control.streams().find(({ name }) => name === 'Just now');
    await tree.chooseFromContextMenu(page, 'Just now', ['Copy', 'Copy VS Code Link']);
    const rest = `://live-streams.live-streams/stream/${stream?.id}?connection=Studio%20at%20home`;
    await waitUntil(async () => (await readClipboard(page)).endsWith(rest));
    await tree.rowOf(page, 'Active').click();
    await openLink(await readClipboard(page));
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Just now' && row.isSelected));
  });

  it('says that a link leads nowhere', async () => {
    const { page } = workbench();
    const [scheme] = (await readClipboard(page)).split(':');
    await openLink(`${scheme}://live-streams.live-streams/stream/nobody`);
    await untilNotification(page, 'No stream with this ID was found in "Studio at home".');
  });

  /** As the editor does with an address that another program hands it. */
  async function openLink(link: string): Promise<void> {
    const { page } = workbench();
    await runEditorCommand(page, 'Open URL');
    await answerQuickInput(page, link);
    assert.match((await readDialog(page)).message, /Live Streams/);
    await pressDialogButton(page, 'Open');
  }
});
