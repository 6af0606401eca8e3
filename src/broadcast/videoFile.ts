import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../util/errorCode.ts';
import { BroadcastError } from './errors.ts';
import { beginsLikeMp4 } from './mp4Head.ts';

const HEAD_BYTES = 400;
const TS_PACKETS = [188, 192, 204];

/** Without this flag, opening a FIFO waits for its other end. Windows doesn't have it. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file without waiting for others, such as FIFOs. Rejects with a BroadcastError (`file…`). */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, WITHOUT_WAITING).catch((cause: unknown) => {
    const code = errorCode(cause);
    const reason = code === 'ENOENT' ? 'fileMissing' : 'fileUnreadable';
    throw new BroadcastError(reason, `The file could not be opened: ${code}`, { cause });
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new BroadcastError('fileNotVideo', 'Not a regular file');
}

/** Throws a BroadcastError (`file…`) unless a file begins like MP4, QuickTime, Matroska, WebM, MPEG-TS, FLV, or AVI. */
export async function requireVideoFile(path: string): Promise<void> {
  const file = await openRegularFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (!beginsLikeVideo(buffer.subarray(0, bytesRead))) throw new BroadcastError('fileNotVideo', 'Not a video file');
  } finally {
    await file.close();
  }
}

/** @param head at least the first 400 bytes, if it has that many */
export function beginsLikeVideo(head: Buffer): boolean {
  const text = (from: number, to: number) => head.toString('latin1', from, to);
  if (head.length < 12) return false;
  if (beginsLikeMp4(head)) return true;
  if (head.readUInt32BE(0) === 0x1a45dfa3 || text(0, 4) === 'FLV\x01') return true;
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'AVI ') return true;
  return TS_PACKETS.some((bytes) => {
    const start = bytes === 192 ? 4 : 0;
    return head.length > start + bytes && head[start] === 0x47 && head[start + bytes] === 0x47;
  });
}
