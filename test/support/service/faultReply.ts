import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** How a connection comes to its end, or does not. */
export type Ending = 'reset' | 'close' | 'stall';

/** Where an answer breaks off. */
export type Place = 'beforeHead' | 'inHead' | 'afterHead' | 'inBody' | 'afterBody';

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Default: 1.1. */
  readonly version?: '1.0' | '1.1';
  /** Statuses from 100 to 199 that go before it. */
  readonly informational?: readonly number[];
  /** How the body's end is told: by its length, by chunks, or by the end of the connection. Default: length. */
  readonly framing?: 'length' | 'chunked' | 'close';
  /** The Content-Length that is said, whatever the body's is. */
  readonly claimed?: number;
  /** Sent after the chunks. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** The body again and again, so often. */
  readonly repeat?: number;
  readonly cut?: { readonly at: Place; readonly how: Ending };
  /** Milliseconds before each byte, of all or of the body alone. */
  readonly drip?: { readonly ms: number; readonly from: 'head' | 'body' };
}

/** Writes an answer. True when the connection can take another request after it. */
export async function writeReply(socket: Socket, reply: Reply): Promise<boolean> {
  const { cut, drip } = reply;
  const stretch = (bytes: Uint8Array, at: Place) => (cut?.at === at ? bytes.subarray(0, bytes.length / 2) : bytes);
  if (cut?.at === 'beforeHead') return end(socket, cut.how);
  await write(socket, stretch(headOf(reply), 'inHead'), drip?.from === 'head' ? drip.ms : undefined);
  if (cut?.at === 'inHead' || cut?.at === 'afterHead') return end(socket, cut.how);
  const body = stretch(bodyOf(reply), 'inBody');
  for (let times = reply.repeat ?? 1; times > 0 && !socket.destroyed; times -= 1) await write(socket, body, drip?.ms);
  if (cut !== undefined) return end(socket, cut.how);
  await write(socket, endOf(reply), drip?.ms);
  const isLast = reply.version === '1.0' || reply.framing === 'close' || reply.claimed !== undefined;
  return isLast ? end(socket, 'close') : true;
}

function end(socket: Socket, how: Ending): false {
  if (how === 'reset') socket.resetAndDestroy();
  if (how === 'close') socket.end();
  return false;
}

function headOf({ status, headers, body, repeat = 1, framing = 'length', ...reply }: Reply): Uint8Array {
  const version = `HTTP/${reply.version ?? '1.1'}`;
  const length = reply.claimed ?? Buffer.byteLength(body) * repeat;
  const isCounted = framing === 'length' && (status !== 204 || length > 0);
  // HTTP/1.0 has no such thing.
  const early = reply.version === '1.0' ? [] : (reply.informational ?? []);
  const lines = [
    ...early.flatMap((code) => [`${version} ${code} Early`, 'x-early: 1', '']),
    `${version} ${status} Status`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(isCounted ? [`content-length: ${length}`] : []),
    ...(framing === 'chunked' ? ['transfer-encoding: chunked'] : []),
    ...(reply.trailers === undefined ? [] : [`trailer: ${Object.keys(reply.trailers).join(', ')}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function bodyOf({ body, framing }: Reply): Uint8Array {
  const bytes = Buffer.from(body);
  if (framing !== 'chunked' || bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function endOf({ framing, trailers = {} }: Reply): Uint8Array {
  if (framing !== 'chunked') return Buffer.alloc(0);
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`0\r\n${lines.join('')}\r\n`, 'latin1');
}

async function write(socket: Socket, bytes: Uint8Array, ms: number | undefined): Promise<void> {
  if (ms === undefined) return writeAtOnce(socket, bytes);
  for (const byte of bytes) {
    if (socket.destroyed) return;
    await wait(ms);
    await writeAtOnce(socket, Uint8Array.of(byte));
  }
}

async function writeAtOnce(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0 || socket.destroyed) return;
  if (socket.write(bytes)) return;
  // Not by events.once, which rejects when the connection is reset.
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
