import type { Clock } from '../../../src/services.ts';
import { onDispose } from '../../../src/util/disposable.ts';

/** The machine's clock, for services that a test starts. */
export function createTestClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    setTimeout(run, ms) {
      const timer = setTimeout(run, ms);
      return onDispose(() => clearTimeout(timer));
    },
  };
}
