import type { Socket } from 'node:net';

/** A request as it came. */
export interface FaultRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark; '' where there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Hands over the requests that come over a connection, one after the other. What comes is always read, so that the end of the
 * connection is seen whatever is under way.
 */
export function readRequests(socket: Socket, onRequest: (request: FaultRequest) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let taken = takeRequest(bytes); taken !== undefined; taken = takeRequest(bytes)) {
      bytes = taken.rest;
      onRequest(taken.request);
    }
  });
}

function takeRequest(bytes: Buffer): { readonly request: FaultRequest; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map(parseHeader));
  const from = end + 4;
  const to = from + Number(headers['content-length'] ?? 0);
  if (bytes.length < to) return undefined;
  const [method = '', target = ''] = first.split(' ');
  const [path = '', ...query] = target.split('?');
  const body = bytes.toString('utf8', from, to);
  return { request: { method, path, query: query.join('?'), headers, body }, rest: bytes.subarray(to) };
}

function parseHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
