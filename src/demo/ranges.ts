import { createHash } from 'node:crypto';
import { type Answer, empty, namesETag } from './answer.ts';
import type { DemoRequest } from './demoContract.ts';

/**
 * Answers a file with an ETag and byte ranges: 200, 206, 304, or 416 for a range outside the file. Several ranges get
 * the whole file.
 */
export function answerFile(request: DemoRequest, content: Buffer, type: string): Answer {
  const etag = `"${createHash('sha1').update(content).digest('base64url')}"`;
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', etag };
  if (namesETag(request, etag)) return empty(304, { etag });
  const range = wantsRange(request, etag) ? readRange(request.headers.range ?? '', content.length) : undefined;
  if (range === 'outside') return empty(416, { 'content-range': `bytes */${content.length}` });
  if (range === undefined) return { status: 200, headers, body: content };
  const contentRange = `bytes ${range.from}-${range.to}/${content.length}`;
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: content.subarray(range.from, range.to + 1),
  };
}

function wantsRange(request: DemoRequest, etag: string): boolean {
  const condition = request.headers['if-range'];
  return request.headers.range !== undefined && (condition === undefined || condition === etag);
}

interface ByteRange {
  readonly from: number;
  readonly to: number;
}

function readRange(text: string, length: number): ByteRange | 'outside' | undefined {
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
