import type { Session } from '../api/types.ts';
import { wasRecorded } from './store/recordings.ts';
import { isRunningIn, isUnsettled } from './store/sessions.ts';
import type { Snapshot } from './store/snapshot.ts';

/** What a command wants of a session: anything, one address or either, or something to play, now or once it is processed. */
export type SessionWish = 'any' | 'mp4Url' | 'recordingUrl' | 'address' | 'playable';

/**
 * The sessions that a command can take. A service need not tell an address in the list of all sessions (src/api/README.md, Sessions): where it
 * tells it of none, those that should have it are offered, and are asked for theirs when they are taken.
 */
export function choicesAmong(
  sessions: readonly Session[],
  wish: SessionWish,
  { snapshot, tellsAddresses }: { readonly snapshot: Snapshot; readonly tellsAddresses: boolean },
): readonly Session[] {
  if (wish === 'any') return sessions;
  return sessions.filter(
    (session) =>
      isTold(session, wish) ||
      (wish === 'playable' && isBeingProcessed(snapshot, session)) ||
      (!tellsAddresses && shouldHaveAddress(snapshot, session)),
  );
}

/** Does a list tell what is wished for, of any of its sessions? */
export function tellsAddresses(sessions: readonly Session[], wish: SessionWish): boolean {
  return sessions.some((session) => isTold(session, wish));
}

/** Is its recording being processed, so that a player waits for it? */
export function isBeingProcessed(snapshot: Snapshot, session: Session): boolean {
  return isUnsettled(session) && !isRunningIn(snapshot, session);
}

function isTold(session: Session, wish: SessionWish): boolean {
  if (wish === 'mp4Url' || wish === 'recordingUrl') return session[wish] !== undefined;
  return session.recordingUrl !== undefined || session.mp4Url !== undefined;
}

/** By its parent the service can be asked for it. */
function shouldHaveAddress(snapshot: Snapshot, session: Session): boolean {
  const { recordingStatus = 'ready', parentId } = session;
  const isReady = recordingStatus === 'ready' && wasRecorded(session);
  return parentId !== undefined && isReady && !isRunningIn(snapshot, session);
}
