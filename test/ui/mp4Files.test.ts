import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { FetchFailure } from '../../src/webview/player/mediaClient.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';
import { startBrowser } from '../support/vscode/browser.ts';

/** What test/support/page/mp4Page.js offers. */
declare const mp4Page: {
  readonly video: {
    readonly buffered: { start(index: number): number };
    readonly duration: number;
    readonly ended: boolean;
    readonly readyState: number;
    readonly videoWidth: number;
    currentTime: number;
    play(): Promise<void>;
  };
  readonly problems: readonly string[];
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly reads: number;
  readonly mostReads: number;
  dispose(): void;
};
declare function openMp4Page(
  options: Readonly<Record<'script' | 'base64' | 'startAt' | 'sound' | 'failure', unknown>>,
): void;

/** As strict as the player's, but for its own script, which the test adds. */
const POLICY = "default-src 'none'; media-src blob:; worker-src blob:; script-src 'unsafe-inline' blob:";

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [inProject(file)],
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'chrome140', logLevel: 'error' },
  });
  return outputFiles[0]?.text ?? '';
}

describeInBrowsers('A page that plays an MP4 file', (kind) => {
  const hasAac = kind === 'withAac';
  let browser: Browser;
  let scripts: { readonly page: string; readonly worker: string };
  let page: Page;
  let requests: string[];

  before(async () => {
    browser = await startBrowser(kind);
    scripts = {
      page: await bundle('test/support/page/mp4Page.js'),
      worker: await bundle('src/webview/player/mp4/mp4Worker.ts'),
    };
  });
  after(() => browser.close());
  afterEach(() => page.close());

  async function openFile(bytes: Buffer, startAt = 0, failure?: FetchFailure): Promise<void> {
    page = await browser.newPage();
    requests = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent(`<meta http-equiv="Content-Security-Policy" content="${POLICY}"><video muted></video>`);
    await page.addScriptTag({ content: scripts.page });
    const sound = { kind: hasAac ? 'native' : 'leftOut' };
    const options = { script: scripts.worker, base64: bytes.toString('base64'), startAt, sound, failure };
    await page.evaluate((given) => openMp4Page(given), options);
  }
  const pattern = () => readFileSync(inProject('media/demo/source.mp4'));
  const play = () => page.evaluate(() => void mp4Page.video.play().catch(() => undefined));
  const position = () => page.evaluate(() => mp4Page.video.currentTime);
  const problems = () => page.evaluate(() => mp4Page.problems);

  it('plays from the beginning to the end with what it reads by ranges, and sends no request', async () => {
    await openFile(pattern());
    await play();
    await waitUntil(async () => (await position()) > 1);
    await page.evaluate(() => Object.assign(mp4Page.video, { currentTime: 10.5 }));
    await waitUntil(() => page.evaluate(() => mp4Page.video.ended));
    const { duration, videoWidth } = await page.evaluate(() => ({
      duration: mp4Page.video.duration,
      videoWidth: mp4Page.video.videoWidth,
    }));
    assert.ok(Math.abs(duration - 12) < 0.01, `${duration} s`);
    assert.equal(videoWidth, 640);
    const [reads, most] = await page.evaluate(() => [mp4Page.ranges.length, mp4Page.mostReads] as const);
    assert.ok(reads > 1 && most <= 2, `${reads} reads, ${most} at once`);
    assert.deepEqual(await problems(), hasAac ? [] : ['no sound']);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('blob:')),
      [],
    );
  });

  it('begins where it is told to', async () => {
    await openFile(pattern(), 9);
    await waitUntil(async () => (await position()) === 9);
    await waitUntil(() => page.evaluate(() => mp4Page.video.readyState > 2));
    const start = await page.evaluate(() => mp4Page.video.buffered.start(0));
    assert.ok(Math.abs(start - 8) < 0.1, `is buffered from ${start} s on`);
  });

  it('says why a file does not play', async () => {
    await openFile(Buffer.from('<html>Not found</html>'.repeat(20)));
    await waitUntil(async () => (await problems()).length > 0);
    assert.deepEqual(await problems(), ['failed: brokenFile']);
  });

  it('passes on why a file could not be read', async () => {
    await openFile(pattern(), 0, { problem: { kind: 'status', status: 404, host: 'cdn.test' }, code: 404 });
    await waitUntil(async () => (await problems()).length > 0);
    assert.deepEqual(await problems(), ['failed: status']);
  });

  it('reads nothing more when it is disposed of', async () => {
    await openFile(pattern());
    await page.evaluate(() => mp4Page.dispose());
    const read = await page.evaluate(() => mp4Page.ranges.length);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    assert.deepEqual(await page.evaluate(() => [mp4Page.ranges.length, mp4Page.reads]), [read, 0]);
  });

  it('plays pictures of VP9 with sound of Opus', async () => {
    await openFile(readFileSync(inProject('test/unit/webview/mp4/vp9Opus.mp4')));
    await play();
    await waitUntil(() => page.evaluate(() => mp4Page.video.ended));
    const decoded = await page.evaluate(() => Reflect.get(mp4Page.video, 'webkitAudioDecodedByteCount'));
    assert.ok(Number(decoded) > 1000, `${decoded} bytes of sound`);
    assert.deepEqual(await problems(), []);
  });
});
