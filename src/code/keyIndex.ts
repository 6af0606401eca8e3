import type { SigningKey } from '../api/signingKeys.ts';
import type { Named, Stream } from '../api/types.ts';
import type { StoredConnection } from '../model/connection/connections.ts';
import { type KeyPoint, pointOfBase64 } from './signedText.ts';
import { canBeFound } from './tokens.ts';

/** The owner of a key. Doesn't contain the key. */
export type KeyOwner =
  | { readonly kind: 'apiKey'; readonly connection: string }
  | { readonly kind: 'streamKey'; readonly id: string; readonly name: string }
  | { readonly kind: 'privateKey'; readonly id: string; readonly name: string }
  /** `id` is the ID of its signing key, and `playback` the stream that it plays. */
  | { readonly kind: 'token'; readonly id: string; readonly playback: string; readonly expiresAt: number };

type KeyedStream = Pick<Stream, 'id' | 'name' | 'streamKey'> & Partial<Pick<Stream, 'parentId' | 'playbackId'>>;

/** The parts of a stream that are the same whether or not it's live. Doesn't contain the key. */
export type IndexedStream = Pick<Stream, 'id' | 'name' | 'playbackId'>;

/**
 * The keys and streams of the open connection by their text, and the stream keys of connections that were open before.
 * Omits keys that can't be distinguished from other text.
 */
export class KeyIndex {
  readonly #apiKeys = new Map<string, KeyOwner>();
  readonly #streamKeys = new Map<string, IndexedStream>();
  /** The streams of connections that were open before, by the IDs of the connections. */
  readonly #left = new Map<string, Map<string, IndexedStream>>();
  readonly #lengths = new Set<number>();
  readonly #signingKeys = new Map<KeyPoint, Named>();
  /** By their IDs and playback IDs. */
  readonly #streams = new Map<string, IndexedStream>();

  get size(): number {
    return this.#apiKeys.size + this.#streamKeys.size;
  }

  /** Whether a key has this length. Cheaper than `find`. */
  hasLength(length: number): boolean {
    return this.#lengths.has(length);
  }

  find(token: string): KeyOwner | undefined {
    const stream = this.#streamKeys.get(token) ?? this.#findLeft(token);
    return this.#apiKeys.get(token) ?? (stream && { kind: 'streamKey', id: stream.id, name: stream.name });
  }

  #findLeft(token: string): IndexedStream | undefined {
    for (const keys of this.#left.values()) {
      const stream = keys.get(token);
      if (stream !== undefined) return stream;
    }
    return undefined;
  }

  /** Returns the stream that has this ID or playback ID. */
  findStream(text: string): IndexedStream | undefined {
    return this.#streams.get(text);
  }

  findSigningKey(point: KeyPoint): Named | undefined {
    return this.#signingKeys.get(point);
  }

  setSigningKeys(keys: readonly SigningKey[]): void {
    this.#signingKeys.clear();
    for (const { id, name, publicKey } of keys) {
      const point = pointOfBase64(publicKey);
      if (point !== undefined) this.#signingKeys.set(point, { id, name });
    }
  }

  /** Sets the API keys and forgets everything about connections that aren't listed. */
  setApiKeys(connections: readonly Pick<StoredConnection, 'id' | 'name' | 'apiKey'>[]): void {
    this.#apiKeys.clear();
    const ids = new Set(connections.map(({ id }) => id));
    for (const id of this.#left.keys()) if (!ids.has(id)) this.#left.delete(id);
    for (const { name, apiKey } of connections) {
      if (!canBeFound(apiKey)) continue;
      this.#apiKeys.set(apiKey, { kind: 'apiKey', connection: name });
      this.#lengths.add(apiKey.length);
    }
  }

  /** Returns how many keys are new. A key that a child stream shares with its parent counts as the parent's. */
  addStreams(streams: Iterable<KeyedStream>): number {
    const before = this.#streamKeys.size;
    for (const { id, name, playbackId, streamKey, parentId } of streams) {
      // One shared object for each: accounts have thousands of streams.
      const stream = { id, name, playbackId };
      if (parentId === undefined) {
        for (const each of [id, playbackId]) if (each !== undefined) this.#streams.set(each, stream);
      }
      if (streamKey === undefined || !canBeFound(streamKey)) continue;
      if (parentId !== undefined && this.#streamKeys.has(streamKey)) continue;
      this.#streamKeys.set(streamKey, stream);
      this.#lengths.add(streamKey.length);
    }
    return this.#streamKeys.size - before;
  }

  /** Returns whether one of them was known. */
  removeStreams(ids: ReadonlySet<string>): boolean {
    let removed = false;
    for (const [text, { id }] of this.#streams) if (ids.has(id)) this.#streams.delete(text);
    for (const keys of [this.#streamKeys, ...this.#left.values()]) {
      for (const [key, { id }] of keys) if (ids.has(id)) removed = keys.delete(key) || removed;
    }
    return removed;
  }

  /** Forgets everything about the open connection except, if its ID is given, its stream keys: they stay secret. */
  clearAccount(id: string | undefined): void {
    this.#signingKeys.clear();
    if (id !== undefined) this.#left.set(id, new Map([...(this.#left.get(id) ?? []), ...this.#streamKeys]));
    this.#streamKeys.clear();
    this.#streams.clear();
  }
}
