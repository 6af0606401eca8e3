import * as vscode from 'vscode';

/** A row of the plain tree that is measured beside the product's. */
interface Row {
  readonly id: string;
  readonly label: string;
  readonly isLive: boolean;
  readonly rows?: Row[];
}

const changes = new vscode.EventEmitter<undefined>();
const active: Row = { id: 'active', label: 'Reference Active', isLive: false, rows: [] };
const idle: Row = { id: 'idle', label: 'Reference Idle', isLive: false, rows: [] };
let asked = 0;

/** A tree as it is usually written: one event for everything. It has as many rows as the product's, which look the same. */
export function registerReferenceTree(context: vscode.ExtensionContext): void {
  const treeDataProvider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changes.event,
    getChildren: (row) => (row === undefined ? [active, idle] : row.rows),
    getTreeItem,
  };
  context.subscriptions.push(vscode.window.createTreeView('liveStreamsBench.rows', { treeDataProvider }));
}

export function fillReferenceTree(live: number, others: number): void {
  const rows = (kind: string, count: number, isLive: boolean) =>
    Array.from({ length: count }, (_, index) => {
      const label = `Reference ${kind} ${String(index).padStart(6, '0')}`;
      return { id: label, label, isLive };
    });
  active.rows?.splice(0, Number.POSITIVE_INFINITY, ...rows('live', live, true));
  idle.rows?.splice(0, Number.POSITIVE_INFINITY, ...rows('idle', others, false));
  changes.fire(undefined);
}

/** A row takes the place of the first live one, and the root is fired. @returns when it was, epoch ms. */
export function fireReferenceTree(label: string): number {
  active.rows?.splice(0, 1, { id: label, label, isLive: true });
  changes.fire(undefined);
  return Date.now();
}

/** TreeItems asked for since the last call. */
export function readReferenceCount(): number {
  const count = asked;
  asked = 0;
  return count;
}

function getTreeItem(row: Row): vscode.TreeItem {
  asked += 1;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.rows === undefined ? Collapsed : Expanded);
  item.id = row.id;
  item.description = row.isLive ? 'live' : '3 h ago';
  item.contextValue = 'stream:active,playback';
  item.accessibilityInformation = { label: `${row.label}, ${item.description}` };
  const color = row.isLive ? new vscode.ThemeColor('charts.green') : undefined;
  item.iconPath = new vscode.ThemeIcon(row.isLive ? 'broadcast' : 'circle-outline', color);
  return item;
}
