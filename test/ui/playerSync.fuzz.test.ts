import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { DemoService } from '../support/demo/demoService.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, playerFrame, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf, settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { sampleOf } from '../support/runner/fuzzRuns.ts';
import { type MediaServer, masterOf, startMediaServer } from '../support/service/mediaServer.ts';
import { BEEP_HZ, type BeepStream, CLIP_SECONDS, TONE_HZ } from '../support/sound/beepClips.ts';
import { serveBeepBroadcast, serveBeepStream, serveFixture } from '../support/sound/beepServer.ts';
import { readGaps, readMeterInPage, startMeterInPage } from '../support/sound/soundMeter.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** How far the sound may be from where the browser's own decoder has it, beside the picture. */
const APART_AT_MOST_MS = 60;
/** Beeps whose median is taken. On a busy machine, single ones are up to 75 ms from the flash with either decoder. */
const BEEPS = 5;
/** A burst of work on the machine may delay one browser alone; a decoder that is late is late each time. */
const MEASUREMENTS_AT_MOST = 3;
const HERTZ_APART_AT_MOST = 6;
/** Long enough for each measurement to be repeated. */
const LONG: BeepStream = { container: 'ts', tracks: 'muxed', segments: 40 };
/** Of a broadcast of which eight clips can be watched again. */
const BEHIND_EDGE_AT_MOST_S = 5 * CLIP_SECONDS;

/** The browser's, for the functions that run in the page. */
interface Video {
  currentTime: number;
  playbackRate: number;
  readonly seekable: { end(index: number): number };
  play(): Promise<void>;
  pause(): void;
}

/** Both windows do the same at the same time, so that a busy machine delays both. */
describe('The sound that a player decodes, beside the browser’s own', () => {
  let service: DemoService;
  let media: MediaServer;
  const browserArgs = ['--autoplay-policy=no-user-gesture-required'];
  const decoding = suiteWorkbench(async () => {
    [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
    return { ...settingsFor(service), browser: 'withoutAac', browserArgs };
  });
  const native = suiteWorkbench(async () => ({ ...settingsFor(service), browser: 'withAac', browserArgs }));
  const inBoth = <T>(run: (page: Page) => Promise<T>) => Promise.all([run(decoding().page), run(native().page)]);

  before(() => inBoth((page) => connectTo(page, service)));
  after(() => {
    service.dispose();
    media.close();
  });

  async function open(name: string, path: string): Promise<void> {
    addRecording(service, name, { recordingUrl: `${media.origin}/${path}` });
    await inBoth(async (page) => {
      await openRecordingOf(page, name);
      await videoOf(page).waitFor();
      await videoOf(page).evaluate(startMeterInPage);
    });
  }

  async function requireSync(): Promise<void> {
    const measured: string[] = [];
    while (measured.length < MEASUREMENTS_AT_MOST) {
      const [ours, theirs] = await inBoth(measureGap);
      if (Math.abs(ours - theirs) <= APART_AT_MOST_MS) return;
      measured.push(`${ours.toFixed()} ms instead of ${theirs.toFixed()} ms`);
    }
    assert.fail(`beeps after flashes by ${measured.join(', ')}`);
  }

  describe('has the tones of its source', () => {
    afterEach(() => inBoth(closeTabs));

    const layouts: readonly (readonly [string, BeepStream])[] = [
      ['mono in MPEG-TS', { container: 'ts', tracks: 'muxed', channels: 1, segments: 4 }],
      ['stereo in fMP4', { container: 'fmp4', tracks: 'muxed', channels: 2, segments: 4 }],
      ['5.1 in a group of its own', { container: 'fmp4', tracks: 'separate', channels: 6, segments: 4 }],
    ];
    for (const [layout, stream] of sampleOf(layouts, 2)) {
      it(layout, async () => {
        const path = layout.replaceAll(' ', '-');
        await serveBeepStream(media, path, stream);
        await open(layout, `${path}/index.m3u8`);
        for (const wanted of [TONE_HZ, BEEP_HZ]) {
          await inBoth((page) => untilHertz(page, (hertz) => Math.abs(hertz - wanted) <= HERTZ_APART_AT_MOST));
        }
      });
    }

    it('HE-AAC', async () => {
      serveFixture(media, 'he44');
      await open('HE-AAC', 'he44/index.m3u8');
      // A tone rises on each side, by 80 and by 82 Hz a second (makeFixtures.ts); the mix has both.
      await inBoth((page) =>
        untilHertz(page, (hertz, time) =>
          [220 + 80 * time, 290 + 82 * time].some((tone) => Math.abs(hertz - tone) < 0.06 * tone),
        ),
      );
    });
  });

  describe('the distance from the picture', () => {
    before(async () => {
      await Promise.all([serveBeepStream(media, 'first', LONG), serveBeepStream(media, 'second', LONG)]);
      media.serve('/both.m3u8', { body: masterOf(['first/index.m3u8', 'second/index.m3u8']) });
      await open('Flashes and beeps', 'both.m3u8');
    });
    after(() => inBoth(closeTabs));

    it('stays as near to the picture at the start', requireSync);

    it('stays as near to the picture after a seek', async () => {
      await inBoth((page) => changeVideo(page, { currentTime: 51 }));
      await requireSync();
    });

    it('stays as near to the picture after a pause', async () => {
      await inBoth(async (page) => {
        await changeVideo(page, { isPaused: true });
        const { currentTime } = await untilVideo(page, ({ paused }) => paused);
        await page.waitForTimeout(700);
        await changeVideo(page, { isPaused: false });
        await untilVideo(page, (video) => video.currentTime > currentTime);
      });
      await requireSync();
    });

    it('stays as near to the picture when playback is faster', async () => {
      await inBoth((page) => playerFrame(page).getByLabel('Speed').selectOption('1.5×'));
      await requireSync();
      await inBoth((page) => playerFrame(page).getByLabel('Speed').selectOption('1×'));
    });

    it('stays as near to the picture in another quality', async () => {
      // Whichever was chosen by itself, one of these is another.
      for (const [level, label] of Object.entries({ second: '360p · 0.6 Mbit/s', first: '360p · 0.3 Mbit/s' })) {
        const before = media.requests.length;
        await inBoth((page) => playerFrame(page).getByLabel('Quality').selectOption(label));
        await waitUntil(() => media.requests.slice(before).some((path) => path.startsWith(`/${level}/index`)));
      }
      await requireSync();
    });

    it('stays as near to the picture at the live edge', async () => {
      await inBoth(closeTabs);
      serveBeepBroadcast(media, 'live', LONG);
      await open('Flashes and beeps, live', 'live/index.m3u8');
      await requireSync();
      const [behind] = await inBoth((page) =>
        videoOf(page).evaluate((video: unknown) => {
          const { seekable, currentTime } = video as Video;
          return seekable.end(0) - currentTime;
        }),
      );
      assert.ok(behind < BEHIND_EDGE_AT_MOST_S, `${behind} s behind the edge`);
    });
  });
});

/** Returns the median of how long the next beeps come after their flashes, in milliseconds. */
async function measureGap(page: Page): Promise<number> {
  await videoOf(page).evaluate(startMeterInPage);
  const gaps = await waitUntil(async () => {
    const found = readGaps(await videoOf(page).evaluate(readMeterInPage));
    return found.length >= BEEPS && found;
  });
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? Number.NaN;
}

/** Waits until it sounds at a frequency that fits the position, which is in seconds. Starts again what has ended. */
async function untilHertz(page: Page, isWanted: (hertz: number, time: number) => boolean): Promise<void> {
  const met: string[] = [];
  const fits = async (): Promise<boolean> => {
    const { hertz, time, hasEnded } = await videoOf(page).evaluate(readMeterInPage);
    if (hasEnded) await changeVideo(page, { currentTime: 0, isPaused: false });
    if (hertz !== undefined) met.push(`${hertz.toFixed()} Hz at ${time.toFixed(1)} s`);
    return hertz !== undefined && isWanted(hertz, time);
  };
  await waitUntil(fits).catch((error: unknown) => {
    throw new Error(`It sounded at ${[...new Set(met)].slice(-50).join(', ')}`, { cause: error });
  });
}

function changeVideo(
  page: Page,
  change: { readonly currentTime?: number; readonly isPaused?: boolean },
): Promise<void> {
  return videoOf(page).evaluate((element: unknown, { currentTime, isPaused }: typeof change) => {
    const video = element as Video;
    if (currentTime !== undefined) video.currentTime = currentTime;
    if (isPaused === true) video.pause();
    return isPaused === false ? video.play() : undefined;
  }, change);
}
