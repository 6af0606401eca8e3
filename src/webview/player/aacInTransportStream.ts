import type { FoundAac } from './foundAac.ts';

const PACKET = 188;
const SYNC = 0x47;
const PAT = 0;
/** AAC in a transport stream: ADTS, LATM, and ADTS under SAMPLE-AES. */
const AAC_TYPES: ReadonlySet<number | undefined> = new Set([0x0f, 0x11, 0xcf]);
/** MPEG-1, MPEG-2, H.264, H.265, and H.264 under SAMPLE-AES; MPEG audio, AC-3, E-AC-3. */
const OTHER_TYPES: ReadonlySet<number | undefined> = new Set([
  ...[0x01, 0x02, 0x1b, 0x24, 0xdb],
  ...[0x03, 0x04, 0x81, 0x87, 0xc1, 0xc2],
]);
/** A stream type that players ignore. */
const PRIVATE_SECTIONS = 0x05;

/**
 * Hides the AAC streams of an MPEG transport stream in place: the program map then lists them as private data, and a
 * player finds only the picture. Other data stays unchanged.
 */
export function hideAacStreams(bytes: Uint8Array): FoundAac {
  const maps = new Set<number>();
  const types = new Set<number | undefined>();
  for (let at = firstPacket(bytes); at + PACKET <= bytes.length; at += PACKET) {
    if (bytes[at] !== SYNC) break;
    const section = sectionOf(bytes, at);
    if (section === undefined) continue;
    if (section.pid === PAT) for (const pid of readPrograms(bytes, section.from)) maps.add(pid);
    if (!maps.has(section.pid)) continue;
    for (const entry of entriesOf(bytes, section.from, at + PACKET)) {
      types.add(bytes[entry]);
      if (AAC_TYPES.has(bytes[entry])) bytes[entry] = PRIVATE_SECTIONS;
    }
  }
  const hasAac = [...types].some((type) => AAC_TYPES.has(type));
  return { hasAac, isAlone: hasAac && ![...types].some((type) => OTHER_TYPES.has(type)) };
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

/** Returns where the entries of a program map are, which begin with the stream type. */
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

function read16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
