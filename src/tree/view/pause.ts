import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';

/** A user who has not pointed at a row for this long is not about to click one. */
const PAUSE_MS = 10_000;

export interface Pause extends Disposable {
  plan(): void;
  /** Restarts the wait, because the user points at the tree. VS Code does not report scrolling. */
  prolong(): void;
}

export function createPause({
  clock,
  run,
}: {
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly run: () => void;
}): Pause {
  const timer = new DisposableSlot();
  let isPlanned = false;
  const start = (): void => {
    isPlanned = true;
    timer.set(
      clock.setTimeout(() => {
        isPlanned = false;
        run();
      }, PAUSE_MS),
    );
  };
  return {
    plan() {
      if (!isPlanned) start();
    },
    prolong() {
      if (isPlanned) start();
    },
    dispose: () => timer.dispose(),
  };
}
