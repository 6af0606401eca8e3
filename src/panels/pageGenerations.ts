import type { Clock } from '../services.ts';

/** How long an older page may report before the newer one counts as lost. Doubled after each loss. */
const PATIENCE_MS = 2000;

/**
 * Tracks which of a tab's pages is the current one. VS Code can lose a page that replaces one that is still loading:
 * then the older page goes on reporting that it is ready.
 */
export class DrawnPages {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #number = 0;
  #drawnAt = 0;
  #patienceMs = PATIENCE_MS;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  get number(): number {
    return this.#number;
  }

  draw(): number {
    this.#drawnAt = this.#clock.elapsed();
    this.#number += 1;
    return this.#number;
  }

  /** Classifies a page that reports that it is ready, by its number. If 'lost', the page has to be created again. */
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
