import { type Disposable, onDispose } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import type { ListName } from '../store/snapshot.ts';

export type Target =
  | { readonly kind: 'list'; readonly list: ListName; readonly streamId?: undefined }
  | { readonly kind: 'stream'; readonly streamId: string; readonly list?: undefined };

/**
 * The expanded rows and visible pages, the only ones that are reloaded. Keyed by row, because a stream can be expanded
 * in two groups, or by page. Also tracks whether the user listens for events, with or without a view.
 */
export class Interest {
  readonly #open = new Map<string | object, Target>();
  readonly #listeners = new Set<object>();
  readonly #listeningChanged = new Emitter<void>();
  readonly onDidChangeListening = this.#listeningChanged.event;

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  /** Until it's disposed, streams and expanded rows are polled even while no view is visible. */
  listen(): Disposable {
    const listener = {};
    this.#listeners.add(listener);
    this.#listeningChanged.fire();
    return onDispose(() => {
      this.#listeners.delete(listener);
      this.#listeningChanged.fire();
    });
  }

  opened(by: string | object, target: Target): void {
    this.#open.set(by, target);
  }

  closed(by: string | object): void {
    this.#open.delete(by);
  }

  /** @param isShown whether a row is shown; pages report it themselves */
  keepOnly(isShown: (rowId: string) => boolean): void {
    for (const by of this.#open.keys()) if (typeof by === 'string' && !isShown(by)) this.#open.delete(by);
  }

  get lists(): ReadonlySet<ListName> {
    return this.#all(({ list }) => list);
  }

  get streams(): ReadonlySet<string> {
    return this.#all(({ streamId }) => streamId);
  }

  #all<T>(part: (target: Target) => T | undefined): ReadonlySet<T> {
    return new Set([...this.#open.values()].flatMap((target) => part(target) ?? []));
  }
}
