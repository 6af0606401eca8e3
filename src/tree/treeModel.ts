import type { Node } from '../model/rows/nodes.ts';
import { connectionIdOf, type Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import type { RowReference } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter, type Event } from '../util/events.ts';
import { NodeRegistry } from './nodeRegistry.ts';
import { drawRow, rowKind } from './nodeTable.ts';
import { loadingRows } from './noticeRows.ts';
import { OpenRows } from './openRows.ts';
import { PaintedRows } from './paintedRows.ts';
import type { DrawingContext, Row, RowTooltip } from './row.ts';
import { hasSameIds, type Redrawing, type TreeShape } from './rowKind.ts';
import { compareSnapshots } from './snapshotChanges.ts';

type TreeStore = Pick<StreamStore, 'snapshot' | 'onDidChange'>;

// Limits per tick on rows drawn and rows redrawn; the next tick continues from there.
const DRAWN_A_TICK = 5000;
const REDRAWN_A_TICK = 200;
// Unused nodes are dropped once there are twice as many as after the last time, plus this number.
const SPARE_NODES = 100;

export class TreeModel implements Disposable {
  readonly #store: TreeStore;
  readonly #shape: TreeShape;
  readonly #drawing: () => DrawingContext;
  readonly #nodes: NodeRegistry<Node>;
  readonly #connection: string | undefined;
  readonly #painted = new PaintedRows<Node>();
  readonly #openRows: Map<string, OpenRows>;
  #open: OpenRows;
  // The state of the first rendering. After that, only the user expands and collapses.
  readonly #collapsible = new Map<string, Row['collapsible']>();
  readonly #changed = new Emitter<Node[] | undefined>();
  readonly #subscription: Disposable;
  #wasRequested = false;
  #oldRows = new OldRows();
  #tickedRows = 0;
  // The row about to be revealed. It may not have been given to VS Code yet, so it must not be forgotten.
  #found: Node | undefined;
  #mostNodes = SPARE_NODES;

  constructor(options: {
    readonly store: TreeStore;
    readonly shape: TreeShape;
    readonly drawing: () => DrawingContext;
    /** The ID of the rows' connection, if the view shows those of others too. */
    readonly connection?: string;
    /** The expanded rows by connection: a connection that is opened again has its rows as they were. */
    readonly openRows?: Map<string, OpenRows>;
  }) {
    this.#store = options.store;
    this.#openRows = options.openRows ?? new Map();
    this.#open = this.#openRowsOf(options.store.snapshot);
    this.#shape = options.shape;
    this.#drawing = options.drawing;
    const { connection } = options;
    this.#connection = connection;
    this.#nodes = new NodeRegistry<Node>(connection === undefined ? undefined : { connection });
    this.#subscription = options.store.onDidChange(({ previous, current }) => {
      if (previous.generation !== current.generation) this.#reset(current);
      else if (this.#wasRequested) this.#fire(this.#rowsToRedraw(previous, current));
    });
  }

  /** Fires once per change with the nodes to redraw, each with everything below it; undefined means the whole tree. */
  get onDidChange(): Event<Node[] | undefined> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Whether VS Code still shows the rows of another connection. */
  get hasOldRows(): boolean {
    return this.#oldRows.isThere;
  }

  /**
   * Returns the rows under a row (undefined: the root) for VS Code to show, after loading missing ones. Old rows of
   * another connection are replaced immediately. Never throws itself.
   */
  async children(node?: Node): Promise<readonly Node[]> {
    if (node === undefined) this.#wasRequested = true;
    else if (!this.#nodes.has(node)) return [];
    else this.#open.noteOpened(node.id);
    this.#painted.noteRequest(node);
    // A request that waits for the previous connection would keep its rows until the new one has loaded.
    if (!this.hasOldRows) await Promise.race([this.#ensure(node), this.#oldRows.appeared]);
    if (node === undefined && this.hasOldRows) return this.#dropOldRows();
    if (node !== undefined && !this.#nodes.has(node)) return [];
    const children = this.#keepChildren(node);
    this.#painted.noteChildren(node, children);
    this.#forgetReplaced();
    if (node !== undefined && rowKind(node).below?.isCounted === true) this.#redrawIfOutdated(node);
    return children;
  }

  /**
   * Like `children`, for rows that VS Code hasn't requested. Doesn't count them as shown, so that nothing else is fired
   * while VS Code searches for a row to reveal.
   */
  async load(node?: Node): Promise<readonly Node[]> {
    if (node !== undefined && !this.#nodes.has(node)) return [];
    await this.#ensure(node);
    return node !== undefined && !this.#nodes.has(node) ? [] : this.#keepChildren(node);
  }

  async #ensure(node: Node | undefined): Promise<void> {
    if (node === undefined) await this.#shape.ensureRoot();
    else await rowKind(node).below?.ensure(this.#shape.loader, this.#store.snapshot, node);
  }

  #keepChildren(node: Node | undefined): readonly Node[] {
    return this.#describeChildren(node).map((child) => this.#nodes.keep(child));
  }

  #describeChildren(node: Node | undefined): readonly Node[] {
    const { snapshot } = this.#store;
    if (node === undefined) return this.#shape.rootRows(snapshot, this.#drawing());
    return rowKind(node).below?.children(snapshot, node, this.#drawing()) ?? [];
  }

  /** Returns the ID of the connection that the rows belong to; empty if there is none. */
  scopeOf(_node: Node): string {
    return connectionIdOf(this.#store.snapshot) ?? '';
  }

  row(node: Node): Row {
    const drawing = this.#drawing();
    const drawn = drawRow(this.#store.snapshot, node, drawing);
    if (!this.#nodes.has(node)) return drawn;
    const isNew = !this.#painted.has(node);
    this.#painted.noteRow(node, drawn, drawing.now);
    const collapsible = this.#firstState(node, drawn, isNew);
    return collapsible === drawn.collapsible ? drawn : { ...drawn, collapsible };
  }

  // Returns the state for VS Code, which uses only that of the first rendering.
  #firstState(node: Node, { collapsible }: Row, isNew: boolean): Row['collapsible'] {
    const { below } = rowKind(node);
    if (below === undefined) return collapsible;
    if (below.formerIds === undefined) {
      const isFirst = [undefined, 'none'].includes(this.#collapsible.get(node.id));
      if (isFirst || collapsible === 'none') this.#collapsible.set(node.id, collapsible);
    } else if (isNew) {
      const isOpen = this.#open.takeOver(node.id, below.formerIds(this.#store.snapshot, node));
      const isClosed = this.#open.wasClosed(node.id);
      this.#collapsible.set(node.id, isOpen ? 'expanded' : isClosed ? 'collapsed' : collapsible);
    }
    return this.#collapsible.get(node.id) ?? collapsible;
  }

  closed(node: Node): void {
    this.#open.noteClosed(node.id);
  }

  /** Unlike `row`, this doesn't note the row as painted. */
  tooltip(node: Node): RowTooltip | undefined {
    const tooltip = drawRow(this.#store.snapshot, node, this.#drawing()).tooltip?.();
    return tooltip && { ...tooltip, connection: this.#connection };
  }

  parent(node: Node): Node | undefined {
    const parent = rowKind(node).parent(this.#store.snapshot, node, this.#drawing());
    return parent && this.#nodes.keep(parent);
  }

  find(row: RowReference): Node | undefined {
    const found = this.#shape.find(this.#store.snapshot, row);
    this.#found = found && this.#nodes.keep(found);
    return this.#found;
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  hasRow(node: Node): boolean {
    return this.#nodes.has(node) && this.#painted.has(node);
  }

  /** Whether VS Code was given a row with this ID. */
  isShown(rowId: string): boolean {
    return this.#painted.node(rowId) !== undefined;
  }

  hasChildren(node: Node): boolean {
    return this.#painted.hasChildren(node);
  }

  tick(): void {
    const { snapshot } = this.#store;
    const drawing = this.#drawing();
    const rows = [...this.#painted.rows()].filter(({ node }) => rowKind(node).showsTime);
    const from = this.#tickedRows < rows.length ? this.#tickedRows : 0;
    const outdated: Node[] = [];
    let at = from;
    for (; at < rows.length && at < from + DRAWN_A_TICK && outdated.length < REDRAWN_A_TICK; at += 1) {
      const node = rows[at]?.node;
      if (node === undefined) continue;
      const row = drawRow(snapshot, node, drawing);
      if (!this.#painted.differs(node, row)) continue;
      this.#painted.noteRow(node, row, drawing.now);
      outdated.push(node);
    }
    this.#tickedRows = at;
    this.#fire(outdated);
  }

  redrawOverdue(): void {
    const { snapshot } = this.#store;
    const redrawing = this.#startRedrawing(snapshot, snapshot);
    this.#fire(this.#painted.rootRows.filter((node) => rowKind(node).below?.isOverdue?.(redrawing, node) === true));
  }

  // Returns the smallest set of rows to redraw, or the whole root. Redrawing a row redraws all rows below it.
  #rowsToRedraw(previous: Snapshot, current: Snapshot): readonly Node[] | 'root' {
    const redrawing = this.#startRedrawing(previous, current);
    const { changes, painted, drawing, redraw } = redrawing;
    const root = painted.children(undefined);
    if (root !== undefined && previous.settings !== current.settings) return 'root';
    if (root !== undefined && !hasSameIds(root, this.#shape.rootRows(current, drawing))) return 'root';
    if (root !== undefined && this.#shape.isRootOutdated?.(changes) === true) return 'root';
    return painted.rootRows.flatMap(redraw);
  }

  #startRedrawing(previous: Snapshot, current: Snapshot): Redrawing {
    const painted = this.#painted;
    const drawing = this.#drawing();
    const redrawing: Redrawing = {
      changes: compareSnapshots(previous, current),
      painted,
      drawing,
      // Uses the time of the last drawing: `tick` redraws rows that only time has changed. VS Code drops the rows
      // below a redrawn one for a moment, and commands chosen from their menus then run without their row.
      isOutdated: (node) =>
        painted.differs(node, drawRow(current, node, { ...drawing, now: painted.time(node) ?? drawing.now })),
      redraw: (node) => (painted.has(node) ? rowKind(node).redraw(redrawing, node) : []),
    };
    return redrawing;
  }

  // Immediately, no matter how long the new connection takes to load: commands on old rows would be sent to it.
  #dropOldRows(): readonly Node[] {
    this.#oldRows = new OldRows();
    const rows = loadingRows(this.#store.snapshot).map((row) => this.#nodes.keep(row));
    this.#painted.noteChildren(undefined, rows);
    this.#fire('root');
    return rows;
  }

  // A group's count is known only after its children are requested, but its own row is painted before that.
  #redrawIfOutdated(node: Node): void {
    const drawing = this.#drawing();
    const row = drawRow(this.#store.snapshot, node, drawing);
    if (!this.#painted.differs(node, row)) return;
    this.#painted.noteRow(node, row, drawing.now);
    this.#fire([node]);
  }

  // Rows come and go for as long as a connection is open. Runs only occasionally, because it walks all rows.
  #forgetReplaced(): void {
    if (this.#nodes.size <= this.#mostNodes) return;
    const held = this.#painted.held();
    for (let row = this.#found; row !== undefined; row = this.parent(row)) held.add(row);
    this.#nodes.keepOnly(held);
    this.#painted.keepOnly(held);
    this.#mostNodes = 2 * this.#nodes.size + SPARE_NODES;
  }

  #reset(snapshot: Snapshot): void {
    if (this.#painted.rootRows.length > 0) this.#oldRows.appear();
    this.#nodes.clear();
    this.#painted.clear();
    this.#collapsible.clear();
    this.#open = this.#openRowsOf(snapshot);
    this.#found = undefined;
    this.#mostNodes = SPARE_NODES;
    this.#tickedRows = 0;
    this.#fire('root');
  }

  #openRowsOf(snapshot: Snapshot): OpenRows {
    const id = connectionIdOf(snapshot) ?? '';
    const rows = this.#openRows.get(id) ?? new OpenRows();
    this.#openRows.set(id, rows);
    return rows;
  }

  #fire(nodes: readonly Node[] | 'root'): void {
    if (!this.#wasRequested) return;
    if (nodes === 'root') this.#changed.fire(undefined);
    else if (nodes.length > 0) this.#changed.fire([...nodes]);
  }
}

// The rows of another connection that VS Code still shows, if any.
class OldRows {
  readonly #appeared = Promise.withResolvers<undefined>();
  isThere = false;

  get appeared(): Promise<undefined> {
    return this.#appeared.promise;
  }

  appear(): void {
    this.isThere = true;
    this.#appeared.resolve(undefined);
  }
}
