import type { CallerOptions } from '../../api/calls.ts';
import type { KnownSecrets } from '../../api/knownSecrets.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Abilities } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { timeSince } from '../../util/clock.ts';
import type { Event } from '../../util/events.ts';
import type { ConnectionWriter } from '../store/writer.ts';

/** What the parts of an account share. The signal aborts when the connection closes. */
export interface AccountParts {
  readonly api: StreamApi;
  readonly writer: ConnectionWriter;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly recentEnds: RecentEnds;
}

/** What an account offers to its parts that are loaded late. */
export interface LateRequests {
  readonly apiOptions: CallerOptions & { readonly log: Log; readonly secrets: KnownSecrets };
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  /** Runs a read with the signal of the connection and the given one. */
  readonly run: <T>(run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  readonly markRefused: (error: unknown) => void;
  readonly abilities: () => Abilities;
  /** The service has answered that it lacks this. */
  readonly lose: (ability: keyof Abilities) => void;
  /** What the service lacks is no longer known: it may be asked again. */
  readonly onDidReset: Event<void>;
}

/** Returns a function that makes one part for each account, when it is first asked for. */
export function createdPerAccount<A extends { readonly lateRequests: LateRequests }, T>(
  create: (account: A) => T,
): (account: A) => T {
  const parts = new WeakMap<LateRequests, T>();
  return (account) => {
    const known = parts.get(account.lateRequests);
    if (known !== undefined) return known;
    const part = create(account);
    parts.set(account.lateRequests, part);
    return part;
  };
}

// The service refuses to end a broadcast twice within this time (src/api/README.md, Changes).
const PAUSE_MS = 5000;

/** Remembers which broadcasts this window has just ended, so that the next attempt waits instead of being refused. */
export class RecentEnds {
  readonly #endedAt = new Map<string, number>();

  /** Returns milliseconds until this stream's broadcast may be ended again; 0 = now. */
  waitFor(streamId: string, now: number): number {
    return Math.max(0, PAUSE_MS - timeSince(this.#endedAt.get(streamId), now));
  }

  note(streamId: string, now: number): void {
    for (const [id, endedAt] of this.#endedAt) {
      if (timeSince(endedAt, now) > PAUSE_MS) this.#endedAt.delete(id);
    }
    this.#endedAt.set(streamId, now);
  }
}
