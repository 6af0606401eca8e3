import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { buildReportFiles, PAGE_THEMES } from '../support/page/deliveryInBrowser.ts';
import { buildPlayerFiles } from '../support/page/playerInBrowser.ts';
import { inProject } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

/** The browser's, for the functions that run in the page. */
declare function getComputedStyle(element: unknown): {
  readonly borderTopWidth: string;
  readonly backgroundColor: string;
};

describe('A page that has not been told what to show', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser('withoutAac');
  });
  after(() => browser.close());

  for (const [name, build] of [
    ['details', buildPlayerFiles],
    ['check', buildReportFiles],
  ] as const) {
    it(`draws nothing: ${name}`, async () => {
      const { script, style } = await build();
      const page = await browser.newPage();
      await page.exposeFunction('sendToHost', () => undefined);
      const data = { name, page: 1, subject: { connection: 'c', kind: 'stream', id: 's' }, texts: null };
      const colors = `${PAGE_THEMES.dark.colors} --vscode-progressBar-background: #297aa0;`;
      await page.setContent(
        `<style>:root { ${colors} } ${style}</style><body data-page='${JSON.stringify(data)}'></body>`,
      );
      await page.evaluate(await readFile(inProject('test/support/page/vscodeApi.js'), 'utf8'));
      await page.evaluate(script);
      await page.locator('main').waitFor();
      const drawn = await page.locator('main *').evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().height > 1)
          .filter((one) => {
            const { borderTopWidth, backgroundColor } = getComputedStyle(one);
            return borderTopWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)';
          })
          .map(({ className }) => className),
      );
      assert.deepEqual(drawn, []);
    });
  }
});
