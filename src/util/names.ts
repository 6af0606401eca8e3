import { memoize } from './memoize.ts';

// Sorting compares many times, and creating a collator takes far longer than comparing.
const collatorOf = memoize((locale: string) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

export function compareNames(a: string, b: string, locale: string): number {
  return collatorOf(locale).compare(a, b);
}

/** Returns the wanted name, trimmed. If it's taken, ignoring case, appends the first free number from 2. */
export function uniqueName(wanted: string, taken: readonly string[]): string {
  const lower = taken.map((name) => name.toLowerCase());
  const base = wanted.trim();
  let name = base;
  for (let number = 2; lower.includes(name.toLowerCase()); number += 1) name = `${base} ${number}`;
  return name;
}
