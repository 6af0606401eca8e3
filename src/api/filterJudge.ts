const MOST_REFUSED = 100;
const OF_A_VALUE: ReadonlySet<number> = new Set([400, 422]);

/** Distinguishes a service that refuses all filters from one that refuses certain values, such as one name. */
export class FilterJudge {
  readonly #refused = new Set<string>();
  #hasAccepted = false;

  hasRefused(filters: string): boolean {
    return this.#refused.has(filters);
  }

  accepted(filters: string): void {
    if (filters !== '') this.#hasAccepted = true;
  }

  /**
   * Records that these filters were refused with this status. Returns whether the service refuses all filters: the
   * status isn't about a value, or two different filters were refused and none was ever accepted.
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
