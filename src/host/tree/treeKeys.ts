import * as vscode from 'vscode';
import type { Node } from '../../tree/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';
import { registerCommands } from '../start/commands.ts';

/**
 * Registers the commands of the view's keys: they get the rows that a key is meant for, as a menu would send them: the row
 * it was pressed on, and all that are selected with it.
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
 * All rows that are selected where the one with the focus is among them, else that one alone. package.json has VS Code hand that over, as its own title menus do. Where it does not, `list.select` makes it the selected one: that
 * comes second, because it also opens or closes the row, and runs its command.
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
