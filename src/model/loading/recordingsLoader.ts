import type { Session } from '../../api/types.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { PageRequest, PagesRead } from '../account/pages.ts';
import {
  awaitedRecordings,
  hidesRecordings,
  matchingRecordings,
  parentsKnownBefore,
  unnamedParents,
} from '../store/recordings.ts';
import { mergeSessions } from '../store/sessions.ts';
import { tryReadStream } from './activeLoader.ts';
import { type LoadContext, runInBackground } from './loadContext.ts';
import { PagedLoader } from './pagedLoader.ts';

const FEW = 10;
const MORE_PAGES_AT_MOST = 5;
/** A poll requests the rows down to the last awaited recording, plus this many that may be new. */
const NEW_ROWS = 20;
const PARENTS_AT_ONCE = 6;
/** Names are written to the store in batches, so that rows aren't redrawn for each. */
const PARENTS_A_TIME = 24;

export class RecordingsLoader {
  /** A poll requests recordings that are being processed, and newer rows; all other rows stay. */
  readonly pages: PagedLoader<Session>;
  readonly #context: LoadContext;
  /** When the user last requested a refresh whose names aren't read yet. */
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
        await forEachLimit(listed, PARENTS_AT_ONCE, (id) => tryReadStream(this.#context, id));
      },
      () => {},
    ),
  );

  #createPages(context: LoadContext): PagedLoader<Session> {
    const { store } = context;
    const known = () => store.snapshot.recordings;
    return new PagedLoader(context, {
      choice: () => undefined,
      state: () => ({ ...known(), hidesRows: hidesRecordings(store.snapshot) }),
      read: (request) => this.#read(request),
      loading: (what) => store.recordingsLoading(what),
      listed: (read, { revealed, isMore }) => {
        const { hasNextPage, serverDate, startedAt } = read;
        const { requestSeq, loadedAt } = isMore ? known() : { requestSeq: read.requestSeq, loadedAt: startedAt };
        const items = mergeSessions(isMore ? known().items : [], read.items);
        const listedBackTo = items.findLast((session) => session.createdAt !== undefined)?.createdAt;
        store.recordingsListed({ items, revealed, hasNextPage, listedBackTo, requestSeq, loadedAt, serverDate });
        void this.nameParents();
      },
      revealMore: (rows) => {
        store.revealMoreRecordings(rows);
        void this.nameParents();
      },
      failed: (trouble) => store.recordingsFailed(trouble),
      polling: {
        limit: () => {
          const last = awaitedRecordings(store.snapshot).at(-1);
          return last && known().items.indexOf(last) + 1 + NEW_ROWS;
        },
        polled: ({ items, serverDate }) => {
          // `loadedAt` stays: rows further down were not read.
          store.recordingsListed({ ...known(), items: mergeSessions(known().items, items), serverDate });
          void this.nameParents();
        },
      },
    });
  }

  /** Reads at least the requested pages, and some more while they contain few recordings. */
  async #read(request: PageRequest): Promise<PagesRead<Session>> {
    const { account } = this.#context;
    const { limit, pages: atLeast = 1, isPoll = false } = request;
    let read = await account.listAllSessions(request);
    if (isPoll) return read;
    for (let pages = atLeast; pages <= MORE_PAGES_AT_MOST && read.hasNextPage && this.#isFew(read.items); pages++) {
      const more = await account.listAllSessions({ limit, from: read.bookmark });
      const { requestSeq, startedAt } = read;
      read = { ...more, items: [...read.items, ...more.items], requestSeq, startedAt };
    }
    return read;
  }

  #isFew(items: readonly Session[]): boolean {
    return matchingRecordings(items, this.#context.store.snapshot.recordingsRecordedOnly).length < FEW;
  }

  async #nameParents(ids: readonly string[]): Promise<void> {
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await this.#context.account.readStreamName(id));
      });
    } finally {
      if (!this.#context.account.isClosed && found.size > 0) this.#context.store.parentsKnown(found);
    }
  }
}
