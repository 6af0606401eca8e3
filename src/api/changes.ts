import type { Answered } from './calls.ts';
import { ApiError, type ApiErrorCause, isAbortError, isApiError } from './errors.ts';

/** Answers that may mean: this service has no such thing. */
export function isRefusal(status: number): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** The error for a request that this service does not have, while the thing it was about is there. */
export function notOffered({ asked, response: { status } }: Answered): ApiError {
  return new ApiError('rejected', `${asked.what}: ${status}, not offered`, {
    status,
    host: asked.host,
    why: 'notOffered',
  });
}

/**
 * The error for a change that was answered 404 while the thing it was about is there: a replica may lag behind, so this
 * alone does not mean that the service offers no such change.
 */
export function changeNotFound({ asked, response: { status } }: Answered): ApiError {
  return new ApiError('rejected', `${asked.what}: ${status}, though it is there`, {
    status,
    host: asked.host,
    why: 'changeNotFound',
  });
}

/** The error for a thing that was looked for wherever it could be. */
export function notFound({ asked, response: { status } }: Answered): ApiError {
  return new ApiError('notFound', `${asked.what}: ${status}, found nowhere`, { status, host: asked.host });
}

/** Network failures in which the request never reached the service. */
const NEVER_SENT: ReadonlySet<ApiErrorCause | undefined> = new Set<ApiErrorCause>([
  'nameNotFound',
  'refused',
  'certificate',
  'plainHttp',
  'tlsVersion',
  'tlsHandshake',
  'http2Only',
  'clientCertificate',
  'proxyAuthentication',
  'proxyUnsupported',
  'proxy',
]);

/**
 * After a change that failed with this error, may it have been made all the same? True for a 5xx, an answer that was lost or
 * could not be read, and a call that was ended halfway (src/api/README.md, Changes): read the stream back, never repeat by yourself.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (isAbortError(error)) return true;
  if (!isApiError(error)) return false;
  switch (error.reason) {
    case 'unavailable':
    case 'timeout':
      return true;
    case 'network':
      return !NEVER_SENT.has(error.why);
    case 'invalidResponse':
      return error.why !== 'redirect';
    default:
      return false;
  }
}
