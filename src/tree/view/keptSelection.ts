import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import type { RowExpansion, RowsModel } from './rowsModel.ts';

interface SelectableView {
  readonly visible: boolean;
  readonly onDidChangeSelection: Event<{ readonly selection: readonly ViewNode[] }>;
  /** Selects the row without focusing it. */
  reveal(node: ViewNode): PromiseLike<void>;
}

interface MovedRows {
  readonly find: RowsModel['find'];
  readonly hasRow: RowsModel['hasRow'];
  readonly parent: RowsModel['parent'];
}

/**
 * Reselects a stream if VS Code removed its selection because the row moved to another group, for example because the
 * stream went live. Ignores rows in a collapsed group, because revealing them would expand it.
 */
export function keepSelection(
  view: SelectableView,
  model: MovedRows,
  expanded: { readonly has: RowExpansion['has'] },
): Disposable {
  let selected: ViewNode | undefined;
  return view.onDidChangeSelection(({ selection: [node] }) => {
    const before = selected;
    selected = node;
    if (node !== undefined || before?.kind !== 'stream' || !view.visible || model.hasRow(before)) return;
    const moved = model.find({ ...before, id: before.streamId });
    const above = moved && model.parent(moved);
    // The row may move again in the meantime.
    if (moved && above && expanded.has(above)) view.reveal(moved).then(undefined, () => {});
  });
}
