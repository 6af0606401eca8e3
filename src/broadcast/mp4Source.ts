import { type FileHandle, open } from 'node:fs/promises';
import { BroadcastError } from './errors.ts';
import { audioPacket, headerPacket, type MediaPacket, videoPacket } from './flv.ts';
import { notMp4, readMovieBox, readRange } from './mp4Boxes.ts';
import { readTracks, type Sample, samplesOf, type Track } from './mp4Tracks.ts';
import type { MediaSource } from './source.ts';

/** One frame over the message limit of servers, 16 MiB, could not be sent at all. */
const LARGEST_SAMPLE = 8 * 1024 * 1024;
/** A pass that is shorter would be sent as fast as the machine can. */
const SHORTEST_PASS_MS = 100;
const H264_ID = 7;
const AAC_ID = 10;

interface Movie {
  readonly file: FileHandle;
  readonly tracks: readonly Track[];
  /** Milliseconds that make all times positive. */
  readonly shift: number;
  /** Of one pass, in milliseconds. */
  readonly length: number;
}

/**
 * An MP4 file with H.264 and AAC, sent as it is, over and over. Only the moov box and one sample at a time are read.
 * Rejects with a BroadcastError (`file…`).
 */
export async function openMp4(path: string): Promise<MediaSource> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw fileError(cause);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new BroadcastError('fileNotMp4', 'Not a file');
    const movie = measure(file, readTracks(await readMovieBox(file, stats.size)));
    return {
      metadata: metadataOf(movie.tracks),
      packets: (from) => packetsOf(movie, from),
      // The descriptor is closed in any case; what fails is only what the file system had left to say.
      dispose: () => void file.close().catch(() => undefined),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function fileError(cause: unknown): BroadcastError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const reason = code === 'ENOENT' ? 'fileMissing' : 'fileUnreadable';
  return new BroadcastError(reason, `The file could not be opened: ${String(code)}`, { cause });
}

function measure(file: FileHandle, tracks: readonly Track[]): Movie {
  const spans = tracks.map((track) => ({ track, ...spanOf(track) }));
  const video = spans.find(({ track }) => track.kind === 'video');
  if (video === undefined || video.end - video.start < SHORTEST_PASS_MS) throw notMp4('no duration');
  // Video that starts before 0 is needed to decode what follows. Audio that does is only silence.
  const shift = Math.max(0, -video.start);
  return { file, tracks, shift, length: video.end + shift };
}

/** From the first to the end of the last sample, in milliseconds of the movie. */
function spanOf(track: Track): { readonly start: number; readonly end: number } {
  let units = 0;
  for (const { time, duration } of samplesOf(track)) units = time + duration;
  return { start: toMs(track, 0), end: toMs(track, units) };
}

function toMs({ start, timescale }: Track, units: number): number {
  return ((start + units) / timescale) * 1000;
}

function metadataOf(tracks: readonly Track[]): MediaSource['metadata'] {
  const { width = 0, height = 0 } = tracks.find(({ kind }) => kind === 'video') ?? {};
  const hasAudio = tracks.some(({ kind }) => kind === 'audio');
  return { width, height, videocodecid: H264_ID, ...(hasAudio ? { audiocodecid: AAC_ID } : {}) };
}

interface Placed {
  readonly track: Track;
  readonly sample: Sample;
  /** In milliseconds since the pass began. */
  readonly time: number;
}

async function* packetsOf(movie: Movie, from: number): AsyncGenerator<MediaPacket, void, undefined> {
  for (const { kind, configuration } of movie.tracks) yield headerPacket(kind, configuration);
  const passes = Math.floor(from / movie.length);
  const start = lastKeyFrame(movie, from - passes * movie.length);
  for (let pass = passes; ; pass++) {
    for (const placed of samplesInOrder(movie)) {
      if (pass === passes && placed.time < start) continue;
      yield await readPacket(movie, placed, pass * movie.length);
    }
  }
}

/** The time of the last key frame at or before a time. */
function lastKeyFrame(movie: Movie, before: number): number {
  let found = 0;
  for (const { track, sample, time } of samplesInOrder(movie)) {
    if (time > before) break;
    if (track.kind === 'video' && sample.isKeyFrame) found = time;
  }
  return found;
}

/** One pass over all tracks by time. What would play after its end or before its beginning is left out. */
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

function* placedSamples(movie: Movie, track: Track): Generator<Placed, void, undefined> {
  for (const sample of samplesOf(track)) {
    const time = toMs(track, sample.time) + movie.shift;
    if (time >= 0 && time < movie.length) yield { track, sample, time };
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
