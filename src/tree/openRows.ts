/** Tracks expanded rows. VS Code forgets the state of a row that disappears or moves to another group. */
export class OpenRows {
  readonly #open = new Set<string>();
  readonly #closed = new Set<string>();

  noteOpened(id: string): void {
    this.#open.add(id);
    this.#closed.delete(id);
  }

  noteClosed(id: string): void {
    this.#open.delete(id);
    this.#closed.add(id);
  }

  /** Whether the user collapsed the row, as opposed to it having disappeared. */
  wasClosed(id: string): boolean {
    return this.#closed.has(id);
  }

  /** Returns whether a new row starts expanded: because it, or a row that it replaces, was expanded before. */
  takeOver(id: string, formerIds: readonly string[]): boolean {
    if (this.#open.has(id)) return true;
    const former = formerIds.find((each) => this.#open.has(each));
    return former !== undefined && this.#open.delete(former);
  }
}
