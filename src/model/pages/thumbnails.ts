import { isApiError } from '../../api/errors.ts';
import type { Clock, HttpResponse, Log, Transport } from '../../services.ts';
import type { Account } from '../account/account.ts';
import { checkMediaUrl } from '../addresses.ts';
import { pictureSize } from './pictureSize.ts';

/** A data: URL, or undefined if there is no picture. */
export type Picture = string | undefined;

export interface ThumbnailsOptions {
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Pick<Log, 'debug'>;
}

export interface PictureOf {
  readonly account: Pick<Account, 'readThumbnailUrl'>;
  readonly connection: { readonly id: string; readonly baseUrl: string };
  readonly playbackId: string;
}

const MOST_BYTES = 64 * 1024;
/** Per side. Decoding takes 4 bytes per pixel. */
const MOST_PIXELS = 4096;
const MOST_HOPS = 3;
const KEPT_FOR_MS = 10_000;
const MOST_KEPT = 50;

interface Kept {
  readonly at: number;
  readonly picture: Promise<Picture>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * The current thumbnails of live streams, if the service has any. Fetched on demand without a key, cached for 10 s, and
 * shared by concurrent callers. A failure gives no picture and a log entry.
 */
export class Thumbnails {
  readonly #options: ThumbnailsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ThumbnailsOptions) {
    this.#options = options;
  }

  /**
   * Returns a picture. Does not throw. An aborted caller gets undefined while the others keep waiting; the fetch is
   * aborted with the last caller, and the next call starts a new one.
   */
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

  async #fetch({ account, connection, playbackId }: PictureOf, signal: AbortSignal): Promise<Picture> {
    const { transport, log } = this.#options;
    try {
      const url = await account.readThumbnailUrl(playbackId, signal);
      if (url === undefined) return undefined;
      const response = await follow(url, connection, (request) => transport.send({ ...request, signal }));
      const picture = response && pictureOf(response);
      if (picture === undefined) log.debug('A thumbnail was left out: not a picture that may be shown');
      return picture;
    } catch (error) {
      log.debug(`A thumbnail was left out: ${isApiError(error) ? error.message : 'it could not be fetched'}`);
      return undefined;
    }
  }
}

async function follow(
  first: string,
  connection: { readonly baseUrl: string },
  send: Transport['send'],
): Promise<HttpResponse | undefined> {
  let url = first;
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const checked = checkMediaUrl(url, connection);
    if (!checked.ok) return undefined;
    const headers = { accept: 'image/*' };
    const response = await send({ method: 'GET', url: checked.url, headers, maxBytes: MOST_BYTES });
    if (response.status < 300 || response.status >= 400) return response;
    const { location = '' } = response.headers;
    url = (location === '' ? null : URL.parse(location, url))?.href ?? '';
  }
  return undefined;
}

/**
 * Accepts only data that both begins and is declared as an image: anything else could be a page, or SVG with scripts.
 */
function pictureOf({ status, headers, body }: HttpResponse): Picture {
  const type = imageType(body);
  const isCalledImage = /^image\//i.test(headers['content-type'] ?? '');
  if (status !== 200 || type === undefined || !isCalledImage || body.byteLength > MOST_BYTES) return undefined;
  const size = pictureSize(body);
  if (size === undefined || Math.max(size.width, size.height) > MOST_PIXELS) return undefined;
  return `data:${type};base64,${Buffer.from(body).toString('base64')}`;
}

/** Leading bytes of each type in hex; a dot matches any half byte. */
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
