import type { AnnouncedAct } from '../model/news/announcementText.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import { sessionNode } from '../tree/nodes.ts';
import { runCommand } from './boundary.ts';
import { isOpen, otherConnection } from './connection/otherConnection.ts';
import type { CommandContext } from './context.ts';
import { COMMANDS } from './table.ts';

/** Runs a notification's action, or reports that another connection is open by then. Never rejects. */
export function runAnnounced(context: CommandContext, act: AnnouncedAct, connection: ConnectionInfo): Promise<unknown> {
  return runCommand(context, (next) => {
    if (isOpen(next, connection)) return perform(next, act);
    throw otherConnection(connection, (there) => perform(there, act));
  });
}

function perform(context: CommandContext, act: AnnouncedAct): unknown {
  if (act.kind === 'watch') return COMMANDS.watchStream(context, { id: act.streamId });
  // As a row, because a service may need the stream to find the session.
  return COMMANDS.openRecording(context, sessionNode('active', act.streamId, act.sessionId));
}
