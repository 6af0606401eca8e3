import { runCommand } from './boundary.ts';
import { deleteStream, renameStream } from './changes/changeCommands.ts';
import { whenStarted } from './connection/whenReady.ts';
import type { CommandContext } from './context.ts';
import { copyPlaybackId } from './copyCommands.ts';
import { type CommandHandler, FOR_ANY_CONNECTION, findHandler, WITHOUT_CONNECTION } from './table.ts';
import { givenRow, givenTargets } from './targets/commandArguments.ts';

interface Invocation {
  readonly args?: readonly unknown[];
  /** Whether the command is still wanted once it can run: the window may have closed while it waited. */
  readonly isWanted?: () => boolean;
}

/** Runs a command by its id without the prefix and reports its failures. Rejects for an unknown id. */
export async function runById(
  context: CommandContext,
  id: string,
  { args = [], isWanted = () => true }: Invocation = {},
): Promise<unknown> {
  const handler = findHandler(id) ?? TREE_KEYS[id];
  if (handler === undefined) throw new Error(`No handler for ${id}`);
  if (!WITHOUT_CONNECTION.has(id)) await whenStarted(context);
  if (!isWanted()) return undefined;
  return runCommand(context, (next) => handler(next, ...args), { isForAny: FOR_ANY_CONNECTION.has(id) });
}

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
