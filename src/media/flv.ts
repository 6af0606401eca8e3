import { MESSAGE } from './chunks.ts';
import { ProtocolError } from './protocolError.ts';

/** The media in one RTMP message or FLV tag. */
export interface MediaPacket {
  readonly kind: 'audio' | 'video';
  /** When it's decoded, in milliseconds since the source began. */
  readonly time: number;
  /** Whether it has decoder settings, which have to be sent first on each connection. */
  readonly isHeader: boolean;
  /** Whether decoding can start here. Always true for audio. */
  readonly isKeyFrame: boolean;
  readonly body: Buffer;
}

const AVC = 7;
const KEY_FRAME = 1;
const INTER_FRAME = 2;
/** AAC; rate, size, and channels have fixed values that readers ignore. */
const AAC = 0xaf;
const LARGEST_TAG = 4 * 1024 * 1024;
const FILE_HEADER = 9;
const TAG_HEADER = 11;
const TAG_END = 4;

/** @param configuration the content of an avcC box (video), or an AudioSpecificConfig */
export function headerPacket(kind: MediaPacket['kind'], configuration: Buffer): MediaPacket {
  const prefix = kind === 'video' ? Buffer.of((KEY_FRAME << 4) | AVC, 0, 0, 0, 0) : Buffer.of(AAC, 0);
  return { kind, time: 0, isHeader: true, isKeyFrame: true, body: Buffer.concat([prefix, configuration]) };
}

interface FrameTime {
  readonly time: number;
  /** The time from decoding to display, in milliseconds. */
  readonly delay: number;
  readonly isKeyFrame: boolean;
}

/** @param data one access unit: NAL units with their lengths */
export function videoPacket(data: Buffer, { time, delay, isKeyFrame }: FrameTime): MediaPacket {
  const prefix = Buffer.of(((isKeyFrame ? KEY_FRAME : INTER_FRAME) << 4) | AVC, 1, 0, 0, 0);
  prefix.writeIntBE(Math.max(-0x800000, Math.min(delay, 0x7fffff)), 2, 3);
  return { kind: 'video', time, isHeader: false, isKeyFrame, body: Buffer.concat([prefix, data]) };
}

export function audioPacket(data: Buffer, time: number): MediaPacket {
  return { kind: 'audio', time, isHeader: false, isKeyFrame: true, body: Buffer.concat([Buffer.of(AAC, 1), data]) };
}

/** Reads an FLV stream of H.264 and AAC, skipping other tags. Memory is bounded by one tag of 4 MiB. */
export class FlvReader {
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  /** Returns the packets that `bytes` complete. Throws a ProtocolError if they aren't FLV. */
  push(bytes: Buffer): readonly MediaPacket[] {
    let input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const packets: MediaPacket[] = [];
    for (;;) {
      const length = this.#isStarted ? tagLength(input) : fileHeaderLength(input);
      if (length === undefined || input.length < length) break;
      const packet = this.#isStarted ? readTag(input.subarray(0, length)) : undefined;
      if (packet !== undefined) packets.push(packet);
      this.#isStarted = true;
      input = input.subarray(length);
    }
    this.#rest = Buffer.from(input);
    return packets;
  }
}

function fileHeaderLength(input: Buffer): number | undefined {
  if (input.length < FILE_HEADER) return undefined;
  const length = input.readUInt32BE(5);
  if (input.toString('latin1', 0, 3) !== 'FLV' || length < FILE_HEADER || length > 1024) throw notFlv('no file header');
  return length + TAG_END;
}

function tagLength(input: Buffer): number | undefined {
  if (input.length < TAG_HEADER) return undefined;
  const length = input.readUIntBE(1, 3);
  if (length > LARGEST_TAG) throw notFlv(`a tag of ${length} bytes`);
  return TAG_HEADER + length + TAG_END;
}

function readTag(tag: Buffer): MediaPacket | undefined {
  const type = tag[0];
  const body = Buffer.from(tag.subarray(TAG_HEADER, tag.length - TAG_END));
  const [first = 0, second] = body;
  const time = tag.readUIntBE(4, 3) + (tag[7] ?? 0) * 0x1000000;
  const isHeader = second === 0;
  if (type === MESSAGE.audio && first >> 4 === AAC >> 4 && body.length >= 2) {
    return { kind: 'audio', time, isHeader, isKeyFrame: true, body };
  }
  if (type !== MESSAGE.video || (first & 0x0f) !== AVC || body.length < 5) return undefined;
  return { kind: 'video', time, isHeader, isKeyFrame: first >> 4 === KEY_FRAME, body };
}

function notFlv(what: string): ProtocolError {
  return new ProtocolError(`${what} instead of FLV`);
}
