import { hasTag } from '../util/hasTag.ts';

export type ApiErrorReason =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'rejected'
  | 'rateLimited'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'invalidResponse';

/** Details of `network`, `invalidResponse`, `notFound` (html), and `rejected` changes (notOffered, changeNotFound). */
export type ApiErrorCause =
  | 'nameNotFound'
  | 'refused'
  | 'reset'
  | 'certificate'
  | 'plainHttp'
  | 'tlsVersion'
  | 'tlsHandshake'
  | 'http2Only'
  | 'clientCertificate'
  | 'proxyAuthentication'
  | 'proxyUnsupported'
  | 'proxy'
  | 'redirect'
  | 'html'
  | 'notJson'
  | 'wrongShape'
  | 'tooLarge'
  | 'empty'
  | 'notOffered'
  | 'changeNotFound';

export interface ApiErrorInit {
  readonly status?: number | undefined;
  /** The service's message (400, 422, 500, …), without secrets and cut to a sentence or two. Never set for a 401. */
  readonly detail?: string | undefined;
  readonly why?: ApiErrorCause | undefined;
  /** When to retry according to the service (429, 503): Unix time in milliseconds by the local clock. */
  readonly retryAt?: number | undefined;
  readonly requestSeq?: number;
  readonly host?: string;
  readonly cause?: unknown;
}

const TRANSIENT: ReadonlySet<ApiErrorReason> = new Set(['network', 'timeout', 'unavailable', 'rateLimited']);

/** Network failures that a retry would encounter again. Nothing was sent. */
export const LASTING: ReadonlySet<ApiErrorCause | undefined> = new Set<ApiErrorCause>([
  'certificate',
  'plainHttp',
  'tlsVersion',
  'tlsHandshake',
  'http2Only',
  'clientCertificate',
  'proxyAuthentication',
  'proxyUnsupported',
]);

/** The only error that leaves `api/`. Its message is for logs and contains no secret and no query. */
export class ApiError extends Error {
  readonly tag = 'ApiError';
  readonly reason: ApiErrorReason;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly why: ApiErrorCause | undefined;
  readonly retryAt: number | undefined;
  readonly requestSeq: number | undefined;
  readonly host: string | undefined;

  constructor(reason: ApiErrorReason, message: string, init: ApiErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'ApiError';
    this.reason = reason;
    this.status = init.status;
    this.detail = init.detail;
    this.why = init.why;
    this.retryAt = init.retryAt;
    this.requestSeq = init.requestSeq;
    this.host = init.host;
  }

  /** Whether the same request may succeed later without a change by the user. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.reason);
  }

  /** Whether the network failed in a way that an immediate retry may not encounter again. */
  get isConnectionLoss(): boolean {
    return this.reason === 'network' && !LASTING.has(this.why);
  }
}

type Reason = ApiErrorReason | ApiErrorCause;

/** @param reasons one of which it must have. Default: any */
export function isApiError(error: unknown, ...reasons: readonly Reason[]): error is ApiError {
  if (!hasTag<ApiError>(error, 'ApiError')) return false;
  return reasons.length === 0 || reasons.some((reason) => reason === error.reason || reason === error.why);
}

/** Returns undefined if the read fails for one of these reasons, which mean that the service has no such data. */
export async function orNone<T>(read: Promise<T>, ...reasons: readonly Reason[]): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isApiError(error, ...reasons)) return undefined;
    throw error;
  }
}

/** Whether the call was aborted by its AbortSignal. Such errors aren't reported. */
export function isAbortError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'AbortError';
}

const DEEPEST_CAUSE = 3;

/** For the log. ApiErrors and causes have their messages; any other error is a bug and keeps its stack. */
export function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return `A value of type ${typeof error} was thrown`;
  const isMistake = !isApiError(error) && depth === 0;
  const own = isMistake ? [messageOf(error), ...framesOf(error)].join('\n') : messageOf(error);
  if (error.cause === undefined || depth >= DEEPEST_CAUSE) return own;
  return `${own}\n  because: ${errorText(error.cause, depth + 1)}`;
}

function messageOf(error: Error): string {
  // The message of JSON.parse quotes its input, which may be anything a service sent.
  return error instanceof SyntaxError ? error.name : `${error.name}: ${error.message}`;
}

function framesOf(error: Error): readonly string[] {
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}
