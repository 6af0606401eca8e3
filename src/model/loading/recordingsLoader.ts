import { isApiError } from '../../api/errors.ts';
import type { Page, Session } from '../../api/types.ts';
import { coalesce, forEachLimit, makeQueue, share } from '../../util/async.ts';
import {
  awaitedRecordings,
  hidesRecordings,
  matchingRecordings,
  parentsKnownBefore,
  unnamedParents,
} from '../store/recordings.ts';
import type { RecordingsListed } from '../store/recordingsIntents.ts';
import { newestFirst } from '../store/sessions.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { PollPause } from './pollPause.ts';
import { BEGINNING, type Bookmark, type PagesRead, readPages } from './readPages.ts';
import { lookUp } from './streamReads.ts';

const FEW = 10;
const MORE_PAGES_AT_MOST = 5;
/** A poll requests the rows down to the last awaited recording, plus this many that may be new. */
const NEW_ROWS = 20;
const PARENTS_AT_ONCE = 6;
/** Names are written to the store in batches, so that rows aren't redrawn for each. */
const PARENTS_A_TIME = 24;

/** Loads the account's newest sessions, over all streams. */
export class RecordingsLoader {
  readonly #asking: ConnectionSession;
  readonly #inTurn = makeQueue();
  readonly #pause: PollPause;
  #bookmark: Bookmark = BEGINNING;
  /** When the user last requested a refresh whose names aren't read yet. */
  #freshFrom: number | undefined;

  constructor(asking: ConnectionSession) {
    this.#asking = asking;
    this.#pause = new PollPause(asking.clock);
  }

  readonly reload = coalesce(() => this.#inTurn(() => this.#reload()));

  /** Reloads on behalf of the user: known stream names are read again, too. */
  async refresh(): Promise<void> {
    this.#freshFrom ??= this.#asking.clock.now();
    await this.reload();
    void this.#renameParents();
  }

  readonly loadMore = share(() => this.#inTurn(() => this.#loadMore()));

  /** Polls recordings that are being processed, and newer rows, with one request; keeps all other rows. */
  readonly look = share(() => this.#inTurn(() => this.#look()));

  /**
   * Reads the streams of shown sessions that have no stream name, each once per connection. Failed reads are retried
   * after the next response. Not awaited by callers: rows are shown first, their names follow.
   */
  readonly nameParents = coalesce(() =>
    ask(
      this.#asking,
      async () => {
        const ids = unnamedParents(this.#asking.store.snapshot);
        for (let from = 0; from < ids.length; from += PARENTS_A_TIME) {
          await this.#nameParents(ids.slice(from, from + PARENTS_A_TIME));
        }
      },
      () => {},
    ),
  );

  readonly #renameParents = coalesce(() =>
    ask(
      this.#asking,
      async () => {
        const { store } = this.#asking;
        const before = this.#freshFrom ?? Number.NEGATIVE_INFINITY;
        this.#freshFrom = undefined;
        const ids = parentsKnownBefore(store.snapshot, before);
        const listed = ids.filter((id) => store.snapshot.streams.has(id));
        await this.#nameParents(ids.filter((id) => !listed.includes(id)));
        await forEachLimit(listed, PARENTS_AT_ONCE, (id) => lookUp(this.#asking, id));
      },
      () => {},
    ),
  );

  #reload(): Promise<void> {
    const { store, pageSize } = this.#asking;
    store.recordings.loading('isLoading');
    return this.#ask(async () => {
      const pages = this.#known.isLoaded ? Math.max(1, this.#bookmark.paging.pages) : 1;
      const read = await this.#read(BEGINNING, pages, Math.max(pages, 1 + MORE_PAGES_AT_MOST));
      const revealed = Math.max(this.#known.revealed, read.bookmark.paging.pages * pageSize());
      this.#tell(read, [], revealed);
    });
  }

  async #loadMore(): Promise<void> {
    const { store, pageSize } = this.#asking;
    if (hidesRecordings(store.snapshot)) {
      store.recordings.revealMore(pageSize());
      void this.nameParents();
      return;
    }
    if (!this.#known.hasNextPage) return;
    store.recordings.loading('isLoadingMore');
    await this.#ask(async () => {
      const before = this.#bookmark.paging.pages;
      const read = await this.#read(this.#bookmark, 1, 1 + MORE_PAGES_AT_MOST);
      const pages = read.bookmark.paging.pages - before;
      this.#tell(read, this.#known.items, this.#known.revealed + pages * pageSize());
    });
  }

  #look(): Promise<void> {
    const { store, pageSize } = this.#asking;
    const last = awaitedRecordings(store.snapshot).at(-1);
    if (last === undefined || !this.#pause.isOver) return Promise.resolve();
    const rows = this.#known.items.indexOf(last) + 1 + NEW_ROWS;
    return this.#ask(async () => {
      const read = await this.#fetch(undefined, Math.min(rows, pageSize()), true);
      checkOpen(this.#asking);
      const ids = new Set(read.items.map((session) => session.id));
      const items = newestFirst([...read.items, ...this.#known.items.filter((session) => !ids.has(session.id))]);
      // `loadedAt` stays: rows further down were not read.
      store.recordings.listed({ ...this.#known, items, serverDate: read.serverDate });
      void this.nameParents();
    });
  }

  /** Reads at least `atLeast` pages, and up to `atMost` while they contain few recordings. */
  async #read(from: Bookmark, atLeast: number, atMost: number): Promise<PagesRead<Session>> {
    const fetch = (cursor: string | undefined) => this.#fetch(cursor, this.#asking.pageSize());
    let read = await readPages(fetch, from, atLeast);
    for (let pages = atLeast; pages < atMost && read.hasNextPage && this.#isFew(read.items); pages++) {
      checkOpen(this.#asking);
      const more = await readPages(fetch, read.bookmark, 1);
      const { turn, startedAt } = read;
      read = { ...more, items: [...read.items, ...more.items], turn, startedAt };
    }
    return read;
  }

  #isFew(items: readonly Session[]): boolean {
    return matchingRecordings(items, this.#asking.store.snapshot.recordingsRecordedOnly).length < FEW;
  }

  #tell(read: PagesRead<Session>, before: readonly Session[], revealed: number): void {
    checkOpen(this.#asking);
    this.#bookmark = read.bookmark;
    const { hasNextPage, serverDate } = read;
    const ids = new Set(read.items.map((session) => session.id));
    const items = newestFirst([...before.filter((session) => !ids.has(session.id)), ...read.items]);
    const { turn, loadedAt } = before.length > 0 ? this.#known : { turn: read.turn, loadedAt: read.startedAt };
    const lookedBackTo = items.findLast((session) => session.createdAt !== undefined)?.createdAt;
    const listed: RecordingsListed = { items, revealed, hasNextPage, lookedBackTo, turn, loadedAt, serverDate };
    this.#asking.store.recordings.listed(listed);
    void this.nameParents();
  }

  async #nameParents(ids: readonly string[]): Promise<void> {
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await this.#readName(id));
      });
    } finally {
      if (!this.#asking.signal.aborted && found.size > 0) this.#asking.store.recordings.parentsKnown(found);
    }
  }

  async #readName(id: string): Promise<string | undefined> {
    const { api, signal } = this.#asking;
    try {
      return (await api.getStream(id, { signal })).value.name;
    } catch (error) {
      if (isApiError(error) && error.reason === 'notFound') return undefined;
      throw error;
    }
  }

  get #known() {
    return this.#asking.store.snapshot.recordings;
  }

  #ask(run: () => Promise<void>): Promise<void> {
    return ask(this.#asking, run, (trouble) => this.#asking.store.recordings.failed(trouble));
  }

  async #fetch(cursor: string | undefined, limit: number, conditional = false): Promise<Page<Session>> {
    const { api, signal } = this.#asking;
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.listUserSessions(query, { signal, conditional });
    this.#pause.begin(page.items.length > 2 * limit ? page.items.length : 0);
    return page;
  }
}
