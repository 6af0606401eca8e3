import { type ApiErrorCause, isAbortError, isApiError, LASTING } from '../../api/errors.ts';
import type { AccountParts, LateRequests } from './accountParts.ts';
import { readUntil } from './reads.ts';

/** The maximum difference between a response's time and a creation time: services send their time in seconds. */
export const INEXACT_MS = 5000;

const NEVER_SENT: ReadonlySet<ApiErrorCause | undefined> = new Set([...LASTING, 'nameNotFound', 'refused', 'proxy']);

/** Whether a failed change may still have been made (src/api/README.md, Changes). If so, it must not be retried. */
export function mayHaveHappened(error: unknown): boolean {
  if (isAbortError(error)) return true;
  if (!isApiError(error)) return false;
  switch (error.reason) {
    case 'unavailable':
    case 'timeout':
      return true;
    case 'network':
      return !NEVER_SENT.has(error.why);
    case 'invalidResponse':
      return error.why !== 'redirect';
    default:
      return false;
  }
}

/**
 * Sends a change once. If it isn't known whether it was made, returns the result of `find`. If that is undefined or
 * fails, throws the original error.
 */
export async function sendOnce<T>(
  requests: LateRequests,
  what: string,
  { send, find }: { readonly send: () => Promise<T>; readonly find: () => Promise<T | undefined> },
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    noteFailedChange(requests, what, error);
    const found = mayHaveHappened(error) ? await orUnread(requests.parts, what, find) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * Sends a deletion once. It isn't an error if the item is already gone.
 * @param isThere may throw `notFound` instead of returning false
 * @param isDoubtful whether it may be gone despite an error
 */
export async function deleteOnce(
  requests: LateRequests,
  what: string,
  { send, isThere, isDoubtful = mayHaveHappened }: Deletion,
): Promise<void> {
  const isGone = async () => {
    try {
      return !(await isThere());
    } catch (error) {
      if (isApiError(error, 'notFound')) return true;
      throw error;
    }
  };
  try {
    await send();
  } catch (error) {
    noteFailedChange(requests, what, error);
    if (isApiError(error, 'notFound')) return;
    const { parts } = requests;
    if (!isDoubtful(error) || (await orUnread(parts, what, () => readUntil(parts, isGone))) !== true) throw error;
  }
}

interface Deletion {
  readonly send: () => Promise<void>;
  readonly isThere: () => Promise<boolean>;
  readonly isDoubtful?: (error: unknown) => boolean;
}

export function noteFailedChange({ parts, markRefused }: LateRequests, what: string, error: unknown): void {
  markRefused(error);
  if (isApiError(error)) parts.log.warn(`${what} failed (${error.reason}): ${error.message}`);
}

/** Returns undefined if the read fails or the connection has closed. */
export async function orUnread<T>(
  { log, signal }: AccountParts,
  what: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const value = await read();
    return signal.aborted ? undefined : value;
  } catch (error) {
    if (!isApiError(error) && !isAbortError(error)) throw error;
    log.warn(`${what}: reading the result failed: ${error.message}`);
    return undefined;
  }
}
