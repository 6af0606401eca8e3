import type { Stream } from '../api/types.ts';
import type { Connection } from '../model/connection/connection.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import type { Clock, Log } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/events.ts';
import type { IndexedStream, KeyIndex } from './keyIndex.ts';

interface StreamKeysOptions {
  readonly index: KeyIndex;
  readonly store: StreamStore;
  readonly connection: Pick<Connection, 'isOpen' | 'account'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Loads the code that the open connection needs to send requests. Doesn't throw. */
  readonly connect: () => Promise<unknown>;
}

/** Each has 1,000 streams. Further pages are read only on request. */
const MOST_PAGES = 10;
const MOST_MISSES = 10_000;
/** The page size for streams created since the last read. */
const LATER_PAGE_SIZE = 100;
/** After a failure, and after a read without new keys: a growing file may have many tokens that aren't keys. */
const PAUSE_MS = 60_000;

/**
 * Fills the index with the stream keys of the open connection, once a document has a token that may be one. Sends
 * nothing before that, and looks up each token only once: the first time, it reads all streams, newest first, and
 * afterwards only new ones. Waits a minute after a read without new keys. The same reads find the streams of IDs.
 */
export class StreamKeys implements Disposable {
  readonly #options: StreamKeysOptions;
  readonly #changes = new Emitter<void>();
  readonly #subscription: Disposable;
  /** Tokens that were looked for. */
  readonly #requested = new Set<string>();
  #waiting = new Set<string>();
  #closing = new AbortController();
  #generation: number;
  #isReading = false;
  /** The pages that are being read. */
  #pages: Promise<number> | undefined;
  #wasRead = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #wasAskedInPause = false;
  #pause: Disposable | undefined;
  #recentChanges: Snapshot['recentChanges'];

  /** Fires when a key was learned or forgotten. */
  readonly onDidChange = this.#changes.event;

  constructor(options: StreamKeysOptions) {
    this.#options = options;
    this.#generation = options.store.snapshot.generation;
    this.#recentChanges = options.store.snapshot.recentChanges;
    this.#subscription = options.store.onDidChange(({ previous }) => this.#follow(previous.connection));
  }

  /** Aborts when the connection is switched or closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#closing.abort();
    this.#pause?.dispose();
    this.#waiting.clear();
    this.#changes.dispose();
  }

  /** Looks up the owner of the token, unless that was done before. */
  resolve(token: string): void {
    if (this.#requested.has(token)) return;
    if (this.#requested.size >= MOST_MISSES) this.#requested.clear();
    this.#requested.add(token);
    this.#waiting.add(token);
    if (!this.#isReading) void this.#read();
  }

  /**
   * Returns the stream that has this ID or playback ID. Reads the streams if they haven't been read before, and
   * sends no requests afterwards. Doesn't throw.
   */
  async findStream(text: string): Promise<IndexedStream | undefined> {
    const { index, clock } = this.#options;
    const known = index.findStream(text);
    if (known !== undefined || this.#wasRead || clock.elapsed() < this.#pausedUntil) return known;
    const { signal } = this.#closing;
    try {
      await this.#options.connect();
      if (!signal.aborted && !this.#wasRead && this.#options.connection.isOpen) await this.#readPages(signal);
    } catch (error) {
      if (!signal.aborted) this.#pauseAfter(error);
    }
    return signal.aborted ? undefined : index.findStream(text);
  }

  /** Reads the keys of all streams. Throws ApiError, and an AbortError of the signal or of the connection. */
  async readAll(signal: AbortSignal): Promise<void> {
    const { index, store, connection } = this.#options;
    index.addStreams([...store.snapshot.streams.values()].map(({ stream }) => stream));
    await this.#options.connect();
    if (!connection.isOpen) return;
    for await (const { streams } of connection.account.listEveryStream(
      AbortSignal.any([signal, this.#closing.signal]),
    )) {
      this.#add(streams);
    }
    this.#wasRead = true;
    this.#changes.fire();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      // Tokens of one text arrive in sequence and share one read.
      await Promise.resolve();
      const tokens = this.#waiting;
      this.#waiting = new Set();
      await this.#readFor(tokens, this.#closing.signal);
    }
    this.#isReading = false;
  }

  async #readFor(tokens: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { index, store, clock } = this.#options;
    let learned = index.addStreams([...store.snapshot.streams.values()].map(({ stream }) => stream));
    try {
      if (![...tokens].every((token) => index.find(token) !== undefined)) {
        const added = clock.elapsed() < this.#pausedUntil ? 'paused' : await this.#readForUnknown(signal);
        if (added === 'paused') this.#wasAskedInPause = true;
        if (typeof added === 'number') learned += added;
        else for (const token of tokens) this.#requested.delete(token);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#pauseAfter(error);
      for (const token of tokens) this.#requested.delete(token);
    }
    if (learned > 0 && !signal.aborted) this.#changes.fire();
  }

  #pauseAfter(error: unknown): void {
    const { clock, log } = this.#options;
    log.info(`Couldn't read the streams to find their keys and IDs in files: ${String(error)}`);
    this.#pausedUntil = clock.elapsed() + PAUSE_MS;
    this.#hasFailed = true;
  }

  async #readForUnknown(signal: AbortSignal): Promise<number | 'notConnected'> {
    await this.#options.connect();
    signal.throwIfAborted();
    if (!this.#options.connection.isOpen) return 'notConnected';
    const added = await this.#readPages(signal);
    if (added === 0) this.#waitAfterMiss();
    return added;
  }

  #waitAfterMiss(): void {
    const { clock } = this.#options;
    this.#wasAskedInPause = false;
    this.#pausedUntil = clock.elapsed() + PAUSE_MS;
    this.#pause?.dispose();
    this.#pause = clock.setTimeout(() => {
      if (!this.#wasAskedInPause) return;
      // Listeners search their documents again, which retries the lookups.
      this.#changes.fire();
    }, PAUSE_MS);
  }

  /** Keys and IDs that are looked up at the same time share one read. */
  #readPages(signal: AbortSignal): Promise<number> {
    const pages = this.#pages ?? this.#readEachPage(signal);
    this.#pages = pages;
    const forget = () => {
      if (this.#pages === pages) this.#pages = undefined;
    };
    pages.then(forget, forget);
    return pages;
  }

  async #readEachPage(signal: AbortSignal): Promise<number> {
    const { index, connection } = this.#options;
    const pageSize = this.#wasRead ? LATER_PAGE_SIZE : undefined;
    let learned = 0;
    let pages = 0;
    for await (const { streams } of connection.account.listEveryStream(signal, pageSize)) {
      signal.throwIfAborted();
      const { streamKey } = streams.at(-1) ?? {};
      const isOldestKnown = streamKey !== undefined && index.find(streamKey) !== undefined;
      learned += this.#add(streams);
      pages += 1;
      if (pages === MOST_PAGES || (this.#wasRead && isOldestKnown)) break;
    }
    this.#wasRead = true;
    return learned;
  }

  /** Ignores deleted streams: a list may be older than a deletion. */
  #add(streams: readonly Stream[]): number {
    const { index, store } = this.#options;
    const { recentChanges } = store.snapshot;
    return index.addStreams(streams.filter(({ id }) => recentChanges.get(id)?.isGone !== true));
  }

  /** Leaves the connection that was open before, and forgets the keys of streams that are gone. */
  #follow(before: Snapshot['connection']): void {
    const { index, store } = this.#options;
    const { generation, recentChanges } = store.snapshot;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#closing.abort();
      this.#closing = new AbortController();
      this.#requested.clear();
      this.#waiting.clear();
      this.#wasRead = false;
      this.#pages = undefined;
      this.#pausedUntil = Number.NEGATIVE_INFINITY;
      this.#pause?.dispose();
      this.#hasFailed = false;
      index.clearAccount('info' in before && !before.info.isDemo ? before.info.id : undefined);
      this.#changes.fire();
      return;
    }
    if (this.#hasFailed && this.#options.clock.elapsed() >= this.#pausedUntil) {
      // Listeners search their documents again, which retries the lookups.
      this.#hasFailed = false;
      this.#changes.fire();
    }
    if (recentChanges === this.#recentChanges) return;
    this.#recentChanges = recentChanges;
    const gone = [...recentChanges].filter(([, { isGone }]) => isGone).map(([id]) => id);
    if (gone.length > 0 && index.removeStreams(new Set(gone))) this.#changes.fire();
  }
}
