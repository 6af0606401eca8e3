import type { BrowserKind } from './browser.ts';

/** In this order, so that the screenshots that stay have no notice about sound. */
const BROWSERS: readonly (readonly [BrowserKind, string])[] = [
  ['withoutAac', 'without an AAC decoder'],
  ['withAac', 'with an AAC decoder'],
];

/** Declares a suite for each of the browsers in which players have to work. The titles name the browser. */
export function describeInBothBrowsers(title: string, define: (browser: BrowserKind) => void): void {
  for (const [browser, name] of BROWSERS) describe(`${title}, in a browser ${name}`, () => define(browser));
}
