import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { forEachLimit } from '../../util/async.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import { isOfBroadcast, isRunningIn, isUnsettled, recordingState } from '../store/sessions.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import type { EventSubject } from './envelope.ts';

export interface SeenEvent {
  readonly event: string;
  readonly subject: EventSubject;
}

export interface StreamEventsOptions {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (seen: SeenEvent) => void;
}

// A recording takes a minute or more.
const READ_EVERY_MS = 30_000;
const AWAITED_FOR_MS = 3 * 60 * 60_000;
const MOST_AWAITED = 20;
const AT_ONCE = 4;
const MOST_KNOWN = 10_000;

/** In the order in which a recording reaches them. */
type Progress = 'none' | 'waiting' | 'ready' | 'over';
const ORDER: Readonly<Record<Progress, number>> = { none: 0, waiting: 1, ready: 2, over: 3 };

interface Awaited {
  readonly stream: Stream;
  /** When data arrived in the broadcast, by the service's clock; undefined if it ended before anybody listened. */
  readonly broadcast: { readonly first: number | undefined; readonly last: number | undefined } | undefined;
  /** By the clock's `elapsed`. */
  readonly until: number;
}

/**
 * Finds recording.waiting and recording.ready: in the sessions that the views load, and in the newest sessions of
 * streams that ended or whose recordings were being processed when listening began. Each is an event once for a
 * session, and only if the session was seen before or belongs to a broadcast that ended meanwhile.
 */
export class RecordingEvents implements Disposable {
  readonly #options: StreamEventsOptions;
  readonly #timer = new DisposableSlot();
  /** By session. */
  readonly #known = new Map<string, Progress>();
  /** By stream. */
  readonly #awaited = new Map<string, Awaited>();
  #isReading = false;

  constructor(options: StreamEventsOptions) {
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

  /** Waits for the recordings that are being processed. Reads them first: some may be ready although nobody looked. */
  async begin(snapshot: Snapshot): Promise<void> {
    for (const { session, streamId } of sessionsOf(snapshot)) {
      const stream = snapshot.streams.get(streamId)?.stream;
      if (stream !== undefined && isUnsettled(session) && !stream.isActive) this.#await(stream, undefined);
    }
    await this.#read();
  }

  broadcastEnded(stream: Stream, first: number): void {
    // The recording of the broadcast before may still be waited for.
    this.#await(stream, { first: this.#awaited.get(stream.id)?.broadcast?.first ?? first, last: stream.lastSeen });
  }

  onStoreChange(previous: Snapshot, current: Snapshot): void {
    for (const [streamId, { items }] of current.sessions) {
      const isSame = items === previous.sessions.get(streamId)?.items;
      if (!isSame || previous.streams.get(streamId) !== current.streams.get(streamId))
        this.#observeAll(streamId, items);
    }
    if (current.recordings.items === previous.recordings.items && current.streams === previous.streams) return;
    for (const session of current.recordings.items) {
      if (session.parentId !== undefined) this.#observe(session.parentId, session);
    }
  }

  #await(stream: Stream, broadcast: Awaited['broadcast']): void {
    if (!this.#awaited.has(stream.id) && this.#awaited.size >= MOST_AWAITED) {
      this.#options.log.info(`Too many recordings are waited for: that of ${stream.id} sends no event by itself`);
      return;
    }
    this.#awaited.set(stream.id, { stream, broadcast, until: this.#options.clock.elapsed() + AWAITED_FOR_MS });
    if (this.#timer.value === undefined) this.#schedule();
  }

  #schedule(): void {
    const isDue = this.#awaited.size > 0 && !this.#isReading;
    this.#timer.set(isDue ? this.#options.clock.setTimeout(() => void this.#read(), READ_EVERY_MS) : undefined);
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
    const sessions = await this.#newestRecorded(id);
    // Another connection may be open by now, or another broadcast has ended.
    if (sessions === undefined || this.#awaited.get(id) !== awaited) return;
    this.#observeAll(id, sessions);
    const own = awaited.broadcast === undefined ? sessions : sessions.filter((each) => isOf(awaited, each));
    const isSettled = own.every((session) => ORDER[this.#progressOf(id, session)] >= ORDER.ready);
    if (isSettled && (own.length > 0 || awaited.broadcast === undefined)) this.#awaited.delete(id);
  }

  async #newestRecorded(id: string): Promise<readonly Session[] | undefined> {
    try {
      return await this.#options.loader.newestRecorded(id);
    } catch (error) {
      if (isAbortError(error)) return undefined;
      if (!isApiError(error)) throw error;
      if (error.reason === 'notFound') this.#awaited.delete(id);
      else this.#options.log.warn(`The events of a recording are waited for: ${error.message}`);
      return undefined;
    }
  }

  // Oldest first, in the order in which the events happened.
  #observeAll(streamId: string, sessions: readonly Session[]): void {
    for (const session of [...sessions].reverse()) this.#observe(streamId, session);
  }

  #observe(streamId: string, session: Session): void {
    const progress = this.#progressOf(streamId, session);
    const awaited = this.#awaited.get(streamId);
    const isExpected = awaited !== undefined && isOf(awaited, session);
    const before = this.#known.get(session.id) ?? (isExpected ? 'none' : progress);
    if (this.#known.has(session.id) && ORDER[progress] <= ORDER[before]) return;
    this.#known.set(session.id, progress);
    this.#forget();
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

  #progressOf(streamId: string, session: Session): Progress {
    switch (recordingState(session, isStillRunning(this.#options.store.snapshot, streamId, session))) {
      case 'waiting':
        return 'waiting';
      case 'ready':
        return 'ready';
      case 'failed':
      case 'deleted':
      case 'none':
        return 'over';
      case 'running':
      case 'notRecorded':
      case 'unknown':
        return 'none';
    }
  }
}

function isOf({ broadcast }: Awaited, session: Session): boolean {
  return broadcast !== undefined && isOfBroadcast(session, broadcast);
}

// A stream without data is still active to the service, so its recording isn't waiting yet.
function isStillRunning(snapshot: Snapshot, streamId: string, session: Session): boolean {
  const fact = snapshot.streams.get(streamId);
  if (fact === undefined || !fact.stream.isActive) return false;
  const fresh = { ...fact, serverDate: Math.min(fact.serverDate, fact.stream.lastSeen ?? fact.serverDate) };
  return isRunningIn({ ...snapshot, streams: new Map([[streamId, fresh]]) }, { ...session, parentId: streamId });
}

function* sessionsOf({ sessions, recordings }: Snapshot): Iterable<{ session: Session; streamId: string }> {
  for (const [streamId, { items }] of sessions) for (const session of items) yield { session, streamId };
  for (const session of recordings.items) {
    if (session.parentId !== undefined) yield { session, streamId: session.parentId };
  }
}
