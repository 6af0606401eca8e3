import type { Row } from './row.ts';

interface PaintedRow<Node> {
  readonly node: Node;
  readonly text: string;
  /** A Unix time in milliseconds. */
  readonly at: number;
}

const ROOT = '';

/** The rows last given to VS Code: only these can be redrawn. */
export class PaintedRows<Node extends { readonly id: string }> {
  readonly #rows = new Map<string, PaintedRow<Node>>();
  readonly #children = new Map<string, readonly Node[]>();
  readonly #requested = new Set<string>();

  noteRow(node: Node, row: Row, at: number): void {
    this.#rows.set(node.id, { node, text: rowText(row), at });
  }

  has(node: Node): boolean {
    return this.#rows.has(node.id);
  }

  differs(node: Node, row: Row): boolean {
    const painted = this.#rows.get(node.id);
    return painted !== undefined && painted.text !== rowText(row);
  }

  /** Returns when VS Code was given the row: a Unix time in milliseconds. */
  time(node: Node): number | undefined {
    return this.#rows.get(node.id)?.at;
  }

  node(id: string): Node | undefined {
    return this.#rows.get(id)?.node;
  }

  rows(): Iterable<PaintedRow<Node>> {
    return this.#rows.values();
  }

  noteRequest(parent: Node | undefined): void {
    this.#requested.add(parent?.id ?? ROOT);
  }

  /** Replaces the children of a parent and forgets everything below those that are gone. */
  noteChildren(parent: Node | undefined, nodes: readonly Node[]): void {
    const id = parent?.id ?? ROOT;
    const kept = new Set(nodes);
    for (const node of this.#children.get(id) ?? []) {
      if (!kept.has(node)) this.#forget(node);
    }
    this.#children.set(id, nodes);
    this.#requested.delete(id);
  }

  /** Undefined if VS Code was given no children, or is requesting them now. */
  children(parent: Node | undefined): readonly Node[] | undefined {
    const id = parent?.id ?? ROOT;
    return this.#requested.has(id) ? undefined : this.#children.get(id);
  }

  /** The rows of the root, even if VS Code is requesting them again now. */
  get rootRows(): readonly Node[] {
    return this.#children.get(ROOT) ?? [];
  }

  /** Whether VS Code was given children, even if it's requesting them again now. */
  hasChildren(parent: Node): boolean {
    return this.#children.has(parent.id);
  }

  isRequested(parent: Node | undefined): boolean {
    return this.#requested.has(parent?.id ?? ROOT);
  }

  held(): Set<Node> {
    const held = new Set(this.#children.get(ROOT));
    // Iterating a Set also visits items added in the meantime.
    for (const node of held) for (const child of this.#children.get(node.id) ?? []) held.add(child);
    return held;
  }

  /** Forgets all other rows. Some were drawn, or their children requested, after they had been replaced. */
  keepOnly(held: ReadonlySet<Node>): void {
    const ids = new Set([ROOT, ...[...held].map(({ id }) => id)]);
    for (const known of [this.#rows, this.#children, this.#requested]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#children.clear();
    this.#requested.clear();
  }

  #forget(node: Node): void {
    this.#rows.delete(node.id);
    const nodes = this.#children.get(node.id);
    this.#children.delete(node.id);
    for (const child of nodes ?? []) this.#forget(child);
  }
}

// Everything that's visible without hovering.
function rowText({ label, description, icon, contextValue, command, collapsible, accessibilityLabel }: Row): string {
  const hasRows = collapsible !== 'none';
  // Only a notice also speaks the reason in the view's message. Other rows speak the text that they show.
  const spoken = contextValue === 'notice' && accessibilityLabel;
  return [label, description, icon?.id, icon?.color, contextValue, command, hasRows, spoken].join('\n');
}
