import type { Clock } from '../services.ts';
import { onDispose } from './disposable.ts';

/** In Node, longer timeouts overflow and would fire at once. */
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
