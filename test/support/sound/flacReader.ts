/**
 * A reader of FLAC in fragmented MP4, written from RFC 9639 and ISO/IEC 14496-12 alone, so that it shares no mistake
 * with the writer. It reads what is uncompressed, with one block size, and checks both checksums of each frame.
 */
export interface ReadFlac {
  readonly rate: number;
  readonly timescale: number;
  /** By channel. */
  readonly pcm: readonly Int16Array[];
  /** Of each frame, in the track's units. */
  readonly frames: readonly { readonly time: number; readonly duration: number; readonly samples: number }[];
}

export function readFlac(bytes: Uint8Array): ReadFlac {
  const boxes = readBoxes(Buffer.from(bytes));
  const info = requireOne(boxes, 'dfLa').subarray(8);
  const word = info.readUInt32BE(10);
  const [rate, channels, depth] = [word >>> 12, ((word >> 9) & 7) + 1, ((word >> 4) & 31) + 1];
  if (depth !== 16) throw new Error(`${depth} bits`);
  const timescale = requireOne(boxes, 'mdhd').readUInt32BE(12);
  const pcm: number[][] = Array.from({ length: channels }, () => []);
  const frames: { time: number; duration: number; samples: number }[] = [];
  let time = 0;
  let run: { duration: number; size: number }[] = [];
  for (const { type, content } of boxes) {
    if (type === 'tfdt') time = Number(content.readBigUInt64BE(4));
    if (type === 'trun') run = readRun(content);
    if (type !== 'mdat') continue;
    let at = 0;
    for (const { duration, size } of run) {
      const samples = readFrame(content.subarray(at, at + size), pcm);
      frames.push({ time, duration, samples });
      time += duration;
      at += size;
    }
    if (at !== content.length) throw new Error(`${content.length - at} bytes are in no frame`);
  }
  return { rate, timescale, pcm: pcm.map((samples) => Int16Array.from(samples)), frames };
}

interface ReadBox {
  readonly type: string;
  readonly content: Buffer;
}

const CONTAINERS = /^(moov|trak|mdia|minf|stbl|stsd|fLaC|mvex|moof|traf|edts)$/;
/** What stands before the boxes in a box. */
const HEADS: Readonly<Record<string, number>> = { stsd: 8, fLaC: 28 };

function readBoxes(bytes: Buffer): ReadBox[] {
  const boxes: ReadBox[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) throw new Error(`A box of ${size} bytes at ${at} of ${bytes.length}`);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + size);
    boxes.push({ type, content });
    if (CONTAINERS.test(type)) boxes.push(...readBoxes(content.subarray(HEADS[type] ?? 0)));
    at += size;
  }
  return boxes;
}

function requireOne(boxes: readonly ReadBox[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Error(`There is no ${type}`);
  return found.content;
}

function readRun(content: Buffer): { duration: number; size: number }[] {
  if (content.readUInt32BE(0) !== 0x01000f01) throw new Error('The fields of the run are others');
  return Array.from({ length: content.readUInt32BE(4) }, (_, at) => ({
    duration: content.readUInt32BE(12 + at * 16),
    size: content.readUInt32BE(16 + at * 16),
  }));
}

/** Adds a frame's samples to `pcm`, and returns how many there are of each channel. */
function readFrame(frame: Buffer, pcm: readonly number[][]): number {
  if (frame.readUInt16BE(0) !== 0xfff8) throw new Error('No FLAC frame');
  const [sizes, layout] = [frame[2] ?? 0, frame[3] ?? 0];
  if (sizes !== 0x70 || layout >> 4 !== pcm.length - 1 || (layout & 15) !== 8)
    throw new Error(`Header ${sizes} ${layout}`);
  let at = 4;
  // A number as UTF-8 has it: the first byte says by its leading ones how many there are.
  const leading = Math.clz32(~((frame[at] ?? 0) << 24));
  at += Math.max(1, leading);
  const samples = frame.readUInt16BE(at) + 1;
  at += 2;
  if (checksum(frame.subarray(0, at), 8, 0x07) !== frame[at]) throw new Error('Wrong checksum of a header');
  at += 1;
  for (const channel of pcm) {
    const type = frame[at++];
    if (type !== 0 && type !== 2) throw new Error(`A subframe of type ${type}`);
    for (let time = 0; time < samples; time++) channel.push(frame.readInt16BE(at + (type === 2 ? time * 2 : 0)));
    at += type === 2 ? samples * 2 : 2;
  }
  if (at + 2 !== frame.length) throw new Error(`A frame of ${frame.length} bytes ends at ${at + 2}`);
  if (checksum(frame.subarray(0, at), 16, 0x8005) !== frame.readUInt16BE(at)) throw new Error('Wrong checksum');
  return samples;
}

/** Bit by bit, as the polynomial division that it is. */
function checksum(bytes: Uint8Array, width: number, polynomial: number): number {
  let rest = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const out = (rest >> (width - 1)) ^ ((byte >> bit) & 1);
      rest = ((rest << 1) & (2 ** width - 1)) ^ (out & 1 ? polynomial : 0);
    }
  }
  return rest;
}
