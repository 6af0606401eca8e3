import assert from 'node:assert/strict';
import { type DemoRequest, type DemoService, startDemo } from '../support/demo/demoService.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { untilHovered } from '../support/page/hover.ts';
import { pressDialogButton, readClipboard, readDialog } from '../support/page/messages.ts';
import { connectTo, typeConnection } from '../support/page/playerConnection.ts';
import { playerFrame, pressMenuEntry, readClipTimes, untilPlaying, untilVideo } from '../support/page/playerPage.ts';
import {
  answerQuickInput,
  chooseWith,
  pickQuickItem,
  quickInput,
  readQuickInput,
  runCommand,
  runEditorCommand,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('Two connections side by side', () => {
  const workbench = suiteWorkbench({
    folderSettings: { 'liveStreams.refreshInterval': 5 },
    size: { width: 1280, height: 1000 },
  });
  type Name = 'Main' | 'Tour' | 'Empty';
  const services: Partial<Record<Name, DemoService>> = {};
  const at = (name: Name): DemoService => services[name] ?? assert.fail(`${name} is not started`);
  const makeCurrent = async (connection: string) => {
    const { page } = workbench();
    // The page of a player may report its focus late, which closes a box.
    await chooseWith(page, 'liveStreams.switchConnection', { item: connection, title: 'Switch Connection' });
    await tree.untilRows(page, (all) =>
      roots(all).some(({ label, description }) => label === connection && /^current/.test(description)),
    );
  };
  const roots = (rows: readonly tree.Row[]) => rows.filter(({ level }) => level === 1);

  before(async () => {
    const { page } = workbench();
    const shared = { clock: createTestClock(), mediaRoot: inProject('media/demo'), streamCount: 9, isLively: false };
    const empty = { streamCount: 0, liveCount: 0, account: { projects: ['Empty'] } };
    services.Empty = await startDemo({ ...shared, seed: 7, ...empty });
    services.Main = await startDemo({ ...shared, seed: 7, liveCount: 2, account: { projects: ['Main'] } });
    services.Tour = await startDemo({ ...shared, seed: 7, liveCount: 1, account: { projects: ['Tour'] } });
    at('Main').control.addStream({ name: 'Only at Main' });
    at('Tour').control.addStream({ name: 'Only at Tour' });
    await connectTo(page, at('Tour'));
    await runCommand(page, 'liveStreams.addConnection');
    await typeConnection(page, at('Main'));
    await waitUntil(async () => (await tree.readViewTexts(page)).description === 'Main');
  });
  after(() => {
    for (const service of Object.values(services)) service.dispose();
  });

  it('are two root rows over their own groups, chosen in the menu of the view', async () => {
    const { page } = workbench();
    await tree.chooseFromViewMenu(page, 'Show All Connections');
    const rows = await tree.untilRows(page, (all) => {
      return roots(all).every(({ description }) => description.endsWith('live')) && roots(all).length === 2;
    });
    assert.deepEqual(fieldsOf(roots(rows), 'label', 'description', 'isExpanded'), [
      ['Main', 'current · 2 live', true],
      ['Tour', '1 live', true],
    ]);
    await tree.untilRows(page, (all) =>
      ['Only at Main', 'Only at Tour'].every((name) => all.some((row) => row.label === name)),
    );
    await page.mouse.move(1000, 500);
    await takeScreenshot(page, 'side-by-side-dark');
    const tooltip = await tree.readTooltip(page, 'Tour');
    assert.match(tooltip, new RegExp(new URL(at('Tour').baseUrl).host));
  });

  it('are counted together in the badge and the Status Bar, whose hover says how many each has', async () => {
    const { page } = workbench();
    const item = page.locator('.statusbar-item', { hasText: '3 live' });
    await item.waitFor();
    assert.equal(await tree.readBadge(page), 3);
    assert.equal(
      await item.locator('a').getAttribute('aria-label'),
      '3 live streams, Main: 2 live, Tour: 1 live',
      'what the hover says too',
    );
    const hover = page.locator('.monaco-hover', { hasText: '3 live streams' });
    await untilHovered(item, hover);
    assert.match(await hover.innerText(), /^3 live streams\nMain: 2 live\n {4}\S.*\n {4}\S.*\nTour: 1 live\n {4}\S/);
    await takeScreenshot(page, 'side-by-side-status');
    await page.mouse.move(1000, 500);
  });

  it('are searched together by Go to Stream, which selects the row below its connection', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.goToStream');
    const picker = quickInput(page, 'Go to Stream');
    await picker.waitFor();
    await page.keyboard.type('only at');
    await waitUntil(async () => (await readQuickInput(page)).items.length === 2);
    assert.deepEqual((await readQuickInput(page)).items.map(({ label, description }) => [label, description]).sort(), [
      ['Only at Main', 'Main'],
      ['Only at Tour', 'Tour'],
    ]);
    await takeScreenshot(page, 'side-by-side-picker');
    await answerQuickInput(page, 'only at tour');
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Only at Tour' && row.isSelected));
  });

  it('follow their services, each by itself', async () => {
    const { page } = workbench();
    at('Tour').control.addStream({ name: 'Just now', isActive: true });
    await tree.untilRows(page, (all) => roots(all)[1]?.description === '2 live');
    assert.equal(roots(await tree.readRows(page))[0]?.description, 'current · 2 live');
  });

  it('rename a stream where it is', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Only at Tour', ['Edit', 'Rename Stream…']);
    await quickInput(page, 'Rename "Only at Tour" (Tour)').waitFor();
    await answerQuickInput(page, 'Renamed at Tour');
    await tree.untilRows(page, (all) => all.some(({ label }) => label === 'Renamed at Tour'));
    assert.ok(
      at('Tour')
        .control.streams()
        .some(({ name }) => name === 'Renamed at Tour'),
    );
    assert.ok(
      !at('Main')
        .control.streams()
        .some(({ name }) => name === 'Renamed at Tour'),
    );
  });

  it('copy what a stream of theirs has', async () => {
    const { page } = workbench();
    const [key] = at('Tour')
      .control.streams()
      .filter(({ name }) => name === 'Renamed at Tour')
      .map(({ streamKey }) => streamKey);
    await tree.chooseFromContextMenu(page, 'Renamed at Tour', 'Copy Stream Key');
    await waitUntil(async () => (await readClipboard(page)) === key);
  });

  it('have pages of their own, whose buttons act on their connection', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Renamed at Tour', 'Show Stream Details');
    const heading = detailsFrame(page).getByRole('heading', { name: 'Renamed at Tour' });
    await heading.waitFor();
    await detailsFrame(page).getByRole('button', { name: 'Turn On Recording' }).first().click();
    const recorded = (service: DemoService) =>
      service.control
        .streams()
        .filter(({ record }) => record)
        .map(({ name }) => name);
    await waitUntil(() => recorded(at('Tour')).includes('Renamed at Tour'));
    await page.mouse.move(1000, 500);
    await takeScreenshot(page, 'side-by-side-page');
  });

  it('delete a stream of the other connection, after a question that names the connection', async () => {
    const { page } = workbench();
    const before = at('Main').control.streams().length;
    await tree.chooseFromContextMenu(page, 'Renamed at Tour', ['Edit', 'Delete Stream']);
    assert.match((await readDialog(page)).message, /Delete "Renamed at Tour" \(Tour\)\?/);
    await takeScreenshot(page, 'side-by-side-delete');
    await pressDialogButton(page, 'Delete');
    await waitUntil(
      () =>
        !at('Tour')
          .control.streams()
          .some(({ name }) => name === 'Renamed at Tour'),
    );
    assert.equal(at('Main').control.streams().length, before);
    await tree.untilRows(page, (all) => !all.some(({ label }) => label === 'Renamed at Tour'));
  });

  it('say in their row that they fail, and leave the other as it is', async () => {
    const { page } = workbench();
    at('Tour').control.fault(() => ({ status: 503 }));
    const failed = await tree.untilRows(page, (all) => roots(all)[1]?.icon === 'warning');
    assert.equal(roots(failed)[1]?.description, 'service unavailable');
    assert.equal(roots(failed)[0]?.description, 'current · 2 live');
    await page.mouse.move(1000, 500);
    await takeScreenshot(page, 'side-by-side-failing');
    at('Tour').control.fault(undefined);
    await tree.pressRowAction(page, 'Tour', 'Retry');
    await tree.untilRows(page, (all) => roots(all)[1]?.icon === 'server');
  });

  it('say in their row that the key is rejected, with a row that sets that one', async () => {
    const { page } = workbench();
    at('Tour').control.revokeKey();
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await tree.untilRows(page, (all) => all.some(({ label }) => label === 'Set API Key…'));
    assert.equal(roots(await tree.readRows(page))[1]?.description, 'API key rejected');
    await page.mouse.move(1000, 500);
    await takeScreenshot(page, 'side-by-side-rejected');
    await chooseTheme(page, 'light-2026');
    await takeScreenshot(page, 'side-by-side-light');
    await chooseTheme(page, 'dark-2026');
    await tree.rowOf(page, 'Set API Key…').click();
    await quickInput(page, 'Set API Key for "Tour"').waitFor();
    at('Tour').control.restoreKey();
    await answerQuickInput(page, at('Tour').apiKey);
    await tree.untilRows(page, (all) => roots(all)[1]?.icon === 'server' && roots(all)[1]?.description === '2 live');
    assert.equal((await tree.readViewTexts(page)).description, 'All connections');
  });

  it('leave the other views with the current one, which they name as long as there are several', async () => {
    const { page } = workbench();
    const others = ['Recordings', 'Webhooks'];
    const untilDescribed = async (expected: string) => {
      for (const view of others) {
        await waitUntil(async () => (await tree.readViewTexts(page, view)).description === expected);
      }
    };
    for (const view of others) await tree.expandView(page, view);
    await untilDescribed('Main');
    await takeScreenshot(page, 'side-by-side-other-views');
    await tree.chooseFromViewMenu(page, 'Show Current Connection Only');
    await waitUntil(async () => (await tree.readViewTexts(page)).description === 'Main');
    await untilDescribed('Main');
    for (const view of others) await tree.collapseView(page, view);
    await tree.chooseFromViewMenu(page, 'Show All Connections');
    await tree.untilRows(page, (all) => roots(all)[1]?.label === 'Tour');
  });

  it('change places while a player goes on, which keeps its sound, and the clip that is cut or created', async () => {
    const { page } = workbench();
    const { name = '' } =
      at('Main')
        .control.streams()
        .find(({ isActive, record }) => isActive && record) ?? assert.fail('Nothing is live and recorded');
    await tree.chooseFromContextMenu(page, name, 'Watch Stream');
    const { currentTime: before } = await untilPlaying(page);
    const frame = playerFrame(page);
    const volume = () => frame.getByLabel('Volume', { exact: true }).inputValue();
    await frame.getByLabel('Volume', { exact: true }).fill('0.3');
    await pressMenuEntry(page, 'Create Clip…');
    await frame.getByLabel('Clip name').fill('Goal');
    const times = await readClipTimes(frame);
    for (const connection of ['Tour', 'Main']) {
      await makeCurrent(connection);
      await untilVideo(page, ({ currentTime, paused }) => !paused && currentTime > before + 1);
      assert.deepEqual(
        [await volume(), await frame.getByLabel('Clip name').inputValue(), await readClipTimes(frame)],
        ['0.3', 'Goal', times],
      );
      await takeScreenshot(page, `side-by-side-player-${connection}`);
    }
    const held = Promise.withResolvers<undefined>();
    const isOfClip = ({ method, path }: DemoRequest) => method === 'GET' && path.startsWith('/api/asset/');
    const { control } = at('Main');
    control.fault((request) => (isOfClip(request) ? held.promise : undefined));
    await frame.getByRole('button', { name: 'Create Clip', exact: true }).click();
    for (const connection of ['Tour', 'Main']) {
      await waitUntil(() => control.requests.some(isOfClip));
      control.clearRequests();
      await makeCurrent(connection);
      await waitUntil(() => control.requests.some(isOfClip));
      assert.equal(await frame.locator('.clipWords').innerText(), 'Creating clip…');
      await takeScreenshot(page, `side-by-side-clip-${connection}`);
    }
    held.resolve(undefined);
    await frame.locator('.clipMade').getByText('Created the clip "Goal"').waitFor();
    await takeScreenshot(page, 'side-by-side-clip-made');
    control.fault(undefined);
    await runEditorCommand(page, 'View: Close Editor');
  });

  it('have the demo beside them while it runs, whichever is the current one', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.startDemo');
    await tree.untilRows(page, (all) =>
      roots(all).some(({ label, description }) => label === 'Demo' && /^current · \d live$/.test(description)),
    );
    await tree.chooseFromContextMenu(page, 'Main', 'Switch Connection…');
    await answerQuickInput(page, 'Main');
    const isBeside = (all: readonly tree.Row[]) =>
      roots(all)
        .map(({ label }) => label)
        .join() === 'Demo,Main,Tour' && /^current/.test(roots(all)[1]?.description ?? '');
    await tree.untilRows(page, isBeside);
    await tree.untilRows(page, (all) => /^\d live$/.test(roots(all)[0]?.description ?? ''));
    await page.mouse.move(1000, 500);
    for (const theme of ['light-2026', 'dark-2026'] as const) {
      await chooseTheme(page, theme);
      await takeScreenshot(page, `side-by-side-demo-${theme}`);
    }
    await tree.chooseFromContextMenu(page, 'Demo', 'Switch Connection…');
    await takeScreenshot(page, 'side-by-side-demo-picker');
    assert.equal((await readQuickInput(page)).items[0]?.label, 'Demo');
    await page.keyboard.press('Escape');
    await tree.chooseFromContextMenu(page, 'Demo', 'Stop Demo');
    await tree.untilRows(page, (all) =>
      ['Main', 'Tour'].every((name, at) => roots(all)[at]?.label === name && roots(all).length === 2),
    );
  });

  it('change places while the page of a session goes on, with what plays in it and where it is scrolled to', async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    const isOfKeynote = (row: tree.Row) => row.level === 4 && tree.isReadySession(row);
    const session = (await tree.untilRows(page, (all) => all.some(isOfKeynote))).find(isOfKeynote);
    await tree.chooseFromContextMenu(page, session?.label ?? '', 'Show Session Details');
    const frame = playerFrame(page);
    await frame.locator('video').waitFor();
    await frame.getByRole('button', { name: 'Play', exact: true }).first().click();
    const { currentTime: before } = await untilPlaying(page);
    const root = frame.locator('html');
    const folded = frame.locator('details > summary').first();
    await folded.click();
    await root.evaluate(markAndScroll);
    const read = () => root.evaluate(readMark);
    const kept = await read();
    for (const connection of ['Tour', 'Main']) {
      await makeCurrent(connection);
      await untilVideo(page, ({ currentTime, paused }) => !paused && currentTime > before + 1);
      await frame.locator('.warning').waitFor({ state: 'hidden' });
      assert.deepEqual(await read(), kept);
      await takeScreenshot(page, `side-by-side-session-${connection}`);
    }
    await runEditorCommand(page, 'View: Close Editor');
  });

  it('offer to create the first stream where there is none, and create it there', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.addConnection');
    await typeConnection(page, at('Empty'));
    await tree.untilRows(page, (all) => all[0]?.label === 'Empty' && all[0].description.startsWith('current'));
    await makeCurrent('Main');
    await tree.untilRows(page, (all) => all[0]?.label === 'Empty' && all[1]?.label === 'Create Stream…');
    await page.mouse.move(1000, 500);
    await takeScreenshot(page, 'side-by-side-empty');
    await tree.rowOf(page, 'Create Stream…').click();
    await answerQuickInput(page, 'First', 'Create Stream (Empty) (1/2)');
    await pickQuickItem(page, 'Create', 'Create Stream (Empty) (2/2)');
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'First' && row.isSelected));
    const has = (name: Name) =>
      at(name)
        .control.streams()
        .some((stream) => stream.name === 'First');
    assert.deepEqual([has('Empty'), has('Main'), has('Tour')], [true, false, false]);
    await takeScreenshot(page, 'side-by-side-first-stream');
    await runEditorCommand(page, 'View: Close Editor');
  });

  it('are remembered over a reload, and give way to the current one by Show Current Connection Only', async () => {
    const { page } = workbench();
    const isOfAll = (all: readonly tree.Row[]) =>
      roots(all)
        .map(({ label }) => label)
        .join() === 'Empty,Main,Tour';
    await tree.chooseFromViewMenu(page, 'Show Current Connection Only');
    const rows = await tree.untilRows(page, (all) => roots(all)[0]?.label === 'Active');
    assert.ok(!rows.some(({ label }) => label === 'Tour'));
    await tree.chooseFromViewMenu(page, 'Show All Connections');
    await tree.untilRows(page, isOfAll);
    await page.reload();
    await tree.showContainer(page);
    // The workbench of the tests forgets the keys.
    await tree.untilRows(page, isOfAll);
  });
});

interface MarkedPage {
  scrollTop: number;
  readonly dataset: Record<string, string | undefined>;
  querySelector(selector: string): { readonly open: boolean } | null;
}

/** Runs in the page. */
function markAndScroll(root: unknown): void {
  const page = root as MarkedPage;
  page.dataset.isKept = 'yes';
  page.scrollTop = 120;
}

/** Runs in the page: whether it is the same one, how far it is scrolled, and whether what was folded is open. */
function readMark(root: unknown): readonly unknown[] {
  const { dataset, scrollTop, querySelector } = root as MarkedPage;
  return [dataset.isKept, Math.round(scrollTop), querySelector.call(root, 'details')?.open];
}
