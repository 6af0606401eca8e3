import { createReadStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { appendFile, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ENTRY_BYTES,
  type Excerpt,
  fragmentHead,
  initializationSegment,
  movieBox,
  movieFileStart,
  type StoredRun,
  sampleBytes,
} from '../../media/mp4.ts';
import type { Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { errorCode } from '../../util/errorCode.ts';
import { isProcessRunning } from '../../util/isProcessRunning.ts';
import { type CutFile, cutExcerpt, type StoredFile } from './excerpts.ts';
import {
  INITIALIZATION_FILE,
  type ListedSegment,
  masterPlaylist,
  mediaPlaylist,
  PLAYLIST_FILE,
  segmentFile,
} from './playlists.ts';
import { LONGEST_MS, type Segment } from './segmenter.ts';

/** A segment without its samples and their head, which is made from the runs. */
interface StoredSegment extends ListedSegment {
  readonly runs: readonly StoredRun[];
}

/** The space that recordings take: on disk, and in memory for each of their segments and frames. */
interface Amount {
  readonly bytes: number;
  readonly segments: number;
  readonly frames: number;
}

export interface RecordingsOptions {
  /** The parent of this demo's folder and of the folders of other windows. Accessible only to this user. */
  readonly folder: string;
  /** The limit for all recordings. Default: 4 GB, 20,000 segments, and 1.6 million frames. Removes the oldest ones. */
  readonly most?: Partial<Amount> | undefined;
  onRemoved(sessionId: string): void;
}

/** How many broadcasts can be recorded at a time. Each gets an equal share of the limit. */
export const MOST_AT_A_TIME = 4;

const MOST: Amount = { bytes: 4 * 1024 ** 3, segments: 20_000, frames: 1_600_000 };
const MOST_UNWRITTEN_BYTES = 32 * 1024 ** 2;
const START_BYTES = movieFileStart(0).length;

/** Recordings by session, in a folder that is removed with them. */
export class DemoRecordings implements Disposable {
  readonly #options: RecordingsOptions;
  readonly #bySession = new Map<string, Recording>();
  readonly #most: Amount;
  readonly #mostOfOne: Amount;
  #folder: string | undefined;
  #isDisposed = false;

  constructor(options: RecordingsOptions) {
    const most = { ...MOST, ...options.most };
    this.#options = options;
    this.#most = most;
    this.#mostOfOne = {
      bytes: most.bytes / MOST_AT_A_TIME,
      segments: most.segments / MOST_AT_A_TIME,
      frames: most.frames / MOST_AT_A_TIME,
    };
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  get(sessionId: string): Recording | undefined {
    return this.#bySession.get(sessionId);
  }

  /** @param beganAt when the broadcast began, in epoch ms. Throws if there is no room, or no folder. */
  begin(sessionId: string, beganAt: number): Recording {
    this.#makeRoom();
    this.#folder ??= makeFolder(this.#options.folder);
    const recording = new Recording({
      path: join(this.#folder, `${sessionId}.mp4`),
      beganAt,
      most: this.#mostOfOne,
    });
    this.#bySession.set(sessionId, recording);
    return recording;
  }

  /** Forgets a recording and removes its file. */
  discard(sessionId: string): void {
    const recording = this.#bySession.get(sessionId);
    this.#bySession.delete(sessionId);
    recording?.discard();
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes the oldest recordings until there is room for a full one. Unfinished ones count as full. */
  #makeRoom(): void {
    let total = this.#mostOfOne;
    for (const { isFinished, amount } of this.#bySession.values()) {
      total = plus(total, isFinished ? amount : this.#mostOfOne, 1);
    }
    for (const [sessionId, { isFinished, amount }] of this.#bySession) {
      if (fits(total, this.#most)) return;
      if (!isFinished) continue;
      total = plus(total, amount, -1);
      this.discard(sessionId);
      this.#options.onRemoved(sessionId);
    }
    if (!fits(total, this.#most)) throw new Error('Too many broadcasts are being recorded');
  }
}

function plus(amount: Amount, more: Amount, factor: 1 | -1): Amount {
  return {
    bytes: amount.bytes + factor * more.bytes,
    segments: amount.segments + factor * more.segments,
    frames: amount.frames + factor * more.frames,
  };
}

function fits(amount: Amount, most: Amount): boolean {
  return amount.bytes <= most.bytes && amount.segments <= most.segments && amount.frames <= most.frames;
}

function makeFolder(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(parent, `${process.pid}-${processStart()}-`));
}

/** Distinguishes this process from an earlier one with the same ID, which is common in containers. */
function processStart(): number {
  return Math.round(performance.timeOrigin);
}

const FOLDER_NAME = /^(\d+)-(\d+)-\w+$/;

/** Removes the recordings of demos whose processes were killed. Logs failures. */
export async function removeLeftRecordings(folder: string, log: Log): Promise<void> {
  try {
    const names = await readdir(folder);
    for (const name of names.filter(isLeft)) await rm(join(folder, name), { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') log.warn(`Demo: earlier recordings could not be removed: ${String(error)}`);
  }
}

function isLeft(folderName: string): boolean {
  const [, processId, start] = FOLDER_NAME.exec(folderName) ?? [];
  if (processId === undefined) return false;
  return Number(processId) === process.pid ? Number(start) !== processStart() : !isProcessRunning(Number(processId));
}

interface RecordingOptions {
  readonly path: string;
  /** In epoch ms. */
  readonly beganAt: number;
  readonly most: Amount;
}

/** One broadcast as a file. Samples are appended as they arrive, and their index follows at the end. */
export class Recording {
  readonly path: string;
  readonly #beganAt: number;
  readonly #most: Amount;
  readonly #segments: StoredSegment[] = [];
  #sampleBytes = 0;
  #frames = 0;
  #unwrittenBytes = 0;
  #writtenSegments = 0;
  #hasEnded = false;
  #fileBytes = 0;
  #written: Promise<void>;
  #failure: Error | undefined;

  constructor({ path, beganAt, most }: RecordingOptions) {
    this.path = path;
    this.#beganAt = beganAt;
    this.#most = most;
    this.#written = Promise.resolve();
    this.#write(() => appendFile(path, movieFileStart(0), { flag: 'wx', mode: 0o600 }));
  }

  /** An empty recording counts as one segment, because it has a file. */
  get amount(): Amount {
    return {
      bytes: Math.max(this.#bytes, this.#fileBytes),
      segments: Math.max(1, this.#segments.length),
      frames: this.#frames,
    };
  }

  get #bytes(): number {
    return START_BYTES + this.#sampleBytes;
  }

  get isFinished(): boolean {
    return this.#fileBytes > 0 || this.#failure !== undefined;
  }

  /**
   * Returns whether the segment is recorded. It isn't if it would make the recording too large, or if recording has
   * failed.
   */
  append(segment: Segment): boolean {
    const { samples, number, start, duration, formats } = segment;
    if (this.#unwrittenBytes > MOST_UNWRITTEN_BYTES) this.#fail(new Error('The disk is too slow'));
    const frames = segment.runs.reduce((total, { entries }) => total + entries.length / ENTRY_BYTES, 0);
    const more = { bytes: samples.length, segments: 1, frames };
    if (this.#failure !== undefined || !fits(plus(this.amount, more, 1), this.#most)) return false;
    let offset = this.#bytes;
    const runs = segment.runs.map((run) => {
      const stored = { ...run, offset };
      offset += sampleBytes(run);
      return stored;
    });
    this.#segments.push({ number, start, duration, formats, runs, bytes: segment.head.length + samples.length });
    this.#sampleBytes += samples.length;
    this.#frames += frames;
    this.#unwrittenBytes += samples.length;
    this.#write(async () => {
      await appendFile(this.path, samples);
      this.#unwrittenBytes -= samples.length;
      this.#writtenSegments += 1;
    });
    return true;
  }

  /** Rejects if the recording couldn't be written. */
  async finish(): Promise<void> {
    this.#hasEnded = true;
    this.#write(() => this.#complete());
    await this.#written;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #complete(): Promise<void> {
    const runs = this.#segments.flatMap((segment) => segment.runs);
    const movie = movieBox(runs, this.#segments[0]?.formats ?? []);
    await appendFile(this.path, movie);
    const file = await open(this.path, 'r+');
    try {
      await file.write(movieFileStart(this.#sampleBytes), 0, START_BYTES, 0);
    } finally {
      await file.close();
    }
    this.#fileBytes = this.#bytes + movie.length;
  }

  /** Removes the file and stops recording. */
  discard(): void {
    this.#fail(new Error('The recording was discarded'));
  }

  #write(act: () => Promise<void>): void {
    this.#written = this.#written
      .then(() => (this.#failure === undefined ? act() : undefined))
      .catch((error: unknown) => this.#fail(error instanceof Error ? error : new Error(String(error))));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    // If it can't be removed now, it's removed with the folder. The failure has already been reported.
    this.#written = this.#written.then(() => rm(this.path, { force: true })).catch(() => undefined);
  }

  /** Undefined if there is no such playlist. */
  playlist(file: string): string | undefined {
    // During recording, lists only segments that can be read already.
    const segments = this.#hasEnded ? this.#segments : this.#segments.slice(0, this.#writtenSegments);
    if (segments.length === 0) return undefined;
    if (file === 'index.m3u8') return masterPlaylist(segments);
    if (file !== PLAYLIST_FILE) return undefined;
    const targetSeconds = LONGEST_MS / 1000;
    const type = this.#hasEnded ? 'complete' : 'growing';
    return mediaPlaylist({ segments, folder: '', beganAt: this.#beganAt, targetSeconds, type });
  }

  /** Undefined if there is no such file yet. */
  file(name: string): StoredFile | undefined {
    const formats = this.#segments[0]?.formats;
    if (formats === undefined) return undefined;
    if (name === 'source.mp4' && this.#fileBytes > 0) return this.#part(name, Buffer.alloc(0), [0, this.#fileBytes]);
    if (name === INITIALIZATION_FILE) return this.#part(name, initializationSegment(formats), [0, 0]);
    const segment = this.#segments.find(({ number }) => name === segmentFile(number));
    if (segment === undefined) return undefined;
    const head = fragmentHead(segment.number, segment.runs, formats);
    return this.#part(name, head, [segment.runs[0]?.offset ?? 0, segment.bytes - head.length]);
  }

  /** Returns a part as an MP4 file; undefined until it's recorded. Throws if it never will be. */
  cut({ from, to }: Excerpt): CutFile | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    const segments = this.#segments.slice(0, this.#writtenSegments);
    const last = segments.at(-1);
    const end = last === undefined ? 0 : last.start + last.duration;
    if (to > end && !this.isFinished) return undefined;
    const { path } = this;
    const runs = segments.flatMap((segment) => segment.runs);
    const source = {
      runs,
      formats: segments[0]?.formats ?? [],
      read: (start: number, end: number) => createReadStream(path, { start, end }),
    };
    return cutExcerpt(source, { from, to: Math.min(to, end) });
  }

  #part(name: string, head: Uint8Array, [offset, length]: readonly [offset: number, length: number]): StoredFile {
    const { path } = this;
    return {
      size: head.length + length,
      tag: `${this.#beganAt}-${name}-${length}`,
      async *read(from, to) {
        if (from < head.length) yield head.subarray(from, to + 1);
        const start = offset + Math.max(0, from - head.length);
        const end = offset + to - head.length;
        if (end >= start) yield* createReadStream(path, { start, end });
      },
    };
  }
}
