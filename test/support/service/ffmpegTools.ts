import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requireProcess } from '../process/ownProcess.ts';
import type { TimedFrame } from './frameTimes.ts';

const run = promisify(execFile);
const MOST_OUTPUT = 512 * 1024 * 1024;

export interface ProbedMedia {
  readonly codecs: Readonly<Record<string, string>>;
  /** Frames of each track that could be decoded. */
  readonly decoded: Readonly<Record<string, number>>;
  /** In the order of the file. */
  readonly packets: readonly (TimedFrame & { readonly decodeTime: number })[];
}

interface ProbeOutput {
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name: string;
    readonly nb_read_frames: string;
  }[];
  readonly packets: readonly {
    readonly codec_type: 'audio' | 'video';
    readonly pts_time: string;
    readonly dts_time: string;
    readonly data_hash: string;
  }[];
}

/** What ffprobe finds in a file or at a URL, which it decodes to its end. Rejects if it complains about anything. */
export async function probeMedia(input: string, options: readonly string[] = []): Promise<ProbedMedia> {
  const shown = ['-count_frames', '-show_streams', '-show_packets', '-show_data_hash', 'MD5', '-of', 'json'];
  const args = ['-v', 'error', ...options, ...shown, input];
  const { stdout, stderr } = await run('ffprobe', args, { maxBuffer: MOST_OUTPUT });
  if (stderr !== '') throw new Error(`ffprobe complains: ${stderr}`);
  const { streams, packets } = JSON.parse(stdout) as ProbeOutput;
  return {
    codecs: Object.fromEntries(streams.map((each) => [each.codec_type, each.codec_name])),
    decoded: Object.fromEntries(streams.map((each) => [each.codec_type, Number(each.nb_read_frames)])),
    packets: packets.map((packet) => ({
      kind: packet.codec_type,
      time: Number(packet.pts_time) * 1000,
      decodeTime: Number(packet.dts_time) * 1000,
      hash: packet.data_hash,
    })),
  };
}

export const COUNTED_RATE = 30;
const BITS = 16;
const [WIDTH, HEIGHT, BAR_HEIGHT] = [640, 360, 32];

/**
 * Makes an MP4 of H.264 and AAC, 44.1 kHz stereo with a beep each second. The upper edge of each picture has the number
 * of its frame as bars, from the lowest bit on the left; white is 1.
 */
export function makeCountedVideo(path: string, seconds: number, bFrames: number): Promise<void> {
  const bars = [
    `nullsrc=size=${BITS}x2:rate=${COUNTED_RATE}`,
    'format=yuv420p',
    "geq=lum='if(mod(floor(N/pow(2,X)),2),235,16)':cb=128:cr=128",
    `scale=${WIDTH}:${BAR_HEIGHT}:flags=neighbor`,
  ].join(',');
  const beep = 'if(lt(mod(t,1),0.1),0.4*sin(2*PI*(400+10*floor(t))*t),0.01*sin(2*PI*220*t))';
  return requireProcess('ffmpeg', [
    ...['-v', 'error', '-y'],
    ...['-f', 'lavfi', '-i', `testsrc2=size=${WIDTH}x${HEIGHT}:rate=${COUNTED_RATE}`],
    ...['-f', 'lavfi', '-i', bars],
    ...['-f', 'lavfi', '-i', `aevalsrc='${beep}|${beep}':sample_rate=44100:channel_layout=stereo`],
    ...['-filter_complex', '[0:v][1:v]overlay=format=yuv420,format=yuv420p[v]', '-map', '[v]', '-map', '2:a'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', `${2 * COUNTED_RATE}`, '-bf', `${bFrames}`],
    ...['-c:a', 'aac', '-b:a', '128k', '-t', `${seconds}`, path],
  ]);
}

/** The numbers of the pictures that ffmpeg shows of a file or URL, of at most so many. */
export async function readCounters(input: string, options: readonly string[] = [], most = 100_000): Promise<number[]> {
  const filter = `crop=${WIDTH}:2:0:${BAR_HEIGHT / 2 - 2},format=gray`;
  const output = ['-map', '0:v:0', '-vf', filter, '-fps_mode', 'passthrough', '-frames:v', `${most}`];
  const args = ['-v', 'error', ...options, '-i', input, ...output, '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run('ffmpeg', args, { maxBuffer: MOST_OUTPUT, encoding: 'buffer' });
  const size = WIDTH * 2;
  return Array.from({ length: stdout.length / size }, (_, index) => counterOf(stdout.subarray(index * size)));
}

function counterOf(row: Buffer): number {
  const bar = WIDTH / BITS;
  const bits = Array.from({ length: BITS }, (_, bit) => ((row[bit * bar + bar / 2] ?? 0) > 128 ? 2 ** bit : 0));
  return bits.reduce((sum, bit) => sum + bit, 0);
}

/** Hashes of the pictures that ffmpeg shows of a file or URL, of at most so many. */
export async function readPictures(input: string, options: readonly string[] = [], most = 100_000): Promise<string[]> {
  const output = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-frames:v', `${most}`, '-f', 'framemd5', 'pipe:1'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...options, '-i', input, ...output]);
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '');
}
