import { type Bytes, concat } from '../util/bytes.ts';
import { ascii, box, boxHead, fullBox, HANDLER, table, u16, u32, u64 } from './boxes.ts';

/** H.264 with its decoder configuration record (ISO 14496-15). */
export interface VideoFormat {
  readonly kind: 'video';
  readonly codec: string;
  readonly configuration: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** AAC with its AudioSpecificConfig (ISO 14496-3), at most 64 bytes. */
export interface AudioFormat {
  readonly kind: 'audio';
  readonly codec: string;
  readonly configuration: Uint8Array;
  readonly sampleRate: number;
  readonly channels: number;
}

export type TrackFormat = VideoFormat | AudioFormat;

/** Consecutive samples of one track, in units of `timescaleOf` its format. */
export interface Run {
  readonly format: TrackFormat;
  /** Decode time of the first sample. */
  readonly start: number;
  /** Duration, size, flags, and composition offset of each sample, 32 bits each, as in a track run box. */
  readonly entries: Uint8Array;
}

/** A run whose samples are in a file, at `offset`. */
export interface StoredRun extends Run {
  readonly offset: number;
}

/** A run of the track with this ID. */
export interface TrackRun extends Pick<Run, 'start' | 'entries'> {
  readonly id: number;
}

/** A track without samples of its own. */
export interface FragmentedTrack {
  /** Units per second of its times. */
  readonly timescale: number;
  /** In pixels; undefined for sound. */
  readonly size: readonly [width: number, height: number] | undefined;
  /** The description of its samples. */
  readonly entry: Uint8Array;
  /** Rows of its edit list: duration in the movie's units, media time in the track's, and rate. */
  readonly edits: readonly Uint8Array[];
}

interface Track extends FragmentedTrack {
  readonly id: number;
  readonly duration: number;
  /** In the movie's units. */
  readonly end: number;
  readonly tables: readonly Uint8Array[];
}

export const ENTRY_BYTES = 16;
export const KEY_SAMPLE = 0x02000000;
export const DELTA_SAMPLE = 0x01010000;

export const NORMAL_RATE = 0x10000;
const NOTHING = 0xffffffff;
const MOVIE_TIMESCALE = 1000;
const VERSION_1 = 0x01000000;
const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export function timescaleOf(format: TrackFormat): number {
  return format.kind === 'video' ? 1000 : format.sampleRate;
}

export function sampleBytes({ entries }: { readonly entries: Run['entries'] }): number {
  return sum(column(entries, 'size'));
}

export function beginsWithKey({ entries }: Run): boolean {
  return column(entries.subarray(0, ENTRY_BYTES), 'flags')[0] === KEY_SAMPLE;
}

export function initializationSegment(formats: readonly TrackFormat[]): Uint8Array<ArrayBuffer> {
  return fragmentedMovie(formats.map((format) => ({ ...trackOf(format), edits: [] })));
}

/** Returns the header for fragments with these tracks, which are numbered from 1. */
export function fragmentedMovie(tracks: readonly FragmentedTrack[]): Uint8Array<ArrayBuffer> {
  const none = (type: string) => fullBox(type, 0, u32(0));
  const tables = [none('stts'), none('stsc'), fullBox('stsz', 0, u32(0, 0)), none('stco')];
  const boxes = tracks.map((track, index) => trackBox({ ...track, id: index + 1, duration: 0, end: 0, tables }));
  const defaults = tracks.map((_, index) => fullBox('trex', 0, u32(index + 1, 1, 0, 0, 0)));
  return concat([
    box('ftyp', ascii('iso5'), u32(512), ascii('iso5iso6mp41')),
    box('moov', movieHeader(0, tracks.length), ...boxes, box('mvex', ...defaults)),
  ]);
}

/** Returns the head of a fragment, numbered from 0. The samples follow it, run by run. */
export function fragmentHead(
  number: number,
  runs: readonly Run[],
  formats: readonly TrackFormat[],
): Uint8Array<ArrayBuffer> {
  return writeFragmentHead(
    number + 1,
    runs.map((run) => ({ ...run, id: formats.indexOf(run.format) + 1 })),
  );
}

/** @param sequence counts from 1 */
export function writeFragmentHead(sequence: number, runs: readonly TrackRun[]): Uint8Array<ArrayBuffer> {
  const build = (samplesAt: number) => {
    let offset = samplesAt;
    const tracks = runs.map((run) => {
      const part = trackFragment(run, offset);
      offset += sampleBytes(run);
      return part;
    });
    return box('moof', fullBox('mfhd', 0, u32(sequence)), ...tracks);
  };
  const head = boxHead('mdat', sum(runs.map(sampleBytes)));
  return concat([build(build(0).length + head.length), head]);
}

function trackFragment({ id, start, entries }: TrackRun, offset: number): Uint8Array {
  const offsetsCountFromThisFragment = 0x020000;
  const hasOffsetAndAllFields = 0xf01;
  return box(
    'traf',
    fullBox('tfhd', offsetsCountFromThisFragment, u32(id)),
    fullBox('tfdt', VERSION_1, u64(start)),
    fullBox('trun', VERSION_1 | hasOffsetAndAllFields, u32(entries.length / ENTRY_BYTES, offset), entries),
  );
}

/** Returns the start of a file. The samples follow it, and then `movieBox`. */
export function movieFileStart(samples: number): Uint8Array<ArrayBuffer> {
  const sizeIsLong = 1;
  const size = u64(samples + 16);
  return concat([
    box('ftyp', ascii('isom'), u32(512), ascii('isomiso2avc1mp41')),
    u32(sizeIsLong),
    ascii('mdat'),
    size,
  ]);
}

/** The part of runs to show, in seconds of their times. */
export interface Excerpt {
  readonly from: number;
  readonly to: number;
}

/** @param excerpt the part to show; everything by default */
export function movieBox(
  runs: readonly StoredRun[],
  formats: readonly TrackFormat[],
  excerpt?: Excerpt,
): Uint8Array<ArrayBuffer> {
  const { from, to } = excerpt ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const tracks = formats.map((format, index) => {
    const own = runs.filter((run) => run.format === format);
    const entries = joinEntries(own);
    const duration = sum(column(entries, 'duration'));
    const timescale = timescaleOf(format);
    const start = own[0]?.start ?? 0;
    const begin = Math.max(start, from * timescale);
    const delay = movieTime(begin - from * timescale, format);
    const length = movieTime(Math.max(0, Math.min(start + duration, to * timescale) - begin), format);
    const edits = [
      ...(delay > 0 ? [u32(delay, NOTHING, NORMAL_RATE)] : []),
      ...(delay > 0 || excerpt ? [u32(length, Math.round(begin - start), NORMAL_RATE)] : []),
    ];
    const end = delay + length;
    return { ...trackOf(format), id: index + 1, duration, end, edits, tables: sampleTables(own, entries) };
  });
  const end = tracks.reduce((latest, track) => Math.max(latest, track.end), 0);
  return box('moov', movieHeader(end, formats.length), ...tracks.map(trackBox));
}

// A gap between two runs can only be expressed by the duration of the last sample before it.
function joinEntries(runs: readonly StoredRun[]): Uint8Array {
  const all = concat(runs.map(({ entries }) => entries));
  const view = new DataView(all.buffer);
  let end = 0;
  for (const [index, { start, entries }] of runs.entries()) {
    end += entries.length;
    const next = runs[index + 1];
    if (next === undefined) break;
    const last = end - ENTRY_BYTES;
    const before = sum(column(entries.subarray(0, -ENTRY_BYTES), 'duration'));
    view.setUint32(last + FIELDS.duration, Math.max(0, next.start - start - before));
  }
  return all;
}

// A recording may have hundreds of thousands of samples, so tables are flat arrays rather than rows of objects.
function sampleTables(runs: readonly StoredRun[], entries: Uint8Array): readonly Uint8Array[] {
  const sizes = column(entries, 'size');
  const offsets = column(entries, 'compositionOffset');
  const keys = column(entries, 'flags').flatMap((flags, index) => (flags === KEY_SAMPLE ? [index + 1] : []));
  return [
    fullBox('stts', 0, table(2, repeats(column(entries, 'duration')))),
    ...(offsets.some((offset) => offset !== 0) ? [fullBox('ctts', VERSION_1, table(2, repeats(offsets)))] : []),
    ...(keys.length < sizes.length ? [fullBox('stss', 0, table(1, keys))] : []),
    fullBox('stsc', 0, table(3, chunkSizes(runs))),
    fullBox('stsz', 0, u32(0), table(1, sizes)),
    fullBox('co64', 0, u32(runs.length), concat(runs.map(({ offset }) => u64(offset)))),
  ];
}

// Each run is a chunk. A row gives the number of samples per chunk, from its chunk up to that of the next row.
function chunkSizes(runs: readonly StoredRun[]): readonly number[] {
  const counts = runs.map(({ entries }) => entries.length / ENTRY_BYTES);
  return counts.flatMap((count, index) => (count === counts[index - 1] ? [] : [index + 1, count, 1]));
}

/** Returns rows of two numbers: how often a value is repeated, and the value. */
function repeats(values: readonly number[]): readonly number[] {
  const rows: number[] = [];
  let count = 0;
  for (const [index, value] of values.entries()) {
    count += 1;
    if (values[index + 1] === value) continue;
    rows.push(count, value);
    count = 0;
  }
  return rows;
}

const FIELDS = { duration: 0, size: 4, flags: 8, compositionOffset: 12 } as const;

/** Returns one field of each sample in a run. */
export function column(entries: Uint8Array, field: keyof typeof FIELDS): readonly number[] {
  const isSigned = field === 'compositionOffset';
  const view = new DataView(entries.buffer, entries.byteOffset, entries.length);
  return Array.from({ length: entries.length / ENTRY_BYTES }, (_, index) => {
    const at = index * ENTRY_BYTES + FIELDS[field];
    return isSigned ? view.getInt32(at) : view.getUint32(at);
  });
}

function movieTime(time: number, format: TrackFormat): number {
  return Math.round((time / timescaleOf(format)) * MOVIE_TIMESCALE);
}

function movieHeader(duration: number, tracks: number): Uint8Array {
  const rateAndVolume = concat([u32(0x10000), u16(0x100, 0), u32(0, 0)]);
  const times = u32(0, 0, MOVIE_TIMESCALE, duration);
  return fullBox('mvhd', 0, times, rateAndVolume, UNITY_MATRIX, u32(0, 0, 0, 0, 0, 0), u32(tracks + 1));
}

function trackOf(format: TrackFormat): Omit<FragmentedTrack, 'edits'> {
  const timescale = timescaleOf(format);
  if (format.kind === 'audio') return { timescale, size: undefined, entry: aacEntry(format) };
  return { timescale, size: [format.width, format.height], entry: videoEntry(format) };
}

function trackBox({ id, timescale, size, entry, duration, end, edits, tables }: Track): Uint8Array {
  const enabledAndInMovie = 3;
  const [width, height] = size ?? [0, 0];
  const header = fullBox(
    'tkhd',
    enabledAndInMovie,
    u32(0, 0, id, 0, end, 0, 0),
    u16(0, 0, size === undefined ? 0x100 : 0, 0),
    UNITY_MATRIX,
    u32(width * 0x10000, height * 0x10000),
  );
  const undetermined = 0x55c4;
  const handler = size === undefined ? HANDLER.audio : HANDLER.video;
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, timescale, duration), u16(undetermined, 0)),
    fullBox('hdlr', 0, u32(0, handler, 0, 0, 0), ascii('\0')),
    box(
      'minf',
      size === undefined ? fullBox('smhd', 0, u16(0, 0)) : fullBox('vmhd', 1, u16(0, 0, 0, 0)),
      box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
      box('stbl', fullBox('stsd', 0, u32(1), entry), ...tables),
    ),
  );
  const list = edits.length === 0 ? [] : [box('edts', fullBox('elst', 0, u32(edits.length), ...edits))];
  return box('trak', header, ...list, media);
}

function videoEntry({ width, height, configuration }: VideoFormat): Uint8Array {
  const resolution = u32(0x480000, 0x480000, 0);
  const [framesPerSample, depth, noColorTable] = [1, 24, 0xffff];
  return box(
    'avc1',
    u16(0, 0, 0, 1),
    new Uint8Array(16),
    u16(width, height),
    resolution,
    u16(framesPerSample),
    new Uint8Array(32),
    u16(depth, noColorTable),
    box('avcC', configuration),
  );
}

function aacEntry({ channels, sampleRate, configuration }: AudioFormat): Uint8Array {
  const aac = 0x40;
  const audioStream = 0x15;
  const decoder = concat([[aac, audioStream, 0, 0, 0], u32(0, 0), descriptor(5, configuration)]);
  const stream = descriptor(3, u16(0), [0], descriptor(4, decoder), descriptor(6, [2]));
  return audioEntry('mp4a', { channels, sampleRate }, fullBox('esds', 0, stream));
}

/** Returns the description of 16-bit samples. A rate that doesn't fit into its 16 bits is only in `settings`. */
export function audioEntry(
  type: string,
  { channels, sampleRate }: { readonly channels: number; readonly sampleRate: number },
  settings: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const rate = sampleRate < 0x10000 ? sampleRate * 0x10000 : 0;
  return box(type, u16(0, 0, 0, 1), u32(0, 0), u16(channels, 16, 0, 0), u32(rate), settings);
}

function descriptor(tag: number, ...parts: readonly Bytes[]): Uint8Array {
  const content = concat(parts);
  return concat([[tag, content.length], content]);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
