import type { Answered } from './calls.ts';
import { ApiError, type ApiErrorCause, type ApiErrorReason } from './errors.ts';
import { retryAtOf } from './retryAfter.ts';
import { listsErrors, wordsOf } from './serviceWords.ts';
import type { Read } from './types.ts';

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Decodes a response. Throws ApiError if the status isn't a success or `decode` returns undefined. */
export function readOne<T>(answered: Answered, decode: (json: unknown) => T | undefined): Read<T> {
  const value = decode(readAnswer(answered));
  if (value === undefined) throw wrongShape(answered);
  const { turn, startedAt, serverDate } = answered;
  return { value, turn, startedAt, serverDate };
}

/** Parses a response. Throws ApiError if the status isn't a success or the body isn't JSON. */
export function readAnswer(answered: Answered): unknown {
  const { status, body } = answered.response;
  if (!isSuccess(status)) throw errorOfAnswered(answered);
  const text = new TextDecoder().decode(body).trim();
  if (text === '') throw invalid(answered, 'empty');
  try {
    const json: unknown = JSON.parse(text);
    answered.asked.secrets.note(json);
    return json;
  } catch {
    // The parser's message quotes the body, so it is dropped.
    throw invalid(answered, isHtml(answered, text) ? 'html' : 'notJson');
  }
}

export function wrongShape(answered: Answered): ApiError {
  return invalid(answered, 'wrongShape');
}

/** Returns the error of a change whose success response lists errors, such as {"errors": ["denied"]}. */
export function errorInSuccess({ asked, response }: Answered): ApiError | undefined {
  const { status, body } = response;
  if (!listsErrors(body)) return undefined;
  const detail = wordsOf(body, asked.secrets);
  const init = { status, host: asked.host, ...(detail !== undefined && { detail }) };
  return new ApiError('rejected', `${asked.what}: ${status}, with errors`, init);
}

/** Returns the error for a status that isn't a success. The body of a 401 echoes the API key and is ignored. */
export function errorOfAnswered(answered: Answered): ApiError {
  const { asked, turn, answeredAt, response } = answered;
  const { status, headers, body } = response;
  if (status < 400) return invalid(answered, 'redirect');
  const detail = status === 401 || status >= 500 ? undefined : wordsOf(body, asked.secrets);
  const retryAt = status === 429 || status === 503 ? retryAtOf(headers, answeredAt) : undefined;
  return new ApiError(reasonOf(status), `${asked.what}: ${status}`, {
    status,
    turn,
    host: asked.host,
    ...(detail !== undefined && { detail }),
    ...(retryAt !== undefined && { retryAt }),
    ...(status === 407 && { why: 'proxyAuthentication' }),
  });
}

const REASONS: Readonly<Record<number, ApiErrorReason>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  407: 'network',
  408: 'timeout',
  410: 'notFound',
  429: 'rateLimited',
};

function reasonOf(status: number): ApiErrorReason {
  return REASONS[status] ?? (status >= 500 ? 'unavailable' : 'rejected');
}

function invalid({ asked, response: { status } }: Answered, why: ApiErrorCause): ApiError {
  return new ApiError('invalidResponse', `${asked.what}: ${status}, ${why}`, { status, host: asked.host, why });
}

function isHtml({ response: { headers } }: Answered, text: string): boolean {
  return text.startsWith('<') || /\bhtml\b/i.test(headers['content-type'] ?? '');
}
