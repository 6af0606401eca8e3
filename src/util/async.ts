import type { Disposable } from './disposable.ts';

interface Coalesced {
  (): Promise<void>;
  /** Shares the current run, if any. For callers whose changes the current run can't have missed. */
  join(): Promise<void>;
}

/** Calls during a run share the next one: the current one may have started before the caller's change. */
export function coalesce(run: () => Promise<void>): Coalesced {
  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const start = (): Promise<void> => {
    following = undefined;
    current = run().finally(() => {
      // Calls before the next run starts share that run.
      if (following === undefined) current = undefined;
    });
    return current;
  };
  const follow = (): Promise<void> => {
    if (current === undefined) return start();
    following ??= current.then(start, start);
    return following;
  };
  return Object.assign(follow, { join: () => current ?? start() });
}

export function share<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    current ??= run().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** Runs tasks one by one, in the order of the calls; a failed task doesn't stop the next. */
export function makeQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}

/** At most `limit` at a time. After a failure, waits for the running tasks and throws the first error. */
export async function forEachLimit<T>(
  items: Iterable<T>,
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined && errors.length === 0; item = waiting.pop()) {
      await run(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, waiting.length) }, worker));
  if (errors.length > 0) throw errors[0];
}

/** Rejects with the signal's reason as soon as it is aborted, even if the work doesn't end. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Default: an AbortError. */
  abort(reason?: Error): void;
}

/**
 * Its signal aborts with an AbortError when one of the others does, until it's disposed. Replaces AbortSignal.any
 * where there are many calls and a long-lived signal: in Node.js 22, each call leaks 0.2 KB for as long as that signal
 * lives.
 */
export function linkSignals(...others: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const other of others) other?.addEventListener('abort', abort, { once: true });
  if (others.some((other) => other?.aborted)) abort();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    dispose() {
      for (const other of others) other?.removeEventListener('abort', abort);
    },
  };
}
