import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { FlvReader, type MediaPacket } from '../media/flv.ts';
import { isProtocolError } from '../media/protocolError.ts';
import { createClock } from '../util/clock.ts';
import type { Disposable } from '../util/disposable.ts';
import { BroadcastError } from './errors.ts';
import type { MediaSource } from './source.ts';

const KILL_AFTER_MS = 2000;
/** A real-time source is never silent for twice this time. */
const SILENT_MS = 5000;
const KEPT_WORDS = 4096;
const ENCODE =
  '-c:v libx264 -preset veryfast -tune zerolatency -pix_fmt yuv420p -g 60 -c:a aac -b:a 128k -ar 44100'.split(' ');
/** Writes to stdout: ffmpeg repeats URLs on stderr, and anybody on the machine can read its arguments. */
const OUTPUT = [...ENCODE, '-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'];
const CLOCK = [
  ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30'],
  ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=220:beep_factor=2:sample_rate=44100'],
];

/** The input of ffmpeg: a test pattern with a clock, or a file. */
export type FfmpegInput = { readonly kind: 'clock' } | { readonly kind: 'file'; readonly path: string };

/** Whether a program is an ffmpeg that can write H.264 and AAC. Resolves within about two seconds. */
export async function isFfmpeg(program: string): Promise<boolean> {
  const child = spawn(program, ['-hide_banner', '-encoders'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const text = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    let read = '';
    child.stdout.on('data', (bytes: Buffer) => {
      if (read.length < 256 * 1024) read += bytes.toString('latin1');
    });
    child.once('error', () => resolve(''));
    child.once('close', () => {
      clearTimeout(timer);
      resolve(read);
    });
  });
  return / libx264 /.test(text) && / aac /.test(text);
}

type Clock = ReturnType<typeof createClock>;

/** Each iteration is one run of ffmpeg. `detail` of its BroadcastError is the end of ffmpeg's output. */
export function ffmpegSource(program: string, input: FfmpegInput, clock: Clock = createClock()): MediaSource {
  let running: ChildProcess | undefined;
  const stop = (): void => {
    if (running !== undefined) endProcess(running);
    running = undefined;
  };
  return {
    metadata: { videocodecid: 7, audiocodecid: 10 },
    packets(from, signal) {
      stop();
      const child = spawn(
        program,
        ['-hide_banner', '-nostats', '-loglevel', 'error', ...inputArguments(input, from), ...OUTPUT],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      running = child;
      return readOutput(child, from, { clock, signal });
    },
    dispose: stop,
  };
}

/**
 * ffmpeg detects the format of a file by its content. Playlists name other files, which would then be broadcast, so
 * only containers are allowed, and only as files.
 */
const CONTAINERS_ALONE = [
  ...['-format_whitelist', 'mov,mp4,matroska,webm,mpegts,flv,avi'],
  ...['-protocol_whitelist', 'file'],
];

function inputArguments(input: FfmpegInput, from: number): readonly string[] {
  if (input.kind === 'clock') return CLOCK;
  // A name like "concat:…" or "http:…" is only a file here.
  const file = `file:${input.path}`;
  return [
    ...['-re', '-stream_loop', '-1', '-ss', (from / 1000).toFixed(3), ...CONTAINERS_ALONE, '-i', file],
    ...['-map', '0:v:0', '-map', '0:a:0?'],
  ];
}

async function* readOutput(
  child: ChildProcess & { readonly stdout: Readable; readonly stderr: Readable },
  from: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<MediaPacket, void, undefined> {
  const words = lastWords(child.stderr);
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  const stop = (): void => endProcess(child);
  const inactivity = new InactivityTimer(clock, stop);
  signal.addEventListener('abort', stop, { once: true });
  const reader = new FlvReader();
  try {
    for await (const bytes of child.stdout) {
      inactivity.reset();
      for (const packet of readPackets(reader, bytes)) yield { ...packet, time: from + packet.time };
    }
    if (signal.aborted) return;
    const cause = child.pid === undefined ? await failed : undefined;
    throw new BroadcastError('ffmpeg', 'ffmpeg ended', { cause, detail: words() });
  } finally {
    inactivity.dispose();
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function readPackets(reader: FlvReader, bytes: Buffer): readonly MediaPacket[] {
  try {
    return reader.push(bytes);
  } catch (cause) {
    throw isProtocolError(cause) ? new BroadcastError('ffmpeg', `ffmpeg wrote ${cause.message}`, { cause }) : cause;
  }
}

/** Calls `onInactive` after two periods without a reset: after a sleep, the timer fires before the output is read. */
class InactivityTimer implements Disposable {
  readonly #clock: Clock;
  readonly #onInactive: () => void;
  #wasReset = true;
  #timer: Disposable;

  constructor(clock: Clock, onInactive: () => void) {
    this.#clock = clock;
    this.#onInactive = onInactive;
    this.#timer = this.#wait();
  }

  reset(): void {
    this.#wasReset = true;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #wait(): Disposable {
    return this.#clock.setTimeout(() => {
      if (!this.#wasReset) return this.#onInactive();
      this.#wasReset = false;
      this.#timer = this.#wait();
    }, SILENT_MS);
  }
}

/** Returns the last 4 KB of a stream. Reads all of it, because the process would wait otherwise. */
function lastWords(stream: Readable): () => string {
  let kept: Buffer = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    kept = Buffer.concat([kept, bytes.subarray(-KEPT_WORDS)]).subarray(-KEPT_WORDS);
  });
  return () => kept.toString().trim();
}

function endProcess(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.once('exit', () => clearTimeout(timer));
}
