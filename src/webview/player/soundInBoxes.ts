import { readDecoderInfo } from '../../media/aac.ts';
import {
  type Box,
  boxesIn,
  findBox,
  HANDLER,
  hideBox,
  read16,
  readHandler,
  readTrackId,
  SAMPLE_ENTRY_BYTES,
  trafsOf,
  trexesOf,
} from '../../media/boxes.ts';
import { AAC, type CanPlaySound, type LeftOutSound } from './leftOutSound.ts';

/** Sound in MP4, by the type of its sample entry. */
const ENTRY_CODECS: Readonly<Record<string, string>> = {
  ...{ 'ac-3': 'ac-3', 'ec-3': 'ec-3', 'ac-4': 'ac-4', Opus: 'opus', fLaC: 'flac', alac: 'alac', '.mp3': 'mp3' },
  ...{ dtsc: 'dtsc', dtse: 'dtse', dtsh: 'dtsh', dtsl: 'dtsl', dtsx: 'dtsx', mha1: 'mha1', mhm1: 'mhm1' },
};

interface HiddenTracks extends LeftOutSound {
  readonly trackIds: ReadonlySet<number>;
  /** Whether there are tracks at all: a media segment usually has none. */
  readonly hasTracks: boolean;
}

/** Returns whether a file begins with a box that an initialization segment or a media segment may begin with. */
export function isBoxFile(bytes: Uint8Array): boolean {
  const [first] = boxesIn(bytes);
  return first !== undefined && FIRST_BOXES.has(first.type);
}

const FIRST_BOXES: ReadonlySet<string> = new Set([
  ...['ftyp', 'styp', 'moov', 'moof', 'sidx', 'ssix', 'emsg', 'prft', 'mdat', 'free', 'skip', 'wide', 'uuid'],
]);

/**
 * Hides the tracks of sound that can't be played in an initialization segment, in place: a player then finds only the
 * other tracks.
 */
export function hideSoundTracks(bytes: Uint8Array, canPlay: CanPlaySound): HiddenTracks {
  const trackIds = new Set<number>();
  let codec: string | undefined;
  let others = 0;
  for (const movie of boxesIn(bytes)) {
    if (movie.type !== 'moov') continue;
    for (const track of boxesIn(bytes, movie)) {
      if (track.type !== 'trak') continue;
      const id = readTrackId(bytes, track);
      const sound = id === undefined ? undefined : soundOf(bytes, track);
      if (id !== undefined && sound !== undefined && !canPlay(sound)) {
        codec ??= sound;
        trackIds.add(id);
        hideBox(bytes, track);
      } else if (isPlayed(bytes, track)) others += 1;
    }
    for (const trex of trexesOf(bytes, movie, trackIds)) hideBox(bytes, trex);
  }
  const isAlone = codec !== undefined && others === 0;
  return { trackIds, hasTracks: codec !== undefined || others > 0, codec, isAlone };
}

/** Hides what belongs to these tracks in a media segment, in place. Its data stays where it is. */
export function hideFragmentsOf(bytes: Uint8Array, trackIds: ReadonlySet<number>): void {
  for (const movie of boxesIn(bytes)) {
    if (movie.type === 'moof') for (const traf of trafsOf(bytes, movie, trackIds)) hideBox(bytes, traf);
  }
}

function isPlayed(bytes: Uint8Array, track: Box): boolean {
  const handler = readHandler(bytes, track);
  return handler === HANDLER.video || handler === HANDLER.audio;
}

/** Returns the codec of a track; undefined if it isn't known sound. */
function soundOf(bytes: Uint8Array, track: Box): string | undefined {
  const table = findBox(bytes, 'mdia/minf/stbl/stsd', track);
  for (const entry of table === undefined ? [] : boxesIn(bytes, { from: table.from + 8, to: table.to })) {
    const codec = soundOfEntry(bytes, entry);
    if (codec !== undefined) return codec;
  }
  return undefined;
}

function soundOfEntry(bytes: Uint8Array, entry: Box): string | undefined {
  if (entry.type !== 'enca' && entry.type !== 'mp4a') return ENTRY_CODECS[entry.type];
  const from = entry.from + (SAMPLE_ENTRY_BYTES[read16(bytes, entry.from + 8)] ?? 28);
  const inside = { from, to: entry.to };
  const frame = entry.type === 'enca' ? findBox(bytes, 'sinf/frma', inside) : undefined;
  const original = frame && String.fromCharCode(...bytes.subarray(frame.from, frame.from + 4));
  if (original !== undefined && original !== 'mp4a') return ENTRY_CODECS[original];
  const descriptor = findBox(bytes, 'esds', inside) ?? findBox(bytes, 'wave/esds', inside);
  const info = descriptor && readDecoderInfo(bytes.subarray(descriptor.from + 4, descriptor.to));
  return codecOf(info?.objectType);
}

/** 0x69 and 0x6b are MP3, 0x66 to 0x68 AAC of MPEG-2. */
function codecOf(objectType: number | undefined): string {
  const isNamed = objectType !== undefined && [0x66, 0x67, 0x68, 0x69, 0x6b].includes(objectType);
  return isNamed ? `mp4a.${objectType.toString(16)}` : AAC;
}
