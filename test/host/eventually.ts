import { WAIT_MS } from '../support/page/waitUntil.ts';

/** Waits until the check throws no more; its last error where it goes on throwing. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = WAIT_MS): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}
