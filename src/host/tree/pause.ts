import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';

/** Who has not pointed at a row for so long is not about to click on one. */
const PAUSE_MS = 10_000;

export interface Pause extends Disposable {
  /** Runs once nobody has pointed at the tree for a while; planned already, nothing changes. */
  plan(): void;
  /** Somebody points at the tree: what is planned waits anew. VS Code tells nothing of scrolling. */
  prolong(): void;
}

/** Waits for a moment in which rows may change their places. */
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
