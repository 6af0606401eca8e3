import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { playerFrame, untilPlaying, videoOf } from '../support/page/playerPage.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { runEditorCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';

describeInBrowsers('The tabs of players', (browser) => {
  const { workbench } = suitePlayerWorkbench({ browser });

  const tabs = () => workbench().page.locator('.tabs-container .tab').allInnerTexts();
  const frameAt = (index: number): FrameLocator =>
    workbench().page.frameLocator('iframe.webview.ready:visible').nth(index).frameLocator('#active-frame');
  const soundOf = (frame: FrameLocator) =>
    frame.locator('video').evaluate((video: unknown) => {
      const { muted, paused } = video as { readonly muted: boolean; readonly paused: boolean };
      return !paused && !muted;
    });
  const named = (name: string): Promise<FrameLocator> =>
    waitUntil(async () => {
      for (const frame of [frameAt(0), frameAt(1)]) if ((await frame.locator('h1').innerText()) === name) return frame;
      return undefined;
    });

  it('show what is clicked next, with an icon', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await untilPlaying(page);
    await videoOf(page).evaluate((video: unknown) => (video as { pause(): void }).pause());
    await tree.pressRowAction(page, 'Quiz Night with Ola', 'Watch Stream');
    await playerFrame(page).locator('h1').filter({ hasText: 'Quiz Night' }).waitFor();
    await untilPlaying(page);
    assert.deepEqual(await tabs(), ['Quiz Night with Ola']);
    const images = await page.locator('.tabs-container .tab').evaluate((tab: unknown) => {
      const all = [...(tab as { querySelectorAll(all: string): Iterable<unknown> }).querySelectorAll('*')];
      return all.flatMap((element) =>
        ['', '::before'].flatMap((part) => {
          const { content, backgroundImage } = getComputedStyle(element, part);
          return [content, backgroundImage];
        }),
      );
    });
    assert.ok(
      images.some((image) => image.includes('data:image/svg+xml')),
      images.join(),
    );
  });

  it('stand side by side, level, and one has sound: the one that was played or clicked last', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Bird nest cam', 'Watch Stream');
    await waitUntil(async () => (await tabs()).join().includes('Bird nest cam'));
    await runEditorCommand(page, 'View: Move Editor into Right Group');
    await waitUntil(async () => (await page.locator('iframe.webview.ready:visible').count()) === 2);
    const [first, second] = [await named('Quiz Night with Ola'), await named('Bird nest cam')];
    await waitUntil(async () => (await soundOf(second)) && !(await soundOf(first)));
    const boxes = await Promise.all([first, second].map((frame) => frame.locator('video').boundingBox()));
    assert.equal(boxes[0]?.y, boxes[1]?.y);
    assert.equal(boxes[0]?.height, boxes[1]?.height);
    await takeScreenshot(page, 'player-side-by-side');
    await first.locator('.position').click();
    await waitUntil(async () => (await soundOf(first)) && !(await soundOf(second)));
  });

  it('leave the tabs as they are in which something plays', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await waitUntil(async () => (await tabs()).join().includes('Keynote'));
    for (const name of ['Quiz Night with Ola', 'Bird nest cam']) assert.ok((await tabs()).includes(name), name);
  });

  it('keep their controls usable in a window 200 pixels wide and 150 high', async () => {
    const { page } = workbench();
    await runEditorCommand(page, 'View: Close All Editors');
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await untilPlaying(page);
    await runEditorCommand(page, 'View: Toggle Primary Side Bar Visibility');
    const size = await playerFrame(page)
      .locator('body')
      .evaluate((body: unknown) => {
        const { clientWidth, clientHeight } = body as { readonly clientWidth: number; readonly clientHeight: number };
        return { clientWidth, clientHeight };
      });
    await page.setViewportSize({ width: 1280 - size.clientWidth + 200, height: 800 - size.clientHeight + 150 });
    await page.waitForTimeout(500);
    await takeScreenshot(page, 'player-small');
    const frame = playerFrame(page);
    const inside = await frame.locator('body').boundingBox();
    assert.ok(inside && inside.width <= 230 && inside.height <= 160, JSON.stringify(inside));
    for (const control of [
      '.controls > .playerTool >> nth=0',
      '.seek',
      '.goLive',
      '.sounds .playerTool',
      '.moreActions',
    ]) {
      const box = await frame.locator(control).boundingBox();
      const isInside = box !== null && box.x >= inside.x && box.x + box.width <= inside.x + inside.width + 1;
      assert.ok(isInside && box.width >= 18 && box.y + box.height <= inside.y + inside.height + 1, control);
    }
    const video = await frame.locator('video').boundingBox();
    assert.ok(video && video.height >= 40, JSON.stringify(video));
    await frame.locator('.moreActions').click();
    await frame.getByLabel('Quality').waitFor();
    await takeScreenshot(page, 'player-small-menu');
  });
});

declare function getComputedStyle(
  element: unknown,
  part: string,
): { readonly content: string; readonly backgroundImage: string };
