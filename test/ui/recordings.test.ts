import assert from 'node:assert/strict';
import { oneLine } from '../../src/util/text.ts';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { readClipboard } from '../support/page/messages.ts';
import { typeConnection } from '../support/page/playerConnection.ts';
import * as quick from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const view = 'Recordings';

describe('The Recordings view', () => {
  // Without looks of its own: how often it asked is counted, and a busy machine takes its time.
  const workbench = suiteWorkbench({ timeZone: 'UTC', settings: { 'liveStreams.refreshInterval': 0 } });
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    const account = { projects: ['Studio'] };
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), seed: 7, isLively: false, account });
  });
  after(() => service.dispose());

  const askedFor = (list: string) => service.control.requests.filter(({ path }) => path === `/api/${list}`).length;
  const askedForSessions = () => askedFor('session');
  const askedForStreams = () => askedFor('stream');
  const recorded = () =>
    service.control
      .streams()
      .flatMap(({ id }) => service.control.sessions(id))
      .filter((session) => session.record);

  it('says what can be done before there is a connection', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.expandView(page, view);
    await waitUntil(async () => (await tree.readViewTexts(page, view)).welcome.includes('Connect to a Service'));
    await tree.collapseView(page, view);
  });

  it('asks for nothing while it is collapsed', async () => {
    const { page } = workbench();
    await tree.pressWelcomeButton(page, 'Connect to a Service');
    await typeConnection(page, service);
    await tree.untilRows(page, (rows) => rows.some((row) => row.level === 2));
    const before = askedForStreams();
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await waitUntil(() => askedForStreams() > before);
    assert.equal(askedForSessions(), 0);
  });

  it('lists the recordings of all streams by day once it is open, after one look', async () => {
    const { page } = workbench();
    await tree.expandView(page, view);
    await tree.collapseView(page, 'Streams');
    // A row may be too narrow for the whole name.
    const names = service.control.streams().map((stream) => oneLine(stream.name, 1000));
    const isNamed = (row: tree.Row) => names.some((name) => row.ariaLabel.startsWith(`${name}, `));
    const rows = await tree.untilRows(
      page,
      (all) => all.filter((row) => row.level === 2).length > 3 && all.every((row) => row.level === 1 || isNamed(row)),
      { view },
    );
    assert.equal(rows[0]?.level, 1);
    assert.ok(
      rows.some(
        (row) =>
          tree.isReadySession(row) && /^\d\d:\d\d \S/.test(row.label) && /^(\d+ h )?\d+ min$/.test(row.description),
      ),
      JSON.stringify(rows),
    );
    assert.equal(
      askedForSessions(),
      1,
      service.control.requests.map(({ path, query }) => `${path}?${query}`).join('\n'),
    );
    await takeScreenshot(page, 'recordings');
  });

  it('has the same acts on a row as the Streams view, and copies the address of a recording', async () => {
    const { page } = workbench();
    const rows = await tree.readRows(page, view);
    const at = rows.findIndex((row) => tree.isReadySession(row));
    const label = rows[at]?.label ?? '';
    const which = rows.slice(0, at).filter((row) => row.label === label).length;
    const menu = await tree.readContextMenu(page, label, { view, at: which });
    assert.deepEqual(menu, [
      ...[
        'Watch Recording',
        'Show Session Details',
        'Download MP4…',
        'Create Clip…',
        'Open',
        'Copy Recording URL',
        'Copy',
        'Insert Code Snippet…',
      ],
    ]);
    const copies = await tree.readContextMenu(page, label, { view, at: which, submenu: 'Copy' });
    assert.deepEqual(copies, ['Copy MP4 URL', 'Copy Session ID', 'Copy VS Code Link']);
    await tree.chooseFromContextMenu(page, label, 'Copy Recording URL', { view, at: which });
    const urls = new Set(recorded().map((session) => session.recordingUrl));
    await waitUntil(async () => urls.has(await readClipboard(page)));
  });

  it('tells about a session in a tooltip that names its stream and holds no key', async () => {
    const { page } = workbench();
    const row = (await tree.readRows(page, view)).find((each) => each.level === 2);
    const tooltip = await tree.readTooltip(page, row?.label ?? '', { view });
    assert.ok(tooltip.startsWith(row?.label.replace(/^\d\d:\d\d /, '') ?? '?'), tooltip);
    assert.match(tooltip, /Show Details/);
    for (const { streamKey } of service.control.streams()) {
      if (streamKey !== undefined) assert.ok(!tooltip.includes(streamKey), tooltip);
    }
    await takeScreenshot(page, 'recordings-tooltip');
  });

  it('shows all sessions when asked to', async () => {
    const { page } = workbench();
    await tree.chooseFromViewMenu(page, 'Show All Sessions', view);
    await waitUntil(async () => (await tree.readViewTexts(page, view)).description === 'all sessions');
    await tree.untilRows(page, (all) => all.some(tree.isUnrecordedSession), { view });
    await takeScreenshot(page, 'recordings-all');
    await tree.chooseFromViewMenu(page, 'Show Recorded Sessions Only', view);
    await tree.untilRows(page, (all) => !all.some(tree.isUnrecordedSession), { view });
    assert.equal((await tree.readViewTexts(page, view)).description, '');
  });

  it('searches recordings by stream or time from its title', async () => {
    const { page } = workbench();
    await tree.pressViewAction(page, 'Search Recordings…', view);
    await waitUntil(async () => (await quick.readQuickInput(page)).items.length > 3);
    await quick.typeInQuickInput(page, 'Keynote');
    await waitUntil(async () => {
      const { items } = await quick.readQuickInput(page);
      return items.length > 0 && items.every(({ label }) => label === 'Keynote');
    });
    await takeScreenshot(page, 'recordings-searched');
    await quick.dismissQuickInput(page);
  });

  it('keeps the recordings of a stream that was deleted, and says so', async () => {
    const { page } = workbench();
    // A live one: where the service sends no parents along, that it is gone is seen by the look at the live streams.
    const keynote = service.control.streams().find(({ name }) => name === 'Keynote');
    assert.ok(keynote);
    const live = await tree.readBadge(page);
    service.control.deleteStream(keynote.id);
    await tree.pressViewAction(page, 'Refresh Streams and Recordings', view);
    await waitUntil(async () => (await tree.readBadge(page)) < live);
    const rows = await tree.readRows(page, view);
    const { label } = rows.find((row) => /^\d\d:\d\d Keynote$/.test(row.label)) ?? assert.fail();
    await waitUntil(async () => (await tree.readTooltip(page, label, { view })).includes('stream deleted'));
    await takeScreenshot(page, 'recordings-deleted');
  });

  it('keeps its rows through trouble, with Retry first', async () => {
    const { page } = workbench();
    service.control.fault(({ path }) => (path === '/api/session' ? { status: 503 } : undefined));
    await tree.pressViewAction(page, 'Refresh Streams and Recordings', view);
    await waitUntil(async () => (await tree.readViewTexts(page, view)).message.includes('unavailable (503)'));
    assert.ok((await tree.readRows(page, view)).length > 3);
    await takeScreenshot(page, 'recordings-unavailable');
    await tree.untilRows(page, ([first]) => first?.label === 'Retry', { view });
    service.control.fault(undefined);
    await tree.rowOf(page, 'Retry', { view }).click();
    await waitUntil(async () => (await tree.readViewTexts(page, view)).message === '');
  });

  it('says that there are none in an account without recordings', async () => {
    const { page } = workbench();
    service.control.fault(({ path }) =>
      path === '/api/session'
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }
        : undefined,
    );
    await tree.pressViewAction(page, 'Refresh Streams and Recordings', view);
    await waitUntil(async () => /No recordings yet/.test((await tree.readViewTexts(page, view)).welcome.join(' ')));
    await takeScreenshot(page, 'recordings-none');
    service.control.fault(undefined);
  });
});
