import type { Snapshot } from '../model/store/snapshot.ts';
import type { RowReference } from '../services.ts';
import type { Node } from './nodes.ts';
import type { Redrawing } from './redraw.ts';
import type { DrawingContext } from './row.ts';

/** What tells one tree from another: which rows there are, what has to be loaded for them, what to draw again. */
export interface TreeShape {
  /** Has loaded what the rows under a row need, those of the root without one. Failures are in the snapshot. */
  ensure(node: Node | undefined): Promise<void>;
  /** The rows under a row, by the snapshot alone: descriptions, of which the tree keeps one object each. */
  children(snapshot: Snapshot, node: Node | undefined, drawing: DrawingContext): readonly Node[];
  parent(snapshot: Snapshot, node: Node, drawing: DrawingContext): Node | undefined;
  find(snapshot: Snapshot, row: RowReference): Node | undefined;
  /** The fewest rows to draw again, each with what is under it. */
  redraw(redrawing: Redrawing): readonly Node[] | 'root';
  /** Groups that were not drawn again though rows left them: to be drawn once nobody is pointing at them. */
  overdue?(redrawing: Omit<Redrawing, 'previous'>): readonly Node[];
}
