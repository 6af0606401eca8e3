/**
 * How long anything is waited for: many times as long as it takes on a busy machine, so that only what never comes is given
 * up. Tests in the workbench get several times as long for the whole (runSuites.ts).
 */
export const WAIT_MS = 60_000;

const POLL_MS = 50;

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** Waits until it is so, and returns what it came to; fails with what it waited for. */
export async function waitUntil<T>(isSo: () => T | Promise<T>): Promise<Truthy<T>> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const result = await isSo();
    if (result) return result as Truthy<T>;
    if (Date.now() > end) throw new Error(`Not within ${WAIT_MS / 1000} s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
