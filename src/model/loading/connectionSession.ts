import { ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Clock, Log } from '../../services.ts';
import type { Trouble } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';

/** What loaders share while one connection is open. The signal aborts when it closes; later responses are dropped. */
export interface ConnectionSession {
  readonly api: StreamApi;
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly pageSize: () => number;
}

/**
 * Runs a background request. A failure goes to `failed` and the log, never to the caller; a response that arrives after
 * the connection has closed is dropped.
 */
export async function ask(
  asking: ConnectionSession,
  run: () => Promise<void>,
  failed: (trouble: Trouble) => void,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (asking.signal.aborted || isAbortError(error)) return;
    const trouble = toTrouble(asking, error);
    failed(trouble);
    if (trouble.error.reason === 'unauthorized') asking.store.refused();
  }
}

function toTrouble(asking: ConnectionSession, error: unknown): Trouble {
  if (isApiError(error)) {
    asking.log.warn(error.message);
    return { error, at: asking.clock.now(), nextTryAt: error.retryAt };
  }
  asking.log.error('Unexpected error', error);
  const wrapped = new ApiError('invalidResponse', 'Unexpected error', { cause: error });
  return { error: wrapped, at: asking.clock.now(), nextTryAt: undefined };
}

/** Throws if the connection has closed. Call it after every await, before writing to the store. */
export function checkOpen(asking: ConnectionSession): void {
  asking.signal.throwIfAborted();
}
