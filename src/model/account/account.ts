import type { Clip } from '../../api/clips.ts';
import { decodePlaybackPolicy, HLS_TYPE } from '../../api/decode.ts';
import { isApiError, orNone } from '../../api/errors.ts';
import { KnownSecrets } from '../../api/knownSecrets.ts';
import { MAX_PAGES, withCursor } from '../../api/paging.ts';
import { StreamApi, type StreamApiOptions } from '../../api/streamApi.ts';
import type {
  Abilities,
  Filter,
  ListOrder,
  Page,
  PlaybackPolicy,
  Session,
  SessionQuery,
  Stream,
  StreamQuery,
  UserSessionQuery,
} from '../../api/types.ts';
import type { Clock } from '../../services.ts';
import { linkSignals, share } from '../../util/async.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { isRecord } from '../../util/isRecord.ts';
import { TOKEN_SECONDS, type TokenRequest } from '../access/token.ts';
import { newestFirst } from '../store/sessions.ts';
import type { ListName, Snapshot, SortKey } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { isOfThisWindow, nameFilter, needsToken } from '../store/streams.ts';
import type { ConnectionWriter } from '../store/writer.ts';
import type { AccountParts, LateRequests } from './accountParts.ts';
import { listClips } from './clipLists.ts';
import { type PageRequest, type PagesRead, readPages } from './pages.ts';
import {
  confirmChange,
  type FoundStreams,
  fetchSession,
  listEveryStream,
  listRecentStreams,
  type ReadOptions,
  type RecordingAddress,
  readStream,
  type ShowsChange,
  type StreamSearch,
  searchQuery,
  searchStreams,
  withAddress,
} from './reads.ts';
import { type SaidTemplates, templatesSaid } from './serviceAddresses.ts';

export interface AccountOptions extends Omit<StreamApiOptions, 'onDidChangeAbilities'> {
  readonly store: StreamStore;
  readonly clock: Clock;
  /** Makes a token with the connection's signing key; undefined if this computer has none, which is the default. */
  readonly makeToken?: (request: TokenRequest) => Promise<string | undefined>;
}

export type PagedListName = Exclude<ListName, 'active'>;

const LIST_FILTERS: Readonly<Record<ListName, Filter>> = {
  active: { id: 'isActive', value: true },
  idle: { id: 'isActive', value: false },
  recording: { id: 'record', value: true },
};
function filtersOf(list: PagedListName, filter: string): readonly Filter[] {
  const name = nameFilter(filter);
  return name === '' ? [LIST_FILTERS[list]] : [LIST_FILTERS[list], { id: 'name', value: name }];
}

/** The orders of the rows in a group (model/store/streams.ts). */
const ORDERS: Readonly<Record<SortKey, ListOrder>> = {
  lastSeen: 'lastSeen-true,createdAt-true,id-true',
  createdAt: 'createdAt-true,id-true',
  name: 'name-false,id-true',
};
export const LIVE: StreamQuery = { parentsOnly: true, filters: [LIST_FILTERS.active] };
const LIVE_AT_ONCE = 1000;

// Must include the session that ended last.
const NEWEST = 20;

/**
 * One open connection to a service, in the domain's terms: the only user of StreamApi. It writes streams that it reads
 * by ID or changes to the store. Methods throw ApiError, and an AbortError if the connection closes before the
 * response. A 401 marks the connection as refused in the store.
 */
export class Account implements Disposable {
  /** For `changesOf`, `webhooksOf`, `signingKeysOf`, and `targetsOf`, whose code is loaded late. */
  readonly lateRequests: LateRequests;
  readonly #reset = new Emitter<void>();
  readonly #parts: AccountParts;
  readonly #closed = new AbortController();
  readonly #baseUrl: string;
  readonly #makeToken: AccountOptions['makeToken'];
  /** The number of milliseconds by which the service's clock is ahead. */
  #aheadMs = 0;
  #said: SaidTemplates | undefined;
  /** Whether the service's URLs must be read (again). Until then, `#said` has the earlier ones. */
  #isSaidOld = true;
  #canCount = true;
  readonly #askTemplates = share(() => this.#readTemplates());

  constructor({ store, clock, log, makeToken, secrets = new KnownSecrets(), ...given }: AccountOptions) {
    const onClock = (aheadMs: number) => {
      this.#aheadMs = aheadMs;
    };
    const options = { ...given, onClock };
    this.#baseUrl = options.baseUrl;
    this.#makeToken = makeToken;
    const writer = store.openWriter();
    const onDidChangeAbilities = (abilities: Abilities) => writer.abilitiesChanged(abilities);
    const api = new StreamApi({ ...options, clock, log, secrets, onDidChangeAbilities });
    const { signal } = this.#closed;
    this.#parts = { api, writer, clock, log, signal };
    this.lateRequests = {
      parts: this.#parts,
      signal,
      apiOptions: { ...options, clock, log, secrets },
      run: (run, other) => this.#run(run, other),
      markRefused: (error) => this.#markRefused(error),
      abilities: () => api.abilities,
      lose: (ability) => api.lose(ability),
      onDidReset: this.#reset.event,
    };
  }

  /** Writes the data that is loaded through this connection. */
  get writer(): ConnectionWriter {
    return this.#parts.writer;
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** The time on the service's clock, as far as it's known: Unix time in milliseconds. */
  get serviceTime(): number {
    return this.#parts.clock.now() + this.#aheadMs;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Closes the connection. Changes that were sent aren't aborted. */
  dispose(): void {
    this.#parts.writer.dispose();
    this.#closed.abort();
  }

  resetAbilities(): void {
    this.#parts.api.resetAbilities();
    this.#isSaidOld = true;
    this.#canCount = true;
    this.#reset.fire();
  }

  // Lists of streams

  listLiveStreams(signal?: AbortSignal): Promise<PagesRead<Stream>> {
    return this.#listStreams({ ...LIVE, limit: LIVE_AT_ONCE }, { pages: MAX_PAGES, isPoll: true }, signal);
  }

  listStreams(list: PagedListName, { filter, sort }: Snapshot, request: PageRequest): Promise<PagesRead<Stream>> {
    const filters = filtersOf(list, filter);
    const query = { parentsOnly: true, filters, limit: request.limit, order: ORDERS[sort], count: true };
    return this.#listStreams(query, request);
  }

  /**
   * Returns how many streams a list or the account has, with a request for one row; undefined if the service doesn't
   * count, which is remembered until `resetAbilities`.
   */
  async countStreams(list: 'recording' | 'all', filter: string): Promise<number | undefined> {
    const { listExtras, listFilters } = this.#parts.api.abilities;
    if (!this.#canCount || !listExtras || (filter !== '' && !listFilters) || isOfThisWindow(filter)) return undefined;
    const filters = list === 'all' ? [] : filtersOf(list, filter);
    const query = { parentsOnly: true, filters, limit: 1, count: true };
    const { total, items, hasNextPage, isFiltered } = await this.#listStreams(query, {});
    // The service returns no total if there are no rows (src/api/README.md, Lists).
    if (total === undefined && isFiltered && items.length === 0 && !hasNextPage) return 0;
    if (total === undefined) this.#canCount = !isFiltered;
    return total;
  }

  async hasStreams(list: PagedListName): Promise<boolean> {
    const query: StreamQuery = { parentsOnly: true, filters: [LIST_FILTERS[list]], limit: 1 };
    return (await this.#listStreams(query, { isPoll: true })).items.length > 0;
  }

  /** Whether the service can list the child streams of one stream. It may still ignore the filter. */
  get canListChildren(): boolean {
    const { listExtras, listFilters } = this.#parts.api.abilities;
    return listExtras && listFilters;
  }

  listWithChildren(parentId?: string): Promise<PagesRead<Stream>> {
    const filters = parentId === undefined ? [] : [{ id: 'parentId', value: parentId }];
    return this.#listStreams({ parentsOnly: false, filters, limit: 1000 }, { pages: MAX_PAGES });
  }

  // Lists of sessions

  listSessions(streamId: string, request: PageRequest): Promise<PagesRead<Session>> {
    const query: SessionQuery = { limit: request.limit };
    return this.#run((signal) =>
      readPages((cursor) => {
        const options = { signal, conditional: request.isPoll ?? false };
        return this.#parts.api.listSessions(streamId, withCursor(query, cursor), options);
      }, request),
    );
  }

  /** @param request.since leaves out sessions that began before it, in epoch ms, if the service can */
  listAllSessions(
    request: PageRequest & { readonly since?: number | undefined },
    signal?: AbortSignal,
  ): Promise<PagesRead<Session>> {
    const { limit, since } = request;
    const filters = since === undefined ? undefined : [{ id: 'createdAt', value: { gte: since } }];
    const query: UserSessionQuery = { limit, filters };
    const conditional = request.isPoll ?? false;
    return this.#run(
      (either) =>
        readPages(
          (cursor) => this.#parts.api.listUserSessions(withCursor(query, cursor), { signal: either, conditional }),
          request,
        ),
      signal,
    );
  }

  /** Returns the clips of a stream's sessions, even if the stream was deleted. Throws `notFound` if none can be listed. */
  listClips(streamId: string): Promise<readonly Clip[]> {
    return this.#run((signal) => listClips({ ...this.#parts, signal }, streamId));
  }

  async listNewestRecorded(streamId: string): Promise<readonly Session[]> {
    const query = { recordedOnly: true, limit: NEWEST };
    const page = await this.#run((signal) => this.#parts.api.listSessions(streamId, query, { signal }));
    return newestFirst(page.items);
  }

  /** Sends one request. Without a limit, every service supports it and decides how many sessions it returns. */
  async listSomeSessions(
    streamId: string,
    { signal, ...query }: { readonly recordedOnly: boolean; readonly limit?: number; readonly signal: AbortSignal },
  ): Promise<{ readonly items: readonly Session[]; readonly hasNextPage: boolean }> {
    const { items, next } = await this.#run((either) => {
      return this.#parts.api.listSessions(streamId, query, { signal: either });
    }, signal);
    return { items: newestFirst(items), hasNextPage: next !== undefined };
  }

  // One stream, one session

  /** Returns undefined if it's gone, or the known stream if the store ignores that as a stale replica's response. */
  readStream(id: string, options: ReadOptions = {}): Promise<Stream | undefined> {
    return this.#run((signal) => readStream({ ...this.#parts, signal }, id, options), options.signal);
  }

  /** Reads a stream until `shows` returns true, up to 3 times in 5 s. Returns undefined if it's gone. */
  confirmChange(id: string, shows: ShowsChange): Promise<Stream | undefined> {
    return this.#run(() => confirmChange(this.#parts, id, shows));
  }

  /** Returns a stream's name; undefined if it's gone. Doesn't change the store, because names are needed in batches. */
  async readStreamName(id: string, signal?: AbortSignal): Promise<string | undefined> {
    const read = await orNone(
      this.#run((either) => this.#parts.api.getStream(id, { signal: either }), signal),
      'notFound',
    );
    return read?.value.name;
  }

  /** For `readHealth`. Returns undefined if the service doesn't know this stream's health or doesn't offer health. */
  async readHealthJson(id: string): Promise<unknown> {
    const { api } = this.#parts;
    if (!api.abilities.health) return undefined;
    return orNone(
      this.#run((signal) => api.getStreamHealthJson(id, { signal })),
      'notFound',
      'rejected',
    );
  }

  findSession(id: string, parentId?: string): Promise<Session | undefined> {
    return this.#run(() => fetchSession(this.#parts, id, parentId));
  }

  withAddress(session: Session, purpose: RecordingAddress): Promise<Session> {
    return this.#run(() => withAddress(this.#parts, session, purpose));
  }

  // Finding streams

  listRecentStreams(signal: AbortSignal): Promise<FoundStreams> {
    return this.#run((either) => listRecentStreams(this.#parts.api, either), signal);
  }

  /** Yields all streams page by page, newest first, 20 pages at most. A page has 1,000 streams by default. */
  listEveryStream(signal: AbortSignal, pageSize?: number): AsyncIterable<FoundStreams> {
    return this.#each((either) => listEveryStream(this.#parts.api, { signal: either, pageSize }), signal);
  }

  /** Searches by name, ID, and playback ID. Returns a promise for each, names first, because one may fail alone. */
  searchStreams(text: string, signal: AbortSignal, { byName = true } = {}): readonly Promise<readonly Stream[]>[] {
    return searchStreams(this.#parts.api, text, { byName }).map((search) => this.#run(search, signal));
  }

  /**
   * Lists one page of matching streams in at most two requests. Doesn't change the store. If `isFiltered` is false,
   * callers must filter the streams. `isCostly`: it took two requests.
   */
  async findStreams(
    search: StreamSearch,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<Page<Stream> & { readonly isCostly: boolean }> {
    const { listExtras, listFilters } = this.#parts.api.abilities;
    const query = searchQuery(search, limit);
    const page = await this.#run(
      (either) => this.#parts.api.listStreams(query, { signal: either, brief: true }),
      signal,
    );
    return { ...page, isCostly: listExtras && listFilters && !page.isFiltered };
  }

  // As JSON, with secrets

  /** Returns undefined if the stream is gone. The value is boxed because null is valid JSON. */
  async readStreamJson(id: string): Promise<{ readonly value: unknown } | undefined> {
    const json = await this.#readJson((signal) => this.#parts.api.getStreamJson(id, { signal }));
    if (json === undefined) await this.readStream(id);
    return json;
  }

  readSessionJson(id: string, parentId: string | undefined): Promise<{ readonly value: unknown } | undefined> {
    return this.#readJson((signal) => this.#parts.api.getSessionJson(id, { signal, parentId }));
  }

  listStreamsJson(
    list: ListName | undefined,
    { withChildren, signal }: { readonly withChildren: boolean; readonly signal: AbortSignal },
  ): AsyncIterable<readonly unknown[]> {
    const filters = list === undefined ? [] : [LIST_FILTERS[list]];
    const query = { parentsOnly: !withChildren, filters, limit: 1000 };
    return this.#each((either) => this.#parts.api.eachStreamJsonPage(query, { signal: either }), signal);
  }

  withoutSecrets(text: string): string {
    return this.#parts.api.withoutSecrets(text);
  }

  // URLs that only the service knows

  /** The service's own URLs; undefined until it has responded. */
  get saidTemplates(): SaidTemplates | undefined {
    return this.#said;
  }

  /** Requests the service's own URLs, once until a refresh; empty if it provides none. Throws ApiError. */
  readTemplates(): Promise<SaidTemplates> {
    return this.#isSaidOld ? this.#askTemplates() : Promise.resolve(this.#said ?? {});
  }

  // Unchecked

  async readHlsUrl(playbackId: string, signal?: AbortSignal): Promise<string | undefined> {
    return hlsAddress(await this.#readPlaybackInfo(playbackId, signal));
  }

  /** Returns the URL that plays the running broadcast from its beginning; undefined if the service doesn't keep it. */
  readDvrUrl(playbackId: string, signal: AbortSignal): Promise<string | undefined> {
    const { api } = this.#parts;
    return orNone(
      this.#run((either) => api.getDvrUrl(playbackId, { signal: either }), signal),
      'notFound',
      'rejected',
    );
  }

  /** Returns the playback policy, as in `Stream`; undefined if the service doesn't provide it. */
  async readPlaybackPolicy(playbackId: string, signal?: AbortSignal): Promise<PlaybackPolicy | undefined> {
    const info = await this.#readPlaybackInfo(playbackId, signal);
    return isRecord(info) ? decodePlaybackPolicy(info.meta) : undefined;
  }

  /**
   * Returns a token to play a stream, which is a secret; undefined if the stream needs none or it can't be made.
   * @param seconds how long it's valid
   */
  async viewerToken(
    stream: Pick<Stream, 'playbackId' | 'playbackPolicy'>,
    seconds = TOKEN_SECONDS,
  ): Promise<string | undefined> {
    const { playbackId } = stream;
    if (!needsToken(stream) || playbackId === undefined) return undefined;
    return this.#makeToken?.({ playbackId, seconds, now: this.serviceTime });
  }

  async readThumbnailUrl(playbackId: string, signal: AbortSignal): Promise<string | undefined> {
    return imageAddress(await this.#readPlaybackInfo(playbackId, signal));
  }

  async #readTemplates(): Promise<SaidTemplates> {
    // Any response from a service that doesn't support this request counts as none.
    const answer = await this.#run((signal) =>
      orNone(this.#parts.api.getIngest({ signal }), 'notFound', 'rejected', 'forbidden', 'invalidResponse'),
    );
    const said = templatesSaid(answer, this.#baseUrl, this.#said);
    this.#said = said;
    this.#isSaidOld = false;
    return said;
  }

  #listStreams(
    query: StreamQuery,
    request: Omit<PageRequest, 'limit'>,
    signal?: AbortSignal,
  ): Promise<PagesRead<Stream>> {
    return this.#run((either) => {
      const options = { signal: either, conditional: request.isPoll ?? false };
      return readPages((cursor) => this.#parts.api.listStreams(withCursor(query, cursor), options), request);
    }, signal);
  }

  async #readJson(read: (signal: AbortSignal) => Promise<unknown>): Promise<{ readonly value: unknown } | undefined> {
    return orNone(
      this.#run(async (signal) => ({ value: await read(signal) })),
      'notFound',
    );
  }

  // Returns undefined if the service has no info for this ID or doesn't offer playback info at all.
  #readPlaybackInfo(playbackId: string, signal: AbortSignal | undefined): Promise<unknown> {
    const { api } = this.#parts;
    return orNone(
      this.#run((either) => api.getPlaybackInfo(playbackId, { signal: either }), signal),
      'notFound',
      'rejected',
    );
  }

  async #run<T>(run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const closed = this.#closed.signal;
    closed.throwIfAborted();
    const either = linkSignals(closed, signal);
    try {
      const value = await run(either.signal);
      closed.throwIfAborted();
      return value;
    } catch (error) {
      closed.throwIfAborted();
      this.#markRefused(error);
      throw error;
    } finally {
      either.dispose();
    }
  }

  async *#each<T>(read: (signal: AbortSignal) => AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
    const either = linkSignals(this.signal, signal);
    try {
      yield* read(either.signal);
    } catch (error) {
      this.#markRefused(error);
      throw error;
    } finally {
      either.dispose();
    }
  }

  #markRefused(error: unknown): void {
    if (isApiError(error) && error.reason === 'unauthorized') this.#parts.writer.refused(error);
  }
}

// The response of GET /playback/{playbackId} (src/api/README.md, Addresses). Check its URLs before opening them.
function sourceAddress(info: unknown, type: RegExp): string | undefined {
  const meta = isRecord(info) ? info.meta : undefined;
  const sources: unknown = isRecord(meta) ? meta.source : undefined;
  const found = Array.isArray(sources)
    ? sources.filter(isRecord).find((each) => type.test(textOf(each.type)))
    : undefined;
  return textOf(found?.url) || undefined;
}

export function hlsAddress(info: unknown): string | undefined {
  return sourceAddress(info, HLS_TYPE);
}

export function imageAddress(info: unknown): string | undefined {
  return sourceAddress(info, /^image\/(jpeg|png|webp|gif)\b/i);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
