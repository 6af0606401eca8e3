/** The same map where the key is not in it, else a copy without it. */
export function withoutKey<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/** The same map where nothing is to go, else a copy of what stays. */
export function withOnly<T>(map: ReadonlyMap<string, T>, stays: (key: string) => boolean): ReadonlyMap<string, T> {
  const kept = [...map].filter(([key]) => stays(key));
  return kept.length === map.size ? map : new Map(kept);
}

/** The same set where the item is not in it, else a copy without it. */
export function withoutItem(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  if (!set.has(item)) return set;
  const copy = new Set(set);
  copy.delete(item);
  return copy;
}
