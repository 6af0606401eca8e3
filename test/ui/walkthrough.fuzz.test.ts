import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readStatusBar } from '../support/page/messages.ts';
import {
  answerQuickInput,
  dismissQuickInput,
  quickInput,
  readQuickInput,
  runEditorCommand,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { readSteps } from '../support/page/walkthrough.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const TITLE = 'Get Started with Live Streams';
const STEPS = [
  'Connect or try the demo',
  "See who's live",
  'Connect your encoder',
  'Watch a recording',
  'Debug your webhook handler',
];

describe('The walkthrough, on the demo', () => {
  const workbench = suiteWorkbench({ size: { width: 1720, height: 900 } });
  const picture = (name: string) => takeScreenshot(workbench().page, `walkthrough-${name}`);

  it('is not open by itself, and is among what Get Started offers', async () => {
    const { page } = workbench();
    await tree.untilOffered(page);
    await untilOffered(page);
    await dismissQuickInput(page);
    assert.equal(await page.locator('.gettingStartedContainer').count(), 0);
  });

  it('opens from the empty view, with nothing done', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.paneOf(page).locator('.welcome-view-content a', { hasText: 'Open the walkthrough' }).click();
    await waitUntil(async () => (await readSteps(page)).length === STEPS.length);
    assert.deepEqual(
      await readSteps(page),
      STEPS.map((title) => ({ title, isDone: false })),
    );
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer\b/ })
      .click();
  });

  it('has the demo started, which is a connection', async () => {
    const { page } = workbench();
    await untilPictured(page);
    await picture('1');
    await pressButton(page, 'Try the Demo');
    await untilDone(page, 1);
    assert.equal((await readSteps(page))[1]?.isDone, false, 'nobody has seen the rows yet');
  });

  it('shows who is live', async () => {
    const { page } = workbench();
    await openStep(page, "See who's live");
    await pressButton(page, 'Show Streams');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Active'));
    await untilDone(page, 2);
    await picture('2');
  });

  it('has a key copied, which a person takes to an encoder', async () => {
    const { page } = workbench();
    await openStep(page, 'Connect your encoder');
    await untilPictured(page);
    await picture('3');
    await pressButton(page, 'Copy Stream Key');
    await pickFirst(page);
    // Not read from the clipboard, which a page gives out only while no frame in it has the focus.
    const isCopied = (text: string) => text.includes('Copied the stream key for "');
    await waitUntil(async () => (await readStatusBar(page)).some(isCopied));
    await untilDone(page, 3);
  });

  it('has a recording watched', async () => {
    const { page } = workbench();
    await openStep(page, 'Watch a recording');
    await pressButton(page, 'Watch Recording');
    // Of the sessions of one stream some are ready, which have a length, and some are not: the row is chosen, not its label.
    const ready = quickInput(page).locator('.quick-input-list .monaco-list-row', { hasText: /· \d/ }).first();
    await ready.waitFor();
    const stream = await ready.locator('.quick-input-list-row:first-child .label-name').innerText();
    await ready.click();
    await page.locator('.tabs-container .tab[data-resource-name]', { hasText: stream }).first().waitFor();
    await page.locator('.tabs-container .tab', { hasText: 'Welcome' }).click();
    await untilDone(page, 4);
  });

  it('has events listened for, and is then done', async () => {
    const { page } = workbench();
    await openStep(page, 'Debug your webhook handler');
    await pressButton(page, 'Listen for Webhook Events');
    await answerQuickInput(page, 'http://localhost:3000/webhook', 'Listen for Webhook Events');
    await untilDone(page, 5);
    await picture('done');
  });

  it('has five pictures, which are light in light themes', async () => {
    const { page } = workbench();
    const looks: Record<string, string[]> = {};
    for (const [theme, body] of [
      ['light', 'body.vscode-light'],
      ['dark', 'body.vscode-dark'],
    ] as const) {
      await chooseTheme(page, theme);
      for (const [index, title] of STEPS.entries()) {
        await openStep(page, title);
        const look = await untilPictured(page, body);
        looks[theme] = [...(looks[theme] ?? []), look.toString('base64')];
        await picture(`${index + 1}-${theme}`);
      }
    }
    assert.equal(new Set(Object.values(looks).flat()).size, 2 * STEPS.length);
  });
});

/** The list is made when it is opened, and has what the extensions that have started by then offer. */
async function untilOffered(page: Page): Promise<void> {
  await waitUntil(async () => {
    await runEditorCommand(page, 'Open Walkthrough');
    const offered = await untilItems(page);
    const isThere = offered.some(({ label }) => label === TITLE);
    if (!isThere) await dismissQuickInput(page);
    return isThere;
  });
}

async function untilDone(page: Page, count: number): Promise<void> {
  await waitUntil(async () => (await readSteps(page)).filter(({ isDone }) => isDone).length === count);
}

async function openStep(page: Page, title: string): Promise<void> {
  const step = page.locator('.gettingStartedContainer .getting-started-step', { hasText: title });
  await step.click();
  await step.and(page.locator('[aria-expanded=true]')).waitFor();
}

async function pressButton(page: Page, name: string): Promise<void> {
  await page.locator('.getting-started-step.expanded').getByRole('button', { name, exact: true }).click();
}

/** Waits for the picture of the step, which is a page of its own, and returns how it looks. */
async function untilPictured(page: Page, body = 'body.vscode-dark'): Promise<Buffer> {
  const frame = page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  const picture = frame.locator(`${body} svg[viewBox="0 0 520 320"]`);
  await picture.waitFor();
  return waitUntil(async () => {
    // The step before may still be there, and take its frame away meanwhile.
    const look = await picture.screenshot().catch(() => undefined);
    // A screenshot of an empty frame has far fewer bytes.
    return look !== undefined && look.length > 8_000 && look;
  });
}

async function untilItems(page: Page) {
  await waitUntil(async () => (await readQuickInput(page)).items.length > 0);
  return (await readQuickInput(page)).items;
}

async function pickFirst(page: Page): Promise<void> {
  await untilItems(page);
  await quickInput(page).locator('.quick-input-list .monaco-list-row').first().click();
}
