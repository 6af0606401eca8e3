import { sampleOf } from '../runner/fuzzRuns.ts';
import type { BrowserKind } from './browser.ts';

/** In this order, so that the screenshots that stay have no notice about sound. */
const BROWSERS: readonly (readonly [BrowserKind, string])[] = [
  ['withoutAac', 'without an AAC decoder'],
  ['withAac', 'with an AAC decoder'],
];

/**
 * Declares a suite about playback: in `npm test` in the browser without a decoder alone, which is as desktop VS Code, and in
 * both in `npm run fuzz`. The titles name the browser.
 */
export function describeInBrowsers(title: string, define: (browser: BrowserKind) => void): void {
  for (const [browser, name] of sampleOf(BROWSERS, 1))
    describe(`${title}, in a browser ${name}`, () => define(browser));
}
