import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log, Memento, NotificationKind, Notifier, Presence } from '../../services.ts';
import { forEachLimit } from '../../util/async.ts';
import { type Disposable, DisposableSlot, DisposableStore, makeOwning } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import type { Settings } from '../settingValues.ts';
import { isOfBroadcast, isRunning, recordingState, type SeenBroadcast } from '../store/sessions.ts';
import type { ConnectionInfo, Snapshot, SnapshotChange } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import {
  type AnnouncedAct,
  announcedActs,
  announcementText,
  type News,
  type ReadyRecording,
} from './announcementText.ts';
import { type EndedBroadcast, FollowedStreams } from './followedStreams.ts';

const AT_MOST_EVERY_MS = 60_000;
// One poll changes the store several times, so wait for the rest.
const GATHER_FOR_MS = 2000;

export interface AnnouncementsOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly lastFocused: { isThisWindow(): boolean };
  readonly ui: Notifier;
  readonly log: Log;
  /** Runs a button's action. `connection` is that of the news: another may be open when the button is pressed. */
  readonly run: (act: AnnouncedAct, connection: ConnectionInfo) => unknown;
}

/** Loaded when notifications are first on. */
export function startAnnouncements(
  options: Omit<AnnouncementsOptions, 'lastFocused'> & LastFocusedOptions,
): Disposable {
  return makeOwning((owned) => {
    const lastFocused = owned.add(new LastFocused(options));
    owned.add(new Announcements({ ...options, lastFocused }));
    return owned;
  });
}

/**
 * Notifies the user of streams that go live and end, and of recordings that are ready, as chosen in the settings: at
 * most once a minute, in the window that was focused last. What the first response of a connection contains is not
 * news. Requests no streams; the poller does.
 */
export class Announcements implements Disposable {
  readonly #options: AnnouncementsOptions;
  readonly #owned = new DisposableStore();
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #recordings: RecordingWatch;
  #followed: FollowedStreams | undefined;
  #ready: ReadyRecording[] = [];
  #scheduledAt = Number.POSITIVE_INFINITY;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    this.#recordings = this.#owned.add(new RecordingWatch({ ...options, onReady: (ready) => this.#onReady(ready) }));
    this.#owned.add(options.store.onDidChange((change) => this.#onStoreChange(change)));
    this.#owned.add(options.settings.onDidChange(() => this.#onSettingsChange()));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  get #chosen(): ReadonlySet<NotificationKind> {
    return this.#options.settings.notifications();
  }

  #onSettingsChange(): void {
    const chosen = this.#chosen;
    if (chosen.size === 0) this.#restart();
    if (chosen.has('recordingReady')) return;
    this.#recordings.clear();
    this.#ready = [];
  }

  #onStoreChange({ previous, current }: SnapshotChange): void {
    if (previous.generation !== current.generation) this.#restart();
    if (this.#followed === undefined) this.#findBaseline(previous, current);
    else if (previous.streams !== current.streams) this.#follow(this.#followed, current);
  }

  #restart(): void {
    this.#followed = undefined;
    this.#ready = [];
    this.#recordings.clear();
    this.#cancel();
  }

  #findBaseline(previous: Snapshot, current: Snapshot): void {
    const { loadedAt } = current.lists.active;
    const isAnswer = loadedAt !== undefined && loadedAt !== previous.lists.active.loadedAt;
    if (isAnswer && this.#chosen.size > 0) this.#followed = new FollowedStreams(current);
  }

  #follow(followed: FollowedStreams, snapshot: Snapshot): void {
    const chosen = this.#chosen;
    for (const broadcast of followed.update(snapshot, this.#options.clock.elapsed())) {
      if (broadcast.stream.record && chosen.has('recordingReady')) this.#recordings.ended(broadcast);
    }
    followed.skipAllBut(chosen);
    this.#schedule();
  }

  #onReady(recording: ReadyRecording): void {
    this.#ready.push(recording);
    this.#schedule();
  }

  #schedule(): void {
    const at = this.#dueAt();
    if (at === undefined || at >= this.#scheduledAt) return;
    const { clock } = this.#options;
    this.#scheduledAt = at;
    this.#timer.set(clock.setTimeout(() => this.#announce(), at - clock.elapsed()));
  }

  #cancel(): void {
    this.#scheduledAt = Number.POSITIVE_INFINITY;
    this.#timer.set(undefined);
  }

  #dueAt(): number | undefined {
    const changesAt = this.#followed?.nextAt();
    if (changesAt === undefined && this.#ready.length === 0) return undefined;
    const wantedAt = this.#ready.length > 0 ? 0 : (changesAt ?? 0);
    return Math.max(wantedAt, this.#options.clock.elapsed() + GATHER_FOR_MS, this.#shownAt + AT_MOST_EVERY_MS);
  }

  #announce(): void {
    this.#cancel();
    const news: News = { changes: this.#followed?.take(this.#options.clock.elapsed()) ?? [], ready: this.#ready };
    this.#ready = [];
    const isNews = news.changes.length > 0 || news.ready.length > 0;
    // News that another window shows is not repeated here.
    if (isNews && this.#options.lastFocused.isThisWindow()) this.#show(news);
    this.#schedule();
  }

  #show(news: News): void {
    const { clock, log, store } = this.#options;
    const { connection } = store.snapshot;
    if (!('info' in connection)) return;
    this.#shownAt = clock.elapsed();
    const message = announcementText(news, store.snapshot);
    this.#offer(message, announcedActs(news), connection.info).catch((error: unknown) => {
      log.error('A notification failed', error);
    });
  }

  async #offer(message: string, acts: ReadonlyMap<string, AnnouncedAct>, connection: ConnectionInfo): Promise<void> {
    const pressed = await this.#options.ui.notify('info', message, ...acts.keys());
    const act = pressed === undefined ? undefined : acts.get(pressed);
    if (act !== undefined) await this.#options.run(act, connection);
  }
}

const POLL_EVERY_MS = 60_000;
const POLL_FOR_MS = 3 * 60 * 60_000;
const MAX_STREAMS = 20;
const MAX_PARALLEL = 4;

interface Awaited {
  readonly stream: Stream;
  readonly broadcasts: SeenBroadcast[];
  /** By the clock's `elapsed`. */
  until: number;
  readonly announced: Set<string>;
  hasFailed: boolean;
}

interface RecordingWatchOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly log: Log;
  readonly onReady: (recording: ReadyRecording) => void;
}

/**
 * Waits for the recordings of ended broadcasts: polls the newest sessions of their streams once a minute until they are
 * settled, for at most three hours and twenty streams. Updates the tree only if it shows those sessions.
 */
class RecordingWatch implements Disposable {
  readonly #options: RecordingWatchOptions;
  readonly #awaited = new Map<string, Awaited>();
  readonly #timer = new DisposableSlot();
  #isPolling = false;

  constructor(options: RecordingWatchOptions) {
    this.#options = options;
  }

  ended({ stream, broadcast }: EndedBroadcast): void {
    const until = this.#options.clock.elapsed() + POLL_FOR_MS;
    const known = this.#awaited.get(stream.id);
    if (known !== undefined) {
      known.until = until;
      known.broadcasts.push(broadcast);
    } else if (this.#awaited.size < MAX_STREAMS) {
      this.#awaited.set(stream.id, { stream, broadcasts: [broadcast], until, announced: new Set(), hasFailed: false });
    } else this.#options.log.info(`Too many recordings are waited for: that of ${stream.id} is not`);
    if (this.#timer.value === undefined) this.#schedule();
  }

  clear(): void {
    this.#awaited.clear();
    this.#timer.set(undefined);
  }

  dispose(): void {
    this.clear();
    this.#timer.dispose();
  }

  #schedule(): void {
    const { clock } = this.#options;
    const hasMore = this.#awaited.size > 0 && !this.#isPolling;
    this.#timer.set(hasMore ? clock.setTimeout(() => void this.#poll(), POLL_EVERY_MS) : undefined);
  }

  async #poll(): Promise<void> {
    const { clock, store } = this.#options;
    for (const [id, { until }] of this.#awaited) if (until <= clock.elapsed()) this.#awaited.delete(id);
    const { connection, trouble } = store.snapshot;
    this.#isPolling = true;
    try {
      // While the service fails, only the poller retries.
      const isWell = connection.kind === 'open' && trouble === undefined;
      if (isWell)
        await forEachLimit([...this.#awaited], MAX_PARALLEL, ([id, awaited]) => this.#checkStream(id, awaited));
    } catch (error) {
      this.#options.log.error('Waiting for a recording failed', error);
    } finally {
      this.#isPolling = false;
      this.#schedule();
    }
  }

  async #checkStream(id: string, awaited: Awaited): Promise<void> {
    // The connection may have been switched since the streams were counted out.
    if (this.#awaited.get(id) !== awaited) return;
    const sessions = await this.#readSessions(id, awaited);
    if (sessions === undefined || this.#awaited.get(id) !== awaited) return;
    const { broadcasts } = awaited;
    const own = sessions.filter((session) => broadcasts.some((broadcast) => isOfBroadcast(session, broadcast)));
    const states = own.map((session) => ({ session, state: this.#stateOf(session, id, sessions) }));
    for (const { session, state } of states) if (state === 'ready') this.#announce(id, awaited, session);
    const areListed = broadcasts.every((broadcast) => own.some((session) => isOfBroadcast(session, broadcast)));
    if (areListed && states.every(({ state }) => state !== 'open')) this.#awaited.delete(id);
  }

  async #readSessions(id: string, awaited: Awaited): Promise<readonly Session[] | undefined> {
    const { loader, log } = this.#options;
    try {
      return await loader.newestRecorded(id);
    } catch (error) {
      if (isAbortError(error) || this.#awaited.get(id) !== awaited) return undefined;
      if (!isApiError(error)) throw error;
      if (!awaited.hasFailed) log.warn(`A recording is waited for: ${error.message}`);
      awaited.hasFailed = true;
      if (error.reason === 'notFound') this.#awaited.delete(id);
      return undefined;
    }
  }

  #stateOf(session: Session, streamId: string, sessions: readonly Session[]): 'ready' | 'open' | 'settled' {
    const stream = this.#options.store.snapshot.streams.get(streamId);
    const state = recordingState(session, isRunning(session, stream, sessions[0]));
    if (state === 'ready') return 'ready';
    const isOpen = state === 'running' || state === 'waiting';
    return isOpen || session.recordingStatus === undefined ? 'open' : 'settled';
  }

  #announce(id: string, { stream, announced }: Awaited, session: Session): void {
    if (announced.has(session.id)) return;
    announced.add(session.id);
    const { loader, store, onReady } = this.#options;
    if (store.snapshot.sessions.get(id)?.isLoaded === true) void loader.pollSessions([id]);
    onReady({ stream, session });
  }
}

const KEY = 'lastFocusedWindow';

export interface LastFocusedOptions {
  readonly presence: Presence;
  readonly settings: Settings;
  readonly global: Memento;
  /** Unique, and different after a reload. */
  readonly windowId: string;
  readonly log: Log;
}

/**
 * Tracks which window was focused last: only that one may notify. Each window writes its id to the storage that all
 * windows share, while notifications are on. Writes of other windows may arrive late, so shortly after a switch both
 * windows, or neither, may notify. A window that closes removes its id; all may then notify until another is focused.
 */
export class LastFocused implements Disposable {
  readonly #options: LastFocusedOptions;
  readonly #owned = new DisposableStore();

  constructor(options: LastFocusedOptions) {
    this.#options = options;
    this.#owned.add(options.presence.onDidChange(() => this.#note()));
    this.#owned.add(options.settings.onDidChange(() => this.#note()));
    this.#note();
  }

  dispose(): void {
    this.#owned.dispose();
    if (this.#options.global.get(KEY) === this.#options.windowId) this.#write(undefined);
  }

  isThisWindow(): boolean {
    if (this.#options.presence.isFocused()) return true;
    const noted = this.#options.global.get(KEY);
    return noted === undefined || noted === this.#options.windowId;
  }

  #note(): void {
    if (!this.#options.presence.isFocused() || this.#options.settings.notifications().size === 0) return;
    if (this.#options.global.get(KEY) !== this.#options.windowId) this.#write(this.#options.windowId);
  }

  #write(windowId: string | undefined): void {
    this.#options.global.set(KEY, windowId).catch((error: unknown) => {
      this.#options.log.error('Which window had the focus last could not be noted', error);
    });
  }
}
