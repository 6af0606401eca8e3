import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import type { Log } from '../../services.ts';
import { type Loaded, plainRow, type Row, type RowLink, type RowTooltip } from '../../tree/row.ts';
import { escapeMarkdown } from '../../util/markup.ts';

const COLLAPSIBLE: Readonly<Record<Row['collapsible'], vscode.TreeItemCollapsibleState>> = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};

/** VS Code truncates longer Markdown. */
const MOST_MARKDOWN = 99_000;

/**
 * Has no tooltip on purpose: VS Code requests it when the user points at the row.
 * @param scope the connection's ID: VS Code remembers expanded rows by ID, and each account has its own rows
 */
export function makeTreeItem(node: { readonly id: string }, row: Row, scope: string): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.collapsible]);
  item.id = `${scope}/${node.id}`;
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  if (row.description !== undefined) item.description = row.description;
  if (row.icon !== undefined) item.iconPath = makeIcon(row.icon);
  if (row.command !== undefined)
    item.command = {
      command: `liveStreams.${row.command satisfies CommandId}`,
      title: '',
      arguments: [row.argument ?? node],
    };
  return item;
}

/** Like `makeTreeItem`. A row that can't be drawn must not affect the others. */
export function drawTreeItem(
  node: { readonly id: string },
  { draw, scope, log }: { readonly draw: () => Row; readonly scope: string; readonly log: Log },
): vscode.TreeItem {
  try {
    return makeTreeItem(node, draw(), scope);
  } catch (error) {
    log.error(`Couldn't draw row ${node.id}`, error);
    return makeTreeItem(node, plainRow('gone', t("Couldn't display this item"), { icon: { id: 'warning' } }), scope);
  }
}

/**
 * Stream names are included here, so `markdown` has no links, and the Markdown doesn't support HTML. VS Code runs only
 * the commands of `links`.
 */
export function makeTooltip(
  { markdown, links = [], connection }: RowTooltip,
  { above, below = '' }: Loaded = {},
): vscode.MarkdownString {
  const text = [markdown, below, links.map((link) => linkText(link, connection)).join(' · ')]
    .filter(Boolean)
    .join('\n\n');
  const whole = above === undefined ? text : `${above}\n\n${text}`;
  const tooltip = new vscode.MarkdownString(whole.length <= MOST_MARKDOWN ? whole : text);
  if (links.length > 0) tooltip.isTrusted = { enabledCommands: links.map(({ command }) => `liveStreams.${command}`) };
  return tooltip;
}

/** IDs consist of letters, digits, "_", and "-" (`isId`), so they can't end the link. */
function linkText({ title, command, id }: RowLink, connection: string | undefined): string {
  const argument = connection === undefined ? id : { id, connection };
  return `[${escapeMarkdown(title)}](command:liveStreams.${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

function makeIcon({ id, color }: NonNullable<Row['icon']>): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color ? new vscode.ThemeColor(color) : undefined);
}
