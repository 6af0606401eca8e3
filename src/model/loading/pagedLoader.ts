import { coalesce, makeQueue, share } from '../../util/async.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import type { LoadFailure } from '../store/snapshot.ts';
import { type LoadContext, runInBackground, throwIfClosed } from './loadContext.ts';
import { PollPause } from './pollPause.ts';

/** A list that is read page by page: how to request its rows, and how to write them to the store. */
export interface PagedSource<T> {
  /** What the rows depend on besides the page. Rows are not written if it has changed since they were requested. */
  readonly choice: () => unknown;
  readonly state: () => PagedState | undefined;
  readonly read: (request: PageRequest) => Promise<PagesRead<T>>;
  readonly loading: (what: 'isLoading' | 'isLoadingMore') => void;
  /** `isMore`: the pages follow the rows that are loaded. */
  readonly listed: (read: PagesRead<T>, state: { readonly revealed: number; readonly isMore: boolean }) => void;
  readonly revealMore: (rows: number) => void;
  readonly failed: (trouble: LoadFailure) => void;
  readonly polling?: {
    /** How many of the newest rows to request; undefined if none can have changed. */
    readonly limit: () => number | undefined;
    readonly polled: (read: PagesRead<T>) => void;
  };
}

export interface PagedState {
  readonly isLoaded: boolean;
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly hidesRows: boolean;
}

export class PagedLoader<T> {
  readonly #context: LoadContext;
  readonly #source: PagedSource<T>;
  readonly #queue = makeQueue();
  readonly #pause: PollPause;
  #bookmark: Bookmark = BEGINNING;
  #waiting = 0;

  constructor(context: LoadContext, source: PagedSource<T>) {
    this.#context = context;
    this.#source = source;
    this.#pause = new PollPause(context.clock);
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  readonly reload = coalesce(() => this.#enqueue(() => this.#reload()));

  readonly loadMore = share(() => this.#enqueue(() => this.#loadMore()));

  /** Requests the newest rows only. Skipped during the pause after a response with far more rows than requested. */
  readonly poll = share(() => this.#enqueue(() => this.#poll()));

  #reload(): Promise<void> {
    const source = this.#source;
    source.loading('isLoading');
    return this.#runInBackground(async () => {
      const { pageSize } = this.#context;
      const pages = source.state()?.isLoaded === true ? Math.max(1, this.#bookmark.paging.pages) : 1;
      const read = await this.#readChosen({ pages, limit: pageSize() });
      this.#bookmark = read.bookmark;
      const revealed = Math.max(source.state()?.revealed ?? 0, read.bookmark.paging.pages * pageSize());
      source.listed(read, { revealed, isMore: false });
    });
  }

  async #loadMore(): Promise<void> {
    const source = this.#source;
    const limit = this.#context.pageSize();
    const state = source.state();
    if (state?.hidesRows === true) return source.revealMore(limit);
    if (state?.hasNextPage !== true) return;
    source.loading('isLoadingMore');
    await this.#runInBackground(async () => {
      const choice = source.choice();
      const from = this.#bookmark;
      const read = await this.#read({ limit, from });
      if (source.choice() !== choice) return;
      this.#bookmark = read.bookmark;
      const pages = read.bookmark.paging.pages - from.paging.pages;
      source.listed(read, { revealed: state.revealed + pages * limit, isMore: true });
    });
  }

  async #poll(): Promise<void> {
    const { polling } = this.#source;
    const limit = polling?.limit();
    if (polling === undefined || limit === undefined || !this.#pause.isOver) return;
    await this.#runInBackground(async () => {
      polling.polled(await this.#readChosen({ limit: Math.min(limit, this.#context.pageSize()), isPoll: true }));
    });
  }

  /** Reads from the beginning; starts again with one page if the choice has changed meanwhile. */
  async #readChosen(request: PageRequest): Promise<PagesRead<T>> {
    const choice = this.#source.choice();
    const read = await this.#read(request);
    return this.#source.choice() === choice ? read : this.#readChosen({ ...request, pages: 1 });
  }

  async #read(request: PageRequest): Promise<PagesRead<T>> {
    const read = await this.#source.read(request);
    throwIfClosed(this.#context);
    this.#pause.begin(read.lastPageRows > 2 * request.limit ? read.lastPageRows : 0);
    return read;
  }

  #runInBackground(run: () => Promise<void>): Promise<void> {
    return runInBackground(this.#context, run, this.#source.failed);
  }

  async #enqueue(task: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    await this.#queue(task).finally(() => {
      this.#waiting -= 1;
    });
  }
}
