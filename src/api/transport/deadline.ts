import type { Clock } from '../../services.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';
import { ApiError } from '../errors.ts';

/** An AbortSignal that aborts with an AbortError when the signal of the caller does, and on `end`. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Aborts with this error. Default: an AbortError. */
  end(error?: Error): void;
}

export interface Deadline extends LinkedSignal {
  left(): number;
}

/**
 * Note that AbortSignal.any isn't used: in Node.js 22, each call leaves 0.2 KB behind and slows the next ones while the
 * signal of the caller lives, which may be that of a connection.
 */
export function linkSignal(caller: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  const end = (error: Error = new DOMException('The call was ended', 'AbortError')) => controller.abort(error);
  const onAbort = () => end();
  caller?.addEventListener('abort', onAbort, { once: true });
  if (caller?.aborted) end();
  return {
    signal: controller.signal,
    end,
    ...onDispose(() => caller?.removeEventListener('abort', onAbort)),
  };
}

/** One signal for a whole call. Aborts with an ApiError (timeout) when the time of the clock is up. */
export function startDeadline(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const linked = linkSignal(caller);
  const until = clock.elapsed() + timeoutMs;
  const timer = clock.setTimeout(() => {
    linked.end(new ApiError('timeout', `No answer within ${timeoutMs} ms`));
  }, timeoutMs);
  return {
    ...linked,
    left: () => Math.max(until - clock.elapsed(), 0),
    dispose() {
      timer.dispose();
      linked.dispose();
    },
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
