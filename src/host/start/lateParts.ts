import type { Log } from '../../services.ts';
import type { Disposable, DisposableStore } from '../../util/disposable.ts';

/** A part that is made when somebody first asks for it, the same one for all. Undefined where there is none; never rejects. */
export type LatePart<T> = () => Promise<T | undefined>;

/** Loads the code of a part, and hands over what makes it; undefined where another part that it needs is not there. */
type Load<T> = () => Promise<(() => T) | undefined>;

/**
 * Parts whose code is loaded at their first use. One that could not be loaded or made is logged and told, here alone, and
 * tried again for the next who asks; there is none either once the window closes, though it should be loading by then.
 */
export function createLateParts(options: {
  /** Owns the parts. */
  readonly owned: DisposableStore;
  readonly log: Pick<Log, 'error'>;
  /** Tells the person: node keeps in mind what could not be loaded, so only another start may mend it. */
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
