import type { Clock } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';

export const REVEALED_FOR_MS = 30_000;

/** Whether a stream key is revealed. Ends after 30 s; the owner ends it earlier when the key isn't visible any more. */
export class KeyReveal implements Disposable {
  readonly #clock: Pick<Clock, 'setTimeout'>;
  readonly #onEnd: () => void;
  readonly #timer = new DisposableSlot();

  constructor(clock: Pick<Clock, 'setTimeout'>, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer.value !== undefined;
  }

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
