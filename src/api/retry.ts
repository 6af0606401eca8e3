import type { HttpRequest, HttpResponse } from '../services.ts';
import { isApiError } from './errors.ts';
import { retryAtOf } from './retryAfter.ts';

/** How a try ended. */
export type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: Error };

const MOST_RETRIES = 2;
const FIRST_WAIT = 250;
/** Failures of the network that the next try would meet again. */
export const LASTING: ReadonlySet<string | undefined> = new Set([
  'certificate',
  'plainHttp',
  'tlsVersion',
  'tlsHandshake',
  'http2Only',
  'clientCertificate',
  'proxyAuthentication',
  'proxyUnsupported',
]);

/**
 * Milliseconds to wait before the next try, or `undefined` when there is to be none: nothing but GET is ever repeated, after
 * a network failure, 502, 503, 504, and a 429 that says when.
 */
export function waitBeforeRetry(
  method: HttpRequest['method'],
  outcome: Outcome,
  retries: number,
  { now, random }: { readonly now: number; readonly random: () => number },
): number | undefined {
  if (method !== 'GET' || retries >= MOST_RETRIES) return undefined;
  const backoff = FIRST_WAIT * 2 ** retries * (0.5 + random());
  if (outcome.error) return isPassing(outcome.error) ? backoff : undefined;
  const { status, headers } = outcome.response;
  const retryAt = retryAtOf(headers, now);
  if (status === 429) return retryAt === undefined ? undefined : Math.max(retryAt - now, backoff);
  const isBusy = status === 502 || status === 503 || status === 504;
  return isBusy ? Math.max((retryAt ?? now) - now, backoff) : undefined;
}

function isPassing(error: Error): boolean {
  return isApiError(error) && error.reason === 'network' && !LASTING.has(error.why);
}
