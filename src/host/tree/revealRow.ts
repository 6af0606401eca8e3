import { t } from '@vscode/l10n';
import { Refusal } from '../../commands/refusal.ts';
import type { RowReference } from '../../services.ts';
import type { Node } from '../../tree/nodes.ts';
import type { TreeModel } from '../../tree/treeModel.ts';

interface Revealing {
  readonly model: Pick<TreeModel, 'children' | 'parent' | 'find'>;
  readonly drain: () => Promise<void>;
  /** VS Code's `reveal`, which rejects if it does not find the row. */
  readonly show: (node: Node) => PromiseLike<void>;
}

/**
 * Reveals a row, and retries once: a redraw of the whole tree removes all rows while VS Code searches for one. Throws a
 * Refusal if there is no such row, or its list could not be loaded.
 */
export async function revealRow({ model, drain, show }: Revealing, row: RowReference): Promise<void> {
  const node = await findRow();
  try {
    await show(node);
  } catch {
    await show(await findRow());
  }

  async function findRow(): Promise<Node> {
    await loadWayTo(model, row);
    await drain();
    const node = model.find(row);
    return node !== undefined && (await model.children(model.parent(node))).includes(node) ? node : refuse();
  }
}

function refuse(): never {
  throw new Refusal(t("This item isn't in the view."));
}

/** Loads the rows above first: a redraw while VS Code searches for the row would remove its selection. */
async function loadWayTo(model: Revealing['model'], row: RowReference): Promise<void> {
  await model.children();
  const way: Node[] = [];
  const node = model.find(row);
  for (let above = node && model.parent(node); above !== undefined; above = model.parent(above)) way.unshift(above);
  for (const above of way) await model.children(above);
}
