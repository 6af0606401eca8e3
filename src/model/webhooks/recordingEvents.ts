import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { forEachLimit } from '../../util/async.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import { isOfBroadcast, type SeenBroadcast } from '../store/seenBroadcast.ts';
import { isRunning, isRunningIn, isUnsettled, type RecordingState, recordingState } from '../store/sessions.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import type { EventSubject } from './envelope.ts';

export interface SeenEvent {
  readonly event: string;
  readonly subject: EventSubject;
  /** When it happened, by the service's clock; undefined for now. */
  readonly at?: number | undefined;
}

export interface RecordingEventsOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (seen: SeenEvent) => void;
  readonly readEveryMs: number;
  /** Whether only recordings of broadcasts that were passed to `waitFor` are events. */
  readonly areOnlyOfBroadcasts?: boolean;
}

const AWAITED_FOR_MS = 3 * 60 * 60_000;
const MOST_AWAITED = 20;
const AT_ONCE = 4;
const MOST_KNOWN = 10_000;

/** The stages of a recording, in order. */
type Progress = 'none' | 'waiting' | 'ready' | 'over';
const ORDER: Readonly<Record<Progress, number>> = { none: 0, waiting: 1, ready: 2, over: 3 };
const PROGRESS: Readonly<Record<RecordingState, Progress>> = {
  running: 'none',
  notRecorded: 'none',
  unknown: 'none',
  waiting: 'waiting',
  ready: 'ready',
  failed: 'over',
  deleted: 'over',
  none: 'over',
};

interface Awaited {
  readonly stream: Stream;
  /** Empty if they ended before listening began. */
  readonly broadcasts: SeenBroadcast[];
  /** By the clock's `elapsed`. */
  until: number;
  hasFailed: boolean;
}

/**
 * Finds recording.waiting and recording.ready in the sessions that the views load and in the newest sessions of
 * streams that ended or whose recordings were being processed when listening began. Each is reported once per session,
 * and only if the session was seen before or belongs to a broadcast that has ended since.
 */
export class RecordingEvents implements Disposable {
  readonly #options: RecordingEventsOptions;
  readonly #timer = new DisposableSlot();
  /** By session. */
  readonly #known = new Map<string, Progress>();
  /** By stream. */
  readonly #awaited = new Map<string, Awaited>();
  #isReading = false;

  constructor(options: RecordingEventsOptions) {
    this.#options = options;
  }

  dispose(): void {
    this.restart();
    this.#timer.dispose();
  }

  restart(): void {
    this.#known.clear();
    this.#awaited.clear();
    this.#timer.set(undefined);
  }

  /** Waits for recordings that are being processed. Reads them first, since some may have become ready unnoticed. */
  async begin(snapshot: Snapshot): Promise<void> {
    for (const { session, streamId } of sessionsOf(snapshot)) {
      const stream = snapshot.streams.get(streamId)?.stream;
      if (stream !== undefined && isUnsettled(session) && !stream.isActive) this.waitFor(stream);
    }
    await this.#read();
  }

  /** Waits for the recordings of broadcasts that have ended. */
  waitFor(stream: Stream, ...broadcasts: readonly SeenBroadcast[]): void {
    const until = this.#options.clock.elapsed() + AWAITED_FOR_MS;
    const awaited = this.#awaited.get(stream.id);
    if (awaited !== undefined) {
      awaited.until = until;
      awaited.broadcasts.push(...broadcasts);
    } else if (this.#awaited.size < MOST_AWAITED) {
      this.#awaited.set(stream.id, { stream, broadcasts: [...broadcasts], until, hasFailed: false });
    } else this.#options.log.info(`Too many pending recordings: skipping the one of ${stream.id}`);
    if (this.#timer.value === undefined) this.#schedule();
  }

  onStoreChange(previous: Snapshot, current: Snapshot): void {
    for (const [streamId, { items }] of current.sessions) {
      const isSame = items === previous.sessions.get(streamId)?.items;
      if (!isSame || previous.streams.get(streamId) !== current.streams.get(streamId))
        for (const session of oldestFirst(items)) this.#observe(streamId, session);
    }
    if (current.recordings.items === previous.recordings.items && current.streams === previous.streams) return;
    for (const session of current.recordings.items) {
      if (session.parentId !== undefined) this.#observe(session.parentId, session);
    }
  }

  #schedule(): void {
    const { clock, readEveryMs } = this.#options;
    const isDue = this.#awaited.size > 0 && !this.#isReading;
    this.#timer.set(isDue ? clock.setTimeout(() => void this.#read(), readEveryMs) : undefined);
  }

  async #read(): Promise<void> {
    const { clock, log, store } = this.#options;
    for (const [id, { until }] of this.#awaited) if (until <= clock.elapsed()) this.#awaited.delete(id);
    const { connection, trouble } = store.snapshot;
    this.#isReading = true;
    try {
      // While the service fails, only the poller retries.
      if (connection.kind === 'open' && trouble === undefined) {
        await forEachLimit([...this.#awaited], AT_ONCE, ([id, awaited]) => this.#readStream(id, awaited));
      }
    } catch (error) {
      log.error('Looking for the events of a recording failed', error);
    } finally {
      this.#isReading = false;
      this.#schedule();
    }
  }

  async #readStream(id: string, awaited: Awaited): Promise<void> {
    if (this.#awaited.get(id) !== awaited) return;
    const sessions = await this.#newestRecorded(id, awaited);
    if (sessions === undefined || this.#awaited.get(id) !== awaited) return;
    for (const session of oldestFirst(sessions)) this.#observe(id, session, sessions[0]);
    const { broadcasts } = awaited;
    const own = broadcasts.length === 0 ? sessions : sessions.filter((session) => isOf(awaited, session));
    const areListed = broadcasts.every((broadcast) => own.some((session) => isOfBroadcast(session, broadcast)));
    if (areListed && own.every((session) => this.#isSettled(id, session, sessions[0]))) this.#awaited.delete(id);
  }

  async #newestRecorded(id: string, awaited: Awaited): Promise<readonly Session[] | undefined> {
    try {
      return await this.#options.loader.newestRecorded(id);
    } catch (error) {
      // The connection may have been switched.
      if (isAbortError(error) || this.#awaited.get(id) !== awaited) return undefined;
      if (!isApiError(error)) throw error;
      if (!awaited.hasFailed) this.#options.log.warn(`Still waiting for a recording: ${error.message}`);
      awaited.hasFailed = true;
      if (error.reason === 'notFound') this.#awaited.delete(id);
      return undefined;
    }
  }

  #observe(streamId: string, session: Session, newest?: Session): void {
    const progress = PROGRESS[this.#stateOf(streamId, session, newest)];
    const awaited = this.#awaited.get(streamId);
    const isExpected = awaited !== undefined && isOf(awaited, session);
    const before = this.#known.get(session.id) ?? (isExpected ? 'none' : progress);
    if (this.#known.has(session.id) && ORDER[progress] <= ORDER[before]) return;
    this.#known.set(session.id, progress);
    this.#forget();
    if (this.#options.areOnlyOfBroadcasts === true && !isExpected) return;
    const isNews = ORDER[progress] > ORDER[before] && (progress === 'waiting' || progress === 'ready');
    if (isNews) this.#options.onEvent({ event: `recording.${progress}`, subject: this.#subject(streamId, session) });
  }

  #forget(): void {
    if (this.#known.size <= MOST_KNOWN) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  #subject(id: string, session: Session): EventSubject {
    const known = this.#options.store.snapshot.streams.get(id)?.stream ?? this.#awaited.get(id)?.stream;
    return { stream: known ?? { id, name: session.parentName ?? id }, session };
  }

  #isSettled(streamId: string, session: Session, newest: Session | undefined): boolean {
    const state = this.#stateOf(streamId, session, newest);
    return ORDER[PROGRESS[state]] >= ORDER.ready || (state === 'unknown' && session.recordingStatus !== undefined);
  }

  // Without `newest`, uses the stream's newest session in the views.
  #stateOf(streamId: string, session: Session, newest: Session | undefined): RecordingState {
    return recordingState(session, isStillRunning(this.#options.store.snapshot, streamId, session, newest));
  }
}

function isOf({ broadcasts }: Awaited, session: Session): boolean {
  return broadcasts.some((broadcast) => isOfBroadcast(session, broadcast));
}

// Returns the order in which the events happened.
function oldestFirst(sessions: readonly Session[]): readonly Session[] {
  return [...sessions].reverse();
}

// A stream without data is still active to the service, so its recording isn't waiting yet.
function isStillRunning(snapshot: Snapshot, streamId: string, session: Session, newest: Session | undefined): boolean {
  const fact = snapshot.streams.get(streamId);
  if (fact === undefined || !fact.stream.isActive) return false;
  const fresh = { ...fact, serverDate: Math.min(fact.serverDate, fact.stream.lastSeen ?? fact.serverDate) };
  if (newest !== undefined) return isRunning(session, fresh, newest);
  return isRunningIn({ ...snapshot, streams: new Map([[streamId, fresh]]) }, { ...session, parentId: streamId });
}

function* sessionsOf({ sessions, recordings }: Snapshot): Iterable<{ session: Session; streamId: string }> {
  for (const [streamId, { items }] of sessions) for (const session of items) yield { session, streamId };
  for (const session of recordings.items) {
    if (session.parentId !== undefined) yield { session, streamId: session.parentId };
  }
}
