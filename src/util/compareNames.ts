const collators = new Map<string, Intl.Collator>();

/**
 * Orders names as readers of this language expect it: without regard to case, numbers in them by their value. Note that
 * making a collator takes longer than all else that is loaded with this: it is made at the first use.
 */
export function compareNames(a: string, b: string, locale: string): number {
  const collator = collators.get(locale) ?? new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  collators.set(locale, collator);
  return collator.compare(a, b);
}
