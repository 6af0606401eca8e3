import assert from 'node:assert/strict';
import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { DemoService } from '../support/demo/demoService.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, countDecodedAudio, untilPlaying, untilProblem, untilVideo } from '../support/page/playerPage.ts';
import {
  addRecording,
  openRecordingOf,
  settingsFor,
  startPlayerService,
  watchStream,
} from '../support/page/playerService.ts';
import { noSoundNotice, untilHeard, untilSilent } from '../support/page/playerSound.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { type SoundPartTraffic, watchSoundPart } from '../support/page/soundPartTraffic.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { describeInFuzz, sampleOf } from '../support/runner/fuzzRuns.ts';
import { type MediaServer, startMediaServer } from '../support/service/mediaServer.ts';
import {
  BROADCAST,
  NEXT_SEGMENT_MS,
  RECORDED,
  SOUND_ALONE,
  serveFormats,
  serveFragments,
  serveSoundAlone,
  serveTs,
} from '../support/service/soundFormats.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** The browser's, for the function that runs in its page. */
declare const MediaSource: { isTypeSupported(type: string): boolean };

describeInBrowsers('The sound of a player', (browser) => {
  let service: DemoService;
  let media: MediaServer;
  let readTraffic: () => SoundPartTraffic;
  const workbench = suiteWorkbench(async () => {
    [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
    return { ...settingsFor(service), browser };
  });

  before(async () => {
    await serveFormats(media);
    const { page, server } = workbench();
    readTraffic = await watchSoundPart(page, await webviewFolder(server.extensionsFolder));
    await connectTo(page, service);
  });
  afterEach(() => closeTabs(workbench().page));
  after(() => {
    service.dispose();
    media.close();
  });

  async function open(name: string, fields: Parameters<typeof addRecording>[2]): Promise<void> {
    addRecording(service, name, fields);
    await openRecordingOf(workbench().page, name);
  }

  it('is promised by the browser, whether or not it can be decoded', async () => {
    const isSupported = () => MediaSource.isTypeSupported('audio/mp4; codecs="mp4a.40.2"');
    assert.ok(await workbench().page.evaluate(isSupported));
  });

  it('loads nothing that decodes AAC before a player opens', () => {
    assert.deepEqual(readTraffic(), { requests: 0, messages: 0 });
  });

  for (const [path, format] of sampleOf(Object.entries(RECORDED), 3)) {
    it(`is heard: a recording in ${format}`, async () => {
      await open(format, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await untilPlaying(workbench().page);
      await untilHeard(workbench().page);
    });
  }

  for (const [path, format] of sampleOf(Object.entries(BROADCAST), 2)) {
    it(`is heard: a broadcast in ${format}`, async () => {
      const { page } = workbench();
      await open(`Live ${format}`, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await untilPlaying(page);
      await untilHeard(page);
    });
  }

  it('is heard: an MP4 file', async () => {
    await open('A file', { mp4Url: `${media.origin}/clip.mp4` });
    await untilPlaying(workbench().page);
    await untilHeard(workbench().page);
  });

  it('is heard without a picture', async () => {
    const { page } = workbench();
    for (const path of sampleOf(SOUND_ALONE, 1)) {
      await open(`Sound alone, ${path}`, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await waitUntil(async () => (await countDecodedAudio(page)) > 0);
      await closeTabs(page);
    }
  });

  const loaded = browser === 'withAac' ? 'nothing that decodes AAC, whatever was played' : 'what decodes AAC';
  it(`has loaded ${loaded}`, () => {
    const { requests, messages } = readTraffic();
    if (browser === 'withAac') assert.deepEqual([requests, messages], [0, 0]);
    else assert.ok(requests > 0 && messages > requests, `${requests} requests, ${messages} messages`);
  });
});

/** What can go wrong with the decoder, by how its files are changed in the extension's folder. */
const FAULTS: readonly (readonly [string, (folder: string) => Promise<void>])[] = [
  ['is damaged', (folder) => truncate(join(folder, 'sound.wasm.br'), 200_000)],
  ['is not WebAssembly', (folder) => writeFile(join(folder, 'sound.wasm.br'), brotliCompressSync('something else'))],
  ['is missing', (folder) => rm(join(folder, 'sound.js'))],
];

for (const [fault, damage] of FAULTS) {
  describeInFuzz(`A player without sound, whose decoder ${fault}`, () => {
    let service: DemoService;
    let media: MediaServer;
    const workbench = suiteWorkbench(async () => {
      [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
      return { ...settingsFor(service), browser: 'withoutAac' };
    });
    const open = async (name: string, path: string) => {
      addRecording(service, name, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await openRecordingOf(workbench().page, name);
    };

    before(async () => {
      await damage(await webviewFolder(workbench().server.extensionsFolder));
      await Promise.all([serveTs(media), serveFragments(media, 'fmp4', ['video', 'audio']), serveSoundAlone(media)]);
      await connectTo(workbench().page, service);
    });
    afterEach(() => closeTabs(workbench().page));
    after(() => {
      service.dispose();
      media.close();
    });

    for (const path of ['ts', 'fmp4', 'live-fmp4']) {
      it(`shows the picture and says so: ${path}`, async () => {
        const { page } = workbench();
        await open(path, path);
        await untilSilent(page);
        if (path !== 'live-fmp4') return;
        await takeScreenshot(page, 'player-no-sound');
        await noSoundNotice(page).getByRole('button', { name: 'Dismiss' }).click();
        const { currentTime } = await untilPlaying(page);
        await untilVideo(page, (playing) => playing.currentTime > currentTime + NEXT_SEGMENT_MS / 1000);
        assert.ok(await noSoundNotice(page).isHidden(), 'dismissed for good');
      });
    }

    it('says what it can’t play where there is sound alone', async () => {
      const { page } = workbench();
      for (const path of SOUND_ALONE) {
        await open(`Sound alone, ${path}`, path);
        const { buttons } = await untilProblem(page, /can't decode the audio format/);
        assert.ok(buttons.includes('Watch in Browser'), buttons.join());
        assert.ok(await noSoundNotice(page).isHidden(), 'one of both');
        await closeTabs(page);
      }
    });

    it('plays in the browser from now on where the user chooses Always Watch in Browser', async () => {
      const { page } = workbench();
      await watchStream(page, 'Bird nest cam');
      await untilSilent(page);
      const opened = page.context().waitForEvent('page');
      await noSoundNotice(page).getByRole('button', { name: 'Always Watch in Browser' }).click();
      const tab = await opened;
      assert.match(tab.url(), /\/player\?v=/);
      await tab.close();
    });
  });
}

/** Where the files of pages are, in the folder of a server's extensions. */
async function webviewFolder(extensions: string): Promise<string> {
  const own = (await readdir(extensions)).find((name) => name.startsWith('live-streams.live-streams'));
  return join(extensions, own ?? '', 'dist/webview');
}
