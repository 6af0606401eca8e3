import { Readable } from 'node:stream';
import type { DownloadRequest, HttpRequest, HttpResponse } from '../../services.ts';
import { ApiError, isAbortError } from '../errors.ts';
import { isNetworkFailure } from './networkErrors.ts';
import type { NetworkSettings } from './proxyRoute.ts';
import { readBody } from './readBody.ts';
import {
  createSharedTransport,
  PLAIN_BODY,
  type SharedOptions,
  type WholeTransport,
  withoutEncoding,
} from './sharedTransport.ts';

interface FetchTransportOptions extends SharedOptions {
  /** The editor's fetch, which supports system proxies, PAC files, and system certificates. */
  readonly fetch: typeof globalThis.fetch;
  readonly settings: () => NetworkSettings;
}

/** Creates the transport for networks that only the editor can reach, such as through a PAC file. */
export function createFetchTransport({ fetch, settings, ...options }: FetchTransportOptions): WholeTransport {
  return createSharedTransport(
    { ...options, timeoutMs: () => settings().timeoutMs },
    {
      send: (request, signal) => sendOnce(fetch, request, signal),
      download: (request, signal) => openDownload(fetch, request, signal),
    },
  );
}

async function openDownload(
  fetch: FetchTransportOptions['fetch'],
  { url, headers }: DownloadRequest,
  signal: AbortSignal,
) {
  const answer = await fetchOnce(fetch, url, { method: 'GET', headers: { ...PLAIN_BODY, ...headers }, signal });
  // Reading begins immediately: Node cancels an unread body when its Response is collected as garbage.
  const body: AsyncIterable<Uint8Array> = answer.body?.values() ?? Readable.from([]);
  return { status: answer.status, headers: withoutEncoding(Object.fromEntries(answer.headers)), body };
}

async function sendOnce(
  fetch: FetchTransportOptions['fetch'],
  { method, url, headers, body, maxBytes, isJson }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // With only If-None-Match, fetch adds no-cache, which rules out a 304 (src/api/README.md, Conditional requests).
  const isConditional = 'if-none-match' in headers;
  const answer = await fetchOnce(fetch, url, {
    method,
    headers: { ...headers, ...(isConditional && { 'cache-control': 'max-age=0' }) },
    ...(body !== undefined && { body }),
    signal,
  });
  const { status } = answer;
  const plain = decodedHeaders(answer.headers);
  const source = answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
  return { status, headers: plain, body: await readBody(source, { status, headers: plain, maxBytes, isJson }) };
}

// Returns the response, or the redirect. Throws ApiError (redirect) if fetch hides its target.
async function fetchOnce(fetch: FetchTransportOptions['fetch'], url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...request, redirect: 'manual' });
  if (answer.status !== 0) return answer;
  const target = mayFollow(request) ? await findRedirectTarget(fetch, url, request) : undefined;
  if (target === undefined) throw new ApiError('invalidResponse', 'Redirected', { why: 'redirect' });
  return new Response(null, { status: 302, headers: { location: target } });
}

function mayFollow({ method, headers }: RequestInit): boolean {
  // fetch sends the headers of the request along, so requests with an API key are never followed.
  return method === 'GET' && !new Headers(headers).has('authorization');
}

/**
 * Returns the URL after all redirects, or undefined if fetch refuses to follow them or doesn't report it. Ignores the
 * response, because the caller validates the URL first. Note that fetch has sent requests there by then: a URL that the
 * caller refuses, such as one of this machine, has already been requested, without a key.
 */
async function findRedirectTarget(
  fetch: FetchTransportOptions['fetch'],
  url: string,
  request: RequestInit,
): Promise<string | undefined> {
  try {
    const followed = await fetch(url, { ...request, redirect: 'follow' });
    await followed.body?.cancel();
    return followed.redirected && followed.url !== '' ? followed.url : undefined;
  } catch (error) {
    // Any other error is about the redirect: a loop, or a URL that fetch doesn't follow.
    if (isAbortError(error) || isNetworkFailure(error)) throw error;
    return undefined;
  }
}

function decodedHeaders(headers: Headers): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return rest;
}
