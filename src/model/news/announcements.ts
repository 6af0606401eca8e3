import type { Clock, Log, Memento, NotificationKind, Notifier, Presence } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore, makeOwning } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import type { KeptPlayerTarget } from '../pages/panelState.ts';
import type { Settings } from '../settingValues.ts';
import type { ConnectionInfo, Snapshot, SnapshotChange } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { RecordingEvents, type SeenEvent } from '../webhooks/recordingEvents.ts';
import {
  type AnnouncedAct,
  announcedActs,
  announcementText,
  type News,
  type ReadyRecording,
} from './announcementText.ts';
import { FollowedStreams, type LiveChange } from './followedStreams.ts';

const READ_RECORDINGS_EVERY_MS = 60_000;
const AT_MOST_EVERY_MS = 60_000;
// One poll changes the store several times, so wait for the rest.
const GATHER_FOR_MS = 2000;

export interface AnnouncementsOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly presence: Pick<Presence, 'isFocused'>;
  readonly lastFocused: { isThisWindow(): boolean };
  readonly ui: Notifier;
  readonly log: Log;
  /** Returns the page in the active tab. */
  readonly findPage: () => (KeptPlayerTarget & { readonly isPlayer?: boolean }) | undefined;
  /** Runs a button's action. `connection` belongs to the news; another may be open when the button is pressed. */
  readonly run: (act: AnnouncedAct, connection: ConnectionInfo) => unknown;
}

/** Loaded when notifications are first turned on. */
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
 * Notifies the user of streams that go live or end, and of recordings that are ready, as chosen in the settings: at
 * most once a minute, in the window that was focused last. The contents of a connection's first response aren't
 * announced. Requests no streams; the poller does.
 */
export class Announcements implements Disposable {
  readonly #options: AnnouncementsOptions;
  readonly #owned = new DisposableStore();
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #recordings: RecordingEvents;
  #followed: FollowedStreams | undefined;
  #ready: ReadyRecording[] = [];
  #scheduledAt = Number.POSITIVE_INFINITY;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    const onEvent = (seen: SeenEvent): void => this.#onRecording(seen);
    const recordings = { ...options, readEveryMs: READ_RECORDINGS_EVERY_MS, areOnlyOfBroadcasts: true, onEvent };
    this.#recordings = this.#owned.add(new RecordingEvents(recordings));
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
    this.#recordings.restart();
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
    this.#recordings.restart();
    this.#cancel();
  }

  #findBaseline(previous: Snapshot, current: Snapshot): void {
    const { loadedAt } = current.lists.active;
    const isAnswer = loadedAt !== undefined && loadedAt !== previous.lists.active.loadedAt;
    if (isAnswer && this.#chosen.size > 0) this.#followed = new FollowedStreams(current);
  }

  #follow(followed: FollowedStreams, snapshot: Snapshot): void {
    const chosen = this.#chosen;
    for (const { stream, broadcast } of followed.update(snapshot, this.#options.clock.elapsed())) {
      if (stream.record && chosen.has('recordingReady')) this.#recordings.waitFor(stream, broadcast);
    }
    followed.skipAllBut(chosen);
    this.#schedule();
  }

  #onRecording({ event, subject: { stream, session } }: SeenEvent): void {
    if (event !== 'recording.ready' || session === undefined) return;
    const { loader, store } = this.#options;
    if (store.snapshot.sessions.get(stream.id)?.isLoaded === true) void loader.pollSessions([stream.id]);
    this.#ready.push({ stream, session });
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
    const due = this.#followed?.take(this.#options.clock.elapsed()) ?? [];
    const news: News = { changes: due.filter((change) => !this.#isWatched(change)), ready: this.#ready };
    this.#ready = [];
    const isNews = news.changes.length > 0 || news.ready.length > 0;
    // News that another window shows isn't repeated here.
    if (isNews && this.#options.lastFocused.isThisWindow()) this.#show(news);
    this.#schedule();
  }

  /** A player in front shows that its stream went live. */
  #isWatched({ stream, isLive }: LiveChange): boolean {
    const { presence, findPage, store } = this.#options;
    const { connection } = store.snapshot;
    const page = findPage();
    const isShown = page?.isPlayer === true && 'info' in connection && page.connection === connection.info.id;
    return isLive && isShown && page.id === stream.id && presence.isFocused();
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
 * Tracks which window was focused last, because only that one may notify. Each window writes its ID to the storage that
 * all windows share, while notifications are on. Writes from other windows may arrive late, so shortly after a switch
 * both windows or neither may notify. A window that closes removes its ID; all may then notify until another is
 * focused.
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
      this.#options.log.error("Couldn't save which window was focused last", error);
    });
  }
}
