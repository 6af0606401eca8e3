import { isCut } from '../../api/paging.ts';
import type { Session, Stream } from '../../api/types.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Account } from '../account/account.ts';
import { ChildStreamLoader } from '../childStreams/childStreamLoader.ts';
import type { ChildList } from '../childStreams/childStreams.ts';
import type { Listed } from '../store/facts.ts';
import type { ListName, LoadFailure, Snapshot, SubList } from '../store/snapshot.ts';
import { hasMore } from '../store/streams.ts';
import type { Interest } from './interest.ts';
import {
  createListLoader,
  createSessionsLoader,
  type LoadContext,
  type PagedLoader,
  PollPause,
  RecordingsLoader,
  runInBackground,
  throwIfClosed,
  toListed,
  tryReadStream,
} from './pagedLoader.ts';

const AT_ONCE = 4;

interface LoaderOptions extends Omit<LoadContext, 'account'> {
  readonly interest: Pick<Interest, 'lists' | 'streams'>;
}

interface Attachment {
  readonly context: LoadContext;
  readonly active: ActiveLoader;
  readonly idle: PagedLoader<Stream>;
  readonly recording: PagedLoader<Stream>;
  readonly children: ChildStreamLoader;
  readonly sessions: Map<string, PagedLoader<Session>>;
  readonly recordings: RecordingsLoader;
}

interface ShortLists {
  readonly groups: readonly ListName[];
  readonly streams: readonly string[];
  readonly hasShortRecordings: boolean;
}

/** Sends requests and writes the results to the store. Background loads never throw: failures are in the snapshot. */
export class StreamLoader implements Disposable {
  readonly #options: LoaderOptions;
  #attached: Attachment | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  attach(account: Account | undefined): void {
    this.#attached = account && this.#makeAttachment(account);
  }

  dispose(): void {
    this.attach(undefined);
  }

  get sessionListCount(): number {
    return this.#attached?.sessions.size ?? 0;
  }

  /** Polls the active streams: one request, and one for each stream that left. Joins a poll that is in progress. */
  async refreshActive(): Promise<void> {
    await this.#attached?.active.reload.join();
  }

  /** Like `refreshActive`, but skips polls if the service makes them cost far more than one request. */
  async poll(): Promise<void> {
    await this.#attached?.active.poll();
  }

  /** Retries expanded groups and streams that failed for a passing reason. Called when the service responds again. */
  async retryExpanded(): Promise<void> {
    const { lists, sessions } = this.#options.store.snapshot;
    const { interest } = this.#options;
    const failed = (['idle', 'recording'] as const).filter(
      (list) => interest.lists.has(list) && mayPass(lists[list].trouble),
    );
    const streams = [...interest.streams].filter((id) => mayPass(sessions.get(id)?.trouble));
    await Promise.all(failed.map((list) => this.reloadList(list)));
    await forEachLimit(streams, AT_ONCE, (id) => this.reloadSessions(id));
  }

  /** Loads a group that isn't loaded yet. Doesn't retry one that failed. */
  async ensureList(list: ListName): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.lists[list];
    if (isLoaded || trouble !== undefined) return;
    if (list === 'active') await this.refreshActive();
    else await this.#attached?.[list].reload.join();
  }

  async reloadList(list: ListName): Promise<void> {
    const attached = this.#attached;
    if (list === 'active') await attached?.active.reload();
    else await attached?.[list].reload();
    if (list === 'idle' && attached !== undefined) await checkPinned(attached.context);
  }

  async checkForFirstStream(): Promise<void> {
    const attached = this.#attached;
    if (attached === undefined) return;
    await runInBackground(
      attached.context,
      async () => {
        if (await attached.context.account.hasStreams('idle')) await this.reloadList('idle');
      },
      () => {},
    );
  }

  async fillPages(): Promise<void> {
    const { groups, streams, hasShortRecordings } = shortLists(this.#options.store.snapshot, this.#options.pageSize());
    await Promise.all([
      ...groups.map((list) => this.reloadList(list)),
      forEachLimit(streams, AT_ONCE, (id) => this.reloadSessions(id)),
      hasShortRecordings ? this.reloadOldRecordings() : undefined,
    ]);
  }

  async loadMore(list: ListName): Promise<void> {
    if (list !== 'active') await this.#attached?.[list].loadMore();
  }

  async ensureSessions(streamId: string): Promise<void> {
    const known = this.#options.store.snapshot.sessions.get(streamId);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#sessionsOf(streamId)?.reload.join();
  }

  async reloadSessions(streamId: string): Promise<void> {
    await this.#sessionsOf(streamId)?.reload();
  }

  async pollSessions(streamIds: readonly string[]): Promise<void> {
    await forEachLimit(streamIds, AT_ONCE, async (id) => this.#sessionsOf(id)?.poll());
  }

  /** Newest first. Doesn't write to the store, so the tree stays as it is. Throws ApiError, or an AbortError. */
  async newestRecorded(streamId: string): Promise<readonly Session[]> {
    return (await this.#attached?.context.account.listNewestRecorded(streamId)) ?? [];
  }

  async loadMoreSessions(streamId: string): Promise<void> {
    await this.#sessionsOf(streamId)?.loadMore();
  }

  async ensureRecordings(): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.recordings;
    if (!isLoaded && trouble === undefined) await this.#attached?.recordings.pages.reload.join();
    // More of them may be shown than before.
    else void this.#attached?.recordings.nameParents();
  }

  async reloadRecordings(): Promise<void> {
    await this.#attached?.recordings.refresh();
  }

  /** Reloads sessions because they are old; joins a reload that is in progress. */
  async reloadOldRecordings(): Promise<void> {
    await this.#attached?.recordings.pages.reload.join();
  }

  async loadMoreRecordings(): Promise<void> {
    await this.#attached?.recordings.pages.loadMore();
  }

  async pollRecordings(): Promise<void> {
    await this.#attached?.recordings.pages.poll();
  }

  /** @param list Undefined for children without a known parent. This requires listing all streams. */
  async ensureChildren(list: ChildList): Promise<void> {
    const { children, orphans } = this.#options.store.snapshot;
    const known = list === undefined ? orphans : children.get(list);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#attached?.children.load(list);
  }

  async ensureOrphans(): Promise<void> {
    await this.ensureChildren(undefined);
  }

  async reloadChildren(list: ChildList): Promise<void> {
    this.#attached?.children.forget();
    await this.#attached?.children.load(list);
  }

  readonly refresh = coalesce(async () => {
    const attached = this.#attached;
    if (attached === undefined) return;
    const { account, store } = attached.context;
    account.resetAbilities();
    attached.children.forget();
    store.keepUnder(this.#options.interest.streams);
    const { lists, sessions, children, orphans, recordings } = store.snapshot;
    const wasRequested = (list: ListName) => lists[list].isLoaded || lists[list].trouble !== undefined;
    await Promise.all([
      attached.active.reload(),
      wasRequested('idle') ? this.reloadList('idle') : undefined,
      wasRequested('recording') ? this.reloadList('recording') : undefined,
      forEachLimit(sessions.keys(), AT_ONCE, (id) => this.reloadSessions(id)),
      forEachLimit(children.keys(), AT_ONCE, (id) => attached.children.load(id)),
      orphans.isLoaded ? attached.children.load(undefined) : undefined,
      recordings.isShown ? attached.recordings.refresh() : undefined,
    ]);
  });

  #sessionsOf(streamId: string): PagedLoader<Session> | undefined {
    const attached = this.#attached;
    if (attached === undefined) return undefined;
    const known = attached.sessions.get(streamId);
    if (known !== undefined) return known;
    // Streams come and go for as long as the connection is open, so drop loaders that are no longer needed.
    const { sessions } = this.#options.store.snapshot;
    for (const [id, loader] of attached.sessions) {
      if (!sessions.has(id) && loader.isIdle) attached.sessions.delete(id);
    }
    const made = createSessionsLoader(attached.context, streamId);
    attached.sessions.set(streamId, made);
    return made;
  }

  #makeAttachment(account: Account): Attachment {
    const context: LoadContext = { ...this.#options, account };
    return {
      context,
      active: new ActiveLoader(context),
      idle: createListLoader(context, 'idle'),
      recording: createListLoader(context, 'recording'),
      children: new ChildStreamLoader(context),
      sessions: new Map(),
      recordings: new RecordingsLoader(context),
    };
  }
}

function mayPass(trouble: LoadFailure | undefined): boolean {
  return trouble?.error.isTransient === true;
}

function shortLists(snapshot: Snapshot, pageSize: number): ShortLists {
  const { lists, sessions, recordings } = snapshot;
  const isShort = ({ isLoaded, revealed, hasNextPage, items }: SubList<Session>) =>
    isLoaded && revealed < pageSize && (hasNextPage || items.length > revealed);
  return {
    groups: (['idle', 'recording'] as const).filter(
      (list) => lists[list].isLoaded && lists[list].revealed < pageSize && hasMore(snapshot, list),
    ),
    streams: [...sessions].filter(([, list]) => isShort(list)).map(([id]) => id),
    hasShortRecordings: isShort(recordings),
  };
}

// Limit of reads by id after one poll. If more streams left the active list, Idle is marked stale instead.
const READS_AT_MOST = 20;
const READS_AT_ONCE = 4;

class ActiveLoader {
  readonly #context: LoadContext;
  readonly #pause: PollPause;

  constructor(context: LoadContext) {
    this.#context = context;
    this.#pause = new PollPause(context.clock);
  }

  readonly reload = coalesce(() => this.#reload());

  /** Polls in the background. Skips polls during the pause after a response that didn't reach the end of the list. */
  async poll(): Promise<void> {
    if (this.#pause.isOver) await this.reload.join();
  }

  #reload(): Promise<void> {
    const { store } = this.#context;
    store.listLoading('active', 'isLoading');
    return runInBackground(
      this.#context,
      async () => {
        const read = await this.#context.account.listLiveStreams();
        throwIfClosed(this.#context);
        this.#pause.begin(isCut(read.bookmark.paging) ? Number.POSITIVE_INFINITY : 0);
        const listed = toListed(read, Number.POSITIVE_INFINITY);
        await this.#readMissing(store.activeListed(listed), listed);
        store.pollSucceeded();
      },
      (trouble) => store.pollFailed(trouble),
    );
  }

  async #readMissing(ids: readonly string[], listed: Listed): Promise<void> {
    const rest = ids.slice(READS_AT_MOST);
    if (rest.length > 0) this.#context.store.leftActiveUnread(rest, listed);
    await forEachLimit(ids.slice(0, READS_AT_MOST), READS_AT_ONCE, (id) => tryReadStream(this.#context, id));
  }
}

// Drops streams from Idle that no page names and that are gone; beyond READS_AT_MOST, unread.
async function checkPinned(context: LoadContext): Promise<void> {
  const { lists, leftActive, pinnedIds } = context.store.snapshot;
  const named = new Set(lists.idle.ids);
  const unnamed = [...new Set([...leftActive, ...pinnedIds])].filter((id) => !named.has(id));
  if (lists.idle.trouble !== undefined) return;
  context.store.unpin(unnamed.slice(READS_AT_MOST));
  const run = () => forEachLimit(unnamed.slice(0, READS_AT_MOST), READS_AT_ONCE, (id) => tryReadStream(context, id));
  await runInBackground(context, run, (trouble) => context.store.listFailed('idle', trouble));
}
