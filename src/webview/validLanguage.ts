// Imported for its side effect, before libraries that pass the browser's language to Intl while they load: if LANG is C,
// Chromium reports "en-US@posix", which Intl rejects, and the page would stay empty.
if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' });

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
