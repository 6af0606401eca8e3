import { Readable } from 'node:stream';
import type { Clock, DownloadRequest, Downloads, HttpRequest, HttpResponse, Log, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { ApiError, isAbortError } from '../errors.ts';
import { createSender } from '../sender.ts';
import { createDownloads, PLAIN_BODY, withoutEncoding } from './downloads.ts';
import { isNetworkFailure } from './networkErrors.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { readBody } from './readBody.ts';

export interface FetchTransportOptions {
  /** The editor's, which knows system proxies, PAC files and the system's certificates. */
  readonly fetch: typeof globalThis.fetch;
  readonly settings: () => Pick<NetworkSettings, 'timeoutMs'>;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 to below 1, for the jitter of retries. */
  readonly random?: () => number;
  /** Milliseconds without a byte that end a try of a download; default 30 s. */
  readonly stallMs?: number;
}

/** The transport for people whose network only the editor knows. */
export function createFetchTransport({
  fetch,
  settings,
  clock,
  log,
  random = Math.random,
  stallMs,
}: FetchTransportOptions): Transport & Downloads & Disposable {
  const sender = createSender({ timeoutMs: () => settings().timeoutMs, clock, log, random }, (request, signal) =>
    ask(fetch, request, signal),
  );
  const downloads = createDownloads({ clock, log, stallMs }, (request, signal) => open(fetch, request, signal));
  return {
    send: sender.send,
    download: downloads.download,
    dispose() {
      sender.dispose();
      downloads.dispose();
    },
  };
}

/** An answer whose body is read by whoever gets it. */
async function open(fetch: FetchTransportOptions['fetch'], { url, headers }: DownloadRequest, signal: AbortSignal) {
  const answer = await fetchOnce(fetch, url, { method: 'GET', headers: { ...PLAIN_BODY, ...headers }, signal });
  const body: AsyncIterable<Uint8Array> = answer.body ?? Readable.from([]);
  return { status: answer.status, headers: withoutEncoding(Object.fromEntries(answer.headers)), body };
}

async function ask(
  fetch: FetchTransportOptions['fetch'],
  { method, url, headers, body, maxBytes, isJson }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // With If-None-Match alone fetch adds no-cache, and such a request never gets a 304 (src/api/README.md, Conditional requests).
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
 * Returns the answer to one request, a redirect too. Throws ApiError (redirect) where fetch hides the redirect (a response of
 * status 0) and its target cannot be found out.
 */
async function fetchOnce(fetch: FetchTransportOptions['fetch'], url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...request, redirect: 'manual' });
  if (answer.status !== 0) return answer;
  const target = mayFollow(request) ? await findRedirectTarget(fetch, url, request) : undefined;
  if (target === undefined) throw new ApiError('invalidResponse', 'Redirected', { why: 'redirect' });
  return new Response(null, { status: 302, headers: { location: target } });
}

/** Only what carries no key: fetch takes the headers of a request along. */
function mayFollow({ method, headers }: RequestInit): boolean {
  return method === 'GET' && !new Headers(headers).has('authorization');
}

/**
 * Returns the address after all redirects, undefined where fetch refuses to follow them or does not name it. Nothing of the
 * answer is used: the caller judges the address before it asks there.
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
    // Anything else is the redirect's own: a circle, or an address that is not followed.
    if (isAbortError(error) || isNetworkFailure(error)) throw error;
    return undefined;
  }
}

/** The headers of the body as fetch hands it over, which is decompressed. */
function decodedHeaders(headers: Headers): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return rest;
}
