import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Throws where a text of this form is anywhere in the page with all its attributes, or in that of a webview in it. */
export async function assertOnNoPage(page: Page, form: RegExp): Promise<void> {
  for (const frame of page.frames()) {
    const html = await frame.content().catch(() => ''); // a frame may go while it is read
    const found = form.exec(html);
    const at = found?.index ?? 0;
    assert.equal(found, null, `${frame.url().slice(0, 80)}: …${html.slice(Math.max(0, at - 200), at + 60)}…`);
  }
}
