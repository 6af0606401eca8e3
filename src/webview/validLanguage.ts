// Imported for what it does, before uPlot, which asks for the browser's language while it loads: a Chromium whose LANG is C
// calls it "en-US@posix", which no Intl takes, and the page would stay empty.
if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' });

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
