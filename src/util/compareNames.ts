import { memoize } from './memoize.ts';

// Sorting compares many times, and creating a collator takes far longer than comparing.
const collatorOf = memoize((locale: string) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

export function compareNames(a: string, b: string, locale: string): number {
  return collatorOf(locale).compare(a, b);
}
