import type { Clock } from '../services.ts';
import { onDispose } from './disposable.ts';

// In Node, longer timeouts overflow and would fire immediately.
const LONGEST_MS = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    setTimeout(run, ms) {
      const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
      return onDispose(() => clearTimeout(timer));
    },
  };
}

/** Resolves after `ms` milliseconds of the clock. Rejects with the reason of the signal if it aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      timer.dispose();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Infinite if `at` is undefined or in the future: the clock was set back by an unknown amount. */
export function timeSince(at: number | undefined, now: number): number {
  return at === undefined || at > now ? Number.POSITIVE_INFINITY : now - at;
}
