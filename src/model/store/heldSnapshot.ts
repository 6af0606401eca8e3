import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import type { Snapshot } from './snapshot.ts';

export interface SnapshotChange {
  readonly previous: Snapshot;
  readonly current: Snapshot;
}

/** Holds the snapshot for the store and its parts, which are its only writers, and fires on each change. */
export class HeldSnapshot implements Disposable {
  readonly #changed: Emitter<SnapshotChange>;
  /** Changes by listeners are queued, so that all listeners receive all changes in order. */
  readonly #unheard: SnapshotChange[] = [];
  #current: Snapshot;

  constructor(first: Snapshot, onListenerError?: (error: unknown) => void) {
    this.#changed = new Emitter(onListenerError);
    this.#current = first;
  }

  get current(): Snapshot {
    return this.#current;
  }

  get onDidChange(): Event<SnapshotChange> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  apply(change: Partial<Snapshot>): void {
    const previous = this.#current;
    const differs = (Object.keys(change) as (keyof Snapshot)[]).some((key) => change[key] !== previous[key]);
    if (!differs) return;
    const current = { ...previous, ...change };
    this.#current = current;
    this.#unheard.push({ previous, current });
    if (this.#unheard.length > 1) return;
    for (let next = this.#unheard[0]; next !== undefined; next = this.#unheard[0]) {
      this.#changed.fire(next);
      this.#unheard.shift();
    }
  }
}
