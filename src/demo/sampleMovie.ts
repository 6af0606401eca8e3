import { readDecoderInfo } from '../media/aac.ts';
import { type Box, boxesIn, findBox, HANDLER, read16, read32, readHandler, words } from '../media/boxes.ts';
import { DELTA_SAMPLE, type Excerpt, KEY_SAMPLE, type StoredRun, type TrackFormat, timescaleOf } from '../media/mp4.ts';
import { concat } from '../util/bytes.ts';
import { type CutFile, cutExcerpt } from './ingest/excerpts.ts';

/** The movie that recordings of simulated broadcasts repeat. Only reads the output of test/scripts/demoClips.ts. */
export interface SampleMovie {
  /** Returns an excerpt of the movie, repeated as often as needed. Throws if the excerpt is empty. */
  cut(excerpt: Excerpt): CutFile;
}

interface Sample {
  /** In units of the format. */
  readonly time: number;
  readonly data: Uint8Array;
  readonly isKey: boolean;
}

interface Track {
  readonly format: TrackFormat;
  readonly samples: readonly Sample[];
}

const SECONDS = 12;

export function openSampleMovie(file: Uint8Array): SampleMovie {
  const movie = findBox(file, 'moov');
  const tracks = [...boxesIn(file, movie)].filter(({ type }) => type === 'trak').map((track) => readTrack(file, track));
  const formats = tracks.map(({ format }) => format);
  const { runs, data } = layOut(tracks);
  return {
    cut(excerpt) {
      const rounds = Array.from(
        { length: Math.ceil(excerpt.to / SECONDS) - Math.floor(excerpt.from / SECONDS) },
        (_, index) => Math.floor(excerpt.from / SECONDS) + index,
      );
      const repeated = rounds.flatMap((round) =>
        runs.map((run) => ({ ...run, start: run.start + round * SECONDS * timescaleOf(run.format) })),
      );
      const read = (from: number, to: number) => [data.subarray(from, to + 1)];
      return cutExcerpt({ formats, runs: repeated, read }, excerpt);
    },
  };
}

/** Returns a run for each group of pictures and one for all audio, and their samples in sequence. */
function layOut(tracks: readonly Track[]): { readonly runs: readonly StoredRun[]; readonly data: Uint8Array } {
  const all: Uint8Array[] = [];
  const runs: StoredRun[] = [];
  let offset = 0;
  for (const { format, samples } of tracks) {
    const end = SECONDS * timescaleOf(format);
    const shown = samples.filter(({ time }) => time >= 0 && time < end);
    const starts = shown.flatMap(({ isKey }, index) =>
      isKey && (index === 0 || format.kind === 'video') ? [index] : [],
    );
    for (const [nth, start] of starts.entries()) {
      const own = shown.slice(start, starts[nth + 1]);
      const next = shown[starts[nth + 1] ?? shown.length]?.time ?? end;
      const entries = own.flatMap(({ time, data, isKey }, index) => [
        (own[index + 1]?.time ?? next) - time,
        data.length,
        isKey ? KEY_SAMPLE : DELTA_SAMPLE,
        0,
      ]);
      runs.push({ format, start: own[0]?.time ?? 0, entries: words(entries), offset });
      all.push(...own.map(({ data }) => data));
      offset += own.reduce((sum, { data }) => sum + data.length, 0);
    }
  }
  return { runs, data: concat(all) };
}

function readTrack(file: Uint8Array, track: Box): Track {
  const content = (path: string) => {
    const found = findBox(file, path, track);
    return found && file.subarray(found.from, found.to);
  };
  const rows = (type: string, columns: number) => {
    const table = content(`mdia/minf/stbl/${type}`);
    if (table === undefined) return undefined;
    return Array.from({ length: read32(table, 4) }, (_, row) =>
      Array.from({ length: columns }, (__, column) => read32(table, 8 + (row * columns + column) * 4)),
    );
  };
  const timescale = read32(content('mdia/mdhd') ?? new Uint8Array(), 12);
  const format = readFormat(file, track);
  const sizes = readSizes(content('mdia/minf/stbl/stsz') ?? new Uint8Array());
  const durations = (rows('stts', 2) ?? []).flatMap(([count = 0, duration = 0]) => Array<number>(count).fill(duration));
  const keys = rows('stss', 1);
  const keyNumbers = keys && new Set(keys.map(([number]) => number));
  const offsets = sampleOffsets(sizes, rows('stco', 1) ?? [], rows('stsc', 3) ?? []);
  // The start of its only edit.
  let time = -read32(content('edts/elst') ?? new Uint8Array(), 12);
  const samples = sizes.map((size, index): Sample => {
    const at = offsets[index] ?? 0;
    const sample = {
      time: Math.round((time / timescale) * timescaleOf(format)),
      data: file.subarray(at, at + size),
      isKey: keyNumbers?.has(index + 1) ?? true,
    };
    time += durations[index] ?? 0;
    return sample;
  });
  return { format, samples };
}

function readSizes(table: Uint8Array): readonly number[] {
  return Array.from({ length: read32(table, 8) }, (_, index) => read32(table, 12 + index * 4));
}

function sampleOffsets(
  sizes: readonly number[],
  chunks: readonly (readonly number[])[],
  counts: readonly (readonly number[])[],
): readonly number[] {
  const offsets: number[] = [];
  for (const [index, [start = 0]] of chunks.entries()) {
    const [, count = 0] = counts.findLast(([first = 0]) => first <= index + 1) ?? [];
    let at = start;
    for (let nth = 0; nth < count; nth++) {
      const size = sizes[offsets.length] ?? 0;
      offsets.push(at);
      at += size;
    }
  }
  return offsets;
}

function readFormat(file: Uint8Array, track: Box): TrackFormat {
  const description = findBox(file, 'mdia/minf/stbl/stsd', track);
  const [entry] = boxesIn(file, description && { from: description.from + 8, to: description.to });
  if (entry === undefined) throw new Error('The sample movie has no format');
  if (readHandler(file, track) === HANDLER.video) {
    const box = findBox(file, 'avcC', { from: entry.from + 78, to: entry.to });
    const configuration = file.slice(box?.from, box?.to);
    const codec = `avc1.${Buffer.from(configuration).toString('hex', 1, 4)}`;
    return {
      kind: 'video',
      codec,
      configuration,
      width: read16(file, entry.from + 24),
      height: read16(file, entry.from + 26),
    };
  }
  const box = findBox(file, 'esds', { from: entry.from + 28, to: entry.to });
  const configuration = readDecoderInfo(file.subarray((box?.from ?? 0) + 4, box?.to))?.config ?? new Uint8Array();
  const [channels, sampleRate] = [read16(file, entry.from + 16), read16(file, entry.from + 24)];
  return { kind: 'audio', codec: 'mp4a.40.2', configuration, sampleRate, channels };
}
