const DEEPEST = 16;

/**
 * Whether two JSON values are equal. Values nested deeper than 16 levels count as different, since a response may be
 * nested endlessly.
 */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth >= DEEPEST || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key), depth + 1));
}
