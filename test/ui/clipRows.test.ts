import assert from 'node:assert/strict';
import { playerFrame, untilPlaying } from '../support/page/playerPage.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { quickInput, readQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';

const IN_RECORDINGS = { view: 'Recordings' };

describe('Recordings with clips', () => {
  const { workbench, service } = suitePlayerWorkbench({ browser: 'withoutAac' });
  const isReady = (row: tree.Row) => row.level === 2 && tree.isReadySession(row);

  it('keep their icon, and a clip that failed shows the page of its session, at the table of clips', async () => {
    const { page } = workbench();
    const { control } = service();
    const session = control
      .streams()
      .flatMap(({ id }) => control.sessions(id))
      .filter(({ recordingStatus }) => recordingStatus === 'ready')
      .toSorted((a, b) => b.createdAt - a.createdAt)[0];
    assert.ok(session);
    control.failClips('No disk');
    control.addClip(session.id, { name: 'Broken', createdAt: 5, excerpt: { from: 0, to: 2 } });
    await tree.collapseView(page, 'Streams');
    await tree.expandView(page, 'Recordings');
    const rows = await tree.untilRows(
      page,
      (all) => all.some(({ description }) => description.includes('clip')),
      IN_RECORDINGS,
    );
    const row = rows.find(({ description }) => /clip/.test(description));
    assert.deepEqual([row?.icon, row?.isExpanded], ['play-circle', false]);
    await tree.expandRow(page, row?.label ?? '', IN_RECORDINGS);
    await tree.rowOf(page, 'Broken', IN_RECORDINGS).click();
    const table = playerFrame(page).getByRole('row').filter({ hasText: 'Failed · No disk' });
    await table.waitFor();
    await waitUntil(async () => {
      const box = await table.boundingBox();
      return box !== null && box.y + box.height < (page.viewportSize()?.height ?? 0);
    });
    await takeScreenshot(page, 'clip-failed');
  });

  it('take a range that is typed into the list of lengths', async () => {
    const { page } = workbench();
    const rows = await tree.readRows(page, 'Recordings');
    await tree.chooseFromContextMenu(page, rows.find(isReady)?.label ?? '', 'Create Clip…', IN_RECORDINGS);
    await quickInput(page, 'Create Clip').waitFor();
    await page.keyboard.type('0:01 - 0:03');
    await waitUntil(async () => (await readQuickInput(page)).items.some(({ label }) => label === '0:01–0:03'));
    await takeScreenshot(page, 'clip-range-typed');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await readQuickInput(page)).message.includes('Enter a name for the clip'));
    await page.keyboard.press('Escape');
  });

  it('are beside sessions that are live, which play by a click', async () => {
    const { page } = workbench();
    const rows = await tree.readRows(page, 'Recordings');
    const live = rows.find(({ ariaLabel }) => /, live\b/.test(ariaLabel))?.label ?? '';
    const menu = await tree.readContextMenu(page, live, IN_RECORDINGS);
    assert.equal(menu[0], 'Watch Stream');
    await tree.rowOf(page, live, IN_RECORDINGS).click();
    await untilPlaying(page);
    await takeScreenshot(page, 'session-live-plays');
  });
});
