import assert from 'node:assert/strict';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { startDemoFromWelcome } from '../support/page/madeStream.ts';
import { pickQuickItem, runCommand, typeInQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('Checks in the workbench', () => {
  const workbench = suiteWorkbench();

  before(() => startDemoFromWelcome(workbench().page));

  /** Lines end in other spaces there. */
  const untilReport = (first: string) =>
    waitUntil(async () => {
      const lines = await workbench().page.locator('.editor-instance .view-line').allInnerTexts();
      const text = lines.join('\n').replaceAll('\u00a0', ' ');
      return text.includes(first) && text;
    });

  it('show the health of a live stream on its page, in the default themes', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    const health = detailsFrame(page).getByRole('group', { name: 'Health' });
    await health.waitFor();
    assert.match(await health.innerText(), /Receiving data\s+Yes/);
    for (const theme of ['light-2026', 'dark-2026'] as const) {
      await chooseTheme(page, theme);
      await health.scrollIntoViewIfNeeded();
      await takeScreenshot(page, `health-${theme}`);
    }
  });

  it('report on a stream from the palette, as text that only offers what text can do', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.checkStream');
    await typeInQuickInput(page, 'Keynote');
    await pickQuickItem(page, 'Keynote');
    const text = await untilReport('Check results for "Keynote"');
    assert.match(text, /✓ State: Live/);
    assert.doesNotMatch(text, /✗/);
    assert.equal(await page.locator('.editor-actions .action-label[aria-label*="Reveal Secrets"]').count(), 0);
    await takeScreenshot(page, 'check-of-stream');
  });

  it('inspect a URL that is typed, and say what it has to be', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.inspectPlayback');
    await typeInQuickInput(page, 'http://video.example/index.m3u8');
    await page.getByText('Enter a URL that starts with https://, or a playback ID.').waitFor();
    await typeInQuickInput(page, 'http://127.0.0.1:9/index.m3u8');
    await page.keyboard.press('Enter');
    const text = await untilReport('HLS playback on 127.0.0.1:9');
    assert.match(text, /✗ Playlist: 127\.0\.0\.1:9 refused the connection\./);
    await takeScreenshot(page, 'inspected-url');
  });
});
