import type { Session } from '../api/types.ts';
import { wasRecorded } from './store/recordings.ts';
import { isBeingRecorded, isRunningIn, isUnsettled } from './store/sessions.ts';
import type { Snapshot } from './store/snapshot.ts';

/**
 * `address`: any URL; `playable`: a URL, now or once the recording is processed; `clip`: a recording, even one that is
 * still running; `recorded`: recordings in the Recordings view, including failed ones.
 */
export type SessionPurpose = 'any' | 'recorded' | 'mp4Url' | 'recordingUrl' | 'address' | 'playable' | 'clip';

/**
 * Returns the sessions that a command can use. A service may omit URLs in the list of all sessions (src/api/README.md,
 * Sessions). If it omits all of them, sessions that should have one are included and are read again when the user picks
 * them.
 */
export function choicesAmong(
  sessions: readonly Session[],
  wish: SessionPurpose,
  { snapshot, includesAddresses }: { readonly snapshot: Snapshot; readonly includesAddresses: boolean },
): readonly Session[] {
  if (wish === 'any') return sessions;
  if (wish === 'recorded') return sessions.filter(wasRecorded);
  return sessions.filter(
    (session) =>
      hasAddress(session, wish) ||
      (wish === 'playable' && isBeingProcessed(snapshot, session)) ||
      (wish === 'clip' && isRunningIn(snapshot, session) && isBeingRecorded(session)) ||
      (!includesAddresses && shouldHaveAddress(snapshot, session)),
  );
}

export function includesAddresses(sessions: readonly Session[], wish: SessionPurpose): boolean {
  return sessions.some((session) => hasAddress(session, wish));
}

/** Whether the recording is being processed, so that a player waits for it. */
export function isBeingProcessed(snapshot: Snapshot, session: Session): boolean {
  return isUnsettled(session) && !isRunningIn(snapshot, session);
}

function hasAddress(session: Session, wish: SessionPurpose): boolean {
  if (wish === 'mp4Url' || wish === 'recordingUrl') return session[wish] !== undefined;
  return session.recordingUrl !== undefined || session.mp4Url !== undefined;
}

// Requires `parentId`, because the service finds the session by its parent.
function shouldHaveAddress(snapshot: Snapshot, session: Session): boolean {
  const { recordingStatus = 'ready', parentId } = session;
  const isReady = recordingStatus === 'ready' && wasRecorded(session);
  return parentId !== undefined && isReady && !isRunningIn(snapshot, session);
}
