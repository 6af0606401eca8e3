/** Keeps the results of a function by its arguments forever: call it with few different ones. */
export function memoize<A extends readonly string[], T>(make: (...args: A) => T): (...args: A) => T {
  const made = new Map<string, T>();
  return (...args) => {
    const key = args.join('\n');
    const value = made.get(key) ?? make(...args);
    made.set(key, value);
    return value;
  };
}
