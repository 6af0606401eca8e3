import assert from 'node:assert/strict';
import { parseColor } from '../support/page/contrast.ts';
import { detailsFrame, factValue, readButtonLook, sessionsTable, stateLine } from '../support/page/detailsPage.ts';
import { readNotifications } from '../support/page/messages.ts';
import type { PageElement } from '../support/page/pageElement.ts';
import { closeTabs, playerFrame, untilPlaying, untilProblem, untilVideo } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { chooseWith } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';

describe('Details pages of sessions in every state', () => {
  const { workbench, service } = suitePlayerWorkbench({ browser: 'withoutAac' });
  afterEach(async () => {
    service().control.fault(undefined);
    await closeTabs(workbench().page);
  });

  const frame = () => detailsFrame(workbench().page);
  const untilHeading = (words: string | RegExp) => frame().locator('h1').filter({ hasText: words }).waitFor();

  async function choose(command: string, title: string, name: string): Promise<void> {
    // What is known is there at once. What the service lists comes a little later, and moves it.
    const first = command === 'showSession' ? { first: newestSession() } : {};
    await chooseWith(workbench().page, `liveStreams.${command}`, { item: name, title, ...first });
  }

  /** The name of the stream that was the last to go live. */
  function newestSession(): string {
    const { control } = service();
    const all = control
      .streams()
      .flatMap(({ id, name }) => control.sessions(id).map((session) => ({ ...session, name })));
    return all.reduce((one, other) => (other.createdAt > one.createdAt ? other : one)).name;
  }

  /** Opens the details of a stream's newest session. */
  async function showSessionOf(name: string): Promise<void> {
    await choose('showSession', 'Show Session Details', name);
    await untilHeading(new RegExp(`^${name} · `));
  }

  /** Of a recording that the service made itself. */
  function goodRecording(): string {
    const keynote = service()
      .control.streams()
      .find(({ name }) => name === 'Keynote');
    const url = service()
      .control.sessions(keynote?.id ?? '')
      .map(({ recordingUrl }) => recordingUrl)
      .find((each) => each !== undefined);
    assert.ok(url !== undefined);
    return url;
  }

  const states: readonly (readonly [string, Parameters<typeof addRecording>[2], RegExp])[] = [
    ['Frozen', { recordingStatus: 'frozen' as never }, /Its status is "frozen"\.$/],
    ['Gone', { recordingUrl: 'http://127.0.0.1:1/gone.m3u8' }, /127\.0\.0\.1/],
  ];
  for (const [name, fields, words] of states) {
    it(`show in the player’s words why a recording does not play: ${name}`, async () => {
      addRecording(service(), name, fields);
      await showSessionOf(name);
      const { buttons } = await untilProblem(workbench().page, words);
      assert.ok(buttons.includes('Retry'), buttons.join());
      assert.equal(await factValue(workbench().page, 'Stream').innerText(), name, 'and the numbers all the same');
    });
  }

  it('say once that there is no recording, and have no player', async () => {
    const { page } = workbench();
    for (const [name, recordingStatus, words] of [
      ['Failed', 'failed', 'Recording failed'],
      ['Deleted', 'deleted', 'Recording deleted'],
    ] as const) {
      addRecording(service(), name, { recordingStatus });
      // The session in front would be the picker's first row.
      await closeTabs(page);
      await showSessionOf(name);
      assert.match(await stateLine(page).innerText(), new RegExp(`^${words}`));
      await playerFrame(page).locator('.playerPart').waitFor({ state: 'hidden' });
      assert.equal(await factValue(page, 'Stream').innerText(), name, 'and the numbers all the same');
    }
    await takeScreenshot(page, 'details-failed');
  });

  it('show a recording once it has been processed, and leave it to the person to begin', async () => {
    const { page } = workbench();
    const { sessionId } = addRecording(service(), 'In the works', { recordingStatus: 'waiting' });
    await showSessionOf('In the works');
    await untilProblem(page, /^The video will appear here/);
    service().control.setSession(sessionId, { recordingStatus: 'ready', recordingUrl: goodRecording() });
    const { paused } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused);
    assert.match(await stateLine(page).innerText(), /^Recording ready\b/);
  });

  it('offer the broadcast of a session that is running', async () => {
    const { page } = workbench();
    await tree.expandRow(page, 'Keynote');
    const isRunning = ({ description }: tree.Row) => /^live( for|$)/.test(description);
    const rows = await tree.untilRows(page, (all) => all.some(isRunning));
    await tree.chooseFromContextMenu(page, rows.find(isRunning)?.label ?? '', 'Show Session Details');
    await factValue(page, 'Start').waitFor();
    await takeScreenshot(page, 'details-running');
    await frame().getByRole('button', { name: 'Watch', exact: true }).click();
    await playerFrame(page).locator('.playerTab').waitFor();
    await untilPlaying(page);
  });

  it('show what is known where durations are 0, negative, or words', async () => {
    const { page } = workbench();
    const stream = service().control.addStream({ name: 'Odd numbers', sourceSegmentsDuration: -7 });
    const start = Date.now() - 3_600_000;
    for (const [at, duration] of [0, -5, 'long'].entries()) {
      service().control.addSession(stream.id, {
        createdAt: start - at * 3_600_000,
        lastSeen: start - at * 3_600_000, // no longer than a moment
        sourceSegments: 3,
        transcodedSegments: 3,
        sourceSegmentsDuration: duration as number,
        transcodedSegmentsDuration: duration as number,
      });
    }
    // The service lists no session that nothing was sent in: another may.
    const body = JSON.stringify(service().control.sessions(stream.id));
    service().control.fault(({ path }) =>
      path.endsWith(`/stream/${stream.id}/sessions`)
        ? { status: 200, headers: { 'content-type': 'application/json' }, body }
        : undefined,
    );
    await choose('showStream', 'Show Stream Details', 'Odd numbers');
    await untilHeading('Odd numbers');
    await frame()
      .locator('.summaryLine')
      .filter({ hasText: /^Last 30 days: 3 sessions/ })
      .waitFor();
    const cells = await sessionsTable(page).locator('tbody tr').first().getByRole('cell').allInnerTexts();
    assert.deepEqual(cells.slice(1), ['', 'Not recorded', '']);
    assert.doesNotMatch(await frame().locator('body').innerText(), /NaN|undefined|Infinity|-\d+ s\b/);
    await takeScreenshot(page, 'details-odd');
    await closeTabs(page);
    await showSessionOf('Odd numbers');
    assert.equal(await stateLine(page).innerText(), 'Not recorded');
    assert.doesNotMatch(await frame().locator('body').innerText(), /NaN|undefined|Infinity/);
  });

  it('have no primary button where there is only the way to the stream', async () => {
    const { page } = workbench();
    addRecording(service(), 'Switched off', { record: false, recordingStatus: 'none' });
    const stream = service()
      .control.streams()
      .find(({ name }) => name === 'Switched off');
    service().control.setStream(stream?.id ?? '', { record: true });
    await showSessionOf('Switched off');
    const show = frame().getByRole('button', { name: 'Show Stream Details', exact: true });
    await waitUntil(
      async () => (await frame().locator('.buttons > .button').first().innerText()) === 'Show Stream Details',
    );
    const { border, themeBorder } = await readButtonLook(show, '--vscode-button-secondaryBorder');
    const { themeBorder: primary } = await readButtonLook(show, '--vscode-button-border');
    assert.notEqual(themeBorder, primary, 'the theme tells them apart');
    assert.deepEqual(parseColor(border), parseColor(themeBorder));
    await takeScreenshot(page, 'details-only-way');
  });

  it('fit into tabs of 300 and of 200 pixels, with or without a player', async () => {
    const { page } = workbench();
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    await tree.pressRowAction(page, 'Keynote', 'Show Stream Details');
    await untilHeading('Keynote');
    // A tab in which a link was followed stays as it is.
    await sessionsTable(page).locator('tbody button.link').first().click();
    await untilHeading(/^Keynote · /);
    await page.keyboard.press('Control+b');
    try {
      for (const [kind, width] of [
        ['session', 350],
        ['session', 250],
        ['stream', 250],
        ['stream', 350],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        if (kind === 'stream' && width === 250) await page.keyboard.press('Control+PageUp');
        const body = frame().locator('body');
        await untilHeading(kind === 'stream' ? /^Keynote$/ : /^Keynote · /);
        const widths = await waitUntil(async () => {
          const measured = await body.evaluate(readWidths);
          return measured.window <= width - 40 && measured;
        });
        await takeScreenshot(page, `details-narrow-${kind}-${width}`);
        assert.ok(widths.content <= widths.window, `${kind}, ${width}: ${JSON.stringify(widths)}`);
      }
    } finally {
      await page.setViewportSize(size);
      await page.keyboard.press('Control+b');
    }
  });

  it('are closed while they load without a word', async () => {
    const { page, server } = workbench();
    const held = Promise.withResolvers<undefined>();
    const waiting: string[] = [];
    addRecording(service(), 'Slow', { recordingUrl: goodRecording() });
    service().control.fault(({ path }) => {
      if (!/\/hls\/|\/recordings?\/|\.m3u8/.test(path)) return undefined;
      waiting.push(path);
      return held.promise;
    });
    await openRecordingOf(page, 'Slow');
    await playerFrame(page).getByText('Opening…').waitFor();
    assert.ok(waiting.length > 0, 'it is held up');
    await closeTabs(page);
    await showSessionOf('Slow');
    await playerFrame(page).getByText('Opening…').waitFor();
    await closeTabs(page);
    held.resolve(undefined);
    service().control.fault(undefined);
    // Whatever comes of it has come by the time that the next page is there.
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    await untilHeading('Keynote');
    assert.deepEqual(await readNotifications(page), []);
    assert.doesNotMatch(await server.extensionHostLogs(), /Webview is disposed|\[error\].*[Ll]ive ?[Ss]treams/);
  });
});

function readWidths(body: PageElement): { readonly window: number; readonly content: number } {
  const { ownerDocument } = body as unknown as {
    readonly ownerDocument: {
      readonly documentElement: { readonly clientWidth: number; readonly scrollWidth: number };
    };
  };
  const { clientWidth, scrollWidth } = ownerDocument.documentElement;
  return { window: clientWidth, content: scrollWidth };
}
