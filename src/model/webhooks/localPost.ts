import { once } from 'node:events';
import { ClientRequest, type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { connect as connectNet, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from '../../api/loopback.ts';
import type { Clock } from '../../services.ts';
import { createDeadline, type Deadline } from '../../util/deadline.ts';
import { truncate } from '../../util/text.ts';
import { kindOfError, type LocalFailureKind } from './localFailure.ts';
import { type LocalAddress, type Lookup, resolveLocal } from './localUrl.ts';
import { withoutCutWord } from './maskDelivery.ts';

export interface LocalRequest {
  /** Checked with `checkLocalUrl`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

interface LocalResponse {
  readonly status: number;
  readonly statusText: string;
  /** The first 4 KiB, without a word that is cut off at the end; undefined if it isn't text. */
  readonly body: string | undefined;
}

export interface LocalOutcome {
  readonly failure: LocalFailureKind | undefined;
  readonly response: LocalResponse | undefined;
  /** In milliseconds. */
  readonly duration: number;
}

export type PostLocally = (request: LocalRequest) => Promise<LocalOutcome>;

/** The service's own timeout (src/api/README.md, Webhooks). */
const ANSWERED_WITHIN_MS = 30_000;
const LONGEST_STATUS_TEXT = 1024;
const READ_BYTES = 4096;

/**
 * Returns a function that posts only to loopback, for at most 30 seconds, without following redirects. It never
 * rejects. It connects without an agent, because VS Code makes agents use its proxy settings.
 */
export function createLocalPost({ clock, lookup }: { readonly clock: Clock; readonly lookup?: Lookup }): PostLocally {
  return async (request) => {
    const startedAt = clock.elapsed();
    const deadline = createDeadline(clock, ANSWERED_WITHIN_MS, request.signal);
    try {
      const resolved = await resolveLocal(request.url, lookup);
      const ended =
        'fault' in resolved
          ? { failure: resolved.fault === 'notResolved' ? ('notResolved' as const) : ('resolvesElsewhere' as const) }
          : await exchange(request, resolved.addresses, deadline);
      return { response: undefined, ...ended, duration: Math.max(0, clock.elapsed() - startedAt) };
    } finally {
      deadline.dispose();
    }
  };
}

const CONNECTED_WITHIN_MS = 1000;

/** Whether something listens at a URL that `checkLocalUrl` accepted. Sends nothing. */
export async function canConnect(url: string, { clock, lookup }: { readonly clock: Clock; readonly lookup?: Lookup }) {
  const resolved = await resolveLocal(url, lookup);
  if ('fault' in resolved) return false;
  const deadline = createDeadline(clock, CONNECTED_WITHIN_MS, new AbortController().signal);
  const socket = openSocket(url, resolved.addresses);
  try {
    await once(socket, 'connect', { signal: deadline.signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
    deadline.dispose();
  }
}

interface Exchanged {
  readonly failure: LocalFailureKind | undefined;
  readonly response?: LocalResponse | undefined;
}

function exchange(request: LocalRequest, addresses: readonly LocalAddress[], deadline: Deadline): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = openSocket(request.url, addresses);
    const sent = startRequest(request, socket);
    const end = (result: Exchanged): void => {
      deadline.signal.removeEventListener('abort', abort);
      resolve(result);
      sent.destroy();
      socket.destroy();
    };
    const abort = (): void => end({ failure: deadline.isOver ? 'timedOut' : 'stopped' });
    const fail = (error: unknown): void => end({ failure: kindOfError(error) });
    // Destroying the request and the socket may raise errors after the end.
    sent.on('error', fail);
    socket.on('error', fail);
    sent.on('response', (incoming) => readResponse(incoming, end));
    deadline.signal.addEventListener('abort', abort, { once: true });
    if (deadline.signal.aborted) abort();
    else sent.end(request.body);
  });
}

function startRequest({ url, headers, body }: LocalRequest, socket: Socket): ClientRequest {
  const { host, pathname, search } = new URL(url);
  return new ClientRequest({
    method: 'POST',
    path: pathname + search,
    setHost: false,
    headers: { ...withoutInvalid(headers), host, 'content-length': Buffer.byteLength(body), connection: 'close' },
    createConnection: () => socket,
  });
}

function openSocket(url: string, addresses: readonly LocalAddress[]): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = bareHost(hostname);
  // Connects to the addresses that were checked, even if the name resolves to others by now.
  const lookup = ((_host, _options, callback) => callback(null, [...addresses])) as LookupFunction;
  const options = { host, lookup, autoSelectFamily: true };
  if (protocol === 'http:') return connectNet({ ...options, port: Number(port || 80) });
  // Development servers have self-signed certificates, and the connection doesn't leave this computer.
  return connectTls({ ...options, port: Number(port || 443), rejectUnauthorized: false });
}

function readResponse(incoming: IncomingMessage, end: (result: Exchanged) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (): void => end(toExchanged(incoming, Buffer.concat(chunks)));
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, READ_BYTES - length));
    length += chunk.length;
    if (length >= READ_BYTES) finish();
  });
  incoming.on('end', finish);
  // The status has arrived; the rest of the body hasn't.
  incoming.on('error', finish);
}

function toExchanged(incoming: IncomingMessage, bytes: Uint8Array): Exchanged {
  const { statusCode: status = 0, statusMessage = '' } = incoming;
  const response = { status, statusText: truncate(statusMessage, LONGEST_STATUS_TEXT), body: decodeText(bytes) };
  return { response, failure: failureOfStatus(status) };
}

function failureOfStatus(status: number): LocalFailureKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // Decodes as a stream, which leaves out a character that is cut off at the end.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    if (text.includes('\0')) return undefined;
    return bytes.length < READ_BYTES ? text : withoutCutWord(text);
  } catch {
    return undefined;
  }
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
]);

// Recorded headers may be invalid.
function withoutInvalid(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !OWN_HEADERS.has(name.toLowerCase()) && isValid(name, value)),
  );
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
