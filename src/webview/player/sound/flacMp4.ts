import { type Bytes, concat } from './bytes.ts';
import { type PcmFormat, writeStreamInfo } from './flac.ts';

/**
 * Writes FLAC in fragmented MP4 (the mapping "Encapsulation of FLAC in ISO Base Media File Format"). mediabunny can,
 * too, but chooses times, their unit and the fragments itself; here they are those of the AAC that was replaced.
 */
export interface FlacTrack {
  readonly format: PcmFormat;
  /** Units per second. */
  readonly timescale: number;
  /** The media time that is presented at 0. */
  readonly editTime: number;
}

export interface FlacSample {
  readonly data: Uint8Array;
  /** In the track's units. */
  readonly duration: number;
}

const TRACK_ID = 1;
/** The movie's own unit, in which nothing is measured. */
const MOVIE_TIMESCALE = 1000;
const MATRIX = [u32(0x10000), u32(0), u32(0), u32(0), u32(0x10000), u32(0), u32(0), u32(0), u32(0x40000000)];

export function writeFlacInit({ format, timescale, editTime }: FlacTrack): Uint8Array {
  const edits = editTime === 0 ? [] : [box('edts', fullBox('elst', u32(1), u32(0), u32(editTime), u32(0x10000)))];
  return concat([
    box('ftyp', text('iso5'), u32(0), text('iso5mp41')),
    box(
      'moov',
      fullBox(
        'mvhd',
        ...zeros(2),
        u32(MOVIE_TIMESCALE),
        u32(0),
        u32(0x10000),
        u32(0x1000000),
        ...zeros(2),
        ...MATRIX,
        ...zeros(6),
        u32(TRACK_ID + 1),
      ),
      box(
        'trak',
        fullBox('tkhd', ...zeros(2), u32(TRACK_ID), ...zeros(4), u32(0), u32(0x1000000), ...MATRIX, ...zeros(2)),
        ...edits,
        box(
          'mdia',
          fullBox('mdhd', ...zeros(2), u32(timescale), u32(0), u32(0x55c40000)),
          fullBox('hdlr', u32(0), text('soun'), ...zeros(3), [0]),
          box(
            'minf',
            fullBox('smhd', u32(0)),
            box('dinf', fullBox('dref', u32(1), box('url ', u32(1)))),
            box('stbl', writeDescription(format), ...emptyTables()),
          ),
        ),
      ),
      box('mvex', fullBox('trex', u32(TRACK_ID), u32(1), ...zeros(3))),
    ),
  ]);
}

function writeDescription(format: PcmFormat): Uint8Array {
  const { rate, channels } = format;
  const streamInfo = writeStreamInfo(format);
  const blocks = fullBox('dfLa', u32((0x80 << 24) | streamInfo.length), streamInfo);
  // A rate that doesn't fit into the entry's 16 bits is in STREAMINFO alone.
  const entryRate = u32(rate < 0x10000 ? rate * 0x10000 : 0);
  return fullBox(
    'stsd',
    u32(1),
    box('fLaC', u32(0), u32(1), ...zeros(2), u16(channels), u16(16), u32(0), entryRate, blocks),
  );
}

function emptyTables(): readonly Uint8Array[] {
  return [fullBox('stts', u32(0)), fullBox('stsc', u32(0)), fullBox('stsz', ...zeros(2)), fullBox('stco', u32(0))];
}

const MOVE_BASE = 0x020000;
const EVERY_SAMPLE_IS_KEY = 0x02000000;
const DEFAULT_FLAGS = 0x20;
/** An offset; for each sample its duration and size. */
const RUN_FLAGS = 0x301;

/** Returns a fragment in parts, the samples' own bytes among them. `time` is the first sample's, in the track's units. */
export function writeFlacFragment(
  sequence: number,
  time: number,
  samples: readonly FlacSample[],
): readonly Uint8Array[] {
  const table = samples.flatMap(({ duration, data }) => [u32(duration), u32(data.length)]);
  const movie = (offset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', u32(sequence)),
      box(
        'traf',
        box('tfhd', u32(MOVE_BASE | DEFAULT_FLAGS), u32(TRACK_ID), u32(EVERY_SAMPLE_IS_KEY)),
        box('tfdt', u32(0x01000000), u64(time)),
        box('trun', u32(RUN_FLAGS), u32(samples.length), u32(offset), ...table),
      ),
    );
  const size = movie(0).length;
  const data = samples.map((sample) => sample.data);
  return [movie(size + 8), writeHeader('mdat', data), ...data];
}

function box(type: string, ...content: readonly Bytes[]): Uint8Array {
  return concat([writeHeader(type, content), ...content]);
}

function writeHeader(type: string, content: readonly Bytes[]): Uint8Array {
  const size = content.reduce((sum, { length }) => sum + length, 8);
  return concat([u32(size), text(type)]);
}

/** A box with version 0 and no flags. */
function fullBox(type: string, ...content: readonly Bytes[]): Uint8Array {
  return box(type, u32(0), ...content);
}

function text(characters: string): readonly number[] {
  return Array.from(characters, (character) => character.charCodeAt(0));
}

function u16(value: number): readonly number[] {
  return [(value >>> 8) & 0xff, value & 0xff];
}

function u32(value: number): readonly number[] {
  return [...u16(value >>> 16), ...u16(value)];
}

function u64(value: number): readonly number[] {
  return [...u32(Math.floor(value / 2 ** 32)), ...u32(value % 2 ** 32)];
}

function zeros(count: number): readonly (readonly number[])[] {
  return Array.from({ length: count }, () => u32(0));
}
