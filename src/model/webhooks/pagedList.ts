import { isAbortError } from '../../api/errors.ts';
import type { Clock, Log } from '../../services.ts';
import { makeQueue, share } from '../../util/async.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import { toLoadFailure } from '../loading/pagedLoader.ts';
import type { PagedRows } from './state.ts';

interface PagedListOptions<T> {
  readonly fetch: (request: PageRequest) => Promise<PagesRead<T>>;
  readonly pageSize: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDidChange: () => void;
  /** Returns the rows to show for those that were read. Default: the same rows. */
  readonly correct?: (items: readonly T[]) => readonly T[];
}

const EMPTY: PagedRows<never> = {
  items: [],
  isLoaded: false,
  isLoading: false,
  hasNextPage: false,
  trouble: undefined,
  loadedAt: undefined,
};
// The service's maximum (src/api/README.md, Lists).
const LARGEST_PAGE = 1000;

/** Rows, newest first, that are loaded page by page. Its methods run one after another and don't throw. */
export class PagedList<T extends { readonly id: string }> {
  readonly #options: PagedListOptions<T>;
  readonly #enqueue = makeQueue();
  #rows: PagedRows<T> = EMPTY;
  #bookmark: Bookmark = BEGINNING;
  #failures = 0;
  #loadedAt: number | undefined;
  #isClosed = false;
  readonly #reloadOnce = share(() => this.#run(() => this.#reload()));
  readonly #pollOnce = share(() => this.#run(() => this.#loadNewest(), !this.#rows.isLoaded));
  readonly #loadMoreOnce = share(() => this.#run(() => this.#loadMore()));

  constructor(options: PagedListOptions<T>) {
    this.#options = options;
  }

  get rows(): PagedRows<T> {
    return this.#rows;
  }

  /** How many loads have failed since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** Prevents loads that are still in progress from changing the rows. */
  close(): void {
    this.#isClosed = true;
  }

  /** Reads all loaded pages again, in as few requests as possible. */
  reload(): Promise<void> {
    return this.#reloadOnce();
  }

  /** Reads the newest page and keeps the rows after it. */
  poll(): Promise<void> {
    return this.#pollOnce();
  }

  loadMore(): Promise<void> {
    return this.#loadMoreOnce();
  }

  /** Keeps the first page only. */
  shrink(): void {
    const { pageSize } = this.#options;
    if (this.#rows.items.length <= pageSize) return;
    this.#set({ items: this.#rows.items.slice(0, pageSize), hasNextPage: true });
    this.#bookmark = { paging: BEGINNING.paging, cursor: undefined };
  }

  edit(change: (items: readonly T[]) => readonly T[]): void {
    this.#set({ items: change(this.#rows.items) });
  }

  async #reload(): Promise<void> {
    const { fetch, pageSize } = this.#options;
    const count = Math.max(1, Math.ceil(this.#rows.items.length / pageSize)) * pageSize;
    const limit = Math.min(count, LARGEST_PAGE);
    const read = await fetch({ limit, pages: Math.ceil(count / limit) });
    this.#bookmark = read.bookmark;
    this.#loaded(read.items, read.hasNextPage);
  }

  async #loadNewest(): Promise<void> {
    const read = await this.#options.fetch({ limit: this.#options.pageSize, isPoll: true });
    const older = olderThan(this.#rows.items, read.items);
    if (older.length === 0) {
      this.#bookmark = read.bookmark;
      this.#loaded(read.items, read.hasNextPage);
    } else this.#loaded([...read.items, ...older], this.#rows.hasNextPage);
  }

  async #loadMore(): Promise<void> {
    if (!this.#rows.hasNextPage) return;
    const { items } = this.#rows;
    // `shrink` drops the cursor. Because cursors are offsets, reading the first page again returns the next one.
    if (this.#bookmark.cursor === undefined) await this.#reload();
    if (this.#bookmark.cursor === undefined || this.#rows.items.length > items.length) return;
    const from = this.#bookmark;
    const read = await this.#options.fetch({ limit: this.#options.pageSize, from });
    this.#bookmark = read.bookmark;
    const known = new Set(this.#rows.items.map(({ id }) => id));
    this.#loaded([...this.#rows.items, ...read.items.filter(({ id }) => !known.has(id))], read.hasNextPage);
  }

  #loaded(items: readonly T[], hasNextPage: boolean): void {
    const { correct = (rows) => rows } = this.#options;
    this.#failures = 0;
    this.#loadedAt = this.#options.clock.now();
    const shown = correct(items);
    const known = this.#rows.items;
    const isSame = shown.length === known.length && shown.every((item, place) => item === known[place]);
    this.#set({ items: isSame ? known : shown, isLoaded: true, hasNextPage, trouble: undefined, loadedAt: undefined });
  }

  #run(load: () => Promise<void>, isVisible = true): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#isClosed) return;
      if (isVisible) this.#set({ isLoading: true });
      try {
        await load();
      } catch (error) {
        if (!isAbortError(error)) {
          this.#failures += 1;
          this.#set({ trouble: toLoadFailure(this.#options, error), loadedAt: this.#loadedAt });
        }
      }
      this.#set({ isLoading: false });
    });
  }

  #set(rows: Partial<PagedRows<T>>): void {
    const next = { ...this.#rows, ...rows };
    const fields = ['items', 'isLoaded', 'isLoading', 'hasNextPage', 'trouble', 'loadedAt'] as const;
    if (this.#isClosed || fields.every((field) => next[field] === this.#rows[field])) return;
    this.#rows = next;
    this.#options.onDidChange();
  }
}

/** Returns the known rows after those of a page; empty if the page has none of them. */
function olderThan<T extends { readonly id: string }>(known: readonly T[], page: readonly T[]): readonly T[] {
  const places = new Map(known.map(({ id }, place) => [id, place]));
  const last = page.map(({ id }) => places.get(id)).findLast((place) => place !== undefined);
  if (last === undefined) return [];
  const ids = new Set(page.map(({ id }) => id));
  return known.slice(last + 1).filter(({ id }) => !ids.has(id));
}
