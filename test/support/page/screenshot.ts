import type { Page } from 'playwright-core';
import { inProject } from '../projectFolder.ts';

/**
 * Takes a picture of the workbench, for people to look at, into `screenshots/NAME.png`, which git ignores. Says so where
 * there is none: Chromium refuses one in thousands, whatever is shown.
 */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const file = name.replace(/[^\w.-]+/g, '-').slice(0, 120);
  try {
    await page.screenshot({ path: inProject('screenshots', `${file}.png`), animations: 'disabled' });
  } catch (error) {
    if (!String(error).includes('Unable to capture screenshot')) throw error;
    console.warn(`Chromium took no picture for screenshots/${file}.png`);
  }
}
