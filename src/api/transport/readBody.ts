import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ApiError } from '../errors.ts';
import { JsonSize } from './jsonSize.ts';

/** What the transport sends and `readBody` undoes. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

const DEFAULT_LIMIT = 64 * 1024 * 1024;
const ERROR_LIMIT = 64 * 1024;

export interface BodyOptions {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded bytes; default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Count what parsing it would make, too. */
  readonly isJson?: boolean | undefined;
}

/**
 * Reads and decompresses a body, and counts what comes out of it: 48 KB of gzip can be 50 MB. More than `maxBytes` is an
 * `invalidResponse` (tooLarge), and so is JSON of which a parser would make more than memory is for. Of anything but a success the first 64 KiB are enough, broken off or not.
 * Of a body of n bytes at most 2 n are held for a moment, its parts and the whole; of one that is too large no whole is made.
 */
export async function readBody(body: Readable, options: BodyOptions): Promise<Uint8Array> {
  const { status, headers, maxBytes = DEFAULT_LIMIT, isJson = false } = options;
  const isSuccess = status < 300;
  const limit = isSuccess ? maxBytes : ERROR_LIMIT;
  const json = new JsonSize();
  const isTooMuch = (chunk: Uint8Array) => isSuccess && isJson && json.add(chunk);
  const chunks: Uint8Array[] = [];
  body.on('error', () => {});
  try {
    await collect(await decode(body, headers['content-encoding']), chunks, { limit, isTooMuch });
  } catch (error) {
    body.destroy();
    if (isSuccess) throw error;
  }
  const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  if (isSuccess && size > limit) {
    throw new ApiError('invalidResponse', `More than ${limit} bytes`, { status, why: 'tooLarge' });
  }
  return Buffer.concat(chunks, Math.min(size, limit));
}

interface Bounds {
  readonly limit: number;
  readonly isTooMuch: (chunk: Uint8Array) => boolean;
}

/** Stops at the first chunk that goes beyond the limit, which ends the streams behind it. */
async function collect(source: Readable, chunks: Uint8Array[], { limit, isTooMuch }: Bounds): Promise<void> {
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > limit) return;
    if (isTooMuch(chunk))
      throw new ApiError('invalidResponse', 'More values than a list may have', { why: 'tooLarge' });
  }
}

/** Undoes the encodings that the content-encoding header names. */
export async function decode(body: Readable, encoding: string | undefined): Promise<Readable> {
  const codings = (encoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  // One compression on another is hardly ever meant; many are an attack.
  if (applied.length > 2) throw new ApiError('invalidResponse', 'Too many encodings', { why: 'notJson' });
  // An empty body is empty however it is said to be encoded; to a decoder it would be a broken one.
  const first = applied.length > 0 ? await peek(body) : undefined;
  if (first === undefined) return body;
  let source = body;
  for (const coding of applied) {
    const decoder = decoderOf(coding, first);
    // What fails or ends on one side ends the other; the reader hears of it.
    source = pipeline(source, decoder, () => {});
  }
  return source;
}

function decoderOf(coding: string, firstByte: number): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // "deflate" means the zlib format, and is sent without its header by some.
  if (coding === 'deflate') return (firstByte & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
  throw new ApiError('invalidResponse', 'Unknown encoding', { why: 'notJson' });
}

/** The first byte, which stays where it is; `undefined` when there is none. */
async function peek(body: Readable): Promise<number | undefined> {
  let chunk: Buffer | null = body.read();
  if (chunk === null && !body.readableEnded) {
    await Promise.race([once(body, 'readable'), once(body, 'end')]);
    chunk = body.read();
  }
  if (chunk === null) return undefined;
  body.unshift(chunk);
  return chunk[0];
}
