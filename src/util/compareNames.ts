import { memoize } from './memoize.ts';

// Sorting compares many times, and creating a collator takes far longer than comparing.
const collatorOf = memoize((locale: string) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

/** Compares names by the rules of the locale, ignoring case and with numeric collation. */
export function compareNames(a: string, b: string, locale: string): number {
  return collatorOf(locale).compare(a, b);
}
