import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import type { Node } from '../../tree/nodes.ts';
import type { Row, RowCommand } from '../../tree/row.ts';

const COLLAPSIBLE: Readonly<Record<Row['collapsible'], vscode.TreeItemCollapsibleState>> = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};

/**
 * Without a tooltip, on purpose: VS Code requests it when the user points at the row.
 * @param scope the connection's id: VS Code remembers expanded rows by id, and each account has its own rows
 */
export function makeTreeItem(node: Node, row: Row, scope: string): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.collapsible]);
  item.id = `${scope}/${node.id}`;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  if (row.description !== undefined) item.description = row.description;
  if (row.icon !== undefined) item.iconPath = makeIcon(row.icon);
  if (row.command !== undefined) item.command = makeCommand(row.command, node);
  return item;
}

/** A row that cannot be rendered must not affect the others. */
export function makeBrokenItem(node: Node, scope: string): vscode.TreeItem {
  const item = new vscode.TreeItem(t('This row could not be drawn'));
  item.id = `${scope}/${node.id}`;
  item.iconPath = new vscode.ThemeIcon('warning');
  return item;
}

/** Stream names end up here: the Markdown is never trusted and supports no HTML. */
export function makeTooltip(markdown: string): vscode.MarkdownString {
  return new vscode.MarkdownString(markdown);
}

function makeIcon({ id, color }: NonNullable<Row['icon']>): vscode.ThemeIcon {
  return color === undefined ? new vscode.ThemeIcon(id) : new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}

function makeCommand(command: RowCommand & CommandId, node: Node): vscode.Command {
  return { command: `liveStreams.${command}`, title: '', arguments: [node] };
}
