import { t } from '@vscode/l10n';
import { mayHaveHappened } from '../../api/changes.ts';
import { type ApiError, isAbortError, isApiError } from '../../api/errors.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Stream } from '../../api/types.ts';
import { type Change, type Obstacle, obstacleTo, sendChange, showsChange } from '../../model/changes.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { delay } from '../../util/delay.ts';
import type { CommandContext } from '../context.ts';
import { nameOf } from '../messages.ts';

export type NeedsChange = Pick<CommandContext, 'ui' | 'store' | 'loader' | 'clock' | 'log' | 'recentEnds'>;

/** How the change of one stream ended. */
export type Outcome = { readonly stream: Pick<Stream, 'id' | 'name'> } & (
  | { readonly kind: 'done' }
  /** The service answered with an error, or not at all; the change is in what was read back. */
  | { readonly kind: 'doneDespite'; readonly error: ApiError }
  /** Nothing was asked. */
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  /** The service does not have the stream any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** It may have happened: the answer was lost, or was an error of the service's own; what was read back does not show it. */
  | { readonly kind: 'uncertain'; readonly error: ApiError }
  /** Not begun: cancelled, or the connection was switched, or what ended one before it would have ended this as well. */
  | { readonly kind: 'left' }
);

/** One connection, as it was when the command began: later answers and further changes are not for another. */
export interface OpenConnection {
  readonly api: StreamApi;
  readonly info: ConnectionInfo | undefined;
  isStillOpen(): boolean;
}

export function holdConnection({ current, store }: Pick<CommandContext, 'current' | 'store'>): OpenConnection {
  const { api, info } = current;
  const { generation } = store.snapshot;
  return { api, info, isStillOpen: () => store.snapshot.generation === generation };
}

/**
 * Changes one stream and reads it back; its row says so meanwhile. The service is asked for the change once, whatever
 * happens. Throws nothing of the service's, and an AbortError where the person would not wait.
 */
export async function changeOne(
  context: NeedsChange,
  connection: OpenConnection,
  asked: Stream,
  change: Change,
): Promise<Outcome> {
  const { store } = context;
  // Of several, the last may have gone live while the first were changed.
  const stream = store.snapshot.streams.get(asked.id)?.stream ?? asked;
  const obstacle = obstacleTo(change.operation, stream, store.snapshot.operations.has(stream.id));
  if (obstacle !== undefined) return { kind: 'obstacle', stream, obstacle };
  const operation = store.beginOperation(stream.id, change.operation);
  try {
    if (change.operation === 'endingBroadcast') await waitForPause(context, stream);
    if (!connection.isStillOpen()) return { kind: 'left', stream };
    return await send(context, connection, stream, change);
  } finally {
    operation.dispose();
  }
}

async function send(
  context: NeedsChange,
  connection: OpenConnection,
  stream: Stream,
  change: Change,
): Promise<Outcome> {
  try {
    await sendChange(connection.api, stream.id, change);
    noteEnd(context, stream, change);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.log.warn(`${change.operation} ${stream.id} failed (${error.reason}): ${error.message}`);
    if (mayHaveHappened(error)) noteEnd(context, stream, change);
    return afterFailure(context, connection, stream, change, error);
  }
  await settleDone(context, connection, stream, change);
  return { kind: 'done', stream };
}

function noteEnd({ recentEnds, clock }: NeedsChange, { id }: Stream, { operation }: Change): void {
  if (operation === 'endingBroadcast') recentEnds.note(id, clock.now());
}

/** What was said to be done is done, though reading it back should fail, or be answered by a replica that lags behind. */
async function settleDone(
  context: NeedsChange,
  connection: OpenConnection,
  stream: Stream,
  change: Change,
): Promise<void> {
  const { kind } = await readBack(context, connection, stream, change);
  const isDeletion = change.operation === 'deleting';
  if (isDeletion && kind !== 'shown' && connection.isStillOpen()) context.store.gone(stream.id);
}

async function afterFailure(
  context: NeedsChange,
  connection: OpenConnection,
  stream: Stream,
  change: Change,
  error: ApiError,
): Promise<Outcome> {
  if (error.reason === 'notFound') {
    if (connection.isStillOpen()) context.store.gone(stream.id);
    return { kind: 'gone', stream };
  }
  if (mayHaveHappened(error)) {
    const read = await readBack(context, connection, stream, change);
    if (read.kind === 'shown') return { kind: 'doneDespite', stream, error };
    return read.kind === 'gone' ? { kind: 'gone', stream } : { kind: 'uncertain', stream, error };
  }
  const isRefusedAsLive = error.reason === 'rejected' && error.why === undefined && isRecording(change);
  if (isRefusedAsLive && (await isLiveNow(context, connection, stream.id))) {
    return { kind: 'obstacle', stream, obstacle: 'live' };
  }
  return { kind: 'failed', stream, error };
}

interface ReadBack {
  /** shown: the change is in it (of a deletion: the stream is not there any more). gone: not there, though not by this change. */
  readonly kind: 'shown' | 'notShown' | 'gone' | 'unread';
}

async function readBack(
  context: Pick<NeedsChange, 'loader' | 'log'>,
  connection: OpenConnection,
  { id }: Stream,
  change: Change,
): Promise<ReadBack> {
  const read = await reread(context, connection, id, (stream) => showsChange(change, stream));
  if (read === undefined) return { kind: 'unread' };
  if (showsChange(change, read.stream)) return { kind: 'shown' };
  return { kind: read.stream === undefined ? 'gone' : 'notShown' };
}

async function isLiveNow(
  context: Pick<NeedsChange, 'loader' | 'log'>,
  connection: OpenConnection,
  id: string,
): Promise<boolean> {
  const read = await reread(context, connection, id);
  return read?.stream?.isActive === true;
}

/** Undefined when it could not be read, or is of a connection that is not open any more. */
async function reread(
  { loader, log }: Pick<NeedsChange, 'loader' | 'log'>,
  connection: OpenConnection,
  id: string,
  shows?: (stream: Stream | undefined) => boolean,
): Promise<{ readonly stream: Stream | undefined } | undefined> {
  if (!connection.isStillOpen()) return undefined;
  try {
    const stream = await loader.reread(id, shows);
    // The loader asks whatever is open.
    return connection.isStillOpen() ? { stream } : undefined;
  } catch (error) {
    if (!isApiError(error) && !isAbortError(error)) throw error;
    log.warn(`Reading ${id} back failed: ${error.message}`);
    return undefined;
  }
}

function isRecording({ operation }: Change): boolean {
  return operation === 'turningRecordingOn' || operation === 'turningRecordingOff';
}

/** A broadcast that was ended a moment ago cannot be ended again at once (src/api/README.md, Changes): waits, and says how long. */
async function waitForPause({ ui, clock, recentEnds }: NeedsChange, stream: Stream): Promise<void> {
  const ms = recentEnds.waitFor(stream.id, clock.now());
  if (ms === 0) return;
  const seconds = Math.ceil(ms / 1000);
  const title = t('The broadcast of "{0}" was ended a moment ago. Ending it again in {1} s', nameOf(stream), seconds);
  await ui.progress(title, (_report, signal) => delay(clock, ms, signal));
}
