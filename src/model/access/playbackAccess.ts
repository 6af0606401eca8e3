import type { KnownSecrets } from '../../api/knownSecrets.ts';
import type { SigningKey } from '../../api/signingKeys.ts';
import type { Clock, Log, Secrets } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';
import { DEMO_ID } from '../connection/connection.ts';
import { KeptSecrets } from '../connection/keptSecrets.ts';
import { type FoundKey, findSigningKey, type PrivateSigningKey } from './privateKey.ts';
import type { TokenRequest } from './token.ts';
import { signViewerToken } from './viewerToken.ts';

interface PlaybackAccessOptions {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each private key, so that no output shows it. */
  readonly known: KnownSecrets;
}

interface KeptKey extends PrivateSigningKey {
  /** Unix time in milliseconds. */
  readonly keptAt: number;
}

/**
 * The signing keys whose private half is on this computer, and the tokens that they sign. Keys belong to a connection.
 * The most recently kept key signs.
 */
export class PlaybackAccess implements Disposable {
  readonly #options: PlaybackAccessOptions;
  readonly #kept: KeptSecrets;
  /** The demo's keys, which, like the demo, end with the window. */
  readonly #ofDemo = new Map<string, KeptKey>();

  constructor(options: PlaybackAccessOptions) {
    this.#options = options;
    this.#kept = new KeptSecrets({ ...options, prefix: 'signingKey/', what: 'A signing key' });
  }

  dispose(): void {
    this.#kept.dispose();
  }

  /** Returns which of the listed keys the given private key belongs to. */
  findKey(given: Parameters<typeof findSigningKey>[0], listed: readonly SigningKey[]): FoundKey {
    return findSigningKey(given, listed);
  }

  /** Returns the key that signs; undefined if there is none. */
  async keyOf(connectionId: string): Promise<PrivateSigningKey | undefined> {
    const [newest] = (await this.keysOf(connectionId)).toSorted((a, b) => b.keptAt - a.keptAt);
    return newest;
  }

  /** Returns the keys on this computer. Also empty if the secret storage can't be read. */
  async keysOf(connectionId: string): Promise<readonly KeptKey[]> {
    if (connectionId === DEMO_ID) return [...this.#ofDemo.values()];
    try {
      const keys = await this.#kept.keysOf(connectionId);
      const found = await Promise.all(keys.map((key) => this.#read(key)));
      return found.filter((key) => key !== undefined);
    } catch {
      // The error may quote the request.
      this.#options.log.warn("The signing keys can't be read from the secret storage");
      return [];
    }
  }

  async keep(connectionId: string, { id, name, publicKey, privateKey }: PrivateSigningKey): Promise<void> {
    this.#note(privateKey);
    const kept: KeptKey = { id, name, publicKey, privateKey, keptAt: this.#options.clock.now() };
    if (connectionId === DEMO_ID) this.#ofDemo.set(id, kept);
    else await this.#kept.store(this.#kept.keyOf(connectionId, id), JSON.stringify(kept));
  }

  async forget(connectionId: string, id: string): Promise<void> {
    if (connectionId === DEMO_ID) return void this.#ofDemo.delete(id);
    await this.#kept.delete(this.#kept.keyOf(connectionId, id));
  }

  async forgetAll(connectionId: string): Promise<void> {
    await this.#kept.deleteAll(connectionId);
  }

  /** Returns a token; undefined without a key. */
  async makeToken(connectionId: string, request: TokenRequest): Promise<string | undefined> {
    const key = await this.keyOf(connectionId);
    return key && signViewerToken(key, request);
  }

  async #read(key: string): Promise<KeptKey | undefined> {
    const kept = decodeKept(parseJson((await this.#kept.read(key)) ?? ''));
    if (kept !== undefined) this.#note(kept.privateKey);
    return kept;
  }

  #note(privateKey: string): void {
    for (const form of [privateKey, btoa(privateKey)]) this.#options.known.noteKey(form);
  }
}

function decodeKept(value: unknown): KeptKey | undefined {
  if (!isRecord(value)) return undefined;
  const { id, name, publicKey, privateKey, keptAt } = value;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof publicKey !== 'string') return undefined;
  if (typeof privateKey !== 'string' || typeof keptAt !== 'number') return undefined;
  return { id, name, publicKey, privateKey, keptAt };
}
