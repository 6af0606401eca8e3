import { describeError } from '../../api/describeError.ts';
import { ApiError, isApiError } from '../../api/errors.ts';
import { reachesThisMachine } from '../../api/loopback.ts';
import type { HttpResponse, ResponseHead, Transport } from '../../services.ts';
import { type AddressFault, type CheckedUrl, checkMediaUrl, checkOwnAddress } from '../addresses.ts';
import { type AddressSource, describeAddressFault } from '../addressFaults.ts';
import { followRedirects } from '../redirects.ts';
import { type PlaylistProblem, rewritePlaylist } from './playlistUris.ts';

export type MediaKind = 'hls' | 'mp4';

/** Media that were found at a URL. */
export interface FoundMedia {
  readonly kind: MediaKind;
  /** After redirects. */
  readonly url: string;
  /** Its playlist, if it is HLS. */
  readonly playlist: Uint8Array | undefined;
  /** Checks whether another URL may be requested for the media. */
  readonly check: (url: string) => CheckedUrl;
  /** The connection whose service must not reach this machine by a name; undefined if the media are on this machine. */
  readonly guarded: { readonly baseUrl: string } | undefined;
}

export type LocateProblem =
  | PlaylistProblem
  | { readonly kind: 'status'; readonly status: number; readonly host: string }
  | { readonly kind: 'htmlMedia' | 'tooManyRedirects' }
  | { readonly kind: 'refusedAddress' | 'unreachable'; readonly sentence: string };

type Located =
  | { readonly ok: true; readonly media: FoundMedia }
  | { readonly ok: false; readonly problem: LocateProblem };

export interface LocateRequest {
  readonly url: string;
  readonly kind: MediaKind;
  /** Whether the URL is from the user's own settings, not from the service, so it may be on this machine. */
  readonly isOwn?: boolean;
  readonly connection: { readonly baseUrl: string };
  readonly transport: Transport;
  readonly signal?: AbortSignal;
}

// A day in one-second segments is 9 MB.
export const MOST_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MP4_HEAD_BYTES = 1024;

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
    const sentence = describeOpening(error, error.host ?? new URL(first.url).host);
    return { ok: false, problem: { kind: 'unreachable', sentence } };
  }
}

/** Describes why nothing plays yet. No playback was lost, so a connection reset counts as an unreachable service. */
export function describeOpening(error: unknown, service: string | undefined): string {
  const isReset = isApiError(error) && error.why === 'reset';
  return describeError(isReset ? new ApiError(error.reason, error.message) : error, { service });
}

async function follow(request: LocateRequest): Promise<Located> {
  const followed = await followRedirects(request.url, {
    open: (url) => requestBeginning(request, url),
    check: (url) => checkUrl(url, request),
    connection: guardedBy(request),
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
type Beginning = ResponseHead & { readonly body: Uint8Array | undefined };

async function requestBeginning(request: LocateRequest, url: string): Promise<Beginning> {
  try {
    return await sendRequest(request, url);
  } catch (error) {
    // Without a status, the headers were too large.
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

function guardedBy({ url, isOwn = false, connection }: LocateRequest) {
  return isOwn && isHere(url) ? undefined : connection;
}

function refusedAddress(fault: AddressFault, source: AddressSource): LocateProblem {
  return { kind: 'refusedAddress', sentence: describeAddressFault(fault, source) };
}

function isHere(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && reachesThisMachine(parsed.hostname);
}

function toLocated(request: LocateRequest, url: string, { status, headers, body }: Beginning): Located {
  if (status < 200 || status >= 300) {
    return { ok: false, problem: { kind: 'status', status, host: new URL(url).host } };
  }
  const { kind } = request;
  const media = { kind, url, check: (each: string) => checkUrl(each, request), guarded: guardedBy(request) };
  if (kind === 'hls') {
    if (body === undefined) return { ok: false, problem: { kind: 'endlessPlaylist' } };
    const playlist = rewritePlaylist(readPlaylistResponse(body), { url, imported: new Map(), replace: (uri) => uri });
    return 'kind' in playlist ? { ok: false, problem: playlist } : { ok: true, media: { ...media, playlist: body } };
  }
  // A server that sends a whole MP4 although its beginning was requested has shown that the file exists.
  const isPage = body !== undefined && /\bhtml\b/i.test(headers['content-type'] ?? '');
  return isPage
    ? { ok: false, problem: { kind: 'htmlMedia' } }
    : { ok: true, media: { ...media, playlist: undefined } };
}

export function readPlaylistResponse(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}
