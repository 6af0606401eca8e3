import type { Locator, Page } from 'playwright-core';
import type { DemoService } from '../support/demo/demoService.ts';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { closeTabs, pressPlayerButton, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { quickInput } from '../support/page/quickInput.ts';
import {
  chooseFromContextMenu,
  collapseView,
  expandRow,
  expandView,
  paneOf,
  rowOf,
  untilRows,
} from '../support/page/treeView.ts';
import { PICTURED } from './picturedService.ts';

/** A part of the page, in CSS pixels. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Scene {
  readonly size: { readonly width: number; readonly height: number };
  /** Brings it on screen, and says where it is. */
  readonly show: (page: Page, service: DemoService) => Promise<Clip>;
}

/** What the pictures show, by the names of their files; each begins where the one before it ended. */
export const scenes: Readonly<Record<string, Scene>> = {
  tree: { size: { width: 900, height: 710 }, show: showTree },
  details: { size: { width: 1080, height: 1300 }, show: showDetails },
  player: { size: { width: 1260, height: 700 }, show: showPlayer },
  download: { size: { width: 1120, height: 560 }, show: showDownload },
};

/** Both views as they are of use: who is live, one stream with its sessions, and the recordings of all. */
async function showTree(page: Page): Promise<Clip> {
  await widenSideBar(page, 440);
  await expandRow(page, PICTURED);
  await untilRows(page, (rows) => rows.filter((row) => row.level === 3).length > 1);
  await expandView(page, 'Recordings');
  await untilRows(page, (rows) => rows.filter((row) => row.level === 2).length > 3, { view: 'Recordings' });
  await raiseRecordings(page, 75);
  await page.mouse.click(700, 300); // the focus leaves the rows
  await leaveRows(page);
  const { x, y, width, height } = await boxOf(page.locator('.part.sidebar'));
  return { x: 0, y, width: x + width + 2, height: height + 2 };
}

/** The page alone, from its name down to its first sessions. */
async function showDetails(page: Page): Promise<Clip> {
  await chooseFromContextMenu(page, PICTURED, 'Show Stream Details');
  await detailsFrame(page).locator('.strip').waitFor();
  await detailsFrame(page).locator('.picture.drawn').waitFor();
  await page.keyboard.press('Control+b');
  await leaveRows(page);
  const { x, y, width } = await boxOf(page.locator('.part.editor'));
  const row = await boxOf(detailsFrame(page).locator('.sessions tbody tr').nth(5));
  return { x, y, width, height: row.y + row.height - y };
}

/** A recording that plays, beside its row. */
async function showPlayer(page: Page): Promise<Clip> {
  await closeTabs(page);
  await page.keyboard.press('Control+b');
  await collapseView(page, 'Recordings');
  await widenSideBar(page, 340);
  await rowOf(page, await readySession(page))
    .locator('.label-name')
    .click();
  await untilVideo(page, ({ currentTime }) => currentTime > 3);
  await videoOf(page).hover(); // the browser's controls come
  await page.waitForTimeout(800);
  await untilVideo(page, ({ paused, contrast }) => !paused && contrast > 5);
  return belowTitle(page);
}

/** A recording's page while its MP4 is coming. */
async function showDownload(page: Page): Promise<Clip> {
  await closeTabs(page);
  await chooseFromContextMenu(page, await readySession(page), 'Show Session Details');
  await pressPlayerButton(page, 'Download MP4…');
  const name = quickInput(page).locator('input.input');
  await untilTrue(page, async () => (await name.inputValue()).endsWith('.mp4'));
  await page.keyboard.press('Enter');
  const toast = page.locator('.notification-toast').filter({ hasText: 'Downloading' });
  await toast.waitFor();
  await leaveRows(page);
  await toast.filter({ hasText: /1\d\d MB of .* left/ }).waitFor({ timeout: 30_000 });
  return belowTitle(page);
}

async function readySession(page: Page): Promise<string> {
  const rows = await untilRows(page, (all) => all.some((row) => row.description.includes('ready')));
  return rows.find((row) => row.description.includes('ready'))?.label ?? '';
}

/** All but the title, which names a folder of the tests. */
async function belowTitle(page: Page): Promise<Clip> {
  const { y } = await boxOf(page.locator('.part.sidebar'));
  const { width, height } = await boxOf(page.locator('.monaco-workbench'));
  return { x: 0, y, width, height: height - y };
}

async function untilTrue(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 100) throw new Error(`Not within 10 s: ${isSo}`);
    await page.waitForTimeout(100);
  }
}

async function widenSideBar(page: Page, width: number): Promise<void> {
  const sidebar = await boxOf(page.locator('.part.sidebar'));
  const edge = sidebar.x + sidebar.width + 2;
  await page.mouse.move(edge, 300);
  await page.mouse.down();
  await page.mouse.move(sidebar.x + width, 300, { steps: 5 });
  await page.mouse.up();
}

/** Gives the lower view the room that the upper one has to spare. */
async function raiseRecordings(page: Page, pixels: number): Promise<void> {
  const { x, y } = await boxOf(paneOf(page, 'Recordings'));
  await page.mouse.move(x + 100, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y - pixels, { steps: 5 });
  await page.mouse.up();
}

/** So that no tooltip and no row's buttons are in the picture. */
async function leaveRows(page: Page): Promise<void> {
  await page.mouse.move(600, 4);
  await page.waitForTimeout(1_000);
}

async function boxOf(locator: Locator): Promise<Clip> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator} is not shown`);
  return box;
}
