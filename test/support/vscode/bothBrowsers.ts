import { sampleOf } from '../runner/fuzzRuns.ts';
import type { BrowserKind } from './browser.ts';

/** In this order, so that the screenshots that stay have no notice about sound. */
const BROWSERS: readonly (readonly [BrowserKind, string])[] = [
  ['withoutAac', 'without an AAC decoder'],
  ['withAac', 'with an AAC decoder'],
];

/** Declares a suite for each of the browsers in which sound has to be heard. The titles name the browser. */
export function describeInBothBrowsers(title: string, define: (browser: BrowserKind) => void): void {
  describeIn(BROWSERS, title, define);
}

/**
 * The same for what depends little on how sound is decoded: in `npm test` in the browser without a decoder alone, which is as
 * desktop VS Code, and in both in `npm run fuzz`.
 */
export function describeInBrowsers(title: string, define: (browser: BrowserKind) => void): void {
  describeIn(sampleOf(BROWSERS, 1), title, define);
}

function describeIn(browsers: typeof BROWSERS, title: string, define: (browser: BrowserKind) => void): void {
  for (const [browser, name] of browsers) describe(`${title}, in a browser ${name}`, () => define(browser));
}
