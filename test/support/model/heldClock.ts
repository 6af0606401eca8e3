import type { Clock } from '../../../src/services.ts';
import { onDispose } from '../../../src/util/disposable.ts';

/** A clock that stands still until it is moved; timers run in their order as it passes them. */
export interface HeldClock extends Clock {
  /** Moves on by so many milliseconds, letting promises settle between timers. */
  advance(ms: number): Promise<void>;
  /** Is set forward, or back where negative, as by its owner or while the machine sleeps: timers do not notice. */
  jump(ms: number): void;
  readonly timerCount: number;
}

export function heldClock(start = Date.UTC(2026, 10, 20, 10, 0)): HeldClock {
  let wall = start;
  /** What timers go by. */
  let elapsed = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => wall + elapsed,
    elapsed: () => elapsed,
    setTimeout(run, ms) {
      // Like Node's, which take NaN as a millisecond.
      const timer = { at: elapsed + (Number.isNaN(ms) ? 1 : Math.max(0, ms)), run };
      timers.add(timer);
      return onDispose(() => timers.delete(timer));
    },
    get timerCount() {
      return timers.size;
    },
    async advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        await settle();
        const next = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.at);
        next.run();
      }
      elapsed = end;
      await settle();
    },
    jump(ms) {
      wall += ms;
    },
  };
}

/** Lets everything that is already resolved run to its end. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
