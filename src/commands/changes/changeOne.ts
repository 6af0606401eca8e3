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

export type Outcome = { readonly stream: Pick<Stream, 'id' | 'name'> } & (
  | { readonly kind: 'done' }
  /** The request failed or got no response, but reading the stream back shows the change. */
  | { readonly kind: 'doneDespite'; readonly error: ApiError }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** May have happened: the response was lost or a server error, and the stream read back doesn't show it. */
  | { readonly kind: 'uncertain'; readonly error: ApiError }
  /** Not begun: canceled, the connection was switched, or an earlier failure would have repeated. */
  | { readonly kind: 'left' }
);

/** The connection at the start of a command. Later responses and further changes must not go to another one. */
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

/** A change, and the connection that was open when its command began. */
export interface PlannedChange {
  readonly connection: OpenConnection;
  readonly change: Change;
}

export interface StreamChange extends PlannedChange {
  readonly stream: Stream;
}

/**
 * Changes one stream and reads it back; its row shows the operation meanwhile. Sends the change once, whatever happens.
 * Doesn't throw ApiError; throws an AbortError if the user cancels the wait.
 */
export async function changeOne(context: NeedsChange, planned: StreamChange): Promise<Outcome> {
  const { store } = context;
  const { connection, change } = planned;
  // A later stream of several may have gone live while earlier ones were changed.
  const stream = store.snapshot.streams.get(planned.stream.id)?.stream ?? planned.stream;
  const obstacle = obstacleTo(change.operation, stream, store.snapshot.operations.has(stream.id));
  if (obstacle !== undefined) return { kind: 'obstacle', stream, obstacle };
  const operation = store.beginOperation(stream.id, change.operation);
  try {
    if (change.operation === 'endingBroadcast') await waitForPause(context, stream);
    if (!connection.isStillOpen()) return { kind: 'left', stream };
    return await send(context, { connection, stream, change });
  } finally {
    operation.dispose();
  }
}

async function send(context: NeedsChange, streamChange: StreamChange): Promise<Outcome> {
  const { connection, stream, change } = streamChange;
  try {
    await sendChange(connection.api, stream.id, change);
    noteEnd(context, streamChange);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.log.warn(`${change.operation} ${stream.id} failed (${error.reason}): ${error.message}`);
    if (mayHaveHappened(error)) noteEnd(context, streamChange);
    return afterFailure(context, streamChange, error);
  }
  await settleDone(context, streamChange);
  return { kind: 'done', stream };
}

function noteEnd({ recentEnds, clock }: NeedsChange, { stream, change }: StreamChange): void {
  if (change.operation === 'endingBroadcast') recentEnds.note(stream.id, clock.now());
}

/** A confirmed change counts as done, even if reading it back fails or a lagging replica responds. */
async function settleDone(context: NeedsChange, streamChange: StreamChange): Promise<void> {
  const { connection, stream, change } = streamChange;
  const { kind } = await readBack(context, streamChange);
  const isDeletion = change.operation === 'deleting';
  if (isDeletion && kind !== 'shown' && connection.isStillOpen()) context.store.gone(stream.id);
}

async function afterFailure(context: NeedsChange, streamChange: StreamChange, error: ApiError): Promise<Outcome> {
  const { connection, stream, change } = streamChange;
  if (error.reason === 'notFound') {
    if (connection.isStillOpen()) context.store.gone(stream.id);
    return { kind: 'gone', stream };
  }
  if (mayHaveHappened(error)) {
    const read = await readBack(context, streamChange);
    if (read.kind === 'shown') return { kind: 'doneDespite', stream, error };
    return read.kind === 'gone' ? { kind: 'gone', stream } : { kind: 'uncertain', stream, error };
  }
  const isRefusedAsLive = error.reason === 'rejected' && error.why === undefined && isRecording(change);
  if (isRefusedAsLive && (await isLiveNow(context, streamChange))) {
    return { kind: 'obstacle', stream, obstacle: 'live' };
  }
  return { kind: 'failed', stream, error };
}

interface ReadBack {
  /**
   * shown: the change is visible (for a deletion: the stream doesn't exist). gone: the stream doesn't exist, though not
   * because of this change.
   */
  readonly kind: 'shown' | 'notShown' | 'gone' | 'unread';
}

async function readBack(context: Pick<NeedsChange, 'loader' | 'log'>, streamChange: StreamChange): Promise<ReadBack> {
  const { change } = streamChange;
  const read = await reread(context, streamChange, (stream) => showsChange(change, stream));
  if (read === undefined) return { kind: 'unread' };
  if (showsChange(change, read.stream)) return { kind: 'shown' };
  return { kind: read.stream === undefined ? 'gone' : 'notShown' };
}

async function isLiveNow(context: Pick<NeedsChange, 'loader' | 'log'>, streamChange: StreamChange): Promise<boolean> {
  const read = await reread(context, streamChange);
  return read?.stream?.isActive === true;
}

/** Returns undefined if the read failed, or if the connection isn't open any more. */
async function reread(
  { loader, log }: Pick<NeedsChange, 'loader' | 'log'>,
  { connection, stream: { id } }: StreamChange,
  shows?: (stream: Stream | undefined) => boolean,
): Promise<{ readonly stream: Stream | undefined } | undefined> {
  if (!connection.isStillOpen()) return undefined;
  try {
    const stream = await loader.reread(id, shows);
    // The loader uses whichever connection is open.
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

/** A broadcast just ended can't be ended again at once (src/api/README.md, Changes). Waits and shows how long. */
async function waitForPause({ ui, clock, recentEnds }: NeedsChange, stream: Stream): Promise<void> {
  const ms = recentEnds.waitFor(stream.id, clock.now());
  if (ms === 0) return;
  const seconds = Math.ceil(ms / 1000);
  const title = t('The broadcast of "{0}" was ended a moment ago. Ending it again in {1} s', nameOf(stream), seconds);
  await ui.progress(title, (_report, signal) => delay(clock, ms, signal));
}
