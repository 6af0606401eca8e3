export interface CollectedRows {
  readonly rows: readonly unknown[];
  /** Whether there were more rows, which were not requested. */
  readonly isCut: boolean;
}

/** Collects rows page by page, up to about `most` characters of printed JSON. */
export async function collectRows(
  pages: AsyncIterable<readonly unknown[]>,
  { most, onCount }: { readonly most: number; readonly onCount: (count: number) => void },
): Promise<CollectedRows> {
  const rows: unknown[] = [];
  let left = most;
  for await (const page of pages) {
    for (const row of page) {
      left -= JSON.stringify(row, null, 2).length;
      if (left < 0) return { rows, isCut: true };
      rows.push(row);
    }
    onCount(rows.length);
  }
  return { rows, isCut: false };
}
