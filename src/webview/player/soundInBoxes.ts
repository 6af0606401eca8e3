import { AAC, type CanPlaySound, type LeftOutSound } from './leftOutSound.ts';

const FREE = fourCc('free');
/** The sizes of an audio sample entry's fields, of versions 0, 1 and 2. Its boxes follow. */
const ENTRY_FIELDS = [28, 44, 64];
/** Sound in MP4, by the type of its sample entry. */
const ENTRY_CODECS: Readonly<Record<string, string>> = {
  ...{ 'ac-3': 'ac-3', 'ec-3': 'ec-3', 'ac-4': 'ac-4', Opus: 'opus', fLaC: 'flac', alac: 'alac', '.mp3': 'mp3' },
  ...{ dtsc: 'dtsc', dtse: 'dtse', dtsh: 'dtsh', dtsl: 'dtsl', dtsx: 'dtsx', mha1: 'mha1', mhm1: 'mhm1' },
};

/** A box of ISO/IEC 14496-12. Positions are in bytes from the start of the file. */
interface Box {
  readonly type: number;
  readonly at: number;
  /** Where its content begins. */
  readonly body: number;
  readonly end: number;
}

interface HiddenTracks extends LeftOutSound {
  readonly trackIds: ReadonlySet<number>;
  /** Whether there are tracks at all: a media segment usually has none. */
  readonly hasTracks: boolean;
}

/** Returns whether a file begins with a box that an initialization segment or a media segment may begin with. */
export function isBoxFile(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && FIRST_BOXES.has(viewOf(bytes).getUint32(4));
}

const FIRST_BOXES: ReadonlySet<number> = new Set(
  ['ftyp', 'styp', 'moov', 'moof', 'sidx', 'ssix', 'emsg', 'prft', 'mdat', 'free', 'skip', 'wide', 'uuid'].map(fourCc),
);

/**
 * Renames the boxes of tracks of sound that can't be played in an initialization segment to `free`, in place: a player
 * then finds only the other tracks. No byte moves.
 */
export function hideSoundTracks(bytes: Uint8Array, canPlay: CanPlaySound): HiddenTracks {
  const view = viewOf(bytes);
  const trackIds = new Set<number>();
  let codec: string | undefined;
  let others = 0;
  for (const movie of boxesOf(view, topOf(view), 'moov')) {
    for (const track of boxesOf(view, movie, 'trak')) {
      const id = readId(view, childOf(view, track, 'tkhd'));
      const sound = id === undefined ? undefined : soundOf(view, track);
      if (id !== undefined && sound !== undefined && !canPlay(sound)) {
        codec ??= sound;
        trackIds.add(id);
        hide(view, track);
      } else if (isPlayed(view, track)) others += 1;
    }
    for (const extensions of boxesOf(view, movie, 'mvex')) {
      for (const defaults of boxesOf(view, extensions, 'trex'))
        if (isAbout(view, defaults, trackIds)) hide(view, defaults);
    }
  }
  const isAlone = codec !== undefined && others === 0;
  return { trackIds, hasTracks: codec !== undefined || others > 0, codec, isAlone };
}

/** Renames what belongs to these tracks in a media segment to `free`, in place. Its data stays where it is. */
export function hideFragmentsOf(bytes: Uint8Array, trackIds: ReadonlySet<number>): void {
  const view = viewOf(bytes);
  for (const fragment of boxesOf(view, topOf(view), 'moof')) {
    for (const track of boxesOf(view, fragment, 'traf')) {
      if (isAbout(view, childOf(view, track, 'tfhd'), trackIds)) hide(view, track);
    }
  }
}

/** `trex` and `tfhd` begin with the track's id. */
function isAbout(view: DataView, box: Box | undefined, trackIds: ReadonlySet<number>): boolean {
  const id = box && readAt(view, box, 4);
  return id !== undefined && trackIds.has(id);
}

function hide(view: DataView, { at }: Box): void {
  view.setUint32(at + 4, FREE);
}

/** Of a track header, whose times have 64 bits in version 1. */
function readId(view: DataView, header: Box | undefined): number | undefined {
  if (header === undefined) return undefined;
  const isVersion1 = (readAt(view, header, 0) ?? 0) >>> 24 === 1;
  return readAt(view, header, isVersion1 ? 20 : 12);
}

function isPlayed(view: DataView, track: Box): boolean {
  const handler = descend(view, track, ['mdia', 'hdlr']);
  const type = handler && readAt(view, handler, 8);
  return type === fourCc('vide') || type === fourCc('soun');
}

/** Returns the codec of a track; undefined if it isn't one of sound that is known. */
function soundOf(view: DataView, track: Box): string | undefined {
  const descriptions = descend(view, track, ['mdia', 'minf', 'stbl', 'stsd']);
  if (descriptions === undefined) return undefined;
  const entries = { ...descriptions, body: descriptions.body + 8 };
  for (const entry of boxesOf(view, entries)) {
    const codec = soundOfEntry(view, entry);
    if (codec !== undefined) return codec;
  }
  return undefined;
}

function soundOfEntry(view: DataView, entry: Box): string | undefined {
  const isEncrypted = entry.type === fourCc('enca');
  if (!isEncrypted && entry.type !== fourCc('mp4a')) return ENTRY_CODECS[nameOf(entry.type)];
  for (const fields of ENTRY_FIELDS) {
    const extensions = { ...entry, body: entry.body + fields };
    const frame = descend(view, extensions, ['sinf', 'frma']);
    const original = isEncrypted && frame !== undefined ? readAt(view, frame, 0) : undefined;
    if (original !== undefined && original !== fourCc('mp4a')) return ENTRY_CODECS[nameOf(original)];
    const descriptor = childOf(view, extensions, 'esds') ?? descend(view, extensions, ['wave', 'esds']);
    if (descriptor !== undefined) return codecOf(readObjectType(view, descriptor));
  }
  return AAC;
}

/** 0x69 and 0x6b are MP3, 0x66 to 0x68 AAC of MPEG-2. */
function codecOf(objectType: number | undefined): string {
  const isNamed = objectType !== undefined && [0x66, 0x67, 0x68, 0x69, 0x6b].includes(objectType);
  return isNamed ? `mp4a.${objectType.toString(16)}` : AAC;
}

/** Returns the objectTypeIndication of an elementary stream's descriptor (ISO/IEC 14496-1, 7.2.6.5 and 7.2.6.6). */
function readObjectType(view: DataView, { body, end }: Box): number | undefined {
  const at = bodyOfDescriptor(view, body + 4, end);
  if (at === undefined || at + 3 > end) return undefined;
  const flags = view.getUint8(at + 2);
  let next = at + 3;
  if ((flags & 0x80) !== 0) next += 2;
  if ((flags & 0x40) !== 0) next += 1 + (next < end ? view.getUint8(next) : 0);
  if ((flags & 0x20) !== 0) next += 2;
  const decoder = bodyOfDescriptor(view, next, end);
  return decoder !== undefined && decoder < end ? view.getUint8(decoder) : undefined;
}

/** Skips a descriptor's tag and its size, seven bits of which are in each byte. */
function bodyOfDescriptor(view: DataView, from: number, end: number): number | undefined {
  for (let at = from + 1; at < Math.min(from + 5, end); at++) {
    if ((view.getUint8(at) & 0x80) === 0) return at + 1;
  }
  return undefined;
}

function descend(view: DataView, from: Box, path: readonly string[]): Box | undefined {
  return path.reduce<Box | undefined>((box, type) => box && childOf(view, box, type), from);
}

function childOf(view: DataView, parent: Box, type: string): Box | undefined {
  return boxesOf(view, parent, type).next().value;
}

/** Ends at the first box that is damaged. */
function* boxesOf(view: DataView, { body, end }: Box, type?: string): Generator<Box, undefined> {
  const wanted = type === undefined ? undefined : fourCc(type);
  for (let at = body; at + 8 <= end; ) {
    const box = readBox(view, at, end);
    if (box === undefined) return;
    if (wanted === undefined || box.type === wanted) yield box;
    at = box.end;
  }
}

/** A size of 0 means up to the end, a size of 1 that the size has 64 bits. */
function readBox(view: DataView, at: number, end: number): Box | undefined {
  const size = view.getUint32(at);
  const isLarge = size === 1;
  if (isLarge && at + 16 > end) return undefined;
  const body = at + (isLarge ? 16 : 8);
  const next = size === 0 ? end : at + (isLarge ? Number(view.getBigUint64(at + 8)) : size);
  return next < body || next > end ? undefined : { type: view.getUint32(at + 4), at, body, end: next };
}

/** Returns a big-endian number of 32 bits in a box, undefined if the box is too short. */
function readAt(view: DataView, { body, end }: Box, offset: number): number | undefined {
  return body + offset + 4 <= end ? view.getUint32(body + offset) : undefined;
}

function topOf(view: DataView): Box {
  return { type: 0, at: 0, body: 0, end: view.byteLength };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function nameOf(type: number): string {
  return String.fromCharCode(type >>> 24, (type >>> 16) & 0xff, (type >>> 8) & 0xff, type & 0xff);
}

function fourCc(name: string): number {
  return [...name].reduce((code, letter) => (code << 8) | letter.charCodeAt(0), 0) >>> 0;
}
