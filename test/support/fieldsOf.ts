/**
 * The fields of each row, to compare a list by them: values for one field, and lists of values for several. undefined if
 * there is no list.
 */
export function fieldsOf<T>(rows: Iterable<T> | undefined, ...keys: readonly (keyof T)[]): unknown[] | undefined {
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('No field');
  return rows && Array.from(rows, (row) => (others.length === 0 ? row[first] : keys.map((key) => row[key])));
}
