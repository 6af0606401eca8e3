import type { Clock } from '../../services.ts';
import { timeSince } from '../../util/age.ts';

/** 100,000 rows are not asked for again for five minutes. */
const MS_A_ROW = 3;
const LONGEST_MS = 5 * 60_000;

/**
 * Makes polls rarer that cost much more than they should: of a service that ignores limits, or announces pages without end. A
 * person who asks is not held up by it.
 */
export class PollPause {
  readonly #clock: Pick<Clock, 'now'>;
  #begunAt: number | undefined;
  #ms = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return timeSince(this.#begunAt, this.#clock.now()) >= this.#ms;
  }

  /** So many rows were read at once. Infinitely many: the list did not end. */
  begin(rows: number): void {
    this.#begunAt = this.#clock.now();
    this.#ms = Math.min(LONGEST_MS, rows * MS_A_ROW);
  }
}
