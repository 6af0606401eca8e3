import * as vscode from 'vscode';
import { argumentsOfKey, hasDetailsOnEnter } from '../../commands/treeKeys.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';

type Run = (id: string, args: readonly unknown[]) => Promise<unknown>;
type View = vscode.TreeView<ViewNode>;

/**
 * Wraps `run` so that commands get the same rows from the view's keyboard shortcuts as from its menus. In package.json,
 * shortcuts pass the focused row and the word "key" in an array, to distinguish them from menus and other callers.
 */
export function withTreeKeys(view: View, run: Run): Run {
  return async (id, args) => {
    const [pressed] = args;
    if (!isKeyPress(pressed)) return run(id, args);
    const [given] = pressed;
    const isEnter = id === 'showStream';
    if (isEnter && !(isNode(given) && hasDetailsOnEnter(given))) return selectFocused();
    const focused = isNode(given) ? given : await selectAndRead(view);
    const found = focused && argumentsOfKey(id, focused, view.selection);
    return found && run(id, found);
  };
}

/** Used if VS Code doesn't pass the focused row. Also expands or collapses the row and runs its command. */
async function selectAndRead(view: View): Promise<ViewNode | undefined> {
  if (view.selection.length < 2) await selectFocused();
  return view.selection[0];
}

function selectFocused(): Thenable<unknown> {
  return vscode.commands.executeCommand('list.select');
}

function isKeyPress(given: unknown): given is readonly [unknown, 'key'] {
  return Array.isArray(given) && given.length === 2 && given[1] === 'key';
}

function isNode(given: unknown): given is ViewNode {
  return typeof given === 'object' && given !== null && 'kind' in given && 'id' in given;
}
