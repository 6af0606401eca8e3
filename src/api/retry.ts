import type { HttpRequest, HttpResponse } from '../services.ts';
import { isApiError } from './errors.ts';
import { retryAtOf } from './retryAfter.ts';

export type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: Error };

export interface Attempted {
  readonly method: HttpRequest['method'];
  readonly outcome: Outcome;
  /** The number of attempts before this one. */
  readonly retries: number;
}

const MOST_RETRIES = 2;
const FIRST_WAIT = 250;
/**
 * Returns the milliseconds to wait before the next attempt, or undefined if the request isn't retried. Only GET is
 * retried: after a network failure, 502, 503, 504, and a 429 with Retry-After.
 */
export function waitBeforeRetry(
  { method, outcome, retries }: Attempted,
  { now, random }: { readonly now: number; readonly random: () => number },
): number | undefined {
  if (method !== 'GET' || retries >= MOST_RETRIES) return undefined;
  const backoff = FIRST_WAIT * 2 ** retries * (0.5 + random());
  if (outcome.error) return isApiError(outcome.error) && outcome.error.isConnectionLoss ? backoff : undefined;
  const { status, headers } = outcome.response;
  const retryAt = retryAtOf(headers, now);
  if (status === 429) return retryAt === undefined ? undefined : Math.max(retryAt - now, backoff);
  const isBusy = status === 502 || status === 503 || status === 504;
  return isBusy ? Math.max((retryAt ?? now) - now, backoff) : undefined;
}
