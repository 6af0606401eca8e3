import { runCommand } from './boundary.ts';
import { whenStarted } from './connection/starting.ts';
import type { CommandContext } from './context.ts';
import { COMMANDS } from './table.ts';
import { TREE_KEYS } from './treeKeys.ts';

/** What needs no connection, or is a way to one. All others wait until it is known which one this window has. */
const WAIT_FOR_NONE: ReadonlySet<string> = new Set([
  'addConnection',
  'startDemo',
  'showLog',
  'openProxySettings',
  'revealSecrets',
]);

/** Runs a command by its id without the prefix; its failures are reported. Rejects for an id that is none. */
export async function runById(
  context: CommandContext,
  id: string,
  args: readonly unknown[],
  isWanted = () => true,
): Promise<unknown> {
  const handler = COMMANDS[id] ?? TREE_KEYS[id];
  if (handler === undefined) throw new Error(`No handler for ${id}`);
  if (!WAIT_FOR_NONE.has(id)) await whenStarted(context);
  // The window may have closed meanwhile.
  return isWanted() ? runCommand(context, handler, args) : undefined;
}
