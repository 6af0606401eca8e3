export const MB = 1024 * 1024;

/**
 * How much more is in use in the second half than in the first, in bytes, by their medians. The first third does not count:
 * everything is loaded and seen once by then.
 */
export function growth(heaps: readonly number[]): number {
  const settled = heaps.slice(Math.ceil(heaps.length / 3));
  const middle = Math.floor(settled.length / 2);
  return median(settled.slice(middle)) - median(settled.slice(0, middle));
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
