import { ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import type { Clock, Log } from '../../services.ts';
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

/**
 * Runs a background request. A failure goes to `failed` and the log, never to the caller; a response that arrives after
 * the connection has closed is dropped.
 */
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
