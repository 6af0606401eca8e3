import { randomBytes } from 'node:crypto';
import type { KnownSecrets } from '../../api/knownSecrets.ts';
import type { Clock, Log, Memento, Secrets } from '../../services.ts';
import { share } from '../../util/async.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { limitSecretWaits, type SecretWaits } from '../connection/secretWaits.ts';

const PREFIX = 'webhookSecret/';
const FOLDER = 'webhookFolder';

interface WebhookSecretsOptions {
  readonly secrets: Secrets;
  /** Of the folder. */
  readonly workspace: Memento;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each secret, so that no text shows it. */
  readonly known?: Pick<KnownSecrets, 'noteKey'> | undefined;
}

/**
 * The secrets that webhooks sign with: those that were made here or that the user gave, and one for each folder. What
 * the secret storage refuses stays in memory until the window closes.
 */
export class WebhookSecrets implements Disposable {
  readonly #options: WebhookSecretsOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly #waits: SecretWaits;
  readonly #unstored = new Map<string, string>();
  readonly onDidChange = this.#changed.event;
  /** The secret of the folder, which is made when it is first needed. */
  readonly ofFolder: () => Promise<string>;

  constructor(options: WebhookSecretsOptions) {
    this.#options = options;
    this.#waits = limitSecretWaits(options.secrets, options.clock);
    this.ofFolder = share(() => this.#readOrMakeFolder());
    this.#owned.add(options.secrets.onDidChange((key) => this.#onStorageChange(key)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Without a webhook, that of the folder. Undefined if it was neither made here nor given by the user. */
  async of(connectionId: string, webhookId?: string): Promise<string | undefined> {
    return webhookId === undefined ? this.ofFolder() : this.#read(keyOf(connectionId, webhookId));
  }

  async set(connectionId: string, webhookId: string, secret: string): Promise<void> {
    await this.#store(keyOf(connectionId, webhookId), secret);
  }

  async delete(connectionId: string, webhookId: string): Promise<void> {
    await this.#delete(keyOf(connectionId, webhookId));
  }

  /** Deletes the secrets of all webhooks of a connection that is removed. */
  async deleteAll(connectionId: string): Promise<void> {
    const keys = [...this.#unstored.keys(), ...(await this.#waits.limited.keys())];
    const own = keys.filter((key) => key.startsWith(keyOf(connectionId, '')));
    for (const key of new Set(own)) await this.#delete(key);
  }

  async #readOrMakeFolder(): Promise<string> {
    const { workspace, newId } = this.#options;
    const noted = workspace.get(FOLDER);
    const id = typeof noted === 'string' ? noted : newId();
    if (noted !== id) await this.#noteFolder(id);
    const key = `${PREFIX}folder/${id}`;
    const known = await this.#read(key);
    if (known !== undefined) return known;
    const made = randomBytes(24).toString('base64url');
    await this.#store(key, made);
    return made;
  }

  async #noteFolder(id: string): Promise<void> {
    try {
      await this.#options.workspace.set(FOLDER, id);
    } catch (error) {
      this.#options.log.error('The editor did not keep which secret is that of this folder', error);
    }
  }

  async #read(key: string): Promise<string | undefined> {
    const secret = this.#unstored.get(key) ?? (await this.#tryRead(key));
    if (secret !== undefined) this.#options.known?.noteKey(secret);
    return secret;
  }

  async #tryRead(key: string): Promise<string | undefined> {
    try {
      return await this.#waits.limited.get(key);
    } catch {
      // The reason may quote what was asked for.
      this.#options.log.warn('The secret of a webhook cannot be read from the secret storage');
      return undefined;
    }
  }

  async #store(key: string, secret: string): Promise<void> {
    this.#options.known?.noteKey(secret);
    this.#unstored.set(key, secret);
    const late = Promise.withResolvers<void>();
    await Promise.race([this.#tryStore(key, secret, () => late.resolve()), late.promise]);
    if (this.#unstored.has(key)) this.#changed.fire();
  }

  async #tryStore(key: string, secret: string, onLate: () => void): Promise<void> {
    try {
      await this.#waits.store(key, secret, onLate);
      if (this.#unstored.get(key) === secret) this.#unstored.delete(key);
    } catch {
      this.#options.log.warn('The secret of a webhook is not stored; it is known until this window closes');
    }
  }

  async #delete(key: string): Promise<void> {
    const wasUnstored = this.#unstored.delete(key);
    if ((await this.#waits.limited.keys()).includes(key)) await this.#waits.limited.delete(key);
    else if (wasUnstored) this.#changed.fire();
  }

  #onStorageChange(key: string): void {
    if (key.startsWith(PREFIX)) this.#changed.fire();
  }
}

function keyOf(connectionId: string, webhookId: string): string {
  return `${PREFIX}${connectionId}/${webhookId}`;
}
