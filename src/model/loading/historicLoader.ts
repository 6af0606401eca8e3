import type { Stream } from '../../api/types.ts';
import { share } from '../../util/async.ts';
import type { PagesRead } from '../account/pages.ts';
import type { SubList } from '../store/snapshot.ts';
import { type LoadContext, runInBackground, throwIfClosed } from './loadContext.ts';

/**
 * Loads historic child streams (deprecated, one per live session). Filters by parentId if the service pages; if the
 * service returns all streams regardless of the filter, that response serves all streams until the next refresh.
 */
export class HistoricLoader {
  readonly #context: LoadContext;
  readonly #loading = new Map<string, Promise<void>>();
  #everything: Promise<PagesRead<Stream>> | undefined;

  constructor(context: LoadContext) {
    this.#context = context;
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
    const { store } = this.#context;
    store.subLists.loading('children', streamId);
    return runInBackground(
      this.#context,
      async () => {
        const read = await this.#readChildren(streamId);
        throwIfClosed(this.#context);
        const children = read.items.filter((stream) => stream.parentId === streamId);
        store.subLists.listed('children', streamId, toSubList(children, read));
      },
      (trouble) => store.subLists.failed('children', streamId, trouble),
    );
  }

  readonly loadOrphans = share(() => this.#loadOrphans());

  #loadOrphans(): Promise<void> {
    const { store } = this.#context;
    store.subLists.orphansChanged({ isLoading: true });
    return runInBackground(
      this.#context,
      async () => {
        const read = await this.#readEverything();
        throwIfClosed(this.#context);
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
    const { account } = this.#context;
    if (this.#everything !== undefined || !account.canListChildren) return this.#readEverything();
    const read = await account.listWithChildren(streamId);
    const isEverything = read.items.some((stream) => stream.parentId !== streamId);
    if (isEverything) this.#everything = Promise.resolve(read);
    return read;
  }

  #readEverything(): Promise<PagesRead<Stream>> {
    if (this.#everything === undefined) {
      const reading = this.#context.account.listWithChildren();
      this.#everything = reading;
      reading.catch(() => {
        if (this.#everything === reading) this.#everything = undefined;
      });
    }
    return this.#everything;
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
