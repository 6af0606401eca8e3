import { groupNode, type Node, sessionNode, streamNode } from '../../../src/model/rows/nodes.ts';
import type { Snapshot } from '../../../src/model/store/snapshot.ts';
import { drawRow, rowKind } from '../../../src/tree/nodeTable.ts';
import type { DrawingContext, Row } from '../../../src/tree/row.ts';
import { rootRows } from '../../../src/tree/streamsTree.ts';
import type { TreeModel } from '../../../src/tree/treeModel.ts';
import { NOW } from '../../support/model/builders.ts';

export const DRAWING: DrawingContext = { now: NOW, locale: 'en', timeZone: 'UTC' };

/** The row of a stream, wherever it stands. */
export function streamRow(snapshot: Snapshot, id: string, drawing: Partial<DrawingContext> = {}): Row {
  return drawRow(snapshot, streamNode('active', id), { ...DRAWING, ...drawing });
}

export function sessionRow(
  snapshot: Snapshot,
  streamId: string,
  id: string,
  drawing: Partial<DrawingContext> = {},
): Row {
  return drawRow(snapshot, sessionNode('active', streamId, id), { ...DRAWING, ...drawing });
}

export function groupRow(
  snapshot: Snapshot,
  list: 'active' | 'idle' | 'recording',
  drawing: Partial<DrawingContext> = {},
): Row {
  return drawRow(snapshot, groupNode(list), { ...DRAWING, ...drawing });
}

/** Returns a function that asks for a row's rows and paints each, as VS Code does; it returns them. */
export function opening(model: TreeModel) {
  return async (node?: Node): Promise<readonly Node[]> => {
    const nodes = await model.children(node);
    for (const child of nodes) model.row(child);
    return nodes;
  };
}

/** The rows under a row of the Streams view, or under its root. */
export function childrenOf(snapshot: Snapshot, node: Node | undefined): readonly Node[] {
  if (node === undefined) return rootRows(snapshot);
  return rowKind(node).below?.children(snapshot, node, DRAWING) ?? [];
}

/** The rows under a row (the root's without one) as "label | description" each. */
export function textsUnder(snapshot: Snapshot, node?: Node): readonly string[] {
  return childrenOf(snapshot, node).map((child) => textOf(drawRow(snapshot, child, DRAWING)));
}

export function textOf(row: Row): string {
  return row.description === undefined ? row.label : `${row.label} | ${row.description}`;
}
