import type { Clock } from '../services.ts';
import type { Disposable } from './disposable.ts';

export interface Deadline extends Disposable {
  readonly isOver: boolean;
  readonly signal: AbortSignal;
}

/** Its signal aborts with the other one, and after `ms` milliseconds of the clock unless it is disposed before. */
export function createDeadline(clock: Clock, ms: number, other: AbortSignal): Deadline {
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), ms);
  return {
    get isOver() {
      return late.signal.aborted;
    },
    signal: AbortSignal.any([other, late.signal]),
    dispose: () => timer.dispose(),
  };
}
