import type { Page, Session } from '../../api/types.ts';
import { coalesce, makeQueue, share } from '../../util/async.ts';
import { wasRecorded } from '../store/recordings.ts';
import { isUnsettled, newestFirst } from '../store/sessions.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { PollPause } from './pollPause.ts';
import { BEGINNING, type Bookmark, type PagesRead, readPages } from './readPages.ts';

const NEW_SESSIONS = 10;

interface Reading {
  readonly limit: number;
  readonly conditional?: boolean;
}

export class SessionsLoader {
  readonly #asking: ConnectionSession;
  readonly #streamId: string;
  readonly #queue = makeQueue();
  readonly #pause: PollPause;
  #bookmark: Bookmark = BEGINNING;
  #waiting = 0;

  constructor(asking: ConnectionSession, streamId: string) {
    this.#asking = asking;
    this.#streamId = streamId;
    this.#pause = new PollPause(asking.clock);
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
    this.#asking.store.subLists.loading('sessions', this.#streamId);
    return this.#ask(async () => {
      const pages = Math.max(1, this.#known?.isLoaded === true ? this.#bookmark.paging.pages : 1);
      const read = await this.#readChosen(pages, { limit: this.#asking.pageSize() });
      this.#tell(read, [], Math.max(this.#known?.revealed ?? 0, pages * this.#asking.pageSize()));
    });
  }

  /** Reads pages from the beginning; starts again if `recordedOnly` has changed meanwhile. */
  async #readChosen(pages: number, how: Reading): Promise<PagesRead<Session>> {
    const { recordedOnly } = this.#asking.store.snapshot;
    const read = await readPages((cursor) => this.#fetch({ cursor, recordedOnly, ...how }), BEGINNING, pages);
    checkOpen(this.#asking);
    return this.#isChosen(recordedOnly) ? read : this.#readChosen(1, how);
  }

  #isChosen(recordedOnly: boolean): boolean {
    return this.#asking.store.snapshot.recordedOnly === recordedOnly;
  }

  async #inTurn(task: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    await this.#queue(task).finally(() => {
      this.#waiting -= 1;
    });
  }

  async #look(): Promise<void> {
    if (!this.#pause.isOver) return;
    return this.#ask(async () => {
      const changing = (this.#known?.items.findLastIndex(isUnsettled) ?? -1) + 1;
      const limit = Math.min(changing + NEW_SESSIONS, this.#asking.pageSize());
      const read = await this.#readChosen(1, { limit, conditional: true });
      const known = this.#known;
      if (known === undefined) return;
      const ids = new Set(read.items.map((session) => session.id));
      const items = newestFirst([...read.items, ...known.items.filter((session) => !ids.has(session.id))]);
      const { startedAt: loadedAt, serverDate } = read;
      this.#asking.store.subLists.listed('sessions', this.#streamId, { ...known, items, loadedAt, serverDate });
    });
  }

  async #loadMore(): Promise<void> {
    const known = this.#known;
    if (known === undefined) return;
    const revealed = known.revealed + this.#asking.pageSize();
    if (known.items.length > known.revealed) {
      return this.#asking.store.subLists.listed('sessions', this.#streamId, { ...known, revealed });
    }
    if (!known.hasNextPage) return;
    const { recordedOnly } = this.#asking.store.snapshot;
    this.#asking.store.subLists.loading('sessions', this.#streamId);
    await this.#ask(async () => {
      const limit = this.#asking.pageSize();
      const read = await readPages((cursor) => this.#fetch({ cursor, recordedOnly, limit }), this.#bookmark, 1);
      checkOpen(this.#asking);
      if (this.#isChosen(recordedOnly)) this.#tell(read, known.items, revealed);
    });
  }

  #tell(read: PagesRead<Session>, before: readonly Session[], revealed: number): void {
    this.#bookmark = read.bookmark;
    const { hasNextPage, startedAt, serverDate } = read;
    const items = newestFirst([...before, ...read.items]);
    const state = { items, revealed, hasNextPage, serverDate, loadedAt: startedAt };
    this.#asking.store.subLists.listed('sessions', this.#streamId, state);
  }

  get #known() {
    return this.#asking.store.snapshot.sessions.get(this.#streamId);
  }

  #ask(run: () => Promise<void>): Promise<void> {
    const { store } = this.#asking;
    return ask(this.#asking, run, (trouble) => store.subLists.failed('sessions', this.#streamId, trouble));
  }

  async #fetch({
    cursor,
    recordedOnly,
    limit,
    conditional = false,
  }: Reading & { readonly cursor: string | undefined; readonly recordedOnly: boolean }): Promise<Page<Session>> {
    const { api, signal } = this.#asking;
    const query = { recordedOnly, limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.listSessions(this.#streamId, query, { signal, conditional });
    this.#pause.begin(page.items.length > 2 * limit ? page.items.length : 0);
    return recordedOnly ? { ...page, items: page.items.filter(wasRecorded) } : page;
  }
}
