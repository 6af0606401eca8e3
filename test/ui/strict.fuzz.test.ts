import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import {
  detailsFrame,
  factValue,
  openMore,
  pressFactButton,
  sessionsTable,
  stateLine,
} from '../support/page/detailsPage.ts';
import {
  clearNotifications,
  pressDialogButton,
  pressNotificationButton,
  readClipboard,
  readDialog,
  readStatusBar,
  untilNotification,
  writeClipboard,
} from '../support/page/messages.ts';
import { assertOnNoPage } from '../support/page/onNoPage.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, playerFrame, untilPlaying } from '../support/page/playerPage.ts';
import { lastEvening, settingsFor } from '../support/page/playerService.ts';
import {
  answerQuickInput,
  chooseWith,
  listCommands,
  pickQuickItem,
  readQuickInput,
  runCommand,
  runEditorCommand,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const API_KEY = 'planted-api-key-8d1f0c';
const PLANTED = /planted-api-key|plnt-\d{4}/;

describe('A service that has only what is stated, in a real workbench', () => {
  let service: DemoService;
  const workbench = suiteWorkbench(async () => {
    const options = { streamCount: 12, liveCount: 2, seed: 7, isLively: false, apiKey: API_KEY };
    const clock = createTestClock();
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), face: 'strict', ...options });
    service.control.streams().forEach(({ id }, index) => {
      service.control.setStream(id, { streamKey: `plnt-${String(index).padStart(4, '0')}-abcd-efgh` });
    });
    const [, , session] = service.control.sessions(streamOf('Keynote').id);
    service.control.setSession(session?.id ?? '', { record: true, recordingStatus: 'failed' });
    // Notifications are of the person's own settings alone, and are chosen here from the start.
    return { ...settingsFor(service, { 'liveStreams.notifications': ['streamStarted'] }), browser: 'withoutAac' };
  });

  before(async () => {
    await connectTo(workbench().page, service);
    await tree.untilRows(workbench().page, (rows) => rows.some((row) => row.label === 'Bird nest cam'));
  });
  after(() => service.dispose());

  const streamOf = (name: string) => {
    const found = service.control.streams().find((stream) => stream.name === name);
    assert.ok(found, name);
    return found;
  };
  const host = () => new URL(service.baseUrl).host;
  const isUnder = (group: string, rows: readonly tree.Row[], label: string) => namesUnder(group, rows).includes(label);
  const untilLive = async (count: number) => {
    const { page } = workbench();
    await waitUntil(async () => (await readStatusBar(page)).some((text) => text.split(',')[0] === `${count} live`));
    await waitUntil(async () => (await tree.readBadge(page)) === count);
  };
  const untilDescribed = (description: string) =>
    waitUntil(async () => (await tree.readViewTexts(workbench().page)).description === description);

  it('shows a stream that goes live without a click, while another row stays selected and open', async () => {
    const { page } = workbench();
    await untilLive(2);
    await tree.rowOf(page, 'Keynote').click();
    await tree.untilRows(page, (rows) => rows.some((row) => row.level === 3));
    service.control.clearRequests();
    service.control.startBroadcast(streamOf('Town hall').id);
    const rows = await tree.untilRows(page, (all) => isUnder('Active', all, 'Town hall'));
    const keynote = rows.find((row) => row.label === 'Keynote');
    assert.deepEqual([keynote?.isSelected, keynote?.isExpanded], [true, true]);
    await untilLive(3);
    const asked = service.control.requests.map(({ status, query }) => `${status} ${decodeURIComponent(query)}`);
    assert.ok(
      asked.every((each) => /^(200|0) /.test(each) && !each.includes('"value":false')),
      `what is not there was asked for again, or idle streams: ${asked.join('\n')}`,
    );
    const said = await untilNotification(page, '"Town hall" went live');
    assert.deepEqual([said.severity, said.buttons], ['info', ['Watch']]);
    await takeScreenshot(page, 'strict-live');
    await clearNotifications(page);
  });

  it('takes a stream whose broadcast ended from Active to Idle, and what is open stays open', async () => {
    const { page } = workbench();
    service.control.endBroadcast(streamOf('Town hall').id);
    const rows = await tree.untilRows(page, (all) => !isUnder('Active', all, 'Town hall'));
    assert.equal(rows.find((row) => row.label === 'Keynote')?.isExpanded, true);
    await untilLive(2);
    await tree.collapseRow(page, 'Keynote');
  });

  it('goes to a stream that no list has loaded, and to a live one from the status bar', async () => {
    const { page } = workbench();
    await chooseWith(page, 'liveStreams.goToStream', { item: 'Old partner feed', title: 'Go to Stream' });
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Old partner feed' && row.isSelected));
    await tree.untilRows(page, (rows) => isUnder('Idle', rows, 'Town hall'));
    await page.locator('.statusbar-item', { hasText: '2 live' }).locator('a').click();
    await waitUntil(async () => (await readQuickInput(page)).items.length === 2);
    await pickQuickItem(page, 'Bird nest cam');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Bird nest cam' && row.isSelected));
  });

  it('filters and sorts in the window, and says so', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.filterStreams');
    await readQuickInput(page, 'Filter Streams');
    await answerQuickInput(page, 'town');
    await tree.untilRows(page, (rows) => namesUnder('Idle', rows).join() === 'Town hall');
    await untilDescribed(`"town" · ${host()} · filtered in VS Code`);
    await takeScreenshot(page, 'strict-filtered');
    await runCommand(page, 'liveStreams.clearFilter');
    await tree.untilRows(page, (rows) => namesUnder('Idle', rows).length > 5);
    await chooseWith(page, 'liveStreams.sortStreams', { item: 'Name', title: 'Sort Streams By' });
    await untilDescribed(`${host()} · sorted in VS Code`);
    const byName = [...idleNames()].sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare);
    await tree.untilRows(page, (rows) => {
      const shown = namesUnder('Idle', rows);
      return shown.length === byName.length && shown.every((label, at) => label === byName[at]);
    });
    await takeScreenshot(page, 'strict-sorted');
    await chooseWith(page, 'liveStreams.sortStreams', { item: 'Last Live', title: 'Sort Streams By' });
    await untilDescribed(host());
  });

  const idleNames = () =>
    service.control
      .streams()
      .filter(({ isActive, parentId }) => !isActive && parentId === undefined)
      .map(({ name }) => name);

  /** Waits until it is said that the service does not have this, with the rows as they were. */
  async function untilNotOffered(what: string, names: readonly string[]): Promise<void> {
    const { page } = workbench();
    const said = await untilNotification(page, `${host()} doesn't support ${what}.`);
    await takeScreenshot(page, `strict-not-offered-${what}`);
    assert.ok(said.severity !== 'error', 'nothing is broken');
    assert.deepEqual(said.buttons, [], 'the log has no more to say');
    await tree.untilRows(page, (rows) => names.every((name) => rows.some((row) => row.label === name)));
    await clearNotifications(page);
  }

  /** One 404 may be a replica's that lags; after the second in a row it is what the service offers. */
  async function tryAgain(): Promise<void> {
    await pressNotificationButton(workbench().page, "couldn't make this change (404)", 'Retry');
  }

  async function confirmDeletion(): Promise<void> {
    const { page } = workbench();
    assert.match((await readDialog(page)).message, /Delete "Town hall"/);
    await pressDialogButton(page, 'Delete');
  }

  it('says of each change that the service does not offer it, and hides its command; the rows stay', async () => {
    const { page } = workbench();
    await tree.collapseRow(page, 'Active');
    const names = namesUnder('Idle', await tree.readRows(page));
    const changes = ['Turn Off Recording', 'Rename Stream…', 'Suspend Stream', 'Delete Stream'];
    const offered = async () => {
      const edits = await tree.readContextMenu(page, 'Town hall', { submenu: 'Edit' });
      const all = [...(await tree.readContextMenu(page, 'Town hall')), ...edits];
      assert.ok(all.includes('Copy Stream Key'), all.join('\n'));
      return changes.filter((item) => all.includes(item));
    };
    assert.deepEqual(await offered(), changes);
    await tree.selectRow(page, 'Town hall');
    await page.keyboard.press('F2');
    await answerQuickInput(page, 'Village hall', 'Rename "Town hall"');
    await tryAgain();
    await untilNotOffered('renaming streams', names);
    await tree.chooseFromContextMenu(page, 'Town hall', ['Edit', 'Suspend Stream']);
    await tryAgain();
    await untilNotOffered('suspending streams', names);
    await tree.treeOf(page).focus();
    await page.keyboard.press('Delete');
    await confirmDeletion();
    await tryAgain();
    await confirmDeletion();
    await untilNotOffered('deleting streams', names);
    await tree.pressViewAction(page, 'Create Stream…');
    await answerQuickInput(page, 'One more', 'Create Stream (1/2)');
    await pickQuickItem(page, 'Create', 'Create Stream (2/2)');
    await tryAgain();
    // The name is kept.
    await pickQuickItem(page, 'Create', 'Create Stream (2/2)');
    await untilNotOffered('creating streams', names);
    assert.deepEqual(await offered(), []);
  });

  it('has none of the commands that the service lacks in the palette, until a refresh', async () => {
    const { page } = workbench();
    const commands = ['createStream', 'renameStream', 'turnRecordingOn', 'suspendStream', 'deleteStream'];
    const offered = async () => {
      const all = await listCommands(page);
      assert.ok(all.includes('liveStreams.copyStreamKey'), all.join('\n'));
      return commands.filter((command) => all.includes(`liveStreams.${command}`));
    };
    assert.deepEqual(await offered(), []);
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await waitUntil(async () => (await tree.readContextMenu(page, 'Town hall')).includes('Turn Off Recording'));
    assert.deepEqual(await offered(), commands);
    await tree.chooseFromContextMenu(page, 'Town hall', 'Turn Off Recording');
    await tryAgain();
    await untilNotOffered('turning recording on or off', ['Town hall']);
    assert.ok(service.control.requests.filter(({ method }) => method !== 'GET').every(({ status }) => status === 404));
  });

  /** Waits for all sessions of the one stream that is open: while they arrive, a menu acts on no row. */
  const untilSessions = () => {
    const { length } = service.control.sessions(streamOf('Keynote').id);
    return tree.untilRows(workbench().page, (all) => all.filter((row) => row.level === 3).length === length);
  };
  const title = (text: string) => detailsFrame(workbench().page).locator('h1').getByText(text, { exact: true });

  it('shows the details of a stream and of a session with what is known, and the MP4', async () => {
    const { page } = workbench();
    const { id, playbackId, streamKey } = streamOf('Keynote');
    await tree.collapseRow(page, 'Idle');
    await tree.expandRow(page, 'Active');
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    await title('Keynote').waitFor();
    await sessionsTable(page).waitFor();
    await openMore(page);
    assert.equal(await factValue(page, 'Stream ID').innerText(), id);
    assert.equal(await factValue(page, 'Playback ID').innerText(), playbackId);
    assert.match(await factValue(page, 'Stream Key').innerText(), /^•+$/);
    assert.equal(
      await detailsFrame(page)
        .getByText(/undefined|null|NaN|Invalid/)
        .count(),
      0,
    );
    await takeScreenshot(page, 'strict-details');
    await writeClipboard(page, '');
    await pressFactButton(page, 'Stream Key', 'Copy');
    await waitUntil(async () => (await readClipboard(page)) === streamKey);
    await tree.expandRow(page, 'Keynote');
    await untilSessions();
    await tree.chooseFromContextMenu(page, lastEvening(service), 'Show Session Details');
    await title(`Keynote · ${lastEvening(service)}`).waitFor();
    assert.match(await stateLine(page).innerText(), /^Recording ready · /);
    assert.match(
      (await factValue(page, 'MP4 URL').textContent()) ?? '',
      /^http:\/\/127\.0\.0\.1:\d+\/recordings\/\S+\.mp4(\?•+)?$/,
    );
    await takeScreenshot(page, 'strict-session');
    await assertOnNoPage(page, PLANTED);
    await closeTabs(page);
  });

  it('calls the status of a recording unknown where the service has a word of its own, and finds the MP4 that its lists do not name', async () => {
    const { page } = workbench();
    const sessions = service.control.sessions(streamOf('Keynote').id);
    const rows = await untilSessions();
    const others = sessions.slice(1).filter(({ record, recordingStatus }) => record && recordingStatus !== 'ready');
    assert.ok(others.length > 0);
    const unknown = rows.filter((row) => row.icon === 'question' && row.level === 3);
    assert.equal(unknown.length, others.length);
    assert.match(await tree.readTooltip(page, lastEvening(service)), /Recording ready\s+Watch Recording/);
    assert.match(await tree.readTooltip(page, unknown[0]?.label ?? ''), /Recording status unknown/);
    await tree.chooseFromContextMenu(page, lastEvening(service), ['Copy', 'Copy MP4 URL']);
    await waitUntil(async () => (await readClipboard(page)) === sessions[1]?.mp4Url);
  });

  it('plays what is live, and a recording from its row', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await untilPlaying(page);
    assert.equal(await playerFrame(page).locator('.live').innerText(), 'Live');
    await tree.rowOf(page, lastEvening(service)).locator('.label-name').click();
    await playerFrame(page).locator('.live').waitFor({ state: 'hidden' });
    await untilPlaying(page);
    await takeScreenshot(page, 'strict-player');
    await assertOnNoPage(page, PLANTED);
    await closeTabs(page);
  });

  it('follows links to a stream and to a session', async () => {
    const { page } = workbench();
    await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
    for (const label of [lastEvening(service), 'Bird nest cam']) {
      await writeClipboard(page, '');
      await tree.chooseFromContextMenu(page, label, ['Copy', 'Copy VS Code Link']);
      await waitUntil(async () => (await readClipboard(page)).endsWith(`?connection=${encodeURIComponent(host())}`));
      await tree.rowOf(page, 'Active').click();
      await runEditorCommand(page, 'Open URL');
      await answerQuickInput(page, await readClipboard(page));
      assert.match((await readDialog(page)).message, /Live Streams/);
      await pressDialogButton(page, 'Open');
      await tree.untilRows(page, (rows) => rows.some((row) => row.label === label && row.isSelected));
    }
  });

  it('has no key on screen, nor in a document', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Keynote', ['Open', 'Open as JSON']);
    await page.locator('.editor-instance .view-line', { hasText: 'streamKey' }).waitFor();
    await takeScreenshot(page, 'strict-json');
    await assertOnNoPage(page, PLANTED);
  });
});

/** Labels of the rows right under a group that are on screen, from the top. */
function namesUnder(group: string, rows: readonly tree.Row[]): readonly string[] {
  const from = rows.findIndex((row) => row.level === 1 && row.label === group);
  const to = rows.findIndex((row, at) => at > from && row.level === 1);
  const under = from < 0 ? [] : rows.slice(from + 1, to < 0 ? undefined : to);
  return under.filter((row) => row.level === 2).map((row) => row.label);
}
