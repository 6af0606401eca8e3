import type { Clip } from '../../api/clips.ts';
import type { Session } from '../../api/types.ts';
import { hasText } from '../../util/text.ts';
import type { Snapshot, StreamFact } from './snapshot.ts';
import { isLive } from './streams.ts';

export type RecordingState =
  | 'running'
  | 'notRecorded'
  | 'waiting'
  | 'ready'
  | 'failed'
  | 'deleted'
  | 'none'
  /** A status that this code doesn't know, or no status although the session was recorded. */
  | 'unknown';

type Settled = 'ready' | 'failed' | 'deleted' | 'none';

const SETTLED_WORDS: ReadonlySet<string> = new Set<Settled>(['ready', 'failed', 'deleted', 'none']);
export const SEEN_WITHIN_MS = 90_000;
const ACTIVE_WITHIN_MS = 30_000;

/** Whether a recording is being processed and worth polling. Unknown statuses aren't polled. */
export function isUnsettled(session: Session): boolean {
  return session.recordingStatus === 'waiting';
}

function isSettled(session: Session): session is Session & { readonly recordingStatus: Settled } {
  return SETTLED_WORDS.has(session.recordingStatus ?? '');
}

export function newestFirst(sessions: readonly Session[]): readonly Session[] {
  return [...sessions].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || (a.id < b.id ? -1 : 1));
}

export function mergeSessions(known: readonly Session[], read: readonly Session[]): readonly Session[] {
  const ids = new Set(read.map((session) => session.id));
  return newestFirst([...read, ...known.filter((session) => !ids.has(session.id))]);
}

/** Replaces recordings that are being processed if a list that was read later has their outcome. */
export function settleBy(later: readonly Session[], items: readonly Session[]): readonly Session[] {
  const settled = (session: Session) =>
    isUnsettled(session) && later.find((other) => other.id === session.id && isSettled(other));
  if (!items.some(settled)) return items;
  return items.map((session) => {
    return { ...session, ...settled(session), parentId: session.parentId, parentName: session.parentName };
  });
}

/**
 * Whether a session is the newest of a live stream (src/README.md, Rows, IDs, and settings are a contract), was last
 * seen within 90 s of the stream, and has no settled recording.
 * @param listedAt when the session was listed, by the service's clock. Later data in the stream says nothing about it
 */
export function isRunning(
  session: Session,
  stream: StreamFact | undefined,
  newest: Session | undefined,
  listedAt = Number.POSITIVE_INFINITY,
): boolean {
  if (stream === undefined || !isLive(stream) || newest?.id !== session.id) return false;
  if (isSettled(session)) return false;
  const streamSeen = stream.stream.lastSeen;
  if (session.lastSeen === undefined || streamSeen === undefined) return true;
  return Math.min(streamSeen, listedAt) - session.lastSeen <= SEEN_WITHIN_MS;
}

export function recordingState(session: Session, running: boolean): RecordingState {
  if (running) return 'running';
  if (isUnsettled(session)) return 'waiting';
  if (isSettled(session)) return session.recordingStatus;
  if (session.recordingStatus !== undefined) return 'unknown';
  if (session.recordingUrl !== undefined) return 'ready';
  return session.record ? 'unknown' : 'notRecorded';
}

export function isRunningIn(snapshot: Snapshot, session: Session): boolean {
  const { parentId: streamId = '' } = session;
  const stream = snapshot.streams.get(streamId);
  if (stream === undefined || !isLive(stream) || isEarlier(stream, session)) return false;
  const newest = newestSession(snapshot, streamId);
  if (newest !== undefined && (newest.session.createdAt ?? 0) >= (session.createdAt ?? 0)) {
    return isRunning(lastKnown(session, newest.session), stream, newest.session, newest.listedAt);
  }
  // Determined only by its time, because no loaded list of its stream has it.
  const lastSeen = session.lastSeen ?? session.createdAt;
  if (lastSeen === undefined || stream.stream.lastSeen === undefined) return false;
  return isRunning({ ...session, lastSeen }, stream, session);
}

// The stream went live again after it ended. A service may report a stream as active some time after its session began.
function isEarlier({ idleAt = 0 }: StreamFact, { createdAt = idleAt, lastSeen = 0 }: Session): boolean {
  return createdAt < idleAt - ACTIVE_WITHIN_MS && lastSeen <= idleAt;
}

// A row may be older than the other view's row for the same session, and a page's data may be newer than both.
function lastKnown(session: Session, listed: Session): Session {
  return listed.id === session.id && (listed.lastSeen ?? 0) > (session.lastSeen ?? 0) ? listed : session;
}

/** Returns the session that a stream is broadcasting now, if it's loaded. */
export function runningSession(snapshot: Snapshot, streamId: string): Session | undefined {
  const newest = newestSession(snapshot, streamId)?.session;
  return newest !== undefined && isRunningIn(snapshot, { ...newest, parentId: streamId }) ? newest : undefined;
}

// Returns the newest session of a stream that either view has loaded, as it was last listed.
function newestSession({ sessions, recordings }: Snapshot, streamId: string) {
  const list = sessions.get(streamId);
  const listed = list?.items[0];
  const recorded = recordings.items.find((session) => session.parentId === streamId);
  const ofStream = list && listed && { session: listed, listedAt: list.serverDate };
  const ofAll = recorded && { session: recorded, listedAt: recordings.serverDate };
  if (ofStream === undefined || ofAll === undefined) return ofStream ?? ofAll;
  const sooner = (ofStream.session.createdAt ?? 0) - (ofAll.session.createdAt ?? 0);
  // If both views have it, it may be polled in only one of them.
  const isOfStream = ofStream.session.id === ofAll.session.id ? ofStream.listedAt >= ofAll.listedAt : sooner >= 0;
  return isOfStream ? ofStream : ofAll;
}

/** Whether it has a playable recording or part of one. */
export function isPlayable({ recordingUrl, mp4Url }: Session): boolean {
  return hasText(recordingUrl) || hasText(mp4Url);
}

/** Whether a running session will have a recording. */
export function isBeingRecorded(session: Session): boolean {
  return session.record || isUnsettled(session);
}

export function clipsOf({ clips }: Snapshot, streamId: string | undefined, sessionId: string): readonly Clip[] {
  return (
    clips.get(streamId ?? '')?.filter((clip) => clip.sessionId === sessionId && !clip.phase.startsWith('delet')) ?? []
  );
}

export function isBeingMade({ phase }: Clip): boolean {
  return phase === 'waiting' || phase === 'processing' || phase === 'uploading';
}

export function findSession(snapshot: Snapshot, streamId: string, sessionId: string): Session | undefined {
  return snapshot.sessions.get(streamId)?.items.find((session) => session.id === sessionId);
}

export function findRecording(snapshot: Snapshot, sessionId: string): Session | undefined {
  return snapshot.recordings.items.find((session) => session.id === sessionId);
}

/** Returns seconds, by the source or from start to last data; undefined if unknown or not positive. */
export function sessionDuration(session: Session): number | undefined {
  const { sourceSegmentsDuration, createdAt, lastSeen } = session;
  if (sourceSegmentsDuration !== undefined && sourceSegmentsDuration > 0) return sourceSegmentsDuration;
  if (createdAt === undefined || lastSeen === undefined || lastSeen <= createdAt) return undefined;
  return (lastSeen - createdAt) / 1000;
}

/** Returns when a session's broadcast ended, as far as is known: Unix time in milliseconds, by the service's clock. */
export function sessionEnd(session: Session): number | undefined {
  const { lastSeen, createdAt } = session;
  if (lastSeen !== undefined || createdAt === undefined) return lastSeen;
  return createdAt + (sessionDuration(session) ?? 0) * 1000;
}
