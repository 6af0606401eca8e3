import assert from 'node:assert/strict';
import {
  clickTimeline,
  countColors,
  detailsFrame,
  factValue,
  plotOf,
  pressFactButton,
  readHtml,
} from '../support/page/detailsPage.ts';
import { readClipboard, writeClipboard } from '../support/page/messages.ts';
import { playerFrame, readVideo, untilPlaying, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { lastEvening } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';

describe('The details page in a real workbench', () => {
  const { workbench, service } = suitePlayerWorkbench({ size: { width: 1400, height: 1000 } });

  const keynote = () => {
    const found = service()
      .control.streams()
      .find(({ name }) => name === 'Keynote');
    const { streamKey, playbackId } = found ?? {};
    if (found === undefined || streamKey === undefined || playbackId === undefined) throw new Error('No Keynote');
    return { ...found, streamKey, playbackId };
  };
  const title = (name: string) => detailsFrame(workbench().page).locator('h1').getByText(name, { exact: true });
  const open = async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    await title('Keynote').waitFor();
    await detailsFrame(page).locator('.u-over').nth(1).waitFor();
  };

  const pictureRequests = () =>
    service().control.requests.filter(({ path }) => /\/playback\/|\/thumbnails\//.test(path));

  it('has beside it a row whose tooltip shows what is broadcast, fetched when it opens and without the key', async () => {
    const { page } = workbench();
    assert.deepEqual(pictureRequests(), []);
    await tree.readTooltip(page, 'Keynote');
    const picture = page.locator('.monaco-hover.workbench-hover:visible img').last();
    await picture.waitFor();
    assert.match((await picture.getAttribute('src')) ?? '', /^data:image\/jpeg;base64,/);
    await takeScreenshot(page, 'tooltip-picture');
    const asked = pictureRequests();
    assert.equal(asked.length, 2);
    assert.ok(asked.every(({ headers }) => headers.authorization === undefined));
  });

  it('has beside it rows whose tooltips are there without a picture where none can be had', async () => {
    const { page } = workbench();
    service().control.fault(({ path }) => (path.includes('/thumbnails/') ? { status: 500 } : undefined));
    const text = await tree.readTooltip(page, 'Bird nest cam');
    assert.match(text, /Playback ID/);
    const hover = page.locator('.monaco-hover.workbench-hover:visible').last();
    assert.equal(await hover.locator('img').count(), 0);
    service().control.fault(undefined);
  });

  it('opens from a stream’s row, and shows its state, addresses and renditions', async () => {
    const { page } = workbench();
    await open();
    const { playbackId, id } = keynote();
    assert.equal(await detailsFrame(page).locator('.state').textContent(), 'live · recording');
    assert.equal(await factValue(page, 'Playback ID').innerText(), playbackId);
    assert.equal(await factValue(page, 'Stream ID').innerText(), id);
    assert.match(await factValue(page, 'RTMP Server').innerText(), /^rtmp:\/\/127\.0\.0\.1:\d+\/live$/);
    assert.match(await factValue(page, 'HLS URL').innerText(), new RegExp(`/hls/${playbackId}/index\\.m3u8$`));
    assert.match(await detailsFrame(page).locator('.table').first().innerText(), /720p0\s+1280 × 720/);
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    assert.equal(await page.locator('.tabs-container .tab').count(), 1);
  });

  it('copies ids, and the key without having it', async () => {
    const { page } = workbench();
    await pressFactButton(page, 'Playback ID', 'Copy');
    await untilClipboard(keynote().playbackId);
    await pressFactButton(page, 'Stream Key', 'Copy');
    await untilClipboard(keynote().streamKey);
    await pressFactButton(page, 'WHIP URL (with Key)', 'Copy');
    await untilClipboard(service().addresses.whip?.replace('{streamKey}', keynote().streamKey) ?? '');
    assert.ok(!(await readHtml(page)).includes(keynote().streamKey));
  });

  it('has the key only while it is revealed', async () => {
    const { page } = workbench();
    const { streamKey } = keynote();
    await pressFactButton(page, 'Stream Key', 'Reveal');
    await factValue(page, 'Stream Key').getByText(streamKey, { exact: true }).waitFor();
    assert.ok((await factValue(page, 'WHIP URL (with Key)').innerText()).endsWith(streamKey));
    await pressFactButton(page, 'Stream Key', 'Hide');
    await factValue(page, 'Stream Key').getByText('••••').waitFor();
    assert.ok(!(await readHtml(page)).includes(streamKey));
  });

  it('hides the key when another tab is in front', async () => {
    const { page } = workbench();
    const { streamKey } = keynote();
    await pressFactButton(page, 'Stream Key', 'Reveal');
    await factValue(page, 'Stream Key').getByText(streamKey, { exact: true }).waitFor();
    await detailsFrame(page).getByRole('button', { name: 'Open as JSON' }).click();
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    await page.locator('.tabs-container .tab').first().click();
    await factValue(page, 'Stream Key').getByText('••••').waitFor();
    assert.ok(!(await readHtml(page)).includes(streamKey));
  });

  it('asks nothing while another tab is in front', async () => {
    const { page } = workbench();
    await page.locator('.tabs-container .tab').nth(1).click();
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    service().control.clearRequests();
    const own = () => service().control.requests.filter(({ path }) => path.includes(`/stream/${keynote().id}`));
    // The page asks in the rhythm of the looks for the tree.
    const looks = () => service().control.requests.filter(({ path }) => path === '/api/stream').length;
    await waitUntil(() => looks() >= 2);
    assert.deepEqual(own(), []);
    await page.locator('.tabs-container .tab').first().click();
    await title('Keynote').waitFor();
    await waitUntil(() => own().length > 0);
  });

  it('draws when the stream was live, and compares durations', async () => {
    const { page } = workbench();
    await detailsFrame(page).locator('.u-over').nth(1).waitFor();
    for (const plot of [0, 1]) {
      assert.ok((await countColors(page, plot)) > 10);
      assert.ok(((await plotOf(page, plot).getByRole('img').getAttribute('aria-label')) ?? '').length > 20);
    }
    const words = await detailsFrame(page).locator('.words').first().innerText();
    assert.match(words, /^\d+ sessions in the last 30 days · live for .+ · \d+ recordings? ready$/);
  });

  it('has the same as a table: for screen readers always, for eyes on demand', async () => {
    const { page } = workbench();
    const table = detailsFrame(page).getByRole('table', { name: 'Sessions, newest first' });
    const rows = service().control.sessions(keynote().id).length;
    assert.equal(await table.getByRole('row').count(), rows + 1);
    await detailsFrame(page).getByRole('button', { name: 'Show Sessions as Table' }).click();
    await takeScreenshot(page, 'details-table');
    const box = await table.boundingBox();
    assert.ok(box !== null && box.height > 100);
    await detailsFrame(page).getByRole('button', { name: 'Hide Table' }).click();
  });

  it('opens a recording from its bar', async () => {
    const { page } = workbench();
    await clickTimeline(page);
    await playerFrame(page).locator('video').waitFor();
    await page.locator('.tabs-container .tab').first().click();
    await title('Keynote').waitFor();
  });

  it('follows the service while it is seen', async () => {
    const { page } = workbench();
    service().control.setStream(keynote().id, { isHealthy: false, issues: ['<b>Bitrate</b> too low'] });
    await detailsFrame(page).locator('.text').getByText('<b>Bitrate</b> too low', { exact: true }).waitFor();
    assert.equal(await factValue(page, 'Health').innerText(), 'unhealthy');
  });

  const openSession = async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === lastEvening(service())));
    await tree.chooseFromContextMenu(page, lastEvening(service()), 'Show Session Details');
    await title(`Keynote · ${lastEvening(service())}`).waitFor();
  };

  it('shows a session with its numbers and its player, which is quiet until it is played', async () => {
    const { page } = workbench();
    await openSession();
    assert.equal(await factValue(page, 'State').innerText(), 'ready');
    assert.equal(await factValue(page, 'Duration').innerText(), '1h 02m');
    const { paused, currentTime } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused && currentTime === 0, 'nothing plays that was not asked to');
    await takeScreenshot(page, 'details-session');
    await videoOf(page).focus();
    await page.keyboard.press('k');
    await untilPlaying(page);
    await page.keyboard.press('k');
    await untilVideo(page, (playing) => playing.paused);
  });

  it('has the keys of its player, and leaves its own buttons theirs', async () => {
    const { page } = workbench();
    const copy = detailsFrame(page).getByRole('button', { name: 'Copy: Session ID' });
    const [, newest] = service().control.sessions(keynote().id);
    await copy.focus();
    await page.keyboard.press('Space');
    await untilClipboard(newest?.id ?? '');
    assert.ok((await readVideo(page)).paused, 'the space bar was the button’s');
    const { currentTime } = await readVideo(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('m');
    const { muted, currentTime: after } = await untilVideo(page, (playing) => playing.muted);
    assert.ok(muted && after === currentTime, 'the arrow was the page’s');
    await page.keyboard.press('m');
    await detailsFrame(page).getByLabel('Speed').selectOption('2×');
    await detailsFrame(page).getByLabel('Speed').selectOption('1×');
  });

  it('plays on from where it was when its tab is seen again, once it is asked to', async () => {
    const { page } = workbench();
    await videoOf(page).evaluate((video: unknown) => {
      (video as { currentTime: number }).currentTime = 6;
    });
    await untilVideo(page, ({ currentTime }) => Math.abs(currentTime - 6) < 0.5);
    await detailsFrame(page).getByRole('button', { name: 'Open as JSON' }).click();
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    await page
      .locator('.tabs-container .tab')
      .filter({ hasText: / 18:00 \(Details\)$/ })
      .click();
    const { paused, currentTime } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused && Math.abs(currentTime - 6) < 1, `at ${currentTime}`);
  });

  it('opens the recording in a tab of its own', async () => {
    const { page } = workbench();
    await detailsFrame(page).getByRole('button', { name: 'Watch Recording', exact: true }).click();
    await playerFrame(page).locator('.playerTab video').waitFor();
  });

  it('says that a stream is gone', async () => {
    const { page } = workbench();
    const { id } = service().control.addStream({ name: 'Short lived', isActive: true });
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Short lived'));
    await tree.chooseFromContextMenu(page, 'Short lived', 'Show Stream Details');
    await title('Short lived').waitFor();
    service().control.deleteStream(id);
    await detailsFrame(page).getByText('"Short lived" no longer exists.').waitFor();
  });

  async function untilClipboard(text: string): Promise<void> {
    const { page } = workbench();
    await waitUntil(async () => (await readClipboard(page)) === text);
    await writeClipboard(page, '');
  }
});
