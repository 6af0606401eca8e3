/** How often what happened, by its name. */
export interface Tally {
  readonly total: number;
  /** The names with their counts, most frequent first. */
  readonly entries: readonly (readonly [name: string, count: number])[];
  count(name: string): void;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    get total() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    get entries() {
      return [...counts].sort(([, one], [, other]) => other - one);
    },
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  };
}
