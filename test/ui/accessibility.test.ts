import assert from 'node:assert/strict';
import { findAccessibilityFaults } from '../support/page/accessibility.ts';
import { detailsFrame, openMenu, openMore } from '../support/page/detailsPage.ts';
import { chartContrast, paintedContrasts, themeContrasts } from '../support/page/iconContrast.ts';
import {
  playerFrame,
  pressMenuEntry,
  pressPlayerButton,
  untilProblem,
  untilVideo,
} from '../support/page/playerPage.ts';
import { addRecording, lastEvening, openRecordingOf } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { chooseWith } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { sampleOf } from '../support/runner/fuzzRuns.ts';

const THEMES = sampleOf(
  ['light-2026', 'dark-2026', 'light', 'high-contrast', 'high-contrast-light', 'dark'] as const,
  2,
);

/** WCAG 2, 1.4.11: what is needed to understand an icon. */
const LEAST = 3;

describe('Accessibility', () => {
  const { workbench, service } = suitePlayerWorkbench({ browser: 'withoutAac' });

  async function assertForAll(name: string, { hasKeys = false } = {}): Promise<void> {
    const { page } = workbench();
    const faults: string[] = [];
    for (const theme of THEMES) {
      await chooseTheme(page, theme);
      await takeScreenshot(page, `accessible-${name}-${theme}`);
      faults.push(...(await findAccessibilityFaults(page)).map((fault) => `${theme}: ${fault}`));
      for (const sign of await detailsFrame(page).locator('.sign[data-sign="listed"]').all()) {
        const figure = await chartContrast(page, sign, 'fill');
        if (figure < LEAST) faults.push(`${theme}: a listed segment has a contrast of ${figure}`);
      }
      if (!hasKeys) continue;
      await pressMenuEntry(page, 'Keyboard Shortcuts');
      await playerFrame(page).locator('#keys').waitFor();
      faults.push(...(await findAccessibilityFaults(page)).map((fault) => `${theme}, with the keys: ${fault}`));
      await page.keyboard.press('Escape');
      await playerFrame(page).locator('#keys').waitFor({ state: 'hidden' });
    }
    assert.deepEqual(faults, []);
  }

  describe('the page of a stream in every kind of theme', () => {
    before(async () => {
      const { page } = workbench();
      await tree.collapseRow(page, 'Keynote');
      await tree.selectRow(page, 'Keynote');
      await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
      await detailsFrame(page).locator('.strip').waitFor();
      await detailsFrame(page).locator('.picture.drawn').waitFor();
      await openMore(page);
    });

    for (const theme of THEMES) {
      it(`the page of a stream is accessible: ${theme}`, async () => {
        const { page } = workbench();
        await chooseTheme(page, theme);
        await takeScreenshot(page, `accessible-stream-${theme}`);
        assert.deepEqual(await findAccessibilityFaults(page), []);
        await openMenu(page);
        assert.deepEqual(await findAccessibilityFaults(page), [], 'with its menu');
        await page.keyboard.press('Escape');
      });

      it(`icons of rows stand out from what is under them: ${theme}`, async () => {
        const { page } = workbench();
        const figures = await themeContrasts(page);
        console.log(`${theme}: ${describeFigures(figures)}`);
        assert.deepEqual(
          [...figures].filter(([, figure]) => figure < LEAST),
          [],
        );
      });

      it(`icons of rows stand out, whether a row is selected or not: ${theme}`, async () => {
        const { page } = workbench();
        assert.ok((await tree.readRows(page)).some((row) => row.label === 'Keynote' && row.isSelected));
        const figures = await paintedContrasts(page);
        assert.ok(figures.size > 1);
        console.log(`${theme}, as painted: ${describeFigures(figures)}`);
        assert.ok(
          [...figures.values()].every((figure) => figure >= LEAST),
          describeFigures(figures),
        );
      });
    }
  });

  it('bars of sessions that were not recorded stand out in every kind of theme', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Conference room 4B', 'Show Stream Details');
    await detailsFrame(page).locator('h1', { hasText: 'Conference room 4B' }).waitFor();
    for (const theme of THEMES) {
      await chooseTheme(page, theme);
      const bar = detailsFrame(page).locator('.slice[data-tone="quiet"]').first();
      const figure = await chartContrast(page, bar, 'borderTopColor');
      assert.ok(figure >= LEAST, `${theme}: ${figure}`);
    }
  });

  it('the page of a check with problems is accessible in every kind of theme', async () => {
    const { page } = workbench();
    const { control } = service();
    const { id } = control.streams().find(({ name }) => name === 'Keynote') ?? assert.fail('There is no such stream');
    control.setStream(id, { isHealthy: false, issues: ['Keyframes are rare'], profiles: [{ name: '720p' }] });
    await chooseWith(page, 'liveStreams.checkStream', { item: 'Keynote' });
    await detailsFrame(page).locator('.finding').first().waitFor();
    await openMore(page);
    await assertForAll('check');
  });

  it('the page of a failed delivery with its headers is accessible in every kind of theme', async () => {
    const { page } = workbench();
    const view = 'Webhooks';
    await tree.expandView(page, view);
    await tree.expandRow(page, 'Website', { view });
    const deliveries = tree.treeOf(page, view).locator('[role="treeitem"]:not([aria-level="1"])');
    await deliveries
      .filter({ has: page.locator('.codicon-error') })
      .first()
      .click();
    await detailsFrame(page)
      .getByText(/^Headers/)
      .click();
    await assertForAll('delivery');
    await tree.collapseView(page, view);
  });

  it('the page of a session with its player is accessible in every kind of theme', async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === lastEvening(service())));
    await tree.chooseFromContextMenu(page, lastEvening(service()), 'Show Session Details');
    await untilVideo(page, ({ contrast }) => contrast > 5);
    await openMore(page);
    await assertForAll('session');
  });

  it('the player’s page is accessible in every kind of theme while it plays what is live', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await untilVideo(page, ({ contrast }) => contrast > 5);
    await assertForAll('player', { hasKeys: true });
  });

  it('the bar in which a clip is cut is accessible in every kind of theme', async () => {
    const { page } = workbench();
    await pressMenuEntry(page, 'Create Clip…');
    const frame = playerFrame(page);
    await frame.getByLabel('Start time').fill('soon');
    await frame.getByLabel('Start time').press('Enter');
    await frame.getByText('Enter a time such as 1:30.').waitFor();
    await assertForAll('clip-bar');
    await pressPlayerButton(page, 'Cancel');
  });

  it('the player’s page is accessible in every kind of theme where it cannot play', async () => {
    const { page } = workbench();
    addRecording(service(), 'Nothing there', {
      recordingUrl: `${service().addresses.hls?.split('/hls/')[0]}/hls/none.m3u8`,
    });
    await openRecordingOf(page, 'Nothing there');
    await untilProblem(page, /404/);
    await assertForAll('problem');
  });
});

function describeFigures(figures: ReadonlyMap<string, number>): string {
  const lowest = [...figures].sort(([, one], [, other]) => one - other).slice(0, 4);
  return lowest.map(([what, figure]) => `${what} ${figure.toFixed(1)}`).join(', ');
}
