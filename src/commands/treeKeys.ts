import { deleteStream } from './changes/changing.ts';
import { renameStream } from './changes/renaming.ts';
import type { CommandContext } from './context.ts';
import { copyPlaybackId } from './copying.ts';
import type { CommandHandler } from './table.ts';
import { givenRow, givenTargets } from './targets/givenRows.ts';

/**
 * Commands of the keys in the Streams view, by id without the prefix; outside the palette. VS Code calls the command of a
 * key without the rows that it is meant for: the host adds them.
 */
export const TREE_KEYS: Readonly<Record<string, CommandHandler>> = {
  'tree.rename': renameStream,
  // The Mac's key for renaming is Enter, which opens what has no name to change.
  'tree.renameOrOpen': renameStream,
  'tree.delete': deleteStream,
  'tree.copyPlaybackId': copyPlaybackIdOfRows,
};

/** The key that copies does nothing on a row that has nothing to copy; the command would ask for a stream. */
async function copyPlaybackIdOfRows(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const rows = givenTargets(args).filter((row) => ['stream', 'child'].includes(givenRow(row)?.kind ?? ''));
  if (rows.length > 0) await copyPlaybackId(context, rows[0], rows);
}
