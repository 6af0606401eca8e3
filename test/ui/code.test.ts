import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { fieldsOf } from '../support/fieldsOf.ts';
import { untilHovered } from '../support/page/hover.ts';
import { startDemoFromWelcome } from '../support/page/madeStream.ts';
import { readClipboard } from '../support/page/messages.ts';
import {
  chooseWith,
  pickQuickItem,
  readQuickInput,
  runEditorCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { describeInFuzz } from '../support/runner/fuzzRuns.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const KEY = /\b[a-z0-9]{4}(-[a-z0-9]{4}){3}\b/;

const HOME = `export default function Home() {
  return (
    <main>
      <h1>Don't miss it</h1>
    </main>
  );
}
`;

describe('Code in the editor', () => {
  const workbench = suiteWorkbench();

  before(async () => {
    const { page, folder } = workbench();
    // Go to File may list what was there the time before.
    writeCode(folder);
    for (const name of ['page.html', 'embedded.html']) writeFileSync(join(folder, name), '<!doctype html>\n\n');
    writeFileSync(join(folder, 'player.py'), 'import json\n\n');
    writeFileSync(join(folder, 'home.tsx'), HOME);
    await startDemoFromWelcome(page);
  });

  describe('Rows in code', () => {
    let html = '';

    before(async () => {
      await openFile(workbench().page, 'page.html');
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
      assert.doesNotMatch(html, KEY);
    });

    it('play in a browser as they are', async () => {
      await showInBrowser(workbench().browser, html, async (page) => {
        const video = page.locator('video');
        await video.evaluate((element: unknown) => (element as { play(): Promise<void> }).play());
        await waitUntil(async () => {
          const time = await video.evaluate((element: unknown) => (element as { currentTime: number }).currentTime);
          return time > 0.5;
        });
      });
    });

    it('are embedded in an HTML file with the player of the service', async () => {
      const { page, folder, browser } = workbench();
      await openFile(page, 'embedded.html');
      await chooseWith(page, 'liveStreams.insertSnippet', { item: 'Keynote' });
      await pickQuickItem(page, 'Player in an iframe');
      await page.locator('.tab', { hasText: 'Preview' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+S');
      const saved = () => readFileSync(join(folder, 'embedded.html'), 'utf8');
      await waitUntil(() => saved().includes('<iframe'));
      assert.doesNotMatch(saved(), KEY);
      await showInBrowser(browser, saved(), async (embedding) => {
        const player = embedding.frameLocator('iframe[title="Keynote"]');
        await player.locator('h1').filter({ hasText: 'Keynote' }).waitFor();
        await player.locator('video').waitFor();
      });
    });
  });

  describe('A snippet from the picker', () => {
    it('is shown in place of the file before it is inserted, and no longer afterwards', async () => {
      const { page } = workbench();
      await openFile(page, 'player.py');
      await page.locator('.editor-instance .view-line').nth(1).click();
      await chooseWith(page, 'liveStreams.insertSnippet', { item: 'Keynote' });
      const preview = page.locator('.tab', { hasText: 'Preview' });
      const shown = page.locator('.editor-instance .view-lines').filter({ hasText: 'requests.get' });
      await shown.filter({ hasText: 'def get_stream' }).waitFor();
      assert.equal(await page.locator('.editor-group-container').count(), 1, 'as wide as the file');
      assert.deepEqual(
        fieldsOf((await readQuickInput(page, 'Insert Code Snippet for "Keynote" (Python)')).items, 'label'),
        [
          'Get the stream from the API',
          'List the sessions of the stream',
          'Create a stream',
          'HLS URL',
          'Playback ID',
        ].concat(['Stream ID', 'VS Code Link']),
      );
      await takeScreenshot(page, 'snippet-picker');
      await page.keyboard.press('ArrowDown');
      await shown.filter({ hasText: 'def list_sessions' }).waitFor();
      await page.keyboard.press('Enter');
      await preview.waitFor({ state: 'detached' });
      const code = page.locator('.editor-instance .view-lines');
      await code.filter({ hasText: 'import requests' }).filter({ hasText: 'def list_sessions' }).waitFor();
      await takeScreenshot(page, 'snippet-inserted');
      await chooseWith(page, 'liveStreams.insertSnippet', { item: 'Keynote' });
      await preview.waitFor();
      await page.keyboard.press('Escape');
      await preview.waitFor({ state: 'detached' });
      await code.filter({ hasText: 'def list_sessions' }).waitFor();
    });

    it('is an element in JSX and its component, which one undo takes back', async () => {
      const { page, folder } = workbench();
      const saved = () => readFileSync(join(folder, 'home.tsx'), 'utf8');
      await openFile(page, 'home.tsx');
      await page.locator('.editor-instance .view-line').nth(3).click();
      await page.keyboard.press('End');
      await chooseWith(page, 'liveStreams.insertSnippet', { item: 'Keynote' });
      await page.locator('.editor-instance .view-lines').filter({ hasText: 'useRef<HTMLVideoElement>' }).waitFor();
      const { items } = await readQuickInput(page, 'Insert Code Snippet for "Keynote" (TypeScript JSX)');
      assert.deepEqual(fieldsOf(items, 'label'), [
        'Component with hls.js',
        'HLS URL',
        'Playback ID',
        'Stream ID',
        'VS Code Link',
      ]);
      await takeScreenshot(page, 'component-picker');
      await page.keyboard.press('Enter');
      await page.locator('.tab', { hasText: 'Preview' }).waitFor({ state: 'detached' });
      await takeScreenshot(page, 'component-inserted');
      await page.keyboard.press('Control+S');
      const text = await waitUntil(() => saved() !== HOME && saved());
      assert.match(
        text,
        /<h1>Don't miss it<\/h1>\n {6}<LivePlayer \/>\n {4}<\/main>\n {2}\);\n\}\n\nfunction LivePlayer/,
      );
      await page.keyboard.press('Control+Z');
      await page.keyboard.press('Control+S');
      await waitUntil(() => saved() === HOME);
    });
  });

  describe('Keys that are pasted into code', () => {
    it('are an error that Quick Fix moves to .env, and undo brings back', async () => {
      const { page, folder } = workbench();
      execFileSync('git', ['init', '-q', folder]);
      writeFileSync(join(folder, 'package.json'), '{}\n');
      await pasteKey(page);
      await page.keyboard.press('ArrowLeft');
      const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'stream key of "Keynote"' });
      await untilHovered(page.locator('.squiggly-error'), hover);
      await takeScreenshot(page, 'leaked-key');
      assert.doesNotMatch(await hover.innerText(), KEY);
      // Not where a notification would appear, and with it a hover.
      await page.mouse.move(900, 300);
      // VS Code closes the list of fixes together with a hover that is still there.
      await hover.waitFor({ state: 'hidden' });
      // What VS Code asks for by itself where the cursor is now would take the place of what the keys ask for.
      await page.locator('.lightBulbWidget:visible, [class*="codicon-gutter-lightbulb"]').first().waitFor();
      await page.keyboard.press('Control+.');
      await page.locator('.action-widget').getByText('Move to .env').waitFor();
      await takeScreenshot(page, 'leaked-key-fixes');
      await page.keyboard.press('Enter');
      await page.locator('.squiggly-error').waitFor({ state: 'detached' });
      const code = page.locator('.editor-instance .view-lines');
      await code.filter({ hasText: 'import os' }).filter({ hasText: 'os.environ["STREAM_KEY"]' }).waitFor();
      assert.match(readFileSync(join(folder, '.env'), 'utf8'), /^STREAM_KEY=([a-z0-9]{4}-){3}[a-z0-9]{4}\n$/);
      assert.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^\.env$/m);
      await page.keyboard.press('Control+Z');
      await page.locator('.squiggly-error').waitFor();
      assert.ok(existsSync(join(folder, '.env')));
      await runEditorCommand(page, 'View: Focus Problems');
      const problem = page.locator('.markers-panel [role="treeitem"]').filter({ hasText: 'Keynote' });
      await problem.waitFor();
      assert.doesNotMatch(`${await problem.getAttribute('aria-label')} ${await problem.innerText()}`, KEY);
    });
  });
});

describeInFuzz('Keys that are pasted into code in Restricted Mode', () => {
  const folderSettings = { 'liveStreams.leakGuard': false, 'liveStreams.leakGuardExclude': ['**'] };
  const workbench = suiteWorkbench({ withWorkspaceTrust: true, folderSettings });

  it('are found, whatever the settings of the folder say', async () => {
    const { page, folder } = workbench();
    await page.locator('.statusbar').getByText('Restricted Mode').waitFor();
    writeCode(folder);
    await startDemoFromWelcome(page);
    await pasteKey(page);
  });
});

function writeCode(folder: string): void {
  writeFileSync(join(folder, 'send.py'), 'import json\n\nurl = ""\n');
}

/** Copies the key of a stream of the demo as a person does, and waits until it is marked where it was pasted. */
async function pasteKey(page: Page): Promise<void> {
  await openFile(page, 'send.py');
  await tree.pressRowAction(page, 'Keynote', 'Copy Stream Key');
  await waitUntil(async () => KEY.test(await readClipboard(page)));
  await page.locator('.editor-instance .view-line').nth(2).click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('rtmp://127.0.0.1/live/');
  await page.keyboard.press('Control+V');
  await page.locator('.squiggly-error, .squiggly-warning').waitFor();
}

async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+P');
  await typeInQuickInput(page, name);
  await pickQuickItem(page, name);
  await page.locator('.editor-instance .view-line').first().waitFor();
}

/** Serves a page and shows it. */
async function showInBrowser(browser: Browser, html: string, look: (page: Page) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  try {
    // There is no way out of the tests' machine: the library comes from the package that the extension has, too.
    const body = readFileSync(inProject('node_modules/hls.js/dist/hls.min.js'), 'utf8');
    await page.route('https://cdn.jsdelivr.net/**', (route) => route.fulfill({ body, contentType: 'text/javascript' }));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await look(page);
  } finally {
    await page.close();
    server.close();
  }
}
