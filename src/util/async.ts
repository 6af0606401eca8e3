export interface Coalesced {
  (): Promise<void>;
  /** Shares the run under way where there is one: for those who did nothing that it could have missed. */
  join(): Promise<void>;
}

/**
 * Runs one at a time. A caller who arrives while one runs gets the one that follows, shared with everybody who arrives
 * meanwhile: the run under way may have begun before what the caller did.
 */
export function coalesce(run: () => Promise<void>): Coalesced {
  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const start = (): Promise<void> => {
    following = undefined;
    current = run().finally(() => {
      // What follows begins a moment later: who calls in between shares that.
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

/** While one runs, callers share it. */
export function share(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () => {
    current ??= run().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** Runs tasks one after the other, in the order they came; a task that fails does not hold up the next. */
export function makeQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Runs a task for each item, at most `limit` at once; the first failure is thrown once all that were begun have ended. */
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
