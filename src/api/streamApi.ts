import type { Log } from '../services.ts';
import {
  type Answer,
  type Call,
  type Caller,
  type CallerOptions,
  createCaller,
  inferServerDate,
  withoutSlash,
} from './calls.ts';
import { type Clip, decodeClip } from './clips.ts';
import { decodeDvrUrl, decodeRows, decodeSession, decodeStream, keepRows, type RawRow, toRow } from './decode.ts';
import { type ApiError, isApiError } from './errors.ts';
import { isId } from './ids.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { createLister, FilterRefusals, type Lister, SessionLists } from './lists.ts';
import { walk, withCursor } from './paging.ts';
import {
  changeNotFound,
  checkId,
  errorOfAnswer,
  isSuccess,
  mayLackEndpoint,
  notFound,
  notOffered,
  readAnswer,
  readOne,
  requireSuccess,
} from './reads.ts';
import {
  listClipsRequest,
  listStreamsRequest,
  listUserSessionsRequest,
  newStreamBody,
  patchBody,
  policyBody,
} from './requests.ts';
import {
  type Abilities,
  ALL_ABILITIES,
  type CallOptions,
  type NewStream,
  type Page,
  type Paging,
  type PlaybackPolicy,
  type Read,
  type Session,
  type SessionQuery,
  type Stream,
  type StreamPatch,
  type StreamQuery,
  type UserSessionQuery,
} from './types.ts';

export interface StreamApiOptions extends CallerOptions {
  readonly log: Log;
  /** Default: those of this client only. */
  readonly secrets?: KnownSecrets;
  readonly onDidChangeAbilities?: (abilities: Abilities) => void;
}

interface ListOptions extends CallOptions {
  /** Sends If-None-Match; if the response is unchanged, returns the same `items` array as the last one. */
  readonly conditional?: boolean | undefined;
  /** Sends at most two requests: after the full one, the documented one. */
  readonly brief?: boolean | undefined;
}

interface SessionOptions extends CallOptions {
  /** The session's stream, if known: the fallback lists its sessions if the service lacks /session/{id}. */
  readonly parentId?: string | undefined;
}

interface WalkOptions extends CallOptions {
  /** Default: 1000. */
  readonly maxPages?: number | undefined;
}

/**
 * Client of the service's HTTP interface (src/api/README.md), one method per endpoint. Methods throw ApiError, or an
 * AbortError of their signal. IDs that aren't valid in a path are `rejected` before any request. Methods with Json in
 * their name return data undecoded, secrets included.
 */
export class StreamApi {
  readonly baseUrl: string;
  readonly #secrets: KnownSecrets;
  readonly #call: Caller;
  readonly #streams: Lister<Stream>;
  readonly #sessions: Lister<Session>;
  readonly #clips: Lister<Clip>;
  readonly #rows: Lister<RawRow>;
  readonly #filterRefusals = new FilterRefusals();
  readonly #sessionLists: SessionLists;
  readonly #onDidChangeAbilities: (abilities: Abilities) => void;
  readonly #doubted = new Set<keyof Abilities>();
  #abilities = ALL_ABILITIES;

  constructor({ log, secrets, onDidChangeAbilities = () => {}, ...caller }: StreamApiOptions) {
    this.baseUrl = withoutSlash(caller.baseUrl);
    this.#onDidChangeAbilities = onDidChangeAbilities;
    this.#secrets = secrets ?? new KnownSecrets();
    this.#secrets.noteKey(caller.apiKey.trim());
    this.#call = createCaller(caller, this.#secrets);
    const shared = {
      call: this.#call,
      log,
      abilities: () => this.#abilities,
      filterRefusals: this.#filterRefusals,
      onRefused: (ability: 'listExtras' | 'listFilters') => this.lose(ability),
    };
    this.#streams = createLister({
      ...shared,
      decode: (rows) => decodeRows(rows, decodeStream),
      serverDateOf: inferServerDate,
    });
    this.#sessions = createLister({ ...shared, decode: (rows) => decodeRows(rows, decodeSession) });
    const toClip = (row: unknown) => decodeClip(row, this.#secrets);
    this.#clips = createLister({ ...shared, decode: (rows) => decodeRows(rows, toClip) });
    this.#rows = createLister({ ...shared, decode: keepRows });
    this.#sessionLists = new SessionLists(this.#sessions, this.#rows);
  }

  get abilities(): Abilities {
    return this.#abilities;
  }

  /** Returns a string from the service without the secrets that it has sent, and without text that looks like one. */
  withoutSecrets(text: string): string {
    return this.#secrets.strip(text);
  }

  resetAbilities(): void {
    this.#filterRefusals.reset();
    this.#doubted.clear();
    this.#sessionLists.reset();
    this.#setAbilities(ALL_ABILITIES);
  }

  /** Turns an ability off until `resetAbilities`. */
  lose(ability: keyof Abilities): void {
    if (this.#abilities[ability]) this.#setAbilities({ ...this.#abilities, [ability]: false });
  }

  listStreams(query: StreamQuery, options: ListOptions = {}): Promise<Page<Stream>> {
    return this.#streams({
      request: listStreamsRequest(query),
      query,
      isLinked: true,
      signal: options.signal,
      isConditional: options.conditional ?? false,
      isBrief: options.brief ?? false,
    });
  }

  async getStream(id: string, options: CallOptions = {}): Promise<Read<Stream>> {
    const answer = await this.#requestStream(id, options);
    const read = readOne(answer, decodeStream);
    return { ...read, serverDate: inferServerDate(answer, [read.value]) };
  }

  async getStreamJson(id: string, options: CallOptions = {}): Promise<unknown> {
    return readOne(await this.#requestStream(id, options), toRow).value;
  }

  /** GET /stream/{streamId}/sessions: one page. If that keeps failing with 500, GET /session?parentId={streamId}. */
  async listSessions(streamId: string, query: SessionQuery = {}, options: ListOptions = {}): Promise<Page<Session>> {
    const { signal, conditional: isConditional = false } = options;
    return this.#sessionLists.list({ streamId: checkId(streamId), query, signal, isConditional });
  }

  listUserSessions(query: UserSessionQuery = {}, options: ListOptions = {}): Promise<Page<Session>> {
    const { signal, conditional: isConditional = false } = options;
    return this.#sessions({ request: listUserSessionsRequest(query), query, isLinked: true, signal, isConditional });
  }

  /** GET /stream/{streamId}/clips. Throws `notFound` if the stream is gone, or there are no clips at all (noted). */
  async listClips(streamId: string, query: Paging, { signal }: CallOptions = {}): Promise<Page<Clip>> {
    const request = listClipsRequest('stream', checkId(streamId), query);
    try {
      return await this.#clips({ request, query, isLinked: true, signal });
    } catch (error) {
      const status = isApiError(error) ? (error.status ?? 0) : 0;
      if (mayLackEndpoint(status)) {
        if (status === 404) await this.getStream(streamId, { signal });
        this.lose('clips');
      }
      throw error;
    }
  }

  /** GET /session/{sessionId}/clips, which remains after the stream was deleted. */
  listSessionClips(sessionId: string, query: Paging, { signal }: CallOptions = {}): Promise<Page<Clip>> {
    return this.#clips({
      request: listClipsRequest('session', checkId(sessionId), query),
      query,
      isLinked: true,
      signal,
    });
  }

  /** GET /session/{id}; if unknown, searches the sessions of the stream or, without `parentId`, the newest ones. */
  getSession(id: string, options: SessionOptions = {}): Promise<Read<Session>> {
    return this.#findSession(id, options, decodeSession);
  }

  async getSessionJson(id: string, options: SessionOptions = {}): Promise<unknown> {
    return (await this.#findSession(id, options, toRow)).value;
  }

  /** POST /stream. Throws `rejected` (notOffered) after two 404s in a row if the service lists streams. */
  async createStream(stream: NewStream): Promise<Read<Stream>> {
    const answer = await this.#call({ method: 'POST', path: '/stream', body: newStreamBody(stream) });
    if (!mayLackEndpoint(answer.response.status)) {
      this.#doubted.delete('create');
      return readOne(answer, decodeStream);
    }
    await this.listStreams({ parentsOnly: true });
    throw this.#refused('create', answer);
  }

  patchStream(id: string, patch: StreamPatch): Promise<void> {
    const ability = patch.suspended === undefined ? 'patch' : 'suspend';
    return this.#change(ability, id, { method: 'PATCH', path: `/stream/${id}`, body: patchBody(patch) });
  }

  /** PATCH /stream/{id} {playbackPolicy}. Replaces the whole policy, so it reads the old one first if that matters. */
  async setPlaybackPolicy(id: string, policy: PlaybackPolicy): Promise<void> {
    const stream = policy.type === 'webhook' ? toRow(await this.getStreamJson(id)) : undefined;
    const body = policyBody(policy, toRow(stream?.playbackPolicy));
    await this.#change('playbackPolicy', id, { method: 'PATCH', path: `/stream/${id}`, body });
  }

  endBroadcast(id: string): Promise<void> {
    return this.#change('endBroadcast', id, {
      method: 'DELETE',
      path: `/stream/${id}/terminate`,
    });
  }

  /** DELETE /stream/{id}. Throws `notFound` if it no longer exists. */
  deleteStream(id: string): Promise<void> {
    return this.#change('delete', id, { method: 'DELETE', path: `/stream/${id}` });
  }

  /** DELETE /stream {ids}: all of them or, if one doesn't exist, none. Doesn't end their broadcasts. */
  async deleteStreams(ids: readonly string[]): Promise<void> {
    const body = JSON.stringify({ ids: ids.map(checkId) });
    const answer = await this.#call({ method: 'DELETE', path: '/stream', body });
    requireSuccess(answer);
  }

  eachStreamPage(query: StreamQuery, options: WalkOptions = {}): AsyncGenerator<Page<Stream>> {
    return walk((cursor) => this.listStreams(withCursor(query, cursor), options), options.maxPages);
  }

  async *eachStreamJsonPage(query: StreamQuery, options: WalkOptions = {}): AsyncGenerator<readonly unknown[]> {
    const loadPage = (cursor: string | undefined) => {
      const pageQuery = withCursor(query, cursor);
      return this.#rows({
        request: listStreamsRequest(pageQuery),
        query: pageQuery,
        isLinked: true,
        signal: options.signal,
      });
    };
    for await (const page of walk(loadPage, options.maxPages)) yield page.items.map(({ row }) => row);
  }

  /** GET /playback/{playbackId}: public, sent without the API key. */
  async getPlaybackInfo(playbackId: string, options: CallOptions = {}): Promise<unknown> {
    const path = `/playback/${checkId(playbackId)}`;
    const answer = await this.#call({ path, isPublic: true, signal: options.signal });
    // A 401 says nothing about the key, which wasn't sent.
    if (answer.response.status === 401) throw notOffered(answer);
    return readOne(answer, toRow).value;
  }

  /** GET /playback/{playbackId}?recordings=true: with the key, may include the running broadcast from its beginning. */
  async getDvrUrl(playbackId: string, { signal }: CallOptions = {}): Promise<string | undefined> {
    const answer = await this.#call({ path: `/playback/${checkId(playbackId)}?recordings=true`, signal });
    return decodeDvrUrl(readOne(answer, toRow).value);
  }

  /** GET /ingest: public, sent without the API key. Throws `rejected` (notOffered) if the service doesn't have it. */
  async getIngest({ signal }: CallOptions = {}): Promise<unknown> {
    const answer = await this.#call({ path: '/ingest', isPublic: true, signal });
    const { status } = answer.response;
    // A 401 says nothing about the key, which wasn't sent.
    if (status === 401 || mayLackEndpoint(status)) throw notOffered(answer);
    return readAnswer(answer);
  }

  /**
   * GET /data/stream/{id}/health. Throws `notFound` if nothing is known about this stream's health, and `rejected`
   * (notOffered) if the service doesn't have it.
   */
  async getStreamHealthJson(id: string, { signal }: CallOptions = {}): Promise<unknown> {
    const answer = await this.#call({ path: `/data/stream/${checkId(id)}/health`, signal });
    const { status } = answer.response;
    if (status !== 405 && status !== 501) return readOne(answer, toRow).value;
    this.lose('health');
    throw notOffered(answer);
  }

  async #requestStream(id: string, { signal }: CallOptions): Promise<Answer> {
    return this.#call({ path: `/stream/${checkId(id)}`, signal });
  }

  async #findSession<T>(
    id: string,
    options: SessionOptions,
    decode: (row: unknown) => T | undefined,
  ): Promise<Read<T>> {
    const { signal, parentId } = options;
    const answer = await this.#call({ path: `/session/${checkId(id)}`, signal });
    if (!mayLackEndpoint(answer.response.status)) return readOne(answer, decode);
    // /session/{id} may not know IDs of old sessions, or not exist at all (src/api/README.md, Sessions).
    const found = await (isId(parentId) ? this.#searchSession(id, parentId, signal) : this.#searchNewest(id, signal));
    const value = found && decode(found.value);
    if (found && value !== undefined) return { ...found, value };
    throw found === undefined ? notFound(answer) : errorOfAnswer(answer);
  }

  async #searchNewest(id: string, signal: AbortSignal | undefined): Promise<Read<unknown> | undefined> {
    // One page is enough: a service without paging has no more, and on others, a missing ID rarely belongs to an old
    // session.
    const query: UserSessionQuery = { limit: 1000 };
    const request = listUserSessionsRequest(query);
    const { items, requestSeq, startedAt, serverDate } = await this.#rows({ request, query, isLinked: true, signal });
    const found = items.find((item) => item.id === id);
    return found && { value: found.row, requestSeq, startedAt, serverDate };
  }

  async #searchSession(
    id: string,
    parentId: string,
    signal: AbortSignal | undefined,
  ): Promise<Read<unknown> | undefined> {
    for (const recordedOnly of [false, true]) {
      const loadPage = (cursor: string | undefined) => {
        const query = withCursor<SessionQuery>({ recordedOnly, limit: 1000 }, cursor);
        return this.#sessionLists.listRows({ streamId: parentId, query, signal });
      };
      for await (const { items, requestSeq, startedAt, serverDate } of walk(loadPage)) {
        const found = items.find((item) => item.id === id);
        if (found) return { value: found.row, requestSeq, startedAt, serverDate };
      }
    }
    return undefined;
  }

  async #change(ability: keyof Abilities, id: string, call: Call): Promise<void> {
    checkId(id);
    const answer = await this.#call(call);
    const { status } = answer.response;
    if (isSuccess(status)) this.#doubted.delete(ability);
    if (!mayLackEndpoint(status)) return requireSuccess(answer);
    // Throws notFound if the stream is gone. Otherwise the service has no such request.
    readOne(await this.#call({ path: `/stream/${id}` }), decodeStream);
    throw this.#refused(ability, answer);
  }

  #refused(ability: keyof Abilities, answer: Answer): ApiError {
    // A 405 or 501 is final; a 404 only if the same change gets it twice in a row.
    if (answer.response.status === 404 && !this.#doubted.has(ability)) {
      this.#doubted.add(ability);
      return changeNotFound(answer);
    }
    this.#doubted.delete(ability);
    this.lose(ability);
    return notOffered(answer);
  }

  #setAbilities(abilities: Abilities): void {
    if (abilities === this.#abilities) return;
    this.#abilities = abilities;
    this.#onDidChangeAbilities(abilities);
  }
}
