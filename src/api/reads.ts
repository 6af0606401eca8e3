import { parseJson } from '../util/parseJson.ts';
import { cut, truncate } from '../util/text.ts';
import type { Answer } from './calls.ts';
import { type JsonObject, toRow } from './decode.ts';
import { ApiError, type ApiErrorCause, type ApiErrorReason } from './errors.ts';
import { isId } from './ids.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { retryAtOf } from './retryAfter.ts';
import type { Read } from './types.ts';

// Limits the work of stripping secrets.
const LONGEST_MESSAGE = 20_000;

/** Returns the ID. Throws ApiError `rejected` if it isn't valid. */
export function checkId(id: string): string {
  if (isId(id)) return id;
  throw new ApiError('rejected', 'Not an id');
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Decodes a response. Throws ApiError if the status isn't a success or `decode` returns undefined. */
export function readOne<T>(answer: Answer, decode: (json: unknown) => T | undefined): Read<T> {
  const value = decode(readAnswer(answer));
  if (value === undefined) throw wrongShape(answer);
  const { requestSeq, startedAt, serverDate } = answer;
  return { value, requestSeq, startedAt, serverDate };
}

/** Parses a response. Throws ApiError if the status isn't a success or the body isn't JSON. */
export function readAnswer(answer: Answer): unknown {
  const { status, body } = answer.response;
  if (!isSuccess(status)) throw errorOfAnswer(answer);
  const text = new TextDecoder().decode(body).trim();
  if (text === '') throw invalid(answer, 'empty');
  try {
    const json: unknown = JSON.parse(text);
    answer.request.secrets.note(json);
    return json;
  } catch {
    // The parser's message quotes the body, so it's dropped.
    throw invalid(answer, isHtml(answer, text) ? 'html' : 'notJson');
  }
}

export function wrongShape(answer: Answer): ApiError {
  return invalid(answer, 'wrongShape');
}

/** Throws the error of a change: from its status, or from the errors in a success response. */
export function requireSuccess(answer: Answer): void {
  const error = isSuccess(answer.response.status) ? errorInSuccess(answer) : errorOfAnswer(answer);
  if (error !== undefined) throw error;
}

/** Returns the error of a change whose success response lists errors, such as {"errors": ["denied"]}. */
export function errorInSuccess({ request, response }: Answer): ApiError | undefined {
  const { status, body } = response;
  if (!listsErrors(body)) return undefined;
  const detail = messageOf(body, request.secrets);
  return new ApiError('rejected', `${request.what}: ${status}, with errors`, { status, host: request.host, detail });
}

/** Returns the error for a status that isn't a success. The body of a 401 echoes the API key and is ignored. */
export function errorOfAnswer(answer: Answer): ApiError {
  const { request, requestSeq, answeredAt, response } = answer;
  const { status, headers, body } = response;
  if (status < 400) return invalid(answer, 'redirect');
  const detail = status === 401 ? undefined : messageOf(body, request.secrets);
  const retryAt = status === 429 || status === 503 ? retryAtOf(headers, answeredAt) : undefined;
  return new ApiError(REASONS[status] ?? (status >= 500 ? 'unavailable' : 'rejected'), `${request.what}: ${status}`, {
    status,
    requestSeq,
    host: request.host,
    detail,
    retryAt,
    why: status === 407 ? 'proxyAuthentication' : status === 404 && isHtml(answer) ? 'html' : undefined,
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

function invalid(answer: Answer, why: ApiErrorCause): ApiError {
  return refusal('invalidResponse', answer, { words: why, why });
}

function isHtml({ response: { headers } }: Answer, text = ''): boolean {
  return text.startsWith('<') || /\bhtml\b/i.test(headers['content-type'] ?? '');
}

/** Returns the message of an error body ({errors: […]} or {error: …}), without secrets, at most 300 characters. */
export function messageOf(body: Uint8Array, secrets: KnownSecrets): string | undefined {
  const row = toRow(parseJson(new TextDecoder().decode(body)));
  if (row === undefined) return undefined;
  const entries = Array.isArray(row.errors) ? row.errors : [row.error ?? row.message];
  const message = entries.slice(0, 10).map(entryMessage).filter(Boolean).join('; ');
  return clean(message, secrets) || undefined;
}

function listsErrors(body: Uint8Array): boolean {
  if (body.byteLength === 0) return false;
  const errors = toRow(parseJson(new TextDecoder().decode(body)))?.errors;
  return Array.isArray(errors) && errors.length > 0;
}

function entryMessage(entry: unknown): string {
  const value = typeof entry === 'string' ? (toRow(parseJson(entry)) ?? entry) : entry;
  const row = toRow(value);
  return row ? validationMessage(row) : typeof value === 'string' ? value : '';
}

function validationMessage(row: JsonObject): string {
  const field = row.instancePath ?? row.dataPath;
  const message = row.message ?? row.error;
  return [field, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function clean(message: string, secrets: KnownSecrets): string {
  const withoutSecrets = secrets.strip(truncate(message, LONGEST_MESSAGE));
  return cut(withoutSecrets.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), 300);
}

export function mayLackEndpoint(status: number): boolean {
  return status === 404 || status === 405 || status === 501;
}

export function notOffered(answer: Answer): ApiError {
  return refusal('rejected', answer, { words: 'not offered', why: 'notOffered' });
}

/** Returns the error for a 404 although the stream exists. A lagging replica may send one, so it isn't final. */
export function changeNotFound(answer: Answer): ApiError {
  return refusal('rejected', answer, { words: 'though it is there', why: 'changeNotFound' });
}

export function notFound(answer: Answer): ApiError {
  return refusal('notFound', answer, { words: 'found nowhere', why: undefined });
}

function refusal(
  reason: ApiErrorReason,
  { request, response: { status } }: Answer,
  { words, why }: { readonly words: string; readonly why: ApiErrorCause | undefined },
): ApiError {
  return new ApiError(reason, `${request.what}: ${status}, ${words}`, { status, host: request.host, why });
}
