import { describeError } from '../../api/describeError.ts';
import { isAbortError, isApiError, LASTING } from '../../api/errors.ts';
import type { Clock, DownloadResponse, Downloads, Log, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { type ByteRange, type MediaReply, type MediaRequest, numberedUrl } from '../../util/numberedUrl.ts';
import type { AddressFault } from '../addresses.ts';
import { describeAddressFault } from '../addressFaults.ts';
import { followRedirects } from '../redirects.ts';
import { ByteBudget } from './byteBudget.ts';
import { type FoundMedia, type LocateProblem, MOST_PLAYLIST_BYTES, readPlaylistResponse } from './locateMedia.ts';
import { type MediaResource, MediaResources, SOURCE } from './mediaResources.ts';
import { rewritePlaylist } from './playlistUris.ts';

export type MediaProblem =
  | LocateProblem
  | { readonly kind: 'segmentStatus'; readonly status: number; readonly host: string }
  | { readonly kind: 'htmlSegment' | 'truncatedSegment' | 'brokenSegment' | 'largeSegment' | 'stopped' };

export type FeedReply = MediaReply<MediaProblem>;

export interface MediaFeedOptions {
  readonly media: FoundMedia;
  readonly network: Transport & Downloads;
  readonly clock: Clock;
  readonly log: Log;
}

const MOST_REQUESTS = 6;
const MOST_WAITING = 64;
export const MOST_BYTES_UNDER_WAY = 32 * 1024 * 1024;
const MOST_KEY_BYTES = 64 * 1024;
const PROGRESS_EVERY_MS = 250;
/** How long the playlist that was read to find the source can be the response to the page's first request. */
const FIRST_FOR_MS = 10_000;
const MAY_PASS = 0;
const LASTS = 499;

/** Thrown to respond to a request with a problem. */
class MediaFailure extends Error {
  readonly problem: MediaProblem;
  readonly code: number;

  constructor(problem: MediaProblem, code: number) {
    super(problem.kind);
    this.problem = problem;
    this.code = code;
  }
}

interface Loaded {
  readonly body: string | ArrayBuffer;
  readonly size?: number | undefined;
  readonly firstByteMs: number;
}

interface UnderWay {
  readonly resource: MediaResource;
  readonly request: MediaRequest;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly onProgress: (loaded: number) => void;
}

/**
 * Fetches the media that a page plays. The page refers to a resource by its number and never sees a URL, so it can load
 * only resources in its source's playlists. Each URL is checked, even after redirects, and requested without any key.
 * At most 6 requests and 32 MB are in progress at a time; further requests wait.
 */
export class MediaFeed implements Disposable {
  readonly #options: MediaFeedOptions;
  readonly #resources: MediaResources;
  readonly #budget = new ByteBudget(MOST_BYTES_UNDER_WAY);
  readonly #aborts = new Map<number, AbortController>();
  readonly #waiting = new Set<() => void>();
  #running = 0;
  /** By resource: the last complete response for a growing playlist, for conditional requests. */
  readonly #kept = new Map<number, { readonly etag: string; readonly body: string }>();
  #first: { readonly body: Uint8Array; readonly until: number } | undefined;

  constructor(options: MediaFeedOptions) {
    const { kind, url, playlist } = options.media;
    this.#options = options;
    this.#resources = new MediaResources({ url, kind: kind === 'hls' ? 'playlist' : 'file' });
    this.#first = playlist && { body: playlist, until: options.clock.elapsed() + FIRST_FOR_MS };
  }

  /** Replies with progress, and then once with the outcome; not at all if the request is canceled. Doesn't throw. */
  async request(request: MediaRequest, reply: (reply: FeedReply) => void): Promise<void> {
    const { id, range } = request;
    const resource = this.#resources.get(request.resource);
    if (resource === undefined || this.#aborts.has(id) || this.#waiting.size >= MOST_WAITING) {
      this.#options.log.warn("Refused a player's request for media that its source doesn't list");
      return reply({ kind: 'failed', id, problem: { kind: 'stopped' }, code: LASTS });
    }
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    try {
      await this.#begin(abort.signal);
      try {
        const startedAt = this.#options.clock.elapsed();
        const onProgress = (loaded: number): void => reply({ kind: 'progress', id, loaded });
        const underWay = { resource, request, startedAt, signal: abort.signal, onProgress };
        const isPlaylist = resource.kind === 'playlist';
        const loaded = isPlaylist ? await this.#loadPlaylist(underWay) : await this.#loadBytes(underWay, range);
        abort.signal.throwIfAborted();
        const totalMs = this.#options.clock.elapsed() - startedAt;
        reply({ kind: 'loaded', id, size: undefined, ...loaded, totalMs });
      } finally {
        this.#end();
      }
    } catch (error) {
      // An AbortError means that the connection was closed, and its pages with it.
      if (!abort.signal.aborted && !isAbortError(error))
        reply({ kind: 'failed', id, ...this.#failureOf(error, resource) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  cancel(id: number): void {
    this.#aborts.get(id)?.abort();
  }

  cancelAll(): void {
    for (const abort of this.#aborts.values()) abort.abort();
  }

  dispose(): void {
    this.cancelAll();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    if (this.#running >= MOST_REQUESTS) await this.#wait(signal);
    this.#running += 1;
    if (!signal.aborted) return;
    this.#end();
    signal.throwIfAborted();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      const leave = (): void => {
        this.#waiting.delete(resolve);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #end(): void {
    this.#running -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next();
  }

  async #loadPlaylist({ resource, request, startedAt, signal }: UnderWay): Promise<Loaded> {
    const number = request.resource;
    const first = this.#takeFirst(request);
    if (first !== undefined) return { body: this.#rewrite(number, resource.url, first).body, firstByteMs: 0 };
    const kept = this.#kept.get(number);
    const headers = {
      accept: 'application/vnd.apple.mpegurl, application/x-mpegurl, */*',
      ...(kept !== undefined && request.directives === undefined && { 'if-none-match': kept.etag }),
    };
    const url = request.directives === undefined ? resource.url : withQuery(resource.url, request.directives);
    const { network, clock } = this.#options;
    const open = (each: string) =>
      network.send({ method: 'GET', url: each, headers, maxBytes: MOST_PLAYLIST_BYTES, signal });
    const { response, at } = await this.#follow(url, { open });
    const firstByteMs = clock.elapsed() - startedAt;
    if (response.status === 304 && kept !== undefined) return { body: kept.body, firstByteMs };
    assertSuccess(response.status, 'status', at);
    const { body, isComplete } = this.#rewrite(number, at, response.body);
    const { etag } = response.headers;
    if (etag === undefined || isComplete) this.#kept.delete(number);
    else this.#kept.set(number, { etag, body });
    return { body, firstByteMs };
  }

  /** Returns the playlist that was read to find the source, once. */
  #takeFirst({ resource, directives }: MediaRequest): Uint8Array | undefined {
    if (resource !== SOURCE || directives !== undefined) return undefined;
    const first = this.#first;
    this.#first = undefined;
    return first !== undefined && this.#options.clock.elapsed() <= first.until ? first.body : undefined;
  }

  #rewrite(playlist: number, url: string, bytes: Uint8Array): { readonly body: string; readonly isComplete: boolean } {
    const { number, end } = this.#resources.read(playlist);
    const rewritten = rewritePlaylist(readPlaylistResponse(bytes), {
      url,
      imported: this.#resources.variables,
      replace: (uri, kind) => numberedUrl(number(uri, kind)),
    });
    end();
    if ('kind' in rewritten) throw new MediaFailure(rewritten, LASTS);
    if (playlist === SOURCE) this.#resources.variables = rewritten.variables;
    return { body: rewritten.text, isComplete: rewritten.isComplete };
  }

  async #loadBytes(underWay: UnderWay, range: ByteRange | undefined): Promise<Loaded> {
    const { resource, startedAt, signal } = underWay;
    const { network, clock } = this.#options;
    const headers: Record<string, string> =
      range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` };
    const { response, at } = await this.#follow(resource.url, {
      open: (url) => network.download({ url, headers, signal }),
      discard: (redirect) => redirect.dispose(),
    });
    try {
      assertSuccess(response.status, resource.kind === 'file' ? 'status' : 'segmentStatus', at);
      const firstByteMs = clock.elapsed() - startedAt;
      const part = new BodyPart(response, range);
      const bytes = await this.#readBody(part, lengthOf(response, range), underWay);
      assertMedia(bytes, resource, response.headers);
      return { body: bytes.buffer, size: part.size, firstByteMs };
    } finally {
      response.dispose();
    }
  }

  async #readBody(
    part: BodyPart,
    length: number | undefined,
    { resource, signal, onProgress }: UnderWay,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const most = resource.kind === 'key' ? MOST_KEY_BYTES : MOST_BYTES_UNDER_WAY;
    if (length !== undefined && length > most) throw tooLarge(resource);
    const held = new HeldBytes(this.#budget);
    let reportedAt = this.#options.clock.elapsed();
    try {
      if (length !== undefined) await held.reserve(length, signal);
      for await (const chunk of part.read()) {
        if (held.size + chunk.byteLength > most || !held.add(chunk)) throw tooLarge(resource, held.isAlone);
        const now = this.#options.clock.elapsed();
        if (now - reportedAt < PROGRESS_EVERY_MS) continue;
        reportedAt = now;
        onProgress(held.size);
      }
      return held.join();
    } catch (error) {
      if (isAbortError(error) || !isApiError(error) || error.reason !== 'network') throw error;
      throw new MediaFailure({ kind: 'truncatedSegment' }, MAY_PASS);
    } finally {
      held.release();
    }
  }

  async #follow<R extends { readonly status: number; readonly headers: Readonly<Record<string, string>> }>(
    url: string,
    { open, discard }: { readonly open: (url: string) => Promise<R>; readonly discard?: (response: R) => void },
  ): Promise<{ readonly response: R; readonly at: string }> {
    const { check, guarded } = this.#options.media;
    const checked = check(url);
    if (!checked.ok) throw refused(checked.fault, 'playlist', url);
    const followed = await followRedirects(checked.url, { open, check, discard, connection: guarded });
    if (followed.kind === 'tooMany') throw new MediaFailure({ kind: 'tooManyRedirects' }, LASTS);
    if (followed.kind === 'refused') throw refused(followed.fault, 'redirect', followed.from);
    return { response: followed.response, at: followed.url };
  }

  #failureOf(error: unknown, { url, kind }: MediaResource): { readonly problem: MediaProblem; readonly code: number } {
    if (error instanceof MediaFailure) return { problem: error.problem, code: error.code };
    if (!isApiError(error)) throw error;
    if (error.why === 'redirect') return { problem: { kind: 'tooManyRedirects' }, code: LASTS };
    if (kind === 'playlist' && error.why === 'tooLarge') return { problem: { kind: 'endlessPlaylist' }, code: LASTS };
    const sentence = describeError(error, { service: error.host ?? new URL(url).host });
    return { problem: { kind: 'unreachable', sentence }, code: LASTING.has(error.why) ? LASTS : MAY_PASS };
  }
}

/** The chunks of one response, counted against the budget. */
class HeldBytes {
  readonly #budget: ByteBudget;
  #chunks: Uint8Array[] = [];
  #reserved = 0;
  size = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Whether nothing else holds bytes. */
  get isAlone(): boolean {
    return this.#budget.used === this.#reserved;
  }

  async reserve(bytes: number, signal: AbortSignal): Promise<void> {
    await this.#budget.take(bytes, signal);
    this.#reserved += bytes;
  }

  add(chunk: Uint8Array): boolean {
    const missing = this.size + chunk.byteLength - this.#reserved;
    if (missing > 0 && !this.#budget.tryTake(missing)) return false;
    this.#reserved += Math.max(0, missing);
    this.size += chunk.byteLength;
    this.#chunks.push(chunk);
    return true;
  }

  /** Doesn't use Buffer.concat, whose buffers can be parts of larger ones that would be posted as a whole. */
  join(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, at);
      at += chunk.byteLength;
    }
    return joined;
  }

  release(): void {
    this.#chunks = [];
    this.#budget.give(this.#reserved);
    this.#reserved = 0;
  }
}

function withQuery(url: string, query: string): string {
  const parsed = new URL(url);
  parsed.search = parsed.search === '' ? query : `${parsed.search}&${query}`;
  return parsed.href;
}

function assertSuccess(status: number, kind: 'status' | 'segmentStatus', url: string): void {
  if (status >= 200 && status < 300) return;
  throw new MediaFailure({ kind, status, host: new URL(url).host }, status);
}

/** Detects an empty response or a page that a gateway sent instead of media. */
function assertMedia(bytes: Uint8Array, { kind }: MediaResource, headers: Readonly<Record<string, string>>): void {
  if (kind === 'key') return;
  if (bytes.byteLength === 0) throw new MediaFailure({ kind: 'truncatedSegment' }, MAY_PASS);
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  const isPage = start.startsWith('<!doctype') || start.startsWith('<html');
  if (!isPage && !/\bhtml\b/i.test(headers['content-type'] ?? '')) return;
  throw new MediaFailure({ kind: kind === 'file' ? 'htmlMedia' : 'htmlSegment' }, LASTS);
}

function tooLarge({ kind }: MediaResource, isAlone = true): MediaFailure {
  if (!isAlone) return new MediaFailure({ kind: 'truncatedSegment' }, MAY_PASS);
  return new MediaFailure({ kind: kind === 'key' ? 'brokenSegment' : 'largeSegment' }, LASTS);
}

function refused(fault: AddressFault, source: 'playlist' | 'redirect', url: string): MediaFailure {
  const sentence = describeAddressFault(fault, source, URL.parse(url)?.host);
  return new MediaFailure({ kind: 'refusedAddress', sentence }, LASTS);
}

/** The requested part of a response. A server may ignore a range and send the whole file. */
class BodyPart {
  readonly #response: DownloadResponse;
  readonly #range: ByteRange | undefined;
  /** The size of the whole file in bytes, if known. */
  size: number | undefined;

  constructor(response: DownloadResponse, range: ByteRange | undefined) {
    this.#response = response;
    this.#range = range;
    this.size = sizeOfFile(response);
  }

  /** If the size is unknown, reads the whole file, within the limit, to find out. */
  async *read(): AsyncIterable<Uint8Array> {
    const { status, body } = this.#response;
    const range = this.#range;
    if (range === undefined || status === 206) return yield* body;
    if (range.start > MOST_BYTES_UNDER_WAY) throw new MediaFailure({ kind: 'largeSegment' }, LASTS);
    let at = 0;
    for await (const chunk of body) {
      const part = chunk.subarray(Math.max(0, range.start - at), Math.max(0, range.end - at));
      if (part.byteLength > 0) yield part;
      at += chunk.byteLength;
      if (at >= range.end && this.size !== undefined) return;
      if (at > range.end + MOST_BYTES_UNDER_WAY) throw new MediaFailure({ kind: 'largeSegment' }, LASTS);
    }
    this.size ??= at;
  }
}

/** Returns how many of the requested bytes a response contains; undefined if it doesn't say. */
function lengthOf({ status, headers }: DownloadResponse, range: ByteRange | undefined): number | undefined {
  const length = Number.parseInt(headers['content-length'] ?? '', 10);
  if (!Number.isSafeInteger(length) || length < 0) return undefined;
  if (range === undefined || status === 206) return length;
  return Math.max(0, Math.min(length, range.end) - range.start);
}

function sizeOfFile({ status, headers }: DownloadResponse): number | undefined {
  const whole = status === 206 ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length'];
  const size = Number.parseInt(whole ?? '', 10);
  return Number.isSafeInteger(size) ? size : undefined;
}
