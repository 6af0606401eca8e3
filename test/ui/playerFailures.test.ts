import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { DemoService } from '../support/demo/demoService.ts';
import type { PageElement } from '../support/page/pageElement.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import {
  closeTabs,
  playerFrame,
  pressPlayerButton,
  untilPlaying,
  untilProblem,
  videoOf,
} from '../support/page/playerPage.ts';
import {
  addRecording,
  openRecordingOf,
  settingsFor,
  startPlayerService,
  watchStream,
} from '../support/page/playerService.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { itInFuzz, sampleOf } from '../support/runner/fuzzRuns.ts';
import {
  type MediaAnswer,
  type MediaServer,
  masterOf,
  playlistOf,
  readSegment,
  startMediaServer,
} from '../support/service/mediaServer.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const HTML = { type: 'text/html', body: '<!DOCTYPE html><title>Sign in</title>' };

/** The browser's, for the function that runs in the page. */
declare const MutationObserver: new (
  run: () => void,
) => {
  observe(element: PageElement, options: Readonly<Record<string, true>>): void;
};

declare function getComputedStyle(element: unknown): { readonly opacity: string };

/** Runs in the player's page, and keeps what it says from now on. */
function noteSentences(body: PageElement): void {
  const sentences: string[] = [];
  Object.assign(body, { sentences });
  const note = () => {
    const said = body.querySelectorAll('.trouble:not([hidden]), .problem:not([hidden]) .sentence');
    sentences.push(...[...said].map(({ textContent }) => textContent ?? ''));
  };
  new MutationObserver(note).observe(body, { subtree: true, childList: true, attributes: true });
}

describeInBrowsers('The player where it cannot play', (browser) => {
  let service: DemoService;
  let media: MediaServer;
  let elsewhere: MediaServer;
  const workbench = suiteWorkbench(async () => {
    [service, media, elsewhere] = await Promise.all([startPlayerService(), startMediaServer(), startMediaServer()]);
    return { ...settingsFor(service), browser };
  });

  before(async () => {
    for (const number of [0, 1, 2]) {
      const answer = { type: 'video/mp2t', body: await readSegment(number) };
      media.serve(`/good${number}.ts`, answer);
      elsewhere.serve(`/good${number}.ts`, answer);
    }
    media.serve('/good.m3u8', { body: playlistOf(['good0.ts', 'good1.ts', 'good2.ts']) });
    media.serve('/page.ts', HTML);
    media.serve('/noise.ts', { type: 'video/mp2t', body: new Uint8Array(5000).fill(7) });
    media.serve('/file.m3u8', { body: playlistOf(['file:///etc/passwd']) });
    media.serve('/cut.ts', (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': 100_000 });
      response.write(new Uint8Array(1880));
      setTimeout(() => response.destroy(), 50);
    });
    media.serve('/endless.m3u8', (_request, response) => void sendForEver(response));
    await connectTo(workbench().page, service);
  });
  after(() => {
    service.dispose();
    media.close();
    elsewhere.close();
  });

  /** Opens a recording whose playlist is answered so. */
  async function openPlaylist(name: string, answer: MediaAnswer): Promise<void> {
    const path = `/${name.replaceAll(' ', '-')}.m3u8`;
    media.serve(path, answer);
    addRecording(service, name, { recordingUrl: `${media.origin}${path}` });
    await openRecordingOf(workbench().page, name);
  }

  /** Answers with a segment once it is released. */
  async function serveLate(path: string, number: number) {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const segment = await readSegment(number);
    media.serve(path, async (_request, response) => {
      asked.resolve();
      await released.promise;
      response.writeHead(200, { 'content-type': 'video/mp2t' }).end(segment);
    });
    return { asked: asked.promise, release: released.resolve };
  }

  /** Of a recording that the service made itself. */
  function mp4Address(): string {
    const keynote = service.control.streams().find(({ name }) => name === 'Keynote');
    const sessions = service.control.sessions(keynote?.id ?? '');
    const url = sessions.map(({ mp4Url }) => mp4Url).find((each) => each !== undefined);
    assert.ok(url !== undefined);
    return url;
  }

  /** What may be better the next time, so that there is a button which tries again. */
  const passing: readonly (readonly [string, MediaAnswer, RegExp])[] = [
    ['Nothing at all', { body: '' }, /playlist is empty/],
    ['A sign-in page', HTML, /Expected a playlist but received a web page\.$/],
    ['No segments', { body: '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-ENDLIST\n' }, /playlist is empty/],
    ['Something else', { body: 'no playlist' }, /Couldn't read the playlist\.$/],
    ['Forbidden', { status: 403 }, /denied access \(403\)/],
    ['Renditions of nothing', { body: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n' }, /Couldn't read the playlist\.$/],
    ['No segments there', { body: playlistOf(['none0.ts']) }, /returned 404/],
    ['Pages for segments', { body: playlistOf(['page.ts']) }, /Expected part of the video but received a web page\.$/],
    ['Cut segments', { body: playlistOf(['cut.ts']) }, /Part of the video is incomplete\./],
    ['Noise for segments', { body: playlistOf(['noise.ts']) }, /Part of the video is damaged\./],
    ['Renditions that are pages', { body: masterOf(['page.ts']) }, /Expected a playlist but received a web page\.$/],
  ];

  describe('one tab that is tried again each time', () => {
    before(async () => {
      await openPlaylist('Never right', { status: 500 });
      await untilProblem(workbench().page, /Couldn.t get the video from .* \(500\)/);
    });
    after(() => closeTabs(workbench().page));

    // Neighbours come to different words, so that those of the one before are not taken for the answer.
    for (const [name, answer, words] of sampleOf(passing, 2)) {
      it(`says which failure it is: ${name}`, async () => {
        const { page } = workbench();
        media.serve('/Never-right.m3u8', answer);
        await pressPlayerButton(page, 'Retry');
        const { buttons } = await untilProblem(page, words);
        assert.ok(buttons.includes('Watch in Browser'), buttons.join());
        assert.match(await playerFrame(page).locator('h1').innerText(), /Never right/);
        if (name === 'Forbidden') await takeScreenshot(page, 'player-forbidden');
      });
    }

    it('plays once the media can be read', async () => {
      media.serve('/Never-right.m3u8', { body: playlistOf(['good0.ts', 'good1.ts', 'good2.ts']) });
      await pressPlayerButton(workbench().page, 'Retry');
      await untilPlaying(workbench().page);
    });
  });

  describe('a tab of its own for each failure', () => {
    afterEach(() => closeTabs(workbench().page));

    /** What will be no better. */
    const lasting: readonly (readonly [string, MediaAnswer, RegExp])[] = [
      ['A file of mine', { body: playlistOf(['file:///etc/passwd']) }, /starts with "file:"/],
      ['Round and round', { status: 302, headers: { location: '/Round-and-round.m3u8' } }, /Too many redirects\./],
      ['A redirect to a file', { status: 302, headers: { location: 'file:///etc/passwd' } }, /starts with "file:"/],
      [
        'Renditions without end',
        { body: masterOf(['endless.m3u8']) },
        /Couldn't read the playlist because the response didn't end\./,
      ],
      ['A file in a rendition', { body: masterOf(['file.m3u8']) }, /starts with "file:"/],
      [
        'No end',
        (_request, response) => void sendForEver(response),
        /Couldn't read the playlist because the response didn't end\./,
      ],
    ];

    for (const [name, answer, words] of sampleOf(lasting, 1)) {
      it(`says in a tab of its own which failure it is: ${name}`, async () => {
        const { page } = workbench();
        await openPlaylist(name, answer);
        const { buttons } = await untilProblem(page, words);
        const isRefused = name === 'A redirect to a file';
        assert.ok(isRefused || buttons.includes('Watch in Browser'), buttons.join());
        assert.match(await playerFrame(page).locator('h1').innerText(), new RegExp(name));
      });
    }

    it('says which failure it is where there is a file alone, and plays the file once it can', async () => {
      const { page } = workbench();
      const files: readonly (readonly [MediaAnswer, RegExp])[] = [
        [HTML, /Expected a video but received a web page\.$/],
        [{ type: 'video/mp4', body: new Uint8Array(5000).fill(7) }, /Couldn't play the video file\.$/],
      ];
      media.serve('/file.mp4', { status: 500 });
      addRecording(service, 'File alone', { mp4Url: `${media.origin}/file.mp4` });
      await openRecordingOf(page, 'File alone');
      await untilProblem(page, /Couldn.t get the video from .* \(500\)/);
      for (const [answer, words] of files) {
        media.serve('/file.mp4', answer);
        await pressPlayerButton(page, 'Retry');
        const { buttons } = await untilProblem(page, words);
        assert.ok(buttons.includes('Watch in Browser'), buttons.join());
      }
      media.serve('/file.mp4', { type: 'video/mp4', body: await readFile(inProject('media/demo/source.mp4')) });
      await pressPlayerButton(page, 'Retry');
      await untilPlaying(page);
    });

    it('offers the file of a recording that is gone, and no way to retry', async () => {
      const { page } = workbench();
      const gone = { recordingUrl: `${media.origin}/gone.m3u8` };
      const untilGone = () => untilProblem(page, /This recording wasn't found on .+ \(404\)\.$/);
      media.serve('/gone.m3u8', { status: 404 });
      addRecording(service, 'Gone', gone);
      await openRecordingOf(page, 'Gone');
      assert.deepEqual((await untilGone()).buttons, ['Show Details']);
      assert.ok(await playerFrame(page).locator('.controls').isHidden(), 'no bar without anything in it');
      await closeTabs(page);
      addRecording(service, 'Gone but its file', { ...gone, mp4Url: mp4Address() });
      await openRecordingOf(page, 'Gone but its file');
      assert.deepEqual((await untilGone()).buttons, ['Watch MP4']);
      await pressPlayerButton(page, 'Watch MP4');
      await untilPlaying(page);
    });

    it('names a server whose URLs are not allowed, and requests nothing from that server', async () => {
      media.serve('/abroad.m3u8', { body: playlistOf(['http://user:word@abroad.test/0.ts']) });
      await openPlaylist('Abroad', { body: masterOf(['abroad.m3u8']) });
      const { sentence } = await untilProblem(workbench().page, /points to/);
      assert.equal(sentence, 'The playlist points to a URL on abroad.test that contains a user name or password.');
    });

    itInFuzz('follows a redirect of a segment to another server', async () => {
      media.serve('/away.ts', { status: 302, headers: { location: `${elsewhere.origin}/good0.ts` } });
      await openPlaylist('Sent away', { body: playlistOf(['away.ts', 'good1.ts', 'good2.ts']) });
      await untilPlaying(workbench().page);
      assert.deepEqual(elsewhere.requests, ['/good0.ts']);
    });

    it('plays from another server that a playlist names, and never takes the key along', async () => {
      elsewhere.serve('/all.m3u8', { body: playlistOf(['good0.ts', 'good1.ts', 'good2.ts']) });
      media.serve('/moved.m3u8', { body: masterOf([`${elsewhere.origin}/all.m3u8`]) });
      await openPlaylist('Moved', { status: 302, headers: { location: '/moved.m3u8' } });
      await untilPlaying(workbench().page);
      assert.ok(elsewhere.requests.includes('/good0.ts'), elsewhere.requests.join());
      assert.deepEqual([...media.keys, ...elsewhere.keys], []);
    });

    itInFuzz('tries a few times in network trouble, says so, and goes on by itself when it is over', async () => {
      const { page } = workbench();
      let isDown = true;
      const segment = await readSegment(0);
      media.serve('/shaky.ts', (_request, response) => {
        if (isDown) response.destroy();
        else response.writeHead(200, { 'content-type': 'video/mp2t' }).end(segment);
      });
      await openPlaylist('Shaky', { body: playlistOf(['shaky.ts', 'good1.ts', 'good2.ts']) });
      await playerFrame(page)
        .locator('.trouble')
        .filter({ hasText: /Retrying/ })
        .waitFor();
      const { buttons } = await untilProblem(page, /Lost the connection to 127\.0\.0\.1:\d+\./);
      assert.equal(buttons[0], 'Retry');
      await playerFrame(page).getByText('Retrying automatically until the video is available.').waitFor();
      await takeScreenshot(page, 'player-lost');
      assert.ok(media.requests.filter((path) => path === '/shaky.ts').length >= 3, 'it was tried again by itself');
      isDown = false;
      await untilPlaying(page);
    });

    it('turns while the picture is on its way, at the beginning and where it is sought', async () => {
      const { page } = workbench();
      const loading = playerFrame(page).locator('.loading');
      const untilSeen = () =>
        waitUntil(async () => (await loading.evaluate((ring) => getComputedStyle(ring).opacity)) === '1');
      const [first, last] = [await serveLate('/late0.ts', 0), await serveLate('/late2.ts', 2)];
      await openPlaylist('Late', { body: playlistOf(['late0.ts', 'good1.ts', 'late2.ts']) });
      await first.asked;
      await untilSeen();
      await takeScreenshot(page, 'player-loading');
      // Paused at once: on a busy machine, it may have played by the next look up to the segment that is late.
      await videoOf(page).evaluate((video: unknown) => {
        const element = video as { pause(): void; addEventListener(type: 'playing', listener: () => void): void };
        element.addEventListener('playing', () => element.pause());
      });
      first.release();
      await loading.waitFor({ state: 'hidden' });
      await last.asked;
      await videoOf(page).evaluate((video: unknown) => {
        (video as { currentTime: number }).currentTime = 5;
      });
      await untilSeen();
      last.release();
      await loading.waitFor({ state: 'hidden' });
    });

    itInFuzz('waits for a recording that is being processed, and begins by itself', async () => {
      const { page } = workbench();
      const { sessionId } = addRecording(service, 'Processing', { recordingStatus: 'waiting' });
      await openRecordingOf(page, 'Processing');
      const { buttons } = await untilProblem(page, /being processed/);
      assert.deepEqual(buttons, ['Show Details']);
      const details = await playerFrame(page).locator('.problem').innerText();
      assert.match(details, /Processing \(\d+ (s|min) elapsed\)\s+Playback starts automatically/);
      await takeScreenshot(page, 'player-processing');
      service.control.setSession(sessionId, { recordingStatus: 'ready', recordingUrl: `${media.origin}/good.m3u8` });
      await untilPlaying(page);
    });

    it('waits for a stream that is not live, and begins when it goes live', async () => {
      const { page } = workbench();
      const stream = service.control.addStream({ name: 'Later' });
      await watchStream(page, 'Later');
      await untilProblem(page, /This stream isn't live\.$/);
      const frame = playerFrame(page);
      assert.equal(await frame.locator('h1').innerText(), 'Later');
      assert.equal(await frame.locator('.facts').innerText(), 'never live');
      for (const part of ['.live', '.clock', '.choice', '.seek', 'video']) {
        assert.ok(await frame.locator(part).first().isHidden(), `${part} is of what plays`);
      }
      service.control.startBroadcast(stream.id);
      await untilPlaying(page);
    });

    it('offers the recording of a broadcast that ended', async () => {
      const { page } = workbench();
      const stream = service.control.addStream({ name: 'Ends soon', record: true });
      const session = service.control.startBroadcast(stream.id);
      await watchStream(page, 'Ends soon');
      await untilPlaying(page);
      await playerFrame(page).locator('body').evaluate(noteSentences);
      service.control.endBroadcast(stream.id);
      service.control.setSession(session.id, {
        recordingStatus: 'ready',
        recordingUrl: `${media.origin}/good.m3u8`,
        sourceSegmentsDuration: 6,
        lastSeen: Date.now(),
      });
      const { buttons } = await untilProblem(page, /broadcast has ended/);
      assert.deepEqual(buttons, ['Watch Recording']);
      const frame = playerFrame(page);
      assert.equal((await frame.locator('.top').innerText()).match(/ended/gi)?.length, 1);
      const readSentences = (body: PageElement & { readonly sentences?: readonly string[] }) => body.sentences ?? [];
      const sentences = await frame.locator('body').evaluate(readSentences);
      assert.ok(
        sentences.length > 0 && sentences.every((text) => text === 'This broadcast has ended.'),
        sentences.join(),
      );
      await frame.locator('.last').waitFor();
      await takeScreenshot(page, 'player-ended');
      await pressPlayerButton(page, 'Watch Recording');
      await untilPlaying(page);
    });
  });
});

/** A playlist that goes on as fast as it is read. */
async function sendForEver(response: import('node:http').ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' });
  response.write('#EXTM3U\n');
  const comment = `${'# and so on\n'.repeat(20_000)}`;
  while (!response.destroyed) {
    const ending = new AbortController();
    const { signal } = ending;
    const either = [once(response, 'drain', { signal }), once(response, 'close', { signal })];
    if (!response.write(comment)) await Promise.race(either);
    ending.abort();
    await Promise.allSettled(either);
  }
}
