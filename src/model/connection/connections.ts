import { t } from '@vscode/l10n';
import type { Clock, Log, Memento, Secrets } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { isRecord } from '../../util/isRecord.ts';
import { compareNames, uniqueName } from '../../util/names.ts';
import { parseJson } from '../../util/parseJson.ts';
import type { RunningDemo } from '../addresses.ts';
import { parseApiKey, parseBaseUrl } from './baseUrl.ts';
import { limitSecretWaits, type SecretWaits } from './secretWaits.ts';

/** The parameters to open an account with. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The parameters for the demo while it runs. */
export interface DemoAccess extends ServiceAccess, RunningDemo {}

export interface StoredConnection extends ServiceAccess {
  readonly id: string;
  readonly name: string;
  /** The user accepted that the key is sent unencrypted (http to another machine). */
  readonly insecureAccepted: boolean;
}

interface KnownConnection {
  readonly name: string;
  readonly baseUrl: string;
  /** Whether the name was changed while the secret, which also contains it, couldn't be written. */
  readonly isNewer: boolean;
}

export interface ConnectionSummary {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** False if the connection is known but its secret is gone or can't be read. */
  readonly hasKey: boolean;
}

export interface ReadConnection extends ConnectionSummary {
  readonly stored: StoredConnection | undefined;
}

export type ConnectionPatch = Partial<Omit<StoredConnection, 'id'>>;

interface ConnectionsOptions {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly global: Memento;
  readonly workspace: Memento;
  readonly log: Log;
  readonly newId: () => string;
  readonly locale: string;
}

type Reads = SecretWaits['unlimited'];

/** There is no connection with this ID, or it no longer exists. */
export class UnknownConnectionError extends Error {
  readonly tag = 'UnknownConnectionError';

  constructor(id: string) {
    super(`There is no connection ${id}`);
    this.name = 'UnknownConnectionError';
  }
}

// One storage key per connection, because a list loses entries when two windows write it.
const PREFIX = 'connection/';
const LAST = 'lastConnection';
const CHOSEN = 'chosenConnection';
const DEMO = 'demoIsOn';

/**
 * The stored connections: one secret each, shared by all windows. If the secret storage fails, connections added here
 * are kept in memory, and `takeWarning` returns the message to show. A storage that doesn't respond in time counts as
 * failed, but storing a connection still waits for it.
 */
export class Connections implements Disposable {
  readonly #secrets: SecretWaits['limited'];
  readonly #unlimited: Reads;
  readonly #storeSecret: SecretWaits['store'];
  readonly #options: Omit<ConnectionsOptions, 'secrets' | 'clock'>;
  readonly #changes = new Emitter<string>();
  readonly #subscription: Disposable;
  readonly #inMemory = new Map<string, StoredConnection>();
  readonly #reported = new Set<string>();
  readonly #removedHere = new Set<string>();
  #warning: string | undefined;

  /** Fires with the ID of a connection that was added, changed, or removed, in this window or another. */
  readonly onDidChange: Event<string> = this.#changes.event;

  constructor(options: ConnectionsOptions) {
    const { limited, unlimited, store } = limitSecretWaits(options.secrets, options.clock);
    this.#secrets = limited;
    this.#unlimited = unlimited;
    this.#storeSecret = store;
    this.#options = options;
    this.#subscription = options.secrets.onDidChange((key) => {
      const id = idOfKey(key);
      if (id !== undefined) this.#changes.fire(id);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  /** Returns all connections by name, including those without a key. Doesn't throw. */
  async list(): Promise<readonly ConnectionSummary[]> {
    return (await this.readAll()).map(({ stored: _, ...summary }) => summary);
  }

  /** Like `list`, but with their keys. If patient, waits for the secret storage without a limit. */
  async readAll({ isPatient = false } = {}): Promise<readonly ReadConnection[]> {
    const secrets = isPatient ? this.#unlimited : this.#secrets;
    const secretIds = await this.#secretIds(secrets);
    const ids = new Set([...this.#inMemory.keys(), ...secretIds, ...this.#knownIds()]);
    const connections = await Promise.all([...ids].map((id) => this.#readConnection(id, secrets)));
    return connections
      .filter((connection) => connection !== undefined)
      .sort((a, b) => compareConnections(a, b, this.#options.locale));
  }

  /** Returns a connection with its key; undefined if there is none or it can't be read. Doesn't throw. */
  get(id: string): Promise<StoredConnection | undefined> {
    return this.#get(id, this.#secrets);
  }

  /** Like `get`, but waits for the secret storage without a limit and throws if it can't be read. */
  async getPatiently(id: string): Promise<StoredConnection | undefined> {
    return this.#inMemory.get(id) ?? this.#decode(id, await this.#unlimited.get(PREFIX + id));
  }

  async #get(id: string, secrets: Reads): Promise<StoredConnection | undefined> {
    return this.#inMemory.get(id) ?? this.#decode(id, await this.#readSecret(id, secrets));
  }

  #decode(id: string, text: string | undefined): StoredConnection | undefined {
    if (text === undefined) return undefined;
    const stored = decodeStored(id, text);
    if (stored === undefined) this.#reportDamaged(id);
    const known = this.#known(id);
    return stored && known?.isNewer === true ? { ...stored, name: known.name } : stored;
  }

  async add(connection: Omit<StoredConnection, 'id'>): Promise<StoredConnection> {
    const name = uniqueName(connection.name, await this.#namesBut(undefined));
    const added: StoredConnection = { ...connection, id: this.#options.newId(), name };
    await this.#write(added);
    return added;
  }

  /**
   * Changes a connection. One without a key stays without one until a patch has one. If its key can't be read now, the
   * change takes effect once it can. Throws UnknownConnectionError.
   */
  async update(id: string, patch: ConnectionPatch): Promise<void> {
    const before = (await this.get(id)) ?? this.#keyless(id);
    if (before === undefined) throw new UnknownConnectionError(id);
    const name = patch.name === undefined ? before.name : uniqueName(patch.name, await this.#namesBut(id));
    const after = { ...before, ...patch, id, name };
    if (after.apiKey !== '') return this.#write(after);
    await this.#note(after, { isNewer: true });
    this.#changes.fire(id);
  }

  /** Whether this window, rather than another, removed it. */
  isRemovedHere(id: string): boolean {
    return this.#removedHere.has(id);
  }

  /** Throws if the secret storage fails; the connection then still exists. */
  async remove(id: string): Promise<void> {
    // Listeners may be notified before this resolves.
    this.#removedHere.add(id);
    const known = this.#known(id);
    const wasInMemory = this.#inMemory.has(id);
    // Must come first, so that another window never sees a connection whose secret is missing.
    await this.#remember(this.#options.global, PREFIX + id, undefined);
    try {
      const hadSecret = await this.#deleteSecret(id);
      if (hadSecret && !wasInMemory) return;
    } catch (error) {
      if (!wasInMemory) {
        this.#removedHere.delete(id);
        await this.#remember(this.#options.global, PREFIX + id, known);
        throw error;
      }
    }
    this.#inMemory.delete(id);
    this.#changes.fire(id);
  }

  /** Returns the connection that this window had, or otherwise the last one chosen in any window, or the first. */
  async chosenOf<T extends ConnectionSummary>(all: readonly T[]): Promise<T | undefined> {
    const wanted = [this.#options.workspace.get(CHOSEN), this.#options.global.get(LAST)];
    const found = wanted.map((id) => all.find((each) => each.id === id)).find((each) => each !== undefined) ?? all[0];
    if (found !== undefined && found.id !== wanted[0]) await this.#remember(this.#options.workspace, CHOSEN, found.id);
    // Stored by a window that was killed before it could write the note.
    if (found?.hasKey === true && this.#known(found.id) === undefined) await this.#note(found);
    return found;
  }

  async choose(id: string | undefined): Promise<void> {
    await this.#remember(this.#options.workspace, CHOSEN, id);
    if (id !== undefined) await this.#remember(this.#options.global, LAST, id);
  }

  /** Remembers for this window whether the demo is on, so that a reload starts it again. */
  async noteDemo(isOn: boolean): Promise<void> {
    await this.#remember(this.#options.workspace, DEMO, isOn ? true : undefined);
  }

  wasDemoOn(): boolean {
    return this.#options.workspace.get(DEMO) === true;
  }

  /** Returns a sentence for the user about a storage failure, each only once. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  async #readConnection(id: string, secrets: Reads): Promise<ReadConnection | undefined> {
    const stored = await this.#get(id, secrets);
    const known = stored ?? this.#known(id);
    return known && { id, name: known.name, baseUrl: known.baseUrl, hasKey: stored !== undefined, stored };
  }

  async #namesBut(id: string | undefined): Promise<readonly string[]> {
    return (await this.list()).filter((each) => each.id !== id).map((each) => each.name);
  }

  // The secret comes first, so that a window that is killed in between leaves a complete connection with its key.
  async #write(connection: StoredConnection): Promise<void> {
    const { id } = connection;
    this.#inMemory.set(id, connection);
    const late = Promise.withResolvers<'late'>();
    const stored = this.#store(connection, () => late.resolve('late'));
    const outcome = await Promise.race([stored, late.promise]);
    await this.#note(connection, { isNewer: this.#inMemory.get(id) === connection });
    if (outcome === 'late') this.#reportWait();
    if (outcome !== 'stored') this.#changes.fire(id);
  }

  // Until it's stored, the connection stays in memory. Doesn't throw.
  async #store(connection: StoredConnection, onLate: () => void): Promise<'stored' | 'failed'> {
    const { id, ...secret } = connection;
    try {
      await this.#storeSecret(PREFIX + id, JSON.stringify(secret), onLate);
    } catch (error) {
      this.#reportStorage('store', error, connection.apiKey);
      return 'failed';
    }
    if (this.#inMemory.get(id) === connection) {
      this.#inMemory.delete(id);
      if (this.#known(id)?.isNewer === true) await this.#note(connection);
    } else if (!this.#inMemory.has(id)) await this.#deleteRemoved(id);
    return 'stored';
  }

  async #deleteRemoved(id: string): Promise<void> {
    try {
      await this.#secrets.delete(PREFIX + id);
    } catch (error) {
      this.#options.log.error(`The removed connection ${id} stays in secret storage`, error);
    }
  }

  async #note(
    { id, name, baseUrl }: Omit<ConnectionSummary, 'hasKey'>,
    { isNewer } = { isNewer: false },
  ): Promise<void> {
    const known = { name, baseUrl, ...(isNewer && { isNewer }) };
    await this.#remember(this.#options.global, PREFIX + id, known);
  }

  // Notes in addition to the secrets are optional: the connection works even if they can't be written.
  async #remember(memento: Memento, key: string, value: unknown): Promise<void> {
    try {
      await memento.set(key, value);
    } catch (error) {
      this.#options.log.error("Couldn't save the list of connections", error);
    }
  }

  async #secretIds(secrets: Reads): Promise<readonly string[]> {
    try {
      return (await secrets.keys()).map(idOfKey).filter((id) => id !== undefined);
    } catch (error) {
      this.#reportStorage('keys', error);
      return [];
    }
  }

  #knownIds(): readonly string[] {
    const ids = this.#options.global.keys().map(idOfKey);
    return ids.filter((id) => id !== undefined);
  }

  #known(id: string): KnownConnection | undefined {
    return decodeKnown(this.#options.global.get(PREFIX + id));
  }

  #keyless(id: string): StoredConnection | undefined {
    const known = this.#known(id);
    return known && { id, name: known.name, baseUrl: known.baseUrl, apiKey: '', insecureAccepted: false };
  }

  // Returns whether there was a secret. Deleting one fires the change event in all windows, including this one.
  async #deleteSecret(id: string): Promise<boolean> {
    const hasSecret = (await this.#secrets.keys()).includes(PREFIX + id);
    if (hasSecret) await this.#secrets.delete(PREFIX + id);
    return hasSecret;
  }

  async #readSecret(id: string, secrets: Reads): Promise<string | undefined> {
    try {
      return await secrets.get(PREFIX + id);
    } catch (error) {
      this.#reportStorage('get', error);
      return undefined;
    }
  }

  #reportDamaged(id: string): void {
    if (this.#reported.has(id)) return;
    this.#reported.add(id);
    this.#options.log.warn(`The stored connection ${id} can't be read`);
    const name = this.#known(id)?.name ?? id;
    this.#warning = t('Couldn\'t read the saved connection "{0}". It wasn\'t changed.', name);
  }

  #reportWait(): void {
    if (this.#reported.has('wait')) return;
    this.#reported.add('wait');
    this.#options.log.warn("Secret storage isn't responding (store)");
    this.#warning = t(
      "Secret storage isn't responding. Unlock your keyring if prompted, or reopen this window and set the API key again.",
    );
  }

  #reportStorage(act: 'store' | 'get' | 'keys', error: unknown, secret = ''): void {
    if (this.#reported.has(act)) return;
    this.#reported.add(act);
    const reason = error instanceof Error ? error.message : 'unknown reason';
    this.#options.log.warn(
      `The secret storage refused (${act}): ${secret === '' ? reason : reason.replaceAll(secret, '***')}`,
    );
    this.#warning =
      act === 'store'
        ? t("Couldn't save the API key to secret storage. You'll stay connected until you close this window.")
        : t(
            "Couldn't read from secret storage. Set the API key again. This may be necessary each time you start VS Code.",
          );
  }
}

type Named = Pick<StoredConnection, 'id' | 'name'>;

/** Compares connections for the view and pickers, by name and then by ID. */
export function compareConnections(a: Named, b: Named, locale: string): number {
  return compareNames(a.name, b.name, locale) || (a.id < b.id ? -1 : 1);
}

function idOfKey(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

// Returns undefined if it's malformed or uses plain http to another machine without the user's consent.
function decodeStored(id: string, text: string): StoredConnection | undefined {
  const value = parseJson(text);
  const known = decodeKnown(value);
  if (!isRecord(value) || known === undefined || typeof value.apiKey !== 'string') return undefined;
  const insecureAccepted = value.insecureAccepted === true;
  const key = parseApiKey(value.apiKey);
  const address = parseBaseUrl(known.baseUrl);
  if (!key.ok || !address.ok || (address.needsWarning && !insecureAccepted)) return undefined;
  return { id, name: known.name, baseUrl: known.baseUrl, apiKey: key.apiKey, insecureAccepted };
}

function decodeKnown(value: unknown): KnownConnection | undefined {
  if (!isRecord(value)) return undefined;
  const { name, baseUrl } = value;
  if (typeof name !== 'string' || name === '' || typeof baseUrl !== 'string') return undefined;
  const address = parseBaseUrl(baseUrl);
  return address.ok ? { name, baseUrl: address.url, isNewer: value.isNewer === true } : undefined;
}
