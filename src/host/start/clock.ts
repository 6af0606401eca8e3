import type { Clock } from '../../services.ts';
import { onDispose } from '../../util/disposable.ts';

/** Longer waits overflow in Node and would run at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own clock and timers. */
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
