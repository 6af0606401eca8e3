import type { Clock, Log, Transport } from '../services.ts';
import { type Answered, type Call, type Caller, createCaller } from './calls.ts';
import { changeNotFound, isRefusal, notFound, notOffered } from './changes.ts';
import { decodeRows, decodeSession, decodeStream, keepRows, type RawRow } from './decode.ts';
import { toRow } from './decodeValues.ts';
import type { ApiError } from './errors.ts';
import { FilterJudge } from './filterJudge.ts';
import { checkId, isId } from './ids.ts';
import { createLister, type Lister } from './lists.ts';
import { errorInSuccess, errorOfAnswered, isSuccess, readOne } from './reads.ts';
import { listStreamsRequest, listUserSessionsRequest, newStreamBody, patchBody } from './requests.ts';
import { judgeServerDate } from './serverDate.ts';
import { SessionLists } from './sessionLists.ts';
import {
  type Abilities,
  ALL_ABILITIES,
  type CallOptions,
  type NewStream,
  type Page,
  type Read,
  type Session,
  type SessionQuery,
  type Stream,
  type StreamPatch,
  type StreamQuery,
  type UserSessionQuery,
} from './types.ts';
import { walk, withCursor } from './walk.ts';

export interface StreamApiOptions {
  /** May hold a path; slashes at its end do not matter. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly onDidChangeAbilities?: (abilities: Abilities) => void;
}

export interface ListOptions extends CallOptions {
  /** Sends If-None-Match; an unchanged answer gives the same `items` array as the last one. */
  readonly conditional?: boolean;
}

export interface SessionOptions extends CallOptions {
  /** The session's stream, where it is known: a service without /session/{id} is asked for that stream's sessions. */
  readonly parentId?: string;
}

export interface WalkOptions extends CallOptions {
  /** Default 1000. */
  readonly maxPages?: number;
}

/**
 * The service's HTTP interface (src/api/README.md), one method an endpoint. Methods throw ApiError, or an AbortError of their signal.
 * Ids that could not stand in a path are `rejected` before any request.
 */
export class StreamApi {
  /** Without slashes at its end. */
  readonly baseUrl: string;
  readonly #call: Caller;
  readonly #streams: Lister<Stream>;
  readonly #sessions: Lister<Session>;
  readonly #rows: Lister<RawRow>;
  readonly #filterJudge = new FilterJudge();
  readonly #sessionLists: SessionLists;
  readonly #onDidChangeAbilities: (abilities: Abilities) => void;
  /** Changes whose last try was answered 404 although what they were about is there. */
  readonly #doubted = new Set<keyof Abilities>();
  #abilities = ALL_ABILITIES;

  constructor({ baseUrl, apiKey, transport, clock, log, onDidChangeAbilities = () => {} }: StreamApiOptions) {
    this.baseUrl = baseUrl.trim().replace(/\/+$/, '');
    this.#onDidChangeAbilities = onDidChangeAbilities;
    this.#call = createCaller({ baseUrl: this.baseUrl, apiKey: apiKey.trim(), transport, clock });
    const shared = {
      call: this.#call,
      log,
      abilities: () => this.#abilities,
      filterJudge: this.#filterJudge,
      onRefused: (ability: 'listExtras' | 'listFilters') => this.#lose(ability),
    };
    this.#streams = createLister({
      ...shared,
      decode: (rows) => decodeRows(rows, decodeStream),
      serverDateOf: judgeServerDate,
    });
    this.#sessions = createLister({ ...shared, decode: (rows) => decodeRows(rows, decodeSession) });
    this.#rows = createLister({ ...shared, decode: keepRows });
    this.#sessionLists = new SessionLists(this.#sessions, this.#rows);
  }

  /** What this service was found to refuse. */
  get abilities(): Abilities {
    return this.#abilities;
  }

  /** Forgets what was refused, so that it is tried again: a manual refresh. */
  resetAbilities(): void {
    this.#filterJudge.reset();
    this.#doubted.clear();
    this.#sessionLists.reset();
    this.#setAbilities(ALL_ABILITIES);
  }

  /** GET /stream: one page. */
  listStreams(query: StreamQuery, options: ListOptions = {}): Promise<Page<Stream>> {
    return this.#streams({
      request: listStreamsRequest(query),
      query,
      isLinked: true,
      signal: options.signal,
      isConditional: options.conditional ?? false,
    });
  }

  /** GET /stream/{id}. */
  async getStream(id: string, options: CallOptions = {}): Promise<Read<Stream>> {
    const answered = await this.#askForStream(id, options);
    const read = readOne(answered, decodeStream);
    return { ...read, serverDate: judgeServerDate(answered, [read.value]) };
  }

  /** GET /stream/{id} as it was sent, secrets included. */
  async getStreamJson(id: string, options: CallOptions = {}): Promise<unknown> {
    return readOne(await this.#askForStream(id, options), toRow).value;
  }

  /** GET /stream/{streamId}/sessions: one page. Where that fails with a 500 for good, GET /session?parentId={streamId}. */
  async listSessions(streamId: string, query: SessionQuery = {}, options: ListOptions = {}): Promise<Page<Session>> {
    const { signal, conditional: isConditional = false } = options;
    return this.#sessionLists.list({ streamId: checkId(streamId), query, signal, isConditional });
  }

  /** GET /session: one page over all streams. */
  listUserSessions(query: UserSessionQuery = {}, options: ListOptions = {}): Promise<Page<Session>> {
    const { signal, conditional: isConditional = false } = options;
    return this.#sessions({ request: listUserSessionsRequest(query), query, isLinked: true, signal, isConditional });
  }

  /**
   * GET /session/{id}, or the row of its stream's sessions (of the user's newest, where the stream is not known) where the
   * service does not know that request or that id.
   */
  getSession(id: string, options: SessionOptions = {}): Promise<Read<Session>> {
    return this.#findSession(id, options, decodeSession);
  }

  /** As `getSession`, as it was sent, secrets included. */
  async getSessionJson(id: string, options: SessionOptions = {}): Promise<unknown> {
    return (await this.#findSession(id, options, toRow)).value;
  }

  /**
   * POST /stream. A service that lists streams and refuses this, by a 404 twice in a row, does not offer it: `rejected`,
   * notOffered.
   */
  async createStream(stream: NewStream, options: CallOptions = {}): Promise<Read<Stream>> {
    const { signal } = options;
    const answered = await this.#call({ method: 'POST', path: '/stream', body: newStreamBody(stream), signal });
    if (!isRefusal(answered.response.status)) {
      this.#doubted.delete('create');
      return readOne(answered, decodeStream);
    }
    await this.listStreams({ parentsOnly: true }, options);
    throw this.#refused('create', answered);
  }

  /** PATCH /stream/{id}. */
  patchStream(id: string, patch: StreamPatch, options: CallOptions = {}): Promise<void> {
    const ability = patch.suspended === undefined ? 'patch' : 'suspend';
    const { signal } = options;
    return this.#change(ability, id, { method: 'PATCH', path: `/stream/${id}`, body: patchBody(patch), signal });
  }

  /** DELETE /stream/{id}/terminate. */
  endBroadcast(id: string, options: CallOptions = {}): Promise<void> {
    return this.#change('endBroadcast', id, {
      method: 'DELETE',
      path: `/stream/${id}/terminate`,
      signal: options.signal,
    });
  }

  /** DELETE /stream/{id}. `notFound` when it was gone before. */
  deleteStream(id: string, options: CallOptions = {}): Promise<void> {
    return this.#change('delete', id, { method: 'DELETE', path: `/stream/${id}`, signal: options.signal });
  }

  /** All pages from the query's cursor on, without rows that came before. */
  eachStreamPage(query: StreamQuery, options: WalkOptions = {}): AsyncGenerator<Page<Stream>> {
    return walk((cursor) => this.listStreams(withCursor(query, cursor), options), query.cursor, options.maxPages);
  }

  /** As `eachStreamPage`, rows as they were sent, secrets included. */
  async *eachStreamJsonPage(query: StreamQuery, options: WalkOptions = {}): AsyncGenerator<readonly unknown[]> {
    const ask = (cursor: string | undefined) => {
      const asked = withCursor(query, cursor);
      return this.#rows({ request: listStreamsRequest(asked), query: asked, isLinked: true, signal: options.signal });
    };
    for await (const page of walk(ask, query.cursor, options.maxPages)) yield page.items.map(({ row }) => row);
  }

  /** GET /playback/{playbackId}, which needs no key and gets none. */
  async getPlaybackInfo(playbackId: string, options: CallOptions = {}): Promise<unknown> {
    const path = `/playback/${checkId(playbackId)}`;
    const answered = await this.#call({ path, isPublic: true, signal: options.signal });
    // Says nothing about the key, which was not sent.
    if (answered.response.status === 401) throw notOffered(answered);
    return readOne(answered, toRow).value;
  }

  async #askForStream(id: string, { signal }: CallOptions): Promise<Answered> {
    return this.#call({ path: `/stream/${checkId(id)}`, signal });
  }

  async #findSession<T>(
    id: string,
    options: SessionOptions,
    decode: (row: unknown) => T | undefined,
  ): Promise<Read<T>> {
    const { signal, parentId } = options;
    const answered = await this.#call({ path: `/session/${checkId(id)}`, signal });
    if (!isRefusal(answered.response.status)) return readOne(answered, decode);
    const found = await (isId(parentId) ? this.#searchSession(id, parentId, signal) : this.#searchNewest(id, signal));
    const value = found && decode(found.value);
    if (found && value !== undefined) return { ...found, value };
    throw found === undefined ? notFound(answered) : errorOfAnswered(answered);
  }

  /** One page: all there is where a service does not page, and elsewhere an id that is not found is hardly ever an old one. */
  async #searchNewest(id: string, signal: AbortSignal | undefined): Promise<Read<unknown> | undefined> {
    const query: UserSessionQuery = { limit: 1000 };
    const request = listUserSessionsRequest(query);
    const { items, turn, startedAt, serverDate } = await this.#rows({ request, query, isLinked: true, signal });
    const found = items.find((item) => item.id === id);
    return found && { value: found.row, turn, startedAt, serverDate };
  }

  /** Ids of old sessions can be unknown to /session/{id}, and a service may not have that request (src/api/README.md, Sessions). */
  async #searchSession(
    id: string,
    parentId: string,
    signal: AbortSignal | undefined,
  ): Promise<Read<unknown> | undefined> {
    for (const recordedOnly of [false, true]) {
      const ask = (cursor: string | undefined) => {
        const query = withCursor<SessionQuery>({ recordedOnly, limit: 1000 }, cursor);
        return this.#sessionLists.listRows({ streamId: parentId, query, signal });
      };
      for await (const { items, turn, startedAt, serverDate } of walk(ask)) {
        const found = items.find((item) => item.id === id);
        if (found) return { value: found.row, turn, startedAt, serverDate };
      }
    }
    return undefined;
  }

  async #change(ability: keyof Abilities, id: string, call: Call): Promise<void> {
    checkId(id);
    const answered = await this.#call(call);
    const { status } = answered.response;
    if (isSuccess(status)) {
      this.#doubted.delete(ability);
      const error = errorInSuccess(answered);
      if (error !== undefined) throw error;
      return;
    }
    if (!isRefusal(status)) throw errorOfAnswered(answered);
    // Either the stream is gone, and this throws notFound, or the service has no such request.
    readOne(await this.#call({ path: `/stream/${id}`, signal: call.signal }), decodeStream);
    throw this.#refused(ability, answered);
  }

  /** A 405 or 501 speaks for the service; a 404 only when the same change is answered so twice in a row. */
  #refused(ability: keyof Abilities, answered: Answered): ApiError {
    if (answered.response.status === 404 && !this.#doubted.has(ability)) {
      this.#doubted.add(ability);
      return changeNotFound(answered);
    }
    this.#doubted.delete(ability);
    this.#lose(ability);
    return notOffered(answered);
  }

  #lose(ability: keyof Abilities): void {
    if (this.#abilities[ability]) this.#setAbilities({ ...this.#abilities, [ability]: false });
  }

  #setAbilities(abilities: Abilities): void {
    if (abilities === this.#abilities) return;
    this.#abilities = abilities;
    this.#onDidChangeAbilities(abilities);
  }
}
