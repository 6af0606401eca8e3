import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { DemoService } from '../support/demo/demoService.ts';
import { makeDemoStream, untilInGroup } from '../support/page/madeStream.ts';
import { pressDialogButton, pressNotificationButton, readDialog, readStatusBar } from '../support/page/messages.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { untilPlaying } from '../support/page/playerPage.ts';
import { settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { pickQuickItem, readQuickInput, runCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { type RtmpServer, startRtmpServer } from '../support/service/rtmpServer.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Made here';

describe('A test broadcast', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });

  before(async () => {
    await makeDemoStream(workbench().page, STREAM, "Don't Record");
  });

  const stopItem = async () =>
    (await readStatusBar(workbench().page)).find((text) => text.startsWith('Stop Test Broadcast'));

  it('is chosen in two steps, and asks before it starts', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, STREAM, ['More Actions', 'Start Test Broadcast…']);
    const { title, items } = await readQuickInput(page, 'Start Test Broadcast (1/2)');
    assert.deepEqual([title, items[0]?.label], ['Start Test Broadcast (1/2)', 'Test pattern']);
    await takeScreenshot(page, 'test-broadcast-source');
    await pickQuickItem(page, 'Test pattern');
    await readQuickInput(page, 'Start Test Broadcast (2/2)');
    await takeScreenshot(page, 'test-broadcast-duration');
    await pickQuickItem(page, '5 minutes');
    const { message } = await readDialog(page);
    assert.equal(message, `Start a test broadcast to "${STREAM}"?`);
    await takeScreenshot(page, 'test-broadcast-question');
    await pressDialogButton(page, 'Start Test Broadcast');
  });

  it('makes the stream live, says how long it goes on, and plays', async () => {
    const { page } = workbench();
    await pressNotificationButton(page, 'is live with your test broadcast', 'Watch');
    const row = await untilInGroup(page, STREAM, 'Active');
    assert.match(row.description, /^test broadcast, [45]:\d\d left$/);
    assert.match((await stopItem()) ?? '', /Stop Test Broadcast \([45]:\d\d\)/);
    const { width, height } = await untilPlaying(page);
    assert.deepEqual([width, height], [640, 360]);
    await takeScreenshot(page, 'test-broadcast-live');
  });

  it('is stopped by a command, and the stream is idle again', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.stopTestBroadcast');
    await waitUntil(async () => (await stopItem()) === undefined);
    await untilInGroup(page, STREAM, 'Idle');
  });
});

describe('A window that is closed during a test broadcast', () => {
  let service: DemoService;
  let sink: RtmpServer;
  const workbench = suiteWorkbench(async () => {
    [service, sink] = await Promise.all([startPlayerService(), startRtmpServer()]);
    const rtmp = `rtmp://127.0.0.1:${sink.port}/live/{streamKey}`;
    const addresses = { [new URL(service.baseUrl).origin]: { ...service.addresses, rtmp } };
    return settingsFor(service, { 'liveStreams.addresses': addresses });
  });
  after(async () => {
    service.dispose();
    await sink.close();
  });

  it('ends the connection to the server', async () => {
    const { page } = workbench();
    const stream = 'Aquarium: jellyfish';
    await connectTo(page, service);
    await tree.expandRow(page, 'Idle');
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === stream));
    await tree.chooseFromContextMenu(page, stream, ['More Actions', 'Start Test Broadcast…']);
    await pickQuickItem(page, 'Test pattern');
    await pickQuickItem(page, '5 minutes');
    await pressDialogButton(page, 'Start Test Broadcast');
    await waitUntil(() => sink.received().length > 30);
    const [socket] = sink.sockets;
    assert.ok(socket !== undefined && sink.sockets.length === 1 && !socket.destroyed);
    const closed = once(socket, 'close');
    const began = performance.now();
    await page.close({ runBeforeUnload: true });
    await closed;
    const took = performance.now() - began;
    // About 0.3 s where nothing else runs, and several times as long on a busy machine.
    assert.ok(took < 10_000, `${took} ms`);
  });
});
