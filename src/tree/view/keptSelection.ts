import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import type { RowExpansion, RowsModel } from './rowsModel.ts';

interface SelectableView {
  readonly visible: boolean;
  readonly onDidChangeSelection: Event<{ readonly selection: readonly ViewNode[] }>;
  /** Selects it without focus. */
  reveal(node: ViewNode): PromiseLike<void>;
}

interface MovedRows {
  readonly find: RowsModel['find'];
  readonly hasRow: RowsModel['hasRow'];
  readonly parent: RowsModel['parent'];
}

/**
 * Selects a stream again if VS Code took its selection away because the row moved to another group, as it does when the
 * stream goes live. Leaves a group that is collapsed as it is: to reveal the row would expand it.
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
    // The row may move again meanwhile.
    if (moved && above && expanded.has(above)) view.reveal(moved).then(undefined, () => {});
  });
}
