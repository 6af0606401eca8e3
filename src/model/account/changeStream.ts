import { type ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import { mayHaveHappened } from '../../api/reads.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Stream } from '../../api/types.ts';
import { type Change, showsChange } from '../changes.ts';
import type { AccountParts } from './accountParts.ts';
import { confirmChange, readStream } from './streamReads.ts';

export type ChangeOutcome =
  | { readonly kind: 'done' }
  /** The request failed or got no response, but reading the stream back shows the change. */
  | { readonly kind: 'doneDespite'; readonly error: ApiError }
  | { readonly kind: 'refusedAsLive' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** May have happened: the response was lost or a server error, and the stream read back doesn't show it. */
  | { readonly kind: 'uncertain'; readonly error: ApiError };

/** Sends a change, without retries and even if the connection closes meanwhile, and reads the stream back. */
export async function changeStream(parts: AccountParts, id: string, change: Change): Promise<ChangeOutcome> {
  try {
    await send(parts.api, id, change);
    noteEnd(parts, id, change);
  } catch (error) {
    if (!isApiError(error)) throw error;
    parts.log.warn(`${change.operation} ${id} failed (${error.reason}): ${error.message}`);
    if (mayHaveHappened(error)) noteEnd(parts, id, change);
    return afterFailure(parts, { id, change, error });
  }
  // A confirmed change counts as done, even if reading it back fails or a lagging replica responds.
  const { kind } = await readBack(parts, id, change);
  if (change.operation === 'deleting' && kind !== 'shown' && !parts.signal.aborted) parts.store.gone(id);
  return { kind: 'done' };
}

function send(api: StreamApi, id: string, change: Change): Promise<void> {
  switch (change.operation) {
    case 'renaming':
      return api.patchStream(id, { name: change.name });
    case 'turningRecordingOn':
      return api.patchStream(id, { record: true });
    case 'turningRecordingOff':
      return api.patchStream(id, { record: false });
    case 'suspending':
      return api.patchStream(id, { suspended: true });
    case 'resuming':
      return api.patchStream(id, { suspended: false });
    case 'endingBroadcast':
      return api.endBroadcast(id);
    case 'deleting':
      return api.deleteStream(id);
  }
}

function noteEnd({ recentEnds, clock }: AccountParts, id: string, { operation }: Change): void {
  if (operation === 'endingBroadcast') recentEnds.note(id, clock.now());
}

async function afterFailure(
  parts: AccountParts,
  { id, change, error }: { readonly id: string; readonly change: Change; readonly error: ApiError },
): Promise<ChangeOutcome> {
  if (error.reason === 'notFound') {
    if (!parts.signal.aborted) parts.store.gone(id);
    return { kind: 'gone' };
  }
  if (mayHaveHappened(error)) {
    const { kind } = await readBack(parts, id, change);
    if (kind === 'shown') return { kind: 'doneDespite', error };
    return kind === 'gone' ? { kind: 'gone' } : { kind: 'uncertain', error };
  }
  const isRefused = error.reason === 'rejected' && error.why === undefined;
  const isRecording = change.operation === 'turningRecordingOn' || change.operation === 'turningRecordingOff';
  if (isRefused && isRecording && (await isLiveNow(parts, id))) return { kind: 'refusedAsLive' };
  return { kind: 'failed', error };
}

/**
 * shown: the change is visible (for a deletion: the stream doesn't exist). gone: the stream doesn't exist, though not
 * because of this change. unread: it couldn't be read, or the connection has closed.
 */
type ReadBack = { readonly kind: 'shown' | 'notShown' | 'gone' | 'unread' };

async function readBack(parts: AccountParts, id: string, change: Change): Promise<ReadBack> {
  const read = await orUnread(parts, id, () => confirmChange(parts, id, (stream) => showsChange(change, stream)));
  if (read === undefined) return { kind: 'unread' };
  if (showsChange(change, read.stream)) return { kind: 'shown' };
  return { kind: read.stream === undefined ? 'gone' : 'notShown' };
}

async function isLiveNow(parts: AccountParts, id: string): Promise<boolean> {
  const read = await orUnread(parts, id, () => readStream(parts, id, { settle: true }));
  return read?.stream?.isActive === true;
}

async function orUnread(
  { log, signal }: AccountParts,
  id: string,
  read: () => Promise<Stream | undefined>,
): Promise<{ readonly stream: Stream | undefined } | undefined> {
  try {
    const stream = await read();
    return signal.aborted ? undefined : { stream };
  } catch (error) {
    if (!isApiError(error) && !isAbortError(error)) throw error;
    log.warn(`Reading ${id} back failed: ${error.message}`);
    return undefined;
  }
}
