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
import {
  answerQuickInput,
  pickQuickItem,
  pressItemButton,
  quickInput,
  readQuickInput,
  runCommand,
  runEditorCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('The streams of an account', () => {
  const workbench = suiteWorkbench({ folderSettings: { 'liveStreams.refreshInterval': 5 } });
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false };
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
    await connectTo(workbench().page, service);
  });
  after(() => service.dispose());

  describe('at a glance: in the status bar, by links and in notifications', () => {
    const countText = (count: number) => new RegExp(`^${count} live$`);
    const untilCount = (count: number) =>
      waitUntil(async () =>
        (await readStatusBar(workbench().page)).some((text) => countText(count).test(text.split(',')[0]?.trim() ?? '')),
      );

    it('counts the live streams in the status bar, and follows the service without a click', async () => {
      const { page } = workbench();
      await untilCount(2);
      service.control.addStream({ name: 'Just now', isActive: true });
      await untilCount(3);
      await takeScreenshot(page, 'status-bar');
    });

    it('goes to a live stream from the status bar', async () => {
      const { page } = workbench();
      await page.locator('.statusbar-item', { hasText: '3 live' }).locator('a').click();
      await waitUntil(async () => (await readQuickInput(page)).items.length === 3);
      await pickQuickItem(page, 'Just now');
      await tree.untilRows(page, (all) => all.some((row) => row.label === 'Just now' && row.isSelected));
    });

    it('warns in the status bar of a service that cannot be reached', async () => {
      const { page } = workbench();
      service.control.fault(() => ({ status: 503 }));
      const item = page.locator('.statusbar-item.warning-kind', { hasText: '3 live (out of date)' });
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

  describe('a search for a stream', () => {
    before(async () => {
      service.control.addStream({ name: 'First with a needle', isActive: true });
      service.control.addStream({ name: 'Second with a needle', isActive: true });
      service.control.addStream({ name: 'needle' });
      await tree.untilRows(workbench().page, (rows) => rows.some(({ label }) => label === 'Second with a needle'));
    });
    afterEach(async function () {
      const { page } = workbench();
      service.control.fault(undefined);
      await page.keyboard.press('Escape');
      // A test that fails leaves no filter to those after it. After one that passes, its row may still be drawn.
      if (this.currentTest?.state !== 'failed') return;
      const [top] = await tree.readRows(page);
      if (/^Filtered by|^No stream matches/.test(top?.label ?? '')) await runCommand(page, 'liveStreams.clearFilter');
    });
    /** The page of the streams that were live last, and the answer to the name that was typed, wait until they are let go. */
    function holdPages(): () => void {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      service.control.fault(({ query }) => (/limit=100&|name/.test(query) ? promise : undefined));
      return () => {
        service.control.fault(undefined);
        resolve(undefined);
      };
    }

    /** The editor and the extension tell each other in turn: when a new stream is drawn, both know all from before. */
    async function untilHeard(name: string): Promise<void> {
      service.control.addStream({ name, isActive: true });
      await tree.untilRows(workbench().page, (rows) => rows.some(({ label }) => label === name));
    }

    const labels = () => quickInput(workbench().page).locator('.quick-input-list .monaco-list-row .label-name');
    const highlighted = async () => {
      const row = quickInput(workbench().page).locator('.quick-input-list .monaco-list-row.focused .label-name');
      return (await row.count()) === 0 ? '' : row.first().innerText();
    };

    it('highlights what matches best, though it should arrive after the typing', async () => {
      const { page } = workbench();
      const release = holdPages();
      await runCommand(page, 'liveStreams.goToStream');
      await typeInQuickInput(page, 'needle', 'Go to Stream');
      await waitUntil(async () => /with a needle/.test(await highlighted()) && (await labels().count()) === 2);
      release();
      await waitUntil(async () => (await labels().count()) === 3);
      await waitUntil(async () => (await highlighted()) === 'needle');
      await page.keyboard.press('Enter');
      await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'needle' && row.isSelected));
    });

    it('keeps what the person has highlighted while streams arrive', async () => {
      const { page } = workbench();
      service.control.addStream({ name: 'needle too' });
      service.control.clearRequests();
      const release = holdPages();
      await runCommand(page, 'liveStreams.goToStream');
      await typeInQuickInput(page, 'needle', 'Go to Stream');
      await waitUntil(async () => (await highlighted()) === 'needle');
      // The editor highlights by itself what it finds at once. What is typed has arrived when the service is asked for it.
      await waitUntil(() => service.control.requests.some(({ query }) => query.includes('needle')));
      // The picker then shows its rows for that, once those from before are drawn.
      await untilHeard('Later');
      await untilHeard('Later still');
      await page.keyboard.press('ArrowDown');
      const wanted = await waitUntil(async () => {
        const label = await highlighted();
        return label !== 'needle' && label;
      });
      await untilHeard('Last');
      release();
      await waitUntil(async () => (await labels().count()) === 4);
      await waitUntil(async () => (await highlighted()) === wanted);
      await page.keyboard.press('Enter');
      await tree.untilRows(page, (rows) => rows.some((row) => row.label === wanted && row.isSelected));
    });

    it('finds a stream by its ID, and copies its key by a button of the row', async () => {
      const { page } = workbench();
      const stream = service.control.addStream({ name: 'Known by its ID' });
      await runCommand(page, 'liveStreams.goToStream');
      await typeInQuickInput(page, stream.id, 'Go to Stream');
      await waitUntil(async () => {
        const { items } = await readQuickInput(page, 'Go to Stream');
        return items.some(({ label, description }) => label === stream.name && description === stream.id);
      });
      await pressItemButton(page, stream.name, 'Copy Stream Key', 'Go to Stream');
      await waitUntil(async () => (await readClipboard(page)) === stream.streamKey);
    });

    it('says that nothing matches', async () => {
      const { page } = workbench();
      await runCommand(page, 'liveStreams.goToStream');
      await typeInQuickInput(page, 'nobody has this name', 'Go to Stream');
      await waitUntil(async () => {
        const { items } = await readQuickInput(page, 'Go to Stream');
        return items.length === 1 && items[0]?.label === 'No matching streams';
      });
    });

    /** Shows the idle streams, and returns the name of one that has no needle in it. */
    async function openIdleStream(): Promise<string> {
      const { page } = workbench();
      await tree.expandRow(page, 'Idle');
      const idle = service.control.streams().filter(({ isActive, suspended }) => !isActive && suspended !== true);
      const names = new Set(idle.map(({ name }) => name).filter((name) => !name.includes('needle')));
      const isWanted = (row: tree.Row) => row.level === 2 && names.has(row.label);
      const rows = await tree.untilRows(page, (all) => all.some(isWanted));
      return rows.find(isWanted)?.label ?? '';
    }

    it('expands the idle streams for a filter alone, and selects nothing else', async () => {
      const { page } = workbench();
      await tree.selectRow(page, 'Second with a needle');
      await tree.collapseRow(page, 'Idle');
      await runCommand(page, 'liveStreams.filterStreams');
      await answerQuickInput(page, 'needle', 'Filter Streams');
      const selected = (rows: readonly tree.Row[]) => rows.filter(({ isSelected }) => isSelected);
      // While VS Code moves a row, it is there twice.
      const rows = await tree.untilRows(
        page,
        (all) => all.some(({ label }) => label === 'needle') && selected(all).length === 1,
      );
      assert.equal(rows.find(({ label }) => label === 'Idle')?.isExpanded, true);
      assert.equal(selected(rows)[0]?.label, 'Second with a needle');
      await runCommand(page, 'liveStreams.clearFilter');
      const isIdleExpanded = (rows: readonly tree.Row[]) => rows.find(({ label }) => label === 'Idle')?.isExpanded;
      await tree.untilRows(
        page,
        (all) => all.some(({ label }) => label === 'Keynote') && isIdleExpanded(all) === false,
      );
      await tree.expandRow(page, 'Idle');
      await runCommand(page, 'liveStreams.filterStreams');
      await typeInQuickInput(page, 'needle', 'Filter Streams');
      await tree.untilRows(page, ([top]) => top?.label.startsWith('Filtered by') === true);
      await page.keyboard.press('Escape');
      await tree.untilRows(page, (all) => all.some(({ label }) => label === 'Keynote') && isIdleExpanded(all) === true);
    });

    it('filters while a name is typed, says how many match, and goes back on Escape', async () => {
      const { page } = workbench();
      const first = async () => (await tree.readRows(page))[0]?.label ?? '';
      await runCommand(page, 'liveStreams.filterStreams');
      await typeInQuickInput(page, 'needle', 'Filter Streams');
      const [row] = await tree.untilRows(page, ([top]) => /^Filtered by "needle": 4 of \d+$/.test(top?.label ?? ''));
      await takeScreenshot(page, 'filter-typed');
      await page.keyboard.press('Escape');
      await waitUntil(async () => (await first()) === 'Active');
      await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
      await runCommand(page, 'liveStreams.filterStreams');
      await answerQuickInput(page, 'needle', 'Filter Streams');
      await waitUntil(async () => (await first()) === row?.label);
      await tree.rowOf(page, row?.label ?? '').click();
      await typeInQuickInput(page, 'nobody has this', 'Filter Streams');
      await tree.untilRows(
        page,
        (rows) => rows.map(({ label }) => label).join() === 'No stream matches "nobody has this",Clear Filter',
      );
      await page.keyboard.press('Enter');
      await takeScreenshot(page, 'filter-empty');
      await tree.treeOf(page).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
    });

    it('filters by name while a stream is open, without an error in the console', async () => {
      const { page } = workbench();
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      const idle = await openIdleStream();
      for (let turn = 0; turn < 3; turn++) {
        await tree.expandRow(page, 'Keynote');
        await tree.expandRow(page, idle);
        // VS Code itself logs an error when the row with the focus goes, whatever is fired.
        await tree.rowOf(page, 'Second with a needle').click();
        await runCommand(page, 'liveStreams.filterStreams');
        await quickInput(page).waitFor();
        await answerQuickInput(page, 'needle');
        await tree.untilRows(page, (rows) => rows.every(({ label }) => label !== 'Keynote' && label !== idle));
        await runCommand(page, 'liveStreams.clearFilter');
        await tree.untilRows(
          page,
          (rows) => rows.some(({ label }) => label === 'Keynote') && rows.some(({ label }) => label === idle),
        );
        await tree.untilRows(page, (rows) =>
          rows.some(({ label, isExpanded }) => label === idle && isExpanded === true),
        );
      }
      assert.deepEqual(
        errors.filter((text) => /tree/i.test(text)),
        [],
      );
    });
  });
});
