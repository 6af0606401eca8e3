import assert from 'node:assert/strict';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

const URL = 'http://127.0.0.1:46407/hls/4235au9t57y9j00k/index.m3u8';
const NARROWEST = 120;

/** What is bundled for the page. */
declare const made: { makeAddress(label: string, value: string): { readonly style: { width: string } } };
interface Queried {
  querySelector(selector: string): { readonly scrollWidth: number; readonly clientWidth: number } | null;
}
declare const document: { readonly body: { append(element: unknown): void } };

describe('An address of a details page', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser('withoutAac');
  });
  after(() => browser.close());

  it('has an ellipsis where something is left out of it, at every width', async () => {
    const common = {
      bundle: true,
      write: false,
      outdir: 'out',
      logLevel: 'error',
      absWorkingDir: inProject('.'),
    } as const;
    const bundled = await build({
      ...common,
      ...{ entryPoints: ['src/webview/details/address.ts'], format: 'iife', globalName: 'made' },
    });
    const styled = await build({ ...common, entryPoints: ['src/webview/page.css'] });
    const page = await browser.newPage();
    await page.setContent(`<style>${styled.outputFiles[0]?.text}</style><body class="page"></body>`);
    await page.addScriptTag({ content: bundled.outputFiles[0]?.text ?? '' });
    await page.evaluate(showAtWidths, URL);
    const all = page.locator('.address');
    const cuts = await waitUntil(async () => {
      const read = await all.evaluateAll(readCuts);
      return read[0] !== 'whole' && read;
    });
    const wrong = cuts.flatMap((cut, at) => (cut === 'unmarked' ? [`${NARROWEST + at} px`] : []));
    assert.equal(cuts.at(-1), 'whole');
    assert.deepEqual(wrong, []);
  });
});

/** One below the other, each a pixel wider. */
function showAtWidths(url: string): void {
  for (let width = 120; width <= 480; width++) {
    const address = made.makeAddress('HLS URL', url);
    address.style.width = `${width}px`;
    document.body.append(address);
  }
}

function readCuts(addresses: readonly Queried[]): readonly ('whole' | 'marked' | 'unmarked')[] {
  return addresses.map((address) => {
    const host = address.querySelector('.host');
    const isHostCut = host !== null && host.scrollWidth > host.clientWidth;
    if (address.querySelector('.left:not(:empty)') === null && !isHostCut) return 'whole';
    return isHostCut || address.querySelector('.cut') !== null ? 'marked' : 'unmarked';
  });
}
