import type { Session } from '../../api/types.ts';
import { isUnsettled } from './sessions.ts';
import type { Snapshot } from './snapshot.ts';

/** A recording that is being made for longer than this is not looked at any more by itself. */
const AWAITED_FOR_MS = 24 * 60 * 60_000;

/** The stream of a session, as far as it is known. */
export type SessionParent =
  | { readonly kind: 'named'; readonly id: string; readonly name: string }
  /** The name it had, where that is known. */
  | { readonly kind: 'gone'; readonly id: string; readonly name: string | undefined }
  /** Not asked for yet, or it could not be asked for; without an id nobody can ask. */
  | { readonly kind: 'unknown'; readonly id: string | undefined };

/** Was it recorded? A service may say so by the address alone. */
export function wasRecorded(session: Session): boolean {
  return session.record || session.recordingUrl !== undefined;
}

/** Those of the sessions that the view lists. */
export function matchingRecordings(sessions: readonly Session[], recordedOnly: boolean): readonly Session[] {
  return recordedOnly ? sessions.filter(wasRecorded) : sessions;
}

/** The sessions that the Recordings view shows, newest first, cut to what Load more has revealed. */
export function shownRecordings(snapshot: Snapshot): readonly Session[] {
  return listed(snapshot).slice(0, snapshot.recordings.revealed);
}

/** Are there rows that Load more would show, at the service or here? */
export function hasMoreRecordings(snapshot: Snapshot): boolean {
  return snapshot.recordings.hasNextPage || hidesRecordings(snapshot);
}

/** Are there sessions here that Load more would show without asking? */
export function hidesRecordings(snapshot: Snapshot): boolean {
  return listed(snapshot).length > snapshot.recordings.revealed;
}

/** Known to have no rows: it was loaded, and nothing more can be loaded. */
export function isKnownEmptyOfRecordings(snapshot: Snapshot): boolean {
  const { isLoaded, trouble } = snapshot.recordings;
  if (!isLoaded || trouble !== undefined || hasMoreRecordings(snapshot)) return false;
  return shownRecordings(snapshot).length === 0;
}

/** The sessions shown whose recording is being made, so that looking again is worth it. By the answer's clock. */
export function awaitedRecordings(snapshot: Snapshot): readonly Session[] {
  const since = snapshot.recordings.serverDate - AWAITED_FOR_MS;
  return shownRecordings(snapshot).filter(
    (session) => isUnsettled(session) && (session.lastSeen ?? session.createdAt ?? 0) > since,
  );
}

/** The stream of a session: the newer word of its row and the store's, else what was asked for by id. */
export function sessionParent(snapshot: Snapshot, session: Pick<Session, 'parentId' | 'parentName'>): SessionParent {
  const { parentId: id, parentName } = session;
  const { parents, lastNames, turn } = snapshot.recordings;
  if (id === undefined) {
    return parentName === undefined ? { kind: 'unknown', id } : { kind: 'named', id: '', name: parentName };
  }
  const fact = snapshot.streams.get(id);
  if (fact !== undefined && (parentName === undefined || fact.turn > turn)) {
    return { kind: 'named', id, name: fact.stream.name };
  }
  const isAsked = parents.has(id);
  const name = isAsked ? parents.get(id) : parentName;
  if (name !== undefined) return { kind: 'named', id, name };
  return isAsked ? { kind: 'gone', id, name: parentName ?? lastNames.get(id) } : { kind: 'unknown', id };
}

/** The streams of the sessions shown that have no name yet, each once. */
export function unnamedParents(snapshot: Snapshot): readonly string[] {
  const ids = shownRecordings(snapshot).map((session) => {
    const parent = sessionParent(snapshot, session);
    return parent.kind === 'unknown' ? parent.id : undefined;
  });
  return [...new Set(ids)].filter((id) => id !== undefined);
}

/** The streams of the sessions shown whose names were learnt by asking or in lists, before a time: they may be other ones by now. */
export function parentsKnownBefore(snapshot: Snapshot, time: number): readonly string[] {
  const { parents } = snapshot.recordings;
  const ids = shownRecordings(snapshot).map(({ parentId, parentName }) => {
    if (parentId === undefined || parentName !== undefined) return undefined;
    const fact = snapshot.streams.get(parentId);
    const isOld = fact === undefined ? parents.has(parentId) : fact.startedAt < time;
    return isOld ? parentId : undefined;
  });
  return [...new Set(ids)].filter((id) => id !== undefined);
}

function listed({ recordings, recordingsRecordedOnly }: Snapshot): readonly Session[] {
  return matchingRecordings(recordings.items, recordingsRecordedOnly);
}
