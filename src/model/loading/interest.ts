import { type Disposable, onDispose } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import type { ListName } from '../store/snapshot.ts';

export type Target =
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'stream'; readonly streamId: string };

/**
 * The expanded rows: only those are reloaded. Keyed by row, because a stream can be expanded in two groups. Also whether
 * somebody listens for changes, with or without a view.
 */
export class Interest {
  readonly #open = new Map<string, Target>();
  readonly #listeners = new Set<object>();
  readonly #listeningChanged = new Emitter<void>();
  readonly onDidChangeListening = this.#listeningChanged.event;

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  /** Until it is disposed, streams and expanded rows are polled even while no view is visible. */
  listen(): Disposable {
    const listener = {};
    this.#listeners.add(listener);
    this.#listeningChanged.fire();
    return onDispose(() => {
      this.#listeners.delete(listener);
      this.#listeningChanged.fire();
    });
  }

  opened(rowId: string, target: Target): void {
    this.#open.set(rowId, target);
  }

  closed(rowId: string): void {
    this.#open.delete(rowId);
  }

  keepOnly(isShown: (rowId: string) => boolean): void {
    for (const rowId of this.#open.keys()) if (!isShown(rowId)) this.#open.delete(rowId);
  }

  clear(): void {
    this.#open.clear();
  }

  get lists(): ReadonlySet<ListName> {
    return new Set([...this.#open.values()].flatMap((target) => (target.kind === 'list' ? [target.list] : [])));
  }

  get streams(): ReadonlySet<string> {
    return new Set([...this.#open.values()].flatMap((target) => (target.kind === 'stream' ? [target.streamId] : [])));
  }
}
