import type { Snapshot } from '../model/store/snapshot.ts';
import type { RowReference } from '../services.ts';
import type { Node } from './nodes.ts';
import type { Redrawing } from './redraw.ts';
import type { DrawingContext } from './row.ts';

/** What distinguishes one tree from another: which rows it has, what they need loaded, what to redraw. */
export interface TreeShape {
  /** Loads what the rows under a row (undefined: the root) need. Failures end up in the snapshot. */
  ensure(node: Node | undefined): Promise<void>;
  /** Derived from the snapshot alone. These are descriptions, of which the tree keeps one object each. */
  children(snapshot: Snapshot, node: Node | undefined, drawing: DrawingContext): readonly Node[];
  parent(snapshot: Snapshot, node: Node, drawing: DrawingContext): Node | undefined;
  find(snapshot: Snapshot, row: RowReference): Node | undefined;
  redraw(redrawing: Redrawing): readonly Node[] | 'root';
  /** Groups that weren't redrawn although rows left them. Redrawn once the user stops hovering over the view. */
  overdue?(redrawing: Omit<Redrawing, 'previous'>): readonly Node[];
}
