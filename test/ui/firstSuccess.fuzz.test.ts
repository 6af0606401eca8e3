import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { type ActCount, countActs } from '../support/page/actCount.ts';
import { detailsFrame, pressFactButton } from '../support/page/detailsPage.ts';
import { readClipboard, writeClipboard } from '../support/page/messages.ts';
import { untilPlaying } from '../support/page/playerPage.ts';
import { answerQuickInput, pickQuickItem, readQuickInput, runCommand } from '../support/page/quickInput.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

/** A test for each, in order: each begins where the one before ended, as a person does. */
describe('The clicks to a first success', () => {
  const workbench = suiteWorkbench({ browser: 'withoutAac' });
  const counted: [string, ActCount][] = [];
  let service: DemoService;

  before(async () => {
    const clock = createTestClock();
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), seed: 7, isLively: false });
    await tree.showContainer(workbench().page);
    await tree.welcomeAction(workbench().page, 'Try the Demo').waitFor();
  });
  after(() => {
    service.dispose();
    for (const [what, { clicks, enters, seconds }] of counted)
      console.log(`    ${what}: ${clicks} clicks, ${enters} × Enter, ${seconds} s`);
  });

  /** Does it, and returns how many clicks and presses of Enter it took. */
  async function count(what: string, act: () => Promise<void>): Promise<Pick<ActCount, 'clicks' | 'enters'>> {
    const read = await countActs(workbench().page);
    await act();
    const acts = await read();
    counted.push([what, acts]);
    return { clicks: acts.clicks, enters: acts.enters };
  }

  it('are one for the streams of the demo', async () => {
    const { page } = workbench();
    const acts = await count('Streams of the demo', async () => {
      await tree.pressWelcomeButton(page, 'Try the Demo');
      await tree.untilRows(page, (rows) => rows.some(({ level }) => level === 2));
    });
    assert.deepEqual(acts, { clicks: 1, enters: 0 });
  });

  it('are two for one’s own streams, with Enter after the key, and one Enter more where the URL is asked for', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.stopDemo');
    await tree.welcomeAction(page, 'Connect to a Service').waitFor();
    const untilAsked = (words: string) =>
      waitUntil(async () => (await readQuickInput(page)).message.toLowerCase().includes(words));
    const acts = await count('Own streams of another service', async () => {
      await tree.pressWelcomeButton(page, 'Connect to a Service');
      await pickQuickItem(page, 'Other Service…');
      await untilAsked('enter the base url');
      await answerQuickInput(page, service.baseUrl);
      await untilAsked('paste an api key');
      await answerQuickInput(page, service.apiKey);
      await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
    });
    assert.deepEqual(acts, { clicks: 2, enters: 2 });
  });

  it('are one for the stream key', async () => {
    const { page } = workbench();
    const { streamKey } = service.control.streams().find(({ name }) => name === 'Keynote') ?? assert.fail();
    await writeClipboard(page, '');
    const acts = await count('Stream key', async () => {
      await tree.pressRowAction(page, 'Keynote', 'Copy Stream Key');
      await waitUntil(async () => (await readClipboard(page)) === streamKey);
    });
    assert.deepEqual(acts, { clicks: 1, enters: 0 });
  });

  it('are one to watch a live stream', async () => {
    const { page } = workbench();
    const acts = await count('Live stream watched', async () => {
      await tree.pressRowAction(page, 'Keynote', 'Watch Stream');
      await untilPlaying(page);
    });
    assert.deepEqual(acts, { clicks: 1, enters: 0 });
  });

  it('are two for a new stream and its key, with Enter for its name and for what it is created with', async () => {
    const { page } = workbench();
    const acts = await count('New stream, and its key', async () => {
      await tree.pressViewAction(page, 'Create Stream…');
      await answerQuickInput(page, 'Made in two clicks');
      await waitUntil(async () => (await readQuickInput(page)).title === 'Create Stream (2/2)');
      await page.keyboard.press('Enter');
      await detailsFrame(page).locator('h1', { hasText: 'Made in two clicks' }).waitFor();
    });
    assert.deepEqual(acts, { clicks: 1, enters: 2 });
    const onPage = await countActs(page, detailsFrame(page).locator('html'));
    await pressFactButton(page, 'Stream Key', 'Copy');
    const made = service.control.streams().find(({ name }) => name === 'Made in two clicks');
    await waitUntil(async () => (await readClipboard(page)) === made?.streamKey);
    assert.equal((await onPage()).clicks, 1);
  });
});
