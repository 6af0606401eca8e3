import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { blend, contrast, parseColor } from '../support/page/contrast.ts';
import {
  detailsFrame,
  factValue,
  openMenu,
  openMore,
  pressFactButton,
  readButtonLook,
  readHtml,
  sessionsTable,
  stateLine,
} from '../support/page/detailsPage.ts';
import { pressDialogButton, readClipboard, readDialog, writeClipboard } from '../support/page/messages.ts';
import { closeTabs, playerFrame, readVideo, untilPlaying, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { lastEvening } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import {
  answerQuickInput,
  chooseInTurn,
  pickQuickItem,
  quickInput,
  readQuickInput,
  runCommand,
  runEditorCommand,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { chooseTheme } from '../support/page/themes.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { itInFuzz, sampleOf } from '../support/runner/fuzzRuns.ts';

declare function getComputedStyle(element: unknown): {
  readonly color: string;
  readonly borderTopColor: string;
  readonly fontWeight: string;
};

describe('The details page in a real workbench', () => {
  const { workbench, service } = suitePlayerWorkbench({ browser: 'withoutAac', size: { width: 1400, height: 1000 } });

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
    await sessionsTable(page).waitFor();
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

  it('opens from a stream’s row, and begins with what is so now', async () => {
    const { page } = workbench();
    await open();
    const { playbackId, id } = keynote();
    assert.match(await stateLine(page).innerText(), /^Live for .+ · recording · .+ · healthy$/);
    const widths = await stateLine(page).evaluate((line) =>
      [...line.querySelectorAll('.between')].map((one) => one.getBoundingClientRect().width > 0),
    );
    assert.deepEqual(widths, [true, true, true], 'each word has a separator');
    await openMore(page);
    const folded = detailsFrame(page).locator('.more > .summary');
    assert.equal(await folded.innerText(), 'More Details');
    assert.match((await folded.getAttribute('title')) ?? '', /^Ingest URLs · IDs · Renditions · /);
    const receiving = detailsFrame(page)
      .getByRole('listitem')
      .filter({ hasText: /^Receiving data$/ });
    await receiving.locator('.mark[data-tone="good"]').waitFor();
    const picture = detailsFrame(page).locator('.picture.drawn');
    await picture.waitFor();
    assert.ok((await countPictureColors(picture.locator('canvas'))) > 10);
    const [first] = await detailsFrame(page).locator('.buttons > .button').allInnerTexts();
    assert.equal(first, 'Watch');
    assert.equal(await factValue(page, 'Playback ID').innerText(), playbackId);
    assert.match((await factValue(page, 'RTMP Server').textContent()) ?? '', /^rtmp:\/\/127\.0\.0\.1:\d+\/live$/);
    assert.match(
      (await factValue(page, 'HLS URL').textContent()) ?? '',
      new RegExp(`/hls/${playbackId}/index\\.m3u8$`),
    );
    assert.equal(await factValue(page, 'Stream ID').innerText(), id);
    const renditions = detailsFrame(page).locator('.more .table').filter({ hasText: '360p0' });
    assert.match(await renditions.innerText(), /360p0\s+640 × 360[\s\S]*180p0\s+320 × 180/);
    assert.doesNotMatch(await detailsFrame(page).locator('body').innerText(), /[{}]/, 'no raw JSON');
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    assert.equal(await page.locator('.tabs-container .tab').count(), 1);
  });

  it('begins with its title, beside the picture or above it, and no line of its state with a separator', async () => {
    const { page } = workbench();
    const size = page.viewportSize() ?? assert.fail();
    const read = () => detailsFrame(page).locator('.top').evaluate(readHeader);
    try {
      await waitUntil(async () => (await read()).picture.left < (await read()).title.left);
      const { title, picture } = await read();
      assert.ok(Math.abs(title.top - picture.top) < 12, `${title.top} is not beside ${picture.top}`);
      await page.setViewportSize({ ...size, width: 640 });
      await waitUntil(async () => (await read()).picture.left === (await read()).title.left);
      const narrow = await read();
      assert.ok(narrow.title.top < narrow.picture.top, `${narrow.title.top} is not above ${narrow.picture.top}`);
      assert.ok(narrow.lines > 1, 'the state wraps');
      assert.deepEqual(
        narrow.separators.filter((left) => left <= narrow.title.left),
        [],
      );
    } finally {
      await page.setViewportSize(size);
    }
  });

  for (const theme of sampleOf(['light-2026', 'dark-2026'] as const, 2)) {
    it(`grays out what may have changed while the service fails, until Retry succeeds: ${theme}`, async () => {
      const { page } = workbench();
      await chooseTheme(page, theme);
      const frame = detailsFrame(page);
      const colorOf = (selector: string) =>
        frame
          .locator(selector)
          .first()
          .evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).borderTopColor]);
      const known = [await colorOf('.state'), await colorOf('.slice[data-tone="live"]')];
      service().control.fault(() => ({ status: 503 }));
      await runCommand(page, 'liveStreams.refresh');
      const warning = frame.locator('.warning').filter({ hasText: /Last updated: \d+:\d\d.*\. The information/ });
      await warning.waitFor();
      const gray = [await colorOf('.state'), await colorOf('.slice[data-tone="live"]')];
      assert.notDeepEqual(gray[0], known[0]);
      assert.notDeepEqual(gray[1], known[1]);
      await frame.locator('h1').scrollIntoViewIfNeeded();
      await takeScreenshot(page, `details-outage-${theme}`);
      const retry = warning.getByRole('button', { name: 'Retry' });
      await retry.waitFor();
      // The page also recovers by itself, and has no button then: nothing is answered before the click.
      const { promise, resolve } = Promise.withResolvers<undefined>();
      service().control.fault(() => promise);
      await retry.evaluate((button) => (button as unknown as { click(): void }).click());
      service().control.fault(undefined);
      resolve(undefined);
      await warning.waitFor({ state: 'hidden' });
    });
  }

  for (const theme of sampleOf(['light-2026', 'dark-2026'] as const, 1)) {
    it(`has buttons with the borders of their kind, and one that shows the focus: ${theme}`, async () => {
      const { page } = workbench();
      await chooseTheme(page, theme);
      const primary = detailsFrame(page).getByRole('button', { name: 'Watch', exact: true });
      const secondary = detailsFrame(page).getByRole('button', { name: 'Check Stream' });
      const look = await readButtonLook(secondary, '--vscode-button-secondaryBorder');
      const other = await readButtonLook(primary, '--vscode-button-border');
      assert.notEqual(look.themeBorder, '', 'the theme has one');
      assert.deepEqual(parseColor(look.border), parseColor(look.themeBorder));
      assert.deepEqual(parseColor(other.border), parseColor(other.themeBorder));
      assert.notEqual(look.border, other.border);
      assert.match(look.outline, /none/);
      await primary.focus();
      await page.keyboard.press('Tab');
      const { outline } = await readButtonLook(secondary, '--vscode-editor-background');
      assert.match(outline, /solid 2px$/);
      const ring = /rgba?\([^)]*\)|color\([^)]*\)/.exec(outline)?.[0] ?? '';
      const { themeBorder: background } = await readButtonLook(secondary, '--vscode-editor-background');
      assert.ok(contrast(blend(parseColor(ring), parseColor(background)), parseColor(background)) >= 3, outline);
      await takeScreenshot(page, `details-${theme}`);
    });
  }

  it('adds a multistream target, whose key is typed hidden and shown nowhere, turns it off, removes it, and adds it again without its key', async () => {
    const { page } = workbench();
    const first = 'Add Multistream Target';
    const step = (at: number) => `${first} (${at}/4)`;
    const key = 'k3y-0f-another-service';
    const use = () =>
      service()
        .control.targets()
        .find(({ name }) => name === 'Channel');
    assert.equal(await factValue(page, 'YouTube').innerText(), 'Connected');
    const weightOf = (label: string) =>
      detailsFrame(page)
        .getByText(label, { exact: true })
        .evaluate((element: unknown) => getComputedStyle(element).fontWeight);
    assert.deepEqual([await weightOf('YouTube'), await weightOf('RTMP Server')], ['600', '400']);
    const add = () => detailsFrame(page).getByRole('button', { name: 'Add Target…' }).click();
    await chooseInTurn(page, add, 'Facebook');
    await waitUntil(async () => (await readQuickInput(page, step(2))).isPassword);
    await answerQuickInput(page, key, step(2));
    await waitUntil(async () => (await readQuickInput(page, step(3))).items.some(({ label }) => label === 'Source'));
    await pickQuickItem(page, 'Source', step(3));
    await waitUntil(async () => (await readQuickInput(page, step(4))).value === 'Facebook');
    await answerQuickInput(page, 'Channel', step(4));
    await factValue(page, 'Channel').waitFor();
    assert.equal(use()?.url, `rtmps://live-api-s.facebook.com:443/rtmp/${key}`);
    await pressFactButton(page, 'Channel', 'Turn Off');
    assert.match((await readDialog(page)).message, /^Turn off the target "Channel"\?/);
    await pressDialogButton(page, 'Turn Off');
    await factValue(page, 'Channel').getByText('Off', { exact: true }).waitFor();
    assert.equal(use()?.disabled, true);
    assert.ok(!(await readHtml(page)).includes(key));
    await takeScreenshot(page, 'details-multistream');
    const remove = async () => {
      await pressFactButton(page, 'Channel', 'Remove');
      assert.match((await readDialog(page)).message, /^Remove the target "Channel" from "Keynote"\?/);
      await pressDialogButton(page, 'Remove');
      await factValue(page, 'Channel').waitFor({ state: 'detached' });
      await waitUntil(() => !keynote().multistream?.targets.some(({ id }) => id === use()?.id));
    };
    await remove();
    await chooseInTurn(page, add, 'Channel', 'Source');
    await factValue(page, 'Channel').getByText('Off', { exact: true }).waitFor();
    await remove();
  });

  it('leaves the focus to a box that is open when its buttons are drawn again', async () => {
    const { page } = workbench();
    const { id, multistream } = keynote();
    const targets = multistream?.targets ?? [];
    await detailsFrame(page).getByRole('button', { name: 'Add Target…' }).click();
    await readQuickInput(page, 'Add Multistream Target');
    const added = service().control.addTarget({ name: 'From elsewhere', url: 'rtmps://live.example:443/app/key' });
    service().control.setStream(id, { multistream: { targets: [...targets, { id: added.id, profile: 'source' }] } });
    await factValue(page, 'From elsewhere').waitFor();
    assert.equal(await quickInput(page, 'Add Multistream Target').isVisible(), true);
    await page.keyboard.press('Escape');
    service().control.setStream(id, { multistream: { targets } });
    await factValue(page, 'From elsewhere').waitFor({ state: 'detached' });
  });

  it('copies ids, and the key without having it, and says so on the button', async () => {
    const { page } = workbench();
    await pressFactButton(page, 'Playback ID', 'Copy');
    await copiedButton('copyPlaybackId').waitFor();
    assert.deepEqual(await detailsFrame(page).getByRole('status').filter({ hasText: 'Copied' }).allInnerTexts(), [
      'Copied',
    ]);
    await untilClipboard(keynote().playbackId);
    await detailsFrame(page).getByRole('button', { name: 'Copy: Playback ID', exact: true }).waitFor();
    await copiedButton('copyPlaybackId').waitFor({ state: 'detached' });
    await pressFactButton(page, 'Stream Key', 'Copy');
    await copiedButton('copyStreamKey').waitFor();
    await untilClipboard(keynote().streamKey);
    await pressFactButton(page, 'WHIP URL (with Key)', 'Copy');
    await untilClipboard(service().addresses.whip?.replace('{streamKey}', keynote().streamKey) ?? '');
    assert.ok(!(await readHtml(page)).includes(keynote().streamKey));
  });

  it('has the row’s commands that have no button in a menu that is used by keys', async () => {
    const { page } = workbench();
    assert.deepEqual(await openMenu(page), [
      ...['Create Clip…', 'Watch Stream in Browser', 'Open Stream in Dashboard', 'Open as JSON', 'Rename Stream…'],
      ...['Add Multistream Target…', 'End Broadcast', 'Suspend Stream', 'Delete Stream'],
    ]);
    const focused = () => detailsFrame(page).locator(':focus').innerText();
    await waitUntil(async () => (await focused()) === 'Create Clip…');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Watch Stream in Browser');
    await page.keyboard.press('End');
    assert.equal(await focused(), 'Delete Stream');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Create Clip…');
    await page.keyboard.press('Escape');
    await detailsFrame(page).getByRole('menuitem').first().waitFor({ state: 'hidden' });
    await openMenu(page);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.match((await readDialog(page)).message, /^Delete "Keynote"\?/);
    await pressDialogButton(page, 'Cancel');
  });

  it('closes its menu when the user turns to the tree, which keeps the focus', async () => {
    const { page } = workbench();
    await openMenu(page);
    await tree.rowOf(page, 'Keynote').click();
    await detailsFrame(page).getByRole('menuitem').first().waitFor({ state: 'hidden' });
    await waitUntil(async () => (await tree.readRows(page)).some((row) => row.label === 'Keynote' && row.isSelected));
    assert.ok(await page.locator('.monaco-list.element-focused:focus').isVisible());
    await tree.rowOf(page, 'Keynote').click();
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
    await openMenu(page);
    await detailsFrame(page).getByRole('menuitem', { name: 'Open as JSON' }).click();
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    await page.locator('.tabs-container .tab').first().click();
    await factValue(page, 'Stream Key').getByText('••••').waitFor();
    assert.ok(!(await readHtml(page)).includes(streamKey));
  });

  itInFuzz('asks nothing while another tab is in front', async () => {
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

  it('has a strip of the last 30 days, and all sessions in a table', async () => {
    const { page } = workbench();
    const strip = detailsFrame(page).getByRole('img', { name: /^Last 30 days: \d+ sessions · .+$/ });
    assert.equal(await strip.locator('.day').count(), 30);
    assert.match((await strip.locator('.day').last().getAttribute('title')) ?? '', /^Today · 1 session · /);
    const rows = service().control.sessions(keynote().id).length;
    assert.equal(await sessionsTable(page).getByRole('row').count(), rows + 1);
    const live = sessionsTable(page).getByRole('row').filter({ hasText: 'Live' });
    assert.deepEqual(await live.locator('.iconButton').evaluateAll(readNames), [
      `Watch, ${await live.getByRole('button').first().innerText()}`,
    ]);
    await strip.locator('.day.used').last().click();
    const focused = detailsFrame(page).locator('tr:has(:focus)');
    // In the first hour of a day, the broadcast has begun on the day before.
    assert.match(await focused.innerText(), /^(Today|Yesterday) \d\d:\d\d\tLive for /);
  });

  it('keeps the focus in a row that changes', async () => {
    const { page } = workbench();
    const { control } = service();
    const [running] = control.sessions(keynote().id);
    assert.ok(running);
    const { id, createdAt } = running;
    await sessionsTable(page).locator('tbody button').first().focus();
    control.setSession(id, { createdAt: createdAt - 3 * 3_600_000 });
    const focused = detailsFrame(page).locator('tr:has(:focus)');
    await focused.filter({ hasText: 'Live for 3 h' }).waitFor();
    control.setSession(id, { createdAt });
    await focused.filter({ hasText: /Live for \d+ min/ }).waitFor();
  });

  it('opens a recording, and a session’s page, from the table', async () => {
    const { page } = workbench();
    const row = sessionsTable(page)
      .getByRole('row')
      .filter({ hasText: lastEvening(service()) });
    await row.getByRole('button', { name: `Watch Recording: ${lastEvening(service())}` }).click();
    await playerFrame(page).locator('.playerTab video').waitFor();
    await page.locator('.tabs-container .tab').first().click();
    await title('Keynote').waitFor();
    await row.getByRole('button', { name: lastEvening(service()), exact: true }).click();
    await title(`Keynote · ${lastEvening(service())}`).waitFor();
    await page.locator('.tabs-container .tab').first().click();
    await title('Keynote').waitFor();
  });

  const tabNames = () => workbench().page.locator('.tabs-container .tab').allInnerTexts();

  it('stays when a session is opened in it, and the next session takes the tab of the one before', async () => {
    const { page } = workbench();
    const openFirst = async (at: number) => {
      await page.locator('.tabs-container .tab').first().click();
      await title('Keynote').waitFor();
      const button = sessionsTable(page).locator('tbody tr').nth(at).getByRole('button').first();
      const start = await button.innerText();
      await button.click();
      await title(`Keynote · ${start}`).waitFor();
    };
    await openFirst(1);
    const before = await tabNames();
    await openFirst(2);
    const after = await tabNames();
    assert.deepEqual([after.length, after[0]], [before.length, before[0]]);
    assert.notDeepEqual(after, before);
    await page.locator('.tabs-container .tab').first().click();
    await title('Keynote').waitFor();
  });

  it('follows the service while it is seen', async () => {
    const { page } = workbench();
    service().control.setStream(keynote().id, { isHealthy: false, issues: ['<b>Bitrate</b> too low'] });
    await detailsFrame(page).locator('.text').getByText('<b>Bitrate</b> too low', { exact: true }).waitFor();
    assert.match(await stateLine(page).innerText(), / · unhealthy$/);
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
    assert.match(await stateLine(page).innerText(), /^Recording ready · 1 h 2 min/);
    const { paused, currentTime } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused && currentTime === 0, 'nothing plays that was not asked to');
    const url = detailsFrame(page).locator('.fact:has(.address)').first();
    const [address, acts] = await Promise.all(['.address', '.acts'].map((part) => url.locator(part).boundingBox()));
    assert.ok(address && acts && acts.y < address.y, 'beside its label, as the card is narrow');
    await takeScreenshot(page, 'details-session');
    await videoOf(page).focus();
    await page.keyboard.press('k');
    await untilPlaying(page);
    await page.keyboard.press('k');
    await untilVideo(page, (playing) => playing.paused);
  });

  it('keeps the facts of a session beside its player while the service fails', async () => {
    const { page } = workbench();
    const frame = detailsFrame(page);
    const topOf = async (part: string) => (await frame.locator(part).first().boundingBox())?.y ?? Number.NaN;
    const tops = async () => [await topOf('.playerPart'), await topOf('.cards > .card')] as const;
    const [player, card] = await tops();
    assert.ok(Math.abs(player - card) < 2, `${player} and ${card}`);
    service().control.fault(({ path }) => (path.startsWith('/api/') ? { status: 503 } : undefined));
    await runCommand(page, 'liveStreams.refresh');
    const warning = frame.locator('.warning').filter({ hasText: /Last updated/ });
    await warning.waitFor();
    await takeScreenshot(page, 'details-session-outage');
    const [under, beside] = await tops();
    assert.ok(under > player && Math.abs(under - beside) < 2, `${under} and ${beside}`);
    service().control.fault(undefined);
    await runCommand(page, 'liveStreams.refresh');
    await warning.waitFor({ state: 'hidden' });
  });

  it('has the keys of its player, and leaves its own buttons theirs', async () => {
    const { page } = workbench();
    await openMore(page);
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

  it('is paused where it was when its tab is visible again', async () => {
    const { page } = workbench();
    await videoOf(page).evaluate((video: unknown) => {
      (video as { currentTime: number }).currentTime = 6;
    });
    await untilVideo(page, ({ currentTime }) => Math.abs(currentTime - 6) < 0.5);
    await openMenu(page);
    await detailsFrame(page).getByRole('menuitem', { name: 'Open as JSON' }).click();
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    await page
      .locator('.tabs-container .tab')
      .filter({ hasText: / 18:00 \(Details\)$/ })
      .click();
    const { paused, currentTime } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused && Math.abs(currentTime - 6) < 1, `at ${currentTime}`);
  });

  it('has tables of which nothing is cut and nothing scrolls sideways, at any width', async () => {
    const { page } = workbench();
    const size = page.viewportSize() ?? assert.fail();
    const profile = { bitrate: 6_000_000, fps: 0, profile: 'H264ConstrainedHigh' };
    const sizes = [
      [1920, 1080],
      [1280, 720],
    ] as const;
    const profiles = sizes.map(([width, height]) => ({ name: `${height}p0`, width, height, ...profile }));
    const { id } = service().control.addStream({ name: 'Many words', profiles });
    service().control.startBroadcast(id);
    service().control.setStream(id, { isHealthy: false });
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Many words'));
    await tree.chooseFromContextMenu(page, 'Many words', 'Show Stream Details');
    await title('Many words').waitFor();
    await openMore(page);
    const tables = detailsFrame(page).locator('.table.stacks');
    await waitUntil(async () => (await tables.count()) === 2);
    const renditions = tables.filter({ hasText: '1080p0' });
    const health = tables.filter({ hasText: 'Transcoding in real time' });
    await page.keyboard.press('Control+b');
    try {
      for (const width of sampleOf([348, 720, 600, 1280, 480, 248], 2)) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await waitUntil(async () => {
          const found = await detailsFrame(page).locator('html').evaluate(readOverflow);
          return found.window <= width - 40 && found;
        });
        assert.deepEqual(wide.scrolling, [], `${width} px`);
        // What a screen reader is told doesn't depend on the width.
        const cells = await renditions
          .getByRole('row', { name: /^1080p0/ })
          .getByRole('cell')
          .allInnerTexts();
        const words = ['1080p0', '1920 × 1080', '6 Mbps', 'Same as source', 'H.264 Constrained High'];
        assert.deepEqual(
          cells.map((cell) => cell.trim()),
          words,
        );
        assert.equal(await renditions.getByRole('columnheader').count(), 5);
        const gaps = await health.locator('.mark').evaluateAll(readGaps);
        assert.equal(gaps.length, 4);
        for (const [beside, below] of gaps) {
          assert.ok(Math.abs(beside - 6) < 1 && Math.abs(below) < 3, `${width} px: ${JSON.stringify(gaps)}`);
        }
        await renditions.scrollIntoViewIfNeeded();
        await takeScreenshot(page, `details-renditions-${width}`);
      }
    } finally {
      await page.setViewportSize(size);
      await page.keyboard.press('Control+b');
    }
  });

  it('cuts a long URL in its path, so that its host and its end stay, and shows it whole in its hover and while it has the focus', async () => {
    const { page } = workbench();
    await open();
    const html = detailsFrame(page).locator('html');
    await html.evaluate((root: unknown) => {
      (root as { readonly style: { width: string } }).style.width = '801px';
    });
    const address = detailsFrame(page).locator('.address').filter({ hasText: '/hls/' }).first();
    const areCut = () => {
      return Promise.all(['host', 'end'].map((part) => address.locator(`.${part}`).evaluate(isCut)));
    };
    const shown = () => address.evaluate(readShown);
    const url = (await address.textContent()) ?? '';
    const { origin } = new URL(url);
    await waitUntil(async () => (await shown()) === `${origin}/hls/…/index.m3u8`);
    assert.deepEqual(await areCut(), [false, false]);
    assert.deepEqual(
      [url, await address.locator('.end').textContent()],
      [await address.getAttribute('title'), '/index.m3u8'],
    );
    await takeScreenshot(page, 'details-cut-url');
    // Too narrow for both in a line.
    await html.evaluate((root: unknown) => {
      (root as { readonly style: { width: string } }).style.width = '350px';
    });
    await takeScreenshot(page, 'details-cut-url-narrow');
    assert.deepEqual(await areCut(), [false, false]);
    const { height } = (await address.boundingBox()) ?? assert.fail();
    await address.focus();
    await waitUntil(async () => ((await address.boundingBox())?.height ?? 0) > height);
  });

  it('cuts a URL with a masked query once, and beside the player in a wide window only the folder of its ID', async () => {
    const { page } = workbench();
    const size = page.viewportSize() ?? assert.fail();
    const [, { id, recordingUrl = '' } = assert.fail()] = service().control.sessions(keynote().id);
    service().control.setSession(id, { recordingUrl: `${recordingUrl}?token=t0ken` });
    await tree.chooseFromContextMenu(page, lastEvening(service()), 'Show Session Details');
    await title(`Keynote · ${lastEvening(service())}`).waitFor();
    const { origin } = new URL(recordingUrl);
    const shown = () => detailsFrame(page).locator('.address').first().evaluate(readShown);
    try {
      for (const [width, wanted] of [
        [1200, `${origin}/…/index.m3u8?`],
        [1900, `${origin}/recordings/…/index.m3u8?`],
      ] as const) {
        await page.setViewportSize({ ...size, width });
        await waitUntil(async () => (await shown()) === wanted);
        await takeScreenshot(page, `details-session-url-${width}`);
      }
    } finally {
      await page.setViewportSize(size);
      service().control.setSession(id, { recordingUrl });
    }
  });

  it('keeps a URL and its end in one line at every width of the page, and cuts it between two folders', async () => {
    const { page } = workbench();
    const { id } = service().control.addStream({ name: 'Board only', playbackPolicy: { type: 'jwt' } });
    service().control.startBroadcast(id);
    const size = page.viewportSize() ?? assert.fail();
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Board only'));
    await tree.chooseFromContextMenu(page, 'Board only', 'Show Stream Details');
    await title('Board only').waitFor();
    await page.keyboard.press('Control+b');
    const html = detailsFrame(page).locator('html');
    const innerWidth = () => html.evaluate((root: unknown) => (root as { readonly clientWidth: number }).clientWidth);
    const address = detailsFrame(page).locator('.address').filter({ hasText: '/hls/' }).first();
    const rows = detailsFrame(page).locator('.fact:has(.address)');
    try {
      const overlaps: string[] = [];
      const unclean: string[] = [];
      const wrapped: string[] = [];
      for (let width = 260; width <= 1460; width += 29) {
        const before = await innerWidth();
        await page.setViewportSize({ ...size, width });
        await waitUntil(async () => (await innerWidth()) !== before);
        const overlap = await address.evaluate(readOverlap);
        if (overlap > 0.5) overlaps.push(`${await innerWidth()} px: ${overlap}`);
        const shown = await address.evaluate(readShown);
        const isHostCut = await address.locator('.host').evaluate(isCut);
        if (isHostCut && (await innerWidth()) > 350) unclean.push(`${await innerWidth()} px: the host is cut`);
        if ((await innerWidth()) >= 500) wrapped.push(...(await rows.evaluateAll(readWrapped)));
        if (!CLEAN.test(shown)) unclean.push(`${await innerWidth()} px: ${shown}`);
        if (width % 290 === 260) await takeScreenshot(page, `details-private-url-${width}`);
      }
      assert.deepEqual(overlaps, []);
      assert.deepEqual(unclean, []);
      assert.deepEqual(wrapped, []);
    } finally {
      await page.setViewportSize(size);
      await page.keyboard.press('Control+b');
      service().control.endBroadcast(id);
    }
  });

  it('says what to do about a target directly below its state, and not below its buttons', async () => {
    const { page } = workbench();
    // A page that takes the focus late closes the menu.
    await closeTabs(page);
    await tree.chooseFromContextMenu(page, 'Quiz Night with Ola', 'Show Stream Details');
    await title('Quiz Night with Ola').waitFor();
    const target = detailsFrame(page)
      .locator('.fact')
      .filter({ has: detailsFrame(page).getByText("Make sure that the target's URL and stream key are correct.") });
    // They come once the targets are read, and then the rest moves.
    await target.locator('.acts').waitFor();
    for (const width of [360, 720, 1000]) {
      await detailsFrame(page)
        .locator('html')
        .evaluate((root: unknown, px: number) => {
          (root as { readonly style: { width: string } }).style.width = `${px}px`;
        }, width);
      const [state, advice, rendition, acts] = await Promise.all(
        ['.value', '.factNote >> nth=0', '.factNote >> nth=1', '.acts'].map((part) =>
          target.locator(part).boundingBox(),
        ),
      );
      if (!state || !advice || !rendition || !acts) throw new Error('A part of the target is not seen');
      assert.ok(Math.abs(state.y + state.height - advice.y) < 2, `${width} px`);
      assert.ok(acts.y < state.y + state.height || acts.y >= rendition.y + rendition.height, `${width} px`);
      await takeScreenshot(page, `details-target-${width}`);
    }
    await closeTabs(page);
  });

  it('comes back where it was scrolled to, after another tab was in front', async () => {
    const { page } = workbench();
    await closeTabs(page);
    const size = page.viewportSize() ?? assert.fail();
    await page.setViewportSize({ ...size, height: 500 });
    try {
      await open();
      const scrolledTo = () => detailsFrame(page).locator('html').evaluate(readScroll);
      await sessionsTable(page).scrollIntoViewIfNeeded();
      await waitUntil(async () => (await scrolledTo()) > 50);
      const before = await scrolledTo();
      await runEditorCommand(page, 'File: New Untitled Text File');
      await detailsFrame(page).locator('h1').waitFor({ state: 'detached' });
      await open();
      await waitUntil(async () => Math.abs((await scrolledTo()) - before) < 2);
    } finally {
      await page.setViewportSize(size);
      await closeTabs(page);
    }
  });

  it('says that a stream was deleted, and offers its recordings', async () => {
    const { page } = workbench();
    const { id } = service().control.addStream({ name: 'Short lived', isActive: true });
    const createdAt = Date.now() - 86_400_000;
    service().control.addSession(id, {
      ...{ record: true, recordingStatus: 'ready', createdAt, lastSeen: createdAt + 60_000 },
      ...{ sourceSegments: 30, sourceSegmentsDuration: 60, recordingUrl: 'http://127.0.0.1:1/r.m3u8' },
    });
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Short lived'));
    await tree.chooseFromContextMenu(page, 'Short lived', 'Show Stream Details');
    await title('Short lived').waitFor();
    await sessionsTable(page).waitFor();
    service().control.deleteStream(id);
    await detailsFrame(page)
      .getByText(/^This stream was deleted\./)
      .waitFor();
    await title('Short lived').waitFor();
    await sessionsTable(page)
      .getByRole('button', { name: /^Watch Recording/ })
      .waitFor();
    const buttons = detailsFrame(page).locator('.buttons .button');
    assert.deepEqual(await buttons.allInnerTexts(), ['Watch Latest Recording', 'Create Stream…']);
    await takeScreenshot(page, 'details-gone');
    await closeTabs(page);
  });

  itInFuzz('stays in shape with a name of 200 characters, right to left and with emoji', async () => {
    const { page } = workbench();
    const name = `\u202eעברית 🎉 ${'a_very_long_name_without_a_space'.repeat(6)}`.slice(0, 200);
    const { id } = keynote();
    service().control.setStream(id, { name });
    try {
      await tree.untilRows(page, (rows) => rows.some((row) => row.label.includes('עברית')));
      await tree.chooseFromContextMenu(
        page,
        (await tree.readRows(page)).find((row) => row.label.includes('עברית'))?.label ?? '',
        'Show Stream Details',
      );
      await detailsFrame(page).locator('h1').filter({ hasText: 'a_very_long' }).waitFor();
      const fits = await detailsFrame(page)
        .locator('html')
        .evaluate((html: unknown) => {
          const { scrollWidth, clientWidth } = html as { readonly scrollWidth: number; readonly clientWidth: number };
          return scrollWidth <= clientWidth;
        });
      assert.ok(fits);
      await takeScreenshot(page, 'details-long-name');
    } finally {
      service().control.setStream(id, { name: 'Keynote' });
    }
  });

  it('shows what is clicked next in the tree', async () => {
    const { page } = workbench();
    await closeTabs(page);
    await tree.pressRowAction(page, 'Keynote', 'Show Stream Details');
    await title('Keynote').waitFor();
    await tree.pressRowAction(page, 'Bird nest cam', 'Show Stream Details');
    await title('Bird nest cam').waitFor();
    assert.deepEqual(await tabNames(), ['Bird nest cam (Details)']);
  });

  it('is what the commands of the palette begin with, as are its report and the selected row', async () => {
    const { page } = workbench();
    const highlighted = quickInput(page).locator('.quick-input-list .monaco-list-row.focused');
    const untilHighlighted = async (name: string, above: string) => {
      await highlighted.filter({ hasText: name }).filter({ hasText: above }).waitFor();
      await waitUntil(async () => (await quickInput(page).locator('.monaco-progress-container.active').count()) === 0);
      const labels = (await readQuickInput(page)).items.map(({ label }) => label);
      assert.deepEqual([labels[0], labels.filter((label) => label === name)], [name, [name]]);
      assert.equal(await highlighted.locator('.label-name').first().innerText(), name);
    };
    await runCommand(page, 'liveStreams.checkStream');
    await untilHighlighted('Bird nest cam', 'Active editor');
    await takeScreenshot(page, 'picker-in-front');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await tabNames()).includes('Bird nest cam (Check)'));
    await runCommand(page, 'liveStreams.copyPlaybackId');
    await untilHighlighted('Bird nest cam', 'Active editor');
    await page.keyboard.press('Enter');
    const birds = service()
      .control.streams()
      .find(({ name }) => name === 'Bird nest cam');
    await untilClipboard(birds?.playbackId ?? assert.fail('no playback ID'));
    await closeTabs(page);
    await tree.rowOf(page, 'Keynote').click();
    await runCommand(page, 'liveStreams.copyPlaybackId');
    await untilHighlighted('Keynote', 'Selected');
    await takeScreenshot(page, 'picker-selected');
    await page.keyboard.press('Enter');
    await untilClipboard(keynote().playbackId);
    // The view of streams still highlights Keynote.
    await tree.expandView(page, 'Recordings');
    await tree.treeOf(page, 'Recordings').locator('.monaco-list-row', { hasText: 'Slow Kitchen' }).first().click();
    await videoOf(page).waitFor();
    await closeTabs(page);
    await runCommand(page, 'liveStreams.copyPlaybackId');
    await untilHighlighted('Slow Kitchen: bread week', 'Selected');
    await page.keyboard.press('Escape');
    await tree.collapseView(page, 'Recordings');
    await tree.expandRow(page, 'Keynote');
    await tree.rowOf(page, 'Yesterday 18:00').click();
    await videoOf(page).waitFor();
    await runCommand(page, 'liveStreams.createClip');
    const first = highlighted.filter({ hasText: 'Active editor' });
    await first.filter({ hasText: 'Yesterday 18:00' }).waitFor();
    await takeScreenshot(page, 'picker-recording-in-front');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await readQuickInput(page)).placeholder.includes('a part of "Keynote"'));
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'hidden' });
    // The page behind the box takes the focus back, which closes a menu.
    await closeTabs(page);
  });

  it('keeps what it shows while another connection is open, copies it, and offers to switch back', async () => {
    const { page } = workbench();
    await open();
    const url = await factValue(page, 'HLS URL').innerText();
    await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
    await untilPlaying(page);
    await runCommand(page, 'liveStreams.startDemo');
    await playerFrame(page).locator('.facts', { hasText: 'Studio at home' }).waitFor();
    await playerFrame(page).getByRole('button', { name: 'Show Details' }).click();
    const warning = detailsFrame(page).locator('.warning').filter({ hasText: 'belongs to "Studio at home"' });
    await warning.waitFor();
    await detailsFrame(page).getByRole('button', { name: 'Switch Connection', exact: true }).waitFor();
    assert.equal(await factValue(page, 'HLS URL').innerText(), url);
    await warning.scrollIntoViewIfNeeded();
    await takeScreenshot(page, 'details-other-connection');
    await pressFactButton(page, 'Stream Key', 'Copy');
    await untilClipboard(keynote().streamKey);
    await detailsFrame(page).getByRole('button', { name: 'Switch Connection', exact: true }).click();
    await warning.waitFor({ state: 'hidden' });
    await takeScreenshot(page, 'details-back');
    assert.equal(await factValue(page, 'HLS URL').innerText(), url);
  });

  const copiedButton = (act: string) =>
    detailsFrame(workbench().page)
      .locator(`[data-act=${act}][title=Copied]`)
      .and(detailsFrame(workbench().page).getByRole('button', { name: 'Copied', exact: true }));

  async function untilClipboard(text: string): Promise<void> {
    const { page } = workbench();
    await waitUntil(async () => (await readClipboard(page)) === text);
    await writeClipboard(page, '');
  }
});

/** How far the words are from the marks before them, and how far below the middle of the words these are. */
function readGaps(marks: unknown): readonly (readonly [beside: number, below: number])[] {
  interface Box {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  interface Mark {
    readonly nextSibling: unknown;
    readonly ownerDocument: { createRange(): { selectNode(node: unknown): void; getBoundingClientRect(): Box } };
    getBoundingClientRect(): Box;
  }
  return (marks as readonly Mark[]).map((mark) => {
    const words = mark.ownerDocument.createRange();
    words.selectNode(mark.nextSibling);
    const [own, text] = [mark.getBoundingClientRect(), words.getBoundingClientRect()];
    return [text.left - own.right, (own.top + own.bottom - text.top - text.bottom) / 2];
  });
}

function readNames(buttons: unknown): readonly string[] {
  return (buttons as readonly { readonly ariaLabel: string }[]).map(({ ariaLabel }) => ariaLabel);
}

function readScroll(root: unknown): number {
  return Math.round((root as { readonly scrollTop: number }).scrollTop);
}

/** Cut nowhere, before a folder, or in the host. */
const CLEAN = /^http:\/\/[^/…]+\/(hls\/[^/…]+|(hls\/)?…)\/index\.m3u8$|^http:\/\/[^…]*…\/index\.m3u8$/;

function isCut(element: unknown): boolean {
  const { clientWidth, scrollWidth } = element as Record<string, number>;
  return Number(scrollWidth) > Number(clientWidth);
}

/** By how far the middle of a URL lies over its end: by any if they aren't in the same line. */
function readOverlap(address: unknown): number {
  interface Part {
    readonly children: Iterable<Part>;
    getBoundingClientRect(): { readonly left: number; readonly right: number; readonly top: number };
  }
  const [, middle, end] = Array.from((address as Part).children, (part) => part.getBoundingClientRect());
  if (middle === undefined || end === undefined) throw new Error('No part of it can be cut');
  return Math.abs(middle.top - end.top) < 2 ? middle.right - end.left : Number.MAX_VALUE;
}

/** The texts of rows whose buttons aren't beside the value, and of those whose host is cut. */
function readWrapped(rows: unknown): readonly string[] {
  interface Part {
    readonly clientWidth: number;
    readonly scrollWidth: number;
    getBoundingClientRect(): { readonly top: number; readonly bottom: number };
  }
  interface Row {
    readonly textContent: string;
    querySelector(selector: string): Part | null;
  }
  const isWrapped = (row: Row) => {
    const [value, acts] = ['.value', '.acts'].map((part) => row.querySelector(part)?.getBoundingClientRect());
    const host = row.querySelector('.host');
    const isHostCut = host !== null && host.scrollWidth > host.clientWidth;
    return value === undefined || acts === undefined || value.bottom <= acts.top || isHostCut;
  };
  return (rows as readonly Row[]).filter(isWrapped).map(({ textContent }) => textContent);
}

/** What a URL reads as, with an ellipsis for each that is drawn. */
function readShown(address: unknown): string {
  interface Part {
    readonly className: string;
    readonly textContent: string;
    readonly children: Iterable<Part>;
    readonly childElementCount: number;
    readonly clientWidth: number;
    readonly scrollWidth: number;
  }
  const read = (part: Part): string => {
    const { className, textContent: text } = part;
    if (part.childElementCount > 0) return Array.from(part.children, read).join('');
    if (className === 'left') return '';
    const isCut = className === 'cut' || (className === 'host' && part.scrollWidth > part.clientWidth);
    return isCut ? `${text}…` : text;
  };
  return read(address as Part);
}

/** The page's width, and the classes of what scrolls sideways in it. */
function readOverflow(html: unknown): { readonly window: number; readonly scrolling: readonly string[] } {
  interface Box {
    readonly className: string;
    readonly scrollWidth: number;
    readonly clientWidth: number;
    querySelectorAll(selector: string): Iterable<Box>;
  }
  const root = html as Box;
  const boxes = [root, ...root.querySelectorAll('.scroll, .table td, .table th')];
  // The rounding of widths isn't a scroll bar.
  const scrolling = boxes.filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1);
  return { window: root.clientWidth, scrolling: scrolling.map(({ className }) => className) };
}

/** How many colors a canvas shows; 1 for a blank one. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

interface Header {
  readonly title: Box;
  readonly picture: Box;
  /** How many lines the state takes. */
  readonly lines: number;
  readonly separators: readonly number[];
}

/** Where the parts of a page's header are, all measured at the same moment. */
function readHeader(element: unknown): Header {
  const top = element as { querySelectorAll(selector: string): Iterable<{ getBoundingClientRect(): Box }> };
  const boxesOf = (selector: string) =>
    Array.from(top.querySelectorAll(selector), (one) => one.getBoundingClientRect());
  const [title, picture] = boxesOf('h1, .picture').sort((a, b) => a.height - b.height);
  if (title === undefined || picture === undefined) throw new Error('There is no title or no picture');
  const words = boxesOf('.state .word');
  return {
    ...{ title, picture },
    lines: new Set(words.map((word) => Math.round(word.top))).size,
    separators: boxesOf('.state .between').map(({ left }) => left),
  };
}

function countPictureColors(canvas: Locator): Promise<number> {
  return canvas.evaluate((element: unknown) => {
    const { width, height, getContext } = element as {
      readonly width: number;
      readonly height: number;
      getContext(kind: '2d'): {
        getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
      };
    };
    const { data } = getContext.call(element, '2d').getImageData(0, 0, width, height);
    const colors = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      colors.add(((data[at] ?? 0) << 16) + ((data[at + 1] ?? 0) << 8) + (data[at + 2] ?? 0));
    }
    return colors.size;
  });
}
