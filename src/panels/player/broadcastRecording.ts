import { isApiError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { Connection } from '../../model/connection/connection.ts';
import { isOfBroadcast, type SeenBroadcast } from '../../model/store/seenBroadcast.ts';
import { isUnsettled } from '../../model/store/sessions.ts';
import type { Log } from '../../services.ts';

interface Context {
  readonly connection: Connection;
  readonly log: Log;
}

/** Returns the recorded sessions of a stream, newest first; an empty list if the request fails. */
export async function listRecordings({ connection, log }: Context, streamId: string): Promise<readonly Session[]> {
  try {
    return await connection.account.listNewestRecorded(streamId);
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.debug(`The sessions of a stream couldn't be listed (${error.reason})`);
    return [];
  }
}

/**
 * Returns the recording of this broadcast, never of another one; undefined if none can be opened, or not yet.
 */
export async function findBroadcastRecording(
  context: Context,
  streamId: string,
  broadcast: SeenBroadcast,
): Promise<Session | undefined> {
  const own = (await listRecordings(context, streamId)).find((session) => isOfBroadcast(session, broadcast));
  return canOpen(own) ? own : undefined;
}

export function canOpen(session: Session | undefined): boolean {
  if (session === undefined) return false;
  return session.recordingUrl !== undefined || session.mp4Url !== undefined || isUnsettled(session);
}
