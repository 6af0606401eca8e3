import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { PlayerContext } from '../../src/panels/playerFinder.ts';
import type { LoadedPart } from '../../src/webview/player/messages.ts';
import { hideSoundStreams } from '../../src/webview/player/soundInTransportStream.ts';
import {
  buildPlayerFiles,
  openPlayerPage,
  type PlayedPage,
  type PlayerFiles,
} from '../support/page/playerInBrowser.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { fragmentClip } from '../support/service/fragmentedMedia.ts';
import {
  type MediaServer,
  masterOf,
  playlistOf,
  readSegment,
  SEGMENT_SECONDS,
  startMediaServer,
} from '../support/service/mediaServer.ts';
import { startBrowser } from '../support/vscode/browser.ts';
import { type Fixture, withCommands } from '../unit/commands/fixture.ts';

const NO_SOUND = /^No sound\. This version of VS Code can't decode AC-3 audio\./;

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
      startBrowser('withoutAac'),
      buildPlayerFiles(),
      startMediaServer(),
      readSegment(0),
    ]);
    for (const number of [0, 1, 2, 3, 4, 5]) serve(`clip${number}.ts`, await readSegment(number));
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
    options: Partial<Pick<Parameters<typeof openPlayerPage>[1], 'readPart' | 'allowsWasm'>> = {},
  ): Promise<Page> {
    const url = `${media.origin}/${path}`;
    const address = path.endsWith('.mp4') ? { mp4Url: url } : { recordingUrl: url };
    const { id } = service.control.addStream({ name: 'Odd' });
    const session = service.control.addSession(id, { record: true, recordingStatus: 'ready', ...address });
    const target = { connection: context.current.info?.id ?? '', kind: 'session', id: session.id } as const;
    played = await openPlayerPage(browser, { ...context, files, target, ...options });
    return played.page;
  }

  const itShows = (
    what: string,
    prepare: () => Promise<string>,
    isShown: (shown: Shown) => boolean | Promise<boolean>,
  ) =>
    it(
      what,
      withCommands({}, async (fixture) => {
        await untilShown(await openRecording(fixture, await prepare()), isShown);
      }),
    );

  itShows(
    'says that it is audio only',
    async () => {
      const { init, segments } = await fragmentClip(['audio']);
      return serveFragments('sound', init, segments);
    },
    ({ time, soundBytes, soundOnly }) => time > 1 && soundBytes > 0 && soundOnly === 'Audio only',
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

  itShows(
    'plays the picture of fMP4 with AC-3, and names the format',
    async () => {
      const { init, segments } = await fragmentClip(['video', 'audio']);
      return serveFragments('ac3', renameEntry(init), segments);
    },
    isSilentPicture,
  );

  itShows(
    'plays the picture of an MP4 file with AC-3, and names the format',
    async () => {
      const body = renameEntry(readFileSync(inProject('media/demo/source.mp4')));
      media.serve('/ac3.mp4', { type: 'video/mp4', body });
      return 'ac3.mp4';
    },
    isSilentPicture,
  );

  itShows(
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

  itShows(
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

  /** Seeks once, when the page plays. */
  async function seekTo(seconds: number): Promise<void> {
    await played?.page.evaluate(seekOnce, seconds);
  }

  function serveFragments(name: string, init: Uint8Array, segments: readonly Uint8Array[]): string {
    serve(`${name}.mp4`, init);
    for (const [number, segment] of segments.entries()) serve(`${name}${number}.m4s`, segment);
    const list = playlistOf(segments.map((_, number) => `${name}${number}.m4s`)).replace('VERSION:3', 'VERSION:7');
    serve(`${name}.m3u8`, list.replace('#EXTINF', `#EXT-X-MAP:URI="${name}.mp4"\n#EXTINF`));
    return `${name}.m3u8`;
  }

  const decoder = () => files.parts.sound;
  const failing: readonly (readonly [string, () => LoadedPart])[] = [
    ['is cut off', () => ({ ...decoder(), wasm: decoder().wasm?.slice(0, 500_000) ?? assert.fail() })],
    ['is something else', () => ({ ...decoder(), wasm: new TextEncoder().encode('something else').buffer })],
    ['is of another version', () => ({ ...decoder(), wasm: EMPTY_MODULE.slice().buffer })],
  ];
  for (const [what, make] of failing) {
    it(
      `plays the picture, says that there is no sound and logs why: the decoder ${what}`,
      withCommands({}, async (fixture) => {
        serve('clip.m3u8', playlistOf(['clip0.ts', 'clip1.ts', 'clip2.ts']));
        await showSilence(fixture, async (part) => (part === 'sound' ? make() : files.parts[part]));
      }),
    );
  }

  it(
    'plays the picture, says that there is no sound and logs why: WebAssembly is forbidden',
    withCommands({}, async (fixture) => {
      serve('clip.m3u8', playlistOf(['clip0.ts', 'clip1.ts', 'clip2.ts']));
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
    'reads the decoder again with Retry if it could not be read, and has sound then',
    withCommands({}, async (fixture) => {
      serve('clip.m3u8', playlistOf(['clip0.ts', 'clip1.ts', 'clip2.ts']));
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
}
declare const document: {
  querySelector(selector: 'video'): PageVideo;
  querySelector(selector: string): { readonly hidden: boolean; readonly innerText: string };
};

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
