import type { StreamApi } from '../../api/streamApi.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import { newestFirst } from '../store/sessions.ts';
import type { ListName, Trouble } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { ActiveLoader, checkPinned } from './activeLoader.ts';
import { type Asking, ask, checkOpen } from './asking.ts';
import { HistoricLoader } from './historicLoader.ts';
import type { Interest } from './interest.ts';
import { ListLoader } from './listLoader.ts';
import { RecordingsLoader } from './recordingsLoader.ts';
import { SessionsLoader } from './sessionsLoader.ts';
import { shortLists } from './shortLists.ts';
import { readBack, readById } from './streamReads.ts';

const AT_ONCE = 4;
/** Sessions of a stream among which the one is that ended last. */
const NEWEST = 10;

/** The parts that work while one connection is open. */
interface Attachment {
  readonly asking: Asking;
  readonly controller: AbortController;
  readonly active: ActiveLoader;
  readonly idle: ListLoader;
  readonly recording: ListLoader;
  readonly historic: HistoricLoader;
  readonly sessions: Map<string, SessionsLoader>;
  readonly recordings: RecordingsLoader;
}

/** Asks the service and tells the store. What it asks in the background never throws: failures are in the snapshot. */
export class StreamLoader implements Disposable {
  readonly #options: {
    readonly store: StreamStore;
    readonly clock: Clock;
    readonly log: Log;
    readonly pageSize: () => number;
    readonly interest: Pick<Interest, 'lists' | 'streams'>;
  };
  #attached: Attachment | undefined;

  constructor(options: {
    readonly store: StreamStore;
    readonly clock: Clock;
    readonly log: Log;
    /** Rows a group loads at once. */
    readonly pageSize: () => number;
    /** What the person has open: only that is read again. */
    readonly interest: Pick<Interest, 'lists' | 'streams'>;
  }) {
    this.#options = options;
  }

  /** From now on this client is asked, or nobody. What is under way with the one before is ended and its answers dropped. */
  attach(api: StreamApi | undefined): void {
    this.#attached?.controller.abort();
    this.#attached = api === undefined ? undefined : this.#makeAttachment(api);
  }

  dispose(): void {
    this.attach(undefined);
  }

  /** Of how many streams it knows where reading their sessions stopped. */
  get sessionListCount(): number {
    return this.#attached?.sessions.size ?? 0;
  }

  /** Looks at the active streams: one request, and one for each that left. A look that is under way is shared. */
  async look(): Promise<void> {
    await this.#attached?.active.look.join();
  }

  /** As `look`, in the poller's rhythm: not every time where the service makes it cost much more than one request. */
  async poll(): Promise<void> {
    await this.#attached?.active.poll();
  }

  /** A refresh by hand: what the service was found to refuse is tried again, and all that is loaded is read again. */
  async refresh(): Promise<void> {
    await this.#refresh();
  }

  /** The service answers again: what is open and failed for the same reason is asked for once more. */
  async retryOpen(): Promise<void> {
    const { lists, sessions } = this.#options.store.snapshot;
    const { interest } = this.#options;
    const failed = (['idle', 'recording'] as const).filter(
      (list) => interest.lists.has(list) && mayPass(lists[list].trouble),
    );
    const streams = [...interest.streams].filter((id) => mayPass(sessions.get(id)?.trouble));
    await Promise.all(failed.map((list) => this.reloadList(list)));
    await forEachLimit(streams, AT_ONCE, (id) => this.reloadSessions(id));
  }

  /** Loads a group that was not loaded yet. One that failed is not asked again by itself. */
  async ensureList(list: ListName): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.lists[list];
    if (isLoaded || trouble !== undefined) return;
    if (list === 'active') await this.look();
    else await this.#attached?.[list].reload.join();
  }

  /** Loads a group again: all its loaded pages. */
  async reloadList(list: ListName): Promise<void> {
    const attached = this.#attached;
    if (list === 'active') await attached?.active.look();
    else await attached?.[list].reload();
    if (list === 'idle' && attached !== undefined) await checkPinned(attached.asking);
  }

  /** An empty account is asked for one idle stream; where there is one, the group is loaded. A failure is not told. */
  async lookForFirst(): Promise<void> {
    const attached = this.#attached;
    if (attached === undefined) return;
    await ask(
      attached.asking,
      async () => {
        if (await attached.idle.hasRows()) await this.reloadList('idle');
      },
      () => {},
    );
  }

  /** More rows fit on a page than before: lists that show less of what there is are loaded again. */
  async fillPages(): Promise<void> {
    const { groups, streams, hasShortRecordings } = shortLists(this.#options.store.snapshot, this.#options.pageSize());
    await Promise.all([
      ...groups.map((list) => this.reloadList(list)),
      forEachLimit(streams, AT_ONCE, (id) => this.reloadSessions(id)),
      hasShortRecordings ? this.freshenRecordings() : undefined,
    ]);
  }

  async loadMore(list: ListName): Promise<void> {
    if (list !== 'active') await this.#attached?.[list].loadMore();
  }

  /** Loads a stream's sessions where they were not loaded yet. */
  async ensureSessions(streamId: string): Promise<void> {
    const known = this.#options.store.snapshot.sessions.get(streamId);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#sessionsOf(streamId)?.reload.join();
  }

  async reloadSessions(streamId: string): Promise<void> {
    await this.#sessionsOf(streamId)?.reload();
  }

  /** Looks again at the first page of some streams' sessions: in the poller's rhythm, one request each. */
  async lookAtSessions(streamIds: readonly string[]): Promise<void> {
    await forEachLimit(streamIds, AT_ONCE, async (id) => this.#sessionsOf(id)?.look());
  }

  /**
   * The newest recorded sessions of a stream, newest first, for whoever waits for a recording: the store hears nothing of
   * it, so that the tree stays as it is. Throws ApiError, or an AbortError when the connection ends.
   */
  async newestRecorded(streamId: string): Promise<readonly Session[]> {
    const asking = this.#attached?.asking;
    if (asking === undefined) return [];
    const query = { recordedOnly: true, limit: NEWEST };
    const page = await asking.api.listSessions(streamId, query, { signal: asking.signal });
    checkOpen(asking);
    return newestFirst(page.items);
  }

  async loadMoreSessions(streamId: string): Promise<void> {
    await this.#sessionsOf(streamId)?.loadMore();
  }

  /** Loads the account's newest sessions where they were not loaded yet: for the Recordings view, when it is seen first. */
  async ensureRecordings(): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.recordings;
    if (!isLoaded && trouble === undefined) await this.#attached?.recordings.reload.join();
    // More of them may be shown than before.
    else void this.#attached?.recordings.nameParents();
  }

  async reloadRecordings(): Promise<void> {
    await this.#attached?.recordings.refresh();
  }

  /** Reads them again because what is known is old: a run under way is new enough. */
  async freshenRecordings(): Promise<void> {
    await this.#attached?.recordings.reload.join();
  }

  async loadMoreRecordings(): Promise<void> {
    await this.#attached?.recordings.loadMore();
  }

  /** Looks again at the recordings that are being made: in the poller's rhythm, one request. */
  async lookAtRecordings(): Promise<void> {
    await this.#attached?.recordings.look();
  }

  /** Loads a stream's historic child streams where they were not loaded yet. */
  async ensureChildren(streamId: string): Promise<void> {
    const known = this.#options.store.snapshot.children.get(streamId);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#attached?.historic.loadChildren(streamId);
  }

  async reloadChildren(streamId: string): Promise<void> {
    this.#attached?.historic.forget();
    await this.#attached?.historic.loadChildren(streamId);
  }

  /** Loads the historic child streams without a known parent: everything has to be listed for that. */
  async ensureOrphans(): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.orphans;
    if (!isLoaded && trouble === undefined) await this.#attached?.historic.loadOrphans();
  }

  async reloadOrphans(): Promise<void> {
    this.#attached?.historic.forget();
    await this.#attached?.historic.loadOrphans();
  }

  /**
   * Reads a stream back after a change until `shows` says that the change is in it, and lets lists that lag behind not
   * overwrite that for a while; without `shows`, once, whatever it says. What does not show the change may itself be from a
   * replica that lags, and outweighs no list. Never shared with a refresh that is under way. Resolves with undefined when the
   * stream is gone. Throws ApiError.
   */
  async reread(streamId: string, shows?: (stream: Stream | undefined) => boolean): Promise<Stream | undefined> {
    const asking = this.#attached?.asking;
    if (asking === undefined) return undefined;
    if (shows !== undefined) return readBack(asking, streamId, shows);
    return readById(asking, streamId, { shows: (stream) => stream !== undefined });
  }

  /** Reads a stream by id and shows its row though its page is not loaded. Undefined when it is gone. Throws ApiError. */
  async pin(streamId: string): Promise<Stream | undefined> {
    const attached = this.#attached;
    return attached === undefined ? undefined : readById(attached.asking, streamId, { pin: true });
  }

  readonly #refresh = coalesce(async () => {
    const attached = this.#attached;
    if (attached === undefined) return;
    const { api, store } = attached.asking;
    api.resetAbilities();
    attached.historic.forget();
    store.subLists.keep(this.#options.interest.streams);
    const { lists, sessions, children, orphans, recordings } = store.snapshot;
    const wasAsked = (list: ListName) => lists[list].isLoaded || lists[list].trouble !== undefined;
    await Promise.all([
      attached.active.look(),
      wasAsked('idle') ? this.reloadList('idle') : undefined,
      wasAsked('recording') ? this.reloadList('recording') : undefined,
      forEachLimit(sessions.keys(), AT_ONCE, (id) => this.reloadSessions(id)),
      forEachLimit(children.keys(), AT_ONCE, (id) => attached.historic.loadChildren(id)),
      orphans.isLoaded ? attached.historic.loadOrphans() : undefined,
      recordings.isShown ? attached.recordings.refresh() : undefined,
    ]);
  });

  #sessionsOf(streamId: string): SessionsLoader | undefined {
    const attached = this.#attached;
    if (attached === undefined) return undefined;
    const known = attached.sessions.get(streamId);
    if (known !== undefined) return known;
    // Streams come and go for as long as the connection is open.
    const { sessions } = this.#options.store.snapshot;
    for (const [id, loader] of attached.sessions) {
      if (!sessions.has(id) && loader.isIdle) attached.sessions.delete(id);
    }
    const made = new SessionsLoader(attached.asking, streamId);
    attached.sessions.set(streamId, made);
    return made;
  }

  #makeAttachment(api: StreamApi): Attachment {
    const controller = new AbortController();
    const asking: Asking = { ...this.#options, api, signal: controller.signal };
    return {
      asking,
      controller,
      active: new ActiveLoader(asking),
      idle: new ListLoader(asking, 'idle'),
      recording: new ListLoader(asking, 'recording'),
      historic: new HistoricLoader(asking),
      sessions: new Map(),
      recordings: new RecordingsLoader(asking),
    };
  }
}

function mayPass(trouble: Trouble | undefined): boolean {
  return trouble?.error.isTransient === true;
}
