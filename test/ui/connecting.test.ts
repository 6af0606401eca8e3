import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { untilKept } from '../support/page/keptState.ts';
import { readClipboard, readNotifications, readStatusBar } from '../support/page/messages.ts';
import { watchPaints } from '../support/page/paints.ts';
import {
  answerQuickInput,
  chooseWith,
  dismissQuickInput,
  followBoxLink,
  pickQuickItem,
  pressItemButton,
  pressQuickInputButton,
  quickInput,
  readQuickInput,
  runCommand,
  runEditorCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { readSteps } from '../support/page/walkthrough.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('Connecting to a service, and reading its streams', () => {
  const workbench = suiteWorkbench();
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    service = await startDemo({
      clock,
      mediaRoot: inProject('media/demo'),
      seed: 7,
      isLively: false,
      saysAddresses: false,
    });
  });
  after(() => service.dispose());

  /** Streams that the service calls active, by their labels. */
  const activeLabels = () =>
    service.control
      .streams()
      .filter((stream) => stream.isActive && stream.parentId === undefined)
      .map((stream) => stream.name)
      .sort();

  /** Boxes follow one another: what is typed must not land in the one before. */
  const untilAsked = (words: string) =>
    waitUntil(async () => (await readQuickInput(workbench().page)).message.toLowerCase().includes(words.toLowerCase()));

  /** Waits until the box says in red what is wrong, and returns its links. */
  async function untilWrong(words: string): Promise<readonly string[]> {
    const { page } = workbench();
    await waitUntil(async () => {
      const { message, hasError } = await readQuickInput(page);
      return hasError && message.includes(words);
    });
    return (await readQuickInput(page)).links;
  }

  /** The widths of the window at which the link is on more than one line. */
  async function readBrokenWidths(): Promise<number[]> {
    const { page } = workbench();
    const before = page.viewportSize();
    const broken: number[] = [];
    for (let width = 400; width < 700; width += 20) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await quickInput(page)
        .locator('.quick-input-message a')
        .evaluate((link: unknown) => (link as { getClientRects(): readonly unknown[] }).getClientRects().length);
      if (lines > 1) broken.push(width);
    }
    if (before !== null) await page.setViewportSize(before);
    return broken;
  }

  it('says what can be done before there is a connection', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await waitUntil(async () => (await tree.readViewTexts(page)).welcome.includes('Connect to a Service'));
    await tree.welcomeAction(page, 'Try the Demo').waitFor();
    const buttons = tree.paneOf(page).locator('.welcome-view-content .monaco-button');
    assert.deepEqual(await buttons.allInnerTexts(), ['Connect to a Service'], 'one button, and links');
    assert.equal(await collapseAll().count(), 0, 'there is nothing to collapse');
    await takeScreenshot(page, 'welcome');
  });

  const collapseAll = () => tree.paneOf(workbench().page).getByRole('button', { name: 'Collapse All' });

  it('asks in one box for the service and its URL, and says in red what is wrong with a URL', async () => {
    const { page } = workbench();
    const { host, origin } = new URL(service.baseUrl);
    await tree.pressWelcomeButton(page, 'Connect to a Service');
    const { title, items } = await readQuickInput(page);
    assert.deepEqual(
      [title, ...items.map(({ label }) => label)],
      ['Connect to a Service', 'Livepeer Studio', 'Other Service…', 'Try the Demo'],
    );
    await takeScreenshot(page, 'connect-service');
    await typeInQuickInput(page, service.baseUrl);
    await waitUntil(async () => (await readQuickInput(page)).items[0]?.label === `Other Service: ${service.baseUrl}`);
    await takeScreenshot(page, 'connect-typed-service');
    await page.keyboard.press('Enter');
    await untilAsked(`Paste an API key from ${host}`);
    await pressQuickInputButton(page, 'Back');
    await untilAsked("Enter the base URL of the service's API");
    await pressQuickInputButton(page, 'Back');
    await waitUntil(async () => (await readQuickInput(page)).items[0]?.label === 'Livepeer Studio');
    await typeInQuickInput(page, 'demo');
    const highlighted = quickInput(page).locator('.quick-input-list .monaco-list-row.focused .label-name');
    await waitUntil(async () => (await highlighted.innerText()) === 'Try the Demo');
    await page.keyboard.press('ControlOrMeta+A');
    // An Enter that follows at once, before the extension has heard of the URL.
    await page.keyboard.insertText(service.baseUrl);
    await page.keyboard.press('Enter');
    await untilAsked(`Paste an API key from ${host}`);
    await pressQuickInputButton(page, 'Back');
    await untilAsked("Enter the base URL of the service's API");
    await pressQuickInputButton(page, 'Back');
    await pickQuickItem(page, 'Livepeer Studio');
    await untilAsked('Paste an API key from livepeer.studio');
    assert.deepEqual((await readQuickInput(page)).links, ['Get an API Key']);
    await takeScreenshot(page, 'connect-studio-key');
    assert.deepEqual(await readBrokenWidths(), []);
    await pressQuickInputButton(page, 'Back');
    await pickQuickItem(page, 'Other Service…');
    await untilAsked("Enter the base URL of the service's API");
    assert.equal((await readQuickInput(page)).title, 'Connect to a Service');
    await typeInQuickInput(page, 'example');
    assert.equal((await readQuickInput(page)).hasError, false, 'it may become a URL');
    await page.keyboard.press('Enter');
    assert.deepEqual(await untilWrong("This isn't a complete URL. Enter one like https://example.com/api."), []);
    await takeScreenshot(page, 'connect-url-incomplete');
    await answerQuickInput(page, 'http://127.0.0.1:1/api');
    assert.deepEqual(await untilWrong('127.0.0.1:1 refused the connection. Check the URL and port.'), ['Retry']);
    await takeScreenshot(page, 'connect-url-refused');
    service.control.fault(() => 'hang');
    await answerQuickInput(page, service.baseUrl);
    await untilAsked(`Connecting to ${host}…`);
    await typeInQuickInput(page, `${origin}/dash`);
    await untilAsked("Enter the base URL of the service's API");
    service.control.fault(undefined);
    await answerQuickInput(page, `${origin}/dashboard`);
    assert.deepEqual(await untilWrong(`The API of ${host} is at a different URL.`), [`Use ${service.baseUrl}`]);
    await takeScreenshot(page, 'connect-url-found');
    assert.equal((await readQuickInput(page)).value, `${origin}/dashboard`, 'what was typed stays');
    await followBoxLink(page, `Use ${service.baseUrl}`);
    await untilAsked(`Paste an API key from ${host}`);
  });

  it('says in red that a key is refused, keeps it, stores nothing, and leaves no message when it is closed', async () => {
    const { page } = workbench();
    const key = 'not-the-key-of-this-service';
    await answerQuickInput(page, service.baseUrl);
    assert.deepEqual(await untilWrong('This is a URL. Paste an API key.'), []);
    await answerQuickInput(page, key);
    const sentence = `${new URL(service.baseUrl).host} rejected this API key. Make sure that it's complete and hasn't been revoked.`;
    assert.deepEqual(await untilWrong(sentence), ['Change URL…']);
    await takeScreenshot(page, 'connect-key-refused');
    const { value, isPassword, title } = await readQuickInput(page);
    assert.deepEqual([value, isPassword, title], [key, true, 'Connect to a Service']);
    service.control.fault(() => ({ status: 500 }));
    await answerQuickInput(page, key);
    assert.deepEqual(await untilWrong('is unavailable (500).'), ['Retry', 'Change URL…']);
    service.control.fault(undefined);
    await followBoxLink(page, 'Retry');
    await untilWrong(sentence);
    await followBoxLink(page, 'Change URL…');
    await untilAsked("Enter the base URL of the service's API");
    await dismissQuickInput(page);
    assert.ok((await tree.readViewTexts(page)).welcome.includes('Connect to a Service'));
    assert.deepEqual(await readNotifications(page), []);
    assert.ok(!(await page.locator('body').innerText()).includes(key));
  });

  it('connects with a key that is pasted, asks for no name, and shows who is live', async () => {
    const { page } = workbench();
    await tree.pressWelcomeButton(page, 'Connect to a Service');
    await pickQuickItem(page, 'Other Service…');
    await untilAsked("Enter the base URL of the service's API");
    await answerQuickInput(page, service.baseUrl);
    await untilAsked('API key');
    await answerQuickInput(page, `"${service.apiKey}"`);
    const rows = await tree.untilRows(
      page,
      (all) => all.filter((row) => row.level === 2).length === activeLabels().length,
    );
    assert.deepEqual(
      rows.filter((row) => row.level === 1).map((row) => row.label),
      ['Active', 'Idle', 'Recording On'],
    );
    assert.deepEqual(
      rows
        .filter((row) => row.level === 2)
        .map((row) => row.label)
        .sort(),
      activeLabels(),
    );
    // The stale one does not count.
    await waitUntil(async () => (await tree.readBadge(page)) === activeLabels().length - 1);
    await takeScreenshot(page, 'connected');
    assert.equal((await tree.readViewTexts(page)).description, 'Studio at home');
    assert.deepEqual(await readNotifications(page), [], 'not even about streaming URLs');
  });

  it('collapses all rows by the icon in the title', async () => {
    const { page } = workbench();
    await tree.paneOf(page).hover();
    await collapseAll().click();
    await tree.untilRows(page, (rows) => rows.length > 0 && rows.every((row) => row.level === 1));
    await tree.expandRow(page, 'Active');
    await tree.untilRows(page, (rows) => rows.some((row) => row.level === 2));
  });

  it('sets the streaming URLs of a service that does not provide them, and tests them', async () => {
    const { page } = workbench();
    // Streams can be watched without them, so nothing offers it.
    await runCommand(page, 'liveStreams.setAddresses');
    await untilAsked('RTMP URL');
    assert.match((await readQuickInput(page)).title, /^Set Streaming URLs for 127\.0\.0\.1:\d+ \(1\/2\)$/);
    await page.keyboard.press('Enter');
    await untilAsked('HLS URL');
    assert.equal((await readQuickInput(page)).value, service.addresses.hls, 'what the service says');
    await takeScreenshot(page, 'streaming-urls');
    await pressQuickInputButton(page, 'Back');
    await untilAsked('RTMP URL');
    await page.keyboard.press('Enter');
    await untilAsked('HLS URL');
    await answerQuickInput(page, 'http://cdn.example.com/{playbackId}');
    await waitUntil(async () => /must start with https/.test((await readQuickInput(page)).message));
    await answerQuickInput(page, service.addresses.hls ?? '');
    await waitUntil(async () => (await readStatusBar(page)).some((text) => text.includes('Saved the streaming URLs')));
  });

  it('lists idle streams, and the sessions of a stream by their times', async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    await tree.untilRows(page, (all) => all.some((row) => row.level === 3 && tree.isReadySession(row)));
    await tree.collapseRow(page, 'Active');
    await tree.expandRow(page, 'Idle');
    await tree.untilRows(page, (all) => all.filter((row) => row.level === 2).length > 10);
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Idle' && /^\d+$/.test(row.description)));
    await takeScreenshot(page, 'idle');
  });

  it('opens streams of groups that were opened by hand', async () => {
    const { page } = workbench();
    const hasSessions = (level: number) => tree.untilRows(page, (all) => all.some((row) => row.level === level));
    for (const group of ['Idle', 'Recording On'] as const) {
      if (group === 'Recording On') {
        await tree.collapseRow(page, 'Idle');
        await tree.expandRow(page, 'Recording On');
      }
      // Its count is there once the whole of it has been loaded and drawn.
      const rows = await tree.untilRows(
        page,
        (all) =>
          all.filter((row) => row.level === 2).length > 5 &&
          all.some((row) => row.label === group && /^\d+$/.test(row.description)),
      );
      const stream = rows.filter((row) => row.level === 2)[2];
      assert.ok(stream);
      await tree.expandRow(page, stream.label);
      await hasSessions(3);
    }
    await tree.collapseRow(page, 'Recording On');
    await tree.expandRow(page, 'Active');
  });

  it('copies a stream key from the row and a playback ID from the menu, and never says the key', async () => {
    const { page } = workbench();
    const keynote = service.control.streams().find((stream) => stream.name === 'Keynote');
    assert.ok(keynote);
    await tree.chooseFromContextMenu(page, 'Keynote', ['Copy', 'Copy Playback ID']);
    await waitUntil(async () => (await readClipboard(page)) === keynote.playbackId);
    await tree.pressRowAction(page, 'Keynote', 'Copy Stream Key');
    await waitUntil(async () => (await readClipboard(page)) === keynote.streamKey);
    const shown = await page.locator('body').innerText();
    assert.ok(keynote.streamKey !== undefined && !shown.includes(keynote.streamKey), 'the key is on screen');
  });

  it('tells about a stream in a tooltip that holds no key', async () => {
    const { page } = workbench();
    const keynote = service.control.streams().find((stream) => stream.name === 'Keynote');
    const tooltip = await tree.readTooltip(page, 'Keynote');
    assert.match(tooltip, new RegExp(keynote?.playbackId ?? 'no such stream'));
    assert.ok(!tooltip.includes(keynote?.streamKey ?? ''), tooltip);
    await takeScreenshot(page, 'tooltip');
  });

  it('finds any stream by its name from the palette, and shows its row', async () => {
    const { page } = workbench();
    // A longer name may be cut in its row, whose text depends on the time of day.
    const isWanted = ({ isActive, name }: { isActive: boolean; name: string }) =>
      !isActive && name.length > 8 && name.length < 16;
    const idle = service.control.streams().find(isWanted);
    assert.ok(idle);
    await chooseWith(page, 'liveStreams.goToStream', { item: idle.name, title: 'Go to Stream' });
    await tree.untilRows(page, (all) => all.some((row) => row.label === idle.name && row.isSelected));
  });

  it('keeps the rows and says so when the service cannot be reached', async () => {
    const { page } = workbench();
    const before = activeLabels().length;
    service.control.fault(() => ({ status: 503 }));
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await waitUntil(async () => (await tree.readViewTexts(page)).message.includes('unavailable (503)'));
    assert.ok((await tree.readRows(page)).filter((row) => row.level === 2).length >= before);
    await takeScreenshot(page, 'unavailable');
    service.control.fault(undefined);
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await waitUntil(async () => (await tree.readViewTexts(page)).message === '');
  });

  it('keeps the rows and asks for the key when it was revoked', async () => {
    const { page } = workbench();
    service.control.revokeKey();
    await tree.treeOf(page).focus();
    await page.keyboard.press('End');
    await tree.untilRows(page, (all) => all[0]?.label !== 'Active');
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    // What helps is seen at once, wherever the view was scrolled to.
    await tree.untilRows(page, (all) => all[0]?.label === 'Set API Key…' && all.length > 3);
    await waitUntil(async () =>
      (await tree.readViewTexts(page)).message.startsWith('The API key was rejected. Last updated: '),
    );
    await takeScreenshot(page, 'refused');
    service.control.restoreKey();
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await tree.untilRows(page, (all) => all[0]?.label === 'Active');
  });

  it('renames a connection in the picker of connections, which stays', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.switchConnection');
    await pressItemButton(page, 'Studio at home', 'Rename Connection', 'Switch Connection');
    await untilAsked('Enter a name for the connection');
    await answerQuickInput(page, 'Studio here');
    await waitUntil(async () => {
      const { items } = await readQuickInput(page, 'Switch Connection');
      return items.map(({ label }) => label).join('|') === 'Studio here|Connect to a Service…|Try the Demo';
    });
    await takeScreenshot(page, 'connections');
    await page.keyboard.press('Escape');
  });

  it('never shows the rows of one connection under the name of another', async () => {
    const { page } = workbench();
    // The demo has streams of the same names.
    for (const { id, name } of service.control.streams()) service.control.setStream(id, { name: `Studio ${name}` });
    const own = service.control.addStream({ name: 'Studio alone', isActive: true }).name;
    await tree.pressViewAction(page, 'Refresh Streams and Recordings');
    await tree.untilRows(page, (all) => all.some(({ label }) => label === own));
    const stop = await watchPaints(page);
    await runCommand(page, 'liveStreams.startDemo');
    const demo = await tree.untilRows(
      page,
      (all) =>
        ['Active', 'Idle'].every((group) => all.some(({ label }) => label === group)) &&
        all[1]?.level === 2 &&
        // For a moment, rows of the connection before are drawn without their streams.
        all.every(({ label }) => label !== own && label !== 'Loading…' && label !== '…'),
    );
    // Until it has been seen in between.
    const { promise, resolve } = Promise.withResolvers<undefined>();
    service.control.fault(() => promise);
    await chooseWith(page, 'liveStreams.switchConnection', { item: 'Studio here', title: 'Switch Connection' });
    await tree.untilRows(page, (all) => all.some(({ label }) => label === 'Loading…'));
    resolve(undefined);
    await tree.untilRows(page, (all) => all.some(({ label }) => label === own));
    service.control.fault(undefined);
    const paints = await stop();
    const idle = demo.findIndex(({ label }) => label === 'Idle');
    const ofDemo = demo.slice(0, idle).flatMap(({ level, label }) => (level === 2 ? [label] : []));
    const told = JSON.stringify(paints, undefined, 1);
    assert.ok(ofDemo.length > 0, 'the demo has live streams of its own');
    const shown = (name: string, label: string) =>
      paints.some(({ description, rows }) => description === name && rows.includes(label));
    assert.ok(shown('Studio here', own) && ofDemo.every((label) => shown('Demo', label)), told);
    assert.ok(!paints.some(({ description, rows }) => description === 'Demo' && /\bStudio\b/.test(rows.join())), told);
    assert.ok(!ofDemo.some((label) => shown('Studio here', label)), told);
    assert.ok(shown('Studio here', 'Loading…'), told);
    const ids = service.control.streams().map(({ id }) => id);
    assert.ok(!paints.some(({ rows }) => rows.some((row) => ids.some((id) => row.includes(id)))), told);
  });

  it('has the connection again after a reload of the window, without its secret where the editor does not keep it', async () => {
    const { page, reload } = workbench();
    await untilKept(page, /"name":"Studio here"/);
    await reload();
    await tree.showContainer(page);
    // The secret storage of this build forgets with the page, as an editor does without a keyring.
    await waitUntil(async () => (await tree.readViewTexts(page)).welcome.includes('Set API Key'));
    await takeScreenshot(page, 'reloaded');
    assert.deepEqual(await tree.readRows(page), []);
    await tree.pressWelcomeButton(page, 'Set API Key');
    assert.match((await readQuickInput(page)).title, /"Studio here"/);
    await answerQuickInput(page, service.apiKey);
    await tree.untilRows(page, (all) => all.filter((row) => row.level === 2).length === activeLabels().length);
  });

  it('has done the steps of a walkthrough that is opened only now, also those of before the reload', async () => {
    const { page } = workbench();
    await runEditorCommand(page, 'Open Walkthrough');
    await quickInput(page).locator('input.input').fill('Get Started with Live Streams');
    await pickQuickItem(page, 'Get Started with Live Streams');
    const done = async () => (await readSteps(page)).map(({ isDone }) => isDone).join();
    await waitUntil(async () => (await done()) === 'true,true,true,false,false');
  });
});
