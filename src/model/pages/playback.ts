import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import { reachesThisMachine } from '../../api/loopback.ts';
import type { HttpResponse, Transport } from '../../services.ts';
import { checkMediaUrl, checkOwnAddress } from '../addresses.ts';
import { type AddressSource, describeAddressFault } from '../addressFaults.ts';
import { type PlaylistProblem, readPlaylist } from './playlist.ts';

export type MediaKind = 'hls' | 'mp4';

/** The final address of a medium, and the origins that a page must reach to play it. */
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

export type Located =
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

const MOST_HOPS = 5;
const MOST_ORIGINS = 8;
/** A day in one-second segments is 9 MB. */
const MOST_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MP4_HEAD_BYTES = 1024;

/**
 * Follows up to 5 redirects that `checkMediaUrl` allows, without any key, and reads the playlist. Throws only the
 * AbortError of its signal.
 */
export async function locateMedia(request: LocateRequest): Promise<Located> {
  const first = checkAddress(request.url, request, request.isOwn === true ? 'settings' : 'service');
  if (typeof first !== 'string') return { ok: false, problem: first };
  try {
    return await follow({ ...request, url: first });
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.why === 'redirect') return { ok: false, problem: { kind: 'tooManyRedirects' } };
    const sentence = describeError(error, { service: error.host ?? new URL(first).host });
    return { ok: false, problem: { kind: 'unreachable', sentence } };
  }
}

async function follow(request: LocateRequest): Promise<Located> {
  let url = request.url;
  for (let hops = 0; hops <= MOST_HOPS; hops++) {
    const response = await askForBeginning(request, url);
    if (response === undefined) return foundTooMuch(request, url);
    const { location } = response.headers;
    const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
    if (!isRedirect) return judge(request, url, response);
    const next = checkAddress(URL.parse(location, url)?.href ?? '', request, 'redirect');
    if (typeof next !== 'string') return { ok: false, problem: next };
    url = next;
  }
  return { ok: false, problem: { kind: 'tooManyRedirects' } };
}

/** Returns undefined if the response is successful but larger than requested. */
async function askForBeginning(request: LocateRequest, url: string): Promise<HttpResponse | undefined> {
  try {
    return await ask(request, url);
  } catch (error) {
    // Without a status, it was the headers that were too large.
    if (isApiError(error) && error.why === 'tooLarge' && error.status !== undefined) return undefined;
    throw error;
  }
}

function ask({ kind, transport, signal }: LocateRequest, url: string): Promise<HttpResponse> {
  const isPlaylist = kind === 'hls';
  return transport.send({
    method: 'GET',
    url,
    headers: isPlaylist
      ? { accept: 'application/vnd.apple.mpegurl, application/x-mpegurl, */*' }
      : { accept: 'video/*', range: `bytes=0-${MP4_HEAD_BYTES - 1}` },
    maxBytes: isPlaylist ? MOST_PLAYLIST_BYTES : 64 * MP4_HEAD_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
}

function checkAddress(
  url: string,
  { url: first, isOwn = false, connection }: LocateRequest,
  source: AddressSource,
): string | MediaProblem {
  const checked = isOwn && isHere(first) ? checkOwnAddress(url, connection) : checkMediaUrl(url, connection);
  return checked.ok ? checked.url : { kind: 'refusedAddress', sentence: describeAddressFault(checked.fault, source) };
}

function isHere(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && reachesThisMachine(parsed.hostname);
}

function judge(request: LocateRequest, url: string, response: HttpResponse): Located {
  const { status, headers, body } = response;
  if (status < 200 || status >= 300) {
    return { ok: false, problem: { kind: 'status', status, host: new URL(url).host } };
  }
  if (request.kind === 'mp4') {
    if (/\bhtml\b/i.test(headers['content-type'] ?? '')) return { ok: false, problem: { kind: 'htmlMedia' } };
    return { ok: true, media: { kind: 'mp4', url, origins: originsOf([request.url, url]) } };
  }
  const playlist = readPlaylist(new TextDecoder().decode(body), url);
  if ('kind' in playlist) return { ok: false, problem: playlist };
  const named = playlist.urls.filter((each) => typeof checkAddress(each, request, 'service') === 'string');
  return { ok: true, media: { kind: 'hls', url, origins: originsOf([request.url, url, ...named]) } };
}

/** A server that sends a whole MP4 although its beginning was requested has shown that the file exists. */
function foundTooMuch(request: LocateRequest, url: string): Located {
  const { kind } = request;
  if (kind === 'hls') return { ok: false, problem: { kind: 'endlessPlaylist' } };
  return { ok: true, media: { kind, url, origins: originsOf([request.url, url]) } };
}

function originsOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => new URL(url).origin))].slice(0, MOST_ORIGINS);
}
