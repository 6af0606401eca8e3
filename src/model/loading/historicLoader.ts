import { MAX_PAGES } from '../../api/paging.ts';
import type { Filter, Stream, StreamQuery } from '../../api/types.ts';
import { share } from '../../util/async.ts';
import type { SubList } from '../store/snapshot.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { BEGINNING, type PagesRead, readPages } from './readPages.ts';

/**
 * Loads historic child streams (deprecated, one per live session). Filters by parentId if the service pages; if the
 * service returns all streams regardless of the filter, that response serves all streams until the next refresh.
 */
export class HistoricLoader {
  readonly #asking: ConnectionSession;
  readonly #loading = new Map<string, Promise<void>>();
  #everything: Promise<PagesRead<Stream>> | undefined;

  constructor(asking: ConnectionSession) {
    this.#asking = asking;
  }

  forget(): void {
    this.#everything = undefined;
  }

  loadChildren(streamId: string): Promise<void> {
    const known = this.#loading.get(streamId);
    if (known !== undefined) return known;
    const loading = this.#loadChildren(streamId).finally(() => this.#loading.delete(streamId));
    this.#loading.set(streamId, loading);
    return loading;
  }

  #loadChildren(streamId: string): Promise<void> {
    const { store } = this.#asking;
    store.subLists.loading('children', streamId);
    return ask(
      this.#asking,
      async () => {
        const read = await this.#readChildren(streamId);
        checkOpen(this.#asking);
        const children = read.items.filter((stream) => stream.parentId === streamId);
        store.subLists.listed('children', streamId, toSubList(children, read));
      },
      (trouble) => store.subLists.failed('children', streamId, trouble),
    );
  }

  readonly loadOrphans = share(() => this.#loadOrphans());

  #loadOrphans(): Promise<void> {
    const { store } = this.#asking;
    store.subLists.orphansChanged({ isLoading: true });
    return ask(
      this.#asking,
      async () => {
        const read = await this.#readEverything();
        checkOpen(this.#asking);
        const parents = new Set(
          read.items.filter((stream) => stream.parentId === undefined).map((stream) => stream.id),
        );
        const orphans = read.items.filter((stream) => stream.parentId !== undefined && !parents.has(stream.parentId));
        store.subLists.orphansChanged({
          ...toSubList(orphans, read),
          isLoaded: true,
          isLoading: false,
          trouble: undefined,
        });
      },
      (trouble) => store.subLists.orphansChanged({ isLoading: false, trouble }),
    );
  }

  async #readChildren(streamId: string): Promise<PagesRead<Stream>> {
    const { listExtras, listFilters } = this.#asking.api.abilities;
    if (this.#everything !== undefined || !listExtras || !listFilters) return this.#readEverything();
    const read = await this.#read([{ id: 'parentId', value: streamId }]);
    const isEverything = read.items.some((stream) => stream.parentId !== streamId);
    if (isEverything) this.#everything = Promise.resolve(read);
    return read;
  }

  #readEverything(): Promise<PagesRead<Stream>> {
    if (this.#everything === undefined) {
      const reading = this.#read([]);
      this.#everything = reading;
      reading.catch(() => {
        if (this.#everything === reading) this.#everything = undefined;
      });
    }
    return this.#everything;
  }

  #read(filters: readonly Filter[]): Promise<PagesRead<Stream>> {
    const { api, signal } = this.#asking;
    const query: StreamQuery = { parentsOnly: false, filters, limit: 1000 };
    return readPages(
      (cursor) => api.listStreams(cursor === undefined ? query : { ...query, cursor }, { signal }),
      BEGINNING,
      MAX_PAGES,
    );
  }
}

function toSubList(
  streams: readonly Stream[],
  read: PagesRead<Stream>,
): Omit<SubList<Stream>, 'isLoaded' | 'isLoading' | 'trouble'> {
  const items = [...streams].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  const { startedAt, serverDate } = read;
  return { items, revealed: items.length, hasNextPage: false, loadedAt: startedAt, serverDate };
}
