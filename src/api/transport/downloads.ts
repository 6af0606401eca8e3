import type { Clock, DownloadRequest, DownloadResponse, Downloads, Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { ApiError, isAbortError } from '../errors.ts';
import { type LinkedSignal, linkSignal, untilAborted } from './deadline.ts';
import { nameOf, networkErrorOf } from './networkErrors.ts';

const STALL_MS = 30_000;

/** One attempt at a download. Has to settle when the signal aborts; may throw anything, as may the body. */
export type DownloadAttempt = (
  request: DownloadRequest,
  signal: AbortSignal,
) => Promise<Pick<DownloadResponse, 'status' | 'headers' | 'body'>>;

export interface DownloadsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly stallMs?: number | undefined;
}

interface Watch extends LinkedSignal {
  /**
   * Settles like the promise, or rejects if it stalls. Time counts only while waiting, so a slow reader is no stall.
   */
  wait<T>(promise: Promise<T>): Promise<T>;
}

export function createDownloads(options: DownloadsOptions, attempt: DownloadAttempt): Downloads & Disposable {
  const { clock, log, stallMs = STALL_MS } = options;
  const underWay = new Set<Watch>();
  let isDisposed = false;

  function startWatch(caller: AbortSignal | undefined): Watch {
    const watch = startStallWatch(clock, stallMs, caller);
    underWay.add(watch);
    if (isDisposed) watch.end();
    return watch;
  }

  function stopWatch(watch: Watch): void {
    underWay.delete(watch);
    watch.end();
    watch.dispose();
  }

  function failureOf(thrown: unknown, watch: Watch, { url }: DownloadRequest): Error {
    const reason = watch.signal.aborted ? watch.signal.reason : thrown;
    if (isAbortError(reason)) return reason;
    const error = networkErrorOf(reason, { method: 'GET', url });
    log.debug(error.message);
    return error;
  }

  async function* read(body: AsyncIterable<Uint8Array>, watch: Watch, request: DownloadRequest) {
    const chunks = body[Symbol.asyncIterator]();
    let bytes = 0;
    try {
      for (;;) {
        const next = await watch.wait(chunks.next());
        if (next.done === true) break;
        bytes += next.value.byteLength;
        yield next.value;
      }
      log.debug(`${nameOf({ method: 'GET', url: request.url })}: ${bytes} bytes`);
    } catch (error) {
      throw failureOf(error, watch, request);
    } finally {
      stopWatch(watch);
    }
  }

  return {
    async download(request) {
      const watch = startWatch(request.signal);
      try {
        watch.signal.throwIfAborted();
        const { status, headers, body } = await watch.wait(attempt(request, watch.signal));
        log.debug(`${nameOf({ method: 'GET', url: request.url })}: ${status}`);
        return { status, headers, body: read(body, watch, request), dispose: () => stopWatch(watch) };
      } catch (error) {
        const failure = failureOf(error, watch, request);
        stopWatch(watch);
        throw failure;
      }
    },
    dispose() {
      isDisposed = true;
      for (const watch of underWay) watch.end();
    },
  };
}

function startStallWatch(clock: Clock, stallMs: number, caller: AbortSignal | undefined): Watch {
  const linked = linkSignal(caller);
  const giveUp = () => linked.end(new ApiError('timeout', `Nothing came for ${stallMs} ms`));
  return {
    ...linked,
    async wait(promise) {
      const timer = clock.setTimeout(giveUp, stallMs);
      try {
        return await untilAborted(linked.signal, promise);
      } finally {
        timer.dispose();
      }
    },
  };
}

/** Requests a file uncompressed: a download can't resume in the middle of a compressed body. */
export const PLAIN_BODY = { 'accept-encoding': 'identity' };

/** Returns the headers of a decompressed body: without content-encoding and content-length if it was encoded. */
export function withoutEncoding(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'content-encoding': encoding = 'identity', ...rest } = headers;
  if (encoding.trim().toLowerCase() === 'identity') return headers;
  const { 'content-length': _length, ...others } = rest;
  return others;
}
