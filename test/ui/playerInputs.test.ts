import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import type { PlayerContext } from '../../src/panels/player/playerFinder.ts';
import type { PlayerActions } from '../../src/panels/player/playerPart.ts';
import type { ClipCut, LoadedPart } from '../../src/webview/player/messages.ts';
import { hideSoundStreams } from '../../src/webview/player/soundInTransportStream.ts';
import { blend, contrast, parseColor } from '../support/page/contrast.ts';
import { PAGE_THEMES } from '../support/page/deliveryInBrowser.ts';
import {
  buildPlayerFiles,
  openPlayerPage,
  type PlayedPage,
  type PlayerFiles,
} from '../support/page/playerInBrowser.ts';
import { readClipTimes } from '../support/page/playerPage.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { itInFuzz, sampleOf } from '../support/runner/fuzzRuns.ts';
import { fragmentClip } from '../support/service/fragmentedMedia.ts';
import {
  type MediaAnswer,
  type MediaServer,
  masterOf,
  playlistOf,
  readSegment,
  SEGMENT_SECONDS,
  startMediaServer,
} from '../support/service/mediaServer.ts';
import { limitMemory } from '../support/sound/limitedMemory.ts';
import { startBrowser } from '../support/vscode/browser.ts';
import { type Fixture, withCommands } from '../unit/commands/fixture.ts';

const NO_SOUND = /^No sound\. This version of VS Code can't decode AC-3 audio\./;
const HOUR_SECONDS = 3600;
/** Of the demo's clip, and of the pictures in its segments. */
const CLIP_SECONDS = 12;
const PICTURE_PID = 256;
const CLIPS = [0, 1, 2, 3, 4, 5].map((number) => `clip${number}.ts`);

/** WebAssembly that exports nothing. */
const EMPTY_MODULE = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** What a page shows, in words and in numbers. */
interface Shown {
  readonly time: number;
  readonly width: number;
  readonly soundBytes: number;
  readonly isPaused: boolean;
  readonly problem: string;
  readonly notice: string;
  readonly soundOnly: string;
}

describe('A player’s page that gets odd input', () => {
  let browser: Browser;
  let files: PlayerFiles;
  let media: MediaServer;
  let played: PlayedPage | undefined;

  before(async () => {
    [browser, files, media] = await Promise.all([
      // Chromium as it comes from npm crashes where WebAssembly reads beyond its memory: it lacks the signal's handler.
      startBrowser('withoutAac', ['--disable-features=WebAssemblyTrapHandler']),
      buildPlayerFiles(),
      startMediaServer(),
      readSegment(0),
    ]);
    for (const [number, name] of CLIPS.entries()) serve(name, await readSegment(number));
  });
  afterEach(async () => {
    await played?.dispose();
    played = undefined;
  });
  after(async () => {
    media.close();
    await browser.close();
  });

  function serve(name: string, body: Uint8Array | string): void {
    media.serve(`/${name}`, typeof body === 'string' ? { body } : { type: 'video/mp2t', body });
  }

  async function openRecording(
    { context, service }: Fixture,
    path: string,
    options: Partial<
      Pick<Parameters<typeof openPlayerPage>[1], 'readPart' | 'allowsWasm' | 'createClip' | 'act' | 'theme'>
    > = {},
  ): Promise<Page> {
    const url = `${media.origin}/${path}`;
    const address = path.endsWith('.mp4') ? { mp4Url: url } : { recordingUrl: url };
    const { id } = service.control.addStream({ name: 'Odd' });
    const session = service.control.addSession(id, { record: true, recordingStatus: 'ready', ...address });
    const target = { connection: context.connection.info?.id ?? '', kind: 'session', id: session.id } as const;
    played = await openPlayerPage(browser, { ...context, files, target, ...options });
    return played.page;
  }

  const createButton = (page: Page) => page.getByRole('button', { name: 'Create Clip', exact: true });

  const openClipBar = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'More Actions…' }).click();
    await page.getByRole('button', { name: 'Create Clip…' }).click();
  };

  const cutFiveSeconds = async (page: Page): Promise<void> => {
    for (const [label, time] of [
      ['End time', '0:05'],
      ['Start time', '0:00'],
    ] as const) {
      await page.getByLabel(label).fill(time);
      await page.getByLabel(label).press('Enter');
    }
    await waitUntil(async () => (await page.locator('.clipLength').innerText()).startsWith('Length: 0:05.'));
  };

  type Shows = readonly [
    what: string,
    prepare: () => Promise<string>,
    isShown: (shown: Shown) => boolean | Promise<boolean>,
  ];
  const shows = ([, prepare, isShown]: Shows) =>
    withCommands({}, async (fixture) => {
      await untilShown(await openRecording(fixture, await prepare()), isShown);
    });
  const itShows = (...test: Shows) => it(test[0], shows(test));
  const itShowsInFuzz = (...test: Shows) => itInFuzz(test[0], shows(test));

  itShows(
    'says that it is audio only',
    async () => {
      const { init, segments } = await fragmentClip(['audio']);
      return serveFragments('sound', init, segments);
    },
    ({ time, soundBytes, soundOnly }) => time > 1 && soundBytes > 0 && soundOnly === 'Audio only',
  );

  it(
    'proposes a clip of what comes next, which can be created at once',
    withCommands({}, async (fixture) => {
      const ordered: { readonly startTime: number; readonly endTime: number }[] = [];
      const createClip: PlayerActions['createClip'] = async (clip) => void ordered.push(clip);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('proposed', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1.5);
      await page.keyboard.press('k');
      await openClipBar(page);
      const [start, end] = await readClipTimes(page);
      assert.match(start ?? '', /^0:0[1-9]\.\d\d$/);
      assert.match(end ?? '', /^0:1[12]\.\d\d$/);
      await createButton(page).click();
      await waitUntil(() => ordered.length === 1);
      const [{ startTime, endTime } = assert.fail('None')] = ordered;
      const seconds = Number(end?.slice(2)) - Number(start?.slice(2));
      assert.ok(Math.abs(endTime - startTime - seconds * 1000) < 100, `${endTime - startTime} ms for ${seconds} s`);
    }),
  );

  it(
    'is created with Enter, while Space still plays and pauses',
    withCommands({}, async (fixture) => {
      const ordered: unknown[] = [];
      const createClip: PlayerActions['createClip'] = async (clip) => void ordered.push(clip);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('spaced', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await page.keyboard.press('k');
      await untilShown(page, ({ isPaused }) => isPaused);
      await page.keyboard.press('c');
      await page.keyboard.press(' ');
      await untilShown(page, ({ isPaused }) => !isPaused);
      await page.keyboard.press(' ');
      await untilShown(page, ({ isPaused }) => isPaused);
      assert.deepEqual(ordered, []);
      await page.keyboard.press('Enter');
      await waitUntil(() => ordered.length === 1);
    }),
  );

  it(
    'plays a recording that rests, though its tab was in front for no more than a moment before',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video', 'audio']);
      const page = await openRecording(fixture, serveFragments('rested', init, segments));
      await untilShown(page, ({ width, isPaused }) => width > 0 && !isPaused);
      // Without a task of the page in between.
      const tell = (...messages: readonly object[]) =>
        page.evaluate(messages.map((message) => `receive(${JSON.stringify(JSON.stringify(message))})`).join(';'));
      const visible = (isVisible: boolean) => ({ kind: 'visible', isVisible });
      await tell({ kind: 'yieldSound' }, visible(false));
      await untilShown(page, ({ isPaused }) => isPaused);
      await tell(visible(true), visible(false));
      await tell(visible(true));
      await untilShown(page, ({ isPaused }) => !isPaused);
    }),
  );

  it(
    'shows in the seek bar how much has loaded',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('loaded', init, segments));
      await untilShown(page, ({ width, isPaused }) => width > 0 && !isPaused);
      await page.keyboard.press('k');
      await untilShown(page, ({ isPaused }) => isPaused);
      const portions = () =>
        page
          .locator('.seek')
          .evaluate(({ style }) =>
            ['--filled', '--loaded'].map((name) => Number.parseFloat(style.getPropertyValue(name))),
          );
      // The recording is short, so all of it is loaded.
      await waitUntil(async () => (await portions())[1] === 100);
      const [filled = 100] = await portions();
      assert.ok(filled < 100, String(filled));
    }),
  );

  it(
    'takes the sound back from another player with M, and with a click anywhere on Unmute',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video', 'audio']);
      const page = await openRecording(fixture, serveFragments('shared', init, segments));
      await untilShown(page, ({ width, isPaused }) => width > 0 && !isPaused);
      const yieldSound = () => page.evaluate(`receive(${JSON.stringify(JSON.stringify({ kind: 'yieldSound' }))})`);
      const unmute = page.getByRole('button', { name: 'Unmute and Mute Other Players', exact: true });
      const mute = page.getByRole('button', { name: 'Mute', exact: true });
      await mute.waitFor();
      for (const takeBack of [
        () => page.keyboard.press('m'),
        () => unmute.click({ position: { x: 2, y: 2 }, delay: 50 }),
      ]) {
        await yieldSound();
        await unmute.waitFor();
        await takeBack();
        await mute.waitFor();
      }
      await page.keyboard.press('m');
      await page.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    }),
  );

  it(
    'plays a rendition that the bandwidth allows, once it has measured that',
    withCommands({}, async (fixture) => {
      for (const quality of ['low', 'high']) {
        const names = CLIPS.map((name) => `${quality}-${name}`);
        for (const [number, name] of names.entries()) serve(name, await readSegment(number));
        serve(`${quality}.m3u8`, playlistOf(names));
      }
      // hls.js begins with 500 kbps.
      const master = masterOf(['low.m3u8', 'high.m3u8']).replace('BANDWIDTH=600000', 'BANDWIDTH=2000000');
      serve('measured.m3u8', master.replace('640x360', '320x180'));
      const page = await openRecording(fixture, 'measured.m3u8');
      await waitUntil(() => media.requests.some((path) => path.startsWith('/high-clip')));
      const requested = media.requests.filter((path) => /^\/(low|high)-clip/.test(path));
      assert.match(requested[0] ?? '', /^\/low-/);
      await page.keyboard.press('s');
      const rows = page.locator('.statistics');
      await rows.filter({ hasText: '360p · 2 Mbps' }).waitFor();
      assert.match(await rows.innerText(), /Bandwidth\s+[\d.]+ [MG]bps/);
    }),
  );

  it(
    'has in its menu what concerns the frame, what plays, and the keys, in groups of their own',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('grouped', init, segments));
      await untilShown(page, ({ time }) => time > 1);
      await page.getByRole('button', { name: 'More Actions…' }).click();
      await waitUntil(async () => (await page.locator('.playerMenu .separator:visible').count()) === 2);
      await takeScreenshot(page, 'player-menu-groups');
    }),
  );

  it(
    'takes the times of a clip as text, says what is no time, and shows the frames',
    withCommands({}, async (fixture) => {
      const ordered: { readonly startTime: number; readonly endTime: number }[] = [];
      const createClip: PlayerActions['createClip'] = async (clip) => void ordered.push(clip);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('typed', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      const words = page.locator('.clipWords');
      const [start, end] = [page.getByLabel('Start time'), page.getByLabel('End time')];
      const isAt = (seconds: number) =>
        waitUntil(
          async () =>
            Math.abs(Number(await page.evaluate("document.querySelector('video').currentTime")) - seconds) < 0.05,
        );
      await end.fill('0:04');
      await end.press('Enter');
      await isAt(3.96);
      await start.fill('1.5');
      await start.press('Tab');
      await isAt(1.5);
      assert.deepEqual(await readClipTimes(page), ['0:01.50', '0:04.00']);
      assert.equal(await page.locator('.clipLength').innerText(), 'Length: 0:02.50');
      await waitUntil(async () => (await page.locator('.still.isEmpty').count()) === 0);
      for (const [key, seconds] of [
        ['ArrowUp', 2.5],
        ['Alt+ArrowUp', 2.6],
        ['Alt+ArrowDown', 2.5],
        ['Shift+ArrowDown', 0],
        ['Alt+ArrowUp', 0.1],
        ['Shift+ArrowUp', 10.1],
      ] as const) {
        await start.press(key);
        await isAt(seconds);
      }
      await start.fill('2.5');
      await start.press('Enter');
      await isAt(2.5);
      await start.fill('soon');
      await start.press('Enter');
      assert.equal(await words.innerText(), 'Start time: Enter a time such as 1:30.');
      assert.equal(await start.inputValue(), 'soon');
      assert.equal(await page.locator('.clipLength').isVisible(), false);
      const range = page.locator('.trimRange');
      const hasRange = () => Promise.all([range.isVisible(), page.locator('.seek.hasRange').isVisible()]);
      assert.deepEqual(await hasRange(), [true, false]);
      const dimmed = page.locator('.isWrong > .trimEnd:disabled:not(.isBeyond)');
      assert.equal(await dimmed.getAttribute('aria-label'), 'Start of clip', 'it stays where it was');
      await page.getByLabel('Clip name').press('Enter');
      assert.equal(await createButton(page).isEnabled(), false);
      assert.deepEqual(await readClipTimes(page), ['soon', '0:04.00']);
      await start.press('Escape');
      assert.deepEqual(await readClipTimes(page), ['0:02.50', '0:04.00']);
      assert.deepEqual(await hasRange(), [true, true]);
      assert.equal(await createButton(page).isEnabled(), true);
      await start.fill('99:00');
      await page.getByLabel('Clip name').focus();
      assert.match(await words.innerText(), /^Start time: Enter a time from 0:00\.00 to 0:1\d\.\d\d\.$/);
      assert.equal(await createButton(page).isEnabled(), false);
      assert.deepEqual([await readClipTimes(page), ordered], [['99:00', '0:04.00'], []]);
      await start.fill('0:02');
      await start.press('Enter');
      const places = () =>
        page.locator('.video, .clipName').evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
      const areInvalid = () =>
        Promise.all([start, end].map((time) => time.evaluate((box) => (box as { ariaInvalid?: string }).ariaInvalid)));
      const before = await places();
      assert.deepEqual(await areInvalid(), ['false', 'false']);
      await end.fill('0:01');
      await end.press('Enter');
      assert.equal(await words.innerText(), 'The end time must be later than the start time.');
      assert.deepEqual(await places(), before);
      assert.deepEqual(await areInvalid(), ['false', 'true']);
      assert.deepEqual(await readClipTimes(page), ['0:02.00', '0:01.00']);
      assert.deepEqual(await hasRange(), [true, false]);
      assert.equal(await createButton(page).isEnabled(), false);
      await end.fill('0:02.5');
      await end.press('Enter');
      assert.equal(await words.innerText(), 'A clip must be at least one second long.');
      assert.equal(await createButton(page).isEnabled(), false);
      await end.fill('0:03');
      await end.press('Enter');
      assert.equal(await words.innerText(), '');
      await createButton(page).click();
      await waitUntil(() => ordered.length === 1);
      const [{ startTime, endTime } = assert.fail('None')] = ordered;
      assert.ok(Math.abs(endTime - startTime - 1000) <= 2, `${endTime - startTime} ms`);
    }),
  );

  it(
    'has handles for the ends of a clip of a long recording, far enough apart, which the pointer and keys move',
    withCommands({}, async (fixture) => {
      const page = await openRecording(fixture, await serveLong('trimmed', 1, ['video']));
      await untilShown(page, ({ time }) => time > 1);
      await seekTo(1800);
      await untilShown(page, ({ time, width }) => time > 1800 && width > 0);
      await page.keyboard.press('k');
      await openClipBar(page);
      const [start, end] = [page.getByLabel('Start of clip'), page.getByLabel('End of clip')];
      const head = page.locator('.trimPlayhead');
      const track = (await page.locator('.trimTrack').boundingBox()) ?? assert.fail('There is no track');
      const placeOf = async (slider: typeof start) => {
        const [min = 0, max = 0, value = 0] = await slider.evaluate((range: unknown) => {
          const { min: least, max: most, value: now } = range as Record<'min' | 'max' | 'value', string>;
          return [least, most, now].map(Number);
        });
        return track.x + 6 + ((value - min) / (max - min)) * (track.width - 12);
      };
      /** Drags it, and returns how many seconds that moved it. */
      const drag = async (slider: typeof start, by: number, y = track.y + track.height - 14) => {
        const value = async () => Number(await slider.inputValue());
        const [x, before] = [await placeOf(slider), await value()];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + by, y, { steps: 5 });
        await page.mouse.up();
        await waitUntil(async () => Math.abs((await value()) - (await timeOfVideo())) < 0.1);
        return (await value()) - before;
      };
      const timeOfVideo = async () => Number(await page.evaluate("document.querySelector('video').currentTime"));
      const secondsOf = async () => {
        const times = await readClipTimes(page);
        for (const time of times) assert.match(time, /^0:\d\d:\d\d\.\d\d$/, 'as the clock says it');
        return times.map((time) => Number(time.slice(2, 4)) * 60 + Number(time.slice(5)));
      };
      const [from = 0, to = 0] = await secondsOf();
      assert.ok((await placeOf(end)) - (await placeOf(start)) > track.width / 6);
      const perPixel = 120 / (track.width - 12);
      const shown = () => page.locator('.trimTime').allInnerTexts();
      const before = await shown();
      const [later, earlier] = [await drag(end, 80), await drag(start, -60)];
      assert.deepEqual(await shown(), before, 'the handles stay where they were put');
      assert.ok(
        Math.abs(later - 80 * perPixel) < 0.5 && Math.abs(earlier + 60 * perPixel) < 0.5,
        `${later} ${earlier}`,
      );
      const [newFrom = 0, newTo = 0] = await secondsOf();
      assert.ok(Math.abs(newFrom - from - earlier) < 0.1 && Math.abs(newTo - to - later) < 0.1);
      // It lies on the start, and can still be taken.
      assert.ok((await drag(head, 40, track.y + 4)) > 3);
      assert.deepEqual(await secondsOf(), [newFrom, newTo]);
      await takeScreenshot(page, 'clip-trim');
      for (const [key, by] of [
        ['ArrowRight', 1],
        ['Shift+ArrowUp', 10],
        ['Alt+ArrowDown', -0.1],
        ['ArrowLeft', -1],
      ] as const) {
        const at = (await secondsOf())[1] ?? 0;
        await end.press(key);
        await waitUntil(async () => Math.abs(((await secondsOf())[1] ?? 0) - at - by) < 0.02);
      }
      assert.equal(await end.getAttribute('aria-valuetext'), (await readClipTimes(page))[1]);
      await start.focus();
      await page.keyboard.press('Space');
      await untilShown(page, ({ isPaused }) => !isPaused);
      await page.keyboard.press('k');
      assert.ok((await drag(start, 900)) > 0);
      const [last = 0, limit = 0] = await secondsOf();
      assert.ok(Math.abs(limit - last - 1) < 0.05, 'the start stays before the end');
      await page.locator('video').focus();
      const playhead = page.locator('.trimPlayhead.isBeyond');
      for (const [key, end] of [
        ['1', 'min'],
        ['9', 'max'],
      ] as const) {
        await page.keyboard.press(key);
        await waitUntil(async () => {
          const [value, limit] = [await playhead.inputValue(), await playhead.getAttribute(end)];
          return Math.abs(Number(value) - Number(limit)) < 0.1;
        });
      }
      await page.screenshot({ path: inProject('screenshots/clip-trim-beyond.png') });
    }),
  );

  it(
    'says of each end of a clip what is wrong with it, also to screen readers at its field',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('wrong', init, segments));
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      const [start, end] = [page.getByLabel('Start time'), page.getByLabel('End time')];
      const type = async (field: typeof start, text: string) => {
        await field.fill(text);
        await field.press('Enter');
      };
      const faults = () =>
        Promise.all(
          [start, end].map((field) =>
            field.evaluate((box) => {
              const { ownerDocument } = box as { ownerDocument: { querySelector(of: string): { innerText: string } } };
              const isInvalid = box.getAttribute('aria-invalid') === 'true';
              const said = ownerDocument.querySelector(`#${box.getAttribute('aria-describedby')}`).innerText;
              return isInvalid ? said : `valid${said}`;
            }),
          ),
        );
      assert.deepEqual(await faults(), ['valid', 'valid']);
      await type(start, '0:07');
      assert.deepEqual(await faults(), ['The start time must be earlier than the end time.', 'valid']);
      await type(start, '99:00');
      await type(end, 'soon');
      const [beyond = '', noTime] = await faults();
      assert.match(beyond, /^Start time: Enter a time from 0:00\.00 to /);
      assert.equal(noTime, 'End time: Enter a time such as 1:30.');
      assert.equal(await page.locator('.clipWords').innerText(), `${beyond} ${noTime}`);
      await takeScreenshot(page, 'clip-both-wrong');
      await type(end, '0:04');
      assert.deepEqual(await faults(), [beyond, 'valid']);
      assert.equal(await createButton(page).isEnabled(), false);
      await type(start, '0:01');
      assert.deepEqual(await faults(), ['valid', 'valid']);
      assert.equal(await createButton(page).isEnabled(), true);
    }),
  );

  it(
    'is begun with a key, which the menu and the list of keys name',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('key', init, segments));
      await untilShown(page, ({ time }) => time > 1);
      const bar = page.locator('.clipBar');
      await page.keyboard.press('c');
      await bar.waitFor();
      await page.getByLabel('Clip name').pressSequentially('Cc');
      assert.equal(await page.getByLabel('Clip name').inputValue(), 'Cc');
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'More Actions…' }).click();
      const entry = page.getByRole('button', { name: 'Create Clip…', exact: true });
      assert.equal(await entry.innerText(), 'Create Clip…\nC');
      assert.equal(await entry.getAttribute('title'), 'Create Clip… (C)');
      await takeScreenshot(page, 'player-menu-keys');
      await page.getByRole('button', { name: 'Keyboard Shortcuts' }).click();
      const keysFor = (what: string) =>
        page
          .getByText(what, { exact: true })
          .evaluate((term) => (term as { nextSibling: { innerText: string } }).nextSibling.innerText);
      assert.equal(await keysFor('Create a clip'), 'C');
      assert.equal(await keysFor('Set the start or end of the clip'), 'I O');
      await takeScreenshot(page, 'player-keys');
      await page.locator('#keys').getByRole('button', { name: 'Dismiss' }).click();
      await page.locator('#keys').waitFor({ state: 'hidden' });
    }),
  );

  for (const [name, { colors }] of Object.entries(PAGE_THEMES)) {
    it(
      `has fields for a clip whose borders are seen while they can be changed, and fainter ones after that: ${name}`,
      withCommands({}, async (fixture) => {
        const theme = `:root { ${colors} }`;
        const createClip: PlayerActions['createClip'] = () => new Promise(() => undefined);
        const { init, segments } = await fragmentClip(['video']);
        const path = serveFragments('themed', init, segments);
        const page = await openRecording(fixture, path, { createClip, theme });
        await untilShown(page, ({ time }) => time > 1);
        await openClipBar(page);
        const colorOf = (selector: string, property: string) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
        const under = parseColor(await colorOf('body', 'backgroundColor'));
        const contrasts = async () => {
          const borders = ['.clipTime', '.clipName'].map((field) => colorOf(field, 'borderTopColor'));
          return (await Promise.all(borders)).map((color) => contrast(blend(parseColor(color), under), under));
        };
        const editable = await contrasts();
        assert.ok(
          editable.every((ratio) => ratio >= 3),
          editable.join(),
        );
        await takeScreenshot(page, `clip-fields-${name}`);
        await createButton(page).click();
        await page.locator('.clipName:disabled').waitFor();
        const disabled = await contrasts();
        assert.ok(
          disabled.every((ratio) => ratio > 1.05 && ratio < 2),
          disabled.join(),
        );
      }),
    );
  }

  it(
    'keeps the range and the name of a clip that was not created, until it is',
    withCommands({}, async (fixture) => {
      const ordered: ClipCut[] = [];
      let retry = (): void => assert.fail('Nothing was refused');
      const createClip: PlayerActions['createClip'] = async (clip, _on, { onMade }) => {
        const make = () => void onMade({ id: 'made', name: `Made of ${clip.name}` });
        if (ordered.push(clip) === 1) retry = make;
        else make();
      };
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('clipped', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      await page.getByLabel('Clip name').fill('Goal, I think.');
      const create = createButton(page);
      await create.click();
      await waitUntil(async () => ordered.length === 1 && (await create.isEnabled()));
      await create.click();
      await page.locator('.clipBar').waitFor({ state: 'hidden' });
      assert.equal(ordered.length, 2);
      assert.deepEqual({ ...ordered[0], order: 0 }, { ...ordered[1], order: 0 });
      assert.match(JSON.stringify(ordered[0]), /"name":"Goal, I think\."/);
      const said = page.getByRole('status').filter({ hasText: 'Created the clip "Made of Goal, I think."' });
      await said.waitFor();
      // What is made late closes no bar in which another clip is cut by now.
      await openClipBar(page);
      await said.waitFor({ state: 'detached' });
      retry();
      await said.waitFor();
      assert.equal(await page.locator('.clipBar').isVisible(), true);
    }),
  );

  it(
    'cuts a clip at the beginning of a frame, even if the browser reports late which frame is shown',
    withCommands({}, async (fixture) => {
      const ordered: { readonly startTime: number }[] = [];
      const createClip: PlayerActions['createClip'] = async (clip) => void ordered.push(clip);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('late', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      const seekTo = (time: number) =>
        page.evaluate(`new Promise((resolve) => {
          const video = document.querySelector('video');
          video.addEventListener('seeked', resolve, { once: true });
          video.currentTime = ${time};
        })`);
      const create = createButton(page);
      const order = async (count: number) => {
        await waitUntil(() => create.isEnabled());
        await create.click();
        await waitUntil(async () => ordered.length === count);
      };
      await openClipBar(page);
      await page.evaluate("document.querySelector('video').pause()");
      await seekTo(3);
      await page.keyboard.press('o');
      await waitUntil(async () => /^0:0(2\.9|3\.)/.test((await readClipTimes(page))[1] ?? ''));
      // The page's request of before is answered with the first frame, and makes one that can be held.
      await page.evaluate(`new Promise((resolve) => {
        const { prototype } = HTMLVideoElement;
        const request = prototype.requestVideoFrameCallback;
        globalThis.held = [];
        prototype.requestVideoFrameCallback = function (report) {
          return request.call(this, (now, frame) => {
            if (frame.mediaTime < 0.9 || frame.mediaTime > 1.01) report(now, frame);
            else held.push({ begin: frame.mediaTime, report: () => report(now, frame) });
          });
        };
        const video = document.querySelector('video');
        const look = (_, { mediaTime }) => (mediaTime < 0.5 ? resolve() : request.call(video, look));
        request.call(video, look);
        video.currentTime = 0.1;
      })`);
      await seekTo(1.01);
      await waitUntil(() => page.evaluate('held.length > 0'));
      const begin = (await page.evaluate('held[0].begin')) as number;
      // In one task: the bar waits a second for the report.
      await page.evaluate(`
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'i', bubbles: true }));
        for (const { report } of held.splice(0)) report();
      `);
      await order(1);
      // The recording begins at a whole second.
      assert.equal((ordered[0]?.startTime ?? Number.NaN) % 1000, Math.round(begin * 1000) % 1000);
    }),
  );

  it(
    'closes the bar of a refused clip once a retry elsewhere has created it, unless the bar has another by then',
    withCommands({}, async (fixture) => {
      const retries: (() => void)[] = [];
      const createClip: PlayerActions['createClip'] = async ({ name }, _on, { onMade }) =>
        void retries.push(() => void onMade({ id: 'made', name }));
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('retried', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      const [name, create] = [page.getByLabel('Clip name'), createButton(page)];
      const refuse = async (count: number) => {
        await create.click();
        await waitUntil(async () => retries.length === count && (await create.isEnabled()));
      };
      await name.fill('First');
      await refuse(1);
      await name.fill('Second');
      retries[0]?.();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      assert.deepEqual([await name.inputValue(), await create.isEnabled()], ['Second', true]);
      await refuse(2);
      retries[1]?.();
      await page.locator('.clipBar').waitFor({ state: 'hidden' });
    }),
  );

  it(
    'says which clip was created where it was cut, and leaves that to the keyboard until it is dismissed',
    withCommands({}, async (fixture) => {
      const acted: unknown[] = [];
      const act: PlayerActions['act'] = async (action, { subject }) =>
        void acted.push([action, subject.kind, subject.id]);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('said', init, segments), {
        act,
        theme: ':root { --vscode-button-background: rgb(1, 2, 3); }',
      });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      await page.getByLabel('Clip name').press('Enter');
      const watch = page.getByRole('button', { name: 'Watch', exact: true });
      const isFocused = () => page.evaluate("document.activeElement?.textContent === 'Watch'");
      await waitUntil(isFocused);
      for (const key of ['Enter', 'Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
      await waitUntil(() => acted.length === 3);
      assert.deepEqual(acted, [
        ['openRecording', 'clip', 'made'],
        ['copyClipUrl', 'clip', 'made'],
        ['downloadMp4', 'clip', 'made'],
      ]);
      await page.keyboard.press('Escape');
      await watch.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('document.activeElement?.tagName'), 'VIDEO');
      assert.equal(await page.locator('.clipMade').evaluate((line) => line.getBoundingClientRect().height), 0);
      // By mouse, the focus stays: Space is to play.
      await openClipBar(page);
      await cutFiveSeconds(page);
      await createButton(page).click();
      await watch.waitFor();
      assert.equal(await isFocused(), false);
      const backgrounds = await page
        .locator('.clipMade .button')
        .evaluateAll((all) => all.map((part) => part.ownerDocument.defaultView.getComputedStyle(part).backgroundColor));
      const isPrimary = (color: string) => color === 'rgb(1, 2, 3)';
      assert.deepEqual(backgrounds.map(isPrimary), [true, false, false, false]);
      await page.getByRole('button', { name: 'Create Another…' }).click();
      await watch.waitFor({ state: 'detached' });
      assert.equal(await page.locator('.clipBar').isVisible(), true);
    }),
  );

  it(
    'is refused in the bar, which keeps what was set, or below the controls once that is closed',
    withCommands({}, async (fixture) => {
      const acted: string[] = [];
      const act: PlayerActions['act'] = async (action) => void acted.push(action);
      const ordered: ClipCut[] = [];
      let fail = (): void => assert.fail('Nothing was ordered');
      const createClip: PlayerActions['createClip'] = (clip, _on, { onFailed }) =>
        new Promise((resolve) => {
          const needsKey = ordered.push(clip) > 1;
          const sentence = needsKey ? 'The API key was rejected.' : 'Couldn\'t create "Goal". The disk is full.';
          fail = () => resolve(void onFailed({ sentence, needsKey }));
        });
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('refused', init, segments), { createClip, act });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      const [name, create] = [page.getByLabel('Clip name'), createButton(page)];
      await name.fill('Goal');
      await create.click();
      fail();
      const words = page.locator('.clipWords');
      await words.getByText('The disk is full.').waitFor();
      const setKey = page.getByRole('button', { name: 'Set API Key…' });
      assert.deepEqual([await name.inputValue(), await create.isEnabled(), await setKey.count()], ['Goal', true, 0]);
      await create.click();
      fail();
      await words.getByText('The API key was rejected.').waitFor();
      await setKey.click();
      assert.deepEqual([acted, { ...ordered[0], order: 0 }], [['setApiKey'], { ...ordered[1], order: 0 }]);
      await name.fill('Goal!');
      assert.equal(await words.innerText(), '');
      await create.click();
      await page.getByRole('button', { name: 'Close' }).click();
      fail();
      await page.locator('.clipMade').getByText('The API key was rejected.').waitFor();
      await setKey.click();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await setKey.waitFor({ state: 'detached' });
      assert.deepEqual(acted, ['setApiKey', 'setApiKey']);
    }),
  );

  it(
    'is still created if the bar is closed meanwhile, which says so below the controls',
    withCommands({}, async (fixture) => {
      let finish = (): void => assert.fail('Nothing was ordered');
      const createClip: PlayerActions['createClip'] = (_clip, _on, { onMade }) =>
        new Promise((resolve) => {
          finish = () => resolve(void onMade({ id: 'made', name: 'Goal' }));
        });
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('closed', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      assert.equal(await page.getByRole('button', { name: 'Cancel' }).isVisible(), true);
      await createButton(page).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.locator('.clipBar').waitFor({ state: 'hidden' });
      const underWay = page.locator('.clipUnderWay');
      await underWay.getByText('Creating clip…').waitFor();
      finish();
      await page.locator('.clipMade').getByText('Created the clip "Goal"').waitFor();
      await page.getByRole('button', { name: 'Create Another…' }).click();
      assert.equal(await page.getByRole('button', { name: 'Cancel' }).isVisible(), true);
    }),
  );

  it(
    'is no longer announced after the page was hidden a while later',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const createClip: PlayerActions['createClip'] = async (_clip, _on, { onMade }) => {
        onMade({ id: 'made', name: 'Goal' });
      };
      const page = await openRecording(fixture, serveFragments('announced', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      await createButton(page).click();
      const made = page.locator('.clipMade');
      await made.getByText('Created the clip "Goal"').waitFor();
      const see = async (isSeen: boolean) => {
        played?.setSeen(isSeen);
        // The page has handled that once it answers.
        await page.evaluate('0');
      };
      await see(false);
      await see(true);
      await made.getByText('Created the clip "Goal"').waitFor();
      await page.evaluate('performance.now = () => 1e9');
      await see(false);
      await made.getByRole('button').first().waitFor({ state: 'detached' });
      assert.equal(await made.innerText(), '');
    }),
  );

  it(
    'shows how far it is while nothing of it can be changed, and lets another be cut meanwhile',
    withCommands({}, async (fixture) => {
      const pages: Parameters<PlayerActions['createClip']>[2][] = [];
      const createClip: PlayerActions['createClip'] = (_clip, _on, page) =>
        new Promise(() => {
          pages.push(page);
        });
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('progress', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      const bar = page.locator('.clipBar');
      await page.getByLabel('Clip name').fill('Goal');
      await page.getByLabel('Clip name').press('Enter');
      await bar.getByText('Creating clip…').waitFor();
      const progress = bar.getByRole('progressbar');
      assert.equal(await progress.getAttribute('value'), null);
      for (const part of await bar.locator('input, .clipEnd button').all()) assert.equal(await part.isDisabled(), true);
      const before = await readClipTimes(page);
      await page.keyboard.press('i');
      assert.deepEqual([await readClipTimes(page), await page.getByLabel('Clip name').inputValue()], [before, 'Goal']);
      pages[0]?.onProgress(0.4);
      await bar.getByText('40%').waitFor();
      assert.equal(await progress.getAttribute('value'), '0.4');
      // The focus is where something can be done.
      await page.keyboard.press('Enter');
      await bar.waitFor({ state: 'hidden' });
      const underWay = page.locator('.clipUnderWay');
      await underWay.getByText('40%').waitFor();
      await underWay.getByRole('button', { name: 'Create Another…' }).click();
      await cutFiveSeconds(page);
      await createButton(page).click();
      await waitUntil(() => pages.length === 2);
      pages[1]?.onProgress(0.7);
      await bar.getByText('70%').waitFor();
      await openClipBar(page);
      await underWay.getByText('Creating 2 clips…').waitFor();
      assert.equal(await createButton(page).isEnabled(), true);
      pages[0]?.onMade({ id: 'one', name: 'Goal' });
      await page.getByText('Created the clip "Goal"').waitFor();
      const another = page.getByRole('button', { name: 'Create Another…' });
      assert.deepEqual([await bar.isVisible(), await another.count()], [true, 0]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await underWay.getByText('70%').waitFor();
      pages[1]?.onFailed({ sentence: 'The disk is full.', needsKey: false });
      await page.locator('.clipMade').getByText('The disk is full.').waitFor();
      assert.equal(await underWay.innerText(), '');
    }),
  );

  it(
    'says in one line each which clip was created and which is, in a narrow page',
    withCommands({}, async (fixture) => {
      const pages: Parameters<PlayerActions['createClip']>[2][] = [];
      const createClip: PlayerActions['createClip'] = (_clip, _on, page) => new Promise(() => void pages.push(page));
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('narrow', init, segments), { createClip });
      await page.setViewportSize({ width: 400, height: 600 });
      await untilShown(page, ({ time }) => time > 1);
      for (const count of [1, 2]) {
        await page.keyboard.press('c');
        await createButton(page).click();
        await waitUntil(() => pages.length === count);
      }
      await page.keyboard.press('Escape');
      const boxOf = (selector: string) => page.locator(selector).evaluate((part) => part.getBoundingClientRect());
      const underWay = page.locator('.clipUnderWay');
      await underWay.getByRole('button', { name: 'Create Another…' }).waitFor();
      const isOneLine = async () => (await boxOf('.clipUnderWay')).height < 50;
      assert.ok(await isOneLine());
      pages[0]?.onMade({ id: 'one', name: 'The annual conference of developers (1:01:00–1:01:30)' });
      await page.locator('.clipMade .createAnother').waitFor();
      const [words, close] = [await boxOf('.clipMadeWords'), await boxOf('.clipMade > .playerTool')];
      assert.ok(words.right <= close.left, `${words.right} px, over what closes it at ${close.left} px`);
      assert.equal(await page.getByRole('button', { name: 'Create Another…' }).count(), 1);
      assert.ok(await isOneLine());
      await takeScreenshot(page, 'clips-narrow');
    }),
  );

  it(
    'says above the slider which time is below the pointer, and goes there with a click',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('pointer', init, segments));
      await untilShown(page, ({ time }) => time > 0.5);
      await page.keyboard.press('k');
      const below = page.locator('.timeBelow');
      assert.equal(await below.isVisible(), false);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 600 });
        const slider = page.locator('.seek');
        await slider.hover();
        await below.filter({ hasText: /^0:06$/ }).waitFor();
        const [bubble, track] = [await below.boundingBox(), await slider.boundingBox()];
        assert.ok(bubble && track && bubble.y + bubble.height <= track.y, `It covers the slider at ${width} px`);
        const [middle, centre] = [bubble.x + bubble.width / 2, track.x + track.width / 2];
        assert.ok(Math.abs(middle - centre) < 2, `Not above the pointer at ${width} px`);
      }
      await page.locator('.seek').click();
      await page
        .locator('.clock')
        .filter({ hasText: /^0:06 / })
        .waitFor();
      await page.mouse.move(180, 100);
      await below.waitFor({ state: 'hidden' });
    }),
  );

  it(
    'shows the ends of a proposed clip, also the one that was never seen, and an end that moves along',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('stills', init, segments));
      await untilShown(page, ({ time }) => time > 1);
      const seek = (to: number) =>
        page.evaluate(`new Promise((resolve) => {
          const video = document.querySelector('video');
          video.pause();
          video.addEventListener('seeked', resolve, { once: true });
          video.currentTime = ${to};
        })`);
      await seek(5);
      await openClipBar(page);
      /** Which second of the demo's movie the picture of an end is of. Its line may be as thin as half a pixel. */
      const secondOf = (end: 0 | 1): Promise<number> =>
        page.evaluate(`(() => {
          const still = document.querySelectorAll('.still')[${end}];
          if (still.width === 0) return NaN;
          const line = still.getContext('2d').getImageData(0, Math.round(still.height * 0.967), still.width, 1).data;
          const greens = [...line].filter((_, at) => at % 4 === 1);
          const half = (Math.min(...greens) + Math.max(...greens)) / 2;
          const bright = greens.flatMap((value, x) => (value > half ? [x] : []));
          return ((bright.reduce((sum, x) => sum + x, 0) / bright.length) * 12) / still.width;
        })()`);
      await waitUntil(async () => !Number.isNaN(await secondOf(0)));
      const first = await secondOf(0);
      assert.ok(Math.abs(first - 5) < 0.3, `The start shows second ${first}`);
      await waitUntil(async () => (await secondOf(1)) > 11.3);
      assert.equal(await page.locator('video').count(), 1);
      // Another frame as the start: there is a picture of about then.
      const start = page.getByLabel('Start time');
      await seek(11);
      for (const key of ['i', '0', 'o']) await page.keyboard.press(key);
      await waitUntil(async () => (await start.inputValue()) === '0:00.00');
      await waitUntil(async () => (await secondOf(0)) < 2.1);
    }),
  );

  it(
    'keeps the heights and places of the bar and its parts while a clip is created, and after it was refused',
    withCommands({}, async (fixture) => {
      let refuse = (): void => assert.fail('Nothing was ordered');
      const createClip: PlayerActions['createClip'] = () =>
        new Promise((resolve) => {
          refuse = resolve;
        });
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('steady', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      await cutFiveSeconds(page);
      const places = () =>
        page
          .locator('.stage, .controls, .clipBar, .clipBar *:not(.clipNow, .clipNow *, svg, path)')
          .evaluateAll((all) => all.map((part) => [part.classList[0], JSON.stringify(part.getBoundingClientRect())]));
      for (const width of [1280, 600, 360, 260]) {
        await page.setViewportSize({ width, height: 600 });
        // In a narrow page, the menu takes a part of the row.
        await waitUntil(async () => (await page.locator('.playerMenu .choices').count()) === (width < 480 ? 1 : 0));
        const before = await places();
        const controls = await page
          .locator('.clipBar :is(button, input:not(.trimSlider))')
          .evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
        for (const [index, { top, left }] of controls.entries()) {
          const { top: topBefore = 0, left: leftBefore = -1 } = controls[index - 1] ?? {};
          assert.ok(top > topBefore + 10 || left > leftBefore, `Tab goes back to ${left}, ${top} at ${width} px`);
        }
        const [play, next, setStart] = await page
          .locator('.controls > .playerTool:first-child, .frameSteps > :last-child, .clipEnd:first-child > .button')
          .evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
        assert.ok(play && next && setStart && next.top === play.top && next.bottom < setStart.top, `${width} px`);
        await createButton(page).click();
        await page.locator('.clipWords').filter({ hasText: 'Creating clip…' }).waitFor();
        assert.deepEqual(await places(), before, `While it is created, at ${width} px`);
        refuse();
        await waitUntil(() => createButton(page).isEnabled());
        assert.deepEqual(await places(), before, `After it was refused, at ${width} px`);
        await page.getByLabel('Start time').fill('99:00');
        await page.getByLabel('Start time').press('Enter');
        await page.locator('.clipWords').filter({ hasText: 'Enter a time from' }).waitFor();
        assert.deepEqual(await places(), before, `With a time that is beyond, at ${width} px`);
        await page.getByLabel('Start time').press('Escape');
      }
      await page.setViewportSize({ width: 300, height: 420 });
      await waitUntil(async () => ((await createButton(page).boundingBox())?.width ?? 0) > 0);
      const { y, height } = (await createButton(page).boundingBox()) ?? assert.fail('It has no place');
      assert.ok(y + height <= 420, `In a low page, it ends at ${y + height} px`);
    }),
  );

  it(
    'gives the position a row of its own in narrow tabs, which is much longer than that of the volume',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('row', init, segments));
      await untilShown(page, ({ time }) => time > 0.5);
      for (const width of [690, 600, 360]) {
        await page.setViewportSize({ width, height: 600 });
        const boxOf = (selector: string) => page.locator(selector).evaluate((part) => part.getBoundingClientRect());
        const [seek, play] = [await boxOf('.seek'), await boxOf('.controls > .playerTool:first-child')];
        assert.ok(seek.width > width - 20 && seek.bottom <= play.top + 1, `${seek.width} px of ${width}`);
      }
    }),
  );

  it(
    'keeps the clip that is cut when what plays is gone, which can be created then, too',
    withCommands({}, async (fixture) => {
      const ordered: { readonly startTime: number; readonly endTime: number; readonly name: string }[] = [];
      const createClip: PlayerActions['createClip'] = async (clip) => void ordered.push(clip);
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('gone', init, segments), { createClip });
      await untilShown(page, ({ time }) => time > 1);
      await openClipBar(page);
      for (const [label, time] of [
        ['End time', '0:04'],
        ['Start time', '0:01.5'],
      ] as const) {
        await page.getByLabel(label).fill(time);
        await page.getByLabel(label).press('Enter');
      }
      await page.getByLabel('Clip name').fill('Goal');
      const shown = async () => [...(await readClipTimes(page)), await page.locator('.clipLength').innerText()];
      const times = ['0:01.50', '0:04.00', 'Length: 0:02.50'];
      await waitUntil(async () => (await shown()).join() === times.join());
      fixture.service.control.fault(() => ({ status: 500 }));
      await played?.part.load({ startsItself: false });
      await page.locator('.problem').waitFor();
      await page.getByText("You can create this clip even if the video doesn't play.").waitFor();
      assert.deepEqual(await shown(), times);
      const setStart = page.getByRole('button', { name: 'Set Start' });
      const handle = page.getByLabel('End of clip');
      const areEnabled = () => Promise.all([setStart, handle, createButton(page)].map((each) => each.isEnabled()));
      assert.deepEqual(await areEnabled(), [false, false, true]);
      await createButton(page).click();
      await waitUntil(() => ordered.length === 1);
      const [{ startTime, endTime, name } = assert.fail('None')] = ordered;
      assert.equal(name, 'Goal');
      assert.ok(Math.abs(endTime - startTime - 2500) <= 2, `${endTime - startTime} ms`);
      fixture.service.control.fault(undefined);
      await played?.part.load({ startsItself: false });
      await waitUntil(async () => (await areEnabled()).every((isEnabled) => isEnabled));
      await untilShown(page, ({ width }) => width > 0);
      assert.deepEqual(await shown(), times);
    }),
  );

  it(
    'keeps the quality that was selected, also when it plays anew',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      serve('both.m3u8', masterOf(['low', 'high'].map((name) => serveFragments(name, init, segments))));
      const page = await openRecording(fixture, 'both.m3u8');
      await untilShown(page, ({ time }) => time > 0.5);
      const quality = page.getByLabel('Quality');
      const labels = await quality.locator('option').allInnerTexts();
      assert.deepEqual([labels[0], labels.length], ['Auto', 3]);
      await quality.selectOption(labels[2] ?? '');
      const selected = await quality.inputValue();
      const { length } = media.requests;
      await played?.part.load({ startsItself: true });
      const asked = () => media.requests.slice(length).filter((path) => path.endsWith('.m4s'));
      await waitUntil(() => asked().length > 0);
      // Until the playlist has been read anew, there is nothing to select.
      await waitUntil(async () => (await quality.inputValue()) === selected);
      await untilShown(page, ({ time }) => time > 0.5);
      assert.ok(
        asked().every((path) => path.startsWith('/low')),
        asked().join(),
      );
    }),
  );

  it(
    'is closed by Escape, but not while that undoes what was typed as a time',
    withCommands({}, async (fixture) => {
      const { init, segments } = await fragmentClip(['video']);
      const page = await openRecording(fixture, serveFragments('escape', init, segments));
      await untilShown(page, ({ time }) => time > 1);
      await page.keyboard.press('k');
      await openClipBar(page);
      const bar = page.locator('.clipBar');
      const start = page.getByLabel('Start time');
      const proposed = await start.inputValue();
      await start.fill('soon');
      await start.press('Escape');
      assert.deepEqual([await start.inputValue(), await bar.isVisible()], [proposed, true]);
      await start.press('Escape');
      await bar.waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate('document.activeElement?.tagName'), 'VIDEO');
      await openClipBar(page);
      await page.getByLabel('Clip name').press('Escape');
      await bar.waitFor({ state: 'hidden' });
    }),
  );

  itShows(
    'plays a picture alone, without a word',
    async () => {
      const { init, segments } = await fragmentClip(['video']);
      return serveFragments('picture', init, segments);
    },
    ({ time, width, notice, soundOnly }) => time > 1 && width > 0 && notice + soundOnly === '',
  );

  itShows(
    'plays the picture of MPEG-TS with AC-3, and names the format',
    async () => {
      for (const number of [0, 1, 2]) serve(`ac3-${number}.ts`, renameSound(await readSegment(number), 0x81));
      serve('ac3-ts.m3u8', playlistOf(['ac3-0.ts', 'ac3-1.ts', 'ac3-2.ts']));
      return 'ac3-ts.m3u8';
    },
    isSilentPicture,
  );

  itShowsInFuzz(
    'plays the picture of fMP4 with AC-3, and names the format',
    async () => {
      const { init, segments } = await fragmentClip(['video', 'audio']);
      return serveFragments('ac3', renameEntry(init), segments);
    },
    isSilentPicture,
  );

  itShowsInFuzz(
    'plays the picture of an MP4 file with AC-3, and names the format',
    async () => {
      const body = renameEntry(readFileSync(inProject('media/demo/source.mp4')));
      media.serve('/ac3.mp4', { type: 'video/mp4', body });
      return 'ac3.mp4';
    },
    isSilentPicture,
  );

  const sample = (name: string) => readFileSync(inProject('test/support/sound/media', name));
  const plays = ({ time, width, soundBytes, notice }: Shown) =>
    time > 2.5 && width > 0 && soundBytes > 0 && notice === '';

  itShows(
    'plays MP3 in MPEG-TS',
    async () => {
      const names = ['mp3-0.mpegts', 'mp3-1.mpegts'];
      for (const name of names) serve(name, sample(name));
      serve('mp3.m3u8', playlistOf(names));
      return 'mp3.m3u8';
    },
    plays,
  );

  itShowsInFuzz(
    'plays Opus in fMP4',
    async () => serveFragments('opus', sample('opus-init.mp4'), [sample('opus-0.m4s'), sample('opus-1.m4s')]),
    plays,
  );

  itShowsInFuzz(
    'says that it can’t decode AC-3 alone',
    async () => {
      const { init, segments } = await fragmentClip(['audio']);
      return serveFragments('ac3-alone', renameEntry(init), segments);
    },
    ({ problem }) => /can't decode the audio format/.test(problem),
  );

  itShows(
    'says that it can’t decode HEVC',
    async () => {
      serve('hevc.m3u8', masterOf(['clip.m3u8']).replaceAll('avc1.4d401e', 'hvc1.1.6.L93.B0'));
      return 'hevc.m3u8';
    },
    ({ problem }) => /can't decode the video format/.test(problem),
  );

  itShows(
    'plays sound that begins in a later segment of MPEG-TS',
    async () => {
      const first = new Uint8Array(await readSegment(0));
      hideSoundStreams(first, () => false);
      serve('silent.ts', first);
      serve('late.m3u8', playlistOf(['silent.ts', ...[1, 2, 3, 4].map((number) => `clip${number}.ts`)]));
      return 'late.m3u8';
    },
    ({ time, width, soundBytes }) => time > 3 && width > 0 && soundBytes > 0,
  );

  itShowsInFuzz(
    'skips a segment that can’t be decoded',
    async () => {
      serve('damaged.ts', damagePictures(await readSegment(1)));
      serve('damaged.m3u8', playlistOf(['clip0.ts', 'damaged.ts', 'clip2.ts', 'clip3.ts']));
      return 'damaged.m3u8';
    },
    ({ time, isPaused }) => time > 5 && !isPaused,
  );

  itShowsInFuzz(
    'plays over 20 discontinuities',
    async () => {
      const repeated = Array.from({ length: 21 }, (_, at) => `clip${at % 2}.ts`);
      serve('cuts.m3u8', playlistOf(repeated).replaceAll('#EXTINF', '#EXT-X-DISCONTINUITY\n#EXTINF'));
      return 'cuts.m3u8';
    },
    async ({ time, soundBytes }) => {
      await seekTo(SEGMENT_SECONDS * 19);
      return time > SEGMENT_SECONDS * 19.5 && soundBytes > 0;
    },
  );

  itShowsInFuzz(
    'plays the end of a recording of ten hours after a jump',
    () => serveLong('long', 10, ['video', 'audio']),
    async ({ time, width, soundBytes }) => {
      await seekTo(10 * HOUR_SECONDS - 5);
      return time > 10 * HOUR_SECONDS - 4 && width > 0 && soundBytes > 0;
    },
  );

  /** Seeks once, when the page plays. */
  async function seekTo(seconds: number): Promise<void> {
    await played?.page.evaluate(seekOnce, seconds);
  }

  async function serveLong(name: string, hours: number, tracks: Parameters<typeof fragmentClip>[0]): Promise<string> {
    const { init, segments } = await fragmentClip(tracks);
    const all = Array.from({ length: (hours * HOUR_SECONDS) / CLIP_SECONDS }, () => segments).flat();
    for (const [number, segment] of all.entries()) {
      const start = Math.floor(number / segments.length) * CLIP_SECONDS;
      const moved = () => moveFragment(init, segment, start);
      media.serve(`/${name}${number}.m4s`, (_request, response) => void response.end(moved()));
    }
    return serveFragments(name, init, [], all.length);
  }

  function serveFragments(
    name: string,
    init: Uint8Array,
    segments: readonly Uint8Array[],
    count = segments.length,
  ): string {
    serve(`${name}.mp4`, init);
    for (const [number, segment] of segments.entries()) serve(`${name}${number}.m4s`, segment);
    const list = playlistOf(Array.from({ length: count }, (_, number) => `${name}${number}.m4s`)).replace(
      'VERSION:3',
      'VERSION:7',
    );
    serve(`${name}.m3u8`, list.replace('#EXTINF', `#EXT-X-MAP:URI="${name}.mp4"\n#EXTINF`));
    return `${name}.m3u8`;
  }

  const decoder = () => files.parts.sound;
  const withMemory = (pages: number) => limitMemory(new Uint8Array(decoder().wasm ?? assert.fail()), pages).buffer;
  const failing: readonly (readonly [string, () => LoadedPart])[] = [
    ['is cut off', () => ({ ...decoder(), wasm: decoder().wasm?.slice(0, 500_000) ?? assert.fail() })],
    ['is something else', () => ({ ...decoder(), wasm: new TextEncoder().encode('something else').buffer })],
    ['is of another version', () => ({ ...decoder(), wasm: EMPTY_MODULE.slice().buffer })],
    ['has no memory to start', () => ({ ...decoder(), wasm: withMemory(100) })],
    ['has no memory to decode', () => ({ ...decoder(), wasm: withMemory(121) })],
  ];
  for (const [what, make] of sampleOf(failing, 1)) {
    it(
      `plays the picture, says that there is no sound and logs why: the decoder ${what}`,
      withCommands({}, async (fixture) => {
        serve('clip.m3u8', playlistOf(CLIPS));
        await showSilence(fixture, async (part) => (part === 'sound' ? make() : files.parts[part]));
      }),
    );
  }

  itInFuzz(
    'plays the picture, says that there is no sound and logs why: WebAssembly is forbidden',
    withCommands({}, async (fixture) => {
      serve('clip.m3u8', playlistOf(CLIPS));
      await showSilence(fixture, async (part) => files.parts[part], false);
    }),
  );

  async function showSilence(fixture: Fixture, readPart: PlayerContext['readPart'], allowsWasm = true): Promise<void> {
    const page = await openRecording(fixture, 'clip.m3u8', { readPart, allowsWasm });
    const isSilent = ({ time, width, notice, soundBytes }: Shown) =>
      time > 1 && width > 0 && soundBytes === 0 && /^No sound\. .+ AAC audio\./.test(notice);
    await untilShown(page, isSilent);
    const lines = fixture.log.lines.filter((line) => line.includes('The player has no sound: '));
    assert.equal(lines.length, 1, fixture.log.lines.join('\n'));
  }

  it(
    'reads the decoder again with Retry if that failed, and has sound afterwards',
    withCommands({}, async (fixture) => {
      serve('clip.m3u8', playlistOf(CLIPS));
      let isThere = false;
      const readPart: PlayerContext['readPart'] = async (part) =>
        isThere ? files.parts[part] : { part, script: undefined };
      const page = await openRecording(fixture, 'clip.m3u8', { readPart });
      await untilShown(page, ({ width, notice }) => width > 0 && notice !== '');
      isThere = true;
      await played?.part.receive({ kind: 'act', action: 'retry' });
      await untilShown(page, ({ time, soundBytes, notice }) => time > 1 && soundBytes > 0 && notice === '');
    }),
  );
});

describe('A player’s page of a live stream', () => {
  let browser: Browser;
  let files: PlayerFiles;
  let media: MediaServer;

  before(async () => {
    [browser, files, media, clip] = await Promise.all([
      startBrowser('withoutAac'),
      buildPlayerFiles(),
      startMediaServer(),
      fragmentClip(['video', 'audio']),
    ]);
    media.serve('/live.mp4', { type: 'video/mp4', body: clip.init });
  });
  after(async () => {
    media.close();
    await browser.close();
  });

  let clip: Awaited<ReturnType<typeof fragmentClip>>;

  /** A broadcast at the given address, whose time can be moved on and whose server can be cut off or made to wait. */
  function serveBroadcast(path: string) {
    const released = Promise.resolve();
    const state = { isDown: false, skipped: 0, played: 0, keepsAll: false, isStill: false, isOver: false, released };
    let startedAt: number | undefined;
    const guard =
      (answer: (response: ServerResponse) => void): MediaAnswer =>
      (_request, response) =>
        state.isDown ? void response.destroy() : answer(response);
    media.serve(
      path,
      guard((response) => {
        // From its first request on: a page that takes its time to open begins with the same segment.
        startedAt ??= performance.now();
        const seconds = state.isStill ? 0 : (performance.now() - startedAt) / 1000;
        state.played = Math.floor(seconds / SEGMENT_SECONDS);
        const [gone, kept] = state.keepsAll ? [0, state.played] : [state.played, 0];
        const first = state.skipped + gone;
        const numbers = Array.from({ length: kept + 6 }, (_, at) => first + at);
        for (const number of numbers) {
          const { init, segments } = clip;
          const start = Math.floor(number / segments.length) * CLIP_SECONDS;
          const fragment = segments[number % segments.length] ?? assert.fail();
          media.serve(
            `/live${number}.m4s`,
            guard((segment) => void state.released.then(() => segment.end(moveFragment(init, fragment, start)))),
          );
        }
        const list = playlistOf(numbers.map((number) => `/live${number}.m4s`)).replace('VERSION:3', 'VERSION:7');
        const live = list.replace('#EXTINF', `#EXT-X-MEDIA-SEQUENCE:${first}\n#EXT-X-MAP:URI="/live.mp4"\n#EXTINF`);
        response.end(state.isOver ? live : live.replace('#EXT-X-ENDLIST\n', ''));
      }),
    );
    return state;
  }

  /** Opens a player of a broadcast, which is named by a master playlist if there is one. */
  const withBroadcast = (
    test: (given: PlayedPage & { readonly broadcast: ReturnType<typeof serveBroadcast> }) => Promise<void>,
    prepare: (broadcast: ReturnType<typeof serveBroadcast>) => void = () => undefined,
  ) =>
    async function run() {
      const addresses = { hls: `${media.origin}/{playbackId}.m3u8` };
      await withCommands({ addresses }, async ({ context, service }) => {
        const { id, playbackId } = service.control.addStream({ name: 'Broadcast' });
        service.control.startBroadcast(id);
        const broadcast = serveBroadcast(`/${playbackId}-media.m3u8`);
        prepare(broadcast);
        media.serve(`/${playbackId}.m3u8`, (_request, response) =>
          broadcast.isDown ? void response.destroy() : response.end(masterOf([`/${playbackId}-media.m3u8`])),
        );
        const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
        const played = await openPlayerPage(browser, { ...context, files, target });
        try {
          await test({ ...played, broadcast });
        } finally {
          await played.dispose();
        }
      })();
    };

  const requestedAfter = (number: number) =>
    media.requests.some((path) => Number(/^\/live(\d+)\.m4s/.exec(path)?.[1] ?? -1) >= number);
  const untilPlayingAfter = async (page: Page, number: number) => {
    await untilShown(page, ({ width, problem }) => requestedAfter(number) && width > 0 && problem === '');
    const { time } = await page.evaluate(readShown);
    await untilShown(page, (shown) => shown.time > time + 1 && !shown.isPaused);
  };

  it(
    'leaves another player the sound if it comes back by itself while its tab is hidden',
    withBroadcast(async ({ page, part, setSeen }) => {
      await untilPlayingAfter(page, 0);
      setSeen(false);
      part.yieldSound();
      const isMuted = () => page.evaluate('document.querySelector("video").muted');
      await waitUntil(isMuted);
      await page.evaluate(
        'document.querySelector("video").addEventListener("play", () => (document.body.dataset.played = ""))',
      );
      await part.load({ startsItself: true });
      await page.locator('body[data-played]').waitFor();
      assert.equal(await isMuted(), true);
      setSeen(true);
      part.takeSound();
      await waitUntil(async () => !(await isMuted()));
    }),
  );

  const isBarSeen = (page: Page) => page.locator('.seek').isVisible();
  /** Whether its seek bar was seen, at each of many moments while several segments are played. */
  const seenOf = async (page: Page) => {
    const seen = new Set<boolean>();
    const { time } = await page.evaluate(readShown);
    await waitUntil(async () => {
      seen.add(await isBarSeen(page));
      return (await page.evaluate(readShown)).time > time + 3.5 * SEGMENT_SECONDS;
    });
    return [...seen];
  };

  it(
    'has no seek bar, and none that comes and goes, where there is little to go back to',
    withBroadcast(async ({ page }) => {
      await untilPlayingAfter(page, 0);
      assert.deepEqual(await seenOf(page), [false]);
    }),
  );

  it(
    'has a seek bar that stays once there is something to go back to',
    withBroadcast(
      async ({ page }) => {
        await untilPlayingAfter(page, 0);
        await waitUntil(() => isBarSeen(page));
        assert.deepEqual(await seenOf(page), [true]);
      },
      (broadcast) => Object.assign(broadcast, { keepsAll: true }),
    ),
  );

  it(
    'keeps its place behind the live edge while it is neither seen nor heard',
    withBroadcast(
      async ({ page, part, setSeen }) => {
        await untilShown(page, (shown) => shown.time > 10);
        await page.evaluate('document.querySelector("video").currentTime = 0');
        await page.locator('.goLive[data-edge=false]').waitFor();
        setSeen(false);
        part.yieldSound();
        await untilShown(page, ({ isPaused }) => isPaused);
        const { time } = await page.evaluate(readShown);
        setSeen(true);
        await untilShown(page, (shown) => !shown.isPaused && shown.time > time);
      },
      (broadcast) => Object.assign(broadcast, { keepsAll: true }),
    ),
  );

  it(
    'keeps the last picture while the network is gone',
    withBroadcast(async ({ page, broadcast }) => {
      await untilPlayingAfter(page, 0);
      broadcast.isDown = true;
      await page.evaluate(noteOpening);
      const last = page.locator('.stage.hasLast > .last');
      for (const attempt of ['at first', 'after a retry']) {
        await untilShown(page, ({ problem }) => /Retrying automatically/.test(problem));
        assert.equal(await last.isVisible(), true, attempt);
        await page.getByRole('button', { name: 'Retry' }).click();
      }
      const { withPicture, without } = await page.evaluate(() => document.querySelector('body').dataset);
      assert.deepEqual([withPicture, without], ['true', undefined], 'while it is opened again');
      broadcast.isDown = false;
      await untilPlayingAfter(page, 0);
      assert.equal(await last.count(), 0);
      assert.equal(await page.locator('.last').isVisible(), false);
    }),
  );

  for (const [what, segmentsLater, expected] of [
    ['where it was', 0, 2.5],
    ['at the earliest that is still there', 300, 0],
  ] as const) {
    it(
      `stays paused after the network was gone, ${what}`,
      withBroadcast(async ({ page, broadcast }) => {
        await untilPlayingAfter(page, 0);
        await page.evaluate(pauseAt, 2.5);
        await untilShown(page, ({ time }) => time === 2.5);
        broadcast.isDown = true;
        await untilShown(page, ({ problem }) => /Retrying automatically/.test(problem));
        Object.assign(broadcast, { isStill: true, skipped: segmentsLater, isDown: false });
        await untilShown(page, ({ problem, width }) => problem === '' && width > 0);
        await page.locator('.last').waitFor({ state: 'hidden' });
        const { time, isPaused } = await page.evaluate(readShown);
        assert.deepEqual([Math.round(time * 10) / 10, isPaused], [expected, true]);
      }),
    );
  }

  itInFuzz(
    'is back at the live edge by itself after the network was gone for five minutes',
    withBroadcast(async ({ page, broadcast }) => {
      await untilPlayingAfter(page, 0);
      broadcast.isDown = true;
      await untilShown(page, ({ problem }) => /Retrying automatically/.test(problem));
      broadcast.skipped += 300 / SEGMENT_SECONDS;
      broadcast.isDown = false;
      await untilPlayingAfter(page, 300 / SEGMENT_SECONDS);
    }),
  );

  it(
    'is back at the live edge by itself after the machine slept for two hours',
    withBroadcast(async ({ page, broadcast }) => {
      await untilPlayingAfter(page, 0);
      const devTools = await page.context().newCDPSession(page);
      await devTools.send('Page.setWebLifecycleState', { state: 'frozen' });
      broadcast.skipped += (2 * HOUR_SECONDS) / SEGMENT_SECONDS;
      await devTools.send('Page.setWebLifecycleState', { state: 'active' });
      await untilPlayingAfter(page, (2 * HOUR_SECONDS) / SEGMENT_SECONDS);
    }),
  );

  for (const isPaused of [false, true]) {
    itInFuzz(
      `is back at the live edge by itself after two hours in a background tab, ${isPaused ? 'paused' : 'playing'}`,
      withBroadcast(async ({ page, broadcast, setSeen }) => {
        await untilPlayingAfter(page, 0);
        if (isPaused) await page.evaluate(() => void document.querySelector('video').pause());
        setSeen(false);
        broadcast.skipped += (2 * HOUR_SECONDS) / SEGMENT_SECONDS;
        if (isPaused) {
          const { length } = media.requests;
          await page.waitForTimeout(3 * SEGMENT_SECONDS * 1000);
          assert.deepEqual(media.requests.slice(length), []);
        }
        setSeen(true);
        if (isPaused) await page.evaluate(() => void document.querySelector('video').play());
        await untilPlayingAfter(page, (2 * HOUR_SECONDS) / SEGMENT_SECONDS);
      }),
    );
  }

  it('calls a stream live, and has a place in it, once there is a picture', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const isSeen = (page: Page, selector: string) => page.locator(selector).isVisible();
    await withBroadcast(
      async ({ page }) => {
        await untilShown(page, ({ problem }) => requestedAfter(0) && problem === '');
        await page.locator('.loading').waitFor();
        assert.equal(await isSeen(page, '.goLive'), false);
        assert.equal(await page.locator('.seek').isDisabled(), true);
        resolve();
        await untilPlayingAfter(page, 0);
        assert.equal(await isSeen(page, '.goLive'), true);
        assert.equal(await page.locator('.seek').isDisabled(), false);
      },
      (broadcast) => {
        broadcast.released = promise;
      },
    )();
  });

  describe('of which the first segment takes long', () => {
    const withLateBroadcast = (test: (page: Page, release: () => void) => Promise<void>) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return withBroadcast(
        async ({ page, broadcast }) => {
          await waitUntil(() => requestedAfter(0) && broadcast.played >= 5);
          await test(page, resolve);
        },
        (broadcast) => {
          Object.assign(broadcast, { released: promise, keepsAll: true });
        },
      );
    };

    it(
      'starts at its live edge all the same',
      withLateBroadcast(async (page, release) => {
        release();
        await page.locator('.goLive[data-edge=true]').waitFor();
      }),
    );

    it(
      'starts where somebody sought before it played',
      withLateBroadcast(async (page, release) => {
        await page.evaluate('document.querySelector("video").pause()');
        release();
        await page.locator('.seek:enabled').waitFor();
        await page.evaluate('document.querySelector("video").currentTime = 1');
        await page.evaluate('void document.querySelector("video").play()');
        await untilShown(page, ({ time, isPaused }) => time > 2 && time < 6 && !isPaused);
      }),
    );
  });

  it(
    'waits for a broadcast whose playlist is the complete one of a former broadcast',
    withBroadcast(
      async ({ page, broadcast }) => {
        await untilShown(page, ({ problem }) => problem === 'Opening…');
        assert.equal((await page.evaluate(readShown)).time, 0);
        const ring = await page.locator('.problem').evaluate((one) => getComputedStyle(one, '::before').animationName);
        assert.equal(ring, 'turn', 'it shows that something is under way');
        broadcast.isOver = false;
        await untilPlayingAfter(page, 0);
      },
      (broadcast) => {
        broadcast.isOver = true;
      },
    ),
  );
});

function isSilentPicture({ time, width, notice, soundBytes }: Shown): boolean {
  return time > 1 && width > 0 && soundBytes === 0 && NO_SOUND.test(notice);
}

async function untilShown(page: Page, isShown: (shown: Shown) => boolean | Promise<boolean>): Promise<void> {
  let shown: Shown | undefined;
  try {
    await waitUntil(async () => {
      shown = await page.evaluate(readShown);
      return isShown(shown);
    });
  } catch (error) {
    throw new Error(`The page shows something else: ${JSON.stringify(shown)}`, { cause: error });
  }
}

interface PageVideo {
  readonly currentTime: number;
  readonly videoWidth: number;
  readonly webkitAudioDecodedByteCount: number;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
}
interface PageBody {
  readonly dataset: Record<string, string>;
}
interface PageStage {
  readonly classList: { contains(name: string): boolean };
}
declare const MutationObserver: new (
  run: () => void,
) => { observe(element: PageBody, options: Readonly<Record<string, true>>): void };
declare const document: {
  querySelector(selector: 'body'): PageBody;
  querySelector(selector: '.stage:has(.problem.opening:not([hidden]))'): PageStage | null;
  querySelector(selector: 'video'): PageVideo;
  querySelector(selector: string): { readonly hidden: boolean; readonly innerText: string };
};

declare function getComputedStyle(element: unknown, part: string): { readonly animationName: string };

/** Runs in the page. */
function readShown(): Shown {
  const video = document.querySelector('video');
  const textOf = (selector: string): string => {
    const { hidden, innerText } = document.querySelector(selector);
    return hidden ? '' : innerText;
  };
  return {
    time: video.currentTime,
    width: video.videoWidth,
    soundBytes: video.webkitAudioDecodedByteCount,
    isPaused: video.paused,
    problem: textOf('.problem'),
    notice: textOf('.notice'),
    soundOnly: textOf('.soundOnly'),
  };
}

/** Runs in the page, and notes whether there is a picture whenever it is being opened. */
function noteOpening(): void {
  const { dataset } = document.querySelector('body');
  const note = () => {
    const stage = document.querySelector('.stage:has(.problem.opening:not([hidden]))');
    const found = stage?.classList.contains('hasLast') ? 'withPicture' : 'without';
    // Setting it is a mutation, too.
    if (stage !== null) dataset[found] ??= 'true';
  };
  new MutationObserver(note).observe(document.querySelector('body'), { subtree: true, attributes: true });
}

/** Runs in the page. */
function pauseAt(seconds: number): void {
  const video = document.querySelector('video') as PageVideo & { currentTime: number };
  video.pause();
  video.currentTime = seconds;
}

/** Runs in the page. */
function seekOnce(seconds: number): void {
  const video = document.querySelector('video') as PageVideo & { currentTime: number; hasSought?: boolean };
  if (video.currentTime === 0 || video.hasSought === true) return;
  Object.assign(video, { hasSought: true, currentTime: seconds });
}

/** Says in the program map that AAC is of another stream type. */
function renameSound(segment: Uint8Array, type: number): Uint8Array {
  const copy = segment.slice();
  for (let at = 0; at + 188 <= copy.length; at += 188) {
    const map = copy.subarray(at, at + 40);
    const picture = map.indexOf(0x1b);
    const isMap = map[1] === 0x50 && map[5] === 0x02;
    if (isMap && picture > 0 && map[picture + 5] === 0x0f) map[picture + 5] = type;
  }
  return copy;
}

function renameEntry(file: Uint8Array): Uint8Array {
  const copy = Buffer.from(file);
  copy.write('ac-3', copy.indexOf('mp4a'), 'latin1');
  return copy;
}

/** Overwrites bytes inside of pictures, but none of what says where they begin. */
function damagePictures(segment: Uint8Array): Uint8Array {
  const copy = segment.slice();
  for (let at = 188 * 8; at + 188 <= copy.length; at += 188) {
    const [, high = 0, low = 0] = copy.subarray(at, at + 3);
    if (((high & 0x1f) << 8) + low !== PICTURE_PID || (high & 0x40) !== 0) continue;
    for (let byte = 30; byte < 180; byte += 7) copy[at + byte] = (at * 31 + byte * 17) % 251;
  }
  return copy;
}

/** Returns a copy of a fragment that begins so many seconds later. Its tracks are in the order of the initialization. */
function moveFragment(init: Uint8Array, fragment: Uint8Array, seconds: number): Buffer {
  const [header, copy] = [Buffer.from(init), Buffer.from(fragment)];
  let [media, times] = [header.indexOf('mdhd'), copy.indexOf('tfdt')];
  while (media > 0 && times > 0) {
    const isLong = header[media + 4] === 1;
    const timescale = header.readUInt32BE(media + (isLong ? 24 : 16));
    if (copy[times + 4] === 1)
      copy.writeBigUInt64BE(copy.readBigUInt64BE(times + 8) + BigInt(seconds * timescale), times + 8);
    else copy.writeUInt32BE(copy.readUInt32BE(times + 8) + seconds * timescale, times + 8);
    [media, times] = [header.indexOf('mdhd', media + 4), copy.indexOf('tfdt', times + 4)];
  }
  return copy;
}
