import { knownStream } from '../../model/childStreams/knownStream.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { idIsGone } from '../../texts/refusals.ts';
import type { CommandContext } from '../context.ts';

/** Returns whether an ID is a stream's or a session's. Requests it only if unknown. Throws a Refusal if neither. */
export async function targetOfId(
  context: CommandContext,
  id: string,
): Promise<{ readonly kind: 'stream' | 'session'; readonly id: string }> {
  if (knownStream(context, id) !== undefined) return { kind: 'stream', id };
  if (isKnownSession(context.store.snapshot, id)) return { kind: 'session', id };
  const { account } = context.connection;
  if ((await account.readStream(id)) !== undefined) return { kind: 'stream', id };
  if ((await account.findSession(id)) !== undefined) return { kind: 'session', id };
  throw idIsGone(context, id);
}

/** Whether a list that was loaded has this session. */
function isKnownSession({ sessions, recordings }: Snapshot, id: string): boolean {
  const lists = [...sessions.values(), recordings];
  return lists.some(({ items }) => items.some((session) => session.id === id));
}
