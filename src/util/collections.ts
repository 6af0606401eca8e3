/** These functions return the same object if nothing changes, otherwise a copy. */
export function withoutKey<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

export function withOnly<T>(map: ReadonlyMap<string, T>, stays: (key: string) => boolean): ReadonlyMap<string, T> {
  const kept = [...map].filter(([key]) => stays(key));
  return kept.length === map.size ? map : new Map(kept);
}

export function withoutItem(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  if (!set.has(item)) return set;
  const copy = new Set(set);
  copy.delete(item);
  return copy;
}
