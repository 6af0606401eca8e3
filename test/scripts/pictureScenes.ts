import type { Locator, Page } from 'playwright-core';
import type { DemoService } from '../support/demo/demoService.ts';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { closeTabs, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { quickInput, runCommand } from '../support/page/quickInput.ts';
import {
  collapseRow,
  collapseView,
  expandRow,
  expandView,
  paneOf,
  type Row,
  rowOf,
  showContainer,
  treeOf,
  untilRows,
} from '../support/page/treeView.ts';
import { PICTURED } from './picturedService.ts';
import { STEP_SIZE } from './walkthroughPicture.ts';

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

const STEP_WINDOW = { width: 700, height: 520 };

interface StepScene extends Scene {
  /** How many are enough for its icons to keep theirs. Undefined if it has video. */
  readonly colors?: number;
}

/** What the README's pictures show, by the names of their files; each begins where the one before it ended. */
export const scenes: Readonly<Record<string, Scene>> = {
  streams: { size: { width: 1200, height: 720 }, show: showStreams },
  player: { size: { width: 1200, height: 640 }, show: showPlayer },
  recordings: { size: { width: 1200, height: 640 }, show: showRecordings },
  webhooks: { size: { width: 1200, height: 640 }, show: showWebhooks },
};

/**
 * What the walkthrough's pictures show, by the ids of its steps. The first is taken before anything is connected, the
 * last after the README's.
 */
export const steps: Readonly<Record<string, StepScene>> = {
  connect: { size: STEP_WINDOW, show: showServices, colors: 17 },
  look: { size: STEP_WINDOW, show: showLive, colors: 34 },
  encoder: { size: STEP_WINDOW, show: showMenu, colors: 24 },
  watch: { size: STEP_WINDOW, show: showStepPlayer },
  webhooks: { size: STEP_WINDOW, show: showStepDelivery, colors: 17 },
};

/** The services to choose from, above the welcome text. */
async function showServices(page: Page): Promise<Clip> {
  await showContainer(page);
  await paneOf(page).locator('.welcome-view-content').waitFor();
  await runCommand(page, 'liveStreams.addConnection');
  await quickInput(page).locator('.quick-input-list .monaco-list-row').first().waitFor();
  // Away from the box, whose tooltip would cover it.
  await page.mouse.move(690, 480);
  await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
  return { x: 48, y: 0, ...STEP_SIZE };
}

/** Who is live, and one stream with its sessions. */
async function showLive(page: Page): Promise<Clip> {
  await expandRow(page, PICTURED);
  await untilRows(page, (rows) => rows.filter((row) => row.level === 3).length > 1);
  await leaveRows(page);
  return { ...(await belowTitle(page)), ...STEP_SIZE };
}

/** The menu of a stream, at Copy Stream Key. */
async function showMenu(page: Page): Promise<Clip> {
  await collapseRow(page, PICTURED);
  // The menu of a stream that is recorded begins with clips instead.
  await openMenu(page, rowOf(page, 'Bird nest cam'));
  await focusMenuItem(page, /^Copy Stream Key\b/);
  return { ...(await belowTitle(page)), ...STEP_SIZE };
}

/** A recording that plays, alone. */
async function showStepPlayer(page: Page, service: DemoService): Promise<Clip> {
  await closeMenus(page);
  await expandRow(page, PICTURED);
  await playRecording(page, service);
  const clip = await fitEditor(page);
  await videoOf(page).hover();
  await page.waitForTimeout(800);
  return clip;
}

/** A delivery that failed, alone. */
async function showStepDelivery(page: Page): Promise<Clip> {
  const clip = await fitEditor(page);
  await leaveRows(page);
  return clip;
}

/** Hides the Side Bar, and makes the editor as large as a step's picture. */
async function fitEditor(page: Page): Promise<Clip> {
  await page.keyboard.press('Control+b');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  const { y } = await belowTitle(page);
  const { x } = await boxOf(page.locator('.part.editor'));
  const status = await boxOf(page.locator('.part.statusbar'));
  await page.setViewportSize({ width: x + STEP_SIZE.width, height: y + STEP_SIZE.height + status.height });
  return { x, y, ...STEP_SIZE };
}

/** Who is live, beside the page of a stream. */
async function showStreams(page: Page): Promise<Clip> {
  await closeTabs(page);
  await page.keyboard.press('Control+b');
  await chooseFromMenuOf(page, rowOf(page, PICTURED), /^Show( Stream)? Details\b/);
  await detailsFrame(page).locator('h1').waitFor();
  await page.waitForTimeout(2_000); // its pictures come later
  await leaveRows(page);
  return belowTitle(page);
}

/** A recording that plays, beside its row. */
async function showPlayer(page: Page, service: DemoService): Promise<Clip> {
  await closeTabs(page);
  await playRecording(page, service);
  return belowTitle(page);
}

/** Recordings by day, and the page of one. No notification lies over its controls, so nothing is downloaded. */
async function showRecordings(page: Page, service: DemoService): Promise<Clip> {
  await closeTabs(page);
  await chooseFromMenuOf(page, await readySession(page, service), /^Show( Session)? Details\b/);
  await untilVideo(page, ({ contrast }) => contrast > 5);
  await collapseView(page, 'Streams');
  await expandView(page, 'Recordings');
  await untilRows(page, (rows) => rows.filter((row) => row.level === 2).length > 3, { view: 'Recordings' });
  await leaveRows(page);
  return belowTitle(page);
}

/** What was delivered to a webhook, and why one delivery failed. */
async function showWebhooks(page: Page): Promise<Clip> {
  await closeTabs(page);
  await collapseView(page, 'Recordings');
  await expandView(page, 'Webhooks');
  await expandRow(page, 'Website', { view: 'Webhooks' });
  const rows = await untilRows(page, (all) => all.some(isFailedDelivery), { view: 'Webhooks' });
  const label = rows.find(isFailedDelivery)?.label ?? '';
  const at = rows.filter((row) => row.label === label).findIndex(isFailedDelivery);
  await rowOf(page, label, { view: 'Webhooks', at }).click();
  await detailsFrame(page)
    .getByText(/^Failed · /)
    .first()
    .waitFor();
  await leaveRows(page);
  return belowTitle(page);
}

const isFailedDelivery = ({ level, icon }: Row) => level > 1 && icon === 'error';

async function playRecording(page: Page, service: DemoService): Promise<void> {
  await (await readySession(page, service)).locator('.label-name').click();
  await untilVideo(page, ({ currentTime }) => currentTime > 3);
  await videoOf(page).hover(); // the controls come
  await page.waitForTimeout(800);
  await untilVideo(page, ({ paused, contrast }) => !paused && contrast > 5);
}

/** The row of the newest session of the expanded stream that has a recording. */
async function readySession(page: Page, { control }: DemoService): Promise<Locator> {
  const stream = control.streams().find(({ name }) => name === PICTURED);
  const sessions = control.sessions(stream?.id ?? '').toSorted((a, b) => b.createdAt - a.createdAt);
  const place = sessions.findIndex(({ recordingStatus }) => recordingStatus === 'ready');
  const rows = treeOf(page).locator('[role=treeitem][aria-level="3"]');
  await rows.nth(place).waitFor();
  return rows.nth(place);
}

async function chooseFromMenuOf(page: Page, row: Locator, item: RegExp): Promise<void> {
  await openMenu(page, row);
  const choice = await focusMenuItem(page, item);
  await page.keyboard.press('Enter');
  await choice.waitFor({ state: 'detached' });
}

/** Opens a row's menu, which closes again if the window is just being laid out. */
export async function openMenu(page: Page, row: Locator): Promise<void> {
  const menu = page.locator('.monaco-menu').first();
  await untilTrue(page, async () => {
    if (!(await menu.isVisible())) await row.locator('.label-name').click({ button: 'right' });
    await page.waitForTimeout(500);
    return menu.isVisible();
  });
}

/** Points at an item of the menu that is open, and waits until it has the focus. */
export async function focusMenuItem(page: Page, label: RegExp): Promise<Locator> {
  const choice = page
    .locator('.monaco-menu .action-item')
    .filter({ has: page.getByRole('menuitem', { name: label }) })
    .first();
  await choice.hover();
  await choice.and(page.locator('.focused')).waitFor();
  return choice;
}

async function closeMenus(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('.monaco-menu').first().waitFor({ state: 'detached' });
}

/** All but the title, which names a folder of the tests. */
async function belowTitle(page: Page): Promise<Clip> {
  const { y } = await boxOf(page.locator('.part.activitybar'));
  const { width, height } = await boxOf(page.locator('.monaco-workbench'));
  return { x: 0, y, width, height: height - y };
}

async function untilTrue(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 100) throw new Error(`Not within 10 s: ${isSo}`);
    await page.waitForTimeout(100);
  }
}

/** So that no tooltip and no row's buttons are in the picture. */
export async function leaveRows(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 };
  await page.mouse.move(width - 10, height / 2);
  await page.waitForTimeout(1_000);
}

async function boxOf(locator: Locator): Promise<Clip> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator} is not shown`);
  return box;
}
