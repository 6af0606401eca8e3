import { runCommand } from './boundary.ts';
import { whenStarted } from './connection/whenReady.ts';
import type { CommandContext } from './context.ts';
import { FOR_ANY_CONNECTION, findHandler, WITHOUT_CONNECTION } from './table.ts';

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
  const handler = findHandler(id);
  if (handler === undefined) throw new Error(`No handler for ${id}`);
  if (!WITHOUT_CONNECTION.has(id)) await whenStarted(context);
  if (!isWanted()) return undefined;
  return runCommand(context, (next) => handler(next, ...args), { isForAny: FOR_ANY_CONNECTION.has(id) });
}
