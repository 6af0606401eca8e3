import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { BrowserKind } from '../vscode/browser.ts';
import { countDecodedAudio, playerFrame } from './playerPage.ts';
import { waitUntil } from './waitUntil.ts';

/** What the player says where AAC can't be decoded. */
export function noSoundNotice(page: Page): Locator {
  return playerFrame(page)
    .locator('.notice')
    .filter({ hasText: "No sound. This version of VS Code can't decode AAC audio." });
}

/** Waits until the sound of what plays is decoded or, without a decoder, left out with a notice. Neither is a problem. */
export async function untilSoundIsRight(page: Page, browser: BrowserKind): Promise<void> {
  if (browser === 'withAac') {
    await waitUntil(async () => (await countDecodedAudio(page)) > 0);
    assert.ok(await playerFrame(page).locator('.notice').isHidden(), 'no notice');
  } else {
    await noSoundNotice(page).waitFor();
    assert.equal(await countDecodedAudio(page), 0);
  }
  assert.ok(await playerFrame(page).locator('.problem').isHidden(), 'no problem');
}
