import * as vscode from 'vscode';
import type { Node } from '../../tree/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';
import { registerCommands } from '../start/registrations.ts';

/**
 * Registers the commands of the view's keyboard shortcuts. They get the same rows as from a menu: the focused row, and
 * all that are selected with it.
 */
export function registerTreeKeys(
  ids: readonly string[],
  view: Pick<vscode.TreeView<Node>, 'selection'>,
  run: (id: string, args: readonly unknown[]) => Promise<unknown>,
): Disposable {
  return registerCommands(ids, async (id, [focused]) => {
    if (id.endsWith('OrOpen') && isNode(focused) && focused.kind !== 'stream') return selectFocused();
    const rows = await rowsOfKey(view, focused);
    const [first] = rows;
    if (first === undefined) return undefined;
    return run(id, [isNode(focused) && rows.includes(focused) ? focused : first, rows]);
  });
}

/**
 * Returns all selected rows if the focused one is among them, otherwise that one alone. package.json has VS Code pass
 * the focused row, as its own title menus do. If it is missing, `list.select` selects it. That is only the fallback,
 * because it also expands or collapses the row and runs its command.
 */
async function rowsOfKey(view: Pick<vscode.TreeView<Node>, 'selection'>, focused: unknown): Promise<readonly Node[]> {
  const isAmongSelected = !isNode(focused) || view.selection.includes(focused);
  if (view.selection.length > 1 && isAmongSelected) return view.selection;
  if (isNode(focused)) return [focused];
  await selectFocused();
  return view.selection;
}

function selectFocused(): Thenable<unknown> {
  return vscode.commands.executeCommand('list.select');
}

function isNode(given: unknown): given is Node {
  return typeof given === 'object' && given !== null && 'kind' in given && 'id' in given;
}
