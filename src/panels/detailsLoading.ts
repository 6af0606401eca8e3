import type { Session } from '../api/types.ts';
import type { CommandContext } from '../commands/context.ts';
import { hlsAddressOf } from '../commands/playbackAddress.ts';
import { withAddress } from '../commands/recordings/recordings.ts';
import { readStream, streamIsGone } from '../commands/targets/reading.ts';
import { knownStream } from '../commands/targets/streamTargets.ts';
import type { KeptSubject } from '../model/pages/panelSubject.ts';
import type { SnapshotChange } from '../model/store/heldSnapshot.ts';
import { findRecording, findSession, isRunningIn, isUnsettled } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { isLive } from '../model/store/streams.ts';
import { timeSince } from '../util/age.ts';
import { findAnySession, type SubjectContext } from './playerSubject.ts';

export interface SubjectParts {
  readonly target: KeptSubject;
  /** Of a session's page: as it was read or given last. */
  readonly session: Session | undefined;
  /** The stream of a session that is not known yet, where that much is known. */
  readonly parentId?: string | undefined;
  /** The stream's as far as is known, or ''. */
  readonly name: string;
  /** Where the stream of a stream's page plays, where only the service says so. */
  readonly hlsUrl?: string | undefined;
}

type LoadingContext = SubjectContext & Pick<CommandContext, 'loader'>;

/**
 * Has loaded what the page shows and the store does not know yet. Resolves with the session of a session's page. Throws
 * ApiError, or a Refusal where the thing is gone.
 */
export async function loadSubject(
  context: LoadingContext,
  { target, session, parentId: likely, name }: SubjectParts,
): Promise<Session | undefined> {
  const { id, kind } = target;
  if (kind === 'stream') {
    const known = knownStream(context, id) ?? (await readStream(context, id));
    if (known === undefined) throw streamIsGone({ id, name });
    await context.loader.ensureSessions(id);
    return undefined;
  }
  const found = session ?? (await findAnySession(context, id, likely));
  const { parentId } = found;
  // Its stream's name and state: nice to have, and not there any more where the stream was deleted.
  if (parentId !== undefined && knownStream(context, parentId) === undefined) await readQuietly(context, parentId);
  return isUnsettled(found) ? found : withAddress(context, found, 'mp4Url');
}

/** Where the stream of a page plays; undefined where that is not known, or could not be asked for. */
export async function findHlsUrl(context: LoadingContext, { target }: SubjectParts): Promise<string | undefined> {
  const stream = target.kind === 'stream' ? knownStream(context, target.id) : undefined;
  try {
    return stream && (await hlsAddressOf(context, stream));
  } catch (error) {
    context.log.debug(`Where a stream plays was not told: ${String(error)}`);
    return undefined;
  }
}

/**
 * Looks again at what is shown, where the tree's own looks did not just do so. A stream is read by its id; its sessions are
 * listed while it is live or a recording of it is being made. Throws ApiError.
 */
export async function lookAtSubject(
  context: LoadingContext,
  { target, session }: SubjectParts,
  intervalMs: number,
): Promise<Session | undefined> {
  const { store, loader, clock } = context;
  if (target.kind === 'session') {
    const known = session && knownSession(store.snapshot, { target, session });
    const isMoving = known !== undefined && (isUnsettled(known) || isRunningIn(store.snapshot, known));
    return isMoving ? findAnySession(context, target.id, known.parentId) : session;
  }
  const fact = store.snapshot.streams.get(target.id);
  if (fact !== undefined && timeSince(fact.startedAt, clock.now()) >= intervalMs) await readStream(context, target.id);
  // A refresh forgets the sessions of streams that are not open in the tree, and another choice of sessions all.
  await loader.ensureSessions(target.id);
  const sessions = store.snapshot.sessions.get(target.id);
  const isMoving = (fact !== undefined && isLive(fact)) || sessions?.items.some(isUnsettled) === true;
  const isOld = timeSince(sessions?.loadedAt, clock.now()) >= intervalMs;
  if (isMoving && isOld && sessions?.isLoaded === true) await loader.lookAtSessions([target.id]);
  return undefined;
}

/** The session of a session's page: what the store has of it, with the addresses that only a read of its own told. */
export function knownSession(
  snapshot: Snapshot,
  { target, session }: Pick<SubjectParts, 'target' | 'session'>,
): Session | undefined {
  const parentId = session?.parentId;
  const listed = parentId === undefined ? undefined : findSession(snapshot, parentId, target.id);
  const known = listed ?? findRecording(snapshot, target.id);
  if (known === undefined || session === undefined) return known ?? session;
  const isReadSettled = isUnsettled(known) && !isUnsettled(session);
  const newer = isReadSettled ? session : known;
  return {
    ...newer,
    parentId: newer.parentId ?? parentId,
    parentName: newer.parentName ?? session.parentName,
    recordingUrl: newer.recordingUrl ?? session.recordingUrl,
    mp4Url: newer.mp4Url ?? session.mp4Url,
  };
}

/** Is the stream of a stream's page known no more: deleted, or of no list that is loaded? */
export function hasGone({ previous, current }: SnapshotChange, { target }: Pick<SubjectParts, 'target'>): boolean {
  return target.kind === 'stream' && previous.streams.has(target.id) && !current.streams.has(target.id);
}

/** Does a change of the store concern the page? */
export function isOther(
  { previous, current }: SnapshotChange,
  { target, session }: Pick<SubjectParts, 'target' | 'session'>,
): boolean {
  const streamId = target.kind === 'stream' ? target.id : session?.parentId;
  if (previous.trouble !== current.trouble || previous.recordedOnly !== current.recordedOnly) return true;
  if (previous.recordings !== current.recordings && target.kind === 'session') return true;
  if (streamId === undefined) return false;
  return (
    previous.streams.get(streamId) !== current.streams.get(streamId) ||
    previous.sessions.get(streamId) !== current.sessions.get(streamId)
  );
}

async function readQuietly(context: LoadingContext, streamId: string): Promise<void> {
  try {
    await readStream(context, streamId);
  } catch (error) {
    context.log.debug(`The stream of a session was not told: ${String(error)}`);
  }
}
