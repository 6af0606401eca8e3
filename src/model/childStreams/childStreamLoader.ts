import type { Stream } from '../../api/types.ts';
import type { PagesRead } from '../account/pages.ts';
import { type LoadContext, runInBackground } from '../loading/pagedLoader.ts';
import { type ChildList, isChildStream } from './childStreams.ts';

/** If the service ignores the filter and returns all streams, that response serves all lists until a refresh. */
export class ChildStreamLoader {
  readonly #context: LoadContext;
  readonly #loading = new Map<ChildList, Promise<void>>();
  #everything: Promise<PagesRead<Stream>> | undefined;

  constructor(context: LoadContext) {
    this.#context = context;
  }

  forget(): void {
    this.#everything = undefined;
  }

  load(list: ChildList): Promise<void> {
    const known = this.#loading.get(list);
    if (known !== undefined) return known;
    const loading = this.#load(list).finally(() => this.#loading.delete(list));
    this.#loading.set(list, loading);
    return loading;
  }

  #load(list: ChildList): Promise<void> {
    const { writer } = this.#context.account;
    writer.childrenLoading(list);
    return runInBackground(
      this.#context,
      async () => {
        const read = await this.#read(list);
        const children = childrenAmong(read.items, list);
        const items = [...children].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
        const { startedAt: loadedAt, serverDate } = read;
        writer.childrenListed(list, { items, revealed: items.length, hasNextPage: false, loadedAt, serverDate });
      },
      (trouble) => writer.childrenFailed(list, trouble),
    );
  }

  async #read(list: ChildList): Promise<PagesRead<Stream>> {
    const { account } = this.#context;
    // Only a list of all streams shows which parents are unknown.
    if (list === undefined || this.#everything !== undefined || !account.canListChildren) return this.#readEverything();
    const read = await account.listWithChildren(list);
    const isEverything = read.items.some((stream) => stream.parentId !== list);
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

function childrenAmong(streams: readonly Stream[], list: ChildList): readonly Stream[] {
  if (list !== undefined) return streams.filter((stream) => stream.parentId === list);
  const parents = new Set(streams.filter((stream) => !isChildStream(stream)).map(({ id }) => id));
  return streams.filter(({ parentId }) => parentId !== undefined && !parents.has(parentId));
}
