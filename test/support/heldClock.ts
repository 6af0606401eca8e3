import type { Clock } from '../../src/services.ts';
import { onDispose } from '../../src/util/disposable.ts';

/** A clock that stands still until it is moved; timers run in their order as it passes them. */
export interface HeldClock extends Clock {
  /** Moves on by so many milliseconds, letting promises settle between timers. */
  advance(ms: number): Promise<void>;
  readonly timerCount: number;
}

export function heldClock(start = Date.UTC(2026, 10, 20, 10, 0)): HeldClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + Math.max(0, ms), run };
      timers.add(timer);
      return onDispose(() => timers.delete(timer));
    },
    get timerCount() {
      return timers.size;
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
      await settle();
    },
  };
}

/** Lets everything that is already resolved run to its end. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
