import { type ApiErrorCause, isAbortError, isApiError, LASTING } from '../../api/errors.ts';
import type { AccountParts, LateRequests } from './accountParts.ts';
import { readUntil } from './reads.ts';

/** How much the time of a response and that of what was created may differ: services send their time in seconds. */
export const INEXACT_MS = 5000;

const NEVER_SENT: ReadonlySet<ApiErrorCause | undefined> = new Set([...LASTING, 'nameNotFound', 'refused', 'proxy']);

/** Whether a failed change may still have been made (src/api/README.md, Changes). Never retry it then. */
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
 * Sends a change, once. If it isn't known whether it was made, what `find` returns is the result, and undefined or a
 * failure means that it still isn't known: the error is thrown then.
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
 * Sends a deletion, once. What is already gone is not an error.
 * @param isThere may throw `notFound` instead of returning false
 * @param isDoubtful whether it may be gone in spite of an error
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

/** Returns undefined if it can't be read, or the connection has closed. */
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
