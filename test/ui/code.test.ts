import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pickQuickItem, typeInQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('Rows in code', () => {
  const workbench = suiteWorkbench();
  let html = '';

  before(async () => {
    const { page, folder } = workbench();
    writeFileSync(join(folder, 'page.html'), '<!doctype html>\n\n');
    await tree.showContainer(page);
    await tree.pressWelcomeButton(page, 'Try the Demo');
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
    await page.keyboard.press('Control+P');
    await typeInQuickInput(page, 'page.html');
    await pickQuickItem(page, 'page.html');
    await page.locator('.monaco-editor .view-line').first().waitFor();
  });

  it('are dragged into an HTML file as a video', async () => {
    const { page, folder } = workbench();
    const row = await tree.rowOf(page, 'Keynote').boundingBox();
    const line = await page.locator('.editor-instance .view-line').nth(1).boundingBox();
    assert.ok(row && line);
    await page.mouse.move(row.x + 60, row.y + row.height / 2);
    await page.mouse.down();
    await page.mouse.move(row.x + 90, row.y + row.height / 2 + 8, { steps: 4 });
    await page.mouse.move(line.x + 4, line.y + line.height / 2, { steps: 12 });
    await page.mouse.up();
    await page.locator('.editor-instance .view-lines').filter({ hasText: 'Hls.isSupported' }).waitFor();
    await takeScreenshot(page, 'dropped');
    await page.keyboard.press('Control+S');
    html = await waitUntil(() => {
      const text = readFileSync(join(folder, 'page.html'), 'utf8');
      return text.includes('<video') && text;
    });
    assert.match(html, /^ {8}const video = /m, 'indented as the editor does');
    assert.doesNotMatch(html, /\b[a-z0-9]{4}(-[a-z0-9]{4}){3}\b/);
  });

  it('play in a browser as they are', async () => {
    const { browser } = workbench();
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = await browser.newPage();
    try {
      // There is no way out of the tests' machine: the library comes from the package that the extension has, too.
      const body = readFileSync(inProject('node_modules/hls.js/dist/hls.min.js'), 'utf8');
      await page.route('https://cdn.jsdelivr.net/**', (route) =>
        route.fulfill({ body, contentType: 'text/javascript' }),
      );
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const video = page.locator('video');
      await video.evaluate((element: unknown) => (element as { play(): Promise<void> }).play());
      await waitUntil(async () => {
        const time = await video.evaluate((element: unknown) => (element as { currentTime: number }).currentTime);
        return time > 0.5;
      });
    } finally {
      await page.close();
      server.close();
    }
  });
});
