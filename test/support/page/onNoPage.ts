import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';

/** Throws where a text of this form is anywhere in the page with all its attributes, or in that of a webview in it. */
export async function assertOnNoPage(page: Page, form: RegExp): Promise<void> {
  for (const frame of page.frames()) {
    const html = await readFrame(frame);
    const found = form.exec(html);
    const at = found?.index ?? 0;
    assert.equal(found, null, `${frame.url().slice(0, 80)}: …${html.slice(Math.max(0, at - 200), at + 60)}…`);
  }
}

/** One that has gone meanwhile holds nothing. One that is there and cannot be read may hold anything: that throws. */
async function readFrame(frame: Frame): Promise<string> {
  try {
    return await frame.content();
  } catch (error) {
    if (frame.isDetached()) return '';
    throw error;
  }
}
