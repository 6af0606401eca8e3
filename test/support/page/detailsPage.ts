import type { FrameLocator, Locator, Page } from 'playwright-core';
import { playerFrame } from './playerPage.ts';

/** The browser's, for the functions that run in the page. */
declare function getComputedStyle(element: unknown): {
  readonly borderTopColor: string;
  readonly outline: string;
  getPropertyValue(name: string): string;
};

/** The page of the one webview that is in front. */
export const detailsFrame: (page: Page) => FrameLocator = playerFrame;

/** All that is in the page, as HTML. */
export function readHtml(page: Page): Promise<string> {
  return detailsFrame(page)
    .locator('html')
    .evaluate((html: unknown) => (html as { readonly outerHTML: string }).outerHTML);
}

/** The value beside a label. */
export function factValue(page: Page, label: string): Locator {
  return factOf(page, label).locator('.value');
}

/** @param button how its name begins, which its icon may stand for */
export async function pressFactButton(page: Page, label: string, button: string): Promise<void> {
  await factOf(page, label)
    .getByRole('button', { name: new RegExp(`^${button}`) })
    .click();
}

function factOf(page: Page, label: string): Locator {
  const named = detailsFrame(page).locator('.label').getByText(label, { exact: true });
  return detailsFrame(page).locator('.fact').filter({ has: named });
}

/** The one line about the state, without the dots of color. */
export function stateLine(page: Page): Locator {
  return detailsFrame(page).locator('.state');
}

/** Opens what is folded: ids, renditions, dates. */
export async function openMore(page: Page): Promise<void> {
  const more = detailsFrame(page).locator('.more');
  if ((await more.getAttribute('open')) === null) await more.locator('.summary').click();
  await more.locator('.card').first().waitFor();
}

export function sessionsTable(page: Page): Locator {
  return detailsFrame(page).getByRole('table', { name: 'Sessions, newest first' });
}

/** Opens the menu "More Actions…", and returns what it offers. */
export async function openMenu(page: Page): Promise<readonly string[]> {
  await detailsFrame(page).locator('header').getByRole('button', { name: 'More Actions…', exact: true }).click();
  const items = detailsFrame(page).getByRole('menuitem');
  await items.first().waitFor();
  return items.allInnerTexts();
}

interface ButtonLook {
  readonly border: string;
  /** What the theme has for it; '' for none. */
  readonly themeBorder: string;
  readonly outline: string;
}

/** How a button is drawn, and what the theme has for its border by the name of a token. */
export function readButtonLook(button: Locator, token: string): Promise<ButtonLook> {
  return button.evaluate((element: unknown, name: string): ButtonLook => {
    const style = getComputedStyle(element);
    return { border: style.borderTopColor, themeBorder: style.getPropertyValue(name).trim(), outline: style.outline };
  }, token);
}
