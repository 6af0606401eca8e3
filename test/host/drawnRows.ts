import * as vscode from 'vscode';

/** A view as the extension made it. */
export interface MadeView {
  readonly view: vscode.TreeView<unknown>;
  readonly provider: vscode.TreeDataProvider<unknown>;
}

const DEPTH_AT_MOST = 4;

/** All that a view draws, one row a line: every field that VS Code is given, once somebody has pointed at the row. */
export async function drawnText({ view, provider }: MadeView): Promise<string> {
  const pointing = new vscode.CancellationTokenSource();
  try {
    const rows = await drawnBelow(provider, undefined, pointing.token, 0);
    const { title = '', message = '', description = '', badge } = view;
    return [JSON.stringify({ title, message, description, badge }), ...rows].join('\n');
  } finally {
    pointing.dispose();
  }
}

async function drawnBelow(
  provider: vscode.TreeDataProvider<unknown>,
  of: unknown,
  token: vscode.CancellationToken,
  depth: number,
): Promise<readonly string[]> {
  if (depth > DEPTH_AT_MOST) return [];
  const nodes = (await provider.getChildren(of)) ?? [];
  const rows = nodes.map(async (node) => {
    const item = await provider.getTreeItem(node);
    const whole = (await provider.resolveTreeItem?.(item, node, token)) ?? item;
    return [textOf(node, whole), ...(await drawnBelow(provider, node, token, depth + 1))];
  });
  return (await Promise.all(rows)).flat();
}

/** A Markdown tooltip hides its text from JSON. */
function textOf(node: unknown, item: vscode.TreeItem): string {
  const tooltip = typeof item.tooltip === 'object' ? item.tooltip.value : item.tooltip;
  return JSON.stringify({ node, ...item, tooltip });
}
