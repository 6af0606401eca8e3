import type { Target } from '../model/loading/interest.ts';
import type { StreamLoader } from '../model/loading/loader.ts';
import type { Node, NodeKind, NodeOf, PagedKind } from '../model/rows/nodes.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { RowReference } from '../services.ts';
import type { PaintedRows } from './paintedRows.ts';
import type { DrawingContext, Row } from './row.ts';
import type { SnapshotChanges } from './snapshotChanges.ts';

export type RowLoader = Pick<
  StreamLoader,
  | 'ensureList'
  | 'ensureCounts'
  | 'ensureSessions'
  | 'ensureClips'
  | 'ensureChildren'
  | 'ensureOrphans'
  | 'ensureRecordings'
>;

/** Everything that a view shows of a row, by kind. The commands' side is in model/rows. */
export interface RowKind<K extends NodeKind> {
  draw(snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext): Row;
  /** Whether its text changes over time by itself, as in "5 min ago". */
  readonly showsTime: boolean;
  /** Undefined for the rows of the root. */
  parent(snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext): Node | undefined;
  /** Returns the row itself if it has to be redrawn with all rows below it, otherwise the outdated rows below it. */
  redraw(redrawing: Redrawing, node: NodeOf<K>): readonly Node[];
  readonly below: RowsBelow<K> | undefined;
}

interface RowsBelow<K extends NodeKind> {
  /** Derived from the snapshot alone. These are descriptions: `NodeRegistry.keep` returns the one object for each. */
  children(snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext): readonly Node[];
  /** Loads the data for the children. Failures end up in the snapshot. */
  ensure(loader: RowLoader, snapshot: Snapshot, node: NodeOf<K>): Promise<unknown> | undefined;
  /** Returns the additional target to poll while the row is expanded. */
  pollTarget(node: NodeOf<K>): Target | undefined;
  /** Whether the row shows the number of its children, which may be known only once they're requested. */
  readonly isCounted: boolean;
  /**
   * Returns the IDs of the rows that this one replaces. A new row then starts as the user left it, or one of those.
   * Without this function, a row keeps the state of its first drawing.
   */
  formerIds?(snapshot: Snapshot, node: NodeOf<K>): readonly string[];
  /** Whether a redraw is due that `redraw` postponed until the user no longer points at the tree. */
  isOverdue?(redrawing: Redrawing, node: NodeOf<K>): boolean;
}

/** Rows whose children are loaded in pages, which can fail. */
export interface PagedRowKind<K extends PagedKind> extends RowKind<K> {
  readonly below: RowsBelow<K> & {
    endTexts(snapshot: Snapshot, node: NodeOf<K>, drawing: DrawingContext): EndTexts;
  };
}

export type RowKinds<K extends NodeKind> = {
  readonly [P in K]: P extends PagedKind ? PagedRowKind<P> : RowKind<P>;
};

/** The labels of the rows at the end of a list: Load More, Retry, and the row of an empty list. */
export interface EndTexts {
  readonly more: string;
  /** The note next to Load More. */
  readonly moreNote?: string | undefined;
  /** The meaning of the note, in a sentence. */
  readonly moreTooltip?: string | undefined;
  readonly isLoadingMore: boolean;
  /** Why the list has to be loaded again. */
  readonly retryReason: string | undefined;
  /** Undefined where the view shows its welcome instead. */
  readonly empty: string | undefined;
}

/** A change of the snapshot, and the rows that VS Code has. */
export interface Redrawing {
  readonly changes: SnapshotChanges;
  readonly painted: PaintedRows<Node>;
  readonly drawing: DrawingContext;
  /** Whether the row would look different if drawn now. */
  isOutdated(node: Node): boolean;
  /** Calls `redraw` of the row's kind, if VS Code has the row. */
  redraw(node: Node): readonly Node[];
}

/** For a row without rows below it. */
export const WITHOUT_ROWS = {
  redraw: ({ isOutdated }: Redrawing, node: Node): readonly Node[] => (isOutdated(node) ? [node] : []),
  below: undefined,
};

/** The differences between trees. The rest depends on the kinds of their rows. */
export interface TreeShape {
  readonly loader: RowLoader;
  /** Loads the data for the rows of the root. Failures end up in the snapshot. */
  ensureRoot(): Promise<void>;
  rootRows(snapshot: Snapshot, drawing: DrawingContext): readonly Node[];
  /** Whether the root has to be redrawn even though its rows are the same. */
  isRootOutdated?(changes: SnapshotChanges): boolean;
  find(snapshot: Snapshot, row: RowReference): Node | undefined;
}

export function hasSameIds(a: readonly Node[], b: readonly Node[]): boolean {
  return a.length === b.length && a.every((node, index) => node.id === b[index]?.id);
}
