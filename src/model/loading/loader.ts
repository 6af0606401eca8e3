import type { StreamApi } from '../../api/streamApi.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import { newestFirst } from '../store/sessions.ts';
import type { ListName, Trouble } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { ActiveLoader, checkPinned } from './activeLoader.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { HistoricLoader } from './historicLoader.ts';
import type { Interest } from './interest.ts';
import { ListLoader } from './listLoader.ts';
import { RecordingsLoader } from './recordingsLoader.ts';
import { SessionsLoader } from './sessionsLoader.ts';
import { shortLists } from './shortLists.ts';
import { readBack, readById } from './streamReads.ts';

const AT_ONCE = 4;
/** Must include the session that ended last. */
const NEWEST = 10;

interface Attachment {
  readonly asking: ConnectionSession;
  readonly controller: AbortController;
  readonly active: ActiveLoader;
  readonly idle: ListLoader;
  readonly recording: ListLoader;
  readonly historic: HistoricLoader;
  readonly sessions: Map<string, SessionsLoader>;
  readonly recordings: RecordingsLoader;
}

/** Sends requests and writes the results to the store. Background loads never throw: failures are in the snapshot. */
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
    readonly pageSize: () => number;
    readonly interest: Pick<Interest, 'lists' | 'streams'>;
  }) {
    this.#options = options;
  }

  /** Sets the client to use. Aborts the requests of the previous one and drops their responses. */
  attach(api: StreamApi | undefined): void {
    this.#attached?.controller.abort();
    this.#attached = api === undefined ? undefined : this.#makeAttachment(api);
  }

  dispose(): void {
    this.attach(undefined);
  }

  get sessionListCount(): number {
    return this.#attached?.sessions.size ?? 0;
  }

  /** Polls the active streams: one request, and one for each stream that left. Joins a poll that is in progress. */
  async look(): Promise<void> {
    await this.#attached?.active.look.join();
  }

  /** Like `look`, but skips polls if the service makes them cost far more than one request. */
  async poll(): Promise<void> {
    await this.#attached?.active.poll();
  }

  /** Reloads all that is loaded, and retries what the service was found not to support. */
  async refresh(): Promise<void> {
    await this.#refresh();
  }

  /** Retries expanded groups and streams that failed for a passing reason. Called when the service responds again. */
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

  /** Loads a group that isn't loaded yet. Doesn't retry one that failed. */
  async ensureList(list: ListName): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.lists[list];
    if (isLoaded || trouble !== undefined) return;
    if (list === 'active') await this.look();
    else await this.#attached?.[list].reload.join();
  }

  async reloadList(list: ListName): Promise<void> {
    const attached = this.#attached;
    if (list === 'active') await attached?.active.look();
    else await attached?.[list].reload();
    if (list === 'idle' && attached !== undefined) await checkPinned(attached.asking);
  }

  /** Checks an empty account for an idle stream, and loads the group if there is one. Failures are not shown. */
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

  async ensureSessions(streamId: string): Promise<void> {
    const known = this.#options.store.snapshot.sessions.get(streamId);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#sessionsOf(streamId)?.reload.join();
  }

  async reloadSessions(streamId: string): Promise<void> {
    await this.#sessionsOf(streamId)?.reload();
  }

  async lookAtSessions(streamIds: readonly string[]): Promise<void> {
    await forEachLimit(streamIds, AT_ONCE, async (id) => this.#sessionsOf(id)?.look());
  }

  /**
   * Returns the newest recorded sessions of a stream, newest first. Doesn't write to the store, so the tree stays as it
   * is. Throws ApiError, or an AbortError if the connection closes.
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

  async ensureRecordings(): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.recordings;
    if (!isLoaded && trouble === undefined) await this.#attached?.recordings.reload.join();
    // More of them may be shown than before.
    else void this.#attached?.recordings.nameParents();
  }

  async reloadRecordings(): Promise<void> {
    await this.#attached?.recordings.refresh();
  }

  /** Reloads sessions because they are old; joins a reload that is in progress. */
  async freshenRecordings(): Promise<void> {
    await this.#attached?.recordings.reload.join();
  }

  async loadMoreRecordings(): Promise<void> {
    await this.#attached?.recordings.loadMore();
  }

  async lookAtRecordings(): Promise<void> {
    await this.#attached?.recordings.look();
  }

  async ensureChildren(streamId: string): Promise<void> {
    const known = this.#options.store.snapshot.children.get(streamId);
    if (known?.isLoaded !== true && known?.trouble === undefined) await this.#attached?.historic.loadChildren(streamId);
  }

  async reloadChildren(streamId: string): Promise<void> {
    this.#attached?.historic.forget();
    await this.#attached?.historic.loadChildren(streamId);
  }

  /** Loads the historic child streams without a known parent. This requires listing all streams. */
  async ensureOrphans(): Promise<void> {
    const { isLoaded, trouble } = this.#options.store.snapshot.orphans;
    if (!isLoaded && trouble === undefined) await this.#attached?.historic.loadOrphans();
  }

  async reloadOrphans(): Promise<void> {
    this.#attached?.historic.forget();
    await this.#attached?.historic.loadOrphans();
  }

  /**
   * Reads a stream after a change until `shows` returns true, and protects the result from stale lists for a while.
   * Without `shows`, reads once and accepts any result. A result that doesn't show the change may come from a stale
   * replica, so it doesn't override lists. Never joins a refresh in progress. Returns undefined if the stream is gone.
   * Throws ApiError.
   */
  async reread(streamId: string, shows?: (stream: Stream | undefined) => boolean): Promise<Stream | undefined> {
    const asking = this.#attached?.asking;
    if (asking === undefined) return undefined;
    if (shows !== undefined) return readBack(asking, streamId, shows);
    return readById(asking, streamId, { shows: (stream) => stream !== undefined });
  }

  /**
   * Reads a stream by id and shows its row even if its page isn't loaded. Returns undefined if it is gone. Throws
   * ApiError.
   */
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
    // Streams come and go for as long as the connection is open, so drop loaders that are no longer needed.
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
    const asking: ConnectionSession = { ...this.#options, api, signal: controller.signal };
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
