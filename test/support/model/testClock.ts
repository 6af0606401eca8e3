import type { Clock } from '../../../src/services.ts';
import { onDispose } from '../../../src/util/disposable.ts';

/**
 * The machine's clock, for services that a test starts. With a speed, one from now on that goes that many times as fast,
 * which what the test runs has to share with its services.
 */
export function createTestClock(speed = 1): Clock {
  const start = speed === 1 ? 0 : Date.now();
  return {
    now: () => Math.round(start + (Date.now() - start) * speed),
    elapsed: () => performance.now() * speed,
    setTimeout(run, ms) {
      const timer = setTimeout(run, ms / speed);
      return onDispose(() => clearTimeout(timer));
    },
  };
}

/** The most that a turn of the event loop counts. */
const MOST_TURN_MS = 20;
const TICK_MS = 5;

/**
 * The machine's clock, but only of the time in which this process could run: on a busy machine a second takes longer, so
 * that what has a limit gets as many turns within it as elsewhere. `now` is the machine's.
 */
export function createPatientClock(): Clock {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let elapsed = 0;
  let readAt = performance.now();
  let isTicking = false;
  const read = (): number => {
    const now = performance.now();
    elapsed += Math.min(now - readAt, MOST_TURN_MS);
    readAt = now;
    return elapsed;
  };
  const tick = (): void => {
    read();
    const due = [...timers].filter(({ at }) => at <= elapsed).sort((a, b) => a.at - b.at);
    for (const timer of due) if (timers.delete(timer)) timer.run();
    isTicking = timers.size > 0;
    if (isTicking) setTimeout(tick, TICK_MS);
  };
  return {
    now: Date.now,
    elapsed: read,
    setTimeout(run, ms) {
      const timer = { at: read() + ms, run };
      timers.add(timer);
      if (!isTicking) setTimeout(tick, TICK_MS);
      isTicking = true;
      return onDispose(() => timers.delete(timer));
    },
  };
}

interface HurriedClock extends Clock {
  advance(ms: number): void;
}

/** Stands still but for what is waited for, which is over in the next turn: the time has gone on by as much then. */
export function hurriedClock(start = Date.now()): HurriedClock {
  let ahead = 0;
  return {
    now: () => start + ahead,
    elapsed: () => ahead,
    setTimeout(run, ms) {
      const timer = setImmediate(() => {
        ahead += ms;
        run();
      });
      return onDispose(() => clearImmediate(timer));
    },
    advance(ms) {
      ahead += ms;
    },
  };
}
