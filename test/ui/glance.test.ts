import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  type Notification,
  pressDialogButton,
  readClipboard,
  readDialog,
  readStatusBar,
  untilNotification,
  writeClipboard,
} from '../support/messages.ts';
import { inProject } from '../support/projectFolder.ts';
import { answerQuickInput, pickQuickItem, readQuickInput, runCommand } from '../support/quickInput.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { suiteWorkbench } from '../support/suiteWorkbench.ts';
import { createTestClock } from '../support/testClock.ts';
import * as tree from '../support/treeView.ts';
import { waitUntil } from '../support/waitUntil.ts';

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

  async function connect(): Promise<void> {
    const { page } = workbench();
    await tree.showContainer(page);
    await runCommand(page, 'liveStreams.addConnection');
    await pickQuickItem(page, 'Other Address…');
    for (const [words, answer] of [
      ['Address of the service', service.baseUrl],
      ['API key', service.apiKey],
      ['Name of the connection', 'Studio at home'],
    ] as const) {
      await waitUntil(async () => (await readQuickInput(page)).message.includes(words));
      await answerQuickInput(page, answer);
    }
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Active'));
  }

  it('counts the live streams in the status bar, and follows the service without a click', async () => {
    const { page } = workbench();
    await connect();
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
    await tree.pressViewAction(page, 'Refresh');
    await item.waitFor({ state: 'detached' });
  });

  it('copies a link to a stream, and shows the row again when the link is opened', async () => {
    const { page } = workbench();
    const stream = service.control.streams().find(({ name }) => name === 'Just now');
    await tree.chooseFromContextMenu(page, 'Just now', 'Copy Editor Link');
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
    await untilNotification(page, 'There is no stream with this ID at "Studio at home".');
  });

  it('notifies of a stream that goes live, when that is chosen', async function () {
    this.timeout(120_000);
    const { page } = workbench();
    await writeUserSettings({ 'liveStreams.notifications': ['streamStarted'] });
    const said = await untilToldOf(page, 3);
    assert.deepEqual([said.severity, said.buttons], ['info', ['Watch']]);
    await takeScreenshot(page, 'notification');
  });

  /** What was live when the choice took effect is not told, and when that is only the editor knows: so a few go live in turn. */
  async function untilToldOf(page: Page, tries: number): Promise<Notification> {
    await new Promise((resolve) => setTimeout(resolve, 7000));
    const name = `Breaking news ${tries}`;
    service.control.addStream({ name, isActive: true });
    try {
      return await untilNotification(page, `"${name}" went live`);
    } catch (error) {
      if (tries === 1) throw error;
      return untilToldOf(page, tries - 1);
    }
  }

  /** As the editor does with an address that another program hands it. */
  async function openLink(link: string): Promise<void> {
    const { page } = workbench();
    await runCommand(page, 'workbench.action.url.openUrl', 'Open URL');
    await answerQuickInput(page, link);
    assert.match((await readDialog(page)).message, /Live Streams/);
    await pressDialogButton(page, 'Open');
  }

  async function writeUserSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { page } = workbench();
    await runCommand(page, 'workbench.action.openSettingsJson', 'Preferences: Open User Settings (JSON)');
    await page.locator('.editor-instance .monaco-editor').first().click();
    await writeClipboard(page, JSON.stringify(settings));
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Control+S');
    await page.keyboard.press('Control+W');
  }
});
