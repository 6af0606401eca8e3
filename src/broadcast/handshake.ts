import { randomBytes } from 'node:crypto';
import { BroadcastError } from './errors.ts';

const VERSION = 3;
const PART = 1536;

export interface Handshake {
  /** What to send before anything arrives: nothing on the server's side. */
  readonly hello: Buffer;
  /** What to send in return for `bytes`, and, once the handshake is complete, the bytes that follow it. */
  push(bytes: Buffer): { readonly reply: Buffer; readonly rest: Buffer | undefined };
}

/**
 * The simple handshake of RTMP, version 3, from either side. A server that answers with the simple form is accepted by
 * senders that offer the digest form. Throws a BroadcastError if the peer speaks another version or protocol.
 */
export function startHandshake(side: 'client' | 'server'): Handshake {
  const own = Buffer.concat([Buffer.of(VERSION), Buffer.alloc(8), randomBytes(PART - 8)]);
  const isServer = side === 'server';
  let received: Buffer = Buffer.alloc(0);
  let hasReplied = false;
  return {
    hello: isServer ? Buffer.alloc(0) : own,
    push(bytes) {
      received = Buffer.concat([received, bytes]);
      if (received.length > 0 && received[0] !== VERSION)
        throw new BroadcastError('protocol', 'The peer is not RTMP 3');
      let reply: Buffer = Buffer.alloc(0);
      if (!hasReplied && received.length >= 1 + PART) {
        hasReplied = true;
        const echo = received.subarray(1, 1 + PART);
        reply = isServer ? Buffer.concat([own, echo]) : Buffer.from(echo);
      }
      return { reply, rest: received.length < 1 + 2 * PART ? undefined : received.subarray(1 + 2 * PART) };
    },
  };
}
