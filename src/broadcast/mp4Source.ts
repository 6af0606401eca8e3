import type { FileHandle } from 'node:fs/promises';
import { AAC_OBJECT_TYPES, readDecoderInfo } from '../media/aac.ts';
import { boxesIn, findBox, HANDLER, LONG_BOX_HEADER, readBoxHeader, readHandler } from '../media/boxes.ts';
import { audioPacket, headerPacket, type MediaPacket, videoPacket } from '../media/flv.ts';
import { BroadcastError } from './errors.ts';
import { beginsLikeMp4 } from './mp4Head.ts';
import type { MediaSource } from './source.ts';
import { openRegularFile } from './videoFile.ts';

/** Servers limit messages to 16 MiB, so a larger frame couldn't be sent at all. */
const LARGEST_SAMPLE = 8 * 1024 * 1024;
/** A shorter pass would be sent as fast as the machine can. */
const SHORTEST_PASS_MS = 100;
const H264_ID = 7;
const AAC_ID = 10;

interface Movie {
  readonly file: FileHandle;
  readonly tracks: readonly SentTrack[];
  /** The shift that makes all times positive, in milliseconds. */
  readonly shift: number;
  /** The length of one pass, in milliseconds. */
  readonly length: number;
}

/**
 * Opens an MP4 file with H.264 and AAC, which is sent unchanged, in a loop. Keeps only the moov box and one sample in
 * memory. Rejects with a BroadcastError (`file…`).
 */
export async function openMp4Source(path: string): Promise<MediaSource> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    const movie = measure(file, readTracks(await readMovieBox(file, size)));
    return {
      metadata: metadataOf(movie.tracks),
      packets: (from) => packetsOf(movie, from),
      // The descriptor is closed in any case, so an error of the file system doesn't matter.
      dispose: () => void file.close().catch(() => undefined),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The part of a track to send, in milliseconds of the movie. */
interface SentTrack {
  readonly track: Track;
  readonly start: number;
  readonly end: number;
}

function measure(file: FileHandle, all: readonly Track[]): Movie {
  const tracks = all.map(sentTrack);
  const video = tracks.find(({ track }) => track.kind === 'video');
  if (video === undefined || video.end - video.start < SHORTEST_PASS_MS) throw notMp4('no duration');
  // Video before 0 is needed to decode later frames. Audio before 0 is only silence.
  const shift = Math.max(0, -video.start);
  return { file, tracks, shift, length: video.end + shift };
}

/** From the sample at which decoding begins to the end of the last one that's shown. */
function sentTrack(track: Track): SentTrack {
  let start: number | undefined;
  let end = 0;
  for (const { time, duration, delay, isKeyFrame } of samplesOf(track)) {
    const shownAt = track.start + time + delay;
    if (shownAt >= track.end) continue;
    if (start === undefined || (isKeyFrame && shownAt <= 0)) start = time;
    end = time + duration;
  }
  return { track, start: toMs(track, start ?? 0), end: toMs(track, end) };
}

function toMs({ start, timescale }: Track, units: number): number {
  return ((start + units) / timescale) * 1000;
}

function metadataOf(tracks: readonly SentTrack[]): MediaSource['metadata'] {
  const { width = 0, height = 0 } = tracks.find(({ track }) => track.kind === 'video')?.track ?? {};
  const hasAudio = tracks.some(({ track }) => track.kind === 'audio');
  return { width, height, videocodecid: H264_ID, ...(hasAudio ? { audiocodecid: AAC_ID } : {}) };
}

interface Placed {
  readonly track: Track;
  readonly sample: Sample;
  /** In milliseconds since the beginning of the pass. */
  readonly time: number;
}

async function* packetsOf(movie: Movie, from: number): AsyncGenerator<MediaPacket, void, undefined> {
  for (const { track } of movie.tracks) yield headerPacket(track.kind, track.configuration);
  const passes = Math.floor(from / movie.length);
  const start = lastKeyFrame(movie, from - passes * movie.length);
  for (let pass = passes; ; pass++) {
    for (const placed of samplesInOrder(movie)) {
      if (pass === passes && placed.time < start) continue;
      yield await readPacket(movie, placed, pass * movie.length);
    }
  }
}

/** Returns the time of the last key frame at or before a time. */
function lastKeyFrame(movie: Movie, before: number): number {
  let found = 0;
  for (const { track, sample, time } of samplesInOrder(movie)) {
    if (time > before) break;
    if (track.kind === 'video' && sample.isKeyFrame) found = time;
  }
  return found;
}

/** Yields the samples of all tracks in one pass, in order of time. Omits any before its beginning or after its end. */
function* samplesInOrder(movie: Movie): Generator<Placed, void, undefined> {
  const tracks = movie.tracks.map((track) => placedSamples(movie, track));
  const heads = tracks.map((track) => track.next());
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      const time = head.done === true ? Number.POSITIVE_INFINITY : head.value.time;
      const earliest = heads[first];
      if (head.done !== true && (earliest === undefined || earliest.done === true || time < earliest.value.time))
        first = index;
    }
    const head = heads[first];
    const track = tracks[first];
    if (head === undefined || head.done === true || track === undefined) return;
    yield head.value;
    heads[first] = track.next();
  }
}

function* placedSamples({ shift, length }: Movie, { track, end }: SentTrack): Generator<Placed, void, undefined> {
  const limit = Math.min(end + shift, length);
  for (const sample of samplesOf(track)) {
    const time = toMs(track, sample.time) + shift;
    if (time >= 0 && time < limit) yield { track, sample, time };
  }
}

async function readPacket({ file }: Movie, { track, sample, time }: Placed, offset: number): Promise<MediaPacket> {
  if (sample.size > LARGEST_SAMPLE) throw notMp4(`a sample of ${sample.size} bytes`);
  if (!Number.isSafeInteger(sample.offset)) throw notMp4('a sample outside the file');
  const data = await readRange(file, sample.offset, sample.size);
  const at = Math.round(offset + time);
  if (track.kind === 'audio') return audioPacket(data, at);
  const delay = Math.round((sample.delay / track.timescale) * 1000);
  return videoPacket(data, { time: at, delay, isKeyFrame: sample.isKeyFrame });
}

/** Tables of an MP4 track as they are in the file: expanded, they'd take several times as much memory. */
interface Track {
  readonly kind: MediaPacket['kind'];
  /** Units per second of all times of the track. */
  readonly timescale: number;
  /** When its first sample is decoded, relative to the movie. Negative if some samples only prepare the decoder. */
  readonly start: number;
  /** Samples shown later are left out. Relative to the movie. */
  readonly end: number;
  readonly width: number;
  readonly height: number;
  /** The content of avcC, or the AudioSpecificConfig. */
  readonly configuration: Buffer;
  readonly tables: SampleTables;
}

interface SampleTables {
  readonly durations: Buffer;
  readonly delays: Buffer | undefined;
  readonly sizes: Buffer;
  readonly chunkRuns: Buffer;
  readonly chunkOffsets: Buffer;
  readonly areOffsetsLarge: boolean;
  readonly keyFrames: Buffer | undefined;
}

interface Sample {
  readonly offset: number;
  readonly size: number;
  /** In units of the track, relative to its first sample. */
  readonly time: number;
  readonly duration: number;
  readonly delay: number;
  readonly isKeyFrame: boolean;
}

const CODEC_NAMES: Readonly<Record<string, string>> = {
  hvc1: 'HEVC',
  hev1: 'HEVC',
  dvh1: 'Dolby Vision',
  dvhe: 'Dolby Vision',
  vp08: 'VP8',
  vp09: 'VP9',
  av01: 'AV1',
  mp4v: 'MPEG-4 Part 2',
  jpeg: 'Motion JPEG',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  Opus: 'Opus',
  fLaC: 'FLAC',
  alac: 'Apple Lossless',
  '.mp3': 'MP3',
  sowt: 'PCM',
  twos: 'PCM',
  lpcm: 'PCM',
  ipcm: 'PCM',
  encv: 'DRM',
  enca: 'DRM',
};
const MOST_TRACKS = 64;
/** Both tracks of a ten-hour video have 4 million. Without this limit, a table with one size for all can claim any. */
const MOST_SAMPLES = 8_000_000;
const SHORTEST_FRACTION = 1_000_000_000;

/**
 * Returns the H.264 video track and, if there's sound, the AAC track. Throws a BroadcastError: `fileUnsupported` with
 * the codec or feature as `detail`, or `fileNotMp4`.
 */
function readTracks(movie: Buffer): readonly Track[] {
  const boxes = childBoxes(movie);
  if (boxes.some(({ type }) => type === 'mvex')) throw unsupported('Fragmented MP4');
  const movieScale = timescaleOf(contentAt(movie, 'mvhd'));
  const tracks = boxes.filter(({ type }) => type === 'trak').slice(0, MOST_TRACKS);
  const first = (handler: number) =>
    tracks.find(({ content }) => readHandler(content, { from: 0, to: content.length }) === handler)?.content;
  const [video, audio] = [first(HANDLER.video), first(HANDLER.audio)];
  if (video === undefined) throw unsupported('No video');
  const read = [readTrack('video', video, movieScale)];
  if (audio !== undefined) read.push(readTrack('audio', audio, movieScale));
  return read;
}

function readTrack(kind: Track['kind'], track: Buffer, movieScale: number): Track {
  const timescale = timescaleOf(contentAt(track, 'mdia/mdhd'));
  const table = contentAt(track, 'mdia/minf/stbl');
  if (table === undefined) throw notMp4('a track without samples');
  const entry = childBoxes((contentAt(table, 'stsd') ?? Buffer.alloc(0)).subarray(8))[0];
  if (entry === undefined) throw notMp4('a track without a codec');
  const tables = readTables(table);
  const samples = sampleCount(tables);
  if (samples === 0) throw unsupported('No samples');
  if (samples > MOST_SAMPLES) throw notMp4(`${samples} samples`);
  return {
    kind,
    timescale,
    tables,
    ...placeOf(contentAt(track, 'edts/elst'), timescale / movieScale),
    ...(kind === 'video' ? readVideoEntry(entry.type, entry.content) : readAudioEntry(entry.type, entry.content)),
  };
}

type EntryFacts = Pick<Track, 'configuration' | 'width' | 'height'>;

function readVideoEntry(type: string, entry: Buffer): EntryFacts {
  if (type !== 'avc1' && type !== 'avc3') throw unsupported(codecName(type));
  const configuration = contentAt(entry.subarray(78), 'avcC');
  if (configuration === undefined || configuration.length < 7) throw notMp4('H.264 without its settings');
  return { configuration, width: entry.readUInt16BE(24), height: entry.readUInt16BE(26) };
}

function readAudioEntry(type: string, entry: Buffer): EntryFacts {
  if (type !== 'mp4a') throw unsupported(codecName(type));
  // QuickTime's versions of the entry are longer, and may nest the box in another one.
  const version = entry.length < 10 ? 0 : entry.readUInt16BE(8);
  const boxes = entry.subarray(28 + (version === 1 ? 16 : version === 2 ? 36 : 0));
  const descriptor = contentAt(boxes, 'esds') ?? contentAt(boxes, 'wave/esds');
  if (descriptor === undefined) throw notMp4('AAC without its settings');
  return { configuration: readAudioConfiguration(descriptor.subarray(4)), width: 0, height: 0 };
}

function readAudioConfiguration(descriptors: Buffer): Buffer {
  const { objectType, config = Buffer.alloc(0) } = readDecoderInfo(descriptors) ?? {};
  if (objectType === undefined) throw notMp4('AAC with broken settings');
  if (!AAC_OBJECT_TYPES.has(objectType)) {
    throw unsupported(objectType === 0x69 || objectType === 0x6b ? 'MP3' : `mp4a.${objectType.toString(16)}`);
  }
  if (config.length < 2) throw notMp4('AAC without its settings');
  return Buffer.from(config);
}

function codecName(type: string): string {
  return CODEC_NAMES[type] ?? (/^[\w .-]{4}$/.test(type) ? type.trim() : 'Unknown codec');
}

function timescaleOf(header: Buffer | undefined): number {
  const isLong = header?.[0] === 1;
  const end = isLong ? 24 : 16;
  const timescale = header === undefined || header.length < end ? 0 : header.readUInt32BE(end - 4);
  if (timescale === 0 || timescale > SHORTEST_FRACTION) throw notMp4('a track without a timescale');
  return timescale;
}

const MOST_EDITS = 16;
const USUAL_SPEED = 0x10000;

/** Supports edit lists that delay a track, or cut its beginning or end. Others are left to players. */
function placeOf(list: Buffer | undefined, unitsPerMovieUnit: number): { start: number; end: number } {
  const edits = readEdits(list);
  if (edits.length === 0) return { start: 0, end: Number.POSITIVE_INFINITY };
  const first = edits.findIndex(({ from }) => from >= 0);
  const hasMore = edits.slice(first + 1).some(({ from }) => from >= 0);
  if ((first >= 0 && hasMore) || edits.length > MOST_EDITS) throw unsupported('Several edits');
  const shown = edits[first];
  if (shown === undefined) throw unsupported('No samples');
  if (shown.speed !== USUAL_SPEED) throw unsupported('Changed speed');
  const empty = edits.slice(0, first).reduce((sum, { duration }) => sum + duration, 0);
  const end = shown.duration === 0 ? Number.POSITIVE_INFINITY : (empty + shown.duration) * unitsPerMovieUnit;
  return { start: empty * unitsPerMovieUnit - shown.from, end };
}

interface Edit {
  /** In units of the movie; 0 means all. */
  readonly duration: number;
  /** In units of the track; negative if nothing is shown. */
  readonly from: number;
  readonly speed: number;
}

function readEdits(list: Buffer | undefined): readonly Edit[] {
  const isLong = list?.[0] === 1;
  const size = isLong ? 20 : 12;
  const table = tableOf(list, size) ?? Buffer.alloc(0);
  return Array.from({ length: Math.min(table.length / size, MOST_EDITS + 1) }, (_, index) => {
    const edit = table.subarray(index * size);
    return isLong
      ? { duration: Number(edit.readBigUInt64BE()), from: Number(edit.readBigInt64BE(8)), speed: edit.readInt32BE(16) }
      : { duration: edit.readUInt32BE(), from: edit.readInt32BE(4), speed: edit.readInt32BE(8) };
  });
}

function readTables(table: Buffer): SampleTables {
  const boxes = new Map(childBoxes(table).map(({ type, content }) => [type, content]));
  const entries = (type: string, size: number) => tableOf(boxes.get(type), size);
  const sizes = boxes.get('stsz');
  if (sizes === undefined) throw boxes.has('stz2') ? unsupported('Compact sample sizes') : notMp4('no sample sizes');
  if (sizes.length < 12) throw notMp4('no sample sizes');
  const offsets = entries('co64', 8) ?? entries('stco', 4);
  const [durations, chunkRuns] = [entries('stts', 8), entries('stsc', 12)];
  if (durations === undefined || chunkRuns === undefined || offsets === undefined) throw notMp4('a missing table');
  return {
    durations,
    delays: entries('ctts', 8),
    sizes,
    chunkRuns,
    chunkOffsets: offsets,
    areOffsetsLarge: boxes.has('co64'),
    keyFrames: entries('stss', 4),
  };
}

/** Returns the entries of a table, up to its count and its size. */
function tableOf(content: Buffer | undefined, entrySize: number): Buffer | undefined {
  if (content === undefined || content.length < 8) return undefined;
  const count = Math.min(content.readUInt32BE(4), Math.floor((content.length - 8) / entrySize));
  return content.subarray(8, 8 + count * entrySize);
}

function sampleCount({ sizes }: SampleTables): number {
  const count = sizes.readUInt32BE(8);
  const hasOneSize = sizes.readUInt32BE(4) > 0;
  return hasOneSize ? count : Math.min(count, Math.floor((sizes.length - 12) / 4));
}

/** Yields the samples of a track in decoding order. */
function* samplesOf({ tables }: Track): Generator<Sample, void, undefined> {
  const durations = runs(tables.durations, (at) => tables.durations.readUInt32BE(at));
  const delays =
    tables.delays === undefined ? undefined : runs(tables.delays, (at) => tables.delays?.readInt32BE(at) ?? 0);
  const fixedSize = tables.sizes.readUInt32BE(4);
  const places = placesOf(tables);
  const isKey = keyFrameTest(tables.keyFrames);
  let time = 0;
  let offset = 0;
  for (let index = 0, count = sampleCount(tables); index < count; index++) {
    const place = places.next();
    const duration = durations.next();
    if (place.done === true || duration.done === true) return;
    if (place.value !== undefined) offset = place.value;
    const size = fixedSize > 0 ? fixedSize : tables.sizes.readUInt32BE(12 + index * 4);
    const delay = delays?.next().value ?? 0;
    yield { offset, size, time, duration: duration.value, delay, isKeyFrame: isKey(index + 1) };
    time += duration.value;
    offset += size;
  }
}

/** Yields the values of a table of (count, value) pairs, one for each sample. */
function* runs(table: Buffer, valueAt: (offset: number) => number): Generator<number, void, undefined> {
  for (let at = 0; at < table.length; at += 8) {
    const value = valueAt(at + 4);
    for (let left = table.readUInt32BE(at); left > 0; left--) yield value;
  }
}

/** Yields, for each sample, the offset of its chunk if it's the first one in the chunk; otherwise undefined. */
function* placesOf({ chunkRuns, chunkOffsets, areOffsetsLarge }: SampleTables): Generator<number | undefined, void> {
  const chunks = chunkOffsets.length / (areOffsetsLarge ? 8 : 4);
  for (let at = 0; at < chunkRuns.length; at += 12) {
    const next = at + 12 < chunkRuns.length ? chunkRuns.readUInt32BE(at + 12) - 1 : chunks;
    const samples = chunkRuns.readUInt32BE(at + 4);
    if (samples === 0) continue;
    for (let chunk = Math.max(0, chunkRuns.readUInt32BE(at) - 1); chunk < Math.min(next, chunks); chunk++) {
      yield areOffsetsLarge ? Number(chunkOffsets.readBigUInt64BE(chunk * 8)) : chunkOffsets.readUInt32BE(chunk * 4);
      for (let left = samples - 1; left > 0; left--) yield undefined;
    }
  }
}

/** Without a table, every sample is a key frame. Call the test with the samples in order, from 1. */
function keyFrameTest(keyFrames: Buffer | undefined): (sample: number) => boolean {
  if (keyFrames === undefined) return () => true;
  let at = 0;
  return (sample) => {
    while (at + 4 < keyFrames.length && keyFrames.readUInt32BE(at) < sample) at += 4;
    return at < keyFrames.length && keyFrames.readUInt32BE(at) === sample;
  };
}

function unsupported(detail: string): BroadcastError {
  return new BroadcastError('fileUnsupported', `The file can't be sent as it is: ${detail}`, { detail });
}

const MOST_BOXES = 4096;
/** The tables of ten hours of video are about 35 MB. */
const LARGEST_MOVIE = 48 * 1024 * 1024;

/** Returns the content of a file's moov box. Reads no other box. Throws a BroadcastError unless it's a complete MP4. */
async function readMovieBox(file: FileHandle, size: number): Promise<Buffer> {
  let offset = 0;
  for (let count = 0; offset < size; count++) {
    if (count >= MOST_BOXES) throw notMp4('too many boxes');
    const header = await readRange(file, offset, Math.min(LONG_BOX_HEADER, size - offset));
    const box = readBoxHeader(header, 0, size - offset);
    if (count === 0 && (box === undefined || !beginsLikeMp4(header))) throw notMp4('no MP4 box at the beginning');
    if (box === undefined) throw incomplete();
    if (box.type === 'moov') return readMovie(file, { ...box, offset, available: size - offset });
    offset += box.size;
  }
  throw offset > size ? incomplete() : notMp4('no moov box');
}

interface MovieBox {
  readonly offset: number;
  readonly headerBytes: number;
  readonly size: number;
  /** Bytes to the end of the file. */
  readonly available: number;
}

async function readMovie(file: FileHandle, { offset, headerBytes, size, available }: MovieBox): Promise<Buffer> {
  if (size > LARGEST_MOVIE) throw notMp4(`a moov box of ${size} bytes`);
  if (size > available) throw incomplete();
  return readRange(file, offset + headerBytes, size - headerBytes);
}

function childBoxes(content: Buffer): readonly { readonly type: string; readonly content: Buffer }[] {
  const boxes = [];
  for (const { type, from, to } of boxesIn(content)) {
    if (boxes.length >= MOST_BOXES) break;
    boxes.push({ type, content: content.subarray(from, to) });
  }
  return boxes;
}

/** Returns the content of the first box at a path such as `mdia/minf/stbl`. */
function contentAt(content: Buffer, path: string): Buffer | undefined {
  const box = findBox(content, path);
  return box && content.subarray(box.from, box.to);
}

/** Reads exactly `length` bytes. Throws a BroadcastError if the file ends before that or can't be read. */
async function readRange(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled).catch((cause: unknown) => {
      throw new BroadcastError('fileUnreadable', 'The file could not be read', { cause });
    });
    if (bytesRead === 0) throw incomplete();
    filled += bytesRead;
  }
  return bytes;
}

function notMp4(what: string): BroadcastError {
  return new BroadcastError('fileNotMp4', `Not an MP4 file that can be sent: ${what}`);
}

function incomplete(): BroadcastError {
  return new BroadcastError('fileIncomplete', 'The file ends before its content does');
}
