import { isCut } from '../../api/paging.ts';
import type { Session, Stream } from '../../api/types.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Account } from '../account/account.ts';
import { readHealth } from '../account/accountHealth.ts';
import { ChildStreamLoader } from '../childStreams/childStreamLoader.ts';
import type { ChildList } from '../childStreams/childStreams.ts';
import { problemsOf } from '../inspection/problems.ts';
import type { Listed } from '../store/facts.ts';
import { awaitedRecordings, recordedStreams } from '../store/recordings.ts';
import { isBeingMade, runningSession } from '../store/sessions.ts';
import { type ListName, mayPass, type Snapshot, type StreamFact, type SubList } from '../store/snapshot.ts';
import { hasMore, isLive } from '../store/streams.ts';
import { GroupCounts } from './groupCounts.ts';
import type { Interest } from './interest.ts';
import {
  createListLoader,
  createSessionsLoader,
  type LoadContext,
  type PagedLoader,
  PollPause,
  RecordingsLoader,
  runInBackground,
  toListed,
  tryReadStream,
} from './pagedLoader.ts';

const GROUPS = ['idle', 'recording'] as const;
const AT_ONCE = 4;
/** The maximum age of the health that is shown. */
const HEALTH_MS = 30_000;
const HEALTH_AT_MOST = 8;
/** The same for streams without problems that have targets, because a target may fail, which lists don't show. */
const TARGETS_MS = 5 * 60_000;

/**
 * Whether a broadcast has begun or ended since the sessions were listed. Sessions of live streams are polled while
 * they're shown.
 * @param isListed whether a live stream's running session is listed
 */
function hasSeenMore(
  fact: StreamFact | undefined,
  { loadedAt = 0, serverDate }: SubList<Session>,
  isListed: boolean,
): boolean {
  // At most once for each read of the stream, because the service's clocks may disagree.
  if (fact === undefined || fact.startedAt <= loadedAt) return false;
  const { stream } = fact;
  return stream.isActive ? isLive(fact) && !isListed : (stream.lastSeen ?? 0) > serverDate;
}

interface LoaderOptions extends Omit<LoadContext, 'account'> {
  readonly interest: Interest;
}

/**
 * Loads through the open connection and does nothing without one. Loads that run when another connection is opened
 * continue with their own, closed one, so that none of its IDs are requested from the next service. Background loads
 * never throw: failures are in the snapshot.
 */
export class StreamLoader implements Disposable {
  readonly interest: Interest;
  readonly #options: LoaderOptions;
  #open: ConnectionLoader | undefined;

  constructor(options: LoaderOptions) {
    this.interest = options.interest;
    this.#options = options;
  }

  attach(account: Account | undefined): void {
    this.#open = account && new ConnectionLoader(this.#options, account);
  }

  dispose(): void {
    this.attach(undefined);
  }

  get sessionListCount(): number {
    return this.#open?.sessionListCount ?? 0;
  }

  /** Polls the active streams: one request, and one for each stream that left. Joins a poll that is in progress. */
  readonly refreshActive = this.#ifOpen((open) => open.active.reload.join());
  /** Like `refreshActive`, but skips polls if the service makes them cost far more than one request. */
  readonly poll = this.#ifOpen((open) => open.active.poll());
  /** Retries expanded groups and streams that failed for a transient reason. Called when the service responds again. */
  readonly retryExpanded = this.#ifOpen((open) => open.retryExpanded());
  readonly refresh = this.#ifOpen((open) => open.refresh());
  readonly fillPages = this.#ifOpen((open) => open.fillPages());

  /** Loads a group that isn't loaded yet. Doesn't retry one that failed. */
  readonly ensureList = this.#ifOpen((open, list: ListName) => open.ensureList(list));
  readonly reloadList = this.#ifOpen((open, list: ListName) => open.reloadList(list));
  readonly loadMore = this.#ifOpen(async (open, list: ListName) => list !== 'active' && (await open[list].loadMore()));
  /** Counts the groups that aren't loaded, once. Waits a second at most; the counts may follow later. */
  readonly ensureCounts = this.#ifOpen((open) => open.counts.ensure());
  readonly countMatching = this.#ifOpen((open) => open.counts.countMatching());
  readonly recountGroups = this.#ifOpen((open) => open.counts.recount());
  readonly checkForFirstStream = this.#ifOpen((open) => open.checkForFirstStream());

  readonly ensureSessions = this.#ifOpen((open, streamId: string) => open.ensureSessions(streamId));
  readonly reloadSessions = this.#ifOpen((open, streamId: string) => open.sessionsOf(streamId).reload());
  readonly loadMoreSessions = this.#ifOpen((open, streamId: string) => open.sessionsOf(streamId).loadMore());
  readonly pollSessions = this.#ifOpen((open, streamIds: readonly string[]) => open.pollSessions(streamIds));

  /** Reads the clips of streams that weren't read yet. Callers don't await this, because rows are shown first. */
  readonly ensureClips = this.#ifOpen((open, streamIds: readonly string[]) => open.ensureClips(streamIds));
  /** Reads the health of active streams, each at most once every 30 seconds, and a few at a time. */
  readonly readHealth = this.#ifOpen((open, streamIds: readonly string[]) => open.readHealth(streamIds));
  readonly pollHealth = this.#ifOpen((open) => open.pollHealth());
  /** Reads the clips of streams that have some that are still being made. */
  readonly pollClips = this.#ifOpen((open) => open.pollClips());

  readonly ensureRecordings = this.#ifOpen((open) => open.ensureRecordings());
  readonly reloadRecordings = this.#ifOpen((open) => open.recordings.refresh());
  /** Reloads sessions because they are old; joins a reload that is in progress. */
  readonly reloadOldRecordings = this.#ifOpen((open) => open.recordings.pages.reload.join());
  readonly loadMoreRecordings = this.#ifOpen((open) => open.recordings.pages.loadMore());
  readonly pollRecordings = this.#ifOpen((open) => open.recordings.pages.poll());

  /** The list is undefined for children without a known parent. These require listing all streams. */
  readonly ensureChildren = this.#ifOpen((open, list: ChildList) => open.ensureChildren(list));
  readonly ensureOrphans = this.#ifOpen((open) => open.ensureChildren(undefined));
  readonly reloadChildren = this.#ifOpen((open, list: ChildList) => open.reloadChildren(list));

  /** Returns the newest first. Doesn't change the store, so the tree stays as it is. Throws ApiError or AbortError. */
  async newestRecorded(streamId: string): Promise<readonly Session[]> {
    return (await this.#open?.account.listNewestRecorded(streamId)) ?? [];
  }

  #ifOpen<Args extends readonly unknown[]>(run: (open: ConnectionLoader, ...args: Args) => Promise<unknown>) {
    return async (...args: Args): Promise<void> => {
      if (this.#open !== undefined) await run(this.#open, ...args);
    };
  }
}

class ConnectionLoader {
  readonly account: Account;
  readonly active: ActiveLoader;
  readonly idle: PagedLoader<Stream>;
  readonly recording: PagedLoader<Stream>;
  readonly recordings: RecordingsLoader;
  readonly counts: GroupCounts;
  readonly #context: LoadContext;
  readonly #interest: LoaderOptions['interest'];
  readonly #children: ChildStreamLoader;
  readonly #sessions = new Map<string, PagedLoader<Session>>();
  #askedForClips: ReadonlySet<string> = new Set();
  /** By stream ID, in milliseconds of the clock that only advances. */
  readonly #healthReadAt = new Map<string, number>();

  constructor({ interest, ...options }: LoaderOptions, account: Account) {
    const context: LoadContext = { ...options, account };
    this.account = account;
    this.#context = context;
    this.#interest = interest;
    this.active = new ActiveLoader(context);
    this.idle = createListLoader(context, 'idle');
    this.recording = createListLoader(context, 'recording');
    this.recordings = new RecordingsLoader(context);
    this.counts = new GroupCounts(context);
    this.#children = new ChildStreamLoader(context);
  }

  get sessionListCount(): number {
    return this.#sessions.size;
  }

  get #snapshot(): Snapshot {
    return this.account.writer.snapshot;
  }

  async retryExpanded(): Promise<void> {
    const { lists, sessions, recordings } = this.#snapshot;
    const failed = GROUPS.filter((list) => this.#interest.lists.has(list) && mayPass(lists[list].trouble));
    const streams = [...this.#interest.streams].filter((id) => mayPass(sessions.get(id)?.trouble));
    await Promise.all([
      ...failed.map((list) => this.reloadList(list)),
      recordings.isShown && mayPass(recordings.trouble) ? this.recordings.refresh() : undefined,
    ]);
    await forEachLimit(streams, AT_ONCE, (id) => this.sessionsOf(id).reload());
  }

  async ensureList(list: ListName): Promise<void> {
    const { isLoaded, trouble } = this.#snapshot.lists[list];
    if (isLoaded || trouble !== undefined) return;
    await this[list].reload.join();
    if (list === 'idle') await checkPinned(this.#context);
  }

  async reloadList(list: ListName): Promise<void> {
    await this[list].reload();
    if (list === 'idle') await checkPinned(this.#context);
  }

  async checkForFirstStream(): Promise<void> {
    await runInBackground(
      this.#context,
      async () => {
        if (await this.account.hasStreams('idle')) await this.reloadList('idle');
      },
      () => {},
    );
  }

  async fillPages(): Promise<void> {
    const { groups, streams, hasShortRecordings } = shortLists(this.#snapshot, this.#context.pageSize());
    await Promise.all([
      ...groups.map((list) => this.reloadList(list)),
      forEachLimit(streams, AT_ONCE, (id) => this.sessionsOf(id).reload()),
      hasShortRecordings ? this.recordings.pages.reload.join() : undefined,
    ]);
  }

  async ensureSessions(streamId: string): Promise<void> {
    const { sessions, streams } = this.#snapshot;
    const known = sessions.get(streamId);
    const isListed = runningSession(this.#snapshot, streamId) !== undefined;
    const isMissing = known?.isLoaded !== true || hasSeenMore(streams.get(streamId), known, isListed);
    if (isMissing && known?.trouble === undefined) await this.sessionsOf(streamId).reload.join();
  }

  async pollSessions(streamIds: readonly string[]): Promise<void> {
    await forEachLimit(streamIds, AT_ONCE, (id) => this.sessionsOf(id).poll());
  }

  // Streams whose health can't be read keep their known health.
  async readHealth(streamIds: readonly string[]): Promise<void> {
    const { writer } = this.account;
    const isActive = (id: string) => this.#snapshot.streams.get(id)?.stream.isActive === true;
    for (const id of [...this.#healthReadAt.keys(), ...this.#snapshot.health.keys()]) {
      if (isActive(id)) continue;
      this.#healthReadAt.delete(id);
      writer.healthRead(id, undefined);
    }
    const due = streamIds
      .filter((id) => isActive(id) && this.#isHealthOlder(id, HEALTH_MS))
      .sort((a, b) => this.#healthAt(a) - this.#healthAt(b))
      .slice(0, HEALTH_AT_MOST);
    for (const id of due) this.#healthReadAt.set(id, this.#context.clock.elapsed());
    await forEachLimit(due, AT_ONCE, async (id) => {
      const read = async () => writer.healthRead(id, await readHealth(this.account, id));
      await runInBackground(this.#context, read, () => {});
    });
  }

  /** Reads the health of live streams that had a problem and, less often, of those with multistream targets. */
  async pollHealth(): Promise<void> {
    const isDue = (fact: StreamFact) => {
      const { id, targets = [] } = fact.stream;
      const mayFail = targets.length > 0 && isLive(fact) && this.#isHealthOlder(id, TARGETS_MS);
      return mayFail || problemsOf(this.#snapshot, fact).length > 0;
    };
    const due = [...this.#snapshot.streams.values()].filter(isDue);
    await this.readHealth(due.map(({ stream }) => stream.id));
  }

  #healthAt(id: string): number {
    return this.#healthReadAt.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  #isHealthOlder(id: string, ms: number): boolean {
    return this.#context.clock.elapsed() - this.#healthAt(id) >= ms;
  }

  async pollClips(): Promise<void> {
    await this.#loadClips([...this.#snapshot.clips].flatMap(([id, clips]) => (clips.some(isBeingMade) ? [id] : [])));
  }

  async ensureClips(streamIds: readonly string[]): Promise<void> {
    const due = streamIds.filter((id) => !this.#askedForClips.has(id));
    this.#askedForClips = new Set([...this.#askedForClips, ...due]);
    await this.#loadClips(due);
  }

  // Sequentially, because the first request may show that the service has no clips or rejects the key. If reading a
  // stream's clips fails, the known ones stay.
  async #loadClips(streamIds: readonly string[]): Promise<void> {
    const { writer } = this.account;
    for (const id of streamIds) {
      const { abilities, connection } = this.#snapshot;
      if (!abilities.clips || connection.kind !== 'open') return;
      const read = async () => writer.clipsListed(id, await this.account.listClips(id));
      await runInBackground(this.#context, read, (trouble) => writer.clipsFailed(id, trouble));
    }
  }

  /** @param shown streams that are still expanded or have recordings in the view */
  async #reloadClips(shown: ReadonlySet<string>): Promise<void> {
    this.#askedForClips = new Set([...this.#askedForClips].filter((id) => shown.has(id)));
    await this.#loadClips([...this.#askedForClips]);
  }

  async ensureRecordings(): Promise<void> {
    const { isLoaded, trouble } = this.#snapshot.recordings;
    if (!isLoaded && trouble === undefined) {
      await this.recordings.pages.reload.join();
      // Recordings that are still running look like those that are being processed.
      if (awaitedRecordings(this.#snapshot).length > 0) await this.ensureList('active');
    }
    // More recordings may be shown than before.
    else void this.recordings.nameParents();
  }

  async ensureChildren(list: ChildList): Promise<void> {
    const { children, orphans } = this.#snapshot;
    const known = list === undefined ? orphans : children.get(list);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#children.load(list);
  }

  async reloadChildren(list: ChildList): Promise<void> {
    this.#children.forget();
    await this.#children.load(list);
  }

  readonly refresh = coalesce(async () => {
    this.account.resetAbilities();
    this.#children.forget();
    const { lists, sessions, children, orphans, recordings } = this.#snapshot;
    const wasRequested = (list: ListName) => lists[list].isLoaded || lists[list].trouble !== undefined;
    await Promise.all([
      this.active.reload(),
      ...GROUPS.filter(wasRequested).map((list) => this.reloadList(list)),
      this.counts.recount(),
      forEachLimit(this.#interest.streams, AT_ONCE, async (id) => {
        if (sessions.has(id)) await this.sessionsOf(id).reload();
        if (children.has(id)) await this.#children.load(id);
      }),
      orphans.isLoaded ? this.#children.load(undefined) : undefined,
      recordings.isShown ? this.recordings.refresh() : undefined,
    ]);
    const { streams } = this.#interest;
    const withClips = new Set([...streams, ...recordedStreams(this.#snapshot)]);
    // If the service doesn't respond, keeps the lists under collapsed streams, because newer ones can't be loaded.
    if (this.#snapshot.trouble === undefined) this.account.writer.keepUnder(streams, withClips);
    void this.#reloadClips(withClips);
  });

  sessionsOf(streamId: string): PagedLoader<Session> {
    const known = this.#sessions.get(streamId);
    if (known !== undefined) return known;
    // Streams come and go for as long as the connection is open, so drop loaders that are no longer needed.
    const { sessions } = this.#snapshot;
    for (const [id, loader] of this.#sessions) {
      if (!sessions.has(id) && loader.isIdle) this.#sessions.delete(id);
    }
    const made = createSessionsLoader(this.#context, streamId);
    this.#sessions.set(streamId, made);
    return made;
  }
}

function shortLists(snapshot: Snapshot, pageSize: number) {
  const { lists, sessions, recordings } = snapshot;
  const isShort = ({ isLoaded, revealed, hasNextPage, items }: SubList<Session>) =>
    isLoaded && revealed < pageSize && (hasNextPage || items.length > revealed);
  return {
    groups: GROUPS.filter((list) => lists[list].isLoaded && lists[list].revealed < pageSize && hasMore(snapshot, list)),
    streams: [...sessions].filter(([, list]) => isShort(list)).map(([id]) => id),
    hasShortRecordings: isShort(recordings),
  };
}

// Limit for reads by ID after one poll. If more streams left the active list, Idle is marked stale instead.
const READS_AT_MOST = 20;

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
    const { account } = this.#context;
    const { writer } = account;
    writer.listLoading('active', 'isLoading');
    return runInBackground(
      this.#context,
      async () => {
        const read = await account.listLiveStreams();
        this.#pause.begin(isCut(read.bookmark.paging) ? Number.POSITIVE_INFINITY : 0);
        const listed = toListed(read, Number.POSITIVE_INFINITY);
        await this.#readMissing(writer.activeListed(listed), listed);
        writer.pollSucceeded();
      },
      (trouble) => writer.pollFailed(trouble),
    );
  }

  async #readMissing(ids: readonly string[], listed: Listed): Promise<void> {
    const rest = ids.slice(READS_AT_MOST);
    if (rest.length > 0) this.#context.account.writer.leftActiveUnread(rest, listed);
    await forEachLimit(ids.slice(0, READS_AT_MOST), AT_ONCE, (id) => tryReadStream(this.#context, id));
  }
}

// Drops streams from Idle that no page contains and that are gone. Those beyond READS_AT_MOST are dropped unread.
async function checkPinned(context: LoadContext): Promise<void> {
  const { writer } = context.account;
  const { lists, leftActive, pinnedIds } = writer.snapshot;
  const named = new Set(lists.idle.ids);
  const unnamed = [...new Set([...leftActive, ...pinnedIds])].filter((id) => !named.has(id));
  if (lists.idle.trouble !== undefined) return;
  writer.unpin(unnamed.slice(READS_AT_MOST));
  const run = () => forEachLimit(unnamed.slice(0, READS_AT_MOST), AT_ONCE, (id) => tryReadStream(context, id));
  await runInBackground(context, run, (trouble) => writer.listFailed('idle', trouble));
}
