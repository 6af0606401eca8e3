import { ApiError, type ApiErrorReason, isAbortError, isApiError } from '../../api/errors.ts';
import type { Clock, Log } from '../../services.ts';
import { timeSince } from '../../util/clock.ts';
import type { Account } from '../account/account.ts';
import type { LoadFailure } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';

/** What loaders share while one connection is open. Responses that arrive after it has closed are dropped. */
export interface LoadContext {
  readonly account: Account;
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly pageSize: () => number;
}

/** A failure goes to `failed` and the log. A response that arrives after the connection closed is dropped. */
export async function runInBackground(
  context: LoadContext,
  run: () => Promise<void>,
  failed: (trouble: LoadFailure) => void,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (context.account.isClosed || isAbortError(error)) return;
    failed(toTrouble(context, error));
  }
}

function toTrouble({ log, clock }: LoadContext, error: unknown): LoadFailure {
  if (isApiError(error)) {
    log.warn(error.message);
    return { error, at: clock.now(), nextTryAt: error.retryAt };
  }
  log.error('Unexpected error', error);
  const wrapped = new ApiError('invalidResponse', 'Unexpected error', { cause: error });
  return { error: wrapped, at: clock.now(), nextTryAt: undefined };
}

/** Throws if the connection has closed. Call it after every await, before writing to the store. */
export function throwIfClosed({ account }: LoadContext): void {
  account.signal.throwIfAborted();
}

// Failures after which reading the next stream is pointless.
const OF_THE_SERVICE: ReadonlySet<ApiErrorReason> = new Set(['unauthorized', 'rateLimited', 'network', 'timeout']);

/** If only that stream can't be read, it stays: the next poll finds it missing again. Throws other failures. */
export async function tryReadStream({ account, log }: LoadContext, id: string): Promise<void> {
  try {
    await account.readStream(id);
  } catch (error) {
    if (!isApiError(error) || OF_THE_SERVICE.has(error.reason)) throw error;
    // A gateway error affects the whole service; a 500 may be about this stream.
    if (error.reason === 'unavailable' && error.status !== 500) throw error;
    log.warn(error.message);
  }
}

// With this, a response of 100,000 rows pauses polling for five minutes.
const MS_A_ROW = 3;
const LONGEST_MS = 5 * 60_000;

/** Slows down polls of a service that ignores limits or announces pages without end, and no other requests. */
export class PollPause {
  readonly #clock: Pick<Clock, 'now'>;
  #begunAt: number | undefined;
  #ms = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return timeSince(this.#begunAt, this.#clock.now()) >= this.#ms;
  }

  /** Starts a pause for a response of `rows` rows; Infinity if the list didn't end. */
  begin(rows: number): void {
    this.#begunAt = this.#clock.now();
    this.#ms = Math.min(LONGEST_MS, rows * MS_A_ROW);
  }
}
