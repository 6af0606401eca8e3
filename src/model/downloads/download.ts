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
  /** 0 to below 1, for the jitter of waits. */
  readonly random: () => number;
}

export interface DownloadOrder {
  /** As the service sent it, checked by `checkMediaUrl`. */
  readonly url: string;
  readonly connection: { readonly baseUrl: string };
  /** What it is of, for when this process is killed. */
  readonly of: DownloadNote;
  /** An absolute path. */
  readonly target: string;
  /** Whether a file that is there may be replaced. */
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
  /** Bytes so far, which can become fewer, and all there are where that is known. */
  readonly onProgress: (received: number, total: number | undefined) => void;
  /** The connection broke off; another try follows. */
  readonly onWait: () => void;
}

/** One download under way. */
interface Work extends DownloadSeams, DownloadOrder {
  readonly part: PartFile;
  received: number;
  identity: FileIdentity | undefined;
  restarts: number;
}

/** Tries in a row that bring nothing new: where something is there already, a network gets longer to come back. */
const MOST_TRIES = { atFirst: 3, later: 6 };
/** Times that a file is begun again. */
const MOST_RESTARTS = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;

/**
 * Downloads a file to its target, which has it whole or not at all: what is under way grows in a .part file of its own beside it, which is
 * removed when that fails or is cancelled. A cut is taken up where it broke off, if the file is still the same. Memory does
 * not grow with the file. Resolves with the bytes written; throws DownloadError, ApiError, or an AbortError of the signal.
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

/** Tries until all is there, or it is no use. */
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

/** Undefined when all is there; what ended it when another try may help. Throws what no try mends. */
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

async function take(work: Work, { response, host }: Followed): Promise<Error | undefined> {
  const verdict = judgeAnswer(response, work, host, work.clock.now());
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

/** Back to the first byte; too often is a failure. Where the file is large, asks first whether it fits. */
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

/** A server that sends the whole file though its rest was asked for: is it another file now, or can it do no better? */
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

/** Under a name that is no video's only what begins as one is written: a .bashrc is not to be replaced with what a service sends. */
function mayBeVideo(target: string, head: Uint8Array): boolean {
  return !beginsLikeText(head) && (isVideoName(target) || beginsLikeVideo(head));
}

function isPassing(error: unknown): error is Error {
  if (isDownloadError(error)) return error.reason === 'unavailable';
  return isApiError(error) && (error.reason === 'timeout' || error.isConnectionLoss);
}

/** Milliseconds: twice as long each time, and as the service wishes. */
function waitAfter(failure: Error, failures: number, random: () => number): number {
  const backoff = FIRST_WAIT * 2 ** (failures - 1) * (0.5 + random());
  const wish = isDownloadError(failure) ? (failure.retryAfter ?? 0) : 0;
  return Math.min(Math.max(backoff, wish), LONGEST_WAIT);
}
