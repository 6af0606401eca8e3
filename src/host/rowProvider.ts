import * as vscode from 'vscode';
import type { Node } from '../tree/nodes.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type { Event } from '../util/events.ts';
import { once } from '../util/once.ts';

/** Where a view gets its rows: all that VS Code may ask. */
export interface RowProvider {
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

export interface LateView extends Disposable {
  readonly view: vscode.TreeView<Node>;
}

/** Registers a view. What makes its rows is loaded when VS Code first asks for them: once somebody can see it. */
export function createLateView(
  id: 'liveStreams.streams' | 'liveStreams.recordings',
  load: () => Promise<RowProvider>,
): LateView {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<Node[] | undefined>());
  let provider: RowProvider | undefined;
  const loadProvider = once(async () => {
    provider = await load();
    owned.add(provider.onDidChangeTreeData((rows) => changes.fire(rows)));
    return provider;
  });
  /** At once where it can be: a view of 10,000 rows asks for each. */
  const ask = <T>(question: (provider: RowProvider) => T | Promise<T>): T | Promise<T> =>
    provider === undefined ? loadProvider().then(question) : question(provider);
  const treeDataProvider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changes.event,
    getChildren: (node) => ask((rows) => rows.getChildren(node)),
    getTreeItem: (node) => ask((rows) => rows.getTreeItem(node)),
    getParent: (node) => ask((rows) => rows.getParent(node)),
    resolveTreeItem: (item, node, token) => ask((rows) => rows.resolveTreeItem(item, node, token)),
  };
  const view = owned.add(
    vscode.window.createTreeView(id, { treeDataProvider, canSelectMany: true, showCollapseAll: true }),
  );
  return { view, dispose: () => owned.dispose() };
}
