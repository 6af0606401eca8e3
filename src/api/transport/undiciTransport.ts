import type { Clock, DownloadRequest, Downloads, HttpRequest, HttpResponse, Log, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { ApiError } from '../errors.ts';
import { Agents } from './agents.ts';
import { createDownloads, PLAIN_BODY, withoutEncoding } from './downloads.ts';
import { isUntrusted } from './networkErrors.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { type Route, routeOf } from './proxyRoute.ts';
import { ACCEPTED_ENCODINGS, decode, readBody } from './readBody.ts';
import { createSender } from './sender.ts';
import { createSystemCertificates } from './systemCertificates.ts';

export type { NetworkSettings } from './networkSettings.ts';

export interface TransportOptions {
  readonly settings: () => NetworkSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
  readonly stallMs?: number;
}

type Dispatcher = import('./undici.ts').Dispatcher;
type UsableRoute = Exclude<Route, { kind: 'unsupported' }>;

export function createUndiciTransport({
  settings,
  clock,
  log,
  random = Math.random,
  stallMs,
}: TransportOptions): Transport & Downloads & Disposable {
  const certificates = createSystemCertificates(log);
  let opened: Promise<Agents> | undefined;

  async function sendVia<T>(
    route: UsableRoute,
    signal: AbortSignal,
    use: (agent: Dispatcher) => Promise<T>,
  ): Promise<T> {
    opened ??= load();
    const agents = await opened;
    signal.throwIfAborted();
    const current = settings();
    const context = usesSystemCertificates(current) ? certificates.context : undefined;
    const agent = agents.get({ route, settings: current, context });
    try {
      return await use(agent);
    } catch (error) {
      const mayHelp = context === undefined && usesSystemCertificates(current) && isUntrusted(error);
      // Not a retry, whatever the method: nothing was sent yet.
      if (mayHelp && (await certificates.load())) return sendVia(route, signal, use);
      throw error;
    }
  }

  async function sendByRoute<T>(url: string, signal: AbortSignal, use: (agent: Dispatcher) => Promise<T>): Promise<T> {
    const route = routeOf(url, settings());
    if (route.kind !== 'unsupported') return sendVia(route, signal, use);
    throw new ApiError('network', 'The proxy is neither http nor https', { why: 'proxyUnsupported' });
  }

  const sender = createSender({ timeoutMs: () => settings().timeoutMs, clock, log, random }, (request, signal) =>
    sendByRoute(request.url, signal, (agent) => sendOnce(agent, request, signal)),
  );
  const downloads = createDownloads({ clock, log, stallMs }, (request, signal) =>
    sendByRoute(request.url, signal, (agent) => openDownload(agent, request, signal)),
  );
  return {
    send: sender.send,
    download: downloads.download,
    dispose() {
      sender.dispose();
      downloads.dispose();
      certificates.dispose();
      opened?.then((agents) => agents.dispose()).catch(() => {});
    },
  };
}

async function load(): Promise<Agents> {
  return new Agents(await import('./undici.ts'));
}

function usesSystemCertificates({ strictSSL = true, systemCertificates = true }: NetworkSettings): boolean {
  return strictSSL && systemCertificates;
}

async function sendOnce(
  dispatcher: Dispatcher,
  { method, url, headers, body, maxBytes, isJson }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const accepting = { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers };
  const answer = await dispatcher.request({ ...requestOptions(url, accepting, signal), method, body: body ?? null });
  const status = answer.statusCode;
  const plain = joinHeaders(answer.headers);
  return { status, headers: plain, body: await readBody(answer.body, { status, headers: plain, maxBytes, isJson }) };
}

async function openDownload(dispatcher: Dispatcher, { url, headers }: DownloadRequest, signal: AbortSignal) {
  const answer = await dispatcher.request({
    ...requestOptions(url, { ...PLAIN_BODY, ...headers }, signal),
    method: 'GET',
  });
  // Errors of an unread body are irrelevant.
  answer.body.on('error', () => {});
  const plain = joinHeaders(answer.headers);
  const body: AsyncIterable<Uint8Array> = await decode(answer.body, plain['content-encoding']);
  return { status: answer.statusCode, headers: withoutEncoding(plain), body };
}

/** Returns the options that all requests share. Disables undici's timeouts: deadlines are ours, per call or stall. */
function requestOptions(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: `${pathname}${search}`,
    headers: { 'user-agent': 'live-streams', ...headers },
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(joined);
}
