import type { Clock } from '../services.ts';

/** How long an older page may be heard before the newer one counts as lost; twice as long after each loss. */
const PATIENCE_MS = 2000;

/**
 * Which of a tab's pages is the one that counts. The editor can lose a page that takes the place of one that is still
 * loading: then the older one goes on saying that it is ready.
 */
export class DrawnPages {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #number = 0;
  #drawnAt = 0;
  #patienceMs = PATIENCE_MS;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Of the page that was made last; 0 before there is one. */
  get number(): number {
    return this.#number;
  }

  /** The number of the next page. */
  draw(): number {
    this.#drawnAt = this.#clock.elapsed();
    this.#number += 1;
    return this.#number;
  }

  /** What it means that the page of this number says it is ready: a page that is 'lost' has to be made again. */
  hearReady(page: unknown): 'current' | 'older' | 'lost' {
    if (page === this.#number) {
      this.#patienceMs = PATIENCE_MS;
      return 'current';
    }
    if (this.#clock.elapsed() - this.#drawnAt < this.#patienceMs) return 'older';
    this.#patienceMs *= 2;
    return 'lost';
  }
}
