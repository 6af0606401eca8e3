import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { blend, type Color, contrast, parseColor } from '../support/page/contrast.ts';
import { pickQuickItem, runEditorCommand, typeInQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** What the page's functions use of the browser. */
interface StyledElement {
  readonly style: { color: string };
  readonly parentElement: StyledElement | null;
  append(child: StyledElement): void;
  remove(): void;
  querySelector(selector: string): StyledElement | null;
}
declare const document: { querySelector(selector: string): StyledElement; createElement(name: 'i'): StyledElement };
declare function getComputedStyle(element: StyledElement): { readonly color: string; readonly backgroundColor: string };

/** One theme of each kind, and the class by which the workbench says which kind it is. */
const THEMES = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Dark High Contrast': 'hc-black',
  'Light High Contrast': 'hc-light',
} as const;

/** Every theme colour that an icon of a row has. */
const ICONS = [
  'liveStreams.liveForeground',
  'liveStreams.recordingForeground',
  'liveStreams.staleForeground',
  'liveStreams.suspendedForeground',
  'liveStreams.failedForeground',
  'liveStreams.warningForeground',
  'icon.foreground',
] as const;

/** What lies under a row, from the top. */
const GROUNDS: Readonly<Record<string, readonly string[]>> = {
  row: ['sideBar.background'],
  'row under the mouse': ['list.hoverBackground', 'sideBar.background'],
  'selected row': ['list.inactiveSelectionBackground', 'sideBar.background'],
  'selected row with the focus': ['list.activeSelectionBackground', 'sideBar.background'],
};

/** WCAG 2, 1.4.11: what is needed to understand an icon. */
const LEAST = 3;

describe('Icons of rows in every kind of theme', () => {
  const workbench = suiteWorkbench();

  before(async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.pressWelcomeButton(page, 'Try the Demo');
    await tree.untilRows(page, (rows) => rows.some((row) => row.icon === 'broadcast'));
  });

  for (const [theme, kind] of Object.entries(THEMES)) {
    it(`stand out from what is under them: ${theme}`, async () => {
      const { page } = workbench();
      await chooseTheme(page, theme, kind);
      const figures = new Map<string, number>();
      for (const [ground, layers] of Object.entries(GROUNDS)) {
        const under = blend(...(await Promise.all(layers.map((id) => themeColor(page, id)))));
        for (const id of ICONS) {
          figures.set(`${id} on a ${ground}`, contrast(blend(await themeColor(page, id), under), under));
        }
      }
      const low = [...figures].filter(([, figure]) => figure < LEAST).map(([what, figure]) => `${what}: ${figure}`);
      console.log(`${theme}: ${describeFigures(figures)}`);
      assert.deepEqual(low, []);
    });

    it(`are seen so, whether a row is selected or not: ${theme}`, async () => {
      const { page } = workbench();
      const [first] = await streamRows(page);
      assert.ok(first);
      await tree.rowOf(page, first.label).locator('.label-name').click();
      await tree.untilRows(page, (rows) => rows.some((row) => row.label === first.label && row.isSelected));
      const rows = await streamRows(page);
      assert.ok(rows.length > 1);
      const figures = new Map<string, number>();
      for (const { label, icon } of rows) figures.set(`${icon} of ${label}`, await seenContrast(page, label));
      await takeScreenshot(page, `contrast-${theme}`);
      console.log(`${theme}, as painted: ${describeFigures(figures)}`);
      assert.ok(
        [...figures.values()].every((figure) => figure >= LEAST),
        describeFigures(figures),
      );
    });
  }
});

async function streamRows(page: Page): Promise<readonly tree.Row[]> {
  return (await tree.readRows(page)).filter(({ level, icon }) => level === 2 && icon !== '');
}

async function chooseTheme(page: Page, theme: string, kind: string): Promise<void> {
  await runEditorCommand(page, 'Preferences: Color Theme');
  await typeInQuickInput(page, theme);
  await pickQuickItem(page, theme);
  await page.locator(`.monaco-workbench.${kind}`).first().waitFor();
  await waitUntil(async () => (await page.locator('.quick-input-widget:visible').count()) === 0);
  await page.mouse.move(640, 5); // over no row
}

/** A theme's colour; one that the theme leaves out is transparent. */
async function themeColor(page: Page, id: string): Promise<Color> {
  const text = await page.evaluate(
    (name) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${name}, transparent)`;
      document.querySelector('.monaco-workbench').append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    },
    `--vscode-${id.replace('.', '-')}`,
  );
  return parseColor(text);
}

/** Of a row's icon against all that lies under it, as they are painted. */
async function seenContrast(page: Page, label: string): Promise<number> {
  const { color, grounds } = await tree.rowOf(page, label).evaluate((row: unknown) => {
    const icon = (row as StyledElement).querySelector('.custom-view-tree-node-item-icon');
    const colors: string[] = [];
    for (let at = icon; at !== null; at = at.parentElement) colors.push(getComputedStyle(at).backgroundColor);
    return { color: icon === null ? '' : getComputedStyle(icon).color, grounds: colors };
  });
  const under = blend(...grounds.map(parseColor));
  return contrast(blend(parseColor(color), under), under);
}

function describeFigures(figures: ReadonlyMap<string, number>): string {
  const lowest = [...figures].sort(([, one], [, other]) => one - other).slice(0, 4);
  return lowest.map(([what, figure]) => `${what} ${figure.toFixed(1)}`).join(', ');
}
