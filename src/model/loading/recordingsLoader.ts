import type { Session } from '../../api/types.ts';
import { coalesce, forEachLimit, makeQueue, share } from '../../util/async.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import {
  awaitedRecordings,
  hidesRecordings,
  matchingRecordings,
  parentsKnownBefore,
  unnamedParents,
} from '../store/recordings.ts';
import type { RecordingsListed } from '../store/recordingsIntents.ts';
import { newestFirst } from '../store/sessions.ts';
import { lookUp } from './activeLoader.ts';
import { type LoadContext, runInBackground, throwIfClosed } from './loadContext.ts';
import { PollPause } from './pollPause.ts';

const FEW = 10;
const MORE_PAGES_AT_MOST = 5;
/** A poll requests the rows down to the last awaited recording, plus this many that may be new. */
const NEW_ROWS = 20;
const PARENTS_AT_ONCE = 6;
/** Names are written to the store in batches, so that rows aren't redrawn for each. */
const PARENTS_A_TIME = 24;

/** Loads the account's newest sessions, over all streams. */
export class RecordingsLoader {
  readonly #context: LoadContext;
  readonly #inTurn = makeQueue();
  readonly #pause: PollPause;
  #bookmark: Bookmark = BEGINNING;
  /** When the user last requested a refresh whose names aren't read yet. */
  #freshFrom: number | undefined;

  constructor(context: LoadContext) {
    this.#context = context;
    this.#pause = new PollPause(context.clock);
  }

  readonly reload = coalesce(() => this.#inTurn(() => this.#reload()));

  /** Reloads on behalf of the user: known stream names are read again, too. */
  async refresh(): Promise<void> {
    this.#freshFrom ??= this.#context.clock.now();
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
    runInBackground(
      this.#context,
      async () => {
        const ids = unnamedParents(this.#context.store.snapshot);
        for (let from = 0; from < ids.length; from += PARENTS_A_TIME) {
          await this.#nameParents(ids.slice(from, from + PARENTS_A_TIME));
        }
      },
      () => {},
    ),
  );

  readonly #renameParents = coalesce(() =>
    runInBackground(
      this.#context,
      async () => {
        const { store } = this.#context;
        const before = this.#freshFrom ?? Number.NEGATIVE_INFINITY;
        this.#freshFrom = undefined;
        const ids = parentsKnownBefore(store.snapshot, before);
        const listed = ids.filter((id) => store.snapshot.streams.has(id));
        await this.#nameParents(ids.filter((id) => !listed.includes(id)));
        await forEachLimit(listed, PARENTS_AT_ONCE, (id) => lookUp(this.#context, id));
      },
      () => {},
    ),
  );

  #reload(): Promise<void> {
    const { store, pageSize } = this.#context;
    store.recordings.loading('isLoading');
    return this.#runInBackground(async () => {
      const pages = this.#known.isLoaded ? Math.max(1, this.#bookmark.paging.pages) : 1;
      const read = await this.#read(BEGINNING, pages, Math.max(pages, 1 + MORE_PAGES_AT_MOST));
      const revealed = Math.max(this.#known.revealed, read.bookmark.paging.pages * pageSize());
      this.#tell(read, [], revealed);
    });
  }

  async #loadMore(): Promise<void> {
    const { store, pageSize } = this.#context;
    if (hidesRecordings(store.snapshot)) {
      store.recordings.revealMore(pageSize());
      void this.nameParents();
      return;
    }
    if (!this.#known.hasNextPage) return;
    store.recordings.loading('isLoadingMore');
    await this.#runInBackground(async () => {
      const before = this.#bookmark.paging.pages;
      const read = await this.#read(this.#bookmark, 1, 1 + MORE_PAGES_AT_MOST);
      const pages = read.bookmark.paging.pages - before;
      this.#tell(read, this.#known.items, this.#known.revealed + pages * pageSize());
    });
  }

  #look(): Promise<void> {
    const { store, pageSize } = this.#context;
    const last = awaitedRecordings(store.snapshot).at(-1);
    if (last === undefined || !this.#pause.isOver) return Promise.resolve();
    const rows = this.#known.items.indexOf(last) + 1 + NEW_ROWS;
    return this.#runInBackground(async () => {
      const read = await this.#readPages({ limit: Math.min(rows, pageSize()), isPoll: true });
      const ids = new Set(read.items.map((session) => session.id));
      const items = newestFirst([...read.items, ...this.#known.items.filter((session) => !ids.has(session.id))]);
      // `loadedAt` stays: rows further down were not read.
      store.recordings.listed({ ...this.#known, items, serverDate: read.serverDate });
      void this.nameParents();
    });
  }

  /** Reads at least `atLeast` pages, and up to `atMost` while they contain few recordings. */
  async #read(from: Bookmark, atLeast: number, atMost: number): Promise<PagesRead<Session>> {
    const limit = this.#context.pageSize();
    let read = await this.#readPages({ limit, from, pages: atLeast });
    for (let pages = atLeast; pages < atMost && read.hasNextPage && this.#isFew(read.items); pages++) {
      const more = await this.#readPages({ limit, from: read.bookmark });
      const { turn, startedAt } = read;
      read = { ...more, items: [...read.items, ...more.items], turn, startedAt };
    }
    return read;
  }

  #isFew(items: readonly Session[]): boolean {
    return matchingRecordings(items, this.#context.store.snapshot.recordingsRecordedOnly).length < FEW;
  }

  #tell(read: PagesRead<Session>, before: readonly Session[], revealed: number): void {
    this.#bookmark = read.bookmark;
    const { hasNextPage, serverDate } = read;
    const ids = new Set(read.items.map((session) => session.id));
    const items = newestFirst([...before.filter((session) => !ids.has(session.id)), ...read.items]);
    const { turn, loadedAt } = before.length > 0 ? this.#known : { turn: read.turn, loadedAt: read.startedAt };
    const lookedBackTo = items.findLast((session) => session.createdAt !== undefined)?.createdAt;
    const listed: RecordingsListed = { items, revealed, hasNextPage, lookedBackTo, turn, loadedAt, serverDate };
    this.#context.store.recordings.listed(listed);
    void this.nameParents();
  }

  async #nameParents(ids: readonly string[]): Promise<void> {
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await this.#context.account.readStreamName(id));
      });
    } finally {
      if (!this.#context.account.isClosed && found.size > 0) this.#context.store.recordings.parentsKnown(found);
    }
  }

  get #known() {
    return this.#context.store.snapshot.recordings;
  }

  #runInBackground(run: () => Promise<void>): Promise<void> {
    return runInBackground(this.#context, run, (trouble) => this.#context.store.recordings.failed(trouble));
  }

  async #readPages(request: PageRequest): Promise<PagesRead<Session>> {
    const read = await this.#context.account.listAllSessions(request);
    throwIfClosed(this.#context);
    this.#pause.begin(read.lastPageRows > 2 * request.limit ? read.lastPageRows : 0);
    return read;
  }
}
