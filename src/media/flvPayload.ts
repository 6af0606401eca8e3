import { AAC_CHANNELS, AAC_RATES, readAudioSpecificConfig } from './aac.ts';
import { BitReader } from './bitReader.ts';
import type { AudioFormat, TrackFormat, VideoFormat } from './mp4.ts';
import { ProtocolError } from './protocolError.ts';

/** The content of one audio or video message. Times are in milliseconds. */
export type MediaPart =
  | { readonly kind: 'format'; readonly format: TrackFormat }
  | {
      readonly kind: 'video';
      readonly data: Buffer;
      readonly isKey: boolean;
      /** The time from decoding to display. */
      readonly compositionOffset: number;
    }
  | { readonly kind: 'audio'; readonly data: Buffer }
  | { readonly kind: 'unsupported'; readonly media: 'video' | 'audio'; readonly codec: string };

const UNKNOWN_CODEC = 'an unknown codec';
const VIDEO_CODECS: Readonly<Record<string, string>> = {
  2: 'H.263',
  3: 'Screen video',
  4: 'VP6',
  5: 'VP6',
  12: 'HEVC',
  hvc1: 'HEVC',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
};
const AUDIO_CODECS: Readonly<Record<string, string>> = {
  0: 'PCM',
  1: 'ADPCM',
  2: 'MP3',
  3: 'PCM',
  7: 'G.711',
  8: 'G.711',
  11: 'Speex',
  14: 'MP3',
  '.mp3': 'MP3',
  Opus: 'Opus',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  fLaC: 'FLAC',
};

const H264 = 7;
const AAC = 10;
const AUDIO_WITH_FOURCC = 9;
const HAS_FOURCC = 0x80;
const KEY_FRAME = 1;
// Packet types for both H.264 and AAC. With a FourCC, a third type has frames without a composition offset.
const CONFIGURATION = 0;
const FRAMES = 1;
const FRAMES_WITHOUT_OFFSET = 3;
const MOST_CONFIGURATION_BYTES = 4096;

/** Reads the payload of an RTMP video message. Undefined if it has nothing to play. Throws a ProtocolError. */
export function readVideo(payload: Buffer): MediaPart | undefined {
  const [first] = payload;
  if (first === undefined || payload.length < 5) return undefined;
  const isKey = ((first >> 4) & 7) === KEY_FRAME;
  const hasFourcc = (first & HAS_FOURCC) !== 0;
  const codec = hasFourcc ? payload.toString('latin1', 1, 5) : first & 15;
  if (codec !== H264 && codec !== 'avc1') {
    return { kind: 'unsupported', media: 'video', codec: nameOf(codec, VIDEO_CODECS) };
  }
  const packetType = hasFourcc ? first & 15 : payload[1];
  const body = payload.subarray(5);
  if (packetType === CONFIGURATION) {
    return { kind: 'format', format: readVideoFormat(body) };
  }
  if (packetType === FRAMES_WITHOUT_OFFSET && hasFourcc) return frame(body, isKey, 0);
  if (packetType !== FRAMES) return undefined;
  if (!hasFourcc) return frame(body, isKey, payload.readIntBE(2, 3));
  return body.length < 3 ? undefined : frame(body.subarray(3), isKey, body.readIntBE(0, 3));
}

function frame(data: Buffer, isKey: boolean, compositionOffset: number): MediaPart | undefined {
  return data.length === 0 ? undefined : { kind: 'video', data, isKey, compositionOffset };
}

function readVideoFormat(configuration: Buffer): VideoFormat {
  const setBytes = configuration.length >= 8 ? configuration.readUInt16BE(6) : 0;
  const hasSet = configuration[0] === 1 && ((configuration[5] ?? 0) & 31) > 0;
  const size = hasSet ? readPictureSize(configuration.subarray(8, 8 + setBytes)) : undefined;
  if (size === undefined || configuration.length > MOST_CONFIGURATION_BYTES) {
    throw new ProtocolError('The sender describes its H.264 wrongly');
  }
  const codec = `avc1.${configuration.toString('hex', 1, 4)}`;
  return { kind: 'video', codec, configuration, ...size };
}

/** Reads the payload of an RTMP audio message. Undefined if it has nothing to play. Throws a ProtocolError. */
export function readAudio(payload: Buffer): MediaPart | undefined {
  const [first] = payload;
  if (first === undefined || payload.length < 2) return undefined;
  const hasFourcc = first >> 4 === AUDIO_WITH_FOURCC;
  const codec = hasFourcc ? payload.toString('latin1', 1, 5) : first >> 4;
  if (codec !== AAC && codec !== 'mp4a') {
    return { kind: 'unsupported', media: 'audio', codec: nameOf(codec, AUDIO_CODECS) };
  }
  const packetType = hasFourcc ? first & 15 : payload[1];
  const data = payload.subarray(hasFourcc ? 5 : 2);
  if (packetType === CONFIGURATION) return { kind: 'format', format: readAudioFormat(data) };
  return packetType === FRAMES && data.length > 0 ? { kind: 'audio', data } : undefined;
}

const MOST_AUDIO_CONFIGURATION_BYTES = 64;

function readAudioFormat(configuration: Buffer): AudioFormat {
  const { objectType, rateIndex, channelConfig } = readAudioSpecificConfig(new BitReader(configuration));
  const sampleRate = AAC_RATES[rateIndex];
  const channels = AAC_CHANNELS[channelConfig];
  const isKnown = objectType > 0 && objectType < 31;
  const isSized = configuration.length >= 2 && configuration.length <= MOST_AUDIO_CONFIGURATION_BYTES;
  if (sampleRate === undefined || channels === undefined || !isKnown || !isSized) {
    throw new ProtocolError('The sender describes its AAC wrongly');
  }
  // If the frames specify the channels, there are usually two.
  return { kind: 'audio', codec: `mp4a.40.${objectType}`, configuration, sampleRate, channels: channels || 2 };
}

// Doesn't repeat the sender's name for the codec, because the log and the stream's issues show the result.
function nameOf(codec: string | number, names: Readonly<Record<string, string>>): string {
  return Object.hasOwn(names, codec) ? (names[codec] ?? UNKNOWN_CODEC) : UNKNOWN_CODEC;
}

const FEWEST_PIXELS = 16;
const MOST_PIXELS = 8192;
// Profiles whose parameter sets describe the colors too (ITU-T H.264, 7.3.2.1.1).
const WITH_COLORS: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** Reads an H.264 sequence parameter set. Undefined if malformed, or smaller than 16 or larger than 8192 pixels. */
function readPictureSize(parameterSet: Buffer) {
  const bits = new BitReader(withoutEmulation(parameterSet.subarray(1)));
  const profile = bits.read(8);
  bits.skip(16);
  bits.readUnsigned();
  const chroma = WITH_COLORS.has(profile) ? readColors(bits) : 1;
  bits.readUnsigned();
  skipPictureOrder(bits);
  bits.readUnsigned();
  bits.skip(1);
  const columns = bits.readUnsigned() + 1;
  const rows = bits.readUnsigned() + 1;
  const fields = bits.read(1) === 1 ? 1 : 2;
  if (fields === 2) bits.skip(1);
  bits.skip(1);
  const [left, right, top, bottom] = bits.read(1) === 1 ? Array.from({ length: 4 }, () => bits.readUnsigned()) : [];
  const crop = (one = 0, other = 0, unit = 1) => (one + other) * unit;
  const width = columns * 16 - crop(left, right, chroma === 1 || chroma === 2 ? 2 : 1);
  const height = rows * 16 * fields - crop(top, bottom, (chroma === 1 ? 2 : 1) * fields);
  const isUsable = (pixels: number) => pixels >= FEWEST_PIXELS && pixels <= MOST_PIXELS;
  return !bits.isPastEnd && isUsable(width) && isUsable(height) ? { width, height } : undefined;
}

/** Returns the chroma format: 0 for gray, 1 for 4:2:0, 2 for 4:2:2, and 3 for 4:4:4. */
function readColors(bits: BitReader): number {
  const chroma = bits.readUnsigned();
  if (chroma === 3) bits.skip(1);
  bits.readUnsigned();
  bits.readUnsigned();
  bits.skip(1);
  if (bits.read(1) === 0) return chroma;
  const lists = chroma === 3 ? 12 : 8;
  for (let list = 0; list < lists; list++) if (bits.read(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  return chroma;
}

function skipScalingList(bits: BitReader, size: number): void {
  let last = 8;
  for (let index = 0; index < size; index++) {
    const next = (last + bits.readSigned() + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.readUnsigned();
  if (type === 0) bits.readUnsigned();
  if (type !== 1) return;
  bits.skip(1);
  bits.readSigned();
  bits.readSigned();
  for (let left = Math.min(bits.readUnsigned(), 255); left > 0; left--) bits.readSigned();
}

// A 3 after two zeros only prevents the bytes from looking like the start of a unit.
function withoutEmulation(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => !(byte === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0)));
}
