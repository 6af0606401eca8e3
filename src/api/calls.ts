import type { Clock, HttpRequest, HttpResponse, Transport } from '../services.ts';
import { ApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { dateOf } from './retryAfter.ts';
import type { Stream } from './types.ts';

// If the Date header and the local clock differ by more, one of them is wrong.
const DOUBTFUL_FROM_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** How errors and logs name a request: `what` is method and path ('GET /stream'), `host` includes the port. */
interface RequestInfo {
  readonly what: string;
  readonly host: string;
  readonly secrets: KnownSecrets;
}

/**
 * A response and its age (AnswerMeta), as Unix times in milliseconds. `startedAt` and `answeredAt` are by the local
 * clock; `serverDate` is the Date header (`date`) or, without one, `answeredAt`.
 */
export interface Answer {
  readonly response: HttpResponse;
  readonly request: RequestInfo;
  readonly requestSeq: number;
  readonly startedAt: number;
  readonly answeredAt: number;
  readonly date: number | undefined;
  readonly serverDate: number;
}

export interface Call {
  readonly method?: HttpRequest['method'];
  /** Relative to the base URL, with the query; encoded. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly etag?: string | undefined;
  readonly isPublic?: boolean;
}

/** Sends one request. Throws the transport's errors, and `unauthorized` if a header can't hold the API key. */
export type Caller = (call: Call) => Promise<Answer>;

export interface CallerOptions {
  /** May have a path, trailing slashes, and white space around it. */
  readonly baseUrl: string;
  /** May have white space around it. */
  readonly apiKey: string;
  readonly transport: Transport;
  readonly clock: Clock;
  /** As in HttpRequest. */
  readonly longestWait?: number;
  /** Called after each response with the milliseconds by which the service's clock is ahead of the local one. */
  readonly onClock?: ((aheadMs: number) => void) | undefined;
}

/** Options for a part of the interface that services may lack. */
export interface LateApiOptions extends CallerOptions {
  readonly secrets: KnownSecrets;
  /** Called when the service has responded that it doesn't have this part. */
  readonly onNotOffered: () => void;
}

/** Only this function adds the API key to requests, and all of them go to the origin of the base URL. */
export function createCaller(
  { transport, clock, longestWait, onClock, ...options }: CallerOptions,
  secrets: KnownSecrets,
): Caller {
  const [baseUrl, apiKey] = [withoutSlash(options.baseUrl), options.apiKey.trim()];
  const { host } = new URL(baseUrl);
  let calls = 0;
  return async ({ method = 'GET', path, body, signal, etag, isPublic = false }) => {
    const request: RequestInfo = { what: `${method} ${path.replace(/\?.*$/s, '')}`, host, secrets };
    // A header can't hold such a key, and no service issues one.
    if (!isPublic && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ApiError('unauthorized', `${request.what}: not a key`, { host });
    }
    calls += 1;
    const requestSeq = calls;
    const startedAt = clock.now();
    const response = await transport.send({
      method,
      url: `${baseUrl}${path}`,
      headers: {
        accept: 'application/json',
        ...(!isPublic && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      isJson: true,
      longestWait,
      body,
      signal,
    });
    const answeredAt = clock.now();
    const date = dateOf(response.headers);
    if (date !== undefined) onClock?.(date - answeredAt);
    return { response, request, requestSeq, startedAt, answeredAt, date, serverDate: date ?? answeredAt };
  };
}

/** Returns a base URL to which paths can be appended. */
export function withoutSlash(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, '');
}

/**
 * Returns the time of a response by the clock of its streams' timestamps, as Unix time in milliseconds. This is the
 * Date header, unless it's missing or doubtful; then the newest data of the active streams decides. Without a header,
 * the local clock is no substitute: it may be hours off.
 */
export function inferServerDate({ date, answeredAt }: Pick<Answer, 'date' | 'answeredAt'>, streams: readonly Stream[]) {
  if (date !== undefined && Math.abs(date - answeredAt) <= DOUBTFUL_FROM_MS) return date;
  const newest = newestData(streams, answeredAt + DAY_MS);
  if (newest === undefined) return date ?? answeredAt;
  if (date === undefined) return newest;
  return Math.abs(date - newest) <= Math.abs(answeredAt - newest) ? date : answeredAt;
}

function newestData(streams: readonly Stream[], until: number): number | undefined {
  let newest: number | undefined;
  for (const { isActive, lastSeen } of streams) {
    if (isActive && lastSeen !== undefined && lastSeen <= until) newest = Math.max(newest ?? lastSeen, lastSeen);
  }
  return newest;
}
