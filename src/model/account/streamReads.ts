import { isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { delay } from '../../util/delay.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import type { AccountParts } from './accountParts.ts';

/** Delays before each attempt, because reads by id may come from a stale replica (src/api/README.md, Changes). */
const ATTEMPTS_AFTER_MS: readonly number[] = [0, 1500, 3000];

export interface ReadOptions {
  /** Shows the row even if its page isn't loaded. */
  readonly pin?: boolean;
  /** Protects the answer from stale lists for a while. */
  readonly settle?: boolean;
}

/** Whether a stream contains a change; `undefined` is a stream that is gone. */
export type ShowsChange = (stream: Stream | undefined) => boolean;

export async function readStream(
  parts: AccountParts,
  id: string,
  { pin = false, settle = false }: ReadOptions,
): Promise<Stream | undefined> {
  const found = await findStream(parts, id, { pin, settles: () => settle });
  return found.stream ?? missing(parts, id, found.requestSeq);
}

/**
 * Reads a stream after a change, up to 3 times in 5 s, until `shows` returns true. "Not found" counts only the last
 * time, unless the change is a deletion: a replica may not have the stream yet.
 */
export async function confirmChange(parts: AccountParts, id: string, shows: ShowsChange): Promise<Stream | undefined> {
  for (const [attempt, ms] of ATTEMPTS_AFTER_MS.entries()) {
    const isLast = attempt === ATTEMPTS_AFTER_MS.length - 1;
    await delay(parts.clock, ms, parts.signal);
    const { stream, requestSeq } = await findStream(parts, id, { pin: false, settles: shows });
    const isShown = shows(stream);
    if (stream === undefined && isShown) parts.store.gone(id);
    if (isShown || (isLast && stream !== undefined)) return stream;
    if (isLast) return missing(parts, id, requestSeq);
  }
  return undefined;
}

/** The store decides whether it believes that the stream is gone. Returns the known stream if it doesn't. */
function missing({ store }: AccountParts, id: string, requestSeq: number | undefined): Stream | undefined {
  store.notFound(id, requestSeq);
  return store.snapshot.streams.get(id)?.stream;
}

async function findStream(
  { api, store, signal }: AccountParts,
  id: string,
  { pin, settles }: { readonly pin: boolean; readonly settles: (stream: Stream) => boolean },
): Promise<{ readonly stream: Stream | undefined; readonly requestSeq: number | undefined }> {
  try {
    const read = await api.getStream(id, { signal });
    signal.throwIfAborted();
    // The store's streams don't include child streams.
    if (!isChildStream(read.value)) store.read(read.value, read, { settle: settles(read.value), pin });
    return { stream: read.value, requestSeq: read.requestSeq };
  } catch (error) {
    signal.throwIfAborted();
    if (!isApiError(error) || error.reason !== 'notFound') throw error;
    return { stream: undefined, requestSeq: error.requestSeq };
  }
}
