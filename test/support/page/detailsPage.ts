import type { FrameLocator, Locator, Page } from 'playwright-core';
import { playerFrame } from './playerPage.ts';

/** The browser's, for the functions that run in the page. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  toDataURL(): string;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
}
interface PlotArea {
  readonly clientWidth: number;
  readonly clientHeight: number;
  readonly style: { readonly cursor: string };
  getBoundingClientRect(): { readonly left: number; readonly top: number };
  dispatchEvent(event: unknown): boolean;
}
declare const MouseEvent: new (
  type: string,
  options: { readonly clientX: number; readonly clientY: number },
) => unknown;

/** The page of the one webview that is in front. */
export const detailsFrame: (page: Page) => FrameLocator = playerFrame;

/** All that is in the page, as HTML. */
export function readHtml(page: Page): Promise<string> {
  return detailsFrame(page)
    .locator('html')
    .evaluate((html: unknown) => (html as { readonly outerHTML: string }).outerHTML);
}

/** The value beside a label. */
export function factValue(page: Page, label: string): Locator {
  return factOf(page, label).locator('.value');
}

export async function pressFactButton(page: Page, label: string, button: string): Promise<void> {
  await factOf(page, label).locator('button').getByText(button, { exact: true }).click();
}

function factOf(page: Page, label: string): Locator {
  const named = detailsFrame(page).locator('.label').getByText(label, { exact: true });
  return detailsFrame(page).locator('.fact').filter({ has: named });
}

/** A plot's picture as an address: two that are the same are drawn the same. */
export function readPlot(page: Page, plot: number): Promise<string> {
  return plotOf(page, plot)
    .locator('canvas')
    .evaluate((element: unknown) => (element as Canvas).toDataURL());
}

/** How many different colours a plot's canvas shows; 1 for a blank one. */
export function countColors(page: Page, plot: number): Promise<number> {
  return plotOf(page, plot)
    .locator('canvas')
    .evaluate((element: unknown) => {
      const canvas = element as Canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const colors = new Set<number>();
      for (let at = 0; at < data.length; at += 4) {
        colors.add(
          (data[at] ?? 0) * 0x1000000 +
            (data[at + 1] ?? 0) * 0x10000 +
            (data[at + 2] ?? 0) * 0x100 +
            (data[at + 3] ?? 0),
        );
      }
      return colors.size;
    });
}

/** Finds a bar that opens a recording by moving over the timeline, and clicks it. */
export async function clickTimeline(page: Page): Promise<void> {
  const area = plotOf(page, 0).locator('.u-over');
  const position = await area.evaluate((element: unknown) => {
    const over = element as PlotArea;
    const { left, top } = over.getBoundingClientRect();
    for (let x = over.clientWidth - 2; x > 0; x -= 3) {
      for (let y = 1; y < over.clientHeight; y += 2) {
        over.dispatchEvent(new MouseEvent('mousemove', { clientX: left + x, clientY: top + y }));
        if (over.style.cursor === 'pointer') return { x, y };
      }
    }
    return undefined;
  });
  if (position === undefined) throw new Error('No bar of the timeline opens a recording');
  await area.click({ position });
}

export function plotOf(page: Page, plot: number): Locator {
  return detailsFrame(page).locator('.plot').nth(plot);
}
