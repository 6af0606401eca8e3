import type { FileHandle } from 'node:fs/promises';
import { BroadcastError } from './errors.ts';

export interface Box {
  readonly type: string;
  readonly content: Buffer;
}

const SMALL_HEADER = 8;
const LARGE_HEADER = 16;
const MOST_BOXES = 4096;
/** The tables of ten hours of video are about 35 MB. */
const LARGEST_MOVIE = 48 * 1024 * 1024;

/** The content of a file's moov box. Reads no other box. Throws a BroadcastError if the file isn't a complete MP4. */
export async function readMovieBox(file: FileHandle, size: number): Promise<Buffer> {
  let offset = 0;
  for (let count = 0; offset < size; count++) {
    if (count >= MOST_BOXES) throw notMp4('too many boxes');
    const header = await readRange(file, offset, Math.min(LARGE_HEADER, size - offset));
    const box = readBoxHeader(header, size - offset);
    if (count === 0 && !/^(ftyp|moov|mdat|free|skip|wide|pnot|uuid|styp|sidx|pdin)$/.test(box?.type ?? '')) {
      throw notMp4('no MP4 box at the beginning');
    }
    if (box === undefined) throw incomplete();
    if (box.type === 'moov') return readMovie(file, { ...box, offset, size });
    offset += box.length;
  }
  throw offset > size ? incomplete() : notMp4('no moov box');
}

interface BoxHeader {
  readonly type: string;
  readonly start: number;
  readonly length: number;
}

async function readMovie(
  file: FileHandle,
  box: BoxHeader & { readonly offset: number; readonly size: number },
): Promise<Buffer> {
  if (box.length > LARGEST_MOVIE) throw notMp4(`a moov box of ${box.length} bytes`);
  if (box.offset + box.length > box.size) throw incomplete();
  return readRange(file, box.offset + box.start, box.length - box.start);
}

/** @param available how many bytes there are from the header on */
function readBoxHeader(header: Buffer, available: number): BoxHeader | undefined {
  if (header.length < SMALL_HEADER) return undefined;
  const short = header.readUInt32BE();
  const type = header.toString('latin1', 4, 8);
  if (short === 0) return { type, start: SMALL_HEADER, length: available };
  if (short !== 1) return short < SMALL_HEADER ? undefined : { type, start: SMALL_HEADER, length: short };
  const length = header.length < LARGE_HEADER ? 0 : Number(header.readBigUInt64BE(8));
  return length < LARGE_HEADER || !Number.isSafeInteger(length) ? undefined : { type, start: LARGE_HEADER, length };
}

/** The boxes within a box. One that is longer than what is there is cut, as its reader finds out. */
export function childBoxes(content: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  for (let offset = 0; offset + SMALL_HEADER <= content.length; ) {
    const box = readBoxHeader(content.subarray(offset, offset + LARGE_HEADER), content.length - offset);
    if (box === undefined || boxes.length >= MOST_BOXES) break;
    boxes.push({ type: box.type, content: content.subarray(offset + box.start, offset + box.length) });
    offset += box.length;
  }
  return boxes;
}

/** The content of the first box at a path: `findBox(track, 'mdia', 'minf', 'stbl')`. */
export function findBox(content: Buffer, ...path: readonly string[]): Buffer | undefined {
  let found: Buffer | undefined = content;
  for (const type of path) {
    if (found === undefined) return undefined;
    found = childBoxes(found).find((box) => box.type === type)?.content;
  }
  return found;
}

/** Exactly `length` bytes. Throws a BroadcastError if the file ends before, or can't be read. */
export async function readRange(file: FileHandle, offset: number, length: number): Promise<Buffer> {
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

export function notMp4(what: string): BroadcastError {
  return new BroadcastError('fileNotMp4', `Not an MP4 file that can be sent: ${what}`);
}

export function incomplete(): BroadcastError {
  return new BroadcastError('fileIncomplete', 'The file ends before its content does');
}
