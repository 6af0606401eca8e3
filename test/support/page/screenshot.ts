import type { Page } from 'playwright-core';
import { inProject } from '../projectFolder.ts';

/** Takes a picture of the workbench into `screenshots/NAME.png`, which git ignores. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const file = name.replace(/[^\w.-]+/g, '-').slice(0, 120);
  await page.screenshot({ path: inProject('screenshots', `${file}.png`), animations: 'disabled' });
}
