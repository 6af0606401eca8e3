import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { forEachLimit } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';

interface UnseenBroadcastsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly readSessions: (streamId: string, signal: AbortSignal) => Promise<readonly Session[]>;
}

/** Unix times in milliseconds, by the service's clock. */
export interface UnseenBroadcast {
  readonly beganAt: number;
  /** When the broadcast before it had ended. */
  readonly endedAt: number;
}

const STREAMS_PER_POLL = 20;
// Where polls are more frequent, not all of them read sessions.
const READ_EVERY_MS = 12_000;
const AT_ONCE = 4;
// The session of a broadcast may be created a moment after its stream is active.
const SAME_WITHIN_MS = 5000;

/**
 * Finds broadcasts that began although their stream was active in each poll. Sends one small request for a stream. A
 * service may list a session only after some seconds, so later polls look for it, too.
 */
export class UnseenBroadcasts implements Disposable {
  readonly #options: UnseenBroadcastsOptions;
  readonly #closing = new AbortController();
  readonly #failed = new Set<string>();
  // Where the next round starts, so that each stream is read.
  #from = 0;
  #isReading = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: UnseenBroadcastsOptions) {
    this.#options = options;
  }

  dispose(): void {
    this.#closing.abort();
  }

  /**
   * Does nothing while it is reading, or has read some seconds ago.
   * @param streams since when each is known to be active, by ID
   * @param onFound is called for each stream with broadcasts that began later, the oldest first
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
      if (!this.#failed.has(id))
        this.#options.log.warn(`The newest sessions of ${id} cannot be read: ${error.message}`);
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
