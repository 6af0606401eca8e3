import type { Locator, Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';

/** The picker or input box at the top of the workbench, as it is shown. */
export interface QuickInput {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isPassword: boolean;
  /** The line below the input: its prompt, or what is wrong with the text. */
  readonly message: string;
  readonly hasError: boolean;
  readonly items: readonly QuickItem[];
  /** Labels of the buttons beside the title. */
  readonly buttons: readonly string[];
}

export interface QuickItem {
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
  const labels = page.locator('.quick-input-list-row:first-child .label-name').getByText(label, { exact: true });
  await quickInput(page, title).locator('.quick-input-list .monaco-list-row').filter({ has: labels }).first().click();
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

/**
 * Runs a command from the palette, as a person does: F1, its title, a click on the entry.
 * @param id its id, 'liveStreams.startDemo'; what is typed is `title`, by default all entries of the category.
 */
export async function runCommand(page: Page, id: string, title = 'Live Streams: '): Promise<void> {
  await page.keyboard.press('F1');
  const palette = quickInput(page, 'Type the name of a command to run.');
  await palette.locator('input.input').fill(`>${title}`);
  const entry = palette.locator(`[data-quick-input-id="${id}"]`);
  for (let turned = 0; turned < 8 && !(await appears(entry)); turned++) await page.keyboard.press('PageDown');
  await entry.click();
}

/** The ids of the commands that the palette offers for a text. */
export async function listCommands(page: Page, text: string): Promise<string[]> {
  await page.keyboard.press('F1');
  const palette = quickInput(page, 'Type the name of a command to run.');
  await palette.locator('input.input').fill(`>${text}`);
  await page.waitForTimeout(300); // the list is filtered as one types, with nothing to tell that it is done
  const ids = new Set<string>();
  const rows = palette.locator('.monaco-list-row:has([data-quick-input-id])');
  const total = Number(await rows.first().getAttribute('aria-setsize'));
  for (let turned = 0; turned < 20 && ids.size < total; turned++) {
    for (const id of await rows.evaluateAll(idsOf)) ids.add(id);
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(50);
  }
  await dismissQuickInput(page);
  return [...ids];
}

function idsOf(rows: readonly PageElement[]): string[] {
  return rows.map((row) => row.querySelector('[data-quick-input-id]')?.getAttribute('data-quick-input-id') ?? '');
}

async function appears(entry: Locator): Promise<boolean> {
  return entry
    .waitFor({ timeout: 400 })
    .then(() => true)
    .catch(() => false);
}
