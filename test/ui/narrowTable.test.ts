import assert from 'node:assert/strict';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { inProject } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

/** As the details page makes it of the clips of a session. */
const TABLE = `<div class="scroll"><table class="table stacks"><tbody><tr>
<td data-label="Name">Goal</td><td class="value" data-label="Duration">0:30</td>
<td class="buttons" data-label=""><span class="acts"><button class="button iconButton">▶</button></span></td>
</tr></tbody></table></div>`;

describe('A table of a narrow details page', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser('withoutAac');
  });
  after(() => browser.close());

  it('has its buttons below its values', async () => {
    const { outputFiles } = await build({
      entryPoints: [inProject('src/webview/page.css')],
      bundle: true,
      write: false,
      outdir: 'out',
      logLevel: 'error',
    });
    const page = await browser.newPage({ viewport: { width: 500, height: 300 } });
    await page.setContent(`<style>${outputFiles[0]?.text}</style><body><div class="page">${TABLE}</div></body>`);
    const edgesOf = (selector: string) =>
      page.locator(selector).evaluate((one) => {
        const { left, right } = one.getBoundingClientRect();
        return { left, right };
      });
    const [value, buttons, acts] = [await edgesOf('.value'), await edgesOf('td.buttons'), await edgesOf('.acts')];
    assert.deepEqual(buttons, value);
    assert.equal(acts.right, value.right);
  });
});
