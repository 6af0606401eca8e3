import assert from 'node:assert/strict';
import { startDemoFromWelcome } from '../support/page/madeStream.ts';
import type { PageElement } from '../support/page/pageElement.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** The default width of the sidebar. */
const SIDEBAR = 300;

interface MeasuredRow {
  readonly index: number;
  readonly text: string;
  readonly isFocused: boolean;
  /** Pixels that label and description take beyond what there is. */
  readonly over: number;
}

// Characters take whole pixels on the first screen, and their exact widths on the second.
for (const scale of [1, 1.5]) {
  describe(`Rows of the demo at the default width of the sidebar, on a screen of scale ${scale}`, () => {
    const workbench = suiteWorkbench({ size: { width: 1280, height: 1000 }, scale });

    before(async () => {
      const { page } = workbench();
      await startDemoFromWelcome(page);
      assert.equal((await page.locator('.part.sidebar').boundingBox())?.width, SIDEBAR);
    });

    it('are not cut before their last fact in the Streams view', async () => {
      const { page } = workbench();
      await tree.expandRow(page, 'Keynote');
      await tree.untilRows(page, (rows) => rows.filter(({ level }) => level === 3).length > 4);
      await takeScreenshot(page, `rows-active-${scale}`);
      for (const group of ['Idle', 'Recording On']) {
        if (group === 'Recording On') await tree.collapseRow(page, 'Idle');
        await tree.expandRow(page, group);
        await tree.untilRows(page, (rows) => rows.filter(({ level }) => level === 2).length > 10);
        if (group === 'Idle') await showLongSessions();
        assertUncut(await measureAll('Streams'), 25);
      }
    });

    it('are not cut before their last fact in the Recordings view', async () => {
      const { page } = workbench();
      await tree.collapseView(page, 'Streams');
      await tree.expandView(page, 'Recordings');
      await tree.untilRows(page, (rows) => rows.filter(tree.isReadySession).length > 10, { view: 'Recordings' });
      await takeScreenshot(page, `rows-recordings-${scale}`);
      assertUncut(await measureAll('Recordings'), 80);
    });

    /** Broadcasts of ten hours that were not recorded have the longest rows. */
    async function showLongSessions(): Promise<void> {
      const { page } = workbench();
      await tree.expandRow(page, 'Beehive 3');
      const isLong = ({ description }: tree.Row) => /^not recorded · \d+/.test(description);
      await tree.untilRows(page, (rows) => rows.filter(isLong).length > 4);
    }

    function assertUncut(rows: readonly MeasuredRow[], least: number): void {
      assert.ok(rows.length >= least, `only ${rows.length} rows were measured`);
      assert.deepEqual(
        rows.filter(({ over }) => over > 0).map(({ text, over }) => `${text}: ${over} pixels too wide`),
        [],
      );
    }

    /** Scrolls through the view, which has only the rows on screen. */
    async function measureAll(view: string): Promise<readonly MeasuredRow[]> {
      const { page } = workbench();
      const measured = new Map<number, MeasuredRow>();
      await tree.treeOf(page, view).focus();
      await page.mouse.move(900, 500); // a row under the mouse shows its inline actions
      await page.keyboard.press('Home');
      await waitUntil(async () => (await measureShown(view)).some(({ index }) => index === 0));
      for (let before = -1; before < measured.size; ) {
        before = measured.size;
        // The row with the focus has less room, because its inline actions are shown.
        for (const row of await measureShown(view)) if (!row.isFocused) measured.set(row.index, row);
        const last = Math.max(...measured.keys());
        await page.keyboard.press('PageDown');
        await page.keyboard.press('PageDown');
        await waitUntil(async () =>
          (await measureShown(view)).some(({ index, isFocused }) => isFocused && index >= last),
        );
      }
      await page.keyboard.press('ArrowUp');
      await waitUntil(async () =>
        (await measureShown(view)).every(({ index, isFocused }) => !isFocused || measured.has(index)),
      );
      for (const row of await measureShown(view)) if (!row.isFocused) measured.set(row.index, row);
      return [...measured.values()];
    }

    function measureShown(view: string): Promise<readonly MeasuredRow[]> {
      return tree
        .treeOf(workbench().page, view)
        .getByRole('treeitem')
        .evaluateAll((rows: readonly PageElement[]) =>
          rows.map((row) => {
            const container = row.querySelector('.monaco-icon-label-container') as unknown as {
              readonly scrollWidth: number;
              readonly clientWidth: number;
              readonly textContent: string;
            } | null;
            return {
              index: Number(row.getAttribute('data-index')),
              text: container?.textContent ?? '',
              isFocused: row.classList.contains('focused'),
              over: (container?.scrollWidth ?? 0) - (container?.clientWidth ?? 0),
            };
          }),
        );
    }
  });
}
