import type { Locator } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Rests the mouse on something until its hover is visible. What is drawn anew under the mouse has none until that moves. */
export async function untilHovered(on: Locator, hover: Locator): Promise<void> {
  await waitUntil(async () => {
    await on.page().mouse.move(1, 1);
    // What is drawn anew at this moment has no place to be pointed at.
    const isThere = () => hover.waitFor({ timeout: 5_000 });
    const hovered = on.hover({ force: true, timeout: 5_000 });
    return hovered.then(isThere).then(
      () => true,
      () => false,
    );
  });
}
