import type { Node } from './nodes.ts';
import type { Row } from './row.ts';

interface PaintedRow {
  readonly node: Node;
  readonly text: string;
}

const ROOT = '';

/** What the editor was given last: only rows it has can be redrawn. */
export class PaintedRows {
  readonly #rows = new Map<string, PaintedRow>();
  readonly #children = new Map<string, readonly Node[]>();
  /** Parents whose rows are being asked for: their answer will be right by itself. */
  readonly #asked = new Set<string>();

  noteRow(node: Node, row: Row): void {
    this.#rows.set(node.id, { node, text: rowText(row) });
  }

  /** Was this row given out? */
  has(node: Node): boolean {
    return this.#rows.has(node.id);
  }

  /** Does it look otherwise now than when it was given out? */
  differs(node: Node, row: Row): boolean {
    const painted = this.#rows.get(node.id);
    return painted !== undefined && painted.text !== rowText(row);
  }

  node(id: string): Node | undefined {
    return this.#rows.get(id)?.node;
  }

  rows(): Iterable<PaintedRow> {
    return this.#rows.values();
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  asking(parent: Node | undefined): void {
    this.#asked.add(parent?.id ?? ROOT);
  }

  /** These are its rows now; what hung on others is forgotten. */
  noteChildren(parent: Node | undefined, nodes: readonly Node[]): void {
    const id = parent?.id ?? ROOT;
    const kept = new Set(nodes);
    for (const node of this.#children.get(id) ?? []) {
      if (!kept.has(node)) this.#forget(node);
    }
    this.#children.set(id, nodes);
    this.#asked.delete(id);
  }

  /** The rows it was given; undefined when it was given none, or they are being asked for just now. */
  children(parent: Node | undefined): readonly Node[] | undefined {
    const id = parent?.id ?? ROOT;
    return this.#asked.has(id) ? undefined : this.#children.get(id);
  }

  /** Was it given any rows, though others may be asked for just now? */
  hasChildren(parent: Node): boolean {
    return this.#children.has(parent.id);
  }

  isAsking(parent: Node): boolean {
    return this.#asked.has(parent.id);
  }

  /** The rows that were given out and not replaced since. */
  held(): Set<Node> {
    const held = new Set(this.#children.get(ROOT));
    // A set goes on with what is added to it meanwhile.
    for (const node of held) for (const child of this.#children.get(node.id) ?? []) held.add(child);
    return held;
  }

  /** Forgets what is known of other rows: they were drawn, or asked for their rows, when others had taken their place. */
  keepOnly(held: ReadonlySet<Node>): void {
    const ids = new Set([ROOT, ...[...held].map(({ id }) => id)]);
    for (const known of [this.#rows, this.#children, this.#asked]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#children.clear();
    this.#asked.clear();
  }

  #forget(node: Node): void {
    this.#rows.delete(node.id);
    const nodes = this.#children.get(node.id);
    this.#children.delete(node.id);
    for (const child of nodes ?? []) this.#forget(child);
  }
}

/** All that is seen of a row without pointing at it. */
function rowText({ label, description, icon, contextValue, command }: Row): string {
  return [label, description, icon?.id, icon?.color, contextValue, command].join('\n');
}
