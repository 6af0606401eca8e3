import type { Log } from '../../services.ts';
import type { Disposable, DisposableStore } from '../../util/disposable.ts';

/** A part that is created on first use and shared. undefined if it is not available; never rejects. */
export type LatePart<T> = () => Promise<T | undefined>;

/** Loads a part's code and returns its factory; undefined if another part that it needs is not available. */
type Load<T> = () => Promise<(() => T) | undefined>;

/**
 * Parts whose code is loaded on first use. If loading or creating one fails, the error is logged and shown here only,
 * and the next use retries. Returns undefined too if the window closes while a part loads.
 */
export function createLateParts(options: {
  readonly owned: DisposableStore;
  readonly log: Pick<Log, 'error'>;
  /** Notifies the user. Node caches failed imports, so only a restart may help. */
  readonly tell: () => Promise<void>;
}): <T extends Disposable>(load: Load<T>) => LatePart<T> {
  const { owned, log, tell } = options;

  async function make<T extends Disposable>(load: Load<T>): Promise<T | undefined> {
    try {
      const start = await load();
      return start === undefined || owned.isDisposed ? undefined : owned.add(start());
    } catch (error) {
      if (owned.isDisposed) return undefined;
      log.error('A part of the extension could not be loaded', error);
      tell().catch((failure: unknown) => log.error('A message could not be shown', failure));
      return undefined;
    }
  }

  return <T extends Disposable>(load: Load<T>): LatePart<T> => {
    let making: Promise<T | undefined> | undefined;
    return async () => {
      making ??= make(load);
      const asked = making;
      const part = await asked;
      if (part === undefined && making === asked) making = undefined;
      return owned.isDisposed ? undefined : part;
    };
  };
}
