import { isApiError } from '../api/errors.ts';
import type { Session } from '../api/types.ts';
import type { CommandContext } from '../commands/context.ts';
import { isOfBroadcast, isUnsettled, newestFirst } from '../model/store/sessions.ts';

type Context = Pick<CommandContext, 'current' | 'log'>;

/** The recorded sessions of a stream, newest first; none where the service does not tell. */
export async function listRecordings({ current, log }: Context, streamId: string): Promise<readonly Session[]> {
  try {
    return newestFirst((await current.api.listSessions(streamId, { recordedOnly: true })).items);
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.debug(`The sessions of a stream were not told (${error.reason})`);
    return [];
  }
}

/**
 * The recording of one broadcast of a stream, never another's; undefined where there is none that can be opened, or none yet.
 * @param broadcast when its stream was seen live first and last
 */
export async function findBroadcastRecording(
  context: Context,
  streamId: string,
  broadcast: Parameters<typeof isOfBroadcast>[1],
): Promise<Session | undefined> {
  const own = (await listRecordings(context, streamId)).find((session) => isOfBroadcast(session, broadcast));
  return canOpen(own) ? own : undefined;
}

/** Is there something to play, or will there be? */
export function canOpen(session: Session | undefined): boolean {
  if (session === undefined) return false;
  return session.recordingUrl !== undefined || session.mp4Url !== undefined || isUnsettled(session);
}
