import { memoize } from './memoize.ts';

// Sorting compares many times, and creating a collator takes far longer than comparing.
const collatorOf = memoize((locale: string) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

export function compareNames(a: string, b: string, locale: string): number {
  return collatorOf(locale).compare(a, b);
}

/** Those with one name by their ids. */
export function compareNamed(a: Named, b: Named, locale: string): number {
  return compareNames(a.name, b.name, locale) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

interface Named {
  readonly id: string;
  readonly name: string;
}
