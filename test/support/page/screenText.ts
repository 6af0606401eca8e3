import type { Page } from 'playwright-core';
import { readNotifications } from './messages.ts';
import type { PageElement } from './pageElement.ts';
import { quickInput, readQuickInput } from './quickInput.ts';

/** What a person would have in front of them, for the report of a test that failed where nobody can look. */
export async function describeScreen(page: Page): Promise<string> {
  const isOpen = await quickInput(page).first().isVisible();
  const box = isOpen ? await readQuickInput(page) : 'none';
  const dialogs = await page.locator('.monaco-dialog-box').allInnerTexts();
  const focus = await page
    .locator(':focus')
    .evaluateAll((elements: readonly PageElement[]) => elements.map(({ className }) => className));
  return Object.entries({ box, dialogs, notifications: await readNotifications(page), focus })
    .map(([what, shown]) => `  ${what}: ${JSON.stringify(shown)}`)
    .join('\n');
}
