import { randomBytes } from 'node:crypto';
import { type AmfValue, decodeAmf, encodeAmf } from './amf.ts';
import { type ChunkLimits, ChunkReader, encodeMessage, MESSAGE, type RtmpMessage } from './chunks.ts';
import { ProtocolError } from './protocolError.ts';

export interface RtmpCommand {
  readonly name: string;
  readonly transaction: number;
  /** The values after the transaction: the command object first, and then the arguments. */
  readonly args: readonly AmfValue[];
  readonly streamId: number;
}

interface ConnectionOptions extends ChunkLimits {
  readonly side: 'client' | 'server';
  readonly write: (bytes: Buffer) => void;
}

const PING = 6;
const PONG = 7;
const CHUNK_STREAM = { control: 2, command: 3, audio: 4, video: 5, data: 6 };

/** One RTMP connection without its socket: handshake, chunks, acknowledgements, and pings, from either side. */
export class RtmpConnection {
  readonly #write: (bytes: Buffer) => void;
  readonly #chunks: ChunkReader;
  readonly #handshake: ReturnType<typeof startHandshake>;
  #isReady = false;
  #chunkSize: number | undefined;
  #window = Number.POSITIVE_INFINITY;
  #received = 0;
  #acknowledged = 0;

  /** The client side writes the first bytes of the handshake immediately. */
  constructor({ side, write, ...limits }: ConnectionOptions) {
    this.#write = write;
    this.#chunks = new ChunkReader(limits);
    this.#handshake = startHandshake(side);
    if (this.#handshake.hello.length > 0) write(this.#handshake.hello);
  }

  /** Whether the handshake is complete, so that messages may be sent. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Returns the messages that `bytes` complete. Throws a ProtocolError if they aren't RTMP: close the socket then. */
  push(bytes: Buffer): readonly RtmpMessage[] {
    this.#received += bytes.length;
    const chunks = this.#isReady ? bytes : this.#shakeHands(bytes);
    if (chunks === undefined) return [];
    const messages = this.#chunks.push(chunks);
    for (const message of messages) this.#answer(message);
    this.#acknowledge();
    return messages;
  }

  /** Applies to messages sent from now on. RTMP's default is 128 bytes. */
  setChunkSize(size: number): void {
    this.#sendControl(MESSAGE.setChunkSize, size);
    this.#chunkSize = size;
  }

  /** Requests an acknowledgement from the peer for every `bytes` bytes, as servers do. */
  setWindowSize(bytes: number): void {
    this.#sendControl(MESSAGE.windowSize, bytes);
  }

  sendCommand(streamId: number, values: readonly [name: string, transaction: number, ...args: AmfValue[]]): void {
    this.send({ type: MESSAGE.command, streamId, timestamp: 0, payload: encodeAmf(values) });
  }

  send(message: RtmpMessage): void {
    this.#write(encodeMessage(message, chunkStreamOf(message.type), this.#chunkSize));
  }

  #shakeHands(bytes: Buffer): Buffer | undefined {
    const { reply, rest } = this.#handshake.push(bytes);
    if (reply.length > 0) this.#write(reply);
    this.#isReady = rest !== undefined;
    return rest;
  }

  #answer({ type, payload }: RtmpMessage): void {
    if (type === MESSAGE.windowSize && payload.length >= 4) this.#window = Math.max(1, payload.readUInt32BE());
    if (type !== MESSAGE.userControl || payload.length < 6 || payload.readUInt16BE() !== PING) return;
    const pong = Buffer.alloc(6);
    pong.writeUInt16BE(PONG);
    payload.copy(pong, 2, 2, 6);
    this.send({ type: MESSAGE.userControl, streamId: 0, timestamp: 0, payload: pong });
  }

  #acknowledge(): void {
    if (this.#received - this.#acknowledged < this.#window) return;
    this.#acknowledged = this.#received;
    this.#sendControl(MESSAGE.acknowledgement, this.#received >>> 0);
  }

  #sendControl(type: number, value: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(value);
    this.send({ type, streamId: 0, timestamp: 0, payload });
  }
}

function chunkStreamOf(type: number): number {
  if (type === MESSAGE.audio) return CHUNK_STREAM.audio;
  if (type === MESSAGE.video) return CHUNK_STREAM.video;
  if (type === MESSAGE.data) return CHUNK_STREAM.data;
  return type === MESSAGE.command ? CHUNK_STREAM.command : CHUNK_STREAM.control;
}

/** Returns undefined if the message isn't a command. Throws a ProtocolError if it's one without a name. */
export function readCommand({ type, payload, streamId }: RtmpMessage): RtmpCommand | undefined {
  if (type !== MESSAGE.command && type !== MESSAGE.amf3Command) return undefined;
  // All senders send an AMF3 command as one byte followed by AMF0.
  const [name, transaction, ...args] = decodeAmf(type === MESSAGE.command ? payload : payload.subarray(1));
  if (typeof name !== 'string') throw new ProtocolError('The peer sent a command without a name');
  return { name, transaction: typeof transaction === 'number' ? transaction : 0, args, streamId };
}

const VERSION = 3;
const PART = 1536;

interface Handshake {
  /** The bytes to send before anything arrives: empty on the server side. */
  readonly hello: Buffer;
  /** Returns the reply to `bytes` and, once the handshake is complete, the bytes that follow it. */
  push(bytes: Buffer): { readonly reply: Buffer; readonly rest: Buffer | undefined };
}

/**
 * The simple handshake of RTMP, version 3, from either side. Senders that offer the digest form accept a server that
 * responds with the simple form. Throws a ProtocolError if the peer uses another version or protocol.
 */
function startHandshake(side: 'client' | 'server'): Handshake {
  const own = Buffer.concat([Buffer.of(VERSION), Buffer.alloc(8), randomBytes(PART - 8)]);
  const isServer = side === 'server';
  let received: Buffer = Buffer.alloc(0);
  let hasReplied = false;
  return {
    hello: isServer ? Buffer.alloc(0) : own,
    push(bytes) {
      received = Buffer.concat([received, bytes]);
      if (received.length > 0 && received[0] !== VERSION) throw new ProtocolError('The peer is not RTMP 3');
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
