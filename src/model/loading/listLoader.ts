import type { Stream } from '../../api/types.ts';
import { coalesce, makeQueue, share } from '../../util/async.ts';
import type { PagedList } from '../account/account.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import type { Listed } from '../store/listed.ts';
import { type LoadContext, runInBackground, throwIfClosed } from './loadContext.ts';

export class ListLoader {
  readonly #context: LoadContext;
  readonly #list: PagedList;
  readonly #inTurn = makeQueue();
  #bookmark: Bookmark = BEGINNING;

  constructor(context: LoadContext, list: PagedList) {
    this.#context = context;
    this.#list = list;
  }

  readonly reload = coalesce(() => this.#inTurn(() => this.#reload()));

  /** Loads the next page, or reveals more rows if the service returned all of them at once. */
  readonly loadMore = share(() => this.#inTurn(() => this.#loadMore()));

  /** Whether the service has any stream in this list. Throws ApiError. */
  async hasRows(): Promise<boolean> {
    const hasStreams = await this.#context.account.hasStreams(this.#list);
    throwIfClosed(this.#context);
    return hasStreams;
  }

  #reload(): Promise<void> {
    const { store, pageSize } = this.#context;
    store.listLoading(this.#list, 'isLoading');
    return this.#runInBackground(async () => {
      const pages = Math.max(1, this.#state.isLoaded ? this.#bookmark.paging.pages : 1);
      const read = await this.#readFiltered(pages);
      this.#bookmark = read.bookmark;
      const revealed = Math.max(this.#state.revealed, pages * pageSize());
      store.listed(this.#list, toListed(read, revealed));
    });
  }

  /** Reads pages from the beginning; starts again if the filter has changed meanwhile. */
  async #readFiltered(pages: number): Promise<PagesRead<Stream>> {
    const { filter } = this.#context.store.snapshot;
    const read = await this.#read(filter, { pages });
    throwIfClosed(this.#context);
    return this.#context.store.snapshot.filter === filter ? read : this.#readFiltered(1);
  }

  async #loadMore(): Promise<void> {
    const { store, pageSize } = this.#context;
    const { ids, revealed, hasNextPage } = this.#state;
    const { filter } = store.snapshot;
    if (ids.length > revealed) return store.revealMore(this.#list, pageSize());
    if (!hasNextPage) return;
    store.listLoading(this.#list, 'isLoadingMore');
    await this.#runInBackground(async () => {
      const read = await this.#read(filter, { from: this.#bookmark });
      throwIfClosed(this.#context);
      // The filter has changed, so this page isn't part of the new list.
      if (store.snapshot.filter !== filter) return;
      this.#bookmark = read.bookmark;
      store.listedMore(this.#list, toListed(read, revealed + pageSize()));
    });
  }

  get #state() {
    return this.#context.store.snapshot.lists[this.#list];
  }

  #runInBackground(run: () => Promise<void>): Promise<void> {
    return runInBackground(this.#context, run, (trouble) => this.#context.store.listFailed(this.#list, trouble));
  }

  #read(filter: string, request: Omit<PageRequest, 'limit'>): Promise<PagesRead<Stream>> {
    const { account, pageSize } = this.#context;
    return account.listStreams(this.#list, filter, { ...request, limit: pageSize() });
  }
}

/** Converts pages for the store, without historic child streams that the service returns despite the query. */
export function toListed(read: PagesRead<Stream>, revealed: number): Listed {
  const { turn, startedAt, serverDate, hasNextPage, total, dropped } = read;
  const streams = read.items.filter((stream) => stream.parentId === undefined);
  const seen = read.bookmark.paging.count;
  return { streams, revealed, turn, startedAt, serverDate, hasNextPage, total, dropped, seen };
}
