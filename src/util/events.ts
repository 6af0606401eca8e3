import { type Disposable, onDispose } from './disposable.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/** An event source. If a listener throws, its error goes to `onError` and the other listeners still run. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return onDispose(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export function either(a: Event<unknown>, b: Event<unknown>): Event<void> {
  return (listener) => {
    const subscriptions = [a, b].map((event) => event(() => listener()));
    return onDispose(() => subscriptions.forEach((subscription) => void subscription.dispose()));
  };
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
