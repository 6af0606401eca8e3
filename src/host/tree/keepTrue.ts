import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';

const TICK_MS = 20_000;

/**
 * While somebody can see it, "4 min ago" becomes "5 min ago" without a request, and rows that showed a picture are drawn again:
 * the editor asks for a tooltip once for each drawing, and the next picture is a newer one. A view that is hidden has no
 * timer: VS Code asks for all its rows anew when it is shown.
 */
export function keepTrue(options: {
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
