import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type BroadcastProgress, broadcast } from '../../src/broadcast/broadcast.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { parseTimer } from '../../src/util/positions.ts';
import { copyIngest, makeStream, startDemoFromWelcome, untilInGroup } from '../support/page/madeStream.ts';
import {
  clearNotifications,
  pressDialogButton,
  pressNotificationButton,
  readClipboard,
  readDialog,
  readNotifications,
  untilNotification,
} from '../support/page/messages.ts';
import {
  playerFrame,
  pressMenuEntry,
  pressPlayerButton,
  readClipTimes,
  readSweep,
  untilPlaying,
  untilVideo,
  videoOf,
} from '../support/page/playerPage.ts';
import { watchStream } from '../support/page/playerService.ts';
import {
  answerQuickInput,
  chooseInTurn,
  quickInput,
  readQuickInput,
  runEditorCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { readPlayable } from '../support/service/playableMedia.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Clipped';
const FROM = 3.4;
const TO = 8.4;
const FRAMES_PER_SECOND = 15;
/** How far the picture of a frame may be from the time that is sought: two frames. */
const FRAMES_S = 0.15;

const hundredths = (time: string) => Math.round((parseTimer(time) ?? Number.NaN) * 100);

describe('A clip of a running broadcast', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });
  const stop = new AbortController();
  let sending: Promise<unknown> | undefined;
  let sentFrames = 0;

  before(async () => {
    const { page } = workbench();
    await startDemoFromWelcome(page);
    await makeStream(page, STREAM, { record: true });
    await runEditorCommand(page, 'View: Close Editor');
    await clearNotifications(page);
    const ingest = await copyIngest(page, STREAM);
    const source = await openMp4Source(inProject('media/demo/source.mp4'));
    const onProgress = (progress: BroadcastProgress) => {
      sentFrames = progress.sentFrames;
    };
    sending = broadcast({ ingest, source, seconds: 600, signal: stop.signal, onProgress });
    await untilInGroup(page, STREAM, 'Active');
    await tree.expandRow(page, STREAM);
  });

  after(async () => {
    stop.abort();
    await sending;
  });

  const sessionRow = async () => {
    const rows = await tree.untilRows(workbench().page, (all) => all.some(isLive));
    return rows.find(isLive)?.label ?? '';
  };
  /** Opens it from the tree, and closes it again. */
  const openClipBar = async (page: Page, label: string) => {
    await chooseInTurn(page, () => tree.chooseFromContextMenu(page, label, 'Create Clip…'), 'Select in Player…');
    await playerFrame(page).locator('.clipBar').waitFor();
    await takeScreenshot(page, `clip-bar-asked-${label === STREAM ? 'live' : 'recording'}`);
    await playerFrame(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  };
  const isLive = ({ level, description }: tree.Row) => level === 3 && /^live/.test(description);
  const isClip = ({ level, label }: tree.Row) => level === 4 && label === 'Goal';

  const durationOf = (page: Page) =>
    videoOf(page).evaluate((video: unknown) => (video as { readonly duration: number }).duration);

  /** Of what plays. The frames are those of these times of the demo's source movie. */
  async function assertShows(page: Page, first: number, last: number): Promise<void> {
    const duration = await durationOf(page);
    const frames = Math.round(duration * FRAMES_PER_SECOND);
    assert.equal(frames, Math.round((last - first) * FRAMES_PER_SECOND) + 1, `${duration} s`);
    const seen = [await readSweep(page, 0), await readSweep(page, (frames - 0.5) / FRAMES_PER_SECOND)];
    for (const [index, expected] of [first, last].entries()) {
      const shown = seen[index] ?? Number.NaN;
      assert.ok(Math.abs(shown - expected) < 0.5 / FRAMES_PER_SECOND, `${shown} s instead of ${expected} s`);
    }
  }

  /** The page says that the clip was created, and nothing covers its controls. */
  async function pressMade(page: Page, name: string): Promise<void> {
    const frame = playerFrame(page);
    await frame
      .getByRole('status')
      .filter({ hasText: `Created the clip "${name}"` })
      .waitFor();
    await frame.locator('.clipBar').waitFor({ state: 'hidden' });
    assert.deepEqual(await readNotifications(page), []);
    for (const width of ['360px', 'auto']) {
      await setWidth(page, width);
      await takeScreenshot(page, `clip-made-${name}-${width}`);
      assert.deepEqual(await partsBeyond(page, '.clipMade *'), [], `At ${width}`);
    }
    await frame.getByRole('button', { name: 'Watch', exact: true }).click();
  }

  const setWidth = (page: Page, width: string) =>
    playerFrame(page)
      .locator('html')
      .evaluate((root: unknown, to: string) => {
        (root as { readonly style: { width: string } }).style.width = to;
      }, width);

  async function partsBeyond(page: Page, selector: string) {
    const frame = playerFrame(page);
    const right = await frame.locator('.player').evaluate((player) => player.getBoundingClientRect().right);
    const parts = await frame.locator(selector).evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
    return parts.filter((part) => part.right > right);
  }

  it('is cut between the times that are typed, after what is wrong with them was said', async () => {
    const { page } = workbench();
    const label = await sessionRow();
    await waitUntil(() => sentFrames > 20 * FRAMES_PER_SECOND);
    await chooseInTurn(
      page,
      async () => {
        await tree.chooseFromContextMenu(page, label, 'Create Clip…');
        await quickInput(page, 'Create Clip').waitFor();
        await takeScreenshot(page, 'clip-lengths');
        const labels = async () => (await readQuickInput(page, 'Create Clip')).items.map(({ label }) => label).join();
        const lengths = await waitUntil(labels);
        await typeInQuickInput(page, '0:02-0:01');
        const wrong = 'The end time must be later than the start time.';
        await waitUntil(async () => (await labels()) === wrong);
        await page.keyboard.press('Enter');
        assert.equal(await labels(), wrong);
        await typeInQuickInput(page, '');
        // Until then, the rows still move, and a click may hit another one.
        await waitUntil(async () => (await labels()) === lengths);
      },
      'Custom Range…',
    );
    const untilAsked = (what: string) =>
      waitUntil(async () => (await readQuickInput(page, 'Create Clip')).message.includes(what));
    await untilAsked('Enter the start time');
    await answerQuickInput(page, `0:0${FROM}`);
    await untilAsked('Enter the end time');
    await answerQuickInput(page, '0:01');
    await untilAsked('The end time must be later than the start time.');
    await takeScreenshot(page, 'clip-times');
    await answerQuickInput(page, `0:0${TO}`);
    await untilAsked('Enter a name for the clip');
    await answerQuickInput(page, 'Goal');
    await untilNotification(page, 'Creating the clip "Goal"');
    await takeScreenshot(page, 'clip-progress');
    await untilNotification(page, 'Created the clip "Goal"');
    await tree.expandRow(page, label);
    const [row] = (await tree.untilRows(page, (rows) => rows.some(isClip))).filter(isClip);
    assert.deepEqual([row?.description, row?.icon, row?.actions], ['0:05', 'device-camera-video', ['Download Clip…']]);
    await takeScreenshot(page, 'clip-created');
  });

  it('plays the frames that were chosen', async () => {
    const { page } = workbench();
    await pressNotificationButton(page, 'Created the clip "Goal"', 'Watch');
    await untilVideo(page, ({ width, contrast }) => width === 640 && contrast > 5);
    const duration = await durationOf(page);
    assert.ok(Math.abs(duration - (TO - FROM)) < FRAMES_S, `${duration} s`);
    for (const at of [0, 2, TO - FROM - 0.05]) {
      const shown = await readSweep(page, at);
      assert.ok(Math.abs(shown - (FROM + at)) < FRAMES_S, `At ${at} s, the picture is of ${shown} s`);
    }
    await pressPlayerButton(page, 'More Actions…');
    await takeScreenshot(page, 'clip-menu');
    await page.keyboard.press('Escape');
    await chooseTheme(page, 'dark-2026');
    await takeScreenshot(page, 'clip-plays-dark');
    await chooseTheme(page, 'light-2026');
    await takeScreenshot(page, 'clip-plays-light');
  });

  it('has a URL whose file has the frames that were chosen', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Goal', 'Copy Clip URL');
    await tree.treeOf(page).focus();
    const url = await waitUntil(async () => {
      const text = await readClipboard(page);
      return text.includes('/clips/') && text;
    });
    const media = await readPlayable(Buffer.from(await (await fetch(url)).arrayBuffer()));
    const shown = media.video?.packets.filter(({ time }) => time >= 0).length ?? 0;
    assert.ok(Math.abs(shown - 15 * (TO - FROM)) <= 1, `${shown} frames`);
  });

  it('is cut in the player, from one frame to another', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const words = frame.locator('.clipLength');
    const create = frame.getByRole('button', { name: 'Create Clip', exact: true });
    await chooseTheme(page, 'dark-2026');
    await openClipBar(page, STREAM);
    await untilVideo(page, ({ currentTime, width }) => currentTime > TO + 2 && width === 640);
    await pressMenuEntry(page, 'Create Clip…');
    assert.equal(await create.isEnabled(), true);
    assert.equal(await frame.locator('.trimEnd:not(.isBeyond)').count(), 2, 'both ends have a handle');
    for (const time of await readClipTimes(frame)) assert.match(time, /^\d:\d\d\.\d\d$/);
    const [from = 0, to = 0] = (await readClipTimes(frame)).map(hundredths);
    assert.equal(hundredths((await words.innerText()).slice('Length: '.length)), to - from);
    await takeScreenshot(page, 'clip-bar-proposed');
    await page.keyboard.press('?');
    const shortcuts = frame.locator('.keys');
    await shortcuts.waitFor();
    await page.keyboard.press('Escape');
    await shortcuts.waitFor({ state: 'hidden' });
    assert.equal(await create.isVisible(), true, 'Escape closes only the shortcuts');
    const last = await readSweep(page, TO);
    await page.keyboard.press('i');
    const shownAt = frame.locator('.clock');
    const start = frame.locator('.clipTime').first();
    await waitUntil(async () => (await shownAt.innerText()) === '0:08' && /^0:08\.[34]/.test(await start.inputValue()));
    assert.match((await frame.locator('.seek').getAttribute('aria-valuetext')) ?? '', /^\d:\d\d behind live, 0:08$/);
    await readSweep(page, FROM);
    await page.keyboard.press('o');
    await waitUntil(async () => /^0:0[0-3]/.test(await start.inputValue()));
    assert.match(await words.innerText(), /^Length: 0:0[0-3]/);
    assert.equal(await create.isEnabled(), true);
    await frame.locator('.clipEnd').first().locator('.still:not(.isEmpty)').waitFor();
    await pressPlayerButton(page, 'Next Frame');
    const first = await readSweep(page, FROM + 1 / FRAMES_PER_SECOND);
    await pressPlayerButton(page, 'Set Start');
    await frame.getByRole('button', { name: /^Go to End/ }).click();
    await readSweep(page, TO);
    await page.keyboard.press('o');
    await frame.getByLabel('Clip name').fill('Save');
    for (const width of ['auto', '430px', '410px', '345px', '330px', '300px', '260px']) {
      await setWidth(page, width);
      await takeScreenshot(page, `clip-bar-${width}`);
      assert.deepEqual(await partsBeyond(page, '.clipBar *'), [], `At ${width}`);
    }
    await create.click();
    await pressMade(page, 'Save');
    await untilVideo(page, ({ currentTime, width }) => width === 640 && currentTime < TO - FROM + 1);
    await assertShows(page, first, last);
  });

  it('is deleted after a question', async () => {
    const { page } = workbench();
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Save'));
    await tree.chooseFromContextMenu(page, 'Goal', 'Delete Clip');
    assert.match((await readDialog(page)).message, /Delete the clip "Goal"\?/);
    await takeScreenshot(page, 'clip-delete');
    await pressDialogButton(page, 'Delete');
    await tree.untilRows(page, (rows) => !rows.some(isClip));
  });

  it('is cut in the player of the recording', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const label = await sessionRow();
    stop.abort();
    await sending;
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === label && tree.isReadySession(row)));
    await openClipBar(page, label);
    // The clip of before plays in front until then.
    await frame.locator('h1').filter({ hasText: STREAM }).waitFor();
    await untilVideo(page, ({ width, contrast }) => width === 640 && contrast > 5);
    await pressMenuEntry(page, 'Create Clip…');
    const first = await readSweep(page, FROM);
    await page.keyboard.press('i');
    // A key that arrives late would set where the video is by then.
    await waitUntil(async () => (await readClipTimes(frame))[0]?.startsWith('0:03.4') === true);
    const last = await readSweep(page, TO);
    await page.keyboard.press('o');
    await waitUntil(async () => {
      const times = await readClipTimes(frame);
      return times.map((time) => time.slice(0, 6)).join() === '0:03.4,0:08.4';
    });
    await chooseInTurn(page, () => runEditorCommand(page, 'Live Streams: Create Clip'), STREAM);
    const first30 = await waitUntil(async () => {
      const [item] = (await readQuickInput(page, 'Create Clip')).items;
      return item?.description === "at the player's position" && item.label;
    });
    assert.match(first30, /^0:08–\d:\d\d$/);
    await takeScreenshot(page, 'clip-position');
    await page.keyboard.press('Escape');
    await frame.getByLabel('Clip name').fill('Replay');
    await takeScreenshot(page, 'clip-bar-recording');
    await page.keyboard.press('Enter');
    await pressMade(page, 'Replay');
    await frame.locator('h1').filter({ hasText: 'Replay' }).waitFor();
    await untilVideo(page, ({ currentTime, width }) => width === 640 && currentTime < TO - FROM + 1);
    await assertShows(page, first, last);
  });

  it('is created on the page of its session, which lists it', async () => {
    const { page } = workbench();
    const rows = await tree.untilRows(page, (all) => all.some(tree.isReadySession));
    await tree.chooseFromContextMenu(page, rows.find(tree.isReadySession)?.label ?? '', 'Show Session Details');
    const frame = playerFrame(page);
    const row = (name: string) => frame.getByRole('row').filter({ hasText: name });
    await row('Replay').waitFor();
    await untilVideo(page, ({ width }) => width === 640);
    await frame.getByRole('button', { name: 'Create Clip…' }).click();
    await frame.getByLabel('Clip name').fill('Opening');
    await page.keyboard.press('Enter');
    await frame.getByRole('status').filter({ hasText: 'Created the clip "Opening"' }).waitFor();
    await row('Opening').getByRole('button', { name: 'Download Clip, Opening' }).waitFor();
    await takeScreenshot(page, 'clips-of-session');
    await row('Opening').getByRole('button', { name: 'Watch Clip, Opening' }).click();
    await frame.locator('h1').filter({ hasText: 'Opening' }).waitFor();
  });

  it('is cut with a key from the recording that the clip that plays was cut from', async () => {
    const { page } = workbench();
    await untilVideo(page, ({ width }) => width === 640);
    await videoOf(page).focus();
    await page.keyboard.press('c');
    await quickInput(page).filter({ hasText: 'Select in Player…' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('is refused in words where the key is pressed on a broadcast that is not recorded', async () => {
    const { page } = workbench();
    await watchStream(page, 'Bird nest cam');
    await untilPlaying(page);
    await videoOf(page).focus();
    await page.keyboard.press('c');
    await untilNotification(page, '"Bird nest cam" isn\'t being recorded');
    await clearNotifications(page);
  });
});
