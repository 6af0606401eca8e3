import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { countDecodedAudio, playerFrame, untilPlaying } from './playerPage.ts';
import { waitUntil } from './waitUntil.ts';

/** What the player says where AAC can't be decoded. */
export function noSoundNotice(page: Page): Locator {
  return playerFrame(page)
    .locator('.notice')
    .filter({ hasText: "No sound. This version of VS Code can't decode AAC audio." });
}

/** Waits until the sound of what plays is decoded, by the browser or by the page, without a notice or a problem. */
export async function untilHeard(page: Page): Promise<void> {
  await waitUntil(async () => (await countDecodedAudio(page)) > 0);
  for (const part of ['.notice', '.problem']) {
    assert.ok(await playerFrame(page).locator(part).isHidden(), `no ${part.slice(1)}`);
  }
}

/** Waits until the picture plays without sound, which a notice says. */
export async function untilSilent(page: Page): Promise<void> {
  await noSoundNotice(page).waitFor();
  await untilPlaying(page);
  assert.equal(await countDecodedAudio(page), 0);
  assert.ok(await playerFrame(page).locator('.problem').isHidden(), 'no problem');
}
