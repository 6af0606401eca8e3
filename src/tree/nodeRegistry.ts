/** Creates each node once and returns the same object for as long as VS Code may hold it. */
export class NodeRegistry<Node extends { readonly id: string }> {
  readonly #nodes = new Map<string, Node>();
  readonly #mark: Partial<Node> | undefined;

  /** @param mark Properties to add to each node. */
  constructor(mark?: Partial<Node>) {
    this.#mark = mark;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Returns the node already kept under this ID; otherwise keeps and returns this one, marked. */
  keep(node: Node): Node {
    const kept = this.#nodes.get(node.id);
    if (kept !== undefined) return kept;
    const marked = this.#mark === undefined ? node : { ...node, ...this.#mark };
    this.#nodes.set(node.id, marked);
    return marked;
  }

  /** Whether this very object is kept. Nodes of an earlier connection aren't. */
  has(node: Node): boolean {
    return this.#nodes.get(node.id) === node;
  }

  keepOnly(held: ReadonlySet<Node>): void {
    for (const [id, node] of this.#nodes) if (!held.has(node)) this.#nodes.delete(id);
  }

  clear(): void {
    this.#nodes.clear();
  }
}
