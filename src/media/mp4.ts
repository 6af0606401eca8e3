/** H.264 with its decoder configuration record (ISO 14496-15). */
export interface VideoFormat {
  readonly kind: 'video';
  readonly codec: string;
  readonly configuration: Buffer;
  readonly width: number;
  readonly height: number;
}

/** AAC with its AudioSpecificConfig (ISO 14496-3), at most 64 bytes. */
export interface AudioFormat {
  readonly kind: 'audio';
  readonly codec: string;
  readonly configuration: Buffer;
  readonly sampleRate: number;
  readonly channels: number;
}

export type TrackFormat = VideoFormat | AudioFormat;

/** Samples of one track that follow each other, in units of `timescaleOf` its format. */
export interface Run {
  readonly format: TrackFormat;
  /** Decode time of the first sample. */
  readonly start: number;
  /** Duration, size, flags, and composition offset of each sample, 32 bits each, as a track run box has them. */
  readonly entries: Buffer;
}

/** A run whose samples are in a file, at `offset`. */
export interface StoredRun extends Run {
  readonly offset: number;
}

export const ENTRY_BYTES = 16;
export const KEY_SAMPLE = 0x02000000;
export const DELTA_SAMPLE = 0x01010000;

const MOVIE_TIMESCALE = 1000;
const VERSION_1 = 0x01000000;
const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export function timescaleOf(format: TrackFormat): number {
  return format.kind === 'video' ? 1000 : format.sampleRate;
}

/** Returns the size of the samples of a run. */
export function sampleBytes({ entries }: Run): number {
  return sum(column(entries, 'size'));
}

export function initializationSegment(formats: readonly TrackFormat[]): Buffer {
  const tables = Buffer.concat([
    fullBox('stts', 0, u32(0)),
    fullBox('stsc', 0, u32(0)),
    fullBox('stsz', 0, u32(0, 0)),
    fullBox('stco', 0, u32(0)),
  ]);
  const tracks = formats.map((format, index) => trackBox({ format, id: index + 1, start: 0, duration: 0, tables }));
  const defaults = formats.map((_, index) => fullBox('trex', 0, u32(index + 1, 1, 0, 0, 0)));
  return Buffer.concat([
    box('ftyp', ascii('iso5'), u32(512), ascii('iso5iso6mp41')),
    box('moov', movieHeader(0, formats.length), ...tracks, box('mvex', ...defaults)),
  ]);
}

/** Returns what precedes the samples of a fragment, of which the first has number 0. The samples follow, run by run. */
export function fragmentHead(number: number, runs: readonly Run[], formats: readonly TrackFormat[]): Buffer {
  const build = (samplesAt: number) => {
    let offset = samplesAt;
    const tracks = runs.map((run) => {
      const part = trackFragment(run, formats.indexOf(run.format) + 1, offset);
      offset += sampleBytes(run);
      return part;
    });
    return box('moof', fullBox('mfhd', 0, u32(number + 1)), ...tracks);
  };
  const head = boxHead('mdat', sum(runs.map(sampleBytes)));
  return Buffer.concat([build(build(0).length + head.length), head]);
}

function trackFragment({ start, entries }: Run, id: number, offset: number): Buffer {
  const offsetsCountFromThisFragment = 0x020000;
  const hasOffsetAndAllFields = 0xf01;
  return box(
    'traf',
    fullBox('tfhd', offsetsCountFromThisFragment, u32(id)),
    fullBox('tfdt', VERSION_1, u64(start)),
    fullBox('trun', VERSION_1 | hasOffsetAndAllFields, u32(entries.length / ENTRY_BYTES, offset), entries),
  );
}

/** Returns the start of a file, which the samples and then `movieBox` follow. */
export function movieFileStart(samples: number): Buffer {
  const sizeIsLong = 1;
  const size = u64(samples + 16);
  return Buffer.concat([
    box('ftyp', ascii('isom'), u32(512), ascii('isomiso2avc1mp41')),
    u32(sizeIsLong),
    ascii('mdat'),
    size,
  ]);
}

export function movieBox(runs: readonly StoredRun[], formats: readonly TrackFormat[]): Buffer {
  const parts = formats.map((format, index) => {
    const own = runs.filter((run) => run.format === format);
    const entries = joinEntries(own);
    const start = own[0]?.start ?? 0;
    return {
      format,
      id: index + 1,
      start,
      duration: sum(column(entries, 'duration')),
      tables: sampleTables(own, entries),
    };
  });
  const end = parts.reduce((latest, { format, start, duration }) => {
    return Math.max(latest, movieTime(start + duration, format));
  }, 0);
  return box('moov', movieHeader(end, formats.length), ...parts.map(trackBox));
}

// Time without samples between two runs has no place but the duration of the last sample before it.
function joinEntries(runs: readonly StoredRun[]): Buffer {
  const all = Buffer.concat(runs.map(({ entries }) => entries));
  let end = 0;
  for (const [index, { start, entries }] of runs.entries()) {
    end += entries.length;
    const next = runs[index + 1];
    if (next === undefined) break;
    const last = end - ENTRY_BYTES;
    const before = sum(column(entries.subarray(0, -ENTRY_BYTES), 'duration'));
    all.writeUInt32BE(Math.max(0, next.start - start - before), last + FIELDS.duration);
  }
  return all;
}

// A recording may have hundreds of thousands of samples, so rows of tables are not objects, but follow each other.
function sampleTables(runs: readonly StoredRun[], entries: Buffer): Buffer {
  const sizes = column(entries, 'size');
  const offsets = column(entries, 'compositionOffset');
  const keys = column(entries, 'flags').flatMap((flags, index) => (flags === KEY_SAMPLE ? [index + 1] : []));
  return Buffer.concat([
    fullBox('stts', 0, table(2, repeats(column(entries, 'duration')))),
    ...(offsets.some((offset) => offset !== 0) ? [fullBox('ctts', VERSION_1, table(2, repeats(offsets)))] : []),
    ...(keys.length < sizes.length ? [fullBox('stss', 0, table(1, keys))] : []),
    fullBox('stsc', 0, table(3, chunkSizes(runs))),
    fullBox('stsz', 0, u32(0), table(1, sizes)),
    fullBox('co64', 0, u32(runs.length), Buffer.concat(runs.map(({ offset }) => u64(offset)))),
  ]);
}

// Each run is a chunk. A row gives the samples of all chunks from the one that it names to that of the next row.
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

function column(entries: Buffer, field: keyof typeof FIELDS): readonly number[] {
  const isSigned = field === 'compositionOffset';
  return Array.from({ length: entries.length / ENTRY_BYTES }, (_, index) => {
    const at = index * ENTRY_BYTES + FIELDS[field];
    return isSigned ? entries.readInt32BE(at) : entries.readUInt32BE(at);
  });
}

function movieTime(time: number, format: TrackFormat): number {
  return Math.round((time / timescaleOf(format)) * MOVIE_TIMESCALE);
}

function movieHeader(duration: number, tracks: number): Buffer {
  const rateAndVolume = Buffer.concat([u32(0x10000), u16(0x100, 0), u32(0, 0)]);
  const times = u32(0, 0, MOVIE_TIMESCALE, duration);
  return fullBox('mvhd', 0, times, rateAndVolume, UNITY_MATRIX, u32(0, 0, 0, 0, 0, 0), u32(tracks + 1));
}

interface TrackParts {
  readonly format: TrackFormat;
  readonly id: number;
  readonly start: number;
  readonly duration: number;
  readonly tables: Buffer;
}

function trackBox({ format, id, start, duration, tables }: TrackParts): Buffer {
  const isVideo = format.kind === 'video';
  const [width, height] = isVideo ? [format.width, format.height] : [0, 0];
  const delay = movieTime(start, format);
  const length = movieTime(duration, format);
  const enabledAndInMovie = 3;
  const header = fullBox(
    'tkhd',
    enabledAndInMovie,
    u32(0, 0, id, 0, delay + length, 0, 0),
    u16(0, 0, isVideo ? 0 : 0x100, 0),
    UNITY_MATRIX,
    u32(width * 0x10000, height * 0x10000),
  );
  const undetermined = 0x55c4;
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, timescaleOf(format), duration), u16(undetermined, 0)),
    fullBox('hdlr', 0, u32(0), ascii(isVideo ? 'vide' : 'soun'), u32(0, 0, 0), ascii('\0')),
    box(
      'minf',
      isVideo ? fullBox('vmhd', 1, u16(0, 0, 0, 0)) : fullBox('smhd', 0, u16(0, 0)),
      box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
      box('stbl', fullBox('stsd', 0, u32(1), isVideo ? videoEntry(format) : audioEntry(format)), tables),
    ),
  );
  return box('trak', header, ...(delay > 0 ? [delayEdit(delay, length)] : []), media);
}

function delayEdit(delay: number, length: number): Buffer {
  const normalRate = 0x10000;
  const nothing = 0xffffffff;
  return box('edts', fullBox('elst', 0, u32(2, delay, nothing, normalRate, length, 0, normalRate)));
}

function videoEntry({ width, height, configuration }: VideoFormat): Buffer {
  const resolution = u32(0x480000, 0x480000, 0);
  const [framesPerSample, depth, noColorTable] = [1, 24, 0xffff];
  return box(
    'avc1',
    u16(0, 0, 0, 1),
    Buffer.alloc(16),
    u16(width, height),
    resolution,
    u16(framesPerSample),
    Buffer.alloc(32),
    u16(depth, noColorTable),
    box('avcC', configuration),
  );
}

function audioEntry({ channels, sampleRate, configuration }: AudioFormat): Buffer {
  const rate = sampleRate < 0x10000 ? sampleRate * 0x10000 : 0;
  const aac = 0x40;
  const audioStream = 0x15;
  const decoder = Buffer.concat([Buffer.from([aac, audioStream, 0, 0, 0]), u32(0, 0), descriptor(5, configuration)]);
  const stream = descriptor(3, u16(0), Buffer.from([0]), descriptor(4, decoder), descriptor(6, Buffer.from([2])));
  return box('mp4a', u16(0, 0, 0, 1), u32(0, 0), u16(channels, 16, 0, 0), u32(rate), fullBox('esds', 0, stream));
}

function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([boxHead(type, content.length), content]);
}

function fullBox(type: string, versionAndFlags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32(versionAndFlags), ...parts);
}

function boxHead(type: string, contentBytes: number): Buffer {
  return Buffer.concat([u32(contentBytes + 8), ascii(type)]);
}

function table(columns: number, values: readonly number[]): Buffer {
  return Buffer.concat([u32(values.length / columns), words(values)]);
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function u32(...values: readonly number[]): Buffer {
  return words(values);
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

// Negative values are written as two's complement.
function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
