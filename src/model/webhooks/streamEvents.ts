import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import { forEachLimit } from '../../util/async.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { connectionIdOf, type Snapshot, type SnapshotChange, type StreamFact } from '../store/snapshot.ts';
import { RecordingEvents, type RecordingEventsOptions } from './recordingEvents.ts';

// A recording takes a minute or more.
const READ_RECORDINGS_EVERY_MS = 30_000;
const STREAMS_PER_POLL = 20;
// If polls are more frequent, not all of them read sessions.
const READ_EVERY_MS = 12_000;
const AT_ONCE = 4;
// The session of a broadcast may be created a moment after its stream is active.
const SAME_WITHIN_MS = 5000;

export interface StreamEventsOptions extends Omit<RecordingEventsOptions, 'readEveryMs' | 'areOnlyOfBroadcasts'> {
  /** Returns the newest sessions of a stream, newest first, in one request. Throws ApiError. */
  readonly readSessions: (streamId: string, signal: AbortSignal) => Promise<readonly Session[]>;
  /** Reads a stream into the store. Throws ApiError. */
  readonly readStream: (streamId: string, signal: AbortSignal) => Promise<unknown>;
  /** Whether the events of a stream are wanted. */
  readonly isFollowed: (streamId: string) => boolean;
}

interface Active {
  /** When data was first seen in this broadcast, by the service's clock. */
  readonly first: number;
  /** When it was first known to be active, by the service's clock. Its session had begun by then. */
  readonly activeAt: number;
  /** Whether the first poll didn't list it. It stopped before listening began, unless a later read finds it active. */
  readonly hasStopped: boolean;
}

/**
 * Finds the events that this window sees itself in the snapshot's changes: stream.started, stream.idle,
 * recording.waiting, and recording.ready. Streams found by a connection's first poll or by loading more rows aren't
 * events. A broadcast that ended and began again between two polls is found by its session. If the connection continues
 * with another API key, its first poll is compared with the earlier state.
 */
export class StreamEvents implements Disposable {
  readonly #options: StreamEventsOptions;
  readonly #owned = new DisposableStore();
  readonly #recordings: RecordingEvents;
  readonly #unseen: UnseenBroadcasts;
  /** By ID; undefined until the first poll has succeeded. */
  #active: Map<string, Active> | undefined;
  /** The state before the key changed, until the first poll with the new key has succeeded. */
  #left: Snapshot | undefined;
  /** IDs of streams that were active before the key changed and aren't listed now. They are being read. */
  readonly #unread = new Set<string>();
  readonly #closing = new AbortController();

  constructor(options: StreamEventsOptions) {
    this.#options = options;
    this.#recordings = this.#owned.add(new RecordingEvents({ ...options, readEveryMs: READ_RECORDINGS_EVERY_MS }));
    this.#unseen = this.#owned.add(new UnseenBroadcasts(options));
    this.#owned.add(options.store.onDidChange((change) => this.#onStoreChange(change)));
  }

  dispose(): void {
    this.#closing.abort();
    this.#owned.dispose();
  }

  /** Polls immediately. Events that happen after this has resolved are seen. */
  async begin(): Promise<void> {
    const { loader, store } = this.#options;
    await Promise.all([loader.refreshActive(), this.#recordings.begin(store.snapshot)]);
  }

  #onStoreChange({ previous, current }: SnapshotChange): void {
    if (previous.generation !== current.generation) this.#onOpened(previous, current);
    const hasPolled = hasPolledActive(previous, current);
    if (this.#left !== undefined) {
      if (hasPolled) this.#resume(this.#left, current);
      return;
    }
    if (this.#active === undefined) this.#active = hasPolled ? findBaseline(current) : undefined;
    else {
      if (previous.streams !== current.streams) this.#follow(this.#active, previous, current);
      if (hasPolled) this.#findUnseen(this.#active);
    }
    if (previous.generation === current.generation) this.#recordings.onStoreChange(previous, current);
  }

  #onOpened(previous: Snapshot, current: Snapshot): void {
    this.#unread.clear();
    if (isSameConnection(previous, current)) {
      if (this.#active !== undefined) this.#left ??= previous;
      return;
    }
    this.#left = undefined;
    this.#active = undefined;
    this.#recordings.restart();
  }

  #resume(left: Snapshot, current: Snapshot): void {
    this.#left = undefined;
    const active = this.#active ?? new Map<string, Active>();
    // Only those that may have stopped are read: the ones that no loaded list contains.
    const unread = [...active.keys()].filter((id) => !current.streams.has(id));
    for (const id of unread) this.#unread.add(id);
    this.#follow(active, left, current);
    this.#recordings.onStoreChange(left, current);
    forEachLimit(unread, AT_ONCE, async (id) => this.#readUnlisted(id)).catch((error: unknown) =>
      this.#options.log.error('Looking for broadcasts that ended failed', error),
    );
  }

  /** If it can't be read, forgets it, so that its next start is an event again. */
  async #readUnlisted(id: string): Promise<void> {
    const active = this.#active;
    try {
      await this.#options.readStream(id, this.#closing.signal);
    } catch (error) {
      if (!isAbortError(error) && !isApiError(error)) throw error;
    } finally {
      this.#unread.delete(id);
      if (active === this.#active && !this.#options.store.snapshot.streams.has(id)) active?.delete(id);
    }
  }

  #follow(active: Map<string, Active>, previous: Snapshot, current: Snapshot): void {
    this.#followActive(active, previous, current);
    for (const fact of current.streams.values()) {
      const { id, isActive } = fact.stream;
      if (!isActive || active.has(id)) continue;
      active.set(id, beginActive(fact));
      if (canHaveStarted(id, previous, current)) this.#send('stream.started', fact.stream);
    }
  }

  #followActive(active: Map<string, Active>, previous: Snapshot, current: Snapshot): void {
    for (const [id, state] of active) {
      const fact = current.streams.get(id);
      if (fact?.stream.isActive === true) {
        if (state.hasStopped && fact !== previous.streams.get(id)) active.set(id, { ...state, hasStopped: false });
        continue;
      }
      if (fact === undefined && this.#unread.has(id)) continue;
      active.delete(id);
      // The service sends no events for a stream that is gone.
      if (fact !== undefined && !state.hasStopped) this.#onStopped(fact.stream, state.first);
    }
  }

  #findUnseen(active: Map<string, Active>): void {
    const followed = new Map([...active].filter(([id, { hasStopped }]) => !hasStopped && this.#options.isFollowed(id)));
    this.#unseen.read(new Map([...followed].map(([id, { activeAt }]) => [id, activeAt])), (id, unseen) => {
      const state = active.get(id);
      // It may have stopped in the meantime, or another connection may be open.
      if (state !== undefined && state === followed.get(id) && active === this.#active) {
        active.set(id, this.#onFound(id, state, unseen));
      }
    });
  }

  #onFound(id: string, before: Active, unseen: readonly UnseenBroadcast[]): Active {
    const stream = this.#options.store.snapshot.streams.get(id)?.stream;
    if (stream === undefined) return before;
    let { first } = before;
    for (const { endedAt, beganAt } of unseen) {
      this.#onStopped({ ...stream, isActive: false, lastSeen: endedAt }, first, endedAt);
      this.#send('stream.started', stream, beganAt);
      first = beganAt;
    }
    return { first, activeAt: first, hasStopped: false };
  }

  #onStopped(stream: Stream, first: number, at?: number): void {
    this.#send('stream.idle', stream, at);
    if (stream.record) this.#recordings.waitFor(stream, { first, last: stream.lastSeen });
  }

  #send(event: string, stream: Stream, at?: number): void {
    this.#options.onEvent({ event, subject: { stream }, at });
  }
}

/** Whether it's the same connection with another key. */
export function isSameConnection(previous: Snapshot, current: Snapshot): boolean {
  const urlOf = ({ connection }: Snapshot) => ('info' in connection ? connection.info.baseUrl : undefined);
  const id = connectionIdOf(current);
  return id !== undefined && id === connectionIdOf(previous) && urlOf(previous) === urlOf(current);
}

function hasPolledActive(previous: Snapshot, { lists: { active } }: Snapshot): boolean {
  return active.requestSeq > 0 && active.requestSeq !== previous.lists.active.requestSeq;
}

function findBaseline(current: Snapshot): Map<string, Active> {
  // Streams that the response doesn't list are read later. If they have stopped, they stopped before.
  const listed = new Set(current.lists.active.ids);
  const active = [...current.streams.values()].filter(({ stream }) => stream.isActive);
  return new Map(active.map((fact) => [fact.stream.id, beginActive(fact, !listed.has(fact.stream.id))]));
}

function beginActive({ stream: { lastSeen }, serverDate }: StreamFact, hasStopped = false): Active {
  return { first: lastSeen ?? serverDate, activeAt: Math.max(lastSeen ?? 0, serverDate), hasStopped };
}

// If only some of the active streams are listed, an unknown one may have been active before.
function canHaveStarted(id: string, previous: Snapshot, current: Snapshot): boolean {
  return previous.streams.has(id) || !current.lists.active.hasNextPage;
}

/** Unix times in milliseconds, by the service's clock. */
interface UnseenBroadcast {
  readonly beganAt: number;
  /** When the previous broadcast ended. */
  readonly endedAt: number;
}

/**
 * Finds broadcasts that began although their stream was active in each poll. Sends one small request per stream. A
 * service may list a session only after some seconds, so later polls also look for it.
 */
class UnseenBroadcasts implements Disposable {
  readonly #options: StreamEventsOptions;
  readonly #closing = new AbortController();
  readonly #failed = new Set<string>();
  // The index where the next round starts, so that each stream is read.
  #from = 0;
  #isReading = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: StreamEventsOptions) {
    this.#options = options;
  }

  dispose(): void {
    this.#closing.abort();
  }

  /**
   * Does nothing while it's reading or if it last read less than `READ_EVERY_MS` ago.
   * @param streams when each was first known to be active, by ID
   * @param onFound called for each stream with broadcasts that began later, oldest first
   */
  read(streams: ReadonlyMap<string, number>, onFound: (id: string, unseen: readonly UnseenBroadcast[]) => void): void {
    const now = this.#options.clock.elapsed();
    if (this.#isReading || now - this.#readAt < READ_EVERY_MS) return;
    this.#isReading = true;
    this.#readAt = now;
    forEachLimit(this.#nextRound([...streams]), AT_ONCE, async ([id, activeAt]) => {
      const unseen = findUnseen(await this.#readSessions(id), activeAt);
      if (unseen.length > 0 && !this.#closing.signal.aborted) onFound(id, unseen);
    })
      .catch((error: unknown) => this.#options.log.error('Looking for broadcasts failed', error))
      .finally(() => {
        this.#isReading = false;
      });
  }

  #nextRound<T>(all: readonly T[]): readonly T[] {
    if (all.length <= STREAMS_PER_POLL) return all;
    const from = this.#from % all.length;
    this.#from = from + STREAMS_PER_POLL;
    return [...all.slice(from), ...all.slice(0, from)].slice(0, STREAMS_PER_POLL);
  }

  async #readSessions(id: string): Promise<readonly Session[]> {
    try {
      const sessions = await this.#options.readSessions(id, this.#closing.signal);
      this.#failed.delete(id);
      return sessions;
    } catch (error) {
      if (isAbortError(error)) return [];
      if (!isApiError(error)) throw error;
      if (!this.#failed.has(id)) this.#options.log.warn(`The newest sessions of ${id} can't be read: ${error.message}`);
      this.#failed.add(id);
      return [];
    }
  }
}

function findUnseen(sessions: readonly Session[], activeAt: number): readonly UnseenBroadcast[] {
  const found = sessions.flatMap(({ createdAt: beganAt = 0 }, index) => {
    if (beganAt <= activeAt + SAME_WITHIN_MS) return [];
    const lastSeen = sessions[index + 1]?.lastSeen ?? beganAt;
    return [{ beganAt, endedAt: Math.min(Math.max(lastSeen, activeAt), beganAt) }];
  });
  return found.reverse();
}
