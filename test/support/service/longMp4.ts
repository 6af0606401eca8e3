import { boxesIn, mp4Box } from './mp4Boxes.ts';

const FRAMES_A_SECOND = 15;
const SOUND_RATE = 44_100;
const SOUND_UNITS = 1024;
const FRAME_BYTES = 7000;
const SOUND_BYTES = 200;
const KEY_EVERY = 30;

export interface LongMp4 {
  readonly size: number;
  /** Samples are zeros. */
  read(start: number, end: number): Uint8Array;
}

/**
 * Makes a recording with its tables at the end, as large as those of real ones, of which only the tables are held.
 * @param pattern a file with a video track and then a track of sound, whose headers are taken.
 */
export function makeLongMp4(pattern: Buffer, seconds: number): LongMp4 {
  const top = boxesIn(pattern);
  const movie = top.find(({ type }) => type === 'moov');
  const start = top.find(({ type }) => type === 'ftyp');
  if (movie === undefined || start === undefined) throw new Error('The pattern is no MP4 file.');
  const soundsOf = (second: number) => Math.floor((second * SOUND_RATE) / SOUND_UNITS);
  const secondBytes = (second: number) =>
    FRAMES_A_SECOND * FRAME_BYTES + (soundsOf(second + 1) - soundsOf(second)) * SOUND_BYTES;
  const from = start.bytes.length + 16;
  const chunks: number[] = [from];
  for (let second = 0; second < seconds; second += 1) chunks.push((chunks.at(-1) ?? 0) + secondBytes(second));
  const end = chunks.pop() ?? from;
  const all = Array.from({ length: seconds }, (_, second) => second);
  const pictures = mp4Box(
    'stbl',
    tableBox('stts', [[seconds * FRAMES_A_SECOND, 1024]]),
    tableBox(
      'ctts',
      Array.from({ length: seconds * FRAMES_A_SECOND }, () => [1, 1024]),
    ),
    tableBox('stsc', [[1, FRAMES_A_SECOND, 1]]),
    sizesBox(seconds * FRAMES_A_SECOND, FRAME_BYTES),
    tableBox(
      'stss',
      Array.from({ length: (seconds * FRAMES_A_SECOND) / KEY_EVERY }, (_, key) => [key * KEY_EVERY + 1]),
    ),
    offsetsBox(chunks),
  );
  const sounds = mp4Box(
    'stbl',
    tableBox('stts', [[soundsOf(seconds), SOUND_UNITS]]),
    tableBox(
      'stsc',
      all.map((second) => [second + 1, soundsOf(second + 1) - soundsOf(second), 1]),
    ),
    sizesBox(soundsOf(seconds), SOUND_BYTES),
    offsetsBox(chunks.map((chunk) => chunk + FRAMES_A_SECOND * FRAME_BYTES)),
  );
  const tables = replaceTables(movie.bytes, [pictures, sounds]);
  const media = Buffer.alloc(16);
  media.writeUInt32BE(1);
  media.write('mdat', 4, 'latin1');
  media.writeBigUInt64BE(BigInt(end - start.bytes.length), 8);
  const head = Buffer.concat([start.bytes, media]);
  return {
    size: end + tables.length,
    read: (first, last) => {
      const bytes = Buffer.alloc(last - first);
      if (first < head.length) head.copy(bytes, 0, first);
      if (last > end) tables.copy(bytes, Math.max(0, end - first), Math.max(0, first - end));
      return new Uint8Array(bytes);
    },
  };
}

/** Keeps the description of the samples. */
function replaceTables(movie: Buffer, tables: readonly Buffer[]): Buffer {
  const left = [...tables];
  const replace = (container: Buffer): Buffer =>
    mp4Box(
      container.toString('latin1', 4, 8),
      ...boxesIn(container.subarray(8)).flatMap(({ type, bytes }) => {
        if (type === 'edts') return [];
        if (['trak', 'mdia', 'minf'].includes(type)) return [replace(bytes)];
        if (type !== 'stbl') return [bytes];
        const description = boxesIn(bytes.subarray(8)).find((child) => child.type === 'stsd')?.bytes ?? Buffer.alloc(0);
        return [mp4Box('stbl', description, (left.shift() ?? mp4Box('stbl')).subarray(8))];
      }),
    );
  return replace(movie);
}

function tableBox(type: string, rows: readonly (readonly number[])[]): Buffer {
  const content = new Uint32Array(2 + rows.length * (rows[0]?.length ?? 0));
  content[1] = rows.length;
  content.set(rows.flat(), 2);
  return mp4Box(type, Buffer.from(content.buffer).swap32());
}

function sizesBox(count: number, bytes: number): Buffer {
  const content = new Uint32Array(3 + count).fill(bytes);
  content.set([0, 0, count]);
  return mp4Box('stsz', Buffer.from(content.buffer).swap32());
}

function offsetsBox(offsets: readonly number[]): Buffer {
  const content = Buffer.alloc(8 + offsets.length * 8);
  content.writeUInt32BE(offsets.length, 4);
  for (const [index, offset] of offsets.entries()) content.writeBigUInt64BE(BigInt(offset), 8 + index * 8);
  return mp4Box('co64', content);
}
