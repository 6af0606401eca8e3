import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ApiError } from '../errors.ts';

export const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

const DEFAULT_LIMIT = 64 * 1024 * 1024;
const ERROR_LIMIT = 64 * 1024;
// 64 MiB of a service's smallest rows, about 90 bytes for each object, stay below this.
const MOST_CONTAINERS = 1_000_000;
// 64 MiB of a service's rows, with about 30 bytes for each value, stay below this.
const MOST_VALUES = 2_500_000;
// Each new name costs up to 5 microseconds. A service has about a hundred, plus the names that users give to tags.
const MOST_NAMES = 20_000;

const [BRACE, BRACKET, COMMA, QUOTE, BACKSLASH, COLON] = [0x7b, 0x5b, 0x2c, 0x22, 0x5c, 0x3a];

interface BodyOptions {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes?: number | undefined;
  readonly isJson?: boolean | undefined;
}

/**
 * Reads and decompresses a body, counting decoded bytes: 48 KB of gzip can be 50 MB. Throws ApiError `invalidResponse`
 * (tooLarge) beyond `maxBytes` (default: 64 MiB) and, with `isJson`, for JSON that would take too much memory to parse.
 * Unless the status is a success, returns at most the first 64 KiB, even if the body breaks off. Holds up to twice the
 * body's size for a moment, its chunks and their concatenation; a body that is too large is never concatenated.
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

/**
 * Estimates what parsing JSON would cost by reading its bytes as they arrive: twenty million empty objects are 61 KB of
 * gzip and 2 GB of memory, and six million different names block for 20 s. `add` returns true once it's too much.
 */
class JsonSize {
  #containers = 0;
  #values = 0;
  /** Hashes of the names so far. Two names with the same hash count once. */
  readonly #names = new Set<number>();
  // Random, so that a server can't choose names that have the same hash.
  readonly #factor = Math.floor(Math.random() * 2 ** 31) * 2 + 1;
  #isInString = false;
  #isEscaped = false;
  /** The hash of the last string. */
  #hash = 0;

  add(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (this.#isInString) this.#readInString(byte);
      else if (byte === QUOTE) this.#beginString();
      else if (byte === COMMA) this.#values += 1;
      else if (byte === BRACE || byte === BRACKET) this.#containers += 1;
      else if (byte === COLON) this.#names.add(this.#hash);
    }
    return this.#containers > MOST_CONTAINERS || this.#values > MOST_VALUES || this.#names.size > MOST_NAMES;
  }

  #beginString(): void {
    this.#isInString = true;
    this.#hash = 0;
  }

  #readInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    this.#hash = (Math.imul(this.#hash, this.#factor) + byte) | 0;
  }
}

interface Bounds {
  readonly limit: number;
  readonly isTooMuch: (chunk: Uint8Array) => boolean;
}

async function collect(source: Readable, chunks: Uint8Array[], { limit, isTooMuch }: Bounds): Promise<void> {
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > limit) return;
    if (isTooMuch(chunk)) throw new ApiError('invalidResponse', 'Too many values', { why: 'tooLarge' });
  }
}

export async function decode(body: Readable, encoding: string | undefined): Promise<Readable> {
  const codings = (encoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  // Two encodings are rare; more are an attack.
  if (applied.length > 2) throw new ApiError('invalidResponse', 'Too many encodings', { why: 'notJson' });
  // An empty body may have any content-encoding; a decoder would fail on it.
  const first = applied.length > 0 ? await peek(body) : undefined;
  if (first === undefined) return body;
  let source = body;
  for (const coding of applied) {
    const decoder = decoderOf(coding, first);
    // `pipeline` propagates errors and closing; the reader of the last stream gets the error.
    source = pipeline(source, decoder, () => {});
  }
  return source;
}

function decoderOf(coding: string, firstByte: number): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // "deflate" means the zlib format, but some servers omit its header.
  if (coding === 'deflate') return (firstByte & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
  throw new ApiError('invalidResponse', 'Unknown encoding', { why: 'notJson' });
}

// Returns the first byte without consuming it.
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
