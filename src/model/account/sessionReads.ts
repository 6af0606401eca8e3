import { isApiError } from '../../api/errors.ts';
import { walk, withCursor } from '../../api/paging.ts';
import type { Session, UserSessionQuery } from '../../api/types.ts';
import { findSession } from '../store/sessions.ts';
import type { AccountParts } from './accountParts.ts';

// The maximum of a service. Without a limit the public one returns 20.
const PAGE_SIZE = 1000;
const SEARCHED_PAGES = 20;

export type RecordingAddress = 'recordingUrl' | 'mp4Url';

/** If the service doesn't know the id, searches the sessions of the stream and the account's newest 20,000. */
export async function fetchSession(
  { api, store: { snapshot }, signal }: AccountParts,
  id: string,
  parentId: string | undefined,
): Promise<Session | undefined> {
  const streamId =
    parentId ?? [...snapshot.sessions.keys()].find((each) => findSession(snapshot, each, id) !== undefined);
  try {
    return (await api.getSession(id, { signal, parentId: streamId })).value;
  } catch (error) {
    if (!isApiError(error) || (error.reason !== 'notFound' && error.reason !== 'rejected')) throw error;
  }
  const fetch = (cursor: string | undefined) =>
    api.listUserSessions(withCursor<UserSessionQuery>({ limit: PAGE_SIZE }, cursor), { signal });
  for await (const { items } of walk(fetch, SEARCHED_PAGES)) {
    const found = items.find((session) => session.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the session with an address that it may lack: a service may return it only in the list of recorded sessions
 * (src/api/README.md, Sessions), or the recording has become ready since. Sends one request, and a second one by id if
 * the session isn't on the first page; none for sessions that weren't recorded.
 */
export async function withAddress(
  { api, signal }: AccountParts,
  session: Session,
  purpose: RecordingAddress,
): Promise<Session> {
  const { id, parentId, record, recordingStatus, recordingUrl } = session;
  const isRecorded = record || recordingStatus !== undefined || recordingUrl !== undefined;
  if (session[purpose] !== undefined || parentId === undefined || !isRecorded) return session;
  try {
    const page = await api.listSessions(parentId, { recordedOnly: true, limit: PAGE_SIZE }, { signal });
    const listed = page.items.find((other) => other.id === id);
    const isFurther = listed === undefined && page.next !== undefined;
    const fresh = isFurther ? (await api.getSession(id, { parentId, signal })).value : listed;
    return fresh === undefined ? session : withoutLoss(session, fresh);
  } catch (error) {
    // Deleted streams keep their sessions, but these can no longer be listed.
    if (isApiError(error) && error.reason === 'notFound') return session;
    throw error;
  }
}

/** Another list may have returned what this one omits. */
export function withoutLoss(known: Session | undefined, fresh: Session): Session {
  return {
    ...fresh,
    recordingUrl: fresh.recordingUrl ?? known?.recordingUrl,
    mp4Url: fresh.mp4Url ?? known?.mp4Url,
    parentId: fresh.parentId ?? known?.parentId,
  };
}
