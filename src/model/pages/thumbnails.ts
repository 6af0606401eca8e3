import { isApiError } from '../../api/errors.ts';
import type { PlaybackPolicy } from '../../api/types.ts';
import type { Clock, HttpResponse, Log, Transport } from '../../services.ts';
import type { Account } from '../account/account.ts';
import { checkMediaUrl } from '../addresses.ts';
import { withToken } from '../filledAddresses.ts';
import { followRedirects } from '../redirects.ts';

// A data: URL, or undefined if there is no picture.
type Picture = string | undefined;

export interface ThumbnailsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
}

interface PictureOf {
  readonly account: Pick<Account, 'readThumbnailUrl' | 'viewerToken'>;
  readonly connection: { readonly id: string; readonly baseUrl: string };
  readonly playbackId: string;
  readonly playbackPolicy?: PlaybackPolicy | undefined;
}

const MOST_BYTES = 64 * 1024;
// Per side. Decoding takes 4 bytes per pixel.
const MOST_PIXELS = 4096;
const KEPT_FOR_MS = 10_000;
const MOST_KEPT = 50;

interface Kept {
  readonly at: number;
  readonly picture: Promise<Picture>;
  readonly controller: AbortController;
  waiting: number;
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The thumbnails of live streams, fetched without a key, cached for 10 s, and shared by concurrent callers. */
export class Thumbnails {
  readonly #options: ThumbnailsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ThumbnailsOptions) {
    this.#options = options;
  }

  /** Doesn't throw. An aborted caller gets undefined. The fetch is aborted with the last caller. */
  async get(of: PictureOf, signal?: AbortSignal): Promise<Picture> {
    if (signal?.aborted === true) return undefined;
    const key = `${of.connection.id}/${of.playbackId}`;
    const known = this.#kept.get(key);
    const isFresh = known !== undefined && this.#options.clock.elapsed() - known.at < KEPT_FOR_MS;
    const kept = isFresh ? known : this.#begin(of, key);
    kept.waiting += 1;
    const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
    const leave = (): void => {
      resolve(undefined);
      kept.waiting -= 1;
      if (kept.waiting === 0) this.#end(kept, key);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return Promise.race([kept.picture, aborted]).finally(() => signal?.removeEventListener('abort', leave));
  }

  #begin(of: PictureOf, key: string): Kept {
    const controller = new AbortController();
    const picture = this.#fetch(of, controller.signal);
    const kept: Kept = { at: this.#options.clock.elapsed(), picture, controller, waiting: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of [...this.#kept.keys()].slice(0, Math.max(0, this.#kept.size - MOST_KEPT))) {
      this.#kept.delete(oldest);
    }
    return kept;
  }

  #end(kept: Kept, key: string): void {
    kept.controller.abort();
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
  }

  async #fetch(of: PictureOf, signal: AbortSignal): Promise<Picture> {
    const { account, connection, playbackId } = of;
    const { transport, log } = this.#options;
    try {
      const url = await account.readThumbnailUrl(playbackId, signal);
      if (url === undefined) return undefined;
      const check = (address: string) => checkMediaUrl(address, connection);
      const { playbackPolicy } = of;
      const checked = check(withToken(url, await account.viewerToken({ playbackId, playbackPolicy })));
      const headers = { accept: 'image/*' };
      const open = (address: string) =>
        transport.send({ method: 'GET', url: address, headers, maxBytes: MOST_BYTES, signal });
      const found = checked.ok ? await followRedirects(checked.url, { open, check, connection }) : undefined;
      const picture = found?.kind === 'response' ? pictureOf(found.response) : undefined;
      if (picture === undefined) log.debug('Skipped a thumbnail: not a picture that may be shown');
      return picture;
    } catch (error) {
      log.debug(`Skipped a thumbnail: ${isApiError(error) ? error.message : "it couldn't be fetched"}`);
      return undefined;
    }
  }
}

// Both the bytes and the type must be an image's. Anything else could be a page or an SVG with scripts.
function pictureOf({ status, headers, body }: HttpResponse): Picture {
  const type = imageType(body);
  const isCalledImage = /^image\//i.test(headers['content-type'] ?? '');
  if (status !== 200 || type === undefined || !isCalledImage || body.byteLength > MOST_BYTES) return undefined;
  const size = pictureSize(body);
  if (size === undefined || Math.max(size.width, size.height) > MOST_PIXELS) return undefined;
  return `data:${type};base64,${Buffer.from(body).toString('base64')}`;
}

// Leading bytes of each type in hex; a dot matches any half byte.
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
];

function imageType(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 16)).toString('hex');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
}

const SOI = 0xd8;
// JPEG frame headers: C0 to CF, except DHT, JPG, and DAC.
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
// Markers that may precede the frame header: APP0 to APP15, COM, DQT, DHT, and DRI. Decoders skip bytes that aren't
// markers until they find one, so anything else could hide another frame header from us.
const isPreceding = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || [0xfe, 0xdb, 0xc4, 0xdd].includes(marker);

/** Returns undefined without a header. Decoders allocate memory for this size: 62 bytes can become 3 GB. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return READERS.find(({ begins }) => begins(view))?.read(view);
  } catch (error) {
    // The data ends before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS: readonly {
  readonly begins: (view: DataView) => boolean;
  readonly read: (view: DataView) => PictureSize | undefined;
}[] = [
  { begins: (view) => hasText(view, 1, 'PNG\r\n\x1a\n') && hasText(view, 12, 'IHDR'), read: readPng },
  { begins: (view) => hasText(view, 0, 'GIF8'), read: readGif },
  { begins: (view) => view.getUint16(0) === 0xff00 + SOI, read: readJpeg },
  { begins: (view) => hasText(view, 0, 'RIFF') && hasText(view, 8, 'WEBP'), read: readWebp },
];

function readPng(view: DataView): PictureSize {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const [EXTENSION, FRAME] = [0x21, 0x2c];

function readGif(view: DataView): PictureSize | undefined {
  const flags = view.getUint8(10);
  const colors = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  let at = 13 + colors;
  while (view.getUint8(at) === EXTENSION) at = afterBlocks(view, at + 2);
  if (view.getUint8(at) !== FRAME) return undefined;
  const read = (place: number): number => view.getUint16(place, true);
  const [right, bottom] = [read(at + 1) + read(at + 5), read(at + 3) + read(at + 7)];
  return { width: Math.max(read(6), right), height: Math.max(read(8), bottom) };
}

function afterBlocks(view: DataView, from: number): number {
  let at = from;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}

function readJpeg(view: DataView): PictureSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // Fill bytes (ff) may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (!isPreceding(marker) || length < 2) return undefined;
    at += 2 + length;
  }
}

function readWebp(view: DataView): PictureSize | undefined {
  if (hasText(view, 12, 'VP8X')) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (hasText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!hasText(view, 12, 'VP8 ') || uint24(view, 23) !== 0x2a019d) return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

function hasText(view: DataView, at: number, text: string): boolean {
  return [...text].every((sign, index) => view.getUint8(at + index) === sign.charCodeAt(0));
}
