import assert from 'node:assert/strict';
import { broadcast } from '../../src/broadcast/broadcast.ts';
import { parseIngest } from '../../src/broadcast/ingest.ts';
import { openMp4Source } from '../../src/broadcast/mp4Source.ts';
import { makeStream, startDemoFromWelcome, untilInGroup } from '../support/page/madeStream.ts';
import {
  clearNotifications,
  pressDialogButton,
  pressNotificationButton,
  readClipboard,
  readDialog,
  untilNotification,
} from '../support/page/messages.ts';
import { pressPlayerButton, readSweep, untilVideo, videoOf } from '../support/page/playerPage.ts';
import {
  answerQuickInput,
  chooseInTurn,
  quickInput,
  readQuickInput,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { readPlayable } from '../support/service/playableMedia.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const STREAM = 'Clipped';
const FROM = 3.4;
const TO = 8.4;
/** How far the picture of a frame may be from the time that is sought: two frames. */
const FRAMES_S = 0.15;

describe('A clip of a running broadcast', () => {
  const workbench = suiteWorkbench({ settings: { 'liveStreams.refreshInterval': 5 } });
  const stop = new AbortController();
  let sending: Promise<unknown> | undefined;

  before(async () => {
    const { page } = workbench();
    await startDemoFromWelcome(page);
    await makeStream(page, STREAM, 'Create and Record');
    await clearNotifications(page);
    await tree.chooseFromContextMenu(page, STREAM, ['Copy', 'Copy RTMP URL (with Key)']);
    await tree.treeOf(page).focus(); // the clipboard is given to a page that has the focus
    const address = await waitUntil(async () => {
      const text = await readClipboard(page);
      return text.startsWith('rtmp://127.0.0.1:') && text;
    });
    const key = address.split('/').at(-1) ?? '';
    const parsed = parseIngest(address.replace(key, '{streamKey}'), key);
    assert.ok(parsed.ok);
    const source = await openMp4Source(inProject('media/demo/source.mp4'));
    sending = broadcast({ ingest: parsed.ingest, source, seconds: 600, signal: stop.signal });
    await untilInGroup(page, STREAM, 'Active');
    await tree.expandRow(page, STREAM);
  });

  after(async () => {
    stop.abort();
    await sending;
  });

  const sessionRow = async () => {
    const rows = await tree.untilRows(workbench().page, (all) => all.some(isLive));
    return rows.find(isLive)?.label ?? '';
  };
  const isLive = ({ level, description }: tree.Row) => level === 3 && /^live/.test(description);
  const isLongEnough = ({ description }: tree.Row) => !/^live for 1?\d s/.test(description);
  const isClip = ({ level, label }: tree.Row) => level === 4 && label === 'Goal';

  it('is cut between the times that are typed, after what is wrong with them was said', async () => {
    const { page } = workbench();
    const label = await sessionRow();
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === label && isLongEnough(row)));
    await chooseInTurn(
      page,
      async () => {
        await tree.chooseFromContextMenu(page, label, 'Create Clip…');
        await quickInput(page, 'Create Clip').waitFor();
        await takeScreenshot(page, 'clip-lengths');
      },
      'Custom Range…',
    );
    await answerQuickInput(page, `0:0${FROM}`, 'Create Clip (1/2)');
    await typeInQuickInput(page, '0:01', 'Create Clip (2/2)');
    await page.keyboard.press('Enter');
    await waitUntil(async () =>
      (await readQuickInput(page)).message.includes('The end time must be later than the start time.'),
    );
    await takeScreenshot(page, 'clip-times');
    await answerQuickInput(page, `0:0${TO}`, 'Create Clip (2/2)');
    await answerQuickInput(page, 'Goal', 'Create Clip');
    await untilNotification(page, 'Creating the clip "Goal"');
    await takeScreenshot(page, 'clip-progress');
    await untilNotification(page, 'Created the clip "Goal"');
    await tree.expandRow(page, label);
    const [row] = (await tree.untilRows(page, (rows) => rows.some(isClip))).filter(isClip);
    assert.deepEqual([row?.description, row?.icon, row?.actions], ['0:05', 'device-camera-video', ['Download Clip…']]);
    await takeScreenshot(page, 'clip-created');
  });

  it('plays the frames that were chosen', async () => {
    const { page } = workbench();
    await pressNotificationButton(page, 'Created the clip "Goal"', 'Watch');
    await untilVideo(page, ({ width, contrast }) => width === 640 && contrast > 5);
    const duration = await videoOf(page).evaluate(
      (video: unknown) => (video as { readonly duration: number }).duration,
    );
    assert.ok(Math.abs(duration - (TO - FROM)) < FRAMES_S, `${duration} s`);
    for (const at of [0, 2, TO - FROM - 0.05]) {
      const shown = await readSweep(page, at);
      assert.ok(Math.abs(shown - (FROM + at)) < FRAMES_S, `At ${at} s, the picture is of ${shown} s`);
    }
    await pressPlayerButton(page, 'More Actions…');
    await takeScreenshot(page, 'clip-menu');
    await page.keyboard.press('Escape');
    await chooseTheme(page, 'dark-2026');
    await takeScreenshot(page, 'clip-plays-dark');
    await chooseTheme(page, 'light-2026');
    await takeScreenshot(page, 'clip-plays-light');
  });

  it('has a URL whose file has the frames that were chosen', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Goal', 'Copy Clip URL');
    await tree.treeOf(page).focus();
    const url = await waitUntil(async () => {
      const text = await readClipboard(page);
      return text.includes('/clips/') && text;
    });
    const media = await readPlayable(Buffer.from(await (await fetch(url)).arrayBuffer()));
    const shown = media.video?.packets.filter(({ time }) => time >= 0).length ?? 0;
    assert.ok(Math.abs(shown - 15 * (TO - FROM)) <= 1, `${shown} frames`);
  });

  it('is deleted after a question', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Goal', 'Delete Clip');
    assert.match((await readDialog(page)).message, /Delete the clip "Goal"\?/);
    await takeScreenshot(page, 'clip-delete');
    await pressDialogButton(page, 'Delete');
    await tree.untilRows(page, (rows) => !rows.some(isClip));
  });
});
