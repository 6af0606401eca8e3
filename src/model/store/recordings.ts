import type { Session } from '../../api/types.ts';
import { isUnsettled } from './sessions.ts';
import type { Snapshot } from './snapshot.ts';

const AWAITED_FOR_MS = 24 * 60 * 60_000;

export type SessionParent =
  | { readonly kind: 'named'; readonly id: string; readonly name: string }
  /** `name` is the last known one. */
  | { readonly kind: 'gone'; readonly id: string; readonly name: string | undefined }
  /** Not requested yet, or the request failed; can't be requested without an ID. */
  | { readonly kind: 'unknown'; readonly id: string | undefined; readonly name?: undefined };

/** A service may indicate a recording only by its URL. The status "none" means that no data arrived to record. */
export function wasRecorded({ record, recordingStatus, recordingUrl }: Session): boolean {
  return recordingUrl !== undefined || (record && recordingStatus !== 'none');
}

export function matchingRecordings(sessions: readonly Session[], recordedOnly: boolean): readonly Session[] {
  return recordedOnly ? sessions.filter(wasRecorded) : sessions;
}

export function shownRecordings(snapshot: Snapshot): readonly Session[] {
  return listed(snapshot).slice(0, snapshot.recordings.revealed);
}

/** Returns the IDs of the shown recordings' streams, most recently recorded first. */
export function recordedStreams(snapshot: Snapshot): readonly string[] {
  const ids = shownRecordings(snapshot)
    .filter(wasRecorded)
    .map(({ parentId }) => parentId);
  return [...new Set(ids)].filter((id) => id !== undefined);
}

export function hasMoreRecordings(snapshot: Snapshot): boolean {
  return snapshot.recordings.hasNextPage || hidesRecordings(snapshot);
}

/** Whether Load More would show more rows without a request. */
export function hidesRecordings(snapshot: Snapshot): boolean {
  return listed(snapshot).length > snapshot.recordings.revealed;
}

export function isKnownEmptyOfRecordings(snapshot: Snapshot): boolean {
  const { isLoaded, trouble } = snapshot.recordings;
  if (!isLoaded || trouble !== undefined || hasMoreRecordings(snapshot)) return false;
  return shownRecordings(snapshot).length === 0;
}

/** Returns the shown sessions whose recording is being processed. Measures time by the service's clock. */
export function awaitedRecordings(snapshot: Snapshot): readonly Session[] {
  const since = snapshot.recordings.serverDate - AWAITED_FOR_MS;
  return shownRecordings(snapshot).filter(
    (session) => isUnsettled(session) && (session.lastSeen ?? session.createdAt ?? 0) > since,
  );
}

/** The name is the newer one of the session's row and the store, otherwise the one read by ID. */
export function sessionParent(snapshot: Snapshot, session: Pick<Session, 'parentId' | 'parentName'>): SessionParent {
  const { parentId: id, parentName } = session;
  const { parents, lastNames, requestSeq } = snapshot.recordings;
  if (id === undefined) {
    return parentName === undefined ? { kind: 'unknown', id } : { kind: 'named', id: '', name: parentName };
  }
  const fact = snapshot.streams.get(id);
  if (fact !== undefined && (parentName === undefined || fact.requestSeq > requestSeq)) {
    return { kind: 'named', id, name: fact.stream.name };
  }
  const wasRead = parents.has(id);
  const name = wasRead ? parents.get(id) : parentName;
  if (name !== undefined) return { kind: 'named', id, name };
  return wasRead ? { kind: 'gone', id, name: parentName ?? lastNames.get(id) } : { kind: 'unknown', id };
}

export function unnamedParents(snapshot: Snapshot): readonly string[] {
  const ids = shownRecordings(snapshot).map((session) => {
    const parent = sessionParent(snapshot, session);
    return parent.kind === 'unknown' ? parent.id : undefined;
  });
  return [...new Set(ids)].filter((id) => id !== undefined);
}

/** Returns the IDs of the shown sessions' streams whose names were read before `time` and may have changed. */
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
