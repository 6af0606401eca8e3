const collators = new Map<string, Intl.Collator>();

/**
 * Compares names by the rules of the locale, ignoring case and with numeric collation. Note that collators are created
 * on first use: creating one takes longer than loading everything else here.
 */
export function compareNames(a: string, b: string, locale: string): number {
  const collator = collators.get(locale) ?? new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  collators.set(locale, collator);
  return collator.compare(a, b);
}
