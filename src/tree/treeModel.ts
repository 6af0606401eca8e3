import type { StreamStore } from '../model/store/store.ts';
import type { RowReference } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter, type Event } from '../util/events.ts';
import { type Node, type NodeOf, NodeRegistry } from './nodes.ts';
import { OpenRows } from './openRows.ts';
import { PaintedRows } from './paintedRows.ts';
import type { DrawingContext, Row } from './row.ts';
import { drawRow } from './rows.ts';
import type { TreeShape } from './treeShape.ts';

type TreeStore = Pick<StreamStore, 'snapshot' | 'onDidChange'>;

/** One tick draws so many rows at most, and has so many redrawn at most; the next goes on from there. */
const DRAWN_A_TICK = 5000;
const REDRAWN_A_TICK = 200;
/** Nodes that the editor does not have any more are looked for when there are twice as many as after the last time, and so many. */
const SPARE_NODES = 100;

/** A tree without an editor: which rows there are, what they show, and which of them have to be drawn again. */
export class TreeModel implements Disposable {
  readonly #store: TreeStore;
  readonly #shape: TreeShape;
  readonly #drawing: () => DrawingContext;
  readonly #nodes = new NodeRegistry();
  readonly #painted = new PaintedRows();
  readonly #open = new OpenRows();
  /** How rows were painted first: from then on it is the person who opens and closes them. */
  readonly #collapsible = new Map<string, Row['collapsible']>();
  readonly #changed: Emitter<Node[] | undefined>;
  readonly #subscription: Disposable;
  #wasAsked = false;
  /** Does the view still show rows of the connection before? */
  #hasOldRows = false;
  #tickedRows = 0;
  /** The row that was looked for last, which is going to be revealed: it may not have been given out yet. */
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

  /** Rows to draw again, once for each change: these nodes with what is under them; undefined = everything. */
  get onDidChange(): Event<Node[] | undefined> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** The rows under a row, or those of the root, once what was not loaded is loaded or has failed. Does not throw by itself. */
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

  /** The id of the connection whose rows they are; empty where there is none. */
  get scope(): string {
    const { connection } = this.#store.snapshot;
    return 'info' in connection ? connection.info.id : '';
  }

  /** What a row shows now. */
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

  /** The person closed a row. */
  closed(node: Node): void {
    if (node.kind === 'stream') this.#open.closed(node);
  }

  /** A stream's row is drawn open or closed as it was when it appeared: from then on VS Code knows. */
  #decideOpen(node: NodeOf<'stream'>): void {
    if (this.#open.isOpen(this.#store.snapshot, node)) this.#collapsible.set(node.id, 'expanded');
    else this.#collapsible.delete(node.id);
  }

  /** A row's tooltip, as Markdown. Asking for it paints nothing: what the row shows stays as it was noted. */
  tooltip(node: Node): string | undefined {
    return drawRow(this.#store.snapshot, node, this.#drawing()).tooltip;
  }

  parent(node: Node): Node | undefined {
    const parent = this.#shape.parent(this.#store.snapshot, node, this.#drawing());
    return parent && this.#nodes.keep(parent);
  }

  /** The row of a stream or of a loaded session, the first of several; undefined when none shows it. */
  find(row: RowReference): Node | undefined {
    const found = this.#shape.find(this.#store.snapshot, row);
    this.#found = found && this.#nodes.keep(found);
    return this.#found;
  }

  /** How many rows are known by their object. */
  get nodeCount(): number {
    return this.#nodes.size;
  }

  /** Was this row given out, and not others instead since? */
  hasRow(node: Node): boolean {
    return this.#nodes.has(node) && this.#painted.has(node);
  }

  /** Were the rows under it given out? */
  hasChildren(node: Node): boolean {
    return this.#painted.hasChildren(node);
  }

  /** Has rows redrawn whose words changed only because time went on. Asks nobody. */
  tick(): void {
    const { snapshot } = this.#store;
    const drawing = this.#drawing();
    const rows = [...this.#painted.rows()].filter(({ node }) => showsTime(node));
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

  /** Has the groups redrawn that still show rows which left them. Asks nobody. */
  redrawOverdue(): void {
    const { snapshot: current } = this.#store;
    this.#fire(this.#shape.overdue?.({ current, painted: this.#painted, drawing: this.#drawing() }) ?? []);
  }

  /** The rows of another connection go at once, however long the new one takes: commands on them would go to the new one. */
  #dropOldRows(): readonly Node[] {
    this.#hasOldRows = false;
    this.#painted.noteChildren(undefined, []);
    this.#fire('root');
    return [];
  }

  /** A group's count is known only once its rows were asked for: its own row was painted before. */
  #redrawIfOther(node: Node): void {
    const row = drawRow(this.#store.snapshot, node, this.#drawing());
    if (!this.#painted.differs(node, row)) return;
    this.#painted.noteRow(node, row);
    this.#fire([node]);
  }

  /** Rows come and go for as long as a connection is open. Now and then, because it takes a walk over all of them. */
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

const TIMED: ReadonlySet<Node['kind']> = new Set(['stream', 'session', 'child', 'day', 'recording']);

function showsTime(node: Node): boolean {
  return TIMED.has(node.kind);
}
