export interface Disposable {
  dispose(): void;
}

export function onDispose(run: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      run();
    },
  };
}

/** Disposes its items newest first. Items added after that are disposed immediately. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Disposing failed');
  }
}

/** Creates an object that owns its parts. If that throws halfway, disposes the parts created so far. */
export function makeOwning<T>(make: (owned: DisposableStore) => T): T {
  const owned = new DisposableStore();
  try {
    return make(owned);
  } catch (error) {
    owned.dispose();
    throw error;
  }
}

export class DisposableSlot<T extends Disposable = Disposable> implements Disposable {
  #value: T | undefined;
  #isDisposed = false;

  get value(): T | undefined {
    return this.#value;
  }

  set(value: T | undefined): void {
    const old = this.#value;
    this.#value = this.#isDisposed ? undefined : value;
    old?.dispose();
    if (this.#isDisposed) value?.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.set(undefined);
  }
}
