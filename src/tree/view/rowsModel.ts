import type { ViewNode } from '../../model/rows/nodes.ts';
import type { RowReference } from '../../services.ts';
import type { Event } from '../../util/events.ts';
import type { Row, RowTooltip } from '../row.ts';

/** The rows of a view: those of one connection (`TreeModel`), or of several (`ConnectionsTree`). */
export interface RowsModel {
  readonly onDidChange: Event<ViewNode[] | undefined>;
  readonly hasOldRows: boolean;
  children(node?: ViewNode): Promise<readonly ViewNode[]>;
  load(node?: ViewNode): Promise<readonly ViewNode[]>;
  scopeOf(node: ViewNode): string;
  row(node: ViewNode): Row;
  tooltip(node: ViewNode): RowTooltip | undefined;
  parent(node: ViewNode): ViewNode | undefined;
  find(row: RowReference): ViewNode | undefined;
  hasRow(node: ViewNode): boolean;
  hasChildren(node: ViewNode): boolean;
  tick(): void;
  redrawOverdue(): void;
}

export interface RowExpansion {
  requested(node: ViewNode | undefined): void;
  returned(): void;
  opened(node: ViewNode): void;
  closed(node: ViewNode): void;
  has(node: ViewNode): boolean;
}
