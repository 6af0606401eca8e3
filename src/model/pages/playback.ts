import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import { reachesThisMachine } from '../../api/loopback.ts';
import type { HttpResponse, Transport } from '../../services.ts';
import { type AddressFault, type CheckedUrl, checkMediaUrl, checkOwnAddress } from '../addresses.ts';
import { type AddressSource, describeAddressFault } from '../addressFaults.ts';
import { followRedirects } from '../redirects.ts';

export type MediaKind = 'hls' | 'mp4';

export interface FoundMedia {
  readonly kind: MediaKind;
  readonly url: string;
  /** Of the first and last address and of those in the playlist, at most 8. */
  readonly origins: readonly string[];
}

export type MediaProblem =
  | PlaylistProblem
  | { readonly kind: 'endlessPlaylist' }
  | { readonly kind: 'status'; readonly status: number; readonly host: string }
  | { readonly kind: 'htmlMedia' }
  | { readonly kind: 'tooManyRedirects' }
  | { readonly kind: 'refusedAddress'; readonly sentence: string }
  | { readonly kind: 'unreachable'; readonly sentence: string };

type Located =
  | { readonly ok: true; readonly media: FoundMedia }
  | { readonly ok: false; readonly problem: MediaProblem };

export interface LocateRequest {
  readonly url: string;
  readonly kind: MediaKind;
  /** The address is from the user's own settings, not from the service, so it may be on this machine. */
  readonly isOwn?: boolean;
  readonly connection: { readonly baseUrl: string };
  readonly transport: Transport;
  readonly signal?: AbortSignal;
}

const MOST_ORIGINS = 8;
// A day in one-second segments is 9 MB.
const MOST_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MP4_HEAD_BYTES = 1024;

interface Playlist {
  readonly isMaster: boolean;
  readonly isGrowing: boolean;
  readonly urls: readonly string[];
}

type PlaylistProblem =
  | { readonly kind: 'emptyPlaylist' }
  | { readonly kind: 'htmlPlaylist' }
  | { readonly kind: 'malformedPlaylist' }
  | { readonly kind: 'foreignScheme'; readonly scheme: string };

type PlaylistRead = Playlist | PlaylistProblem;

/** Follows redirects that `checkMediaUrl` allows, without any key. Throws only the AbortError of its signal. */
export async function locateMedia(request: LocateRequest): Promise<Located> {
  const first = checkUrl(request.url, request);
  const source = request.isOwn === true ? 'settings' : 'service';
  if (!first.ok) return { ok: false, problem: refusedAddress(first.fault, source) };
  try {
    return await follow({ ...request, url: first.url });
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.why === 'redirect') return { ok: false, problem: { kind: 'tooManyRedirects' } };
    const sentence = describeError(error, { service: error.host ?? new URL(first.url).host });
    return { ok: false, problem: { kind: 'unreachable', sentence } };
  }
}

async function follow(request: LocateRequest): Promise<Located> {
  const followed = await followRedirects(request.url, {
    open: (url) => requestBeginning(request, url),
    check: (url) => checkUrl(url, request),
  });
  switch (followed.kind) {
    case 'response':
      return toLocated(request, followed.url, followed.response);
    case 'refused':
      return { ok: false, problem: refusedAddress(followed.fault, 'redirect') };
    case 'tooMany':
      return { ok: false, problem: { kind: 'tooManyRedirects' } };
  }
}

// The beginning of a medium; without a body if the response is successful but larger than requested.
type Beginning = Pick<HttpResponse, 'status' | 'headers'> & { readonly body: Uint8Array | undefined };

async function requestBeginning(request: LocateRequest, url: string): Promise<Beginning> {
  try {
    return await sendRequest(request, url);
  } catch (error) {
    // Without a status, it was the headers that were too large.
    const isBody = isApiError(error) && error.why === 'tooLarge' && error.status !== undefined;
    if (isBody) return { status: 200, headers: {}, body: undefined };
    throw error;
  }
}

function sendRequest({ kind, transport, signal }: LocateRequest, url: string): Promise<HttpResponse> {
  const isPlaylist = kind === 'hls';
  return transport.send({
    method: 'GET',
    url,
    headers: isPlaylist
      ? { accept: 'application/vnd.apple.mpegurl, application/x-mpegurl, */*' }
      : { accept: 'video/*', range: `bytes=0-${MP4_HEAD_BYTES - 1}` },
    maxBytes: isPlaylist ? MOST_PLAYLIST_BYTES : 64 * MP4_HEAD_BYTES,
    signal,
  });
}

function checkUrl(url: string, { url: first, isOwn = false, connection }: LocateRequest): CheckedUrl {
  return isOwn && isHere(first) ? checkOwnAddress(url, connection) : checkMediaUrl(url, connection);
}

function refusedAddress(fault: AddressFault, source: AddressSource): MediaProblem {
  return { kind: 'refusedAddress', sentence: describeAddressFault(fault, source) };
}

function isHere(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && reachesThisMachine(parsed.hostname);
}

function toLocated(request: LocateRequest, url: string, { status, headers, body }: Beginning): Located {
  if (body === undefined) return foundTooMuch(request, url);
  if (status < 200 || status >= 300) {
    return { ok: false, problem: { kind: 'status', status, host: new URL(url).host } };
  }
  if (request.kind === 'mp4') {
    if (/\bhtml\b/i.test(headers['content-type'] ?? '')) return { ok: false, problem: { kind: 'htmlMedia' } };
    return { ok: true, media: { kind: 'mp4', url, origins: originsOf([request.url, url]) } };
  }
  const playlist = readPlaylist(new TextDecoder().decode(body), url);
  if ('kind' in playlist) return { ok: false, problem: playlist };
  const named = playlist.urls.filter((each) => checkUrl(each, request).ok);
  return { ok: true, media: { kind: 'hls', url, origins: originsOf([request.url, url, ...named]) } };
}

// A server that sends a whole MP4 although its beginning was requested has shown that the file exists.
function foundTooMuch(request: LocateRequest, url: string): Located {
  const { kind } = request;
  if (kind === 'hls') return { ok: false, problem: { kind: 'endlessPlaylist' } };
  return { ok: true, media: { kind, url, origins: originsOf([request.url, url]) } };
}

function originsOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => new URL(url).origin))].slice(0, MOST_ORIGINS);
}

// Tags with an address that players load; keys have other schemes as well (skd:, data:).
const LOADED_TAGS = /^#EXT-X-(MEDIA|MAP|I-FRAME-STREAM-INF|PART|PRELOAD-HINT|KEY|SESSION-KEY):/;
const KEY_TAGS = /^#EXT-X-(SESSION-)?KEY:/;
const URI_ATTRIBUTE = /[:,]URI="([^"]*)"/;

export function readPlaylist(text: string, address: string): PlaylistRead {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first] = lines;
  if (first === undefined) return { kind: 'emptyPlaylist' };
  if (first.startsWith('<')) return { kind: 'htmlPlaylist' };
  if (!first.startsWith('#EXTM3U')) return { kind: 'malformedPlaylist' };
  return readLines(lines, address);
}

function readLines(lines: readonly string[], address: string): PlaylistRead {
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const entries = lines.filter((line) => !line.startsWith('#'));
  const tag = isMaster ? '#EXT-X-STREAM-INF:' : '#EXTINF:';
  const announced = lines.filter((line) => line.startsWith(tag)).length;
  if (entries.length === 0 && announced === 0) return { kind: 'emptyPlaylist' };
  if (announced === 0 || entries.length < announced) return { kind: 'malformedPlaylist' };
  const found = absoluteUrls([...entries, ...lines.flatMap(addressOfTag)], address);
  if ('kind' in found) return found;
  const isGrowing = !isMaster && !lines.some((line) => line.startsWith('#EXT-X-ENDLIST'));
  return { isMaster, isGrowing, urls: found };
}

function addressOfTag(line: string): readonly string[] {
  const uri = LOADED_TAGS.test(line) ? URI_ATTRIBUTE.exec(line)?.[1] : undefined;
  if (uri === undefined || uri === '') return [];
  const isOtherKey = KEY_TAGS.test(line) && /^(?!https?:|file:)[a-z][a-z0-9+.-]*:/i.test(uri);
  return isOtherKey ? [] : [uri];
}

function absoluteUrls(entries: readonly string[], address: string): readonly string[] | PlaylistProblem {
  const urls = new Set<string>();
  for (const entry of entries) {
    const url = URL.parse(entry, address);
    if (url === null) return { kind: 'malformedPlaylist' };
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      return { kind: 'foreignScheme', scheme: url.protocol.slice(0, -1) };
    }
    urls.add(url.href);
  }
  return [...urls];
}
