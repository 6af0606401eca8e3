import { retryAtOf } from '../../api/retryAfter.ts';
import { DownloadError } from './downloadError.ts';
import type { Followed } from './followDownload.ts';

export interface FileIdentity {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Bytes; undefined if not known before the end. */
  readonly total: number | undefined;
}

export interface Progress {
  readonly received: number;
  readonly identity: FileIdentity | undefined;
}

export type Verdict =
  | { readonly kind: 'anew'; readonly identity: FileIdentity }
  | { readonly kind: 'append' }
  | { readonly kind: 'complete' }
  | { readonly kind: 'restart'; readonly because: 'changes' | 'wrongRange' };

const NO_VIDEO = /^(text\/|image\/|application\/(json|xml|xhtml\+xml|javascript|pdf|(vnd\.apple\.|x-)mpegurl))/i;

/** Returns the headers that request the rest of a file: none if nothing is there yet, or its length isn't known. */
export function rangeHeaders({ received, identity }: Progress): Readonly<Record<string, string>> {
  if (received === 0 || identity?.total === undefined) return {};
  // A weak ETag doesn't guarantee identical bytes (RFC 9110, 13.1.5).
  const { etag = '', lastModified } = identity;
  const condition = etag.startsWith('"') ? etag : lastModified;
  return { range: `bytes=${received}-`, ...(condition !== undefined && { 'if-range': condition }) };
}

/** Judges a response to the headers of `rangeHeaders`. Throws DownloadError if it isn't part of a video. */
export function judgeAnswer(followed: Followed, progress: Progress, now: number): Verdict {
  const { response, host } = followed;
  const { status, headers } = response;
  const isPart = 'range' in rangeHeaders(progress);
  if (status === 416 && isPart) return judgeUnsatisfiable(headers, progress, host);
  if (status !== 200 && status !== 206) throw refusalOf(followed, now);
  if (NO_VIDEO.test(headers['content-type'] ?? '')) throw new DownloadError('notVideo', { host });
  const range = status === 206 ? readContentRange(headers['content-range']) : undefined;
  const total = status === 206 ? range?.total : lengthOf(headers);
  const identity = { etag: headers.etag, lastModified: headers['last-modified'], total };
  if (status === 206 && isPart) return judgePart(range, identity, progress);
  if (total === 0) throw new DownloadError('empty', { host });
  // An unrequested part is fine if it is the first.
  if (status === 206 && range?.from !== 0) throw new DownloadError('wrongRange', { host });
  return { kind: 'anew', identity };
}

/** Whether these bytes begin an HTML page or a text message. A video begins with a length. */
export function beginsLikeText(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  return /^(\xef\xbb\xbf)?\s*[<{]/.test(head);
}

const HEAD_BYTES = 12;

/** Whether these bytes begin an MP4 or a QuickTime movie (ISO 14496-12). */
export function beginsLikeVideo(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(4, 8)) === 'ftyp';
}

export function isVideoName(target: string): boolean {
  return /\.(mp4|m4v|mov)$/i.test(target);
}

/** Passes the bytes on; the first chunk is long enough to identify a file type. */
export async function* withWholeHead(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of body) {
    const next: Uint8Array = head === undefined ? chunk : head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    head = head !== undefined && next.length < HEAD_BYTES ? next : undefined;
    if (head === undefined) yield next;
  }
  if (head !== undefined && head.length > 0) yield head;
}

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

/** The server has no bytes past `received`: that is the end, or the file isn't the one that was promised. */
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

function refusalOf({ response, host }: Followed, now: number): DownloadError {
  const { status, headers } = response;
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

/** Returns where a part begins and the total; undefined if the header is malformed (RFC 9110, 14.4). */
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
