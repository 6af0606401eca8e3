import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Ingest, parseIngest } from '../../../src/broadcast/ingest.ts';
import { detailsFrame } from './detailsPage.ts';
import { readClipboard } from './messages.ts';
import { answerQuickInput, pickQuickItem, readQuickInput } from './quickInput.ts';
import * as tree from './treeView.ts';
import { waitUntil } from './waitUntil.ts';

/** Starts the demo from the welcome, and waits for its rows. */
export async function startDemoFromWelcome(page: Page): Promise<void> {
  await tree.showContainer(page);
  await tree.pressWelcomeButton(page, 'Try the Demo');
  await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
}

/** Creates a stream. Its row is selected then, and its page is open. */
export async function makeStream(page: Page, name: string, { record }: { readonly record: boolean }): Promise<void> {
  await tree.pressViewAction(page, 'Create Stream…');
  await answerQuickInput(page, name);
  if (record) await chooseRecording(page);
  await pickQuickItem(page, 'Create', 'Create Stream (2/2)');
  await tree.untilRows(page, (rows) => rows.some(({ label, isSelected }) => label === name && isSelected));
  await detailsFrame(page).locator('h1', { hasText: name }).waitFor();
}

/** Turns recording on in the box that creates a stream. */
export async function chooseRecording(page: Page): Promise<void> {
  await pickQuickItem(page, 'Recording', 'Create Stream (2/2)');
  await waitUntil(async () => {
    const { items } = await readQuickInput(page, 'Create Stream (2/2)');
    return items.some(({ label, description }) => label === 'Recording' && description === 'On');
  });
}

/** Scrolls to the top each time it looks: rows out of sight are not there, and a player that opens takes the focus. */
export async function untilInGroup(page: Page, name: string, group: string): Promise<tree.Row> {
  return waitUntil(async () => {
    await tree.treeOf(page).focus();
    await page.keyboard.press('Home');
    const rows = await tree.readRows(page);
    const at = rows.findIndex(({ label }) => label === name);
    return rows.slice(0, at).findLast(({ level }) => level === 1)?.label === group && rows[at];
  });
}

/**
 * Waits until a stream that was just created is live. Opens its page, which reads it with each poll: lists alone are not
 * believed about a new stream for 30 s.
 */
export async function untilLive(page: Page, name: string): Promise<tree.Row> {
  await tree.chooseFromContextMenu(page, name, 'Show Stream Details');
  await detailsFrame(page).locator('h1', { hasText: name }).waitFor();
  return untilInGroup(page, name, 'Active');
}

/** Copies where a stream of the demo is sent to, with its key, as its row does. */
export async function copyIngest(page: Page, name: string): Promise<Ingest> {
  await tree.chooseFromContextMenu(page, name, ['Copy', 'Copy RTMP URL (with Key)']);
  await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
  const address = await waitUntil(async () => {
    const text = await readClipboard(page);
    return text.startsWith('rtmp://127.0.0.1:') && text;
  });
  const key = address.split('/').at(-1) ?? '';
  const parsed = parseIngest(address.replace(key, '{streamKey}'), key);
  assert.ok(parsed.ok);
  return parsed.ingest;
}
