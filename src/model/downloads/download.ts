import { resolve } from 'node:path';
import { isApiError } from '../../api/errors.ts';
import { retryAtOf } from '../../api/retryAfter.ts';
import { beginsLikeMp4 } from '../../broadcast/mp4Head.ts';
import type {
  Clock,
  DownloadFiles,
  DownloadNote,
  DownloadRequest,
  DownloadResponse,
  Downloads,
  FileIdentity,
  Log,
  PartFile,
} from '../../services.ts';
import { delay } from '../../util/clock.ts';
import type { Disposable } from '../../util/disposable.ts';
import { checkMediaUrl } from '../addresses.ts';
import { followRedirects } from '../redirects.ts';
import { DownloadError, type DownloadReason, isDownloadError, onDisk } from './downloadError.ts';

interface DownloadDependencies {
  readonly transport: Downloads;
  readonly files: DownloadFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a number from 0 to below 1, for jitter. */
  readonly random: () => number;
}

export interface DownloadOrder {
  /** As the service sent it, checked by `checkMediaUrl`. */
  readonly url: string;
  readonly connection: { readonly baseUrl: string };
  /** Stored in case this process ends before the download does. */
  readonly of: DownloadNote;
  readonly target: string;
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
  /** `received` is the bytes so far, which can decrease; `total` is undefined if unknown. */
  readonly onProgress: (received: number, total: number | undefined) => void;
  readonly onWait: () => void;
}

interface Progress {
  readonly received: number;
  readonly identity: FileIdentity | undefined;
}

type ResponseClass =
  | { readonly kind: 'whole'; readonly identity: FileIdentity }
  | { readonly kind: 'append' }
  | { readonly kind: 'complete' }
  | { readonly kind: 'restart'; readonly because: 'changes' | 'wrongRange' };

interface Opened {
  readonly response: DownloadResponse;
  readonly host: string;
}

interface Transfer extends DownloadDependencies, DownloadOrder {
  readonly part: PartFile;
  received: number;
  identity: FileIdentity | undefined;
  restarts: number;
}

// Limits for consecutive attempts without progress. Once there are some bytes, the network gets more time to recover.
const MAX_TRIES = { atFirst: 3, later: 6 };
const MAX_RESTARTS = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const HEAD_BYTES = 12;
const NO_VIDEO = /^(text\/|image\/|application\/(json|xml|xhtml\+xml|javascript|pdf|(vnd\.apple\.|x-)mpegurl))/i;

/**
 * Downloads a file completely or not at all. Data goes to a .part file next to the target, which is removed on
 * cancellation and kept for another attempt if that can resume it. Resumes after a broken connection, or from the .part
 * file of another attempt or window, if the file is still the same. Memory doesn't grow with the file. Returns the
 * file's size in bytes. Throws DownloadError, ApiError, or the signal's AbortError.
 */
export async function download(dependencies: DownloadDependencies, order: DownloadOrder): Promise<number> {
  const { files } = dependencies;
  const { target, mayReplace, signal } = order;
  if (!mayReplace && (await files.exists(target))) throw new DownloadError('exists');
  const part = await onDisk(() => files.startPart(target, order.of));
  try {
    const { received = 0, identity } = part.kept ?? {};
    const transfer: Transfer = { ...dependencies, ...order, part, received, identity, restarts: 0 };
    await transferWithRetries(transfer);
    signal.throwIfAborted();
    await onDisk(() => part.finish(mayReplace));
    return transfer.received;
  } catch (error) {
    await (canGoOnLater(error) ? part.leave() : part.discard());
    throw error;
  }
}

const MENDED_LATER: ReadonlySet<DownloadReason> = new Set(['diskFull', 'refused', 'gone', 'shorter']);

/** Whether another attempt can resume. Also true if the URL has expired, because a new one leads to the same file. */
function canGoOnLater(error: unknown): boolean {
  return isTransient(error) || (isDownloadError(error) && MENDED_LATER.has(error.reason));
}

async function transferWithRetries(transfer: Transfer): Promise<void> {
  let farthest = 0;
  for (let failures = 0; ; ) {
    const failure = await tryOnce(transfer);
    if (failure === undefined) return;
    failures = transfer.received > farthest ? 1 : failures + 1;
    farthest = Math.max(farthest, transfer.received);
    transfer.log.debug(`A download attempt ended after ${transfer.received} bytes: ${failure.message}`);
    if (failures >= (farthest > 0 ? MAX_TRIES.later : MAX_TRIES.atFirst)) throw failure;
    transfer.onWait();
    await delay(transfer.clock, retryDelay(failure, failures, transfer.random), transfer.signal);
  }
}

// Returns undefined if the file is complete, or a failure that a retry may fix. Throws other failures.
async function tryOnce(transfer: Transfer): Promise<Error | undefined> {
  try {
    const headers = rangeHeaders(transfer);
    const { url, signal, connection, transport } = transfer;
    const opened = await openFollowing(transport, { url, headers, signal }, connection);
    try {
      return await receive(transfer, opened);
    } finally {
      opened.response.dispose();
    }
  } catch (error) {
    if (isTransient(error)) return error;
    throw error;
  }
}

async function receive(transfer: Transfer, opened: Opened): Promise<Error | undefined> {
  const { response, host } = opened;
  const found = classifyResponse(opened, transfer, transfer.clock.now());
  if (found.kind === 'complete') return undefined;
  if (found.kind !== 'append') await startOver(transfer, found, host);
  if (found.kind === 'restart') {
    response.dispose();
    return tryOnce(transfer);
  }
  await appendBody(transfer, response.body, host);
  const { received, identity } = transfer;
  const total = identity?.total;
  if (received === 0) throw new DownloadError('empty', { host });
  return total === undefined || received === total
    ? undefined
    : new DownloadError('shorter', { host, received, total });
}

async function startOver(
  transfer: Transfer,
  found: Exclude<ResponseClass, { kind: 'append' | 'complete' }>,
  host: string,
) {
  const { received, identity: before } = transfer;
  const identity = found.kind === 'whole' ? found.identity : undefined;
  if (received > 0) {
    transfer.restarts += 1;
    const because = found.kind === 'restart' ? found.because : reasonToStartOver(before, found.identity);
    if (transfer.restarts > MAX_RESTARTS) throw new DownloadError(because, { host, received, total: before?.total });
    await onDisk(() => transfer.part.clear());
  }
  transfer.received = 0;
  transfer.identity = identity;
  if (identity !== undefined) await transfer.part.identify(identity);
  transfer.onProgress(0, identity?.total);
  const free = identity?.total === undefined ? undefined : await transfer.files.freeBytes(transfer.target);
  if (free !== undefined && identity?.total !== undefined && free < identity.total) throw new DownloadError('diskFull');
}

// The server sent the whole file although the rest was requested: the file changed, or the server can't resume.
function reasonToStartOver(before: FileIdentity | undefined, now: FileIdentity): DownloadReason {
  return isOtherFile(before, now) ? 'changes' : 'shorter';
}

async function appendBody(transfer: Transfer, body: AsyncIterable<Uint8Array>, host: string): Promise<void> {
  const total = transfer.identity?.total;
  for await (const chunk of withWholeHead(body)) {
    if (transfer.received === 0 && !mayBeVideo(transfer.target, chunk)) throw new DownloadError('notVideo', { host });
    if (total !== undefined && transfer.received + chunk.byteLength > total)
      throw new DownloadError('wrongRange', { host });
    await onDisk(() => transfer.part.append(chunk));
    transfer.received += chunk.byteLength;
    transfer.onProgress(transfer.received, total);
    if (transfer.received === total) return;
  }
}

// For other names, the content must identify itself as a video, so that a service can't replace a .bashrc.
function mayBeVideo(target: string, head: Uint8Array): boolean {
  return /\.(mp4|m4v|mov)$/i.test(target) ? beginsLikeMp4(head) : beginsWithFileType(head);
}

function isTransient(error: unknown): error is Error {
  if (isDownloadError(error)) return error.reason === 'unavailable';
  return isApiError(error) && (error.reason === 'timeout' || error.isConnectionLoss);
}

function retryDelay(failure: Error, failures: number, random: () => number): number {
  const backoff = FIRST_WAIT * 2 ** (failures - 1) * (0.5 + random());
  const requested = isDownloadError(failure) ? (failure.retryAfter ?? 0) : 0;
  return Math.min(Math.max(backoff, requested), LONGEST_WAIT);
}

// No request contains a key, for any host. Throws DownloadError, ApiError, or an AbortError.
async function openFollowing(
  transport: Downloads,
  request: DownloadRequest,
  connection: { readonly baseUrl: string },
): Promise<Opened> {
  const followed = await followRedirects(request.url, {
    open: (url) => openDownload(transport, { ...request, url }),
    check: (url) => checkMediaUrl(url, connection),
    discard: (response) => response.dispose(),
    connection,
  });
  switch (followed.kind) {
    case 'response':
      return { response: followed.response, host: new URL(followed.url).host };
    case 'refused':
      throw new DownloadError('redirect', { host: new URL(followed.from).host });
    case 'tooMany':
      throw new DownloadError('tooManyRedirects', { host: new URL(request.url).host });
  }
}

async function openDownload(transport: Downloads, request: DownloadRequest): Promise<DownloadResponse> {
  try {
    return await transport.download(request);
  } catch (error) {
    if (isApiError(error) && error.why === 'redirect')
      throw new DownloadError('redirect', { host: new URL(request.url).host });
    throw error;
  }
}

function rangeHeaders({ received, identity }: Progress): Readonly<Record<string, string>> {
  if (received === 0 || identity?.total === undefined) return {};
  // A weak ETag doesn't guarantee identical bytes (RFC 9110, 13.1.5).
  const { etag = '', lastModified } = identity;
  const condition = etag.startsWith('"') ? etag : lastModified;
  return { range: `bytes=${received}-`, ...(condition !== undefined && { 'if-range': condition }) };
}

// Classifies a response to the headers of `rangeHeaders`. Throws DownloadError if it isn't part of a video.
function classifyResponse(opened: Opened, progress: Progress, now: number): ResponseClass {
  const { response, host } = opened;
  const { status, headers } = response;
  const isPart = 'range' in rangeHeaders(progress);
  if (status === 416 && isPart) return classifyUnsatisfiable(headers, progress, host);
  if (status !== 200 && status !== 206) throw statusError(opened, now);
  if (NO_VIDEO.test(headers['content-type'] ?? '')) throw new DownloadError('notVideo', { host });
  const range = status === 206 ? readContentRange(headers['content-range']) : undefined;
  const total = status === 206 ? range?.total : numberOf(headers['content-length']);
  const identity = { etag: headers.etag, lastModified: headers['last-modified'], total };
  if (status === 206 && isPart) return classifyPart(range, identity, progress);
  if (total === 0) throw new DownloadError('empty', { host });
  // A part that wasn't requested is acceptable if it's the first.
  if (status === 206 && range?.from !== 0) throw new DownloadError('wrongRange', { host });
  return { kind: 'whole', identity };
}

const LONGEST_FILE_TYPE = 1024;

// Whether these bytes begin with the file type box: its length, "ftyp", and a brand.
function beginsWithFileType(bytes: Uint8Array): boolean {
  if (bytes.byteLength < HEAD_BYTES) return false;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const isPossible = length >= 16 && length <= LONGEST_FILE_TYPE && length % 4 === 0;
  return isPossible && /^ftyp[A-Za-z0-9 _.-]{4}$/.test(new TextDecoder('latin1').decode(bytes.subarray(4, 12)));
}

async function* withWholeHead(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of body) {
    const next: Uint8Array = head === undefined ? chunk : head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    head = head !== undefined && next.length < HEAD_BYTES ? next : undefined;
    if (head === undefined) yield next;
  }
  if (head !== undefined && head.length > 0) yield head;
}

function isOtherFile(before: FileIdentity | undefined, now: FileIdentity): boolean {
  if (before === undefined) return false;
  return (
    isKnownToDiffer(withoutWeakness(before.etag), withoutWeakness(now.etag)) ||
    isKnownToDiffer(before.lastModified, now.lastModified) ||
    isKnownToDiffer(before.total, now.total)
  );
}

function classifyPart(range: ContentRange | undefined, identity: FileIdentity, progress: Progress): ResponseClass {
  if (isOtherFile(progress.identity, identity)) return { kind: 'restart', because: 'changes' };
  if (range?.from !== progress.received) return { kind: 'restart', because: 'wrongRange' };
  return { kind: 'append' };
}

// The server has no bytes past `received`: that is the end, or the file isn't the expected one.
function classifyUnsatisfiable(
  headers: Readonly<Record<string, string>>,
  { received, identity }: Progress,
  host: string,
): ResponseClass {
  const total = readContentRange(headers['content-range'])?.total;
  if (received === identity?.total) return { kind: 'complete' };
  if (total === received) throw new DownloadError('shorter', { host, received, total: identity?.total });
  return { kind: 'restart', because: 'changes' };
}

function statusError({ response, host }: Opened, now: number): DownloadError {
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

// Returns where a part begins and the total; undefined if the header is malformed (RFC 9110, 14.4).
function readContentRange(value: string | undefined): ContentRange | undefined {
  const found = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\s*\/\s*(\d+|\*)\s*$/i.exec(value ?? '');
  if (found === null) return undefined;
  const [, from, to, total] = found;
  if (from !== undefined && Number(to) < Number(from)) return undefined;
  return { from: numberOf(from), total: numberOf(total) };
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function withoutWeakness(etag: string | undefined): string | undefined {
  return etag?.replace(/^W\//, '');
}

function isKnownToDiffer<T>(before: T | undefined, now: T | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

/** Owns the running downloads: any number at a time, but only one per target. Aborts them when disposed. */
export class Downloader implements Disposable {
  readonly #dependencies: DownloadDependencies;
  readonly #running = new Map<string, AbortController>();
  #isDisposed = false;

  constructor(dependencies: DownloadDependencies) {
    this.#dependencies = dependencies;
  }

  /** See `download`. Throws DownloadError `underWay` if the target is already being downloaded. */
  async download(order: DownloadOrder): Promise<number> {
    const target = resolve(order.target);
    if (this.#running.has(target)) throw new DownloadError('underWay');
    const controller = new AbortController();
    if (this.#isDisposed) controller.abort();
    this.#running.set(target, controller);
    try {
      const signal = AbortSignal.any([order.signal, controller.signal]);
      signal.throwIfAborted();
      return await download(this.#dependencies, { ...order, target, signal });
    } finally {
      this.#running.delete(target);
    }
  }

  isTaken(target: string): Promise<boolean> {
    return this.#dependencies.files.exists(resolve(target));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const controller of this.#running.values()) controller.abort();
  }
}
