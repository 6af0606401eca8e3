import type { Clock, Secrets } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

export const SECRETS_AWAITED_AFTER_MS = 5000;

export interface SecretWaits {
  /** Rejects calls that take too long, and rejects them immediately while an earlier call is overdue. */
  readonly limited: Omit<Secrets, 'store'>;
  readonly unlimited: Pick<Secrets, 'get' | 'keys'>;
  /** Has no limit, because the value may still be stored. Calls `onLate` if it takes long. */
  readonly store: (key: string, value: string, onLate: () => void) => Promise<void>;
}

/** Limits waits, because a storage with a locked keyring responds only after the user has unlocked it, or never. */
export function limitSecretWaits(secrets: Secrets, clock: Clock): SecretWaits {
  let overdue = 0;

  function watch<T>(answer: Promise<T>, onLate: () => void = () => {}): Promise<T> {
    let isOverdue = false;
    const timer: Disposable = clock.setTimeout(() => {
      isOverdue = true;
      overdue += 1;
      onLate();
    }, SECRETS_AWAITED_AFTER_MS);
    return answer.finally(() => {
      timer.dispose();
      if (isOverdue) overdue -= 1;
    });
  }

  function limit<T>(call: () => Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    return Promise.race([watch(call(), () => reject(timeoutError())), late]);
  }

  const read = <T>(call: () => Promise<T>): Promise<T> => (overdue > 0 ? Promise.reject(timeoutError()) : limit(call));
  return {
    limited: {
      get: (key) => read(() => secrets.get(key)),
      keys: () => read(() => secrets.keys()),
      delete: (key) => read(() => secrets.delete(key)),
      onDidChange: secrets.onDidChange,
    },
    unlimited: {
      get: (key) => watch(secrets.get(key)),
      keys: () => watch(secrets.keys()),
    },
    store: (key, value, onLate) => watch(secrets.store(key, value), onLate),
  };
}

function timeoutError(): Error {
  return new Error('no answer');
}
