import type { Locator, Page } from 'playwright-core';
import { blend, type Color, contrast, parseColor } from './contrast.ts';
import * as tree from './treeView.ts';
import { waitUntil } from './waitUntil.ts';

/** What the page's functions use of the browser. */
interface StyledElement {
  readonly style: { color: string };
  readonly isConnected: boolean;
  readonly parentElement: StyledElement | null;
  append(child: StyledElement): void;
  remove(): void;
  querySelector(selector: string): StyledElement | null;
}
declare const document: { querySelector(selector: string): StyledElement; createElement(name: 'i'): StyledElement };
declare function getComputedStyle(element: StyledElement): {
  readonly color: string;
  readonly backgroundColor: string;
  readonly borderTopColor: string;
  readonly fill: string;
};

/** Every theme colour that an icon of a row has. */
const ICONS = [
  'liveStreams.liveForeground',
  'liveStreams.recordingForeground',
  'liveStreams.staleForeground',
  'liveStreams.suspendedForeground',
  'liveStreams.failedForeground',
  'liveStreams.processingForeground',
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

/** Contrasts of every icon colour of the theme with what can lie under a row, by what they are of. */
export async function themeContrasts(page: Page): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number>();
  for (const [ground, layers] of Object.entries(GROUNDS)) {
    const under = blend(...(await Promise.all(layers.map((id) => themeColor(page, id)))));
    for (const id of ICONS) {
      figures.set(`${id} on a ${ground}`, contrast(blend(await themeColor(page, id), under), under));
    }
  }
  return figures;
}

/** Contrasts of the icons of streams on screen, as they are painted. */
export async function paintedContrasts(page: Page): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number>();
  for (const { level, label, icon } of await tree.readRows(page)) {
    if (level === 2 && icon !== '') figures.set(`${icon} of ${label}`, await seenContrast(page, label));
  }
  return figures;
}

/** Of a part of a chart, on the page of a webview, against what lies under it. */
export async function chartContrast(
  page: Page,
  part: Locator,
  paint: 'backgroundColor' | 'borderTopColor' | 'fill',
): Promise<number> {
  const readColors = () =>
    part.evaluate((element: unknown, name) => {
      // The page may have drawn it anew since it was found.
      if (!(element as StyledElement).isConnected) return undefined;
      const colors = [getComputedStyle(element as StyledElement)[name]];
      for (let at = (element as StyledElement).parentElement; at !== null; at = at.parentElement) {
        colors.push(getComputedStyle(at).backgroundColor);
      }
      return colors;
    }, paint);
  const [color = '', ...grounds] = await waitUntil(readColors);
  const under = blend(...grounds.map(parseColor), await themeColor(page, 'editor.background'));
  return contrast(blend(parseColor(color), under), under);
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
