import type { Log } from '../services.ts';
import type { Disposable, DisposableStore } from './disposable.ts';

/** A part that is created on first use and shared. undefined if it's not available; never rejects. */
export type LazyPart<T> = () => Promise<T | undefined>;

type Load<T> = () => Promise<(() => T) | undefined>;

export interface LazyPartContext {
  readonly owned: DisposableStore;
  readonly log: Log;
  /** Notifies the user of a failure. Node caches failed imports, so only a restart may help. */
  readonly notify: () => Promise<void>;
}

/** A failure is logged and shown, and the next use retries. Undefined, too, if the window closes in the meantime. */
export function createLazyPart<T extends Disposable>(context: LazyPartContext, load: Load<T>): LazyPart<T> {
  let making: Promise<T | undefined> | undefined;
  return async () => {
    making ??= makePart(context, load);
    const current = making;
    const part = await current;
    if (part === undefined && making === current) making = undefined;
    return context.owned.isDisposed ? undefined : part;
  };
}

async function makePart<T extends Disposable>(context: LazyPartContext, load: Load<T>): Promise<T | undefined> {
  const { owned, log, notify } = context;
  try {
    const create = await load();
    return create === undefined || owned.isDisposed ? undefined : owned.add(create());
  } catch (error) {
    if (owned.isDisposed) return undefined;
    log.error("Couldn't load a part of the extension", error);
    notify().catch((failure: unknown) => log.error("Couldn't show a message", failure));
    return undefined;
  }
}
