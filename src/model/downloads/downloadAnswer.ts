import { retryAtOf } from '../../api/retryAfter.ts';
import type { DownloadResponse } from '../../services.ts';
import { DownloadError } from './downloadError.ts';

/** What tells one state of a file from another, as far as its server says. */
export interface FileIdentity {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Bytes; undefined where it is not known before the end. */
  readonly total: number | undefined;
}

/** What is there of a file so far. */
export interface Progress {
  readonly received: number;
  readonly identity: FileIdentity | undefined;
}

/** What to do with an answer. */
export type Verdict =
  /** Take it from the file's first byte on. */
  | { readonly kind: 'anew'; readonly identity: FileIdentity }
  /** It goes on where the last one broke off. */
  | { readonly kind: 'append' }
  /** Everything was there already. */
  | { readonly kind: 'complete' }
  /** Of no use: ask for the whole file again. */
  | { readonly kind: 'restart'; readonly because: 'changes' | 'wrongRange' };

type Answer = Pick<DownloadResponse, 'status' | 'headers'>;

const NO_VIDEO = /^(text\/|image\/|application\/(json|xml|xhtml\+xml|javascript|pdf|(vnd\.apple\.|x-)mpegurl))/i;

/** The headers that ask for the rest of a file: all of it where nothing of it is there, or its length is not known. */
export function rangeHeaders({ received, identity }: Progress): Readonly<Record<string, string>> {
  if (received === 0 || identity?.total === undefined) return {};
  // A weak ETag does not vouch for bytes (RFC 9110, 13.1.5).
  const { etag = '', lastModified } = identity;
  const condition = etag.startsWith('"') ? etag : lastModified;
  return { range: `bytes=${received}-`, ...(condition !== undefined && { 'if-range': condition }) };
}

/** What to do with an answer to what `rangeHeaders` asked. Throws DownloadError for one that is no part of a video. */
export function judgeAnswer(answer: Answer, progress: Progress, host: string, now: number): Verdict {
  const { status, headers } = answer;
  const isPart = 'range' in rangeHeaders(progress);
  if (status === 416 && isPart) return judgeUnsatisfiable(headers, progress, host);
  if (status !== 200 && status !== 206) throw refusalOf(answer, host, now);
  if (NO_VIDEO.test(headers['content-type'] ?? '')) throw new DownloadError('notVideo', { host });
  const range = status === 206 ? readContentRange(headers['content-range']) : undefined;
  const total = status === 206 ? range?.total : lengthOf(headers);
  const identity = { etag: headers.etag, lastModified: headers['last-modified'], total };
  if (status === 206 && isPart) return judgePart(range, identity, progress);
  if (total === 0) throw new DownloadError('empty', { host });
  // A part that nobody asked for will do if it is the first.
  if (status === 206 && range?.from !== 0) throw new DownloadError('wrongRange', { host });
  return { kind: 'anew', identity };
}

/** Did these bytes begin a page or a message? A video's first bytes are a length. */
export function beginsLikeText(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  return /^(\xef\xbb\xbf)?\s*[<{]/.test(head);
}

const HEAD_BYTES = 12;

/** Do these bytes begin an MP4 or a QuickTime movie (ISO 14496-12)? */
export function beginsLikeVideo(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(4, 8)) === 'ftyp';
}

/** Is it a name that only a video has? */
export function isVideoName(target: string): boolean {
  return /\.(mp4|m4v|mov)$/i.test(target);
}

/** The same bytes, the first of them enough to know a file by. */
export async function* withWholeHead(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of body) {
    const next: Uint8Array = head === undefined ? chunk : head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    head = head !== undefined && next.length < HEAD_BYTES ? next : undefined;
    if (head === undefined) yield next;
  }
  if (head !== undefined && head.length > 0) yield head;
}

/** Is it, by all that both say, another file? */
export function isOtherFile(before: FileIdentity | undefined, now: FileIdentity): boolean {
  if (before === undefined) return false;
  return (
    differs(withoutWeakness(before.etag), withoutWeakness(now.etag)) ||
    differs(before.lastModified, now.lastModified) ||
    differs(before.total, now.total)
  );
}

function judgePart(range: ContentRange | undefined, identity: FileIdentity, progress: Progress): Verdict {
  if (isOtherFile(progress.identity, identity)) return { kind: 'restart', because: 'changes' };
  if (range?.from !== progress.received) return { kind: 'restart', because: 'wrongRange' };
  return { kind: 'append' };
}

/** Nothing is left behind where we stand: either that is the end, or the file is another one than was promised. */
function judgeUnsatisfiable(
  headers: Readonly<Record<string, string>>,
  { received, identity }: Progress,
  host: string,
): Verdict {
  const total = readContentRange(headers['content-range'])?.total;
  if (received === identity?.total) return { kind: 'complete' };
  if (total === received) throw new DownloadError('shorter', { host, received, total: identity?.total });
  return { kind: 'restart', because: 'changes' };
}

function refusalOf({ status, headers }: Answer, host: string, now: number): DownloadError {
  if (status === 404 || status === 410) return new DownloadError('gone', { host, status });
  if (status === 401 || status === 403) return new DownloadError('refused', { host, status });
  if (status !== 429 && status < 500) return new DownloadError('status', { host, status });
  const retryAt = retryAtOf(headers, now);
  return new DownloadError('unavailable', { host, status, retryAfter: retryAt && retryAt - now });
}

interface ContentRange {
  readonly from: number | undefined;
  readonly total: number | undefined;
}

/** Where a part begins, and how much there is; undefined for what cannot be read (RFC 9110, 14.4). */
function readContentRange(value: string | undefined): ContentRange | undefined {
  const found = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\s*\/\s*(\d+|\*)\s*$/i.exec(value ?? '');
  if (found === null) return undefined;
  const [, from, to, total] = found;
  if (from !== undefined && Number(to) < Number(from)) return undefined;
  return { from: numberOf(from), total: numberOf(total) };
}

function lengthOf(headers: Readonly<Record<string, string>>): number | undefined {
  return numberOf(headers['content-length']);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function withoutWeakness(etag: string | undefined): string | undefined {
  return etag?.replace(/^W\//, '');
}

function differs<T>(before: T | undefined, now: T | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}
