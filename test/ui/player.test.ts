import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { parseTimer } from '../../src/util/positions.ts';
import { untilKept } from '../support/page/keptState.ts';
import { readClipboard } from '../support/page/messages.ts';
import {
  closeTabs,
  playerFrame,
  pressMenuEntry,
  pressPlayerButton,
  readClipTimes,
  readVideo,
  untilPlaying,
  untilProblem,
  untilVideo,
  videoOf,
} from '../support/page/playerPage.ts';
import { watchStream } from '../support/page/playerService.ts';
import { untilHeard } from '../support/page/playerSound.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { answerQuickInput, quickInput, runCommand, runEditorCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { itInFuzz } from '../support/runner/fuzzRuns.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';

describeInBrowsers('The player in a real workbench', (browser) => {
  const { workbench, service } = suitePlayerWorkbench({ browser });

  const tabs = () => workbench().page.locator('.tabs-container .tab').allInnerTexts();
  const seek = (seconds: number) =>
    videoOf(workbench().page).evaluate((video: unknown, to: number) => {
      (video as { currentTime: number }).currentTime = to;
    }, seconds);
  const seekText = async () =>
    (await playerFrame(workbench().page).locator('.seek').getAttribute('aria-valuetext')) ?? '';
  const atEdge = () => playerFrame(workbench().page).locator('.goLive[data-edge=true]');
  const pause = () => videoOf(workbench().page).evaluate((video: unknown) => (video as { pause(): void }).pause());
  const press = async (key: string) => {
    const { page } = workbench();
    await playerFrame(page).locator('h1').click();
    await page.keyboard.press(key);
  };

  it('plays a live stream from its row', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    const { width, height } = await untilPlaying(page);
    assert.ok(width > 0 && height > 0);
    const frame = playerFrame(page);
    assert.equal(await frame.locator('h1').innerText(), 'Keynote');
    assert.equal(await frame.locator('.live').innerText(), 'Live');
    assert.equal(await frame.locator('.live.quiet').count(), 1, 'the row of controls says it');
    await untilHeard(page);
    await takeScreenshot(page, 'player-live');
  });

  it('does not say that it is live while an outage holds it up, and has its beginning again after that', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const reach = () =>
      frame.locator('.seek').evaluate((bar: unknown) => {
        const { min, max } = bar as { readonly min: string; readonly max: string };
        return Number(max) - Number(min);
      });
    const colorOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    await atEdge().waitFor();
    const { width } = await untilVideo(page, (playing) => playing.width > 320);
    const [before, live] = [await reach(), await colorOf(atEdge())];
    assert.ok(before > 60, `${before} s`);
    service().control.fault(() => ({ status: 503 }));
    await frame.locator('.controls.isHeldUp').waitFor();
    assert.notEqual(await colorOf(atEdge()), live);
    await takeScreenshot(page, 'player-held-up');
    await untilProblem(page, /Couldn't get the video from .* \(503\)/);
    service().control.fault(undefined);
    await untilPlaying(page);
    await waitUntil(async () => (await reach()) > before);
    assert.equal(await colorOf(atEdge()), live);
    // A rendition that failed in the outage is used again.
    await untilVideo(page, (playing) => playing.width === width);
  });

  it('says when in the broadcast it is and how far behind live, and jumps to the live edge', async () => {
    const { page } = workbench();
    const clock = playerFrame(page).locator('.clock');
    const goLive = playerFrame(page).locator('.goLive');
    await atEdge().waitFor();
    await clock.filter({ hasText: /^(\d+:)?\d?\d:\d\d$/ }).waitFor();
    assert.equal(await clock.getAttribute('title'), 'Time since the broadcast began');
    assert.equal(await goLive.getAttribute('title'), 'At the live edge');
    const edge = () => playerFrame(page).locator('.seek').boundingBox();
    const place = (await edge())?.x;
    const { currentTime } = await untilVideo(page, (playing) => playing.currentTime > 10);
    const colorOfEdge = () => atEdge().evaluate((element) => getComputedStyle(element).color);
    const live = await colorOfEdge();
    await press('k');
    await waitUntil(async () => (await colorOfEdge()) !== live);
    await seek(currentTime - 10);
    await waitUntil(async () => /^\d+:\d\d behind live$/.test((await goLive.getAttribute('title')) ?? ''));
    const at = await clock.innerText();
    assert.match(at, /^(\d+:)?\d?\d:\d\d$/);
    assert.ok((await seekText()).endsWith(` behind live, ${at}`));
    await playerFrame(page).locator('.seek').hover();
    await playerFrame(page)
      .locator('.timeBelow')
      .filter({ hasText: /^(\d+:)?\d?\d:\d\d$/ })
      .waitFor();
    await takeScreenshot(page, 'player-time-below-pointer');
    await pressMenuEntry(page, 'Create Clip…');
    const [, end] = await readClipTimes(playerFrame(page));
    const between = (parseTimer(end ?? '') ?? Number.NaN) - (parseTimer(at) ?? Number.NaN);
    assert.ok(between >= 0 && between < 1.1, `What is shown at ${at} is at ${end} of the clip`);
    await page.keyboard.press('Escape');
    assert.equal((await edge())?.x, place, 'nothing moves');
    await pressPlayerButton(page, 'Go Live');
    await atEdge().waitFor();
    await untilPlaying(page);
    await waitUntil(async () => (await colorOfEdge()) === live);
  });

  it('reaches back to the beginning of a broadcast that is recorded, and plays faster only behind the live edge', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const [clock, speed] = [frame.locator('.clock'), frame.getByLabel('Speed')];
    const isOffered = (label: string) => speed.locator('option', { hasText: label }).isEnabled();
    await atEdge().waitFor();
    assert.deepEqual([await isOffered('2×'), await isOffered('0.5×')], [false, true]);
    await press('0');
    await clock.filter({ hasText: /^(0:0)?0:[0-2]\d$/ }).waitFor();
    await untilVideo(page, ({ currentTime, contrast }) => currentTime > 1 && currentTime < 30 && contrast > 5);
    await frame
      .locator('.behind')
      .filter({ hasText: /^−(\d+:)?\d?\d:\d\d$/ })
      .waitFor();
    await takeScreenshot(page, 'player-from-beginning');
    for (const width of ['421px', '400px', '321px', '319px', '261px', '259px', '200px', '']) {
      await frame.locator('body').evaluate((body: unknown, to) => {
        (body as { style: { width: string } }).style.width = to;
      }, width);
      // In one task: a message above the row may come and go.
      const tops = await frame.locator('body').evaluate(`['.controls > .playerTool', '.moreActions'].map(
        (part) => document.querySelector(part).getBoundingClientRect().top)`);
      assert.equal(new Set(tops as readonly number[]).size, 1, `one row at ${width}`);
    }
    await speed.selectOption('2×');
    await videoOf(page).evaluate((element: unknown) => {
      const video = element as { currentTime: number; seekable: { end(at: number): number } };
      video.currentTime = video.seekable.end(0) - 22;
    });
    await frame.getByTitle(/^0:\d\d behind live$/).waitFor();
    await waitUntil(async () => (await speed.inputValue()) === '1');
    await atEdge().waitFor();
    await untilPlaying(page);
  });

  it('leads to the details page and back, each with one click', async () => {
    const { page } = workbench();
    const before = await tabs();
    await playerFrame(page).getByRole('button', { name: 'Show Details' }).click();
    const details = playerFrame(page).locator('.buttons');
    await details.getByRole('button', { name: 'Watch', exact: true }).click();
    await untilPlaying(page);
    assert.deepEqual(await tabs(), [...before, 'Keynote (Details)']);
    await runEditorCommand(page, 'View: Close Other Editors in Group');
    assert.deepEqual(await tabs(), before);
    await untilPlaying(page);
  });

  it('shows the same tab when its stream is watched again', async () => {
    const { page } = workbench();
    const before = await tabs();
    await watchStream(page, 'Keynote');
    await untilPlaying(page);
    assert.deepEqual(await tabs(), before);
  });

  it('keeps the size of the picture while its keys are shown', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const before = await videoOf(page).boundingBox();
    await pressMenuEntry(page, 'Keyboard Shortcuts');
    await frame.locator('#keys').waitFor();
    assert.deepEqual(await videoOf(page).boundingBox(), before);
    const [keys, video] = [await frame.locator('#keys').boundingBox(), before];
    assert.ok(
      keys && video && keys.height > 0 && keys.x >= video.x && keys.x + keys.width <= video.x + video.width + 1,
    );
    await page.keyboard.press('Escape');
    await frame.locator('#keys').waitFor({ state: 'hidden' });
  });

  it('shows what plays and how well it does, each second, until it is told not to', async () => {
    const { page } = workbench();
    const statistics = playerFrame(page).locator('.statistics');
    const before = await videoOf(page).boundingBox();
    await pressMenuEntry(page, 'Playback Statistics');
    await statistics.waitFor();
    const read = async () => {
      const [labels, values] = await Promise.all(['dt', 'dd'].map((part) => statistics.locator(part).allInnerTexts()));
      return new Map((labels ?? []).map((label, at) => [label, values?.[at] ?? '']));
    };
    const { width, height } = await readVideo(page);
    await waitUntil(async () => (await read()).get('Resolution') === `${width} × ${height}`);
    await takeScreenshot(page, 'player-statistics');
    const shown = await read();
    assert.match(shown.get('Quality') ?? '', /^(360|180)p · \d+ kbps$/);
    assert.equal(shown.get('Codecs'), 'avc1.4d401e, mp4a.40.2');
    assert.match(shown.get('Bandwidth') ?? '', /^[\d.]+ [MG]bps$/);
    for (const name of ['Buffer', 'Latency']) assert.match(shown.get(name) ?? '', /^\d+(\.\d)? s$/, name);
    const dropped = shown.get('Dropped Frames');
    assert.match(dropped ?? '', /^[\d,]+ \/ [\d,]+$/);
    await waitUntil(async () => (await read()).get('Dropped Frames') !== dropped);
    assert.deepEqual(await videoOf(page).boundingBox(), before);
    await press('s');
    await statistics.waitFor({ state: 'hidden' });
  });

  it('copies the playback address', async () => {
    const { page } = workbench();
    const keynote = service()
      .control.streams()
      .find(({ name }) => name === 'Keynote');
    await pressMenuEntry(page, 'Copy HLS URL');
    const wanted = service().addresses.hls?.replace('{playbackId}', keynote?.playbackId ?? '');
    await waitUntil(async () => (await readClipboard(page)) === wanted);
  });

  it('says of a stream without data since when it has none, and calls nothing of it live', async () => {
    const { page } = workbench();
    await pause();
    await watchStream(page, 'Back stage');
    const frame = playerFrame(page);
    await frame
      .locator('.facts')
      .filter({ hasText: /no data for \d+ min/i })
      .waitFor();
    await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.equal(await frame.locator('.facts > .mark[data-tone="doubtful"]').count(), 1, 'marked as in the tree');
    await takeScreenshot(page, 'player-without-data');
    for (const part of ['.live', '.goLive']) assert.equal(await frame.locator(part).isVisible(), false, part);
    assert.match(await frame.locator('.clock').innerText(), /^0:\d\d \/ 0:\d\d$/, 'the place in what was sent');
    // What was sent before is played to its end.
    const words = frame.locator('.trouble');
    await words.waitFor();
    assert.equal(await words.innerText(), 'Waiting for the encoder to send data. The video shows what it sent last.');
    await takeScreenshot(page, 'player-starved');
  });

  it('says how long a broadcast was that ends while it is watched', async () => {
    const { page } = workbench();
    const { control } = service();
    const { id } = control.addStream({ name: 'Ends soon', record: true });
    control.startBroadcast(id);
    await watchStream(page, 'Ends soon');
    await untilPlaying(page);
    const clock = playerFrame(page).locator('.clock');
    await clock.filter({ hasText: /^\d+:\d\d$/ }).waitFor();
    await pause();
    control.endBroadcast(id);
    await clock.filter({ hasText: /^\d+:\d\d \/ \d+:\d\d$/ }).waitFor();
    for (const part of ['.goLive', '.behind']) assert.ok(await playerFrame(page).locator(part).isHidden(), part);
    await runEditorCommand(page, 'View: Close Editor');
  });

  it('plays a recording from its row, and leaves the tabs alone in which something is paused', async () => {
    const { page } = workbench();
    await pause();
    await tree.expandRow(page, 'Keynote');
    const rows = await tree.untilRows(page, (all) => all.some(tree.isReadySession));
    const label = rows.find(tree.isReadySession)?.label ?? '';
    await tree.rowOf(page, label).locator('.label-name').click();
    await untilPlaying(page);
    assert.deepEqual(await tabs(), ['Keynote', 'Back stage', `Keynote · ${label}`]);
    await runEditorCommand(page, 'View: Close Other Editors in Group');
    assert.deepEqual(await tabs(), [`Keynote · ${label}`]);
    const facts = await playerFrame(page).locator('.facts').innerText();
    assert.ok(facts.endsWith(`${label} · 1 h 2 min`), facts);
    await takeScreenshot(page, 'player-recording');
  });

  it('rests a recording that is neither seen nor heard, and plays it with sound once its tab is shown again', async () => {
    const { page } = workbench();
    const [first = '', second = ''] = (await tree.readRows(page)).filter(tree.isReadySession).map(({ label }) => label);
    await seek(1);
    await tree.rowOf(page, second).locator('.label-name').click();
    await tabNamed(page, second).waitFor();
    await untilHeard(page);
    await untilOnePlays(page, 2);
    await tabNamed(page, first).click();
    await untilOnePlays(page, 2);
    await runEditorCommand(page, 'View: Close Other Editors in Group');
    await untilOnePlays(page, 1);
  });

  it('changes quality and speed', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    // A recording that has ended loads nothing more, of whatever quality.
    await seek(0);
    await videoOf(page).evaluate((video: unknown) => (video as { play(): Promise<void> }).play());
    await frame.getByLabel('Quality').selectOption('180p');
    await untilVideo(page, (playing) => playing.height === 180);
    await frame.getByLabel('Quality').selectOption('Auto');
    await frame.getByLabel('Speed').selectOption('2×');
    const rate = await videoOf(page).evaluate((video: unknown) => (video as { playbackRate: number }).playbackRate);
    assert.equal(rate, 2);
    await frame.getByLabel('Speed').selectOption('1×');
  });

  it('is worked by the keys of every player', async () => {
    const { page } = workbench();
    await seek(1);
    await press('k');
    await untilVideo(page, ({ paused }) => paused);
    await press('Space');
    await untilVideo(page, ({ paused }) => !paused);
    await press('k');
    await untilVideo(page, ({ paused }) => paused);
    await seek(1);
    await press('ArrowRight');
    await untilVideo(page, ({ currentTime }) => Math.abs(currentTime - 6) < 0.5);
    await press('l');
    await untilVideo(page, ({ currentTime }) => currentTime > 10);
    await press('j');
    await untilVideo(page, ({ currentTime }) => currentTime < 7);
    await press('ArrowLeft');
    await untilVideo(page, ({ currentTime }) => currentTime < 2);
    const { muted } = await readVideo(page);
    await press('m');
    await untilVideo(page, (playing) => playing.muted !== muted);
    await press('m');
  });

  it('takes the same keys after a click on the picture', async () => {
    const { page } = workbench();
    await seek(1);
    await untilVideo(page, ({ currentTime }) => currentTime >= 1 && currentTime < 3);
    await pause();
    await videoOf(page).click({ position: { x: 40, y: 40 } });
    // The click plays it, a little later: what pauses it before that would be undone.
    await untilVideo(page, ({ paused }) => !paused);
    const state = () =>
      videoOf(page).evaluate((video: unknown) => {
        const { currentTime, volume, paused } = video as { currentTime: number; volume: number; paused: boolean };
        return { currentTime, volume, paused };
      });
    await pause();
    await untilVideo(page, ({ paused }) => paused);
    const before = await state();
    await page.keyboard.press('ArrowRight');
    assert.ok(
      Math.abs((await state()).currentTime - before.currentTime - 5) < 0.2,
      JSON.stringify([before, await state()]),
    );
    await page.keyboard.press('ArrowLeft');
    assert.ok(Math.abs((await state()).currentTime - before.currentTime) < 0.2);
    await page.keyboard.press(before.volume > 0.5 ? 'ArrowDown' : 'ArrowUp');
    const { volume } = await state();
    assert.ok(Math.abs(Math.abs(volume - before.volume) - 0.1) < 0.01, `${before.volume}, ${volume}`);
    await page.keyboard.press(before.volume > 0.5 ? 'ArrowUp' : 'ArrowDown');
    await page.keyboard.press('5');
    const duration = await videoOf(page).evaluate(
      (video: unknown) => (video as { readonly duration: number }).duration,
    );
    await untilVideo(page, ({ currentTime }) => Math.abs(currentTime - duration / 2) < 0.1);
    await page.keyboard.press('.');
    await untilVideo(page, ({ currentTime }) => currentTime > duration / 2 + 0.01 && currentTime < duration / 2 + 0.2);
    await page.keyboard.press('>');
    const speed = playerFrame(page).getByLabel('Speed');
    await waitUntil(async () => (await speed.inputValue()) === '1.25');
    await page.keyboard.press('<');
    await waitUntil(async () => (await speed.inputValue()) === '1');
  });

  it('reaches all controls with Tab, each with a name', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    await frame.locator('h1').click();
    await videoOf(page).focus();
    for (const control of ['Quality', 'Speed']) assert.equal(await frame.getByLabel(control).count(), 1);
    const names = [
      'Position',
      'Mute',
      'Volume',
      'Quality',
      'Speed',
      'Picture in Picture',
      'Full Screen',
      'More Actions…',
    ];
    await frame.locator('.controls button').first().focus();
    await page.keyboard.press('Tab');
    for (const name of names) {
      const control = frame.getByLabel(name, { exact: true });
      const isReached = () =>
        control.evaluate((each: unknown) => (each as { matches(s: string): boolean }).matches(':focus-visible'));
      assert.ok((await control.isHidden()) || (await isReached()), name);
      if (await control.isVisible()) await page.keyboard.press('Tab');
    }
  });

  it('closes its menu for a key that acts', async () => {
    const { page } = workbench();
    const frame = playerFrame(page);
    const statistics = frame.locator('.statistics');
    await frame.getByRole('button', { name: 'More Actions…' }).click();
    await frame.locator('.playerMenu').waitFor();
    await page.keyboard.press('s');
    await frame.locator('.playerMenu').waitFor({ state: 'hidden' });
    await statistics.waitFor();
    await page.keyboard.press('s');
    await statistics.waitFor({ state: 'hidden' });
  });

  it('outlines a slider that the keyboard reaches, and not one that is clicked', async () => {
    const { page } = workbench();
    const slider = playerFrame(page).locator('.seek');
    const outline = () => slider.evaluate((element) => getComputedStyle(element).outlineStyle);
    await slider.click();
    assert.equal(await outline(), 'none');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await outline(), 'solid');
  });

  it('saves the current frame as a PNG file', async () => {
    const { page, folder } = workbench();
    await pressMenuEntry(page, 'Save Frame…');
    const name = /Keynote \d\d-\d\d-\d\d\.png$/;
    const box = quickInput(page).locator('input.input');
    await waitUntil(async () => name.test(await box.inputValue()));
    await page.keyboard.press('Enter');
    const saved = await waitUntil(async () => (await readdir(folder)).find((file) => file.endsWith('.png')));
    // The file is there before its content is.
    await waitUntil(async () => (await readFile(join(folder, saved))).subarray(1, 4).equals(Buffer.from('PNG')));
  });

  itInFuzz('comes back after a reload where it was, with its sound, once its connection is there', async () => {
    const { page, reload } = workbench();
    await pause();
    await seek(7);
    await untilVideo(page, ({ currentTime }) => Math.abs(currentTime - 7) < 1);
    await untilKept(page, /"position":7[.,}]/);
    await reload();
    // The secret storage of this build forgets with the page, as an editor does without a keyring.
    const { buttons } = await untilProblem(page, /API key for "Studio at home" is no longer in secret storage/);
    assert.deepEqual(buttons, ['Set API Key…']);
    await takeScreenshot(page, 'player-keyless');
    await pressPlayerButton(page, 'Set API Key…');
    await answerQuickInput(page, service().apiKey);
    const { currentTime, paused } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused, 'a window that comes back is quiet');
    assert.ok(Math.abs(currentTime - 7) < 1.5, `at ${currentTime}`);
    assert.ok((await readVideo(page)).paused, 'before the first play');
    await press('k');
    await untilPlaying(page);
    await untilHeard(page);
  });

  it('plays on while another connection is open, and says whose it is', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.startDemo');
    await waitUntil(async () => (await tree.readViewTexts(page)).description === 'Demo');
    assert.ok((await readVideo(page)).contrast > 5);
    await playerFrame(page).locator('.facts', { hasText: 'Studio at home' }).waitFor();
    await takeScreenshot(page, 'player-plays-on');
    await runCommand(page, 'liveStreams.stopDemo');
    await waitUntil(async () => (await tree.readViewTexts(page)).description === 'Studio at home');
    assert.ok((await readVideo(page)).contrast > 5);
  });

  describe('tabs', () => {
    before(async () => {
      const { page } = workbench();
      await closeTabs(page);
      await tree.collapseRow(page, 'Keynote');
    });

    const frameAt = (index: number): FrameLocator =>
      workbench().page.frameLocator('iframe.webview.ready:visible').nth(index).frameLocator('#active-frame');
    const soundOf = (frame: FrameLocator) =>
      frame.locator('video').evaluate((video: unknown) => {
        const { muted, paused } = video as { readonly muted: boolean; readonly paused: boolean };
        return !paused && !muted;
      });
    const untilAlone = (name: string) => waitUntil(async () => (await readHeard(workbench().page)).join() === name);
    const named = (name: string): Promise<FrameLocator> =>
      waitUntil(async () => {
        for (const frame of [frameAt(0), frameAt(1)])
          if ((await frame.locator('h1').innerText()) === name) return frame;
        return undefined;
      });

    it('show what is clicked next if nothing has played in them, with an icon', async () => {
      const { page } = workbench();
      service().control.addStream({ name: 'Later' });
      await watchStream(page, 'Later');
      await untilProblem(page, /This stream isn't live\.$/);
      await tree.pressRowAction(page, 'Quiz Night with Ola', 'Watch Stream');
      await playerFrame(page).locator('h1').filter({ hasText: 'Quiz Night' }).waitFor();
      await untilPlaying(page);
      assert.deepEqual(await tabs(), ['Quiz Night with Ola']);
      const images = await page.locator('.tabs-container .tab').evaluate((tab: unknown) => {
        const all = [...(tab as { querySelectorAll(all: string): Iterable<unknown> }).querySelectorAll('*')];
        return all.flatMap((element) =>
          ['', '::before'].flatMap((part) => {
            const { content, backgroundImage } = getComputedStyle(element, part);
            return [content, backgroundImage];
          }),
        );
      });
      assert.ok(
        images.some((image) => image.includes('data:image/svg+xml')),
        images.join(),
      );
    });

    it('stand side by side, level, and one has sound: the one that was played or clicked last', async () => {
      const { page } = workbench();
      await tree.pressRowAction(page, 'Bird nest cam', 'Watch Stream');
      await waitUntil(async () => (await tabs()).join().includes('Bird nest cam'));
      await runEditorCommand(page, 'View: Move Editor into Right Group');
      await waitUntil(async () => (await page.locator('iframe.webview.ready:visible').count()) === 2);
      const [first, second] = [await named('Quiz Night with Ola'), await named('Bird nest cam')];
      await waitUntil(async () => (await soundOf(second)) && !(await soundOf(first)));
      // It isn't recorded, so there's nothing to go back to. In a narrow player, the seek bar has a row of its own.
      await waitUntil(async () => !(await second.locator('.seek').isVisible()));
      await waitUntil(async () => {
        const boxes = await Promise.all([first, second].map((frame) => frame.locator('video').boundingBox()));
        return boxes[0]?.y === boxes[1]?.y && boxes[0]?.height === boxes[1]?.height;
      });
      assert.equal(await second.locator('.goLive').isVisible(), true);
      await takeScreenshot(page, 'player-side-by-side');
      await first.locator('.position').click();
      await waitUntil(async () => (await soundOf(first)) && !(await soundOf(second)));
    });

    it('leave the tabs as they are in which something plays', async () => {
      const { page } = workbench();
      await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
      await waitUntil(async () => (await tabs()).join().includes('Keynote'));
      for (const name of ['Quiz Night with Ola', 'Bird nest cam']) assert.ok((await tabs()).includes(name), name);
    });

    it('have sound when they are shown again, if the one that has it is hidden or closed', async () => {
      const { page } = workbench();
      await runEditorCommand(page, 'View: Close All Editors');
      for (const name of ['Bird nest cam', 'Keynote']) {
        await tree.pressRowAction(page, name, 'Watch Stream');
        await untilAlone(name);
      }
      for (const name of ['Bird nest cam', 'Keynote']) {
        await tabNamed(page, name).click();
        await untilAlone(name);
      }
      await takeScreenshot(page, 'player-shown-again');
      await runEditorCommand(page, 'View: Close Editor');
      await untilAlone('Bird nest cam');
    });

    it('show no frames as dropped that the browser did not draw because they were hidden', async () => {
      const { page } = workbench();
      const statistics = playerFrame(page).locator('.statistics');
      await pressMenuEntry(page, 'Playback Statistics');
      await statistics.waitFor();
      const dropped = () =>
        page.frames().reduce(async (found, frame) => {
          const count = await frame.evaluate(
            'document.querySelector("video")?.getVideoPlaybackQuality().droppedVideoFrames',
          );
          return typeof count === 'number' ? count : found;
        }, Promise.resolve(0));
      const seen = await dropped();
      await runEditorCommand(page, 'File: New Untitled Text File');
      await waitUntil(async () => (await dropped()) > seen + 60);
      await tabNamed(page, 'Bird nest cam').click();
      await statistics.waitFor();
      await waitUntil(async () => {
        const shown = (await statistics.locator('dd').last().innerText()).split(' / ')[0]?.replaceAll(',', '');
        return Number(shown) < (await dropped()) - 40;
      });
      await pressMenuEntry(page, 'Playback Statistics');
      await statistics.waitFor({ state: 'hidden' });
    });

    it('keep the sound while they are hidden, if they are in Picture in Picture', async () => {
      const { page } = workbench();
      await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
      await untilAlone('Keynote');
      const heading = playerFrame(page).locator('h1');
      const show = async (name: string) => {
        await tabNamed(page, name).click();
        await heading.filter({ hasText: name }).waitFor();
      };
      await videoOf(page).evaluate((element: unknown) => {
        const video = element as { id: string; addEventListener(type: string, listener: () => void): void };
        video.addEventListener('volumechange', () => {
          video.id += 'x';
        });
      });
      const toggle = async (isInset: boolean) => {
        // A video without data can't be in Picture in Picture.
        await untilPlaying(page);
        await pressPlayerButton(page, 'Picture in Picture');
        const read = () => videoOf(page).evaluate('document.pictureInPictureElement !== null');
        await waitUntil(async () => (await read()) === isInset);
      };
      await toggle(true);
      await show('Bird nest cam');
      await show('Keynote');
      await toggle(false);
      await show('Bird nest cam');
      await untilAlone('Bird nest cam');
      await show('Keynote');
      await untilAlone('Keynote');
      const changed = playerFrame(page).locator('video[id*=xx]');
      await changed.waitFor();
      assert.equal(await changed.getAttribute('id'), 'xx', 'it was muted once, and had its sound again');
    });

    it('keep their controls usable in a window 200 pixels wide and 150 high', async () => {
      const { page } = workbench();
      await runEditorCommand(page, 'View: Close All Editors');
      await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
      await untilPlaying(page);
      const frame = playerFrame(page);
      const untilSized = (isSo: (width: number, height: number) => boolean) =>
        waitUntil(async () => {
          const box = await frame.locator('body').boundingBox();
          return box !== null && isSo(box.width, box.height) && box;
        });
      const beside = await untilSized((width) => width > 0);
      await runEditorCommand(page, 'View: Toggle Primary Side Bar Visibility');
      const { width, height } = await untilSized((wider) => wider > beside.width);
      await page.setViewportSize({ width: 1280 - Math.round(width) + 200, height: 800 - Math.round(height) + 150 });
      const inside = await untilSized((narrow, low) => narrow <= 230 && low <= 160);
      await takeScreenshot(page, 'player-small');
      for (const control of [
        '.controls > .playerTool >> nth=0',
        '.seek',
        '.goLive',
        '.sounds .playerTool',
        '.moreActions',
      ]) {
        const box = await frame.locator(control).boundingBox();
        const isInside = box !== null && box.x >= inside.x && box.x + box.width <= inside.x + inside.width + 1;
        assert.ok(isInside && box.width >= 18 && box.y + box.height <= inside.y + inside.height + 1, control);
      }
      const video = await frame.locator('video').boundingBox();
      assert.ok(video && video.height >= 40, JSON.stringify(video));
      await frame.locator('.moreActions').click();
      await frame.getByLabel('Quality').waitFor();
      await takeScreenshot(page, 'player-small-menu');
    });
  });
});

declare function getComputedStyle(
  element: unknown,
  part?: string,
): {
  readonly content: string;
  readonly color: string;
  readonly backgroundImage: string;
  readonly outlineStyle: string;
};

/** Returns the names of what plays with sound, in front or not. */
async function readHeard(page: Page): Promise<readonly unknown[]> {
  const isHeard = '((video) => video && !video.paused && !video.muted)(document.querySelector("video"))';
  const read = page.frames().map((frame) => frame.evaluate(`${isHeard} && document.title`).catch(() => {}));
  return (await Promise.all(read)).filter(Boolean);
}

function tabNamed(page: Page, session: string): Locator {
  return page.locator('.tabs-container .tab').filter({ hasText: session });
}

/** Waits until the video in front plays with sound, and no other of so many plays at all. */
async function untilOnePlays(page: Page, count: number): Promise<void> {
  await untilVideo(page, ({ paused, muted }) => !paused && !muted);
  await waitUntil(async () => {
    const read = page
      .frames()
      .map((frame) => frame.evaluate('document.querySelector("video")?.paused').catch(() => {}));
    const paused = (await Promise.all(read)).filter((each) => each !== undefined);
    return paused.length === count && paused.filter((each) => each === false).length === 1;
  });
  assert.equal((await readVideo(page)).paused, false);
}
