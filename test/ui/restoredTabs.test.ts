import assert from 'node:assert/strict';
import { detailsFrame, factValue, pressFactButton, readHtml } from '../support/page/detailsPage.ts';
import { untilKept } from '../support/page/keptState.ts';
import { playerFrame, untilPlaying, untilProblem, untilVideo } from '../support/page/playerPage.ts';
import { lastEvening } from '../support/page/playerService.ts';
import { suitePlayerWorkbench } from '../support/page/playerWorkbench.ts';
import { answerQuickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { describeInBrowsers } from '../support/vscode/bothBrowsers.ts';

const KEYLESS = 'The API key for "Studio at home" is no longer in secret storage.';

/** The secret storage of this build forgets with the page, as an editor does without a keyring. */
describeInBrowsers('Tabs that come back with their window', (browser) => {
  const { workbench, service } = suitePlayerWorkbench({ browser });
  const streamNamed = (name: string) =>
    service()
      .control.streams()
      .find((each) => each.name === name)?.id ?? '';
  const streamKey = () => {
    const key = service()
      .control.streams()
      .find((each) => each.name === 'Keynote')?.streamKey;
    return key ?? assert.fail('Keynote has no key');
  };
  const heading = () => detailsFrame(workbench().page).locator('h1');

  const player = () => playerFrame(workbench().page);
  const showTab = (title: string) =>
    workbench().page.locator('.tabs-container .tab').filter({ hasText: title }).first().click();

  before(async () => {
    const { page, reload } = workbench();
    const { id } = service().control.addStream({ name: 'Short lived', isActive: true });
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Short lived'));
    await tree.pressRowAction(page, 'Bird nest cam', 'Watch Stream');
    await untilPlaying(page);
    // A tab in which a link was followed stays as it is.
    await tree.pressRowAction(page, 'Keynote', 'Show Stream Details');
    await detailsFrame(page)
      .getByRole('button', { name: lastEvening(service()), exact: true })
      .click();
    await heading()
      .getByText(`Keynote · ${lastEvening(service())}`, { exact: true })
      .waitFor();
    await untilVideo(page, ({ contrast }) => contrast > 5);
    const [, yesterday] = service().control.sessions(streamNamed('Keynote'));
    await untilKept(page, keptTab('session', yesterday?.id));
    await untilKept(page, keptTab('stream', streamNamed('Bird nest cam')));
    await detailsFrame(page).getByRole('button', { name: 'Show details of "Keynote"' }).click();
    await heading().getByText('Keynote', { exact: true }).waitFor();
    await tree.pressRowAction(page, 'Short lived', 'Show Stream Details');
    await heading().getByText('Short lived', { exact: true }).waitFor();
    await untilKept(page, keptTab('stream', id));
    await tree.chooseFromContextMenu(page, 'Keynote', 'Show Stream Details');
    await heading().getByText('Keynote', { exact: true }).waitFor();
    await pressFactButton(page, 'Stream Key', 'Reveal');
    await factValue(page, 'Stream Key').getByText(streamKey(), { exact: true }).waitFor();
    await untilKept(page, keptTab('stream', streamNamed('Keynote')));
    await reload();
  });

  it('are called what they were about, without the day they were opened on', async () => {
    const { page } = workbench();
    await showTab('Keynote (Details)');
    await detailsFrame(page).getByText(KEYLESS).waitFor();
    assert.equal(await heading().innerText(), 'Keynote');
    await showTab(lastEvening(service()));
    await playerFrame(page).locator('.playerPart').waitFor({ state: 'attached' });
    await detailsFrame(page).getByText(KEYLESS).waitFor();
    assert.equal(await heading().innerText(), 'Keynote · Session');
    assert.ok(await playerFrame(page).locator('.playerPart').isHidden(), 'no player beside the notice');
    await takeScreenshot(page, 'details-keyless');
    await showTab('Bird nest cam');
    await untilProblem(page, /API key for "Studio at home" is no longer in secret storage/);
    assert.equal(await player().locator('h1').innerText(), 'Bird nest cam');
    await showTab('Short lived');
    await detailsFrame(page).getByText(KEYLESS).waitFor();
    assert.equal(await heading().innerText(), 'Short lived');
  });

  it('name a stream that was deleted meanwhile, not its id', async () => {
    const { page } = workbench();
    service().control.deleteStream(streamNamed('Short lived'));
    await detailsFrame(page).getByRole('button', { name: 'Set API Key…' }).click();
    await answerQuickInput(page, service().apiKey);
    await detailsFrame(page).getByText('This stream no longer exists.').waitFor();
    assert.equal(await heading().innerText(), 'Short lived');
  });

  it('show a recording once its connection’s key is there, and leave it to the person to begin', async () => {
    const { page } = workbench();
    await showTab(lastEvening(service()));
    await heading()
      .getByText(`Keynote · ${lastEvening(service())}`, { exact: true })
      .waitFor();
    const { paused } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused, 'a window that comes back is quiet');
  });

  it('have no key that was revealed before', async () => {
    const { page } = workbench();
    await showTab('Keynote (Details)');
    await factValue(page, 'Stream Key').getByText('••••').waitFor();
    assert.ok(!(await readHtml(page)).includes(streamKey()));
  });

  it('begin paused with a live stream, and play once they are asked to', async () => {
    const { page } = workbench();
    await showTab('Bird nest cam');
    const { paused } = await untilVideo(page, ({ contrast }) => contrast > 5);
    assert.ok(paused, 'a window that comes back is quiet');
    assert.equal(await player().locator('.live').innerText(), 'Live');
    await player().locator('h1').click();
    await page.keyboard.press('k');
    await untilPlaying(page);
    await player().locator('.clock').filter({ hasText: /^\d/ }).waitFor();
  });
});

/** A tab's state, as its page keeps it. */
function keptTab(kind: 'stream' | 'session', id: string | undefined): RegExp {
  return new RegExp(`"kind":"${kind}","id":"${id}","position"`);
}
