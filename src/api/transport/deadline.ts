import type { Clock } from '../../services.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';
import { ApiError } from '../errors.ts';

/**
 * One signal for a whole call. Aborts with an ApiError (timeout) when the time is up, and with an AbortError when the
 * signal of the caller aborts and on `end`. `left` returns milliseconds, at least 0.
 */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  left(): number;
  end(): void;
}

export function startDeadline(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const until = clock.elapsed() + timeoutMs;
  const end = () => controller.abort(new DOMException('The call was ended', 'AbortError'));
  const timer = clock.setTimeout(() => {
    controller.abort(new ApiError('timeout', `No answer within ${timeoutMs} ms`));
  }, timeoutMs);
  caller?.addEventListener('abort', end, { once: true });
  if (caller?.aborted) end();
  return {
    signal: controller.signal,
    left: () => Math.max(until - clock.elapsed(), 0),
    end,
    ...onDispose(() => {
      timer.dispose();
      caller?.removeEventListener('abort', end);
    }),
  };
}

/** Settles like the promise, or rejects with the reason of the signal as soon as it aborts. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const forget = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(forget);
  });
}
