/** The format of a decoded stream; the same for all its frames. */
export interface PcmFormat {
  /** In samples per second. */
  readonly rate: number;
  readonly channels: number;
  readonly samplesPerFrame: number;
}

/** The most that a frame's header can express. */
export const MAX_CHANNELS = 8;
const BYTES_PER_SAMPLE = 2;
const STREAM_INFO_BYTES = 34;
/** Sync code, block size and rate, channels, frame number of up to six bytes, checksum. */
const FRAME_HEADER_AT_MOST = 17;
const CONSTANT = 0x00;
const VERBATIM = 0x02;
const SIXTEEN_BITS = 4;

/** Returns a STREAMINFO block without its header (RFC 9639, 8.2). */
export function writeStreamInfo({ rate, channels, samplesPerFrame }: PcmFormat): Uint8Array {
  const block = new Uint8Array(STREAM_INFO_BYTES);
  const view = new DataView(block.buffer);
  view.setUint16(0, samplesPerFrame);
  view.setUint16(2, samplesPerFrame);
  view.setUint32(10, ((rate << 12) | ((channels - 1) << 9) | ((BYTES_PER_SAMPLE * 8 - 1) << 4)) >>> 0);
  return block;
}

/**
 * Writes frames of FLAC (RFC 9639, 9) with 16 bits a sample. Channels that aren't silent are uncompressed, because they
 * are decoded again a few seconds later and never leave the page.
 */
export class FlacWriter {
  readonly #format: PcmFormat;
  readonly #room: Uint8Array;
  #number = 0;

  constructor(format: PcmFormat) {
    this.#format = format;
    const { channels, samplesPerFrame } = format;
    this.#room = new Uint8Array(
      FRAME_HEADER_AT_MOST + channels * (1 + samplesPerFrame * BYTES_PER_SAMPLE) + BYTES_PER_SAMPLE,
    );
  }

  /** Returns the next frame. `pcm` has the samples of one frame from -1 to 1, channel after channel for each time. */
  write(pcm: Float32Array): Uint8Array {
    const header = this.#writeHeader();
    let at = header;
    for (let channel = 0; channel < this.#format.channels; channel++) at = this.#writeChannel(pcm, channel, at);
    const checksum = crc16(this.#room.subarray(0, at));
    this.#room[at] = checksum >> 8;
    this.#room[at + 1] = checksum & 0xff;
    return this.#room.slice(0, at + 2);
  }

  #writeHeader(): number {
    const { channels, samplesPerFrame } = this.#format;
    const room = this.#room;
    // The rate is that of STREAMINFO; the block size follows the frame number.
    room.set([0xff, 0xf8, 0x70, ((channels - 1) << 4) | (SIXTEEN_BITS << 1)]);
    let at = 4 + writeNumber(room, 4, this.#number);
    this.#number = (this.#number + 1) % 2 ** 31;
    room[at++] = (samplesPerFrame - 1) >> 8;
    room[at++] = (samplesPerFrame - 1) & 0xff;
    room[at] = crc8(room.subarray(0, at));
    return at + 1;
  }

  #writeChannel(pcm: Float32Array, channel: number, from: number): number {
    const { channels, samplesPerFrame } = this.#format;
    const room = this.#room;
    let at = from + 1;
    let isConstant = true;
    const first = toSixteenBits(pcm[channel] ?? 0);
    for (let time = 0; time < samplesPerFrame; time++) {
      const sample = toSixteenBits(pcm[time * channels + channel] ?? 0);
      isConstant &&= sample === first;
      room[at++] = sample >> 8;
      room[at++] = sample & 0xff;
    }
    room[from] = isConstant ? CONSTANT : VERBATIM;
    return isConstant ? from + 1 + BYTES_PER_SAMPLE : at;
  }
}

/** NaN, which a decoder may make of damaged data, becomes 0. */
function toSixteenBits(value: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, Math.round(value * 0x8000))) || 0;
}

/** Writes a number as UTF-8 encodes characters. Returns the count of bytes. */
function writeNumber(room: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    room[at] = value;
    return 1;
  }
  let length = 2;
  while (value >= 2 ** (5 * length + 1)) length += 1;
  for (let index = length - 1, rest = value; index >= 0; index--) {
    const isFirst = index === 0;
    room[at + index] = isFirst ? ((0xff00 >> length) & 0xff) | rest : 0x80 | (rest & 0x3f);
    rest = Math.floor(rest / 64);
  }
  return length;
}

const crc8 = makeCrc(8, 0x07);
const crc16 = makeCrc(16, 0x8005);

function makeCrc(width: number, polynomial: number): (bytes: Uint8Array) => number {
  const mask = 2 ** width - 1;
  const top = 2 ** (width - 1);
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) crc = ((crc & top) === 0 ? crc << 1 : (crc << 1) ^ polynomial) & mask;
    return crc;
  });
  return (bytes) => {
    let crc = 0;
    for (const byte of bytes) crc = ((crc << 8) & mask) ^ (table[((crc >> (width - 8)) ^ byte) & 0xff] ?? 0);
    return crc;
  };
}
