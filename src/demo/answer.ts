import { createHash } from 'node:crypto';
import type { DemoRequest } from './demoContract.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: '' };
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function failure(status: number, ...errors: readonly string[]): Answer {
  return json(status, { errors });
}

/** Adds a weak ETag over the body. Returns a 304 if the request has this ETag already and does not send no-cache. */
export function withETag(request: DemoRequest, answer: Answer): Answer {
  if (request.method !== 'GET' || answer.status !== 200) return answer;
  const etag = `W/"${answer.body.length.toString(16)}-${createHash('sha1').update(answer.body).digest('base64url')}"`;
  const isFresh = !/\bno-cache\b/.test(request.headers['cache-control'] ?? '') && namesETag(request, etag);
  const headers: Record<string, string> = { ...answer.headers, etag };
  if (!isFresh) return { ...answer, headers };
  delete headers['content-type'];
  return empty(304, headers);
}

export function namesETag(request: DemoRequest, etag: string): boolean {
  const asked = request.headers['if-none-match'];
  if (asked === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return asked.trim() === '*' || asked.split(',').some((tag) => strong(tag) === strong(etag));
}
