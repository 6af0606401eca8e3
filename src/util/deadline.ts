import type { Clock } from '../services.ts';
import { linkSignals } from './async.ts';
import type { Disposable } from './disposable.ts';

export interface Deadline extends Disposable {
  readonly isOver: boolean;
  readonly signal: AbortSignal;
}

/** Its signal aborts with the other one, and after `ms` milliseconds of the clock, unless it's disposed first. */
export function createDeadline(clock: Clock, ms: number, other: AbortSignal): Deadline {
  const linked = linkSignals(other);
  let isOver = false;
  const timer = clock.setTimeout(() => {
    isOver = true;
    linked.abort();
  }, ms);
  return {
    get isOver() {
      return isOver;
    },
    signal: linked.signal,
    dispose() {
      timer.dispose();
      linked.dispose();
    },
  };
}
