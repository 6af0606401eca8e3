import type { Filter, Page, Stream, StreamQuery } from '../../api/types.ts';
import { coalesce, makeQueue, share } from '../../util/async.ts';
import type { Listed } from '../store/listed.ts';
import type { ListName } from '../store/snapshot.ts';
import { LIST_SORTS } from '../store/streams.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { BEGINNING, type Bookmark, type PagesRead, readPages } from './readPages.ts';

type PagedList = Exclude<ListName, 'active'>;

const STATED_FILTERS: Readonly<Record<PagedList, Filter>> = {
  idle: { id: 'isActive', value: false },
  recording: { id: 'record', value: true },
};

export class ListLoader {
  readonly #asking: ConnectionSession;
  readonly #list: PagedList;
  readonly #inTurn = makeQueue();
  #bookmark: Bookmark = BEGINNING;

  constructor(asking: ConnectionSession, list: PagedList) {
    this.#asking = asking;
    this.#list = list;
  }

  readonly reload = coalesce(() => this.#inTurn(() => this.#reload()));

  /** Loads the next page, or reveals more rows if the service returned all of them at once. */
  readonly loadMore = share(() => this.#inTurn(() => this.#loadMore()));

  /** Whether the service has any stream in this list. Throws ApiError. */
  async hasRows(): Promise<boolean> {
    const { api, signal } = this.#asking;
    const query: StreamQuery = { parentsOnly: true, filters: [STATED_FILTERS[this.#list]], limit: 1 };
    const page = await api.listStreams(query, { signal, conditional: true });
    checkOpen(this.#asking);
    return page.items.length > 0;
  }

  #reload(): Promise<void> {
    const { store, pageSize } = this.#asking;
    store.listLoading(this.#list, 'isLoading');
    return this.#ask(async () => {
      const pages = Math.max(1, this.#state.isLoaded ? this.#bookmark.paging.pages : 1);
      const read = await this.#readFiltered(pages);
      this.#bookmark = read.bookmark;
      const revealed = Math.max(this.#state.revealed, pages * pageSize());
      store.listed(this.#list, toListed(read, revealed));
    });
  }

  /** Reads pages from the beginning; starts again if the filter has changed meanwhile. */
  async #readFiltered(pages: number): Promise<PagesRead<Stream>> {
    const { filter } = this.#asking.store.snapshot;
    const read = await readPages((cursor) => this.#fetch(cursor, filter), BEGINNING, pages);
    checkOpen(this.#asking);
    return this.#asking.store.snapshot.filter === filter ? read : this.#readFiltered(1);
  }

  async #loadMore(): Promise<void> {
    const { store, pageSize } = this.#asking;
    const { ids, revealed, hasNextPage } = this.#state;
    const { filter } = store.snapshot;
    if (ids.length > revealed) return store.revealMore(this.#list, pageSize());
    if (!hasNextPage) return;
    store.listLoading(this.#list, 'isLoadingMore');
    await this.#ask(async () => {
      const read = await readPages((cursor) => this.#fetch(cursor, filter), this.#bookmark, 1);
      checkOpen(this.#asking);
      // The filter has changed, so this page isn't part of the new list.
      if (store.snapshot.filter !== filter) return;
      this.#bookmark = read.bookmark;
      store.listedMore(this.#list, toListed(read, revealed + pageSize()));
    });
  }

  get #state() {
    return this.#asking.store.snapshot.lists[this.#list];
  }

  #ask(run: () => Promise<void>): Promise<void> {
    return ask(this.#asking, run, (trouble) => this.#asking.store.listFailed(this.#list, trouble));
  }

  #fetch(cursor: string | undefined, filter: string): Promise<Page<Stream>> {
    const { api, signal, pageSize } = this.#asking;
    const named: readonly Filter[] = filter === '' ? [] : [{ id: 'name', value: filter }];
    const query: StreamQuery = {
      parentsOnly: true,
      filters: [STATED_FILTERS[this.#list], ...named],
      limit: pageSize(),
      order: `${LIST_SORTS[this.#list]}-true,id-true`,
      count: true,
    };
    return api.listStreams(cursor === undefined ? query : { ...query, cursor }, { signal });
  }
}

/** Converts pages for the store, without historic child streams that the service returns despite the query. */
export function toListed(read: PagesRead<Stream>, revealed: number): Listed {
  const { turn, startedAt, serverDate, hasNextPage, total, dropped, isFiltered } = read;
  const streams = read.items.filter((stream) => stream.parentId === undefined);
  const seen = read.bookmark.paging.count;
  return { streams, revealed, turn, startedAt, serverDate, hasNextPage, total, dropped, isFiltered, seen };
}
