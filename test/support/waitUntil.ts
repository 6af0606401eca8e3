import assert from 'node:assert/strict';

/** Waits until it is so; fails after 15 s with what it waited for. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `Not within 15 s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
