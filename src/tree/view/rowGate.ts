/**
 * Holds back rows that views request while something else opens: VS Code would return focus to a view that is drawn
 * at that moment.
 */
class RowGate {
  #closed: Promise<unknown> | undefined;
  #givenAt = performance.now();

  /** When views last received rows, by `performance.now()`. */
  get givenAt(): number {
    return this.#givenAt;
  }

  closeUntil(opened: Promise<unknown>): void {
    this.#closed = opened;
    const open = () => {
      if (this.#closed === opened) this.#closed = undefined;
    };
    opened.then(open, open);
  }

  give<T>(rows: () => T | Promise<T>): T | Promise<T> {
    if (this.#closed !== undefined) return this.#closed.then(() => this.give(rows));
    const given = rows();
    this.#noteGiven();
    if (given instanceof Promise) given.then(this.#noteGiven, this.#noteGiven);
    return given;
  }

  readonly #noteGiven = (): void => {
    this.#givenAt = performance.now();
  };
}

/** One for all views and boxes of the window, because there is one focus. */
export const rowGate = new RowGate();
