import { Readable } from 'node:stream';
import type { Clock, DownloadRequest, Downloads, HttpRequest, HttpResponse, Log, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { ApiError, isAbortError } from '../errors.ts';
import { isNetworkFailure } from './networkErrors.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { readBody } from './readBody.ts';
import { createDownloads, createSender, PLAIN_BODY, withoutEncoding } from './sharedTransport.ts';

export interface FetchTransportOptions {
  /** The fetch of the editor, which supports system proxies, PAC files and system certificates. */
  readonly fetch: typeof globalThis.fetch;
  readonly settings: () => Pick<NetworkSettings, 'timeoutMs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
  readonly stallMs?: number;
}

/** Creates the transport for networks that only the editor can reach, such as through a PAC file. */
export function createFetchTransport({
  fetch,
  settings,
  clock,
  log,
  random = Math.random,
  stallMs,
}: FetchTransportOptions): Transport & Downloads & Disposable {
  const sender = createSender({ timeoutMs: () => settings().timeoutMs, clock, log, random }, (request, signal) =>
    sendOnce(fetch, request, signal),
  );
  const downloads = createDownloads({ clock, log, stallMs }, (request, signal) => openDownload(fetch, request, signal));
  return {
    send: sender.send,
    download: downloads.download,
    dispose() {
      sender.dispose();
      downloads.dispose();
    },
  };
}

async function openDownload(
  fetch: FetchTransportOptions['fetch'],
  { url, headers }: DownloadRequest,
  signal: AbortSignal,
) {
  const answer = await fetchOnce(fetch, url, { method: 'GET', headers: { ...PLAIN_BODY, ...headers }, signal });
  const body: AsyncIterable<Uint8Array> = answer.body ?? Readable.from([]);
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

/**
 * Returns the response to one request, redirects included. Throws ApiError (redirect) if fetch hides the redirect (a
 * response of status 0) and its target can't be determined.
 */
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
 * response, because the caller validates the URL first. Note that fetch has sent requests there by then: one that the
 * caller refuses, such as a URL of this machine, has been requested, without a key.
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
