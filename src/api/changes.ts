import type { Answer } from './calls.ts';
import { ApiError, type ApiErrorCause, isAbortError, isApiError } from './errors.ts';

/** Whether the status may mean that the service lacks the endpoint. */
export function isRefusal(status: number): boolean {
  return status === 404 || status === 405 || status === 501;
}

export function notOffered({ request, response: { status } }: Answer): ApiError {
  return new ApiError('rejected', `${request.what}: ${status}, not offered`, {
    status,
    host: request.host,
    why: 'notOffered',
  });
}

/**
 * Returns the error for a change that got a 404 although the stream exists. A replica may lag behind, so one 404
 * doesn't mean that the service lacks the endpoint.
 */
export function changeNotFound({ request, response: { status } }: Answer): ApiError {
  return new ApiError('rejected', `${request.what}: ${status}, though it is there`, {
    status,
    host: request.host,
    why: 'changeNotFound',
  });
}

export function notFound({ request, response: { status } }: Answer): ApiError {
  return new ApiError('notFound', `${request.what}: ${status}, found nowhere`, { status, host: request.host });
}

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
 * Whether a change that failed with this error may still have been made: after a 5xx, a lost or unreadable response, or
 * an abort (src/api/README.md, Changes). Read the stream back then; never retry automatically.
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
