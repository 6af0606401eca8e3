import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import type { PageElement } from '../support/page/pageElement.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const LONG = `Customer webinar ${'for every region and each of its time zones '.repeat(6)}with the last word`;
const ODD_NAMES: Readonly<Record<string, string>> = {
  [LONG]: LONG,
  'שידור חי מהאולם הגדול': '\u2068שידור חי מהאולם הגדול\u2069',
  'Tour 👩‍👩‍👧 2026 🎥': 'Tour 👩‍👩‍👧 2026 🎥',
  'Line one\nand line two': 'Line one and line two',
  '<b>Bold</b> [link](command:x) **strong**': '<b>Bold</b> [link](command:x) **strong**',
  '$(zap) $(broadcast) Icons': '$(zap) $(broadcast) Icons',
};
/** The least that VS Code gives a sidebar is 170 pixels; 300 is its default. */
const WIDTHS = [200, 300, 600];
const ROW_HEIGHT = 22;

interface MeasuredRow {
  readonly label: string;
  readonly ariaLabel: string;
  readonly hasIcon: boolean;
  readonly height: number;
  /** Pixels that label and description take beyond what there is. */
  readonly over: number;
  /** How the text ends that is too wide. */
  readonly overflow: string;
}

describe('Rows at any width of the sidebar', () => {
  const workbench = suiteWorkbench({ size: { width: 1280, height: 1000 } });
  let service: DemoService;

  before(async () => {
    const options = { streamCount: 12, liveCount: 3, seed: 7, isLively: false };
    service = await startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), ...options });
    for (const name of Object.keys(ODD_NAMES)) service.control.addStream({ name, isActive: true });
    const { page } = workbench();
    await connectTo(page, service);
    await tree.expandRow(page, 'Idle');
    await tree.untilRows(page, (rows) => rows.filter(({ level }) => level === 2).length > 15);
  });
  after(() => service.dispose());

  for (const width of WIDTHS) {
    it(`have their whole name in one line at ${width} pixels, and an icon that is not cut`, async () => {
      const { page } = workbench();
      await setSidebarWidth(width);
      await page.mouse.move(1000, 500); // a row under the mouse shows its inline actions
      const rows = (await measureRows()).filter(({ label }) => label !== '');
      const streams = service.control.streams().map(({ name }) => ODD_NAMES[name] ?? name);
      for (const name of Object.values(ODD_NAMES))
        assert.ok(
          rows.some(({ label }) => label === name),
          name,
        );
      assert.ok(rows.filter(({ label }) => streams.includes(label)).length > 15);
      for (const row of rows) {
        assert.equal(row.height, ROW_HEIGHT, row.label);
        assert.ok(row.ariaLabel.startsWith(row.label), 'a screen reader has what is cut');
        if (streams.includes(row.label)) assert.ok(row.hasIcon, row.label);
        if (row.over > 0) assert.equal(row.overflow, 'ellipsis', row.label);
      }
      const cut = rows.filter(({ over }) => over > 0).map(({ label }) => label);
      assert.ok(cut.includes(LONG));
      if (width === 600) assert.deepEqual(cut, [LONG], 'nothing is cut where there is room');
      await takeScreenshot(page, `rows-${width}`);
    });
  }

  it('have in their tooltip what is cut', async () => {
    const { page } = workbench();
    await setSidebarWidth(300);
    const tooltip = await tree.readTooltip(page, LONG);
    assert.ok(tooltip.replace(/\s+/g, ' ').startsWith(LONG), tooltip);
  });

  it("are found by the end of a name with VS Code's own find", async () => {
    const { page } = workbench();
    await tree.treeOf(page).focus();
    await page.keyboard.press('Control+Alt+f');
    const box = page.locator('.part.sidebar').getByPlaceholder('Type to search');
    // VS Code's fuzzy match has a limit of 128 characters.
    await page.locator('.part.sidebar').getByRole('checkbox', { name: 'Fuzzy Match' }).click();
    await box.fill('the last word');
    const found = tree.treeOf(page).locator('.monaco-list-row.focused .label-name');
    await waitUntil(async () => {
      await box.press('Enter');
      return (await found.count()) === 1 && (await found.innerText()) === LONG;
    });
    await takeScreenshot(page, 'rows-found');
    await page.keyboard.press('Escape');
  });

  async function setSidebarWidth(width: number): Promise<void> {
    const { page } = workbench();
    const box = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box !== null);
    const edge = box.x + box.width;
    await page.mouse.move(edge, 600);
    await page.mouse.down();
    await page.mouse.move(edge + 5, 600);
    await page.mouse.move(box.x + width, 600);
    await page.mouse.up();
    await waitUntil(async () => {
      const now = await page.locator('.part.sidebar').boundingBox();
      return Math.abs((now?.width ?? 0) - width) <= 2;
    });
  }

  function measureRows(): Promise<readonly MeasuredRow[]> {
    return tree
      .treeOf(workbench().page)
      .getByRole('treeitem')
      .evaluateAll((rows: readonly PageElement[]) =>
        rows.map((row) => {
          type Measured = { readonly scrollWidth: number; readonly clientWidth: number; readonly offsetHeight: number };
          const container = row.querySelector('.monaco-icon-label-container') as unknown as Measured & PageElement;
          return {
            label: row.querySelector('.label-name')?.textContent ?? '',
            ariaLabel: row.getAttribute('aria-label') ?? '',
            hasIcon: row.querySelector('.custom-view-tree-node-item-icon') !== null,
            height: (row as unknown as Measured).offsetHeight,
            over: container.scrollWidth - container.clientWidth,
            overflow: (getComputedStyle(container) as unknown as { readonly textOverflow: string }).textOverflow,
          };
        }),
      );
  }
});

/** The browser's, for the function that runs in the page. */
declare function getComputedStyle(element: PageElement): unknown;
