import { ApiError, type ApiErrorReason, isAbortError, isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { coalesce, forEachLimit, makeQueue, share } from '../../util/async.ts';
import { timeSince } from '../../util/clock.ts';
import type { Account, PagedListName } from '../account/account.ts';
import { BEGINNING, type Bookmark, type PageRequest, type PagesRead } from '../account/pages.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import type { Listed } from '../store/facts.ts';
import {
  awaitedRecordings,
  hidesRecordings,
  matchingRecordings,
  parentsKnownBefore,
  unnamedParents,
} from '../store/recordings.ts';
import { isUnsettled, mergeSessions } from '../store/sessions.ts';
import type { LoadFailure } from '../store/snapshot.ts';
import { nameFilter } from '../store/streams.ts';

/** Shared by loaders while one connection is open. They read and write the store through the account's writer. */
export interface LoadContext {
  readonly account: Account;
  readonly clock: Clock;
  readonly log: Log;
  readonly pageSize: () => number;
}

/** Passes a failure to `failed` and the log, unless the connection has closed. */
export async function runInBackground(
  context: LoadContext,
  run: () => Promise<void>,
  failed: (trouble: LoadFailure) => void,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isAbortError(error)) return;
    failed(toLoadFailure(context, error));
  }
}

/** Logs an error from a list that is loaded in the background. Errors other than ApiError are bugs. */
export function toLoadFailure(
  { log, clock }: { readonly log: Log; readonly clock: Clock },
  error: unknown,
): LoadFailure {
  if (isApiError(error)) {
    log.warn(error.message);
    return { error, at: clock.now(), nextTryAt: error.retryAt };
  }
  log.error('Unexpected error', error);
  const wrapped = new ApiError('invalidResponse', 'Unexpected error', { cause: error });
  return { error: wrapped, at: clock.now(), nextTryAt: undefined };
}

// Failures after which reading the next stream is pointless.
const OF_THE_SERVICE: ReadonlySet<ApiErrorReason> = new Set(['unauthorized', 'rateLimited', 'network', 'timeout']);

/** If only this stream can't be read, it stays, and the next poll finds it missing again. Rethrows other failures. */
export async function tryReadStream({ account, log }: LoadContext, id: string): Promise<void> {
  try {
    await account.readStream(id);
  } catch (error) {
    if (!isApiError(error) || OF_THE_SERVICE.has(error.reason)) throw error;
    // A gateway error affects the whole service; a 500 may be about this stream.
    if (error.reason === 'unavailable' && error.status !== 500) throw error;
    log.warn(error.message);
  }
}

// With this, a response with 100,000 rows pauses polling for five minutes.
const MS_A_ROW = 3;
const LONGEST_MS = 5 * 60_000;

/** Slows down only the polls of a service that ignores limits or announces endless pages. */
export class PollPause {
  readonly #clock: Clock;
  #begunAt: number | undefined;
  #ms = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return timeSince(this.#begunAt, this.#clock.now()) >= this.#ms;
  }

  /** Starts a pause for a response with `rows` rows; Infinity if the list didn't end. */
  begin(rows: number): void {
    this.#begunAt = this.#clock.now();
    this.#ms = Math.min(LONGEST_MS, rows * MS_A_ROW);
  }
}

// A list that is read page by page: how to request its rows, and how to write them to the store.
interface PagedSource<T> {
  /** The value that the rows depend on besides the page. Rows aren't written if it has changed since the request. */
  readonly choice: () => unknown;
  /** The part of the choice that decides which rows are listed. If it changes, the list starts from a single page. */
  readonly selection?: () => unknown;
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

interface PagedState {
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
  // The choice for which the rows up to the bookmark were read.
  #chosen: unknown;
  #selected: unknown;
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

  #reload(pages?: number): Promise<void> {
    const source = this.#source;
    source.loading('isLoading');
    return this.#runInBackground(async () => {
      const { pageSize } = this.#context;
      const isKnown = source.state()?.isLoaded === true && source.selection?.() === this.#selected;
      const read = await this.#readChosen({
        pages: pages ?? (isKnown ? Math.max(1, this.#bookmark.paging.pages) : 1),
        limit: pageSize(),
      });
      const isSame = source.selection?.() === this.#selected;
      this.#bookmark = read.bookmark;
      this.#chosen = source.choice();
      this.#selected = source.selection?.();
      const revealed = Math.max(isSame ? (source.state()?.revealed ?? 0) : 0, read.bookmark.paging.pages * pageSize());
      source.listed(read, { revealed, isMore: false });
    });
  }

  async #loadMore(): Promise<void> {
    const source = this.#source;
    const limit = this.#context.pageSize();
    const state = source.state();
    if (state?.hidesRows === true) return source.revealMore(limit);
    if (state?.hasNextPage !== true) return;
    // The rows were taken over from another loader.
    if (this.#bookmark === BEGINNING) return this.#reload(Math.ceil(state.revealed / limit) + 1);
    const choice = source.choice();
    // Reloading the list failed. The next page of the former order or filter would leave out rows.
    if (choice !== this.#chosen) return this.#reload();
    source.loading('isLoadingMore');
    await this.#runInBackground(async () => {
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

  // Reads from the beginning. Starts again with one page if the choice has changed in the meantime.
  async #readChosen(request: PageRequest): Promise<PagesRead<T>> {
    const choice = this.#source.choice();
    const read = await this.#read(request);
    return this.#source.choice() === choice ? read : this.#readChosen({ ...request, pages: 1 });
  }

  async #read(request: PageRequest): Promise<PagesRead<T>> {
    const read = await this.#source.read(request);
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

// A poll requests the rows down to the last that can still change, plus this many that may be new.
const NEW_SESSIONS = 10;

export function createListLoader(context: LoadContext, list: PagedListName): PagedLoader<Stream> {
  const { account } = context;
  const { writer } = account;
  return new PagedLoader(context, {
    choice: () => `${writer.snapshot.sort} ${nameFilter(writer.snapshot.filter)}`,
    selection: () => nameFilter(writer.snapshot.filter),
    state: () => {
      const { ids, ...state } = writer.snapshot.lists[list];
      return { ...state, hidesRows: ids.length > state.revealed };
    },
    read: (request) => account.listStreams(list, writer.snapshot, request),
    loading: (what) => writer.listLoading(list, what),
    listed: (read, { revealed, isMore }) => {
      const listed = toListed(read, revealed);
      if (isMore) writer.listedMore(list, listed);
      else writer.listed(list, listed);
    },
    revealMore: (rows) => writer.revealMore(list, rows),
    failed: (trouble) => writer.listFailed(list, trouble),
  });
}

/** Converts pages for the store. Leaves out child streams, which some services return despite the query. */
export function toListed(read: PagesRead<Stream>, revealed: number): Listed {
  const { items, bookmark, ...page } = read;
  const streams = items.filter((stream) => !isChildStream(stream));
  return { ...page, streams, revealed, seen: bookmark.paging.count };
}

export function createSessionsLoader(context: LoadContext, streamId: string): PagedLoader<Session> {
  const { account } = context;
  const { writer } = account;
  const known = () => writer.snapshot.sessions.get(streamId);
  return new PagedLoader(context, {
    choice: () => undefined,
    state: () => {
      const list = known();
      return list && { ...list, hidesRows: list.items.length > list.revealed };
    },
    read: (request) => account.listSessions(streamId, request),
    loading: () => writer.sessionsLoading(streamId),
    listed: (read, { revealed, isMore }) => {
      const before = isMore ? known()?.items : [];
      if (before === undefined) return;
      const { hasNextPage, startedAt: loadedAt, serverDate } = read;
      const items = mergeSessions(before, read.items);
      writer.sessionsListed(streamId, { items, revealed, hasNextPage, loadedAt, serverDate });
    },
    revealMore: (rows) => {
      const list = known();
      if (list) writer.sessionsListed(streamId, { ...list, revealed: list.revealed + rows });
    },
    failed: (trouble) => writer.sessionsFailed(streamId, trouble),
    polling: {
      limit: () => (known()?.items.findLastIndex(isUnsettled) ?? -1) + 1 + NEW_SESSIONS,
      polled: ({ items: newest, startedAt: loadedAt, serverDate }) => {
        const list = known();
        if (list === undefined) return;
        const items = mergeSessions(list.items, newest);
        writer.sessionsListed(streamId, { ...list, items, loadedAt, serverDate });
      },
    },
  });
}

const FEW = 10;
const MORE_PAGES_AT_MOST = 5;
// A poll requests the rows down to the last awaited recording, plus this many that may be new.
const NEW_ROWS = 20;
const PARENTS_AT_ONCE = 6;
// Names are written to the store in batches, so that rows aren't redrawn for each.
const PARENTS_A_TIME = 24;

export class RecordingsLoader {
  /** A poll requests recordings that are being processed and newer rows. All other rows stay. */
  readonly pages: PagedLoader<Session>;
  readonly #context: LoadContext;
  #freshFrom: number | undefined;

  constructor(context: LoadContext) {
    this.#context = context;
    this.pages = this.#createPages(context);
  }

  async refresh(): Promise<void> {
    this.#freshFrom ??= this.#context.clock.now();
    await this.pages.reload();
    void this.#renameParents();
  }

  /** Reads stream names that sessions lack, each once per connection. Not awaited, because rows are shown first. */
  readonly nameParents = coalesce(() =>
    runInBackground(
      this.#context,
      async () => {
        const ids = unnamedParents(this.#context.account.writer.snapshot);
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
        const { writer } = this.#context.account;
        const before = this.#freshFrom ?? Number.NEGATIVE_INFINITY;
        this.#freshFrom = undefined;
        const ids = parentsKnownBefore(writer.snapshot, before);
        const listed = ids.filter((id) => writer.snapshot.streams.has(id));
        await this.#nameParents(ids.filter((id) => !listed.includes(id)));
        await forEachLimit(listed, PARENTS_AT_ONCE, (id) => tryReadStream(this.#context, id));
      },
      () => {},
    ),
  );

  #createPages(context: LoadContext): PagedLoader<Session> {
    const { writer } = context.account;
    const known = () => writer.snapshot.recordings;
    return new PagedLoader(context, {
      choice: () => undefined,
      state: () => ({ ...known(), hidesRows: hidesRecordings(writer.snapshot) }),
      read: (request) => this.#read(request),
      loading: (what) => writer.recordingsLoading(what),
      listed: (read, { revealed, isMore }) => {
        const { hasNextPage, serverDate, startedAt } = read;
        const { requestSeq, loadedAt } = isMore ? known() : { requestSeq: read.requestSeq, loadedAt: startedAt };
        const items = mergeSessions(isMore ? known().items : [], read.items);
        const listedBackTo = items.findLast((session) => session.createdAt !== undefined)?.createdAt;
        writer.recordingsListed({ items, revealed, hasNextPage, listedBackTo, requestSeq, loadedAt, serverDate });
        void this.nameParents();
      },
      revealMore: (rows) => {
        writer.revealMoreRecordings(rows);
        void this.nameParents();
      },
      failed: (trouble) => writer.recordingsFailed(trouble),
      polling: {
        limit: () => {
          const last = awaitedRecordings(writer.snapshot).at(-1);
          return last && known().items.indexOf(last) + 1 + NEW_ROWS;
        },
        polled: ({ items, serverDate }) => {
          // `loadedAt` stays, because rows further down weren't read.
          writer.recordingsListed({ ...known(), items: mergeSessions(known().items, items), serverDate });
          void this.nameParents();
        },
      },
    });
  }

  async #read(request: PageRequest): Promise<PagesRead<Session>> {
    const { account } = this.#context;
    const { limit, pages: atLeast = 1, isPoll = false } = request;
    // Each row contains its whole stream, so a poll doesn't request rows that can't have changed.
    if (isPoll) return account.listAllSessions({ ...request, since: this.#oldestAwaited() });
    let read = await account.listAllSessions(request);
    for (let pages = atLeast; pages <= MORE_PAGES_AT_MOST && read.hasNextPage && this.#isFew(read.items); pages++) {
      const more = await account.listAllSessions({ limit, from: read.bookmark });
      const { requestSeq, startedAt } = read;
      read = { ...more, items: [...read.items, ...more.items], requestSeq, startedAt };
    }
    return read;
  }

  #oldestAwaited(): number | undefined {
    const times = awaitedRecordings(this.#context.account.writer.snapshot).map(({ createdAt }) => createdAt);
    return times.reduce(
      (oldest, time) => (time === undefined || oldest === undefined ? undefined : Math.min(oldest, time)),
      times[0],
    );
  }

  #isFew(items: readonly Session[]): boolean {
    return matchingRecordings(items, this.#context.account.writer.snapshot.recordingsRecordedOnly).length < FEW;
  }

  async #nameParents(ids: readonly string[]): Promise<void> {
    const { account } = this.#context;
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await account.readStreamName(id));
      });
    } finally {
      if (found.size > 0) account.writer.parentsKnown(found);
    }
  }
}
