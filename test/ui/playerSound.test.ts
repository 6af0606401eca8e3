import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DemoService } from '../support/demo/demoService.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, countDecodedAudio, untilPlaying, untilProblem, untilVideo } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf, settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { noSoundNotice, untilSoundIsRight } from '../support/page/playerSound.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
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

describeInBothBrowsers('The sound of a player', (browser) => {
  let service: DemoService;
  let media: MediaServer;
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
    await connectTo(workbench().page, service);
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

  const recordings: readonly (readonly [string, string])[] = [
    ['MPEG-TS', 'ts'],
    ['MPEG-TS that is encrypted', 'encrypted'],
    ['fMP4 with both in a segment', 'fmp4'],
    ['fMP4 with sound before picture', 'turned'],
    ['fMP4 with renditions that number their tracks differently', 'renditions'],
    ['fMP4 with sound in a group of its own', 'group'],
  ];
  const words = browser === 'withAac' ? 'is heard' : 'is left out, which a notice says, and the picture plays';

  for (const [format, path] of recordings) {
    it(`${words}: a recording in ${format}`, async () => {
      await open(format, { recordingUrl: `${media.origin}/${path}.m3u8` });
      await untilPlaying(workbench().page);
      await untilSoundIsRight(workbench().page, browser);
    });
  }

  for (const [format, path] of recordings.filter(([, each]) => ['ts', 'fmp4', 'group'].includes(each))) {
    it(`${words}: a broadcast in ${format}`, async () => {
      const { page } = workbench();
      await open(`Live ${format}`, { recordingUrl: `${media.origin}/live-${path}.m3u8` });
      await untilPlaying(page);
      await untilSoundIsRight(page, browser);
    });
  }

  if (browser === 'withoutAac') {
    it('is missed in one notice, which offers the browser and stays away once it is dismissed', async () => {
      const { page } = workbench();
      await open('Dismissed', { recordingUrl: `${media.origin}/live-fmp4.m3u8` });
      await untilSoundIsRight(page, browser);
      const buttons = await noSoundNotice(page).getByRole('button').allInnerTexts();
      assert.deepEqual(buttons.filter(Boolean), ['Watch in Browser', 'Always Watch in Browser']);
      await takeScreenshot(page, 'player-no-sound');
      await noSoundNotice(page).getByRole('button', { name: 'Dismiss' }).click();
      const { currentTime } = await untilPlaying(page);
      await untilVideo(page, (playing) => playing.currentTime > currentTime + NEXT_SEGMENT_MS / 1000);
      assert.ok(await noSoundNotice(page).isHidden());
    });
  }

  it(`${words}: an MP4 file`, async () => {
    await open('A file', { mp4Url: `${media.origin}/clip.mp4` });
    await untilPlaying(workbench().page);
    await untilSoundIsRight(workbench().page, browser);
  });

  it(browser === 'withAac' ? 'is heard without a picture' : 'is a problem where there is no picture', async () => {
    const { page } = workbench();
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\nsound.m3u8\n';
    media.serve('/radio.m3u8', { body: master });
    for (const path of ['sound', 'radio', 'live-sound']) {
      await open(`Sound alone, ${path}`, { recordingUrl: `${media.origin}/${path}.m3u8` });
      if (browser === 'withAac') {
        await waitUntil(async () => (await countDecodedAudio(page)) > 0);
      } else {
        const { buttons } = await untilProblem(page, /can't decode the audio format/);
        assert.ok(buttons.includes('Watch in Browser'), buttons.join());
        assert.ok(await noSoundNotice(page).isHidden(), 'one of both');
      }
      await closeTabs(page);
    }
  });
});
