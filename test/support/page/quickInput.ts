import type { Locator, Page } from 'playwright-core';
import { commandCategory, commandLabel, commandsLabelled } from './commandLabels.ts';
import type { PageElement } from './pageElement.ts';
import { waitUntil } from './waitUntil.ts';

/** The picker or input box at the top of the workbench, as it is shown. */
export interface QuickInput {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isPassword: boolean;
  /** The line below the input: its prompt, or what is wrong with the text. */
  readonly message: string;
  readonly hasError: boolean;
  /** Labels of the links in that line. */
  readonly links: readonly string[];
  readonly items: readonly QuickItem[];
  /** Labels of the buttons beside the title. */
  readonly buttons: readonly string[];
}

interface QuickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** The one that is open, of those whose title (or, without a title, placeholder) is the given one. */
export function quickInput(page: Page, title?: string): Locator {
  const open = page.locator('.quick-input-widget:visible');
  if (title === undefined) return open;
  const titled = open.filter({ has: page.locator('.quick-input-title').getByText(title, { exact: true }) });
  return titled.or(open.filter({ has: page.getByPlaceholder(title, { exact: true }) })).first();
}

/** Waits for an input to be open, and reads it. */
export async function readQuickInput(page: Page, title?: string): Promise<QuickInput> {
  const widget = quickInput(page, title);
  await widget.waitFor();
  return widget.evaluate((element: PageElement) => {
    const shown = (selector: string, from: PageElement = element) =>
      [...from.querySelectorAll(selector)].filter((found) => found.offsetParent !== null);
    const text = (selector: string, from?: PageElement) => shown(selector, from)[0]?.textContent?.trim() ?? '';
    const input = element.querySelector('input.input');
    return {
      title: text('.quick-input-title'),
      placeholder: input?.placeholder ?? '',
      value: input?.value ?? '',
      isPassword: input?.type === 'password',
      message: text('.quick-input-message'),
      links: shown('.quick-input-message a').map((link) => (link.textContent ?? '').replaceAll('\u00a0', ' ')),
      hasError: element.querySelector('.monaco-inputbox.error') !== null,
      items: shown('.quick-input-list .monaco-list-row').map((row) => ({
        label: text('.quick-input-list-row:first-child .label-name', row),
        description: text('.label-description', row),
        detail: text('.quick-input-list-label-meta .label-name', row),
      })),
      buttons: shown('.quick-input-titlebar .action-label').map((button) => button.getAttribute('aria-label') ?? ''),
    };
  });
}

/** Replaces the text of the input; `title` waits for the right one, where one follows another. */
export async function typeInQuickInput(page: Page, text: string, title?: string): Promise<void> {
  const input = quickInput(page, title).locator('input.input');
  await input.fill(text);
}

/** Types a text, and accepts it with Enter. */
export async function answerQuickInput(page: Page, text: string, title?: string): Promise<void> {
  await typeInQuickInput(page, text, title);
  await page.keyboard.press('Enter');
}

/** Chooses the item with exactly this label, among those on screen (type first to narrow a long list). */
export async function pickQuickItem(page: Page, label: string, title?: string): Promise<void> {
  await rowsLabelled(quickInput(page, title), label).first().click();
}

/** Presses a button at the end of the item with exactly this label. */
export async function pressItemButton(page: Page, label: string, button: string, title?: string): Promise<void> {
  const row = rowsLabelled(quickInput(page, title), label).first();
  await row.hover();
  await row.getByRole('button', { name: button, exact: true }).click();
}

function rowsLabelled(widget: Locator, label: string): Locator {
  const labels = widget.page().locator('.quick-input-list-row:first-child .label-name');
  // Not by getByText: what was typed is an element of its own within longer labels too.
  const whole = new RegExp(`^\\s*${label.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`);
  return widget.locator('.quick-input-list .monaco-list-row').filter({ has: labels.filter({ hasText: whole }) });
}

/** Follows a link in the line below the input. */
export async function followBoxLink(page: Page, label: string): Promise<void> {
  await quickInput(page).locator('.quick-input-message').getByRole('link', { name: label }).click();
}

/** Presses a button beside the title. */
export async function pressQuickInputButton(page: Page, label: string): Promise<void> {
  await quickInput(page).locator('.quick-input-titlebar').getByRole('button', { name: label }).click();
}

/** Closes what is open with Escape. */
export async function dismissQuickInput(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget:visible').waitFor({ state: 'detached' });
}

const BOX_TRIES = 3;
const IN_BOX_MS = 20_000;
const OPENS_WITHIN_MS = 3000;

/** Runs one of the extension's commands from the palette, as a person does: F1, its title, a click on the entry. */
export async function runCommand(page: Page, id: string): Promise<void> {
  const label = commandLabel(id);
  // The editor puts the id beside each of two entries that have the same label.
  const other = commandsLabelled(label).find((each) => each !== id);
  await clickInPalette(page, label, (palette) =>
    rowsLabelled(palette, label).filter(other === undefined ? {} : { hasNotText: other }),
  );
}

/** What is chosen from the box that a command opens. */
interface Choice {
  readonly item: string;
  readonly title?: string;
  /** The item on top, where the list is not whole before it is there. */
  readonly first?: string;
}

/** Runs one of the extension's commands from the palette, types the label of an item in the box that opens, and clicks it. */
export async function chooseWith(page: Page, id: string, { item, title, first }: Choice): Promise<void> {
  await whileBoxIsOpen(page, async () => {
    await runCommand(page, id);
    const box = quickInput(page, title);
    if (first !== undefined) {
      const top = box.locator('.quick-input-list .monaco-list-row[aria-posinset="1"]', { hasText: first });
      await top.waitFor({ timeout: IN_BOX_MS });
    }
    await box.locator('input.input').fill(item, { timeout: IN_BOX_MS });
    await rowsLabelled(box, item).first().click({ timeout: IN_BOX_MS });
  });
}

/** Opens a box in some way, and chooses from it and from those that follow. */
export async function chooseInTurn(page: Page, open: () => Promise<void>, ...items: readonly string[]): Promise<void> {
  await whileBoxIsOpen(page, async () => {
    await open();
    for (const item of items) await rowsLabelled(quickInput(page), item).first().click({ timeout: IN_BOX_MS });
  });
}

/** Runs a command of the editor's own: the one entry of the palette that has these words. */
export async function runEditorCommand(page: Page, words: string): Promise<void> {
  await clickInPalette(page, words, (palette) =>
    palette.locator('.quick-input-list .monaco-list-row', { hasText: words }).first(),
  );
}

async function clickInPalette(page: Page, text: string, find: (palette: Locator) => Locator): Promise<void> {
  await whileBoxIsOpen(page, async () => {
    const palette = await openPalette(page, text);
    await find(palette).click({ timeout: IN_BOX_MS });
    // The command's own box is the same element: what is typed next must not go to the palette.
    await palette.waitFor({ state: 'hidden' });
  });
}

/** Does it from the start again if its box closed: a page that was clicked just before may report its focus late. */
async function whileBoxIsOpen(page: Page, steps: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await steps();
    } catch (error) {
      if (tries === BOX_TRIES || (await page.locator('.quick-input-widget').isVisible())) throw error;
    }
  }
}

/** A key that is pressed while a page takes the focus is lost, and the palette may close again: then once more. */
async function openPalette(page: Page, text: string): Promise<Locator> {
  const palette = quickInput(page, 'Type the name of a command to run.');
  return waitUntil(async () => {
    await page.keyboard.press('F1');
    const filled = palette.locator('input.input').fill(`>${text}`, { timeout: OPENS_WITHIN_MS });
    return filled.then(
      () => palette,
      () => undefined,
    );
  });
}

/** The ids of all of the extension's commands that the palette offers. */
export async function listCommands(page: Page): Promise<string[]> {
  const start = `${commandCategory()}: `;
  const palette = await openPalette(page, start);
  const entries = palette.locator('.quick-input-list .monaco-list-row');
  const found = new Map<number, string>();
  await waitUntil(async () => {
    const shown = await entries.evaluateAll(readEntries);
    // Until the list has been filtered by what was typed, others are among them.
    if (shown.length === 0 || shown.some(({ label }) => !label.startsWith(start))) return false;
    for (const { at, label, description } of shown) {
      const ids = commandsLabelled(label);
      found.set(at, ids.find((id) => id === description) ?? ids[0] ?? label);
    }
    if (found.size === shown[0]?.of) return true;
    await page.keyboard.press('PageDown');
    return false;
  });
  await dismissQuickInput(page);
  return [...found.values()];
}

function readEntries(rows: readonly PageElement[]) {
  const text = (row: PageElement, selector: string) => row.querySelector(selector)?.textContent?.trim() ?? '';
  return rows.map((row) => ({
    at: Number(row.getAttribute('aria-posinset')),
    of: Number(row.getAttribute('aria-setsize')),
    label: text(row, '.quick-input-list-row:first-child .label-name'),
    description: text(row, '.label-description'),
  }));
}
