/** Filters that are remembered as refused, at most. */
const MOST_REFUSED = 100;
/** Statuses that can be about one value of a filter. */
const OF_A_VALUE: ReadonlySet<number> = new Set([400, 422]);

/** Tells a service that refuses filters from one that refuses some of their values, such as one name. */
export class FilterJudge {
  readonly #refused = new Set<string>();
  #hasAccepted = false;

  /** Were these filters refused before? They are not sent again. */
  hasRefused(filters: string): boolean {
    return this.#refused.has(filters);
  }

  accepted(filters: string): void {
    if (filters !== '') this.#hasAccepted = true;
  }

  /**
   * Takes in the status that these filters were refused with. Returns whether all filters are refused: two different ones
   * were and none was accepted, or the status is not about a value.
   */
  refused(filters: string, status: number): boolean {
    if (!OF_A_VALUE.has(status)) return true;
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.add(filters);
    return !this.#hasAccepted && this.#refused.size > 1;
  }

  reset(): void {
    this.#refused.clear();
    this.#hasAccepted = false;
  }
}
