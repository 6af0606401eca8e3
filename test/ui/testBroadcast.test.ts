import assert from 'node:assert/strict';
import { pressDialogButton, pressNotificationButton, readDialog, readStatusBar } from '../support/page/messages.ts';
import { untilPlaying } from '../support/page/playerPage.ts';
import { answerQuickInput, pickQuickItem, readQuickInput, runCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Made here';

describe('A test broadcast', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });

  before(async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.pressWelcomeButton(page, 'Try the Demo');
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
    await tree.pressViewAction(page, 'Create Stream…');
    await answerQuickInput(page, STREAM);
    await pickQuickItem(page, "Don't Record");
    await tree.untilRows(page, (rows) => rows.some(({ label, isSelected }) => label === STREAM && isSelected));
  });

  const group = async () => {
    const rows = await tree.readRows(workbench().page);
    const at = rows.findIndex(({ label }) => label === STREAM);
    return rows.slice(0, at).findLast(({ level }) => level === 1)?.label;
  };
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
    assert.equal(message, `Viewers of "${STREAM}" will see the test pattern.`);
    await takeScreenshot(page, 'test-broadcast-question');
    await pressDialogButton(page, 'Start Test Broadcast');
  });

  it('makes the stream live, says how long it goes on, and plays', async () => {
    const { page } = workbench();
    await pressNotificationButton(page, 'is live with your test broadcast', 'Watch');
    // Rows out of sight are not there.
    await tree.treeOf(page).focus();
    await page.keyboard.press('Home');
    await waitUntil(async () => (await group()) === 'Active');
    const row = (await tree.readRows(page)).find(({ label }) => label === STREAM);
    assert.match(row?.description ?? '', /^test broadcast, [45]:\d\d left$/);
    assert.match((await stopItem()) ?? '', /Stop Test Broadcast \([45]:\d\d\)/);
    const { width, height } = await untilPlaying(page);
    assert.deepEqual([width, height], [640, 360]);
    await takeScreenshot(page, 'test-broadcast-live');
  });

  it('is stopped by a command, and the stream is idle again', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.stopTestBroadcast');
    await waitUntil(async () => (await stopItem()) === undefined);
    await waitUntil(async () => (await group()) === 'Idle');
  });
});
