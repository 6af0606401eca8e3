import type { CallerOptions } from '../../api/calls.ts';
import type { KnownSecrets } from '../../api/knownSecrets.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Abilities } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import type { Event } from '../../util/events.ts';
import type { ConnectionWriter } from '../store/writer.ts';

/** Shared by the parts of an account. The signal aborts when the connection closes. */
export interface AccountParts {
  readonly api: StreamApi;
  readonly writer: ConnectionWriter;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Provided by an account to its parts that are loaded late. */
export interface LateRequests {
  readonly parts: AccountParts;
  readonly apiOptions: CallerOptions & { readonly log: Log; readonly secrets: KnownSecrets };
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  /** Runs a read with the signal of the connection and the given one. */
  readonly run: <T>(run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  readonly markRefused: (error: unknown) => void;
  readonly abilities: () => Abilities;
  /** Notes that the service doesn't support this. */
  readonly lose: (ability: keyof Abilities) => void;
  /** Fires when the missing abilities of the service are forgotten, so that they are tried again. */
  readonly onDidReset: Event<void>;
}

/** Returns a function that creates one part per account, on first use. */
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
