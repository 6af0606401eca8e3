import * as vscode from 'vscode';
import type { Disposable } from '../../src/util/disposable.ts';
import { replace } from '../host/replace.ts';

/** What VS Code itself has asked the views for, and been given. */
export interface PaintedViews extends Disposable {
  /** Rows that it was given last, of one view or of all. */
  nodes(view?: string): readonly unknown[];
  /** What a tree may never give: one row twice, a row without words. */
  readonly mistakes: readonly string[];
  /** Rows asked for so far. */
  readonly rowsAsked: number;
}

/** Listens between VS Code and the views that are created from now on. */
export function watchPaintedViews(): PaintedViews {
  const { createTreeView } = vscode.window;
  const given = new Map<string, Map<unknown, readonly unknown[]>>();
  const mistakes: string[] = [];
  let rowsAsked = 0;
  const owned = replace(vscode.window, 'createTreeView', (id: string, options: vscode.TreeViewOptions<unknown>) => {
    const { treeDataProvider: provider } = options;
    const getChildren = async (node?: unknown) => {
      const children = (await provider.getChildren(node)) ?? [];
      if (new Set(children).size < children.length)
        mistakes.push(`${id} gives a row twice below ${JSON.stringify(node)}`);
      const below = given.get(id);
      if (below === undefined || node === undefined) given.set(id, new Map([[node, children]]));
      else below.set(node, children);
      return children;
    };
    const getTreeItem = async (node: unknown) => {
      rowsAsked += 1;
      const item = await provider.getTreeItem(node);
      if (!item.id || !item.label) mistakes.push(`${id} has a row without words: ${JSON.stringify(node)}`);
      return item;
    };
    const watched = { getChildren, getTreeItem };
    const treeDataProvider = new Proxy(provider, {
      get: (target, name) => Reflect.get(name in watched ? watched : target, name),
    });
    return createTreeView(id, { ...options, treeDataProvider });
  });
  return {
    mistakes,
    get rowsAsked() {
      return rowsAsked;
    },
    nodes: (view) =>
      [...given].flatMap(([id, below]) => (view === undefined || view === id ? [...below.values()].flat() : [])),
    dispose: () => owned.dispose(),
  };
}
