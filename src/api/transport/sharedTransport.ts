import type {
  Clock,
  DownloadRequest,
  DownloadResponse,
  Downloads,
  HttpRequest,
  HttpResponse,
  Log,
  Transport,
} from '../../services.ts';
import { type LinkedSignal, linkSignals, untilAborted } from '../../util/async.ts';
import { delay } from '../../util/clock.ts';
import type { Disposable } from '../../util/disposable.ts';
import { ApiError, isAbortError, isApiError } from '../errors.ts';
import { retryAtOf } from '../retryAfter.ts';
import { describeRequest, networkErrorOf } from './networkErrors.ts';

export interface SharedOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns 0 to below 1, for the jitter of retries. */
  readonly random?: () => number;
  /** A download fails if no bytes arrive for this long. */
  readonly stallMs?: number;
}

interface Options extends SharedOptions {
  readonly timeoutMs: () => number;
}

// Single attempts. They have to settle when the signal aborts. They and the body may throw anything.
interface Attempts {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  download(request: DownloadRequest, signal: AbortSignal): Promise<Omit<DownloadResponse, 'dispose'>>;
}

export type WholeTransport = Transport & Downloads & Disposable;

/** Creates a transport with the features common to all: deadlines, retries, stall detection, errors, and the log. */
export function createSharedTransport(options: Options, attempts: Attempts): WholeTransport {
  const disposed = new AbortController();
  return {
    ...createSender(options, attempts, disposed.signal),
    ...createDownloads(options, attempts, disposed.signal),
    dispose: () => disposed.abort(),
  };
}

type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: Error };

interface Attempted {
  readonly method: HttpRequest['method'];
  readonly outcome: Outcome;
  readonly retries: number;
}

const MOST_RETRIES = 2;
const FIRST_WAIT = 250;

function createSender(options: Options, attempts: Attempts, disposed: AbortSignal): Transport {
  const { clock, log, random = Math.random } = options;

  async function tryOnce(request: HttpRequest, what: string, { signal }: Timed): Promise<Outcome> {
    const startedAt = clock.elapsed();
    const took = () => `${Math.round(clock.elapsed() - startedAt)} ms`;
    try {
      const response = await untilAborted(attempts.send(request, signal), signal);
      log.debug(`${what}: ${response.status}, ${response.body.byteLength} bytes, ${took()}`);
      return { response };
    } catch (thrown) {
      const reason = signal.aborted ? signal.reason : thrown;
      const error = isAbortError(reason) ? reason : networkErrorOf(reason, request);
      log.debug(`${isApiError(error) ? error.message : `${what}: ended`}, ${took()}`);
      return { error };
    }
  }

  async function sendWithin(deadline: Timed, request: HttpRequest): Promise<HttpResponse> {
    const what = describeRequest(request);
    for (let retries = 0; ; retries += 1) {
      const outcome = await tryOnce(request, what, deadline);
      const attempted = { method: request.method, outcome, retries };
      const wait = waitBeforeRetry(attempted, { now: clock.now(), random });
      if (wait !== undefined && wait < deadline.left() && wait <= (request.longestWait ?? wait)) {
        await delay(clock, wait, deadline.signal);
        continue;
      }
      if (outcome.response) return outcome.response;
      throw outcome.error;
    }
  }

  return {
    async send(request) {
      const deadline = startTimed(clock, options.timeoutMs(), linkSignals(request.signal, disposed));
      try {
        deadline.signal.throwIfAborted();
        return await sendWithin(deadline, request);
      } finally {
        deadline.dispose();
      }
    },
  };
}

// Returns milliseconds, or undefined for no retry. A 429 is retried only with Retry-After.
function waitBeforeRetry(
  { method, outcome, retries }: Attempted,
  { now, random }: { readonly now: number; readonly random: () => number },
): number | undefined {
  if (method !== 'GET' || retries >= MOST_RETRIES) return undefined;
  const backoff = FIRST_WAIT * 2 ** retries * (0.5 + random());
  if (outcome.error) return isApiError(outcome.error) && outcome.error.isConnectionLoss ? backoff : undefined;
  const { status, headers } = outcome.response;
  const retryAt = retryAtOf(headers, now);
  if (status === 429) return retryAt === undefined ? undefined : Math.max(retryAt - now, backoff);
  const isBusy = status === 502 || status === 503 || status === 504;
  return isBusy ? Math.max((retryAt ?? now) - now, backoff) : undefined;
}

const STALL_MS = 30_000;

interface Watch extends LinkedSignal {
  /** Rejects if the promise stalls. Time counts only while waiting, so a slow reader isn't a stall. */
  wait<T>(promise: Promise<T>): Promise<T>;
}

function createDownloads(options: Options, attempts: Attempts, disposed: AbortSignal): Downloads {
  const { clock, log, stallMs = STALL_MS } = options;

  function stopWatch(watch: Watch): void {
    watch.abort();
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
      log.debug(`${describeRequest({ method: 'GET', url: request.url })}: ${bytes} bytes`);
    } catch (error) {
      throw failureOf(error, watch, request);
    } finally {
      stopWatch(watch);
    }
  }

  return {
    async download(request) {
      const watch = startStallWatch(clock, stallMs, linkSignals(request.signal, disposed));
      try {
        watch.signal.throwIfAborted();
        const { status, headers, body } = await watch.wait(attempts.download(request, watch.signal));
        log.debug(`${describeRequest({ method: 'GET', url: request.url })}: ${status}`);
        return { status, headers, body: read(body, watch, request), dispose: () => stopWatch(watch) };
      } catch (error) {
        const failure = failureOf(error, watch, request);
        stopWatch(watch);
        throw failure;
      }
    },
  };
}

function startStallWatch(clock: Clock, stallMs: number, linked: LinkedSignal): Watch {
  const giveUp = () => linked.abort(new ApiError('timeout', `Nothing came for ${stallMs} ms`));
  return {
    ...linked,
    async wait(promise) {
      const timer = clock.setTimeout(giveUp, stallMs);
      try {
        return await untilAborted(promise, linked.signal);
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

interface Timed extends LinkedSignal {
  left(): number;
}

// One signal for a whole call. Aborts with an ApiError (timeout) when the time is up according to the clock.
function startTimed(clock: Clock, timeoutMs: number, linked: LinkedSignal): Timed {
  const until = clock.elapsed() + timeoutMs;
  const timer = clock.setTimeout(() => {
    linked.abort(new ApiError('timeout', `No answer within ${timeoutMs} ms`));
  }, timeoutMs);
  return {
    ...linked,
    left: () => Math.max(until - clock.elapsed(), 0),
    dispose() {
      timer.dispose();
      linked.dispose();
    },
  };
}

type Client = 'undici' | 'editor';

export function createChosenTransport(
  choose: () => Client,
  transports: Readonly<Record<Client, WholeTransport>>,
): WholeTransport {
  return {
    send: (request) => transports[choose()].send(request),
    download: (request) => transports[choose()].download(request),
    dispose() {
      for (const transport of Object.values(transports)) transport.dispose();
    },
  };
}
