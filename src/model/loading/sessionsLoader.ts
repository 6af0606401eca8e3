import type { Session } from '../../api/types.ts';
import { coalesce, makeQueue, share } from '../../util/async.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import { isUnsettled, newestFirst } from '../store/sessions.ts';
import { type LoadContext, runInBackground, throwIfClosed } from './loadContext.ts';
import { PollPause } from './pollPause.ts';

const NEW_SESSIONS = 10;

export class SessionsLoader {
  readonly #context: LoadContext;
  readonly #streamId: string;
  readonly #queue = makeQueue();
  readonly #pause: PollPause;
  #bookmark: Bookmark = BEGINNING;
  #waiting = 0;

  constructor(context: LoadContext, streamId: string) {
    this.#context = context;
    this.#streamId = streamId;
    this.#pause = new PollPause(context.clock);
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /**
   * Polls the newest sessions, down to the last that can still change, and keeps the rest. Skipped during a pause, if
   * the service returns the whole of a long list.
   */
  readonly look = share(() => this.#inTurn(() => this.#look()));

  readonly reload = coalesce(() => this.#inTurn(() => this.#reload()));
  readonly loadMore = share(() => this.#inTurn(() => this.#loadMore()));

  #reload(): Promise<void> {
    this.#context.store.subLists.loading('sessions', this.#streamId);
    return this.#runInBackground(async () => {
      const pages = Math.max(1, this.#known?.isLoaded === true ? this.#bookmark.paging.pages : 1);
      const read = await this.#readChosen({ pages, limit: this.#context.pageSize() });
      this.#tell(read, [], Math.max(this.#known?.revealed ?? 0, pages * this.#context.pageSize()));
    });
  }

  /** Reads pages from the beginning; starts again if `recordedOnly` has changed meanwhile. */
  async #readChosen(request: PageRequest): Promise<PagesRead<Session>> {
    const { recordedOnly } = this.#context.store.snapshot;
    const read = await this.#read(recordedOnly, request);
    return this.#isChosen(recordedOnly) ? read : this.#readChosen({ ...request, pages: 1 });
  }

  #isChosen(recordedOnly: boolean): boolean {
    return this.#context.store.snapshot.recordedOnly === recordedOnly;
  }

  async #inTurn(task: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    await this.#queue(task).finally(() => {
      this.#waiting -= 1;
    });
  }

  async #look(): Promise<void> {
    if (!this.#pause.isOver) return;
    return this.#runInBackground(async () => {
      const changing = (this.#known?.items.findLastIndex(isUnsettled) ?? -1) + 1;
      const limit = Math.min(changing + NEW_SESSIONS, this.#context.pageSize());
      const read = await this.#readChosen({ limit, isPoll: true });
      const known = this.#known;
      if (known === undefined) return;
      const ids = new Set(read.items.map((session) => session.id));
      const items = newestFirst([...read.items, ...known.items.filter((session) => !ids.has(session.id))]);
      const { startedAt: loadedAt, serverDate } = read;
      this.#context.store.subLists.listed('sessions', this.#streamId, { ...known, items, loadedAt, serverDate });
    });
  }

  async #loadMore(): Promise<void> {
    const known = this.#known;
    if (known === undefined) return;
    const revealed = known.revealed + this.#context.pageSize();
    if (known.items.length > known.revealed) {
      return this.#context.store.subLists.listed('sessions', this.#streamId, { ...known, revealed });
    }
    if (!known.hasNextPage) return;
    const { recordedOnly } = this.#context.store.snapshot;
    this.#context.store.subLists.loading('sessions', this.#streamId);
    await this.#runInBackground(async () => {
      const limit = this.#context.pageSize();
      const read = await this.#read(recordedOnly, { limit, from: this.#bookmark });
      if (this.#isChosen(recordedOnly)) this.#tell(read, known.items, revealed);
    });
  }

  #tell(read: PagesRead<Session>, before: readonly Session[], revealed: number): void {
    this.#bookmark = read.bookmark;
    const { hasNextPage, startedAt, serverDate } = read;
    const items = newestFirst([...before, ...read.items]);
    const state = { items, revealed, hasNextPage, serverDate, loadedAt: startedAt };
    this.#context.store.subLists.listed('sessions', this.#streamId, state);
  }

  get #known() {
    return this.#context.store.snapshot.sessions.get(this.#streamId);
  }

  #runInBackground(run: () => Promise<void>): Promise<void> {
    const { store } = this.#context;
    return runInBackground(this.#context, run, (trouble) => store.subLists.failed('sessions', this.#streamId, trouble));
  }

  async #read(recordedOnly: boolean, request: PageRequest): Promise<PagesRead<Session>> {
    const read = await this.#context.account.listSessions(this.#streamId, { recordedOnly, ...request });
    throwIfClosed(this.#context);
    this.#pause.begin(read.lastPageRows > 2 * request.limit ? read.lastPageRows : 0);
    return read;
  }
}
