import type { Session } from '../../api/types.ts';
import type { Snapshot, StreamFact } from './snapshot.ts';
import { isLive } from './streams.ts';

/** What is known of a session's recording. */
export type RecordingState =
  | 'running'
  | 'notRecorded'
  | 'waiting'
  | 'ready'
  | 'failed'
  | 'deleted'
  | 'none'
  /** A word that this code does not know, or none at all though it was recorded. */
  | 'unknown';

const SETTLED_WORDS: ReadonlySet<string> = new Set(['ready', 'failed', 'deleted', 'none']);
/** Between what a stream and its session say of when data last arrived. */
const SEEN_WITHIN_MS = 90_000;

/** Is a recording still on its way, so that looking again is worth it? Unknown words are not waited for. */
export function isUnsettled(session: Session): boolean {
  return session.recordingStatus === 'waiting';
}

/** Sessions newest first; those without a time last. */
export function newestFirst(sessions: readonly Session[]): readonly Session[] {
  return [...sessions].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || (a.id < b.id ? -1 : 1));
}

/**
 * Is this session being broadcast now? (src/README.md, Rows, ids and settings are a contract) The newest session of a live, not stale stream whose recording is not
 * settled and whose lastSeen is within 90 s of the stream's.
 */
export function isRunning(session: Session, stream: StreamFact | undefined, newest: Session | undefined): boolean {
  if (stream === undefined || !isLive(stream) || newest?.id !== session.id) return false;
  if (session.recordingStatus !== undefined && SETTLED_WORDS.has(session.recordingStatus)) return false;
  const streamSeen = stream.stream.lastSeen;
  if (session.lastSeen === undefined || streamSeen === undefined) return true;
  return Math.abs(streamSeen - session.lastSeen) <= SEEN_WITHIN_MS;
}

/**
 * Is it a session of the broadcast during which its stream was seen from `first` to `last` (epoch ms)? By when it ended, or
 * because it began meanwhile. False where nothing is told to go by: another broadcast's is worse than none.
 */
export function isOfBroadcast(
  session: Session,
  { first, last }: { readonly first: number | undefined; readonly last: number | undefined },
): boolean {
  const { createdAt, sourceSegmentsDuration } = session;
  if (first !== undefined && createdAt !== undefined && createdAt >= first) return true;
  const length = sourceSegmentsDuration === undefined ? undefined : sourceSegmentsDuration * 1000;
  const end = session.lastSeen ?? (createdAt === undefined || length === undefined ? undefined : createdAt + length);
  return end !== undefined && last !== undefined && Math.abs(last - end) <= SEEN_WITHIN_MS;
}

export function recordingState(session: Session, running: boolean): RecordingState {
  if (running) return 'running';
  switch (session.recordingStatus) {
    case 'waiting':
    case 'ready':
    case 'failed':
    case 'deleted':
    case 'none':
      return session.recordingStatus;
    case undefined:
      if (session.recordingUrl !== undefined) return 'ready';
      return session.record ? 'unknown' : 'notRecorded';
    default:
      return 'unknown';
  }
}

/** Is it running, by what the snapshot knows of its stream and its sisters? */
export function isRunningIn(snapshot: Snapshot, session: Session): boolean {
  const streamId = session.parentId;
  const stream = streamId === undefined ? undefined : snapshot.streams.get(streamId);
  if (streamId === undefined || stream === undefined || !isLive(stream)) return false;
  return isRunning(session, stream, newestSession(snapshot, streamId));
}

/** The newest session of a stream that either view knows. */
function newestSession({ sessions, recordings }: Snapshot, streamId: string): Session | undefined {
  const listed = sessions.get(streamId)?.items[0];
  const recorded = recordings.items.find((session) => session.parentId === streamId);
  return (recorded?.createdAt ?? 0) > (listed?.createdAt ?? 0) ? recorded : (listed ?? recorded);
}

/** Finds a loaded session of a stream by its id. */
export function findSession(snapshot: Snapshot, streamId: string, sessionId: string): Session | undefined {
  return snapshot.sessions.get(streamId)?.items.find((session) => session.id === sessionId);
}

/** Finds a session that the Recordings view has loaded by its id. */
export function findRecording(snapshot: Snapshot, sessionId: string): Session | undefined {
  return snapshot.recordings.items.find((session) => session.id === sessionId);
}

/** Seconds that were broadcast: the source's duration; else from start to last data; undefined when not known or not positive. */
export function sessionDuration(session: Session): number | undefined {
  const { sourceSegmentsDuration, createdAt, lastSeen } = session;
  if (sourceSegmentsDuration !== undefined && sourceSegmentsDuration > 0) return sourceSegmentsDuration;
  if (createdAt === undefined || lastSeen === undefined || lastSeen <= createdAt) return undefined;
  return (lastSeen - createdAt) / 1000;
}
