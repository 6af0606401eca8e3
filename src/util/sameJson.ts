/** Deeper ones are not compared: an answer may be nested without end. */
const DEEPEST = 16;

/** Do two values that came out of JSON hold the same? What is nested deeper than 16 levels counts as different. */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth >= DEEPEST || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key), depth + 1));
}
