import type { Clock } from '../../services.ts';
import { timeSince } from '../../util/age.ts';

/** With this, a response of 100,000 rows pauses polling for five minutes. */
const MS_A_ROW = 3;
const LONGEST_MS = 5 * 60_000;

/**
 * Slows down polls that cost too much, because the service ignores limits or announces pages without end. Requests by
 * the user are not delayed.
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

  /** Starts a pause for a response of `rows` rows; Infinity if the list didn't end. */
  begin(rows: number): void {
    this.#begunAt = this.#clock.now();
    this.#ms = Math.min(LONGEST_MS, rows * MS_A_ROW);
  }
}
