import type { Locator } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Rests the mouse on something until its hover is visible. What is drawn anew under the mouse has none until that moves. */
export async function untilHovered(on: Locator, hover: Locator): Promise<void> {
  await waitUntil(async () => {
    await on.page().mouse.move(1, 1);
    await on.hover({ force: true });
    return hover.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
}
