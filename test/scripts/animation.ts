import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { untilPlaying } from '../support/page/playerPage.ts';
import { rowOf, showContainer, untilRows, welcomeAction } from '../support/page/treeView.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { withWorkbench } from '../support/vscode/workbench.ts';
import { writeInPalette } from './ffmpeg.ts';
import { focusMenuItem, leaveRows, openMenu } from './pictureScenes.ts';

/** The stream that is watched. It is always live. */
const WATCHED = 'Keynote';
const SIZE = { width: 1000, height: 600 };
const FRAME_MS = 80;
const TITLE_BAR_PX = 35;

/** Records how a newcomer tries the demo, watches a stream, and copies its key, into a GIF. Needs ffmpeg. */
export async function recordAnimation(path: string, theme: string): Promise<void> {
  const settings = { 'workbench.colorTheme': theme, 'window.title': 'Live Streams' };
  await withWorkbench({ settings, size: SIZE, scale: 1.5 }, async ({ page }) => {
    const film = createFilm(page);
    try {
      await play(page, film);
      film.write(path);
    } finally {
      film.dispose();
    }
  });
}

async function play(page: Page, film: Film): Promise<void> {
  await showContainer(page);
  const tryDemo = welcomeAction(page, 'Try the Demo');
  await tryDemo.waitFor();
  await leaveRows(page);
  await film.point({ x: 620, y: 380 });
  await film.take(900);
  await film.pointAt(tryDemo);
  await film.take(500);
  await tryDemo.click();
  const keynote = rowOf(page, WATCHED);
  await keynote.waitFor();
  await untilRows(page, (rows) => rows.length > 5);
  await film.take(1800);
  await pressOnRow(page, film, { row: keynote, action: /^Watch(?!.* in Browser)/ });
  await untilPlaying(page);
  for (let frame = 0; frame < 12; frame++) {
    await page.waitForTimeout(100);
    await film.take(200);
  }
  await pressOnRow(page, film, { row: keynote, action: /^Copy Stream Key\b/ });
  const copied = page.getByText(/^Copied the stream key/).first();
  await copied.waitFor();
  await film.take(700);
  // The row's hover would cover the video.
  await leaveRows(page);
  await film.point({ x: 560, y: 420 });
  for (let frame = 0; frame < 12; frame++) {
    await page.waitForTimeout(100);
    await film.take(200);
  }
}

interface RowAction {
  readonly row: Locator;
  readonly action: RegExp;
}

/** By the button in the row where there is one, else by the row's menu. */
async function pressOnRow(page: Page, film: Film, { row, action }: RowAction): Promise<void> {
  await film.pointAt(row.locator('.label-name'));
  await row.hover();
  await film.take(300);
  const button = row.getByRole('button', { name: action });
  if ((await button.count()) > 0) {
    await film.pointAt(button);
    await button.hover();
    await film.take(500);
    await button.click();
    return;
  }
  await openMenu(page, row);
  const item = await focusMenuItem(page, action);
  await film.take(300);
  await film.pointAt(item);
  await film.take(600);
  await page.keyboard.press('Enter');
  await item.waitFor({ state: 'detached' });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Film {
  /** Moves the pointer in a straight line. */
  point(to: Point): Promise<void>;
  pointAt(target: Locator): Promise<void>;
  /** Adds what is on screen as a frame. */
  take(ms: number): Promise<void>;
  write(path: string): void;
  dispose(): void;
}

function createFilm(page: Page): Film {
  const folder = makeTemporaryFolder('animation');
  const frames: { readonly file: string; readonly ms: number }[] = [];
  let at: Point = { x: 500, y: 300 };

  async function take(ms: number): Promise<void> {
    const file = join(folder, `${frames.length}.png`);
    // Without the title, which names a folder of the tests.
    const clip = { x: 0, y: TITLE_BAR_PX, width: SIZE.width, height: SIZE.height - TITLE_BAR_PX };
    await page.screenshot({ path: file, clip });
    frames.push({ file, ms });
  }

  async function point(to: Point): Promise<void> {
    const from = at;
    const steps = Math.max(3, Math.min(8, Math.round(Math.hypot(to.x - from.x, to.y - from.y) / 60)));
    for (let step = 1; step <= steps; step++) {
      const share = easeInOut(step / steps);
      at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await page.evaluate(drawPointer, at);
      await take(FRAME_MS);
    }
  }

  return {
    point,
    async pointAt(target) {
      const box = await target.boundingBox();
      if (box === null) throw new Error(`${target} is not shown`);
      await point({ x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 });
    },
    take,
    write(path) {
      const list = join(folder, 'frames.txt');
      const lines = frames.map(({ file, ms }) => `file '${file}'\nduration ${ms / 1000}`);
      writeFileSync(list, [...lines, `file '${frames.at(-1)?.file}'`, ''].join('\n'));
      writeInPalette(['-f', 'concat', '-safe', '0', '-i', list], path);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const easeInOut = (share: number) => (1 - Math.cos(Math.PI * share)) / 2;

/** The browser's, for the function that runs in its page. */
interface Shape {
  id: string;
  readonly style: { cssText: string };
  setAttribute(name: string, value: string): void;
  append(child: Shape): void;
}
declare const document: {
  readonly body: Shape;
  getElementById(id: string): Shape | null;
  createElementNS(namespace: string, name: string): Shape;
};

/** A screenshot has no pointer, so one is drawn. */
function drawPointer({ x, y }: Point): void {
  const svg = 'http://www.w3.org/2000/svg';
  let pointer = document.getElementById('pointer');
  if (pointer === null) {
    pointer = document.createElementNS(svg, 'svg');
    pointer.id = 'pointer';
    pointer.setAttribute('viewBox', '0 0 16 24');
    const arrow = document.createElementNS(svg, 'path');
    arrow.setAttribute('d', 'M1 1v18l4.5-4 3 7 3-1.300-3-6.700H15z');
    arrow.setAttribute('fill', '#fff');
    arrow.setAttribute('stroke', '#000');
    arrow.setAttribute('stroke-width', '1.2');
    pointer.append(arrow);
    document.body.append(pointer);
  }
  pointer.style.cssText = `position:fixed;z-index:1000000;pointer-events:none;width:16px;height:24px;left:${x}px;top:${y}px`;
}
