import { read16 } from '../../media/boxes.ts';
import { AAC, type CanPlaySound, type LeftOutSound } from './leftOutSound.ts';

const PACKET = 188;
const SYNC = 0x47;
const PAT = 0;
/** Sound by its stream type: AAC in ADTS and LATM, MPEG audio, AC-3, E-AC-3 and DTS, also under SAMPLE-AES. */
const SOUND_TYPES: ReadonlyMap<number, string> = new Map([
  ...[0x0f, 0x11, 0xcf].map((type) => [type, AAC] as const),
  ...[0x03, 0x04].map((type) => [type, 'mp3'] as const),
  ...[0x81, 0xc1].map((type) => [type, 'ac-3'] as const),
  ...[0x87, 0xc2].map((type) => [type, 'ec-3'] as const),
  [0x8a, 'dtsc'],
]);
/** MPEG-1, MPEG-2, H.264, H.265, and H.264 under SAMPLE-AES. */
const PICTURE_TYPES: ReadonlySet<number> = new Set([0x01, 0x02, 0x1b, 0x24, 0xdb]);
/** Data whose descriptors say what it is. */
const PRIVATE_DATA = 0x06;
/** Descriptors of DVB for AC-3, E-AC-3 and DTS (ETSI EN 300 468, 6.2.1). */
const SOUND_DESCRIPTORS: Readonly<Record<number, string>> = { 106: 'ac-3', 122: 'ec-3', 123: 'dtsc' };
const REGISTRATION = 0x05;
const REGISTERED: Readonly<Record<string, string>> = { Opus: 'opus', 'AC-3': 'ac-3', EAC3: 'ec-3', DTS1: 'dtsc' };
/** hls.js demuxes these from a transport stream, if they can be played, and no other sound. */
const DEMUXED: ReadonlySet<string> = new Set([AAC, 'mp3', 'ac-3', 'ec-3']);
/** A stream type that players ignore. */
const PRIVATE_SECTIONS = 0x05;

/**
 * Hides sound that can't be played in an MPEG transport stream, in place: the program map then lists its streams as
 * private sections, and a player finds only the video. Other data stays unchanged.
 */
export function hideSoundStreams(bytes: Uint8Array, canPlay: CanPlaySound): LeftOutSound {
  const maps = new Set<number>();
  let codec: string | undefined;
  let hasOthers = false;
  for (let at = firstPacket(bytes); at + PACKET <= bytes.length; at += PACKET) {
    if (bytes[at] !== SYNC) break;
    const section = sectionOf(bytes, at);
    if (section === undefined) continue;
    if (section.pid === PAT) for (const pid of readPrograms(bytes, section.from)) maps.add(pid);
    if (!maps.has(section.pid)) continue;
    for (const entry of entriesOf(bytes, section.from, at + PACKET)) {
      const sound = soundOf(bytes, entry);
      if (sound !== undefined && !(DEMUXED.has(sound) && canPlay(sound))) {
        codec ??= sound;
        bytes[entry] = PRIVATE_SECTIONS;
      } else hasOthers ||= sound !== undefined || PICTURE_TYPES.has(bytes[entry] ?? 0);
    }
  }
  return { codec, isAlone: codec !== undefined && !hasOthers };
}

/** Returns the codec of an entry of a program map; undefined if it isn't known sound. */
function soundOf(bytes: Uint8Array, entry: number): string | undefined {
  const type = bytes[entry] ?? 0;
  if (type !== PRIVATE_DATA) return SOUND_TYPES.get(type);
  const end = entry + 5 + (read16(bytes, entry + 3) & 0x0fff);
  for (let at = entry + 5; at + 2 <= end; at += 2 + (bytes[at + 1] ?? 0)) {
    const tag = bytes[at] ?? 0;
    const name = String.fromCharCode(...bytes.subarray(at + 2, at + 6));
    const codec = tag === REGISTRATION ? REGISTERED[name] : SOUND_DESCRIPTORS[tag];
    if (codec !== undefined) return codec;
  }
  return undefined;
}

function firstPacket(bytes: Uint8Array): number {
  for (let at = 0; at < Math.min(PACKET, bytes.length); at++) {
    if (bytes[at] === SYNC && (bytes[at + PACKET] ?? SYNC) === SYNC) return at;
  }
  return bytes.length;
}

/** Returns where a packet's section starts; undefined if none starts in it (ISO/IEC 13818-1, 2.4.3). */
function sectionOf(bytes: Uint8Array, at: number): { readonly pid: number; readonly from: number } | undefined {
  const [, high = 0, low = 0, control = 0, adaptation = 0] = bytes.subarray(at, at + 5);
  const begins = (high & 0x40) !== 0 && (control & 0x10) !== 0;
  if (!begins) return undefined;
  const payload = at + 4 + ((control & 0x20) !== 0 ? 1 + adaptation : 0);
  const from = payload + 1 + (bytes[payload] ?? 0);
  return from + 12 <= at + PACKET ? { pid: ((high & 0x1f) << 8) | low, from } : undefined;
}

function readPrograms(bytes: Uint8Array, from: number): readonly number[] {
  const pids: number[] = [];
  for (let at = from + 8; at + 4 <= endOfSection(bytes, from); at += 4) {
    const isProgram = read16(bytes, at) !== 0;
    if (isProgram) pids.push(read16(bytes, at + 2) & 0x1fff);
  }
  return pids;
}

/** Returns the positions of the entries of a program map. Each entry begins with the stream type. */
function* entriesOf(bytes: Uint8Array, from: number, endOfPacket: number): Generator<number> {
  const end = Math.min(endOfSection(bytes, from), endOfPacket);
  let at = from + 12 + (read16(bytes, from + 10) & 0x0fff);
  while (at + 5 <= end) {
    yield at;
    at += 5 + (read16(bytes, at + 3) & 0x0fff);
  }
}

/** Excludes the checksum, the last four bytes. */
function endOfSection(bytes: Uint8Array, from: number): number {
  return from + 3 + (read16(bytes, from + 1) & 0x0fff) - 4;
}
