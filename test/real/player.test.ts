import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { broadcast } from '../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { makeStream, startDemoFromWelcome, untilInGroup } from '../support/page/madeStream.ts';
import { pressDialogButton, pressNotificationButton, readClipboard } from '../support/page/messages.ts';
import { closeTabs, untilPlaying, untilProblem, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { pickQuickItem, runCommand, typeInQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { startProcess } from '../support/process/ownProcess.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { itWith } from '../support/runner/itWith.ts';
import { COUNTED_RATE, makeCountedVideo } from '../support/service/ffmpegTools.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Made here';
const FIRST_FRAME_MS = 6000;

/** The browser's, for the function that runs in the player's page. */
declare const document: {
  createElement(name: 'canvas'): {
    width: number;
    height: number;
    getContext(kind: '2d'): {
      drawImage(video: unknown, x: number, y: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8Array };
    };
  };
};

/** The number in the picture that a player shows, by makeCountedVideo, and the time that the player says. */
function readShownCounter(page: Page): Promise<{ readonly counter: number; readonly seconds: number }> {
  return videoOf(page).evaluate((video: unknown) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 360];
    const drawing = canvas.getContext('2d');
    const seconds = (video as { readonly currentTime: number }).currentTime;
    drawing.drawImage(video, 0, 0);
    const { data } = drawing.getImageData(0, 16, 640, 1);
    let counter = 0;
    for (let bit = 0; bit < 16; bit++) counter += (data[(bit * 40 + 20) * 4] ?? 0) > 128 ? 2 ** bit : 0;
    return { counter, seconds };
  });
}

describe('The player in the workbench', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });
  let address = '';

  before(async () => {
    const { page } = workbench();
    await startDemoFromWelcome(page);
    await makeStream(page, STREAM, { record: false });
    await tree.chooseFromContextMenu(page, STREAM, ['Copy', 'Copy RTMP URL (with Key)']);
    await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
    address = await waitUntil(async () => {
      const text = await readClipboard(page);
      return text.startsWith('rtmp://127.0.0.1:') && text;
    });
  });

  /** Sends the test pattern until it is stopped. Resolves when the demo has accepted. */
  async function publish(): Promise<{ readonly acceptedAt: number; stop(): Promise<void> }> {
    const key = address.split('/').at(-1) ?? '';
    const parsed = parseIngest(address.replace(key, '{streamKey}'), key);
    assert.ok(parsed.ok);
    const source = await openMp4Source(inProject('media/demo/source.mp4'));
    const [stopping, accepted] = [new AbortController(), Promise.withResolvers<number>()];
    const sending = broadcast({
      ...{ ingest: parsed.ingest, source, seconds: 600, signal: stopping.signal },
      onProgress: ({ state }) => state === 'live' && accepted.resolve(performance.now()),
    });
    const acceptedAt = await accepted.promise;
    return {
      acceptedAt,
      async stop() {
        stopping.abort();
        await sending;
      },
    };
  }

  async function assertSoonShown(acceptedAt: number): Promise<void> {
    await untilVideo(workbench().page, ({ currentTime, contrast }) => currentTime > 0 && contrast > 5);
    const took = performance.now() - acceptedAt;
    console.log(`      first frame after ${(took / 1000).toFixed(1)} s`);
    assert.ok(took <= FIRST_FRAME_MS, `${took} ms`);
  }

  it('shows a broadcast within 6 s if it is open when the broadcast begins', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.watchStream');
    await typeInQuickInput(page, STREAM);
    await pickQuickItem(page, STREAM);
    await untilProblem(page, /isn't live/);
    const { acceptedAt, stop } = await publish();
    await assertSoonShown(acceptedAt);
    await stop();
    await closeTabs(page);
    await untilInGroup(page, STREAM, 'Idle');
  });

  it('shows a test broadcast within 6 s of its start', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, STREAM, 'Start Test Broadcast…');
    await pickQuickItem(page, 'Test Pattern');
    await pickQuickItem(page, '5 minutes');
    await pressDialogButton(page, 'Start Test Broadcast');
    const startedAt = performance.now();
    await pressNotificationButton(page, 'is live with your test broadcast', 'Watch');
    await assertSoonShown(startedAt);
    await runCommand(page, 'liveStreams.stopTestBroadcast');
    await closeTabs(page);
    await untilInGroup(page, STREAM, 'Idle');
  });

  itWith('ffmpeg')('shows the pictures that ffmpeg sends, each at its time', async () => {
    const { page } = workbench();
    const folder = makeTemporaryFolder('player');
    const file = join(folder, 'counted.mp4');
    await makeCountedVideo(file, 120, 2);
    const copied = ['-re', '-i', file, '-c', 'copy', '-f', 'flv', address];
    const sender = startProcess('ffmpeg', ['-v', 'error', ...copied]);
    try {
      await untilInGroup(page, STREAM, 'Active');
      await tree.pressRowAction(page, STREAM, 'Watch Stream');
      await untilPlaying(page);
      let last = -1;
      for (let count = 0; count < 20; count++) {
        const { counter, seconds } = await waitUntil(async () => {
          const shown = await readShownCounter(page);
          return shown.counter > last && shown;
        });
        last = counter;
        // B-frames delay each picture by two; the page draws up to 60 times a second.
        const late = seconds * COUNTED_RATE - counter;
        assert.ok(late > -1 && late < 6, `picture ${counter} at ${seconds} s`);
      }
      await takeScreenshot(page, 'player-of-ffmpeg');
    } finally {
      await sender.kill();
      rmSync(folder, { recursive: true });
    }
  });
});
