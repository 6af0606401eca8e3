import { randomBytes } from 'node:crypto';
import type { KnownSecrets } from '../../api/knownSecrets.ts';
import type { Clock, Log, Memento, Secrets } from '../../services.ts';
import { share } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import { KeptSecrets } from '../connection/keptSecrets.ts';

const FOLDER = 'webhookFolder';

interface WebhookSecretsOptions {
  readonly secrets: Secrets;
  /** The state stored for the folder. */
  readonly workspace: Memento;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each secret, so that no output shows it. */
  readonly known?: KnownSecrets | undefined;
}

/**
 * The secrets that webhooks sign with: those made here or entered by the user, and one for each folder. Secrets that
 * the secret storage refuses stay in memory until the window closes.
 */
export class WebhookSecrets implements Disposable {
  readonly #options: WebhookSecretsOptions;
  readonly #kept: KeptSecrets;
  /** Returns the folder's secret, which is made when it's first needed. */
  readonly ofFolder: () => Promise<string>;

  constructor(options: WebhookSecretsOptions) {
    this.#options = options;
    this.#kept = new KeptSecrets({ ...options, prefix: 'webhookSecret/', what: 'The secret of a webhook' });
    this.ofFolder = share(() => this.#readOrMakeFolder());
  }

  get onDidChange(): Event<void> {
    return this.#kept.onDidChange;
  }

  dispose(): void {
    this.#kept.dispose();
  }

  /** Returns a webhook's secret, or the folder's. Undefined if it was neither made here nor entered by the user. */
  async of(connectionId: string, webhookId?: string): Promise<string | undefined> {
    return webhookId === undefined ? this.ofFolder() : this.#read(this.#kept.keyOf(connectionId, webhookId));
  }

  async set(connectionId: string, webhookId: string, secret: string): Promise<void> {
    await this.#store(this.#kept.keyOf(connectionId, webhookId), secret);
  }

  async delete(connectionId: string, webhookId: string): Promise<void> {
    await this.#kept.delete(this.#kept.keyOf(connectionId, webhookId));
  }

  /** Deletes the secrets of all webhooks of a connection that is removed. */
  async deleteAll(connectionId: string): Promise<void> {
    await this.#kept.deleteAll(connectionId);
  }

  async #readOrMakeFolder(): Promise<string> {
    const { workspace, newId } = this.#options;
    const noted = workspace.get(FOLDER);
    const id = typeof noted === 'string' ? noted : newId();
    if (noted !== id) await this.#noteFolder(id);
    const key = this.#kept.keyOf('folder', id);
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
      this.#options.log.error("Couldn't save which secret this folder uses", error);
    }
  }

  async #read(key: string): Promise<string | undefined> {
    const secret = await this.#kept.read(key);
    if (secret !== undefined) this.#options.known?.noteKey(secret);
    return secret;
  }

  async #store(key: string, secret: string): Promise<void> {
    this.#options.known?.noteKey(secret);
    await this.#kept.store(key, secret);
  }
}
