import { AAC_CHANNELS, AAC_RATES, readAudioSpecificConfig, readObjectType, readRate } from '../../../media/aac.ts';
import { BitReader } from '../../../media/bitReader.ts';

const SBR = 5;
const PS = 29;
/** AAC Main, LC, SSR, and LTP, the only types that ADTS has room for. */
const ADTS_TYPES = 4;
const ADTS_HEADER = 7;
/** The header's field for the length has 13 bits. */
const ADTS_AT_MOST = 0x1fff - ADTS_HEADER;

/** The parameters that a decoder needs to decode the core of AAC: with SBR, the rate is half the rate of the sound. */
export interface AacConfig {
  readonly objectType: number;
  readonly rate: number;
  readonly rateIndex: number;
  readonly channelConfig: number;
  readonly channels: number;
}

/**
 * Reads an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
 * @returns undefined for configs that ADTS can't express: other object types, 960 samples a frame, channels that are
 * listed in a program config element.
 */
export function readAacConfig(bytes: Uint8Array): AacConfig | undefined {
  const bits = new BitReader(bytes);
  const { objectType: declared, rate = 0, channelConfig } = readAudioSpecificConfig(bits);
  let objectType = declared;
  if (declared === SBR || declared === PS) {
    readRate(bits);
    objectType = readObjectType(bits);
  }
  const hasShortFrames = bits.read(1) === 1;
  const rateIndex = AAC_RATES.indexOf(rate);
  const channels = AAC_CHANNELS[channelConfig] ?? 0;
  const isKnown = objectType >= 1 && objectType <= ADTS_TYPES && rateIndex >= 0 && channels > 0;
  return isKnown && !hasShortFrames ? { objectType, rate, rateIndex, channelConfig, channels } : undefined;
}

/** Returns a raw frame with an ADTS header; undefined if the frame is empty or too long to have one. */
export function addAdtsHeader({ objectType, rateIndex, channelConfig }: AacConfig, frame: Uint8Array) {
  if (frame.length === 0 || frame.length > ADTS_AT_MOST) return undefined;
  const size = frame.length + ADTS_HEADER;
  const adts = new Uint8Array(size);
  adts.set([
    0xff,
    0xf1,
    ((objectType - 1) << 6) | (rateIndex << 2) | (channelConfig >> 2),
    ((channelConfig & 3) << 6) | (size >> 11),
    (size >> 3) & 0xff,
    ((size & 7) << 5) | 0x1f,
    0xfc,
  ]);
  adts.set(frame, ADTS_HEADER);
  return adts;
}

const SINGLE = 0;
const PAIR = 1;
const LOW_FREQUENCY = 3;
const END = 7;
/** The elements of a frame by channel configuration. */
const ELEMENTS: readonly (readonly number[])[] = [
  [],
  [SINGLE],
  [PAIR],
  [SINGLE, PAIR],
  [SINGLE, PAIR, SINGLE],
  [SINGLE, PAIR, PAIR],
  [SINGLE, PAIR, PAIR, LOW_FREQUENCY],
  [SINGLE, PAIR, PAIR, PAIR, LOW_FREQUENCY],
];
/**
 * Bits of a channel without a spectrum: 8 for global gain, 11 for window and bands, and 3 for pulses, noise shaping,
 * and gain.
 */
const EMPTY_CHANNEL = 22;

/** Returns a raw frame of silence. */
export function makeSilentFrame(config: { readonly channelConfig: number }): Uint8Array {
  const bits: string[] = [];
  const used = new Map<number, number>();
  for (const element of ELEMENTS[config.channelConfig] ?? []) {
    const tag = used.get(element) ?? 0;
    used.set(element, tag + 1);
    bits.push(toBits(element, 3), toBits(tag, 4));
    bits.push(element === PAIR ? `0${'0'.repeat(2 * EMPTY_CHANNEL)}` : '0'.repeat(EMPTY_CHANNEL));
  }
  bits.push(toBits(END, 3));
  const all = bits.join('');
  const length = Math.ceil(all.length / 8);
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(all.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2));
}

function toBits(value: number, length: number): string {
  return value.toString(2).padStart(length, '0');
}
