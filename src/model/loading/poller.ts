import type { Clock, Presence } from '../../services.ts';
import { timeSince } from '../../util/clock.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Settings } from '../settingValues.ts';
import { awaitedRecordings } from '../store/recordings.ts';
import { isUnsettled } from '../store/sessions.ts';
import { hasRecovered, type LoadFailure, type Snapshot, type SnapshotChange } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { hasFailedSinceRefusal, hasNoStreams, isLive } from '../store/streams.ts';
import type { Interest } from './interest.ts';
import type { StreamLoader } from './loader.ts';

const UNWATCHED_INTERVAL_MS = 60_000;
// The user asked to listen, so it polls even if refreshing is off.
const LISTENING_INTERVAL_MS = 15_000;
const BACK_OFF_AT_MOST_MS = 5 * 60_000;
const WATCHED_BACK_OFF_AT_MOST_MS = 2 * 60_000;
// While a view is visible, a service that can't be reached is retried often, since that puts no load on it.
const UNREACHED_EVERY_MS = 15_000;
const UNREACHED_AT_MOST_MS = 60_000;
const UNREACHED_TRIES_AT_A_PACE = 12;
// Up to this fraction of a wait is subtracted at random, so that many windows don't poll at the same moment.
const JITTER = 0.25;
// When the user returns, a failed poll is retried, but not sooner than this after the last attempt.
const COMING_BACK_AFTER_MS = 5000;
const RELOAD_AFTER_MS = 2 * 60_000;
// Recordings take a minute or more to process, and a page of sessions is the largest of all polls.
const RECORDINGS_EVERY_MS = 60_000;
const EMPTY_EVERY_MS = 60_000;
const SESSION_LISTS_PER_POLL = 8;

export interface PollerOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly interest: Interest;
  readonly clock: Clock;
  readonly presence: Presence;
  readonly settings: Settings;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Decides when to poll:
 * - at the refresh interval while a view is visible and the window is focused, or while the user listens for events
 * - otherwise at most once a minute, and only if notifications are on
 * - with back-off while polls fail
 * - after the key was rejected, only when the user returns, unless the service has failed since
 *
 * Owns all reasons for background requests, with one timer for polls and one for failures that affect only Recordings.
 */
export class Poller implements Disposable {
  readonly #options: PollerOptions;
  readonly #owned = new DisposableStore();
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #recordingsTimer = this.#owned.add(new DisposableSlot());
  #failures = 0;
  #jitter = 0;
  #isPolling = false;
  #polledAt = 0;
  #wasWatched = false;
  #isBack = false;
  #groupsCheckedAt = 0;
  #recordingsAt: number | undefined;
  #emptyAt: number | undefined;
  // The index where the next round of sessions starts, so that each is polled.
  #sessionsFrom = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#owned.add(options.store.onDidChange((change) => this.#onStoreChange(change)));
    this.#owned.add(options.presence.onDidChange(() => this.#onPresenceChange()));
    this.#owned.add(options.settings.onDidChange(() => this.#plan()));
    this.#owned.add(options.interest.onDidChangeListening(() => this.#plan()));
    this.#wasWatched = this.#isWatched();
    this.#plan();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #onStoreChange({ previous, current }: SnapshotChange): void {
    const isNewTry = current.trouble !== undefined && previous.trouble?.error !== current.trouble.error;
    const isNewConnection = previous.generation !== current.generation;
    if (isNewConnection) {
      this.#polledAt = 0;
      this.#recordingsAt = undefined;
      this.#emptyAt = undefined;
    }
    if (isNewConnection || current.trouble === undefined) {
      this.#failures = 0;
      this.#isBack = false;
    } else if (isNewTry) {
      // A refresh by the user resets the back-off, no matter how often it fails.
      this.#failures = this.#isPolling ? this.#failures + 1 : 1;
      this.#jitter = this.#options.random() * JITTER;
    }
    if (previous.streams !== current.streams && respondsAgain(current)) this.#failures = 1;
    this.#plan();
    if (hasFailedBeside(previous, current) && this.#isWatched() && this.#interval() !== undefined) void this.#poll();
    if (!isNewConnection && hasRecovered(previous, current)) void this.#options.loader.retryExpanded();
    if (!previous.recordings.isShown && current.recordings.isShown) this.#reloadOldRecordings();
  }

  #onPresenceChange(): void {
    const isWatched = this.#isWatched();
    this.#isBack = isWatched && (this.#isBack || !this.#wasWatched);
    if (isWatched && !this.#wasWatched) {
      const { settings, store } = this.#options;
      const { trouble, connection } = store.snapshot;
      const isOn = settings.refreshInterval() > 0;
      if (trouble?.error.isConnectionLoss === true) this.#failures = 1;
      this.#reloadOldGroups();
      this.#reloadOldRecordings();
      // The service may accept the key again.
      if (isOn && connection.kind === 'refused' && this.#isOld(this.#polledAt)) void this.#poll();
    }
    this.#wasWatched = isWatched;
    this.#plan();
  }

  #isWatched(): boolean {
    const { presence } = this.#options;
    return presence.isViewVisible() && presence.isFocused();
  }

  #interval(): number | undefined {
    const { interest, settings, store } = this.#options;
    const chosen = settings.refreshInterval() * 1000;
    if (store.snapshot.connection.kind !== 'open' && !hasFailedSinceRefusal(store.snapshot)) return undefined;
    if (interest.isListening) return chosen === 0 ? LISTENING_INTERVAL_MS : chosen;
    if (chosen === 0) return undefined;
    if (this.#isWatched() || respondsAgain(store.snapshot)) return chosen;
    return settings.notifications().size > 0 ? Math.max(chosen, UNWATCHED_INTERVAL_MS) : undefined;
  }

  #plan(): void {
    const { loader, store } = this.#options;
    const interval = this.#interval();
    const at = interval && this.#nextPollAt(store.snapshot, interval);
    const recordingsAt = interval && this.#retryRecordingsAt(store.snapshot);
    store.nextTry(at, recordingsAt);
    const pollAt = at === undefined || this.#isPolling ? undefined : this.#hurried(at);
    this.#runAt(this.#timer, pollAt, () => this.#poll());
    this.#runAt(this.#recordingsTimer, recordingsAt, loader.reloadOldRecordings);
  }

  #runAt(timer: DisposableSlot, at: number | undefined, run: () => Promise<void>): void {
    const { clock } = this.#options;
    timer.set(at === undefined ? undefined : clock.setTimeout(() => void run(), Math.max(0, at - clock.now())));
  }

  /** Only for recordings that failed although the service responds. Otherwise, the loader retries once it responds. */
  #retryRecordingsAt({ recordings: { isShown, trouble }, trouble: ofService }: Snapshot): number | undefined {
    const isDue = isShown && ofService === undefined && trouble?.error.isTransient && this.#isWatched();
    return isDue ? trouble.at + Math.max(RECORDINGS_EVERY_MS, toldToWait(trouble)) : undefined;
  }

  #nextPollAt({ trouble, lists }: Snapshot, interval: number): number {
    const now = this.#options.clock.now();
    if (trouble === undefined) {
      // Counted from the end of the last poll, so that there is a pause even if responses take longer than the
      // interval.
      const last = Math.max(lists.active.loadedAt ?? 0, this.#polledAt);
      return last > now ? now : last + interval;
    }
    // A failure in the future happened before the clock was set back.
    return Math.min(trouble.at, now) + Math.max(this.#backOff(trouble, interval), toldToWait(trouble));
  }

  #backOff({ error }: LoadFailure, interval: number): number {
    const isWatched = this.#isWatched();
    if (isWatched && error.isConnectionLoss) {
      const slower = 2 ** Math.floor((this.#failures - 1) / UNREACHED_TRIES_AT_A_PACE);
      return Math.min(Math.max(interval, UNREACHED_AT_MOST_MS), Math.min(interval, UNREACHED_EVERY_MS) * slower);
    }
    const most = isWatched ? WATCHED_BACK_OFF_AT_MOST_MS : BACK_OFF_AT_MOST_MS;
    // While the user is watching, the first retry isn't delayed, because many failures are short.
    const doublings = this.#failures - Number(isWatched && error.reason !== 'rateLimited');
    const doubled = Math.min(most, interval * 2 ** doublings) * (1 - this.#jitter);
    // A service that fails must not be polled more often than one that responds.
    return Math.max(interval, doubled);
  }

  /** Returns when to poll if the user has just returned: no later than `at`. */
  #hurried(at: number): number {
    const { trouble } = this.#options.store.snapshot;
    if (!this.#isBack || trouble === undefined || trouble.error.reason === 'rateLimited') return at;
    return Math.min(at, trouble.at + Math.max(COMING_BACK_AFTER_MS, toldToWait(trouble)));
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#isBack = false;
    const { interest, loader, store } = this.#options;
    try {
      await loader.poll();
      if (store.snapshot.trouble !== undefined) return;
      if (this.#isWatched()) {
        await Promise.all([
          this.#pollSessions(),
          this.#pollRecordings(),
          loader.pollClips(),
          loader.pollHealth(),
          this.#checkForFirstStream(),
        ]);
      } else if (interest.isListening) await this.#pollSessions();
    } finally {
      this.#isPolling = false;
      this.#polledAt = this.#options.clock.now();
      this.#plan();
    }
  }

  async #pollSessions(): Promise<void> {
    const { interest, store, loader } = this.#options;
    const due = [...interest.streams].filter((id) => canChange(store.snapshot, id));
    if (due.length === 0) return;
    const from = due.length > SESSION_LISTS_PER_POLL ? this.#sessionsFrom % due.length : 0;
    this.#sessionsFrom = from + SESSION_LISTS_PER_POLL;
    const round = [...due.slice(from), ...due.slice(0, from)].slice(0, SESSION_LISTS_PER_POLL);
    await loader.pollSessions(round);
  }

  // Polls only while a visible recording is being processed. Failed loads are retried by their own timer.
  async #pollRecordings(): Promise<void> {
    const { clock, loader, store } = this.#options;
    const { isShown, trouble } = store.snapshot.recordings;
    const isDue = timeSince(this.#recordingsAt, clock.now()) >= RECORDINGS_EVERY_MS;
    if (!isShown || trouble?.error.isTransient || !isDue || awaitedRecordings(store.snapshot).length === 0) return;
    this.#recordingsAt = clock.now();
    await loader.pollRecordings();
  }

  // A first stream that was created outside this window is idle, so the poll of active streams doesn't show it.
  async #checkForFirstStream(): Promise<void> {
    const { clock, loader, store } = this.#options;
    if (!hasNoStreams(store.snapshot)) return;
    this.#emptyAt ??= store.snapshot.lists.idle.loadedAt;
    if (timeSince(this.#emptyAt, clock.now()) < EMPTY_EVERY_MS) return;
    this.#emptyAt = clock.now();
    await loader.checkForFirstStream();
  }

  #isOld(time: number | undefined): boolean {
    return time !== undefined && timeSince(time, this.#options.clock.now()) >= RELOAD_AFTER_MS;
  }

  #reloadOldRecordings(): void {
    const { clock, loader, store } = this.#options;
    const { isShown, loadedAt, trouble } = store.snapshot.recordings;
    const isOld = trouble?.error.isTransient
      ? timeSince(trouble.at, clock.now()) >= Math.max(COMING_BACK_AFTER_MS, toldToWait(trouble))
      : this.#isOld(loadedAt);
    if (isShown && isOld && this.#isWatched() && this.#interval() !== undefined) void loader.reloadOldRecordings();
  }

  // Idle streams are never listed on a timer: expanded groups are reloaded when the user returns.
  #reloadOldGroups(): void {
    const { clock, interest, loader, store } = this.#options;
    if (this.#interval() === undefined || !this.#isOld(this.#groupsCheckedAt)) return;
    this.#groupsCheckedAt = clock.now();
    void loader.recountGroups();
    const { lists } = store.snapshot;
    for (const list of ['idle', 'recording'] as const) {
      if (this.#isOld(lists[list].loadedAt) && interest.lists.has(list)) void loader.reloadList(list);
    }
  }
}

function toldToWait({ error, at }: LoadFailure): number {
  return (error.retryAt ?? at) - at;
}

/** Whether a group has failed to load although the last poll succeeded: then all may be out of date. */
function hasFailedBeside(previous: Snapshot, { lists, trouble }: Snapshot): boolean {
  if (trouble !== undefined) return false;
  return (['idle', 'recording'] as const).some((list) => {
    const { error } = lists[list].trouble ?? {};
    const isNew = error !== undefined && error !== previous.lists[list].trouble?.error;
    return isNew && error.isTransient && error.reason !== 'rateLimited';
  });
}

/** Whether a stream was read after the last failure, as pages do: the back-off is over, even if no view is visible. */
function respondsAgain({ streams, trouble }: Snapshot): boolean {
  if (trouble === undefined || trouble.error.reason === 'rateLimited') return false;
  return [...streams.values()].some(({ startedAt }) => startedAt > trouble.at);
}

function canChange(snapshot: Snapshot, streamId: string): boolean {
  const sessions = snapshot.sessions.get(streamId);
  if (sessions?.isLoaded !== true) return false;
  const fact = snapshot.streams.get(streamId);
  return (fact !== undefined && isLive(fact)) || sessions.items.some((session) => isUnsettled(session));
}
