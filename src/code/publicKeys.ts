import type { SigningKey } from '../api/signingKeys.ts';
import type { StreamStore } from '../model/store/store.ts';
import type { Clock, Log } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/events.ts';
import type { KeyIndex } from './keyIndex.ts';
import type { KeyPoint } from './signedText.ts';

/** Returns undefined without an open connection, or if its service has none. Throws ApiError, and an AbortError. */
export type ListSigningKeys = (signal: AbortSignal) => Promise<readonly SigningKey[] | undefined>;

interface PublicKeysOptions {
  readonly index: KeyIndex;
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly listSigningKeys: ListSigningKeys;
}

const PAUSE_MS = 60_000;
const MOST_MISSES = 10_000;

/**
 * Fills the index with the public keys of the open connection's signing keys, once a document has a private key or a
 * token. Sends nothing before that, requests each key only once, and at most once a minute.
 */
export class PublicKeys implements Disposable {
  readonly #options: PublicKeysOptions;
  readonly #changes = new Emitter<void>();
  readonly #subscription: Disposable;
  readonly #requested = new Set<KeyPoint>();
  #closing = new AbortController();
  #generation: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #pause: Disposable | undefined;
  #isWaiting = false;

  /** Fires when documents have to be searched again. */
  readonly onDidChange = this.#changes.event;

  constructor(options: PublicKeysOptions) {
    this.#options = options;
    this.#generation = options.store.snapshot.generation;
    this.#subscription = options.store.onDidChange(() => this.#follow());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
    this.#close();
  }

  /** Looks up the owner of the key, unless that was done before. */
  resolve(point: KeyPoint): void {
    if (this.#requested.has(point)) return;
    if (this.#requested.size >= MOST_MISSES) this.#requested.clear();
    this.#requested.add(point);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const ms = this.#pausedUntil - this.#options.clock.elapsed();
    const { signal } = this.#closing;
    if (ms > 0) this.#pause = this.#options.clock.setTimeout(() => void this.#readUnasked(signal), ms);
    else void this.#readUnasked(signal);
  }

  /** Reads all public keys. Throws ApiError, unless the service has none, and an AbortError of the signal. */
  async readAll(signal: AbortSignal): Promise<void> {
    const { index, listSigningKeys } = this.#options;
    const listed = await listSigningKeys(signal);
    signal.throwIfAborted();
    if (listed !== undefined) index.setSigningKeys(listed);
  }

  async #readUnasked(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    try {
      // Keys of one text arrive in sequence and share one request.
      await Promise.resolve();
      await this.readAll(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.info(`Couldn't read the signing keys to find them in files: ${String(error)}`);
      // The next edit retries.
      this.#requested.clear();
    }
    if (signal.aborted) return;
    this.#isWaiting = false;
    this.#pausedUntil = clock.elapsed() + PAUSE_MS;
    if (this.#requested.size > 0) this.#changes.fire();
  }

  #close(): void {
    this.#closing.abort();
    this.#pause?.dispose();
  }

  #follow(): void {
    const { generation } = this.#options.store.snapshot;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#close();
    this.#closing = new AbortController();
    this.#requested.clear();
    this.#isWaiting = false;
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
  }
}
