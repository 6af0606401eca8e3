export const KB = 1024;
export const MB = 1024 * KB;

/** The heap after so many of what may lose something each time. */
export interface HeapSample {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Bytes that stay for each, by the median of the slopes between all pairs of samples: one that is off for another reason, a
 * cache that fills or code that is thrown away, does not move it.
 */
export function growthOfEach(samples: readonly HeapSample[]): number {
  const slopes = samples.flatMap((from, index) =>
    samples.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.count - from.count)),
  );
  slopes.sort((a, b) => a - b);
  const middle = slopes.length / 2;
  const at = (index: number): number => slopes[index] ?? Number.NaN;
  return slopes.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
}

/** Without the first third: everything is loaded and was seen once by then. */
export function settled(samples: readonly HeapSample[]): readonly HeapSample[] {
  return samples.slice(Math.ceil(samples.length / 3));
}
