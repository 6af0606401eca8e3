import * as vscode from 'vscode';
import type { ViewNode } from '../../model/rows/nodes.ts';
import { rowGate } from '../../tree/view/rowGate.ts';
import { DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import type { LazyPart } from '../../util/lazyParts.ts';
import { couldNotLoad } from '../start/registrations.ts';

export interface RowProvider<Node = ViewNode> {
  readonly onDidChangeTreeData: Event<Node[] | undefined>;
  getChildren(node?: Node): Promise<Node[]>;
  getTreeItem(node: Node): vscode.TreeItem;
  getParent(node: Node): Node | undefined;
  resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): vscode.TreeItem | Promise<vscode.TreeItem>;
}

const NO_ITEM: vscode.TreeItem = {};

/** Registers a view. The provider of its rows is loaded when VS Code first requests them: once the view is visible. */
export function createLateView<Node>(
  id: string,
  load: LazyPart<RowProvider<Node>>,
  options: Pick<vscode.TreeViewOptions<Node>, 'canSelectMany' | 'dragAndDropController'> = {},
) {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<Node[] | undefined>());
  let provider: RowProvider<Node> | undefined;
  const loadProvider = async (): Promise<RowProvider<Node> | undefined> => {
    const loaded = await load();
    if (loaded === undefined) sayMissing();
    else if (provider === undefined) {
      provider = loaded;
      owned.add(loaded.onDidChangeTreeData((rows) => changes.fire(rows)));
    }
    return loaded;
  };
  /** Synchronous if possible: VS Code calls it for each of up to 10,000 rows. Without a provider there are no rows. */
  const ask = <T>(question: (provider: RowProvider<Node>) => T | Promise<T>, without: T): T | Promise<T> =>
    provider === undefined
      ? loadProvider().then((loaded) => (loaded === undefined ? without : question(loaded)))
      : question(provider);
  const treeDataProvider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changes.event,
    getChildren: (node) => rowGate.give(() => ask((rows) => rows.getChildren(node), [])),
    getTreeItem: (node) => rowGate.give(() => ask<vscode.TreeItem>((rows) => rows.getTreeItem(node), NO_ITEM)),
    getParent: (node) => ask((rows) => rows.getParent(node), undefined),
    resolveTreeItem: (item, node, token) => ask((rows) => rows.resolveTreeItem(item, node, token), item),
  };
  const view = owned.add(vscode.window.createTreeView(id, { treeDataProvider, ...options }));
  const sayMissing = (): void => {
    if (!owned.isDisposed) view.message = couldNotLoad();
  };
  return { view, dispose: () => owned.dispose() };
}
