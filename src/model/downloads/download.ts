import { isApiError } from '../../api/errors.ts';
import type { Clock, DownloadFiles, DownloadNote, Downloads, Log, PartFile } from '../../services.ts';
import { delay } from '../../util/delay.ts';
import {
  beginsLikeText,
  beginsLikeVideo,
  type FileIdentity,
  isOtherFile,
  isVideoName,
  judgeAnswer,
  rangeHeaders,
  type Verdict,
  withWholeHead,
} from './downloadAnswer.ts';
import { DownloadError, type DownloadReason, isDownloadError, onDisk } from './downloadError.ts';
import { type Followed, followDownload } from './followDownload.ts';

export interface DownloadSeams {
  readonly transport: Downloads;
  readonly files: DownloadFiles;
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug'>;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
}

export interface DownloadOrder {
  /** As the service sent it, checked by `checkMediaUrl`. */
  readonly url: string;
  readonly connection: { readonly baseUrl: string };
  /** Stored for clean-up in case this process is killed. */
  readonly of: DownloadNote;
  /** Absolute path. */
  readonly target: string;
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
  /** `received` is the bytes so far, which can decrease; `total` is undefined if not known. */
  readonly onProgress: (received: number, total: number | undefined) => void;
  /** Called when the connection broke and a retry follows. */
  readonly onWait: () => void;
}

interface Work extends DownloadSeams, DownloadOrder {
  readonly part: PartFile;
  received: number;
  identity: FileIdentity | undefined;
  restarts: number;
}

/** Limits of consecutive tries without progress. Once some bytes are there, the network gets longer to recover. */
const MOST_TRIES = { atFirst: 3, later: 6 };
const MOST_RESTARTS = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;

/**
 * Downloads a file completely or not at all: data goes to a .part file next to the target, which is removed on failure
 * or cancellation. Resumes after a broken connection if the file is still the same. Memory doesn't grow with the file.
 * Returns the bytes written. Throws DownloadError, ApiError, or the signal's AbortError.
 */
export async function download(seams: DownloadSeams, order: DownloadOrder): Promise<number> {
  const { files } = seams;
  const { target, mayReplace, signal } = order;
  if (!mayReplace && (await files.exists(target))) throw new DownloadError('exists');
  const part = await onDisk(() => files.startPart(target, order.of));
  try {
    const work = { ...seams, ...order, part, received: 0, identity: undefined, restarts: 0 };
    await fill(work);
    signal.throwIfAborted();
    await onDisk(() => part.finish(mayReplace));
    return work.received;
  } catch (error) {
    await part.discard();
    throw error;
  }
}

async function fill(work: Work): Promise<void> {
  let farthest = 0;
  for (let failures = 0; ; ) {
    const failure = await tryOnce(work);
    if (failure === undefined) return;
    failures = work.received > farthest ? 1 : failures + 1;
    farthest = Math.max(farthest, work.received);
    work.log.debug(`A try of a download ended after ${work.received} bytes: ${failure.message}`);
    if (failures >= (farthest > 0 ? MOST_TRIES.later : MOST_TRIES.atFirst)) throw failure;
    work.onWait();
    await delay(work.clock, waitAfter(failure, failures, work.random), work.signal);
  }
}

/**
 * Returns undefined if the file is complete, or the failure if a retry may help. Throws failures that no retry can fix.
 */
async function tryOnce(work: Work): Promise<Error | undefined> {
  try {
    const headers = rangeHeaders(work);
    const { url, signal, connection, transport } = work;
    const followed = await followDownload(transport, { url, headers, signal }, connection);
    try {
      return await take(work, followed);
    } finally {
      followed.response.dispose();
    }
  } catch (error) {
    if (isPassing(error)) return error;
    throw error;
  }
}

async function take(work: Work, followed: Followed): Promise<Error | undefined> {
  const { response, host } = followed;
  const verdict = judgeAnswer(followed, work, work.clock.now());
  if (verdict.kind === 'complete') return undefined;
  if (verdict.kind !== 'append') await startOver(work, verdict, host);
  if (verdict.kind === 'restart') {
    response.dispose();
    return tryOnce(work);
  }
  await copy(work, response.body, host);
  const { received, identity } = work;
  const total = identity?.total;
  if (received === 0) throw new DownloadError('empty', { host });
  return total === undefined || received === total
    ? undefined
    : new DownloadError('shorter', { host, received, total });
}

async function startOver(work: Work, verdict: Exclude<Verdict, { kind: 'append' | 'complete' }>, host: string) {
  const { received, identity: before } = work;
  const identity = verdict.kind === 'anew' ? verdict.identity : undefined;
  if (received > 0) {
    work.restarts += 1;
    const because = verdict.kind === 'restart' ? verdict.because : reasonToStartOver(before, verdict.identity);
    if (work.restarts > MOST_RESTARTS) throw new DownloadError(because, { host, received, total: before?.total });
    await onDisk(() => work.part.clear());
  }
  work.received = 0;
  work.identity = identity;
  work.onProgress(0, identity?.total);
  const free = identity?.total === undefined ? undefined : await work.files.freeBytes(work.target);
  if (free !== undefined && identity?.total !== undefined && free < identity.total) throw new DownloadError('diskFull');
}

/** The server sent the whole file although the rest was requested: the file changed, or the server can't resume. */
function reasonToStartOver(before: FileIdentity | undefined, now: FileIdentity): DownloadReason {
  return isOtherFile(before, now) ? 'changes' : 'shorter';
}

async function copy(work: Work, body: AsyncIterable<Uint8Array>, host: string): Promise<void> {
  const total = work.identity?.total;
  for await (const chunk of withWholeHead(body)) {
    if (work.received === 0 && !mayBeVideo(work.target, chunk)) throw new DownloadError('notVideo', { host });
    if (total !== undefined && work.received + chunk.byteLength > total)
      throw new DownloadError('wrongRange', { host });
    await onDisk(() => work.part.append(chunk));
    work.received += chunk.byteLength;
    work.onProgress(work.received, total);
    if (work.received === total) return;
  }
}

/**
 * A file name that isn't a video's takes only bytes that begin like a video, so that a service can't replace a .bashrc.
 */
function mayBeVideo(target: string, head: Uint8Array): boolean {
  return !beginsLikeText(head) && (isVideoName(target) || beginsLikeVideo(head));
}

function isPassing(error: unknown): error is Error {
  if (isDownloadError(error)) return error.reason === 'unavailable';
  return isApiError(error) && (error.reason === 'timeout' || error.isConnectionLoss);
}

function waitAfter(failure: Error, failures: number, random: () => number): number {
  const backoff = FIRST_WAIT * 2 ** (failures - 1) * (0.5 + random());
  const wish = isDownloadError(failure) ? (failure.retryAfter ?? 0) : 0;
  return Math.min(Math.max(backoff, wish), LONGEST_WAIT);
}
