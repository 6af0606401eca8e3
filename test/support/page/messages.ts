import type { Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { runEditorCommand } from './quickInput.ts';
import { waitUntil } from './waitUntil.ts';

/** The browser's, for the functions that run in the page. */
declare const navigator: {
  readonly clipboard: { readText(): Promise<string>; writeText(text: string): Promise<void> };
};

export interface Notification {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly buttons: readonly string[];
}

/** The notifications on screen, newest first. They leave by themselves after some 10 s unless they have buttons. */
export async function readNotifications(page: Page): Promise<Notification[]> {
  return page.locator('.notification-toast .notification-list-item').evaluateAll((items: readonly PageElement[]) =>
    items.map((item) => {
      const icon = item.querySelector('.notification-list-item-icon')?.className ?? '';
      const buttons = [...item.querySelectorAll('.notification-list-item-buttons-container .monaco-button')];
      return {
        severity: icon.includes('codicon-error') ? 'error' : icon.includes('codicon-warning') ? 'warning' : 'info',
        message: item.querySelector('.notification-list-item-message')?.textContent ?? '',
        buttons: buttons.map((button) => button.textContent ?? ''),
      } as const;
    }),
  );
}

/** Waits for a notification with these words in its message, and reads it. */
export async function untilNotification(page: Page, words: string): Promise<Notification> {
  return waitUntil(async () => (await readNotifications(page)).find(({ message }) => message.includes(words)));
}

/** Presses a button of the notification with these words. */
export async function pressNotificationButton(page: Page, words: string, button: string): Promise<void> {
  await toast(page, words).getByRole('button', { name: button, exact: true }).click();
}

/** The editor shows at most three toasts in this time, and leaves further ones to its notification center. */
const TOASTS_COUNTED_MS = 800;

/** Clears all notifications. Those that come then are shown, however soon the ones before came. */
export async function clearNotifications(page: Page): Promise<void> {
  const clear = async () => {
    await runEditorCommand(page, 'Notifications: Clear All Notifications');
    await page.locator('.notification-toast').first().waitFor({ state: 'detached' });
  };
  await Promise.all([clear(), page.waitForTimeout(TOASTS_COUNTED_MS)]);
}

function toast(page: Page, words: string) {
  return page.locator('.notification-toast').filter({ hasText: words }).first();
}

interface Dialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** Waits for a modal question, and reads it. */
export async function readDialog(page: Page): Promise<Dialog> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor();
  const detail = box.locator('.dialog-message-detail:visible');
  return {
    message: (await box.locator('.dialog-message-text').textContent()) ?? '',
    detail: (await detail.allInnerTexts()).join(''),
    buttons: await box.locator('.dialog-buttons .monaco-button').allInnerTexts(),
  };
}

/** Presses a button of the modal question, and waits until it is gone. */
export async function pressDialogButton(page: Page, button: string): Promise<void> {
  const box = page.locator('.monaco-dialog-box');
  await box.locator('.dialog-buttons').getByRole('button', { name: button, exact: true }).click();
  await box.waitFor({ state: 'detached' });
}

/** The texts in the status bar, from left to right. */
export async function readStatusBar(page: Page): Promise<string[]> {
  const texts = await page.locator('.part.statusbar .statusbar-item:visible').allInnerTexts();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** So that a test can tell that something was copied. */
export function writeClipboard(page: Page, text: string): Promise<void> {
  return page.evaluate((words) => navigator.clipboard.writeText(words), text);
}
