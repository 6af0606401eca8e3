import type { Clock } from '../../services.ts';

/** VS Code's own bursts of redraws take 200 ms; what is given to it is registered well within this. */
const SETTLES_IN_MS = 500;

/**
 * Knows which rows VS Code is just being given. A row that is fired while its rows, or those that it stands among, are
 * being registered loses the rows below it: from then on VS Code asks for nothing there (seen in 1.139).
 */
export class Settling<T> {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #parent: (row: T) => T | undefined;
  /** Until when, by the row whose rows were asked for; undefined = the root. */
  readonly #until = new Map<T | undefined, number>();

  constructor(options: { readonly clock: Pick<Clock, 'elapsed'>; readonly parent: (row: T) => T | undefined }) {
    this.#clock = options.clock;
    this.#parent = options.parent;
  }

  /** The rows under this one are asked for; to be called again with what is returned once they were given out. */
  begin(row: T | undefined): () => void {
    this.#forgetSettled();
    this.#until.set(row, Number.POSITIVE_INFINITY);
    return () => this.#until.set(row, this.#clock.elapsed() + SETTLES_IN_MS);
  }

  /** This row was fired: VS Code asks for its rows in a moment, and takes what is fired under it meanwhile for rows that it lost. */
  fired(row: T | undefined): void {
    const until = this.#until.get(row) ?? 0;
    this.#until.set(row, Math.max(until, this.#clock.elapsed() + SETTLES_IN_MS));
  }

  /** Is this row, or one above it, being given its rows at the moment? */
  has(row: T): boolean {
    for (let above: T | undefined = row; above !== undefined; above = this.#parent(above)) {
      if (this.#isSettling(above)) return true;
    }
    return this.#isSettling(undefined);
  }

  /** Rows that nobody asks about again would stay. */
  #forgetSettled(): void {
    const now = this.#clock.elapsed();
    for (const [row, until] of this.#until) if (until <= now) this.#until.delete(row);
  }

  /** How many rows it remembers. */
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
