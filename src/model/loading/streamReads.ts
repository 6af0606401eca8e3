import { type ApiErrorReason, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { delay } from '../../util/delay.ts';
import { type ConnectionSession, checkOpen } from './connectionSession.ts';

/** Delays before each attempt, because reads by id may come from a stale replica (src/api/README.md, Changes). */
const READ_BACK_AFTER_MS: readonly number[] = [0, 1500, 3000];
/** Failures after which reading the next stream is pointless. */
const OF_THE_SERVICE: ReadonlySet<ApiErrorReason> = new Set(['unauthorized', 'rateLimited', 'network', 'timeout']);

export interface ReadOptions {
  /** Shows the row even if its page isn't loaded. */
  readonly pin?: boolean;
  /** Whether the stream contains the change; `undefined` is a stream that is gone. */
  readonly shows?: (stream: Stream | undefined) => boolean;
}

/**
 * Reads a stream by id and writes it to the store. Returns undefined if it is gone, or the known stream if the store
 * doesn't accept that. Throws ApiError.
 */
export async function readById(
  asking: ConnectionSession,
  id: string,
  options: ReadOptions = {},
): Promise<Stream | undefined> {
  const found = await findById(asking, id, options);
  if (found.stream !== undefined) return found.stream;
  if (options.shows?.(undefined) === true) asking.store.gone(id);
  else asking.store.notFound(id, found.turn);
  return asking.store.snapshot.streams.get(id)?.stream;
}

/**
 * Reads a stream after a change, up to 3 times in 5 s, until `shows` returns true. "Not found" counts only the last
 * time, unless the change is a deletion: a replica may not have the stream yet. Returns and throws like `readById`.
 */
export async function readBack(
  asking: ConnectionSession,
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
 * Reads one of several streams by id and writes it to the store. If only that stream can't be read, it stays as it is:
 * the next poll finds it missing again. Throws ApiError for failures that would affect the other streams as well.
 */
export async function lookUp(asking: ConnectionSession, id: string): Promise<void> {
  try {
    await readById(asking, id);
  } catch (error) {
    if (!isApiError(error) || OF_THE_SERVICE.has(error.reason)) throw error;
    // A gateway error affects the whole service; a 500 may be about this stream.
    if (error.reason === 'unavailable' && error.status !== 500) throw error;
    asking.log.warn(error.message);
  }
}

async function findById(
  asking: ConnectionSession,
  id: string,
  { pin = false, shows }: ReadOptions,
): Promise<
  { readonly stream: Stream; readonly turn?: never } | { readonly stream?: never; readonly turn: number | undefined }
> {
  const { api, store, signal } = asking;
  try {
    const read = await api.getStream(id, { signal });
    checkOpen(asking);
    // The store's streams don't include historic child streams.
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
