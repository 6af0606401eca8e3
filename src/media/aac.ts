import type { BitReader } from './bitReader.ts';

/** In Hz, by the frequency index of AAC (ISO/IEC 14496-3, table 1.18). */
export const AAC_RATES: readonly (number | undefined)[] = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];
/** By the channel configuration (table 1.19). 0 means that the frames specify the channels. */
export const AAC_CHANNELS: readonly (number | undefined)[] = [0, 1, 2, 3, 4, 5, 6, 8];

/** The part of an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) that is the same for all object types. */
export interface AudioSpecificConfig {
  readonly objectType: number;
  /** 15 if the rate itself follows. */
  readonly rateIndex: number;
  /** In Hz; undefined if its index has no rate. */
  readonly rate: number | undefined;
  readonly channelConfig: number;
}

export function readAudioSpecificConfig(bits: BitReader): AudioSpecificConfig {
  const objectType = readObjectType(bits);
  const { rateIndex, rate } = readRate(bits);
  return { objectType, rateIndex, rate, channelConfig: bits.read(4) };
}

export function readObjectType(bits: BitReader): number {
  const type = bits.read(5);
  return type === 31 ? 32 + bits.read(6) : type;
}

export function readRate(bits: BitReader) {
  const rateIndex = bits.read(4);
  return { rateIndex, rate: rateIndex === 15 ? bits.read(24) : AAC_RATES[rateIndex] };
}

/** AAC of MPEG-4, and of MPEG-2 in three profiles. */
export const AAC_OBJECT_TYPES: ReadonlySet<number> = new Set([0x40, 0x66, 0x67, 0x68]);

const DESCRIPTOR = { stream: 3, decoder: 4, info: 5 } as const;

/**
 * Reads the nested descriptors of an esds box (ISO/IEC 14496-1, 7.2.6). Returns the codec and, if present, its
 * settings; undefined if they aren't descriptors of a decoder.
 */
export function readDecoderInfo(
  bytes: Uint8Array,
): { readonly objectType: number; readonly config: Uint8Array | undefined } | undefined {
  let objectType: number | undefined;
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at];
    let length = 0;
    let more = true;
    for (at += 1; more && at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      length = ((length << 7) | (byte & 0x7f)) >>> 0;
      more = byte >= 0x80;
    }
    if (tag === DESCRIPTOR.stream) at += streamBytes(bytes, at);
    else if (tag === DESCRIPTOR.decoder) {
      objectType = bytes[at] ?? 0;
      at += 13;
    } else if (objectType !== undefined) {
      return { objectType, config: tag === DESCRIPTOR.info ? bytes.slice(at, at + length) : undefined };
    } else return undefined;
  }
  return objectType === undefined ? undefined : { objectType, config: undefined };
}

/** Returns the size of the ID, the flags, and the optional fields that the flags announce. */
function streamBytes(bytes: Uint8Array, at: number): number {
  const flags = bytes[at + 2] ?? 0;
  const urlBytes = (flags & 0x40) === 0 ? 0 : 1 + (bytes[at + 3] ?? 0);
  return 3 + ((flags & 0x80) === 0 ? 0 : 2) + urlBytes + ((flags & 0x20) === 0 ? 0 : 2);
}
