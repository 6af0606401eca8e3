import type { Clock, HttpRequest, HttpResponse, Log, Transport } from '../../services.ts';
import { delay } from '../../util/delay.ts';
import type { Disposable } from '../../util/disposable.ts';
import { isAbortError, isApiError } from '../errors.ts';
import { retryAtOf } from '../retryAfter.ts';
import { type Deadline, startDeadline, untilAborted } from './deadline.ts';
import { nameOf, networkErrorOf } from './networkErrors.ts';

/** One attempt at a request. Has to settle when the signal aborts; may throw anything. */
export type Attempt = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

export interface SenderOptions {
  readonly timeoutMs: () => number;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns 0 to below 1, for the jitter of retries. */
  readonly random: () => number;
}

type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: Error };

interface Attempted {
  readonly method: HttpRequest['method'];
  readonly outcome: Outcome;
  readonly retries: number;
}

const MOST_RETRIES = 2;
const FIRST_WAIT = 250;

export function createSender(options: SenderOptions, attempt: Attempt): Transport & Disposable {
  const { clock, log, random } = options;
  const underWay = new Set<Deadline>();
  let isDisposed = false;

  async function tryOnce(request: HttpRequest, what: string, { signal }: Deadline): Promise<Outcome> {
    const startedAt = clock.elapsed();
    const took = () => `${Math.round(clock.elapsed() - startedAt)} ms`;
    try {
      const response = await untilAborted(signal, attempt(request, signal));
      log.debug(`${what}: ${response.status}, ${response.body.byteLength} bytes, ${took()}`);
      return { response };
    } catch (thrown) {
      const reason = signal.aborted ? signal.reason : thrown;
      const error = isAbortError(reason) ? reason : networkErrorOf(reason, request);
      log.debug(`${isApiError(error) ? error.message : `${what}: ended`}, ${took()}`);
      return { error };
    }
  }

  async function sendWithin(deadline: Deadline, request: HttpRequest): Promise<HttpResponse> {
    const what = nameOf(request);
    for (let retries = 0; ; retries += 1) {
      const outcome = await tryOnce(request, what, deadline);
      const attempted = { method: request.method, outcome, retries };
      const wait = waitBeforeRetry(attempted, { now: clock.now(), random });
      if (wait !== undefined && wait < deadline.left()) {
        await delay(clock, wait, deadline.signal);
        continue;
      }
      if (outcome.response) return outcome.response;
      throw outcome.error;
    }
  }

  return {
    async send(request) {
      const deadline = startDeadline(clock, options.timeoutMs(), request.signal);
      if (isDisposed) deadline.end();
      underWay.add(deadline);
      try {
        deadline.signal.throwIfAborted();
        return await sendWithin(deadline, request);
      } finally {
        underWay.delete(deadline);
        deadline.dispose();
      }
    },
    dispose() {
      isDisposed = true;
      for (const deadline of underWay) deadline.end();
    },
  };
}

/**
 * Returns the milliseconds to wait before the next attempt, or undefined if the request isn't retried. Only GET is
 * retried: after a network failure, 502, 503, 504, and a 429 with Retry-After.
 */
function waitBeforeRetry(
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
