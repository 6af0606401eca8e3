import type { ListName } from '../store/snapshot.ts';

export type Target =
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'stream'; readonly streamId: string };

/** The expanded rows: only those are reloaded. Keyed by row, because a stream can be expanded in two groups. */
export class Interest {
  readonly #open = new Map<string, Target>();

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
