const PACKET = 188;
const SYNC = 0x47;
const PAT = 0;
/** AAC in a transport stream: ADTS, LATM, and ADTS under SAMPLE-AES. */
const AAC_TYPES: ReadonlySet<number | undefined> = new Set([0x0f, 0x11, 0xcf]);
/** A stream type that players ignore. */
const PRIVATE_SECTIONS = 0x05;

/**
 * Hides the AAC streams of an MPEG transport stream in place: the program map then lists them as private data, and a
 * player finds only the picture. Other data stays unchanged.
 * @returns whether anything was hidden.
 */
export function hideAac(bytes: Uint8Array): boolean {
  const maps = new Set<number>();
  let isChanged = false;
  for (let at = firstPacket(bytes); at + PACKET <= bytes.length; at += PACKET) {
    if (bytes[at] !== SYNC) break;
    const section = sectionOf(bytes, at);
    if (section === undefined) continue;
    if (section.pid === PAT) for (const pid of readPrograms(bytes, section.from)) maps.add(pid);
    else if (maps.has(section.pid)) isChanged = hideIn(bytes, section.from, at + PACKET) || isChanged;
  }
  return isChanged;
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

function hideIn(bytes: Uint8Array, from: number, endOfPacket: number): boolean {
  const end = Math.min(endOfSection(bytes, from), endOfPacket);
  let isChanged = false;
  let at = from + 12 + (read16(bytes, from + 10) & 0x0fff);
  while (at + 5 <= end) {
    if (AAC_TYPES.has(bytes[at])) {
      bytes[at] = PRIVATE_SECTIONS;
      isChanged = true;
    }
    at += 5 + (read16(bytes, at + 3) & 0x0fff);
  }
  return isChanged;
}

/** Excludes the checksum, the last four bytes. */
function endOfSection(bytes: Uint8Array, from: number): number {
  return from + 3 + (read16(bytes, from + 1) & 0x0fff) - 4;
}

function read16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

const STREAM_INF = '#EXT-X-STREAM-INF:';
const CODECS = /CODECS="([^"]*)"/;

/**
 * Removes AAC from a master playlist, so that a player requests no decoder for it: its codecs, its audio groups, and
 * renditions that have only sound. Other playlists are returned unchanged.
 */
export function withoutAacCodecs(playlist: string): { readonly playlist: string; readonly isChanged: boolean } {
  const kept: string[] = [];
  let isChanged = false;
  let skips = false;
  for (const line of playlist.split(/\r?\n/)) {
    const isAddress = line.trim() !== '' && !line.startsWith('#');
    if (isAddress && skips) {
      skips = false;
      continue;
    }
    const next = line.startsWith(STREAM_INF) ? withoutAac(line) : line;
    isChanged ||= next !== line;
    skips ||= next === undefined;
    if (next !== undefined) kept.push(next);
  }
  const hasGroups = kept.some((line) => line.startsWith(STREAM_INF) && /[:,]AUDIO="/.test(line));
  const isNeeded = (line: string) => hasGroups || !/^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line);
  return isChanged ? { playlist: kept.filter(isNeeded).join('\n'), isChanged } : { playlist, isChanged };
}

/** Returns undefined for a rendition that has only AAC. */
function withoutAac(line: string): string | undefined {
  const codecs = CODECS.exec(line)?.[1]
    ?.split(',')
    .map((codec) => codec.trim());
  const left = codecs?.filter((codec) => !isAac(codec));
  if (codecs !== undefined && left?.length === codecs.length) return line;
  if (left?.length === 0) return undefined;
  return line
    .replace(/([:,])AUDIO="[^"]*",?/, '$1')
    .replace(/,$/, '')
    .replace(CODECS, `CODECS="${left?.join(',') ?? ''}"`);
}

/** mp4a.40.34 is MP3. */
function isAac(codec: string): boolean {
  return /^mp4a\.(40\.(?!34$)|66|67|68)/i.test(codec);
}
