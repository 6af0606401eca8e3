import { ApiError, isApiError, orNone } from '../../api/errors.ts';
import { isId } from '../../api/ids.ts';
import { walk, withCursor } from '../../api/paging.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Session, Stream, StreamQuery, UserSessionQuery } from '../../api/types.ts';
import { delay } from '../../util/clock.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import { findSession } from '../store/sessions.ts';
import type { AccountParts } from './accountParts.ts';

// Delays before each additional attempt, because reads may come from a stale replica (src/api/README.md, Changes).
const AGAIN_AFTER_MS: readonly number[] = [1500, 3000];

export interface ReadOptions {
  /** Shows the row even if its page isn't loaded. */
  readonly pin?: boolean;
  /** Protects the response from stale lists for a while. */
  readonly settle?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Whether a stream contains a change; `undefined` is a stream that is gone. */
export type ShowsChange = (stream: Stream | undefined) => boolean;

export async function readStream(
  parts: AccountParts,
  id: string,
  { pin = false, settle = false }: ReadOptions,
): Promise<Stream | undefined> {
  const found = await findStream(parts, id, { pin, settles: () => settle });
  return found.stream ?? missing(parts, id, found.requestSeq);
}

/** Ignores "not found" before the last attempt unless the stream was deleted, because a replica may not have it yet. */
export async function confirmChange(parts: AccountParts, id: string, shows: ShowsChange): Promise<Stream | undefined> {
  const find = () => findStream(parts, id, { pin: false, settles: shows });
  const { stream, requestSeq } = await readUntil(parts, find, (found) => shows(found.stream));
  if (stream !== undefined) return stream;
  if (!shows(undefined)) return missing(parts, id, requestSeq);
  parts.writer.gone(id);
  return undefined;
}

/** Reads up to 3 times in 5 s until `shows` returns true. Returns the last value. */
export async function readUntil<T>(
  { clock, signal }: AccountParts,
  read: () => Promise<T>,
  shows: (value: T) => boolean = Boolean,
): Promise<T> {
  signal.throwIfAborted();
  let value = await read();
  for (const ms of AGAIN_AFTER_MS) {
    if (shows(value)) break;
    await delay(clock, ms, signal);
    value = await read();
  }
  return value;
}

// The store decides whether the stream is gone. Returns the known stream if it isn't.
async function missing(parts: AccountParts, id: string, requestSeq: number | undefined): Promise<Stream | undefined> {
  const { writer } = parts;
  if (writer.snapshot.streams.has(id)) await requireApi(parts);
  writer.notFound(id, requestSeq);
  return writer.snapshot.streams.get(id)?.stream;
}

/** Throws if streams can't be listed either. Then a "not found" doesn't mean that the stream was deleted. */
async function requireApi({ api, signal }: AccountParts): Promise<void> {
  try {
    await api.listStreams({ parentsOnly: true, limit: 1 }, { signal, brief: true });
  } catch (error) {
    if (!isApiError(error, 'notFound')) throw error;
    const { message, status, host } = error;
    throw new ApiError('invalidResponse', message, { status, ...(host !== undefined && { host }), cause: error });
  }
}

async function findStream(
  { api, writer, signal }: AccountParts,
  id: string,
  { pin, settles }: { readonly pin: boolean; readonly settles: (stream: Stream) => boolean },
): Promise<{ readonly stream: Stream | undefined; readonly requestSeq: number | undefined }> {
  try {
    const read = await api.getStream(id, { signal });
    signal.throwIfAborted();
    // The store's streams don't include child streams.
    if (!isChildStream(read.value)) writer.read(read.value, read, { settle: settles(read.value), pin });
    return { stream: read.value, requestSeq: read.requestSeq };
  } catch (error) {
    signal.throwIfAborted();
    // A proxy or another server, which sends HTML, knows nothing about the stream.
    if (!isApiError(error, 'notFound') || error.why) throw error;
    return { stream: undefined, requestSeq: error.requestSeq };
  }
}

/** Matches streams that meet all given criteria: part of the name, ignoring case, and a whole playback ID. */
export interface StreamSearch {
  readonly isActive?: boolean | undefined;
  readonly name?: string | undefined;
  readonly playbackId?: string | undefined;
}

/** The streams last seen come first if the service sorts. */
export function searchQuery(search: StreamSearch, limit: number): StreamQuery {
  const { isActive, name, playbackId } = search;
  const filters = Object.entries({ isActive, name, playbackId }).flatMap(([id, value]) =>
    value === undefined ? [] : [{ id, value }],
  );
  return { parentsOnly: true, filters, limit, order: NEWEST_FIRST, count: true };
}

export interface FoundStreams {
  readonly streams: readonly Stream[];
  /** Whether the account has no more streams than those found so far. */
  readonly isComplete: boolean;
}

const NEWEST_FIRST = 'lastSeen-true,createdAt-true,id-true';
const RECENT = 100;
/** The maximum number of streams that a search finds. */
export const FOUND_AT_MOST = 50;
// The service's maximum. Without a limit, the public one returns 20.
const PAGE_SIZE = 1000;
const MAX_PAGES = 20;
// Shorter text isn't tried as an ID: IDs and playback IDs are longer than most words that names begin with.
const SHORTEST_ID = 8;

export async function listRecentStreams(api: StreamApi, signal: AbortSignal): Promise<FoundStreams> {
  const { items, next } = await api.listStreams({ parentsOnly: true, limit: RECENT, order: NEWEST_FIRST }, { signal });
  return { streams: items, isComplete: next === undefined };
}

export async function* listEveryStream(
  api: StreamApi,
  { signal, pageSize = PAGE_SIZE }: { readonly signal: AbortSignal; readonly pageSize?: number | undefined },
): AsyncGenerator<FoundStreams> {
  const query: StreamQuery = { parentsOnly: true, limit: pageSize, order: 'createdAt-true,id-true' };
  for await (const { items, next } of api.eachStreamPage(query, { signal, maxPages: MAX_PAGES })) {
    yield { streams: items, isComplete: next === undefined };
  }
}

type Search = (signal: AbortSignal) => Promise<readonly Stream[]>;

/**
 * Returns the searches without starting them, because a closed connection must not start any.
 * @param byName whether to search names, too
 */
export function searchStreams(
  api: StreamApi,
  text: string,
  { byName }: { readonly byName: boolean },
): readonly Search[] {
  const matching = (id: 'name' | 'playbackId'): Search => {
    const filters = [{ id, value: text }];
    const query: StreamQuery = { parentsOnly: true, filters, limit: FOUND_AT_MOST, order: NEWEST_FIRST };
    return async (signal) => (await api.listStreams(query, { signal })).items;
  };
  const byNames = byName ? [matching('name')] : [];
  if (!isId(text) || text.length < SHORTEST_ID) return byNames;
  const { listExtras, listFilters } = api.abilities;
  const byPlaybackId = listExtras && listFilters ? [matching('playbackId')] : [];
  return [...byNames, (signal) => withId(api, text, signal), ...byPlaybackId];
}

// Returns no child streams, because the tree shows their parents.
async function withId(api: StreamApi, id: string, signal: AbortSignal): Promise<readonly Stream[]> {
  const read = await orNone(api.getStream(id, { signal }), 'notFound', 'rejected');
  return read === undefined || isChildStream(read.value) ? [] : [read.value];
}

export type RecordingAddress = 'recordingUrl' | 'mp4Url';

/** If the service doesn't know the ID, searches the stream's sessions and the account's newest 20,000. */
export async function fetchSession(
  { api, writer: { snapshot }, signal }: AccountParts,
  id: string,
  parentId: string | undefined,
): Promise<Session | undefined> {
  const streamId =
    parentId ?? [...snapshot.sessions.keys()].find((each) => findSession(snapshot, each, id) !== undefined);
  const read = await orNone(api.getSession(id, { signal, parentId: streamId }), 'notFound', 'rejected');
  if (read !== undefined) return read.value;
  const fetch = (cursor: string | undefined) =>
    api.listUserSessions(withCursor<UserSessionQuery>({ limit: PAGE_SIZE }, cursor), { signal });
  for await (const { items } of walk(fetch, MAX_PAGES)) {
    const found = items.find((session) => session.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the session with a URL that it may lack: a service may return it only in the list of recorded sessions
 * (src/api/README.md, Sessions), or the recording has become ready since. Sends one request, and a second one by ID if
 * the session isn't on the first page; none for sessions that weren't recorded.
 */
export async function withAddress(
  { api, signal }: AccountParts,
  session: Session,
  purpose: RecordingAddress,
): Promise<Session> {
  const { id, parentId, record, recordingStatus, recordingUrl } = session;
  const isRecorded = record || recordingStatus !== undefined || recordingUrl !== undefined;
  if (session[purpose] !== undefined || parentId === undefined || !isRecorded) return session;
  try {
    const page = await api.listSessions(parentId, { recordedOnly: true, limit: PAGE_SIZE }, { signal });
    const listed = page.items.find((other) => other.id === id);
    const isFurther = listed === undefined && page.next !== undefined;
    const fresh = isFurther ? (await api.getSession(id, { parentId, signal })).value : listed;
    return fresh === undefined ? session : withoutLoss(session, fresh);
  } catch (error) {
    // Deleted streams keep their sessions, but these can no longer be listed.
    if (isApiError(error, 'notFound')) return session;
    throw error;
  }
}

/** Keeps known fields that the fresh list omits. */
export function withoutLoss(known: Session | undefined, fresh: Session): Session {
  return {
    ...fresh,
    recordingUrl: fresh.recordingUrl ?? known?.recordingUrl,
    mp4Url: fresh.mp4Url ?? known?.mp4Url,
    parentId: fresh.parentId ?? known?.parentId,
  };
}
