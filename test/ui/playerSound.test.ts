import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { inProject } from '../support/projectFolder.ts';
import { fragmentClip } from '../support/service/fragmentedMedia.ts';
import {
  type MediaServer,
  masterOf,
  playlistOf,
  readSegment,
  startMediaServer,
} from '../support/service/mediaServer.ts';
import { describeInBothBrowsers } from '../support/vscode/bothBrowsers.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** The browser's, for the function that runs in its page. */
declare const MediaSource: { isTypeSupported(type: string): boolean };

const SEGMENTS = [0, 1, 2, 3, 4, 5];
const NEXT_SEGMENT_MS = 2000;
const GROUP = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,AUTOSELECT=YES,URI="sound.m3u8"';

/** Serves a playlist as a recording, at `/NAME.m3u8`, and as a broadcast that goes on, at `/live-NAME.m3u8`. */
function servePlaylists(media: MediaServer, name: string, segments: readonly string[], head: readonly string[] = []) {
  const write = (count: number) =>
    playlistOf(segments.slice(0, count))
      .replace('VERSION:3', 'VERSION:7')
      .replace('#EXT-X-TARGETDURATION', `${head.map((line) => `${line}\n`).join('')}#EXT-X-TARGETDURATION`);
  media.serve(`/${name}.m3u8`, { body: write(segments.length) });
  let startedAt: number | undefined;
  media.serve(`/live-${name}.m3u8`, (_request, response) => {
    startedAt ??= performance.now();
    const count = 3 + Math.floor((performance.now() - startedAt) / NEXT_SEGMENT_MS);
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' });
    response.end(write(count).replace('#EXT-X-ENDLIST\n', ''));
  });
}

async function serveTs(media: MediaServer): Promise<void> {
  for (const number of SEGMENTS)
    media.serve(`/ts${number}.ts`, { type: 'video/mp2t', body: await readSegment(number) });
  const segments = SEGMENTS.map((number) => `ts${number}.ts`);
  servePlaylists(media, 'ts', segments);
}

async function serveEncrypted(media: MediaServer): Promise<void> {
  const key = Buffer.from('sixteen bytes, a');
  const iv = Buffer.alloc(16, 7);
  media.serve('/key', { type: 'application/octet-stream', body: key });
  for (const number of SEGMENTS) {
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const body = Buffer.concat([cipher.update(await readSegment(number)), cipher.final()]);
    media.serve(`/encrypted${number}.ts`, { type: 'video/mp2t', body });
  }
  const tag = `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${iv.toString('hex')}`;
  const segments = SEGMENTS.map((number) => `encrypted${number}.ts`);
  servePlaylists(media, 'encrypted', segments, [tag]);
}

/** Serves `/NAME.m3u8` with segments of its own. */
async function serveFragments(media: MediaServer, name: string, tracks: Parameters<typeof fragmentClip>[0]) {
  const { init, segments } = await fragmentClip(tracks);
  media.serve(`/${name}-init.mp4`, { type: 'video/mp4', body: init });
  for (const [number, body] of segments.entries()) {
    media.serve(`/${name}${number}.m4s`, { type: 'video/iso.segment', body });
  }
  const names = segments.map((_, number) => `${name}${number}.m4s`);
  servePlaylists(media, name, names, [`#EXT-X-MAP:URI="${name}-init.mp4"`]);
}

/** A master playlist whose renditions number their tracks differently, and one with a group of sound. */
function serveMasters(media: MediaServer): void {
  media.serve('/renditions.m3u8', { body: masterOf(['fmp4.m3u8', 'turned.m3u8']) });
  for (const prefix of ['', 'live-']) {
    const [, , rendition = '', address = ''] = masterOf([`${prefix}picture.m3u8`]).split('\n');
    const lines = ['#EXTM3U', '#EXT-X-VERSION:7', GROUP.replace('sound.', `${prefix}sound.`)];
    const body = [...lines, `${rendition},AUDIO="a"`, address, ''].join('\n');
    media.serve(`/${prefix}group.m3u8`, { body });
  }
}

const SOUND_ALONE = ['sound', 'radio', 'live-sound'];

function serveRadio(media: MediaServer): void {
  const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\nsound.m3u8\n';
  media.serve('/radio.m3u8', { body: master });
}

describeInBothBrowsers('The sound of a player', (browser) => {
  let service: DemoService;
  let media: MediaServer;
  let readTraffic: () => SoundPartTraffic;
  const workbench = suiteWorkbench(async () => {
    [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
    return { ...settingsFor(service), browser };
  });

  before(async () => {
    await Promise.all([
      ...[serveTs(media), serveEncrypted(media)],
      serveFragments(media, 'fmp4', ['video', 'audio']),
      serveFragments(media, 'turned', ['audio', 'video']),
      serveFragments(media, 'picture', ['video']),
      serveFragments(media, 'sound', ['audio']),
    ]);
    serveMasters(media);
    media.serve('/clip.mp4', { type: 'video/mp4', body: await readFile(inProject('media/demo/source.mp4')) });
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

  const recordings: readonly (readonly [string, string])[] = [
    ['MPEG-TS', 'ts'],
    ['MPEG-TS that is encrypted', 'encrypted'],
    ['fMP4 with both in a segment', 'fmp4'],
    ['fMP4 with sound before picture', 'turned'],
    ['fMP4 with renditions that number their tracks differently', 'renditions'],
    ['fMP4 with sound in a group of its own', 'group'],
  ];
  for (const [format, path] of recordings) {
    it(`is heard: a recording in ${format}`, async () => {
      await open(format, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await untilPlaying(workbench().page);
      await untilHeard(workbench().page);
    });
  }

  for (const [format, path] of recordings.filter(([, each]) => ['ts', 'fmp4', 'group'].includes(each))) {
    it(`is heard: a broadcast in ${format}`, async () => {
      const { page } = workbench();
      await open(`Live ${format}`, { recordingUrl: `${media.origin}/live-${path}.m3u8` });
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
    serveRadio(media);
    for (const path of SOUND_ALONE) {
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
  ['is damaged', (folder) => truncate(join(folder, 'sound.wasm'), 500_000)],
  ['is not WebAssembly', (folder) => writeFile(join(folder, 'sound.wasm'), 'something else')],
  ['is missing', (folder) => rm(join(folder, 'sound.js'))],
];

for (const [fault, damage] of FAULTS) {
  describe(`A player without sound, whose decoder ${fault}`, () => {
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
      await Promise.all([serveTs(media), serveFragments(media, 'fmp4', ['video', 'audio'])]);
      await serveFragments(media, 'sound', ['audio']);
      serveRadio(media);
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

    it('plays in the browser from now on where the user chooses that', async () => {
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
