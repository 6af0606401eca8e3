import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../../util/disposable.ts';
import { fragmentHead, initializationSegment, movieBox, movieFileStart, type StoredRun, sampleBytes } from './mp4.ts';
import {
  INITIALIZATION_FILE,
  type ListedSegment,
  masterPlaylist,
  mediaPlaylist,
  PLAYLIST_FILE,
  segmentFile,
} from './playlists.ts';
import { LONGEST_MS, type Segment } from './segmenter.ts';

/** Without its samples, and without what precedes them, which is made from the runs. */
interface StoredSegment extends ListedSegment {
  readonly runs: readonly StoredRun[];
}

/** A file, or a part of one, that is read while it is sent. */
export interface StoredFile {
  readonly size: number;
  /** Identifies the content. */
  readonly tag: string;
  /** Reads from `from` to `to`, both included. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface RecordingsOptions {
  /** Where to create the folder. Default: the system's folder for temporary files. */
  readonly folder?: string | undefined;
  /** Default: 4 GB. The oldest recordings are removed to keep to it. */
  readonly mostBytes?: number | undefined;
  /** Called for each recording that is removed. */
  onRemoved(sessionId: string): void;
}

const FOLDER_NAME = /^live-streams-demo-(\d+)-/;
const MOST_BYTES = 4 * 1024 ** 3;
const MOST_BYTES_OF_ONE = 1024 ** 3;
const MOST_UNWRITTEN_BYTES = 64 * 1024 ** 2;
const START_BYTES = movieFileStart(0).length;

/** Recordings by session, in a folder that is removed with them. */
export class DemoRecordings implements Disposable {
  readonly #options: RecordingsOptions;
  readonly #bySession = new Map<string, Recording>();
  #folder: string | undefined;
  #isDisposed = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  get(sessionId: string): Recording | undefined {
    return this.#bySession.get(sessionId);
  }

  /** @param beganAt when the broadcast began, in epoch ms. Throws if the folder can't be created. */
  begin(sessionId: string, beganAt: number): Recording {
    this.#makeRoom();
    this.#folder ??= makeFolder(this.#options.folder ?? tmpdir());
    const recording = new Recording(join(this.#folder, `${sessionId}.mp4`), beganAt);
    this.#bySession.set(sessionId, recording);
    return recording;
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #makeRoom(): void {
    const { mostBytes = MOST_BYTES, onRemoved } = this.#options;
    let total = [...this.#bySession.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [sessionId, recording] of this.#bySession) {
      if (total < mostBytes) return;
      if (!recording.isFinished) continue;
      total -= recording.bytes;
      this.#bySession.delete(sessionId);
      rmSync(recording.path, { force: true });
      onRemoved(sessionId);
    }
  }
}

// A process that is killed leaves its folder behind.
function makeFolder(parent: string): string {
  const left = readdirSync(parent).filter((name) => {
    const [, processId] = FOLDER_NAME.exec(name) ?? [];
    return processId !== undefined && !isRunning(Number(processId));
  });
  for (const name of left) removeIfOwn(join(parent, name));
  return mkdtempSync(join(parent, `live-streams-demo-${process.pid}-`));
}

/** The folder of another user of this computer stays, which is no reason not to record. */
function removeIfOwn(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')))
      throw error;
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // Anything else means that it is somebody else's.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** One broadcast as a file. Samples are appended as they come; what says where they are follows them at the end. */
export class Recording {
  readonly path: string;
  readonly #beganAt: number;
  readonly #segments: StoredSegment[] = [];
  #sampleBytes = 0;
  #unwrittenBytes = 0;
  #writtenSegments = 0;
  #hasEnded = false;
  #fileBytes = 0;
  #written: Promise<void>;
  #failure: Error | undefined;

  constructor(path: string, beganAt: number) {
    this.path = path;
    this.#beganAt = beganAt;
    this.#written = appendFile(path, movieFileStart(0), { flag: 'wx', mode: 0o600 });
    this.#noteFailure();
  }

  get bytes(): number {
    return START_BYTES + this.#sampleBytes;
  }

  get isFinished(): boolean {
    return this.#fileBytes > 0 || this.#failure !== undefined;
  }

  /** Returns whether the segment is recorded: not if the recording is 1 GB long already, or has failed. */
  append(segment: Segment): boolean {
    const { samples, number, start, duration, formats } = segment;
    if (this.#unwrittenBytes > MOST_UNWRITTEN_BYTES) this.#failure ??= new Error('The disk is too slow');
    if (this.#failure !== undefined || this.bytes + samples.length > MOST_BYTES_OF_ONE) return false;
    let offset = this.bytes;
    const runs = segment.runs.map((run) => {
      const stored = { ...run, offset };
      offset += sampleBytes(run);
      return stored;
    });
    this.#segments.push({ number, start, duration, formats, runs, bytes: segment.head.length + samples.length });
    this.#sampleBytes += samples.length;
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
    this.#fileBytes = this.bytes + movie.length;
  }

  #write(act: () => Promise<void>): void {
    this.#written = this.#written.then(() => (this.#failure === undefined ? act() : undefined));
    this.#noteFailure();
  }

  #noteFailure(): void {
    this.#written = this.#written.catch((error: unknown) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    });
  }

  /** Undefined if there is no such playlist. */
  playlist(file: string): string | undefined {
    // While it is being recorded, only what can be read already.
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

  #part(name: string, head: Buffer, [offset, length]: readonly [offset: number, length: number]): StoredFile {
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
