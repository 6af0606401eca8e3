import type { Clock, Log, Secrets } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { limitSecretWaits, type SecretWaits } from './secretWaits.ts';

export interface KeptSecretsOptions {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  /** The prefix of all keys for this kind of secret. */
  readonly prefix: string;
  /** Describes a secret of this kind in the log: 'The secret of a webhook'. */
  readonly what: string;
}

/**
 * Secrets of one kind in the secret storage. Secrets that the storage refuses stay in memory until the window closes.
 */
export class KeptSecrets implements Disposable {
  readonly #options: KeptSecretsOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly #waits: SecretWaits;
  readonly #unstored = new Map<string, string>();
  readonly onDidChange = this.#changed.event;

  constructor(options: KeptSecretsOptions) {
    this.#options = options;
    this.#waits = limitSecretWaits(options.secrets, options.clock);
    this.#owned.add(options.secrets.onDidChange((key) => key.startsWith(options.prefix) && this.#changed.fire()));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  keyOf(owner: string, id: string): string {
    return `${this.#options.prefix}${owner}/${id}`;
  }

  /** Returns the keys of an owner, such as a connection. Throws if the storage fails. */
  async keysOf(owner: string): Promise<readonly string[]> {
    const keys = [...this.#unstored.keys(), ...(await this.#waits.limited.keys())];
    return [...new Set(keys)].filter((key) => key.startsWith(this.keyOf(owner, '')));
  }

  /** Returns undefined if there is none or the storage can't be read. */
  async read(key: string): Promise<string | undefined> {
    const unstored = this.#unstored.get(key);
    if (unstored !== undefined) return unstored;
    try {
      return await this.#waits.limited.get(key);
    } catch {
      // The error may quote the request.
      this.#options.log.warn(`${this.#options.what} can't be read from the secret storage`);
      return undefined;
    }
  }

  async store(key: string, secret: string): Promise<void> {
    this.#unstored.set(key, secret);
    const late = Promise.withResolvers<void>();
    await Promise.race([this.#tryStore(key, secret, () => late.resolve()), late.promise]);
    if (this.#unstored.has(key)) this.#changed.fire();
  }

  async delete(key: string): Promise<void> {
    const wasUnstored = this.#unstored.delete(key);
    if ((await this.#waits.limited.keys()).includes(key)) await this.#waits.limited.delete(key);
    else if (wasUnstored) this.#changed.fire();
  }

  async deleteAll(owner: string): Promise<void> {
    for (const key of await this.keysOf(owner)) await this.delete(key);
  }

  async #tryStore(key: string, secret: string, onLate: () => void): Promise<void> {
    try {
      await this.#waits.store(key, secret, onLate);
      if (this.#unstored.get(key) === secret) this.#unstored.delete(key);
    } catch {
      this.#options.log.warn(`${this.#options.what} isn't stored and is kept only until this window closes`);
    }
  }
}
