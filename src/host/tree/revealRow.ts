import { t } from '@vscode/l10n';
import { Refusal } from '../../commands/refusal.ts';
import type { RowReference } from '../../services.ts';
import type { Node } from '../../tree/nodes.ts';

export interface Revealing {
  readonly model: {
    children(node?: Node): Promise<readonly Node[]>;
    parent(node: Node): Node | undefined;
    find(row: RowReference): Node | undefined;
  };
  /** Resolves once all redraws that came so far were fired. */
  readonly drain: () => Promise<void>;
  /** VS Code's own; rejects where it does not find the row. */
  readonly show: (node: Node) => PromiseLike<void>;
}

/**
 * Shows a row, once more where VS Code lost it: while it looks for one, a redraw of everything takes all of them away. Throws a
 * Refusal when there is no such row, or none any more, or its list could not be loaded.
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
  throw new Refusal(t('This row is not in the view.'));
}

/** Loads the rows above a row first: a redraw that comes while VS Code looks for it would take its selection away. */
async function loadWayTo(model: Revealing['model'], row: RowReference): Promise<void> {
  await model.children();
  const way: Node[] = [];
  const node = model.find(row);
  for (let above = node && model.parent(node); above !== undefined; above = model.parent(above)) way.unshift(above);
  for (const above of way) await model.children(above);
}
