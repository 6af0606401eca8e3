import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { AnnouncedAct } from '../model/news/announcementText.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { LeftDownload } from '../services.ts';
import { sessionNode } from '../tree/nodes.ts';
import { runCommand } from './boundary.ts';
import { isOpen, otherConnection } from './connection/otherConnection.ts';
import type { CommandContext } from './context.ts';
import { downloadMp4 } from './recordings/downloadMp4.ts';
import { COMMANDS } from './table.ts';

const MOST_NAMES = 5;

/** Runs a notification's action, or reports that another connection is open by then. Never rejects. */
export function runAnnounced(
  context: CommandContext,
  action: AnnouncedAct,
  connection: ConnectionInfo,
): Promise<unknown> {
  return runCommand(context, (next) => {
    if (isOpen(next, connection)) return runAction(next, action);
    throw otherConnection(connection, (there) => runAction(there, action));
  });
}

function runAction(context: CommandContext, action: AnnouncedAct): unknown {
  if (action.kind === 'watch') return COMMANDS.watchStream(context, { id: action.streamId });
  // As a row, because a service may need the stream to find the session.
  return COMMANDS.openRecording(context, sessionNode('active', action.streamId, action.sessionId));
}

/** Reports downloads that were cut off when the editor was killed, and offers to start them again. Never rejects. */
export async function reportInterruptedDownloads(
  context: CommandContext,
  left: readonly LeftDownload[],
): Promise<void> {
  if (left.length === 0) return;
  const again = t('Download Again');
  try {
    if ((await context.ui.notify('warning', sentenceOf(left), again)) !== again) return;
    await Promise.all(left.map((each) => runCommand(context, (next) => restartDownload(next, each))));
  } catch (error) {
    context.log.error('Interrupted downloads could not be reported', error);
  }
}

function sentenceOf(left: readonly LeftDownload[]): string {
  const names = left.map(({ target }) => t('"{0}"', basename(target)));
  const [only] = names;
  if (names.length === 1 && only !== undefined)
    return t('The download of {0} was interrupted when VS Code closed. The partial file was deleted.', only);
  const shown = names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '');
  return t(
    '{0} downloads were interrupted when VS Code closed: {1}. The partial files were deleted.',
    left.length,
    shown,
  );
}

function restartDownload(context: CommandContext, left: LeftDownload): unknown {
  const { connection } = left.note;
  if (isOpen(context, connection)) return download(context, left);
  throw otherConnection(connection, (next) => download(next, left));
}

function download(context: CommandContext, { target, note }: LeftDownload): unknown {
  const { streamId, sessionId } = note;
  const session = streamId === undefined ? { id: sessionId } : sessionNode('active', streamId, sessionId);
  // A file that has this name by now was saved since, perhaps by another window, so it isn't overwritten.
  return downloadMp4(context, { ...session, target });
}
