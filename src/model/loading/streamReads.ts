import { type ApiErrorReason, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { delay } from '../../util/delay.ts';
import { type Asking, checkOpen } from './asking.ts';

/** A read by id may come from a replica: so many milliseconds are waited before it is read again (src/api/README.md, Changes). */
const READ_BACK_AFTER_MS: readonly number[] = [0, 1500, 3000];
/** Failures after which asking for the next stream is of no use. */
const OF_THE_SERVICE: ReadonlySet<ApiErrorReason> = new Set(['unauthorized', 'rateLimited', 'network', 'timeout']);

/** What to make of an answer. */
export interface ReadOptions {
  /** Shows its row though its page is not loaded. */
  readonly pin?: boolean;
  /** Is the change that was made in it? `undefined` is a stream that is gone. */
  readonly shows?: (stream: Stream | undefined) => boolean;
}

/**
 * Reads a stream by id and tells the store. Resolves with undefined when it is gone, and with what is known of it where the
 * store does not believe that. Throws ApiError.
 */
export async function readById(asking: Asking, id: string, options: ReadOptions = {}): Promise<Stream | undefined> {
  const found = await findById(asking, id, options);
  if (found.stream !== undefined) return found.stream;
  if (options.shows?.(undefined) === true) asking.store.gone(id);
  else asking.store.notFound(id, found.turn);
  return asking.store.snapshot.streams.get(id)?.stream;
}

/**
 * Reads a stream back after a change, up to 3 times in 5 s until `shows` says that the change is in it. Not found counts only
 * the last time, unless that is the change: a replica may not have the stream yet. Resolves and throws as `readById`.
 */
export async function readBack(
  asking: Asking,
  id: string,
  shows: (stream: Stream | undefined) => boolean,
): Promise<Stream | undefined> {
  for (const ms of READ_BACK_AFTER_MS.slice(0, -1)) {
    await delay(asking.clock, ms, asking.signal);
    const { stream } = await findById(asking, id, { shows });
    if (!shows(stream)) continue;
    if (stream === undefined) asking.store.gone(id);
    return stream;
  }
  await delay(asking.clock, READ_BACK_AFTER_MS.at(-1) ?? 0, asking.signal);
  return readById(asking, id, { shows });
}

/**
 * Reads a stream by id, one of several, and tells the store. Where that stream alone cannot be read it stays as it was known:
 * the next look finds it missing again. Throws what would befall the others as well: ApiError.
 */
export async function lookUp(asking: Asking, id: string): Promise<void> {
  try {
    await readById(asking, id);
  } catch (error) {
    if (!isApiError(error) || OF_THE_SERVICE.has(error.reason)) throw error;
    // A gateway speaks for the whole service; a 500 may be about this stream.
    if (error.reason === 'unavailable' && error.status !== 500) throw error;
    asking.log.warn(error.message);
  }
}

/** The stream, or which call did not find it. */
async function findById(
  asking: Asking,
  id: string,
  { pin = false, shows }: ReadOptions,
): Promise<
  { readonly stream: Stream; readonly turn?: never } | { readonly stream?: never; readonly turn: number | undefined }
> {
  const { api, store, signal } = asking;
  try {
    const read = await api.getStream(id, { signal });
    checkOpen(asking);
    // Historic child streams are not among the store's streams.
    if (read.value.parentId === undefined) {
      store.read(read.value, read, { settle: shows?.(read.value) ?? false, pin });
    }
    return { stream: read.value };
  } catch (error) {
    checkOpen(asking);
    if (!isApiError(error) || error.reason !== 'notFound') throw error;
    return { turn: error.turn };
  }
}
