import { Readable } from 'node:stream';
import type { Clock, DownloadRequest, Downloads, HttpRequest, HttpResponse, Log, Transport } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { createDownloads, PLAIN_BODY, withoutEncoding } from './downloads.ts';
import { ApiError } from './errors.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { readBody } from './readBody.ts';
import { createSender } from './sender.ts';

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

/** The transport for people whose network only the editor knows. Redirects are not even handed back: fetch hides them. */
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

/** An answer whose body is read by whoever gets it. Where fetch shows a redirect it is handed back, else it is an error. */
async function open(fetch: FetchTransportOptions['fetch'], { url, headers }: DownloadRequest, signal: AbortSignal) {
  const answer = await fetch(url, { headers: { ...PLAIN_BODY, ...headers }, redirect: 'manual', signal });
  if (answer.status === 0) throw new ApiError('invalidResponse', 'Redirected', { why: 'redirect' });
  const body: AsyncIterable<Uint8Array> = answer.body ?? Readable.from([]);
  return { status: answer.status, headers: withoutEncoding(Object.fromEntries(answer.headers)), body };
}

async function ask(
  fetch: FetchTransportOptions['fetch'],
  { method, url, headers, body, maxBytes, isJson }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // With If-None-Match alone fetch adds no-cache, and such a request never gets a 304 (api.md, Lists).
  const isConditional = 'if-none-match' in headers;
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(isConditional && { 'cache-control': 'max-age=0' }) },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  });
  const { status } = answer;
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) {
    await answer.body?.cancel();
    throw new ApiError('invalidResponse', 'Redirected', { why: 'redirect', ...(status > 0 && { status }) });
  }
  const plain = decodedHeaders(answer.headers);
  const source = answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
  return { status, headers: plain, body: await readBody(source, { status, headers: plain, maxBytes, isJson }) };
}

/** The headers of the body as fetch hands it over, which is decompressed. */
function decodedHeaders(headers: Headers): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return rest;
}
