import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface DemoRequest {
  readonly method: string;
  /** As sent, without the query: '/api/stream'. */
  readonly path: string;
  /** As sent, without the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface DemoResponse<Body = string | Uint8Array> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A response whose body is read while it's sent. */
export type StreamedResponse = DemoResponse<string | Uint8Array | AsyncIterable<Uint8Array>>;

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): DemoResponse<string> {
  return { status, headers, body: '' };
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): DemoResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function failure(status: number, ...errors: readonly string[]): DemoResponse {
  return json(status, { errors });
}

/** Adds a weak ETag for the body. Returns a 304 if the request already has this ETag and doesn't send no-cache. */
export function withETag(request: DemoRequest, answer: DemoResponse): DemoResponse {
  if (request.method !== 'GET' || answer.status !== 200) return answer;
  const etag = `W/"${answer.body.length.toString(16)}-${createHash('sha1').update(answer.body).digest('base64url')}"`;
  const isFresh = !/\bno-cache\b/.test(request.headers['cache-control'] ?? '') && namesETag(request, etag);
  const headers: Record<string, string> = { ...answer.headers, etag };
  if (!isFresh) return { ...answer, headers };
  delete headers['content-type'];
  return empty(304, headers);
}

function namesETag(request: DemoRequest, etag: string): boolean {
  const asked = request.headers['if-none-match'];
  if (asked === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return asked.trim() === '*' || asked.split(',').some((tag) => strong(tag) === strong(etag));
}

export function answerFile(request: DemoRequest, content: Uint8Array, type: string): DemoResponse {
  const tag = createHash('sha1').update(content).digest('base64url');
  const read = (from: number, to: number) => content.subarray(from, to + 1);
  return answerRange(request, { type, tag, size: content.length, read });
}

interface RangedContent<T> {
  readonly type: string;
  /** Identifies the content. */
  readonly tag: string;
  readonly size: number;
  /** Reads from `from` to `to`, both included. */
  read(from: number, to: number): T;
}

/** Returns 200, 206, 304, or 416 for a range outside the file. Several ranges get the whole file. */
export function answerRange<T>(request: DemoRequest, content: RangedContent<T>): DemoResponse<T | string> {
  const { size, type } = content;
  const etag = `"${content.tag}"`;
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', etag };
  if (namesETag(request, etag)) return empty(304, { etag });
  const range = wantsRange(request, etag) ? readRange(request.headers.range ?? '', size) : undefined;
  if (range === 'outside') return empty(416, { 'content-range': `bytes */${size}` });
  const { from, to } = range ?? { from: 0, to: size - 1 };
  const sent = { ...headers, 'content-length': String(to - from + 1) };
  if (range === undefined) return { status: 200, headers: sent, body: content.read(from, to) };
  return {
    status: 206,
    headers: { ...sent, 'content-range': `bytes ${from}-${to}/${size}` },
    body: content.read(from, to),
  };
}

function wantsRange(request: DemoRequest, etag: string): boolean {
  const condition = request.headers['if-range'];
  return request.headers.range !== undefined && (condition === undefined || condition === etag);
}

function readRange(text: string, length: number) {
  const found = /^bytes=(\d*)-(\d*)$/.exec(text.trim());
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 ? 'outside' : { from: Math.max(0, length - Number(last)), to: length - 1 };
  const from = Number(first);
  const to = last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= length ? 'outside' : { from, to };
}
