import assert from 'node:assert/strict';
import { findAccessibilityFaults } from '../support/page/accessibility.ts';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { playerFrame, untilProblem, untilVideo } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';

const THEMES = ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const;

describe('Pages for everybody', () => {
  const { workbench, service } = suitePlayerWorkbench();

  async function assertForAll(name: string): Promise<void> {
    const { page } = workbench();
    const faults: string[] = [];
    for (const theme of THEMES) {
      await chooseTheme(page, theme);
      await takeScreenshot(page, `accessible-${name}-${theme}`);
      faults.push(...(await findAccessibilityFaults(page)).map((fault) => `${theme}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  }

  it('are that of a stream, in every kind of theme, its table shown', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Details');
    await detailsFrame(page).locator('.u-over').nth(1).waitFor();
    await detailsFrame(page).getByRole('button', { name: 'Show Sessions as a Table' }).click();
    await assertForAll('stream');
  });

  it('are that of a session, with its player', async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Yesterday 18:00'));
    await tree.chooseFromContextMenu(page, 'Yesterday 18:00', 'Show Details');
    await untilVideo(page, ({ contrast }) => contrast > 5);
    await detailsFrame(page).locator('.summary').click();
    await assertForAll('session');
  });

  it('are the player’s, while it plays what is live', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch');
    await untilVideo(page, ({ contrast }) => contrast > 5);
    await playerFrame(page).locator('.summary').click();
    await assertForAll('player');
  });

  it('are the player’s, where it cannot play', async () => {
    const { page } = workbench();
    addRecording(service(), 'Nothing there', {
      recordingUrl: `${service().addresses.hls?.split('/hls/')[0]}/hls/none.m3u8`,
    });
    await openRecordingOf(page, 'Nothing there');
    await untilProblem(page, /404/);
    await assertForAll('problem');
  });
});
