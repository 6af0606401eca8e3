import assert from 'node:assert/strict';
import type { DemoService } from '../support/demo/demoService.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { watchRequests } from '../support/page/pageRequests.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import {
  closeTabs,
  playerFrame,
  pressPlayerButton,
  untilPlaying,
  untilProblem,
  untilVideo,
  videoOf,
} from '../support/page/playerPage.ts';
import {
  addRecording,
  openRecordingOf,
  settingsFor,
  startPlayerService,
  watchStream,
} from '../support/page/playerService.ts';
import { answerQuickInput, runEditorCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { type ForwardProxy, startForwardProxy } from '../support/service/forwardProxy.ts';
import {
  type MediaServer,
  playlistOf,
  readSegment,
  SEGMENT_SECONDS,
  startMediaServer,
} from '../support/service/mediaServer.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** Found by the proxy alone, which only VS Code's settings know. */
const FAR = 'http://media.test';

describe('The requests of a player', () => {
  let service: DemoService;
  let media: MediaServer;
  let proxy: ForwardProxy;
  const workbench = suiteWorkbench(async () => {
    [service, media, proxy] = await Promise.all([startPlayerService(), startMediaServer(), startForwardProxy()]);
    return settingsFor(service, { 'http.proxy': proxy.url });
  });

  before(async () => {
    for (const number of [0, 1, 2]) {
      media.serve(`/${number}.ts`, { type: 'video/mp2t', body: await readSegment(number) });
    }
    media.serve('/index.m3u8', { body: playlistOf(['0.ts', '1.ts', '2.ts']) });
    await connectTo(workbench().page, service);
  });
  after(async () => {
    service.dispose();
    media.close();
    await proxy.close();
  });

  it('are all the host’s: its page sends none, whether it plays, seeks, waits, or fails', async () => {
    const { page, server, folder } = workbench();
    const requests = watchRequests(page);
    await watchStream(page, 'Keynote');
    await untilPlaying(page);
    addRecording(service, 'Without CORS', { recordingUrl: `${media.origin}/index.m3u8` });
    await openRecordingOf(page, 'Without CORS');
    await untilPlaying(page);
    // A short recording may have ended by now, and would stay paused.
    await videoOf(page).evaluate((video: unknown) => {
      const element = video as { currentTime: number; play(): Promise<void> };
      element.currentTime = 4.5;
      return element.play();
    });
    await untilVideo(page, ({ currentTime }) => currentTime > 4.5);
    addRecording(service, 'Gone', { recordingUrl: `${media.origin}/gone.m3u8` });
    await openRecordingOf(page, 'Gone');
    await untilProblem(page, /wasn't found/);
    const stream = service.control.addStream({ name: 'Later' });
    await watchStream(page, 'Later');
    await untilProblem(page, /This stream isn't live\.$/);
    service.control.startBroadcast(stream.id);
    await untilPlaying(page);
    // Every frame of the workbench is its own.
    const own = new URL(server.address({ folder })).origin;
    assert.deepEqual(
      [...requests.origins].filter((origin) => origin !== own),
      [],
    );
    assert.ok(media.requests.includes('/2.ts'));
    await closeTabs(page);
  });

  it('take the proxy that only VS Code’s settings know', async () => {
    const { page } = workbench();
    const { port } = new URL(media.origin);
    addRecording(service, 'Behind a proxy', { recordingUrl: `${FAR}:${port}/index.m3u8` });
    await openRecordingOf(page, 'Behind a proxy');
    await untilPlaying(page);
    assert.ok(proxy.tunnels.includes(`media.test:${port}`), proxy.tunnels.join());
    await closeTabs(page);
  });

  it('end while it is hidden and paused, and go on when it is shown again', async () => {
    const { page } = workbench();
    const growing = playlistOf(['0.ts', '1.ts', '2.ts']).replace('#EXT-X-ENDLIST', '');
    media.serve('/growing.m3u8', { body: growing });
    const count = () => media.requests.filter((path) => path === '/growing.m3u8').length;
    addRecording(service, 'Growing', { recordingUrl: `${media.origin}/growing.m3u8` });
    await openRecordingOf(page, 'Growing');
    await untilPlaying(page);
    await waitUntil(async () => count() > 2);
    await videoOf(page).evaluate((video: unknown) => (video as { pause(): void }).pause());
    await runEditorCommand(page, 'New Untitled Text File');
    await page.locator('iframe.webview.ready:visible').waitFor({ state: 'detached' });
    // A request that was under way may still arrive.
    let asked = count();
    await waitUntil(async () => {
      asked = count();
      await page.waitForTimeout(2.5 * SEGMENT_SECONDS * 1000);
      return count() === asked;
    });
    await page.locator('.tabs-container .tab').filter({ hasText: 'Growing' }).click();
    await waitUntil(async () => count() > asked);
  });

  it('have a token for a private stream, once the player was given a signing key', async () => {
    const { page } = workbench();
    const { id } = service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
    service.control.startBroadcast(id);
    await watchStream(page, 'Members');
    const { buttons } = await untilProblem(page, /Only viewers with a token can watch this stream\./);
    assert.deepEqual(buttons, ['Create Signing Key…', 'Import Signing Key…', 'Retry']);
    const frame = playerFrame(page);
    assert.ok(await frame.locator('.controls').isHidden(), 'no bar without anything in it');
    await frame.locator('.problem').getByRole('button', { name: 'More Actions…' }).click();
    const entries = frame.getByRole('button').and(frame.locator('.menuEntry'));
    assert.deepEqual(await entries.allInnerTexts(), ['Copy HLS URL', 'Watch in Browser']);
    await takeScreenshot(page, 'player-private-menu');
    await entries.first().press('Escape');
    await pressPlayerButton(page, 'Create Signing Key…');
    await answerQuickInput(page, 'From the player', 'Create Signing Key');
    await untilPlaying(page);
    assert.deepEqual(fieldsOf(service.control.signingKeys(), 'name'), ['From the player']);
    assert.ok(service.control.requests.some(({ path, query }) => path.endsWith('.m3u8') && query.startsWith('jwt=')));
    await closeTabs(page);
  });
});
