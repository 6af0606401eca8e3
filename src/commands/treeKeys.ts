import { deleteStream } from './changes/changeCommands.ts';
import { renameStream } from './changes/renameStream.ts';
import type { CommandContext } from './context.ts';
import { copyPlaybackId } from './copyCommands.ts';
import type { CommandHandler } from './table.ts';
import { givenRow, givenTargets } from './targets/commandArguments.ts';

/**
 * Commands of keyboard shortcuts in the Streams view, by id without the prefix; not in the palette. VS Code calls them
 * without rows, so the host adds these.
 */
export const TREE_KEYS: Readonly<Record<string, CommandHandler>> = {
  'tree.rename': renameStream,
  // On macOS the key for renaming is Enter, which opens rows that can't be renamed.
  'tree.renameOrOpen': renameStream,
  'tree.delete': deleteStream,
  'tree.copyPlaybackId': copyPlaybackIdOfRows,
};

/** Does nothing on rows without a playback ID to copy, unlike the command, which would show a picker. */
async function copyPlaybackIdOfRows(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const rows = givenTargets(args).filter((row) => ['stream', 'child'].includes(givenRow(row)?.kind ?? ''));
  if (rows.length > 0) await copyPlaybackId(context, rows[0], rows);
}
