import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';

/** How long a revealed key can be read. */
export const REVEALED_FOR_MS = 30_000;

/** Whether a key can be read just now. It ends by itself, and whoever owns it ends it when nobody can see it any more. */
export class KeyReveal implements Disposable {
  readonly #clock: Pick<Clock, 'setTimeout'>;
  readonly #onEnd: () => void;
  readonly #timer = new DisposableSlot();

  /** `onEnd` runs each time what was revealed has to be hidden. */
  constructor(clock: Pick<Clock, 'setTimeout'>, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer.value !== undefined;
  }

  /** From now on, for 30 s. */
  begin(): void {
    this.#timer.set(this.#clock.setTimeout(() => this.end(), REVEALED_FOR_MS));
  }

  end(): void {
    if (!this.isOn) return;
    this.#timer.set(undefined);
    this.#onEnd();
  }

  dispose(): void {
    this.#timer.dispose();
  }
}
