import type { Clock } from '../../services.ts';

/** VS Code's own bursts of redraws take 200 ms; it has registered new rows well within this time. */
const SETTLES_IN_MS = 500;

/**
 * Tracks the rows that VS Code is registering. Firing a row while its children or its siblings are being registered
 * loses the rows below it: VS Code does not request them again (seen in 1.139).
 */
export class Settling<T> {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #parent: (row: T) => T | undefined;
  readonly #until = new Map<T | undefined, number>();

  constructor(options: { readonly clock: Pick<Clock, 'elapsed'>; readonly parent: (row: T) => T | undefined }) {
    this.#clock = options.clock;
    this.#parent = options.parent;
  }

  /** VS Code requests the children of this row. Call the returned function once they are returned. */
  begin(row: T | undefined): () => void {
    this.#forgetSettled();
    this.#until.set(row, Number.POSITIVE_INFINITY);
    return () => this.#until.set(row, this.#clock.elapsed() + SETTLES_IN_MS);
  }

  /** This row was fired: VS Code requests its children in a moment. Until then, it does not find rows fired below. */
  fired(row: T | undefined): void {
    const until = this.#until.get(row) ?? 0;
    this.#until.set(row, Math.max(until, this.#clock.elapsed() + SETTLES_IN_MS));
  }

  has(row: T): boolean {
    for (let above: T | undefined = row; above !== undefined; above = this.#parent(above)) {
      if (this.#isSettling(above)) return true;
    }
    return this.#isSettling(undefined);
  }

  #forgetSettled(): void {
    const now = this.#clock.elapsed();
    for (const [row, until] of this.#until) if (until <= now) this.#until.delete(row);
  }

  get size(): number {
    return this.#until.size;
  }

  #isSettling(row: T | undefined): boolean {
    const until = this.#until.get(row);
    if (until === undefined) return false;
    if (until > this.#clock.elapsed()) return true;
    this.#until.delete(row);
    return false;
  }
}
