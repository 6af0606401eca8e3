import type { PickItem } from '../../services.ts';

/** The row of the item that the user is looking at, ahead of the others and below a separator. */
export interface RowInFront {
  readonly id: string;
  readonly label: string;
}

/** Returns the items of the rows in front, each once, with separators above them, and the other rows. */
export function splitFront<T extends { readonly id: string }>(
  rows: readonly T[],
  front: readonly RowInFront[],
  itemOf: (row: T) => PickItem<string>,
): { readonly items: readonly PickItem<string>[]; readonly others: readonly T[] } {
  const others = new Map(rows.map((row) => [row.id, row]));
  let above: string | undefined;
  const items = front.flatMap(({ label, id }): readonly PickItem<string>[] => {
    const row = others.get(id);
    if (row === undefined) return [];
    others.delete(id);
    const isFirst = label !== above;
    above = label;
    return isFirst ? [{ label, isSeparator: true }, itemOf(row)] : [itemOf(row)];
  });
  return { items, others: [...others.values()] };
}
