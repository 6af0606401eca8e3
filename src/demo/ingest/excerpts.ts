import {
  beginsWithKey,
  column,
  ENTRY_BYTES,
  type Excerpt,
  KEY_SAMPLE,
  movieBox,
  movieFileStart,
  type StoredRun,
  sampleBytes,
  sum,
  type TrackFormat,
  timescaleOf,
} from '../../media/mp4.ts';

/** A file, or a part of one, that's read while it's sent. */
export interface StoredFile {
  readonly size: number;
  /** Identifies the content. */
  readonly tag: string;
  /** Reads from `from` to `to`, both included. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** A file that shows a part of a recording. */
export interface CutFile extends StoredFile {
  /** Its playing time. */
  readonly seconds: number;
}

/** Runs of samples, with access to their bytes. */
interface Source {
  readonly formats: readonly TrackFormat[];
  /** For each track, in order of time. */
  readonly runs: readonly StoredRun[];
  /** Reads from `start` to `end`, both included. */
  read(start: number, end: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Returns an MP4 file that shows exactly the frames of an excerpt. It also contains the frames needed to decode them,
 * back to a key frame. Throws if there is nothing to show.
 */
export function cutExcerpt(source: Source, excerpt: Excerpt): CutFile {
  const kept = source.formats.map((format) =>
    cutTrack(
      source.runs.filter((run) => run.format === format),
      excerpt,
    ),
  );
  if (excerpt.from >= excerpt.to || kept.every((runs) => runs.length === 0)) {
    throw new Error('There is nothing at this time in the recording');
  }
  const ordered = kept.flat().sort((a, b) => a.start / timescaleOf(a.format) - b.start / timescaleOf(b.format));
  let at = movieFileStart(0).length;
  const moved = ordered.map((run) => {
    const placed = { ...run, offset: at };
    at += sampleBytes(run);
    return placed;
  });
  const start = movieFileStart(sum(ordered.map(sampleBytes)));
  const movie = movieBox(moved, source.formats, excerpt);
  const inMemory = (bytes: Uint8Array): ByteSource => ({
    length: bytes.length,
    read: (from, to) => [bytes.subarray(from, to + 1)],
  });
  const samples = ordered.map((run) => ({
    length: sampleBytes(run),
    read: (from: number, to: number) => source.read(run.offset + from, run.offset + to),
  }));
  const parts = [inMemory(start), ...samples, inMemory(movie)];
  const size = sum(parts.map(({ length }) => length));
  const seconds = excerpt.to - excerpt.from;
  const tag = `${excerpt.from}-${excerpt.to}-${size}`;
  return { size, tag, seconds, read: (from, to) => readParts(parts, from, to) };
}

interface ByteSource {
  readonly length: number;
  read(from: number, to: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

async function* readParts(parts: readonly ByteSource[], from: number, to: number): AsyncIterable<Uint8Array> {
  let at = 0;
  for (const { length, read } of parts) {
    const [first, last] = [Math.max(from - at, 0), Math.min(to - at, length - 1)];
    if (first <= last) yield* read(first, last);
    at += length;
  }
}

function cutTrack(runs: readonly StoredRun[], { from, to }: Excerpt): readonly StoredRun[] {
  const scale = runs[0] === undefined ? 1 : timescaleOf(runs[0].format);
  const first = runs.findLastIndex((run) => run.start <= from * scale && beginsWithKey(run));
  return runs.slice(Math.max(0, first)).flatMap((run) => cutRun(run, [from * scale, to * scale]));
}

/** Cuts a run from its last key frame shown by `from`, if it has one, to the last frame shown before `to`. */
function cutRun(run: StoredRun, [from, to]: readonly [number, number]): readonly StoredRun[] {
  const [durations, sizes] = [column(run.entries, 'duration'), column(run.entries, 'size')];
  const [flags, delays] = [column(run.entries, 'flags'), column(run.entries, 'compositionOffset')];
  let [time, offset, end] = [run.start, run.offset, 0];
  let kept = { index: 0, start: time, offset };
  for (const [index, duration] of durations.entries()) {
    const shownAt = time + (delays[index] ?? 0);
    if (flags[index] === KEY_SAMPLE && shownAt <= from) kept = { index, start: time, offset };
    if (shownAt < to) end = index + 1;
    time += duration;
    offset += sizes[index] ?? 0;
  }
  if (end <= kept.index) return [];
  const entries = run.entries.subarray(kept.index * ENTRY_BYTES, end * ENTRY_BYTES);
  return [{ format: run.format, start: kept.start, offset: kept.offset, entries }];
}
