import type { Clock, HttpRequest, HttpResponse, Log, Transport } from '../services.ts';
import { delay } from '../util/delay.ts';
import type { Disposable } from '../util/disposable.ts';
import { isAbortError, isApiError } from './errors.ts';
import { type Outcome, waitBeforeRetry } from './retry.ts';
import { type Deadline, startDeadline, untilAborted } from './transport/deadline.ts';
import { nameOf, networkErrorOf } from './transport/networkErrors.ts';

/** One attempt at a request. Has to settle when the signal aborts; may throw anything. */
export type Attempt = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

export interface SenderOptions {
  readonly timeoutMs: () => number;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns 0 to below 1, for the jitter of retries. */
  readonly random: () => number;
}

/** The part that transports share: a deadline over all attempts, retries, errors and the log. */
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
