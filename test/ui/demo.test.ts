import assert from 'node:assert/strict';
import { detailsFrame, factValue } from '../support/page/detailsPage.ts';
import { untilKept } from '../support/page/keptState.ts';
import { startDemoFromWelcome } from '../support/page/madeStream.ts';
import {
  playerFrame,
  pressPlayerButton,
  untilPlaying,
  untilProblem,
  untilVideo,
  videoOf,
} from '../support/page/playerPage.ts';
import { listCommands, runCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const OFF = /This item is from the demo, which isn't running\./;

describe('The packaged extension in a real workbench', () => {
  const workbench = suiteWorkbench({ browser: 'withoutAac' });

  it('has an entry in the activity bar that shows the Streams view', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.treeOf(page).or(tree.paneOf(page).locator('.welcome-view-content:visible')).first().waitFor();
    assert.equal((await tree.readViewTexts(page)).title, 'Streams');
    assert.equal((await tree.readViewTexts(page, 'Recordings')).title, 'Recordings');
    await takeScreenshot(page, 'first-start');
  });

  it('offers in the palette what can be done before anything is connected', async () => {
    const commands = (await listCommands(workbench().page)).filter((id) => id.startsWith('liveStreams.'));
    const expected = ['addConnection', 'inspectPlayback', 'showLog', 'startDemo', 'switchConnection'];
    assert.deepEqual(
      commands.sort(),
      expected.map((id) => `liveStreams.${id}`),
    );
  });

  describe('tabs of the demo', () => {
    before(() => startDemoFromWelcome(workbench().page));

    const heading = (text: string) => playerFrame(workbench().page).locator('h1').getByText(text, { exact: true });

    it('say that it is off once it was stopped, and go on when it is tried again', async () => {
      const { page } = workbench();
      await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
      await heading('Keynote').waitFor();
      const before = await factValue(page, 'Playback ID').innerText();
      await runCommand(page, 'liveStreams.stopDemo');
      await detailsFrame(page).getByText(OFF).waitFor();
      await takeScreenshot(page, 'demo-off-details');
      await detailsFrame(page).getByRole('button', { name: 'Try the Demo' }).click();
      await factValue(page, 'Playback ID').filter({ hasText: before }).waitFor();
      await heading('Keynote').waitFor();
    });

    it('play the same recording from its new address', async () => {
      const { page } = workbench();
      await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
      await tree.expandRow(page, 'Keynote');
      const rows = await tree.untilRows(page, (all) => all.some((row) => row.level === 3 && tree.isReadySession(row)));
      const session = rows.find((row) => row.level === 3 && tree.isReadySession(row));
      await tree.rowOf(page, session?.label ?? '').click();
      await untilPlaying(page);
      await runCommand(page, 'liveStreams.stopDemo');
      const { buttons } = await untilProblem(page, OFF);
      assert.deepEqual(buttons, ['Try the Demo']);
      await takeScreenshot(page, 'demo-off-player');
      await pressPlayerButton(page, 'Try the Demo');
      await untilVideo(page, ({ width, contrast }) => width > 0 && contrast > 5);
      await heading('Keynote').waitFor();
    });

    it('come back with the window', async () => {
      const { page, reload } = workbench();
      for (const kind of ['stream', 'session']) {
        await untilKept(page, new RegExp(`"connection":"demo","kind":"${kind}"`));
      }
      await reload();
      await videoOf(page).waitFor({ state: 'attached' });
      await untilVideo(page, ({ width, contrast }) => width > 0 && contrast > 5);
      await heading('Keynote').waitFor();
      assert.equal(await page.locator('.tabs-container .tab').count(), 2);
    });
  });
});
