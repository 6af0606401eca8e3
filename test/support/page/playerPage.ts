import type { FrameLocator, Locator, Page } from 'playwright-core';
import { WAIT_MS } from './waitUntil.ts';

/** The browser's, for the functions that run in the player's page. */
interface Video {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly muted: boolean;
  readonly ended: boolean;
  readonly videoWidth: number;
  readonly videoHeight: number;
}
declare const document: {
  createElement(name: 'canvas'): {
    width: number;
    height: number;
    getContext(kind: '2d'): {
      drawImage(video: Video, x: number, y: number, width: number, height: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Iterable<number> };
    };
  };
};

/** The page inside the one webview that is in front. */
export function playerFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
}

export function videoOf(page: Page): Locator {
  return playerFrame(page).locator('video');
}

interface Playing {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly muted: boolean;
  readonly hasEnded: boolean;
  readonly width: number;
  readonly height: number;
  /** Of the picture's pixels, 0 to 255; 0 is black, and no picture. */
  readonly brightness: number;
  /** How much the pixels differ from each other: 0 for a plain area. */
  readonly contrast: number;
}

/** What the video shows now. */
export function readVideo(page: Page): Promise<Playing> {
  return videoOf(page).evaluate((element: unknown) => {
    const video = element as Video;
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 36;
    const drawing = canvas.getContext('2d');
    drawing.drawImage(video, 0, 0, 64, 36);
    const all = [...drawing.getImageData(0, 0, 64, 36).data].filter((_, index) => index % 4 !== 3);
    const brightness = all.reduce((sum, value) => sum + value, 0) / all.length;
    const spread = all.reduce((sum, value) => sum + (value - brightness) ** 2, 0) / all.length;
    const { currentTime, paused, muted, ended: hasEnded, videoWidth: width, videoHeight: height } = video;
    return { currentTime, paused, muted, hasEnded, width, height, brightness, contrast: Math.sqrt(spread) };
  });
}

/** Bytes of sound that were decoded so far. */
export function countDecodedAudio(page: Page): Promise<number> {
  return videoOf(page).evaluate(
    (video: unknown) => (video as { readonly webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount,
  );
}

/** Waits until the video is as wanted; fails with what it was instead. */
export async function untilVideo(page: Page, isWanted: (playing: Playing) => boolean): Promise<Playing> {
  const deadline = Date.now() + WAIT_MS;
  await videoOf(page).waitFor();
  for (;;) {
    const playing = await readVideo(page).catch(unlessDetached);
    if (playing !== undefined && isWanted(playing)) return playing;
    if (Date.now() > deadline) {
      throw new Error(`The video did not become as wanted (${isWanted}): ${JSON.stringify(playing)}`);
    }
    await page.waitForTimeout(100);
  }
}

/** A tab that is reused gets a new page: the one that is read may go meanwhile. */
function unlessDetached(error: unknown): undefined {
  if (!/Frame was detached/.test(String(error))) throw error;
}

/** Waits until it plays a picture. */
export async function untilPlaying(page: Page): Promise<Playing> {
  const first = await untilVideo(page, (playing) => playing.currentTime > 0 && playing.contrast > 5);
  // On a slow machine a short recording may have ended before it is looked at again, or for the first time.
  const hasAdvanced = ({ currentTime, hasEnded }: Playing) => hasEnded || currentTime > first.currentTime + 0.5;
  return untilVideo(page, (playing) => hasAdvanced(playing) && playing.contrast > 5);
}

/** Waits for a problem in the player's words, and reads its sentence and buttons, without that of the menu. */
export async function untilProblem(
  page: Page,
  words: RegExp,
): Promise<{ sentence: string; buttons: readonly string[] }> {
  const problem = playerFrame(page).locator('.problem');
  const sentence = problem.locator('.sentence').filter({ hasText: words });
  await sentence.waitFor();
  return { sentence: await sentence.innerText(), buttons: await problem.locator('.actions > .button').allInnerTexts() };
}

export async function pressPlayerButton(page: Page, label: string): Promise<void> {
  await playerFrame(page).getByRole('button', { name: label, exact: true }).first().click();
}

/** Presses an entry of the player's menu. */
export async function pressMenuEntry(page: Page, label: string): Promise<void> {
  await pressPlayerButton(page, 'More Actions…');
  await pressPlayerButton(page, label);
}

/** Closes the tabs of all editors. */
export async function closeTabs(page: Page): Promise<void> {
  const tabs = page.locator('.tabs-container .tab');
  for (let left = await tabs.count(); left > 0; left--) {
    await tabs.first().hover();
    await tabs
      .first()
      .getByRole('button', { name: /^Close/ })
      .click();
    await tabs.nth(left - 1).waitFor({ state: 'detached' });
  }
}

interface SoughtVideo extends Omit<Video, 'currentTime'> {
  requestVideoFrameCallback(look: (now: number, frame: { readonly mediaTime: number }) => void): void;
  currentTime: number;
  pause(): void;
}

/**
 * Seeks to a time, and returns which second of the demo's source movie the picture there is of, by the line that sweeps
 * below its counter in 12 s.
 */
export function readSweep(page: Page, at: number): Promise<number> {
  return videoOf(page).evaluate(async (element: unknown, time: unknown) => {
    const video = element as SoughtVideo;
    video.pause();
    // The seek may have ended before its picture is there.
    await new Promise<void>((resolve) => {
      const look = (_now: number, { mediaTime }: { readonly mediaTime: number }): void => {
        const into = Number(time) + 0.001 - mediaTime;
        // Within a frame, of which there are 15 a second.
        if (into > -0.002 && into < 0.067) resolve();
        else video.requestVideoFrameCallback(look);
      };
      video.requestVideoFrameCallback(look);
      video.currentTime = Number(time) + 0.001;
    });
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 360;
    const drawing = canvas.getContext('2d');
    drawing.drawImage(video, 0, 0, 640, 360);
    const line = [...drawing.getImageData(0, 348, 640, 1).data].filter((_, index) => index % 4 === 1);
    const bright = line.flatMap((value, x) => (value > 128 ? [x] : []));
    return ((bright.reduce((sum, x) => sum + x, 0) / bright.length) * 12) / 640;
  }, at);
}

/** The start and the end of the clip that is cut, as the player shows them. */
export function readClipTimes(page: Page | FrameLocator): Promise<readonly string[]> {
  return page
    .locator('input.clipTime')
    .evaluateAll((all) => all.map((time) => (time as unknown as { readonly value: string }).value));
}
