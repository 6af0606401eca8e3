import type { StreamStore } from '../model/store/store.ts';
import type { RowReference } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter, type Event } from '../util/events.ts';
import { type Node, type NodeOf, NodeRegistry } from './nodes.ts';
import { OpenRows } from './openRows.ts';
import { PaintedRows } from './paintedRows.ts';
import type { DrawingContext, Row } from './row.ts';
import { drawRow, NODES } from './rows.ts';
import type { TreeShape } from './treeShape.ts';

type TreeStore = Pick<StreamStore, 'snapshot' | 'onDidChange'>;

/** Limits per tick on rows drawn and rows redrawn; the next tick continues from there. */
const DRAWN_A_TICK = 5000;
const REDRAWN_A_TICK = 200;
/** Unused nodes are dropped once there are twice as many as after the last time, plus this number. */
const SPARE_NODES = 100;

/** A tree independent of VS Code: which rows there are, what they show, and which of them have to be redrawn. */
export class TreeModel implements Disposable {
  readonly #store: TreeStore;
  readonly #shape: TreeShape;
  readonly #drawing: () => DrawingContext;
  readonly #nodes = new NodeRegistry();
  readonly #painted = new PaintedRows();
  readonly #open = new OpenRows();
  /** The state of the first rendering. After that, only the user expands and collapses. */
  readonly #collapsible = new Map<string, Row['collapsible']>();
  readonly #changed: Emitter<Node[] | undefined>;
  readonly #subscription: Disposable;
  #wasAsked = false;
  #hasOldRows = false;
  #tickedRows = 0;
  /** The row about to be revealed. It may not have been given to VS Code yet, so it must not be forgotten. */
  #found: Node | undefined;
  #mostNodes = SPARE_NODES;

  constructor(options: {
    readonly store: TreeStore;
    readonly shape: TreeShape;
    readonly drawing: () => DrawingContext;
    readonly onListenerError?: (error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#shape = options.shape;
    this.#drawing = options.drawing;
    this.#changed = new Emitter(options.onListenerError);
    this.#subscription = options.store.onDidChange(({ previous, current }) => {
      if (previous.generation !== current.generation) this.#startAnew();
      else if (this.#wasAsked)
        this.#fire(this.#shape.redraw({ previous, current, painted: this.#painted, drawing: this.#drawing() }));
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

  /** Returns the rows under a row (undefined: the root) after loading what is missing. Never throws itself. */
  async children(node?: Node): Promise<readonly Node[]> {
    if (node === undefined) this.#wasAsked = true;
    else if (!this.#nodes.has(node)) return [];
    if (node === undefined && this.#hasOldRows) return this.#dropOldRows();
    if (node?.kind === 'stream') this.#open.opened(node);
    this.#painted.asking(node);
    await this.#shape.ensure(node);
    if (node !== undefined && !this.#nodes.has(node)) return [];
    const described = this.#shape.children(this.#store.snapshot, node, this.#drawing());
    const children = described.map((child) => this.#nodes.keep(child));
    this.#painted.noteChildren(node, children);
    this.#forgetReplaced();
    if (node?.kind === 'group' || node?.kind === 'orphans') this.#redrawIfOther(node);
    return children;
  }

  /** The id of the connection that the rows belong to; empty if there is none. */
  get scope(): string {
    const { connection } = this.#store.snapshot;
    return 'info' in connection ? connection.info.id : '';
  }

  row(node: Node): Row {
    const drawn = drawRow(this.#store.snapshot, node, this.#drawing());
    if (!this.#nodes.has(node)) return drawn;
    const isNew = !this.#painted.has(node);
    this.#painted.noteRow(node, drawn);
    if (node.kind === 'stream' && isNew) this.#decideOpen(node);
    if (node.kind === 'group' && !this.#collapsible.has(node.id)) this.#collapsible.set(node.id, drawn.collapsible);
    const collapsible = this.#collapsible.get(node.id);
    return collapsible === undefined ? drawn : { ...drawn, collapsible };
  }

  closed(node: Node): void {
    if (node.kind === 'stream') this.#open.closed(node);
  }

  /** Sets the initial state of a row that appears. From then on VS Code tracks it. */
  #decideOpen(node: NodeOf<'stream'>): void {
    if (this.#open.isOpen(this.#store.snapshot, node)) this.#collapsible.set(node.id, 'expanded');
    else this.#collapsible.delete(node.id);
  }

  /** Markdown. Unlike `row`, this doesn't note the row as painted. */
  tooltip(node: Node): string | undefined {
    return drawRow(this.#store.snapshot, node, this.#drawing()).tooltip;
  }

  parent(node: Node): Node | undefined {
    const parent = this.#shape.parent(this.#store.snapshot, node, this.#drawing());
    return parent && this.#nodes.keep(parent);
  }

  /** Returns the first row of a stream or loaded session; undefined if no row shows it. */
  find(row: RowReference): Node | undefined {
    const found = this.#shape.find(this.#store.snapshot, row);
    this.#found = found && this.#nodes.keep(found);
    return this.#found;
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  /** Whether VS Code was given this row and still holds it. */
  hasRow(node: Node): boolean {
    return this.#nodes.has(node) && this.#painted.has(node);
  }

  hasChildren(node: Node): boolean {
    return this.#painted.hasChildren(node);
  }

  /** Redraws rows whose text changed only because time passed. Sends no request. */
  tick(): void {
    const { snapshot } = this.#store;
    const drawing = this.#drawing();
    const rows = [...this.#painted.rows()].filter(({ node }) => NODES[node.kind].showsTime);
    const from = this.#tickedRows < rows.length ? this.#tickedRows : 0;
    const other: Node[] = [];
    let at = from;
    for (; at < rows.length && at < from + DRAWN_A_TICK && other.length < REDRAWN_A_TICK; at += 1) {
      const node = rows[at]?.node;
      if (node === undefined) continue;
      const row = drawRow(snapshot, node, drawing);
      if (!this.#painted.differs(node, row)) continue;
      this.#painted.noteRow(node, row);
      other.push(node);
    }
    this.#tickedRows = at;
    this.#fire(other);
  }

  /** Redraws the groups that still show rows which left them. Sends no request. */
  redrawOverdue(): void {
    const { snapshot: current } = this.#store;
    this.#fire(this.#shape.overdue?.({ current, painted: this.#painted, drawing: this.#drawing() }) ?? []);
  }

  /**
   * Removes the rows of the previous connection at once, however long the new one takes to load: commands on them would
   * go to the new connection.
   */
  #dropOldRows(): readonly Node[] {
    this.#hasOldRows = false;
    this.#painted.noteChildren(undefined, []);
    this.#fire('root');
    return [];
  }

  /** A group's count is known only after its children were requested, but its own row was painted before. */
  #redrawIfOther(node: Node): void {
    const row = drawRow(this.#store.snapshot, node, this.#drawing());
    if (!this.#painted.differs(node, row)) return;
    this.#painted.noteRow(node, row);
    this.#fire([node]);
  }

  /** Rows come and go for as long as a connection is open. Runs only now and then, because it walks all rows. */
  #forgetReplaced(): void {
    if (this.#nodes.size <= this.#mostNodes) return;
    const held = this.#painted.held();
    for (let row = this.#found; row !== undefined; row = this.parent(row)) held.add(row);
    this.#nodes.keepOnly(held);
    this.#painted.keepOnly(held);
    this.#mostNodes = 2 * this.#nodes.size + SPARE_NODES;
  }

  #startAnew(): void {
    this.#hasOldRows ||= (this.#painted.children(undefined)?.length ?? 0) > 0;
    this.#nodes.clear();
    this.#painted.clear();
    this.#collapsible.clear();
    this.#open.clear();
    this.#found = undefined;
    this.#mostNodes = SPARE_NODES;
    this.#tickedRows = 0;
    this.#fire('root');
  }

  #fire(nodes: readonly Node[] | 'root'): void {
    if (!this.#wasAsked) return;
    if (nodes === 'root') this.#changed.fire(undefined);
    else if (nodes.length > 0) this.#changed.fire([...nodes]);
  }
}
