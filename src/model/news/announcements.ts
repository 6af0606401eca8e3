import type { Clock, Log, NotificationKind, Settings, Ui } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import type { ConnectionInfo, Snapshot, SnapshotChange } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import {
  type AnnouncedAct,
  announcedActs,
  announcementText,
  type News,
  type ReadyRecording,
} from './announcementText.ts';
import { FollowedStreams } from './followedStreams.ts';
import type { LastFocused } from './lastFocused.ts';
import { RecordingWatch } from './recordingWatch.ts';

const AT_MOST_EVERY_MS = 60_000;
/** One poll changes the store several times, so wait for the rest. */
const GATHER_FOR_MS = 2000;

export interface AnnouncementsOptions {
  readonly store: StreamStore;
  readonly loader: Pick<StreamLoader, 'newestRecorded' | 'pollSessions'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'notifications' | 'onDidChange'>;
  readonly lastFocused: Pick<LastFocused, 'isThisWindow'>;
  readonly ui: Pick<Ui, 'notify'>;
  readonly log: Log;
  /** Runs a button's action. `connection` is that of the news: another may be open when the button is pressed. */
  readonly run: (act: AnnouncedAct, connection: ConnectionInfo) => unknown;
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
