import type { Clock } from '../../services.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';
import { ApiError } from '../errors.ts';

/** One signal over a whole call: it aborts when the time is up, when the caller's signal does, and when `end` is called. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Milliseconds, 0 when the time is up. */
  left(): number;
  /** Ends the call as the caller's signal would. */
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

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts, whatever the promise does then. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const forget = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(forget);
  });
}
