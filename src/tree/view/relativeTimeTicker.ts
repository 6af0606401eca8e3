import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';

const TICK_MS = 20_000;

/**
 * While the view is visible, updates "4 min ago" to "5 min ago" without a request, and redraws rows that showed a
 * picture: VS Code resolves a tooltip once per drawing, and the next picture is newer. A hidden view has no timer: VS
 * Code requests all its rows again when it is shown.
 */
export function startRelativeTimeTicker(options: {
  readonly view: { readonly visible: boolean; readonly onDidChangeVisibility: Event<unknown> };
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly drawTimes: () => void;
}): Disposable {
  const { view, clock, drawTimes } = options;
  const owned = new DisposableStore();
  const timer = owned.add(new DisposableSlot());
  const tick = (): void => {
    drawTimes();
    plan();
  };
  const plan = (): void => timer.set(view.visible ? clock.setTimeout(tick, TICK_MS) : undefined);
  owned.add(view.onDidChangeVisibility(plan));
  plan();
  return owned;
}
