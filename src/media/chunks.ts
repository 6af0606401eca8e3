import { ProtocolError } from './protocolError.ts';

/** Message types of RTMP that this code sends or understands. */
export const MESSAGE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  amf3Command: 17,
  data: 18,
  command: 20,
} as const;

export interface RtmpMessage {
  readonly type: number;
  /** The RTMP message stream: 0 for the connection itself. */
  readonly streamId: number;
  /** Milliseconds, modulo 2³². */
  readonly timestamp: number;
  readonly payload: Buffer;
}

interface Header {
  readonly type: number;
  readonly streamId: number;
  readonly length: number;
  /** From the last header: an absolute time or a delta. Repeated by a chunk without a header. */
  readonly time: number;
  readonly isExtended: boolean;
}

interface ChunkStream {
  header: Header | undefined;
  timestamp: number;
  message: { readonly payload: Buffer; filled: number } | undefined;
}

const HEADER_BYTES = [11, 7, 3, 0];
const EXTENDED = 0xffffff;
const DEFAULT_CHUNK_SIZE = 128;
const LARGEST_CHUNK_SIZE = 0xffffff;
const LARGEST_MESSAGE = 1024 * 1024;
const MOST_CHUNK_STREAMS = 64;
const MOST_OPEN_MESSAGES = 8;
// A message without content can be a single byte, so 64 KiB from a socket could be 65,536 messages.
const MOST_MESSAGES_A_PUSH = 4096;

export interface ChunkLimits {
  /** In bytes. Default: 1 MiB. */
  readonly largestMessage?: number | undefined;
  /** Over the whole connection. Default: no limit. */
  readonly mostMessages?: number | undefined;
}

/**
 * Turns the bytes of an RTMP connection, after its handshake, into messages. Applies Set Chunk Size and Abort itself
 * and returns them too. Memory and work are bounded: at most eight messages are incomplete at a time, and one push
 * completes at most 4,096.
 */
export class ChunkReader {
  readonly #largestMessage: number;
  #messagesLeft: number;
  readonly #streams = new Map<number, ChunkStream>();
  #openMessages = 0;
  #chunkSize = DEFAULT_CHUNK_SIZE;
  #rest: Buffer = Buffer.alloc(0);
  /** The chunk whose payload is being read. */
  #current: { readonly stream: ChunkStream; left: number } | undefined;

  constructor({ largestMessage = LARGEST_MESSAGE, mostMessages = Number.POSITIVE_INFINITY }: ChunkLimits = {}) {
    this.#largestMessage = largestMessage;
    this.#messagesLeft = mostMessages;
  }

  /** Returns the messages that `bytes` complete. Throws a ProtocolError if they aren't RTMP: close the socket then. */
  push(bytes: Buffer): readonly RtmpMessage[] {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: RtmpMessage[] = [];
    let offset = 0;
    for (;;) {
      const used = this.#current === undefined ? this.#readHeader(input, offset) : this.#readPayload(input, offset);
      if (used === undefined) break;
      offset += used;
      const message = this.#takeMessage();
      if (message === undefined) continue;
      messages.push(message);
      this.#messagesLeft -= 1;
      if (messages.length > MOST_MESSAGES_A_PUSH || this.#messagesLeft < 0) throw violation('too many messages');
    }
    // A copy, so that a few bytes of a header don't keep the whole input in memory.
    this.#rest = Buffer.from(input.subarray(offset));
    return messages;
  }

  /** Returns the size of the header in bytes, or undefined if it isn't complete. */
  #readHeader(input: Buffer, offset: number): number | undefined {
    const basic = readBasicHeader(input, offset);
    if (basic === undefined) return undefined;
    const stream = this.#streamOf(basic.id);
    const size = HEADER_BYTES[basic.format] ?? 0;
    const start = offset + basic.size;
    if (input.length < start + size) return undefined;
    const field = size === 0 ? undefined : input.readUIntBE(start, 3);
    const isExtended = field === undefined ? stream.header?.isExtended === true : field === EXTENDED;
    const end = start + size + (isExtended ? 4 : 0);
    if (input.length < end) return undefined;
    const time = isExtended ? input.readUInt32BE(start + size) : (field ?? stream.header?.time ?? 0);
    this.#startChunk(stream, basic.format, readMessageHeader(input.subarray(start, start + size), stream.header, time));
    return end - offset;
  }

  #streamOf(id: number): ChunkStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    if (this.#streams.size >= MOST_CHUNK_STREAMS) throw violation('too many chunk streams');
    const stream: ChunkStream = { header: undefined, timestamp: 0, message: undefined };
    this.#streams.set(id, stream);
    return stream;
  }

  #startChunk(stream: ChunkStream, format: number, header: Header): void {
    if (stream.message === undefined) {
      this.#checkRoom(header.length);
      stream.header = header;
      stream.timestamp = (format === 0 ? header.time : stream.timestamp + header.time) >>> 0;
      stream.message = { payload: Buffer.alloc(header.length), filled: 0 };
      this.#openMessages += 1;
    } else if (format !== 3) throw violation('a message that starts within another of its chunk stream');
    const { payload, filled } = stream.message;
    this.#current = { stream, left: Math.min(this.#chunkSize, payload.length - filled) };
  }

  #checkRoom(length: number): void {
    if (length > this.#largestMessage) throw violation(`a message of ${length} bytes`);
    if (this.#openMessages >= MOST_OPEN_MESSAGES) throw violation('too many incomplete messages');
  }

  /** Returns the number of bytes read, or undefined if more are needed. */
  #readPayload(input: Buffer, offset: number): number | undefined {
    const chunk = this.#current;
    const message = chunk?.stream.message;
    if (chunk === undefined || message === undefined || offset >= input.length) return undefined;
    const size = Math.min(chunk.left, input.length - offset);
    input.copy(message.payload, message.filled, offset, offset + size);
    message.filled += size;
    chunk.left -= size;
    return size;
  }

  /** Ends the current chunk if it's complete, and returns the message if that is complete too. */
  #takeMessage(): RtmpMessage | undefined {
    if (this.#current === undefined || this.#current.left > 0) return undefined;
    const { stream } = this.#current;
    this.#current = undefined;
    const { header, message, timestamp } = stream;
    if (header === undefined || message === undefined || message.filled < message.payload.length) return undefined;
    this.#closeMessage(stream);
    const taken = { type: header.type, streamId: header.streamId, timestamp, payload: message.payload };
    this.#apply(taken);
    return taken;
  }

  #apply({ type, payload }: RtmpMessage): void {
    if (type === MESSAGE.setChunkSize) {
      const size = payload.length >= 4 ? payload.readUInt32BE() : 0;
      if (size < 1 || size > LARGEST_CHUNK_SIZE) throw violation(`a chunk size of ${size}`);
      this.#chunkSize = size;
    } else if (type === MESSAGE.abort && payload.length >= 4) {
      const stream = this.#streams.get(payload.readUInt32BE());
      if (stream?.message !== undefined) this.#closeMessage(stream);
    }
  }

  #closeMessage(stream: ChunkStream): void {
    stream.message = undefined;
    this.#openMessages -= 1;
  }
}

function readBasicHeader(input: Buffer, offset: number): { format: number; id: number; size: number } | undefined {
  const [first, second, third] = input.subarray(offset, offset + 3);
  if (first === undefined) return undefined;
  const format = first >> 6;
  const id = first & 0x3f;
  if (id > 1) return { format, id, size: 1 };
  if (second === undefined) return undefined;
  if (id === 0) return { format, id: 64 + second, size: 2 };
  return third === undefined ? undefined : { format, id: 64 + second + third * 256, size: 3 };
}

/** `bytes` is a message header in any of the four formats; missing fields come from the `previous` one. */
function readMessageHeader(bytes: Buffer, previous: Header | undefined, time: number): Header {
  // librtmp, which OBS uses, responds to a ping on a separate chunk stream that begins with the second format.
  if (bytes.length < 7 && previous === undefined) throw violation('a chunk stream that starts without a header');
  return {
    type: bytes[6] ?? previous?.type ?? 0,
    length: bytes.length < 7 ? (previous?.length ?? 0) : bytes.readUIntBE(3, 3),
    streamId: bytes.length < 11 ? (previous?.streamId ?? 0) : bytes.readUInt32LE(7),
    isExtended: bytes.length === 0 ? previous?.isExtended === true : bytes.readUIntBE(0, 3) === EXTENDED,
    time,
  };
}

function violation(what: string): ProtocolError {
  return new ProtocolError(`The peer sent ${what}`);
}

/** Returns the chunks of one message as one buffer. `chunkStream` is 2 to 63. A message begins with a full header. */
export function encodeMessage(message: RtmpMessage, chunkStream: number, chunkSize = DEFAULT_CHUNK_SIZE): Buffer {
  const { payload } = message;
  const isExtended = message.timestamp >= EXTENDED;
  const continuation = Buffer.alloc(isExtended ? 5 : 1, 0xc0 | chunkStream);
  if (isExtended) continuation.writeUInt32BE(message.timestamp, 1);
  const parts = [fullHeader(message, chunkStream), payload.subarray(0, chunkSize)];
  for (let at = chunkSize; at < payload.length; at += chunkSize) {
    parts.push(continuation, payload.subarray(at, at + chunkSize));
  }
  return Buffer.concat(parts);
}

function fullHeader({ type, streamId, timestamp, payload }: RtmpMessage, chunkStream: number): Buffer {
  const header = Buffer.alloc(timestamp >= EXTENDED ? 16 : 12);
  header[0] = chunkStream;
  header.writeUIntBE(Math.min(timestamp, EXTENDED), 1, 3);
  header.writeUIntBE(payload.length, 4, 3);
  header[7] = type;
  header.writeUInt32LE(streamId, 8);
  if (timestamp >= EXTENDED) header.writeUInt32BE(timestamp, 12);
  return header;
}
