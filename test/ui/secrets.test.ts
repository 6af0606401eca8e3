import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { factValue, pressFactButton, sessionsTable } from '../support/page/detailsPage.ts';
import { assertOnNoPage } from '../support/page/onNoPage.ts';
import { type PageRequests, watchRequests } from '../support/page/pageRequests.ts';
import { typeConnection } from '../support/page/playerConnection.ts';
import { untilPlaying } from '../support/page/playerPage.ts';
import { runCommand } from '../support/page/quickInput.ts';
import * as tree from '../support/page/treeView.ts';
import { inProject } from '../support/projectFolder.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const API_KEY = 'planted-api-key-8d1f0c';
const PULL = 'planted-pull-credential-77aa';
const PLANTED = /planted-(api-key|pull)|plnt-\d{4}/;

describe('Planted secrets in the real workbench', () => {
  let service: DemoService;
  const workbench = suiteWorkbench(async () => {
    const options = { streamCount: 6, liveCount: 2, seed: 7, isLively: false, apiKey: API_KEY };
    service = await startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), ...options });
    service.control.streams().forEach(({ id }, index) => {
      service.control.setStream(id, {
        streamKey: `plnt-${String(index).padStart(4, '0')}-abcd-efgh`,
        pull: { source: `https://user:${PULL}@cam.example/x`, headers: { authorization: `Bearer ${PULL}` } },
      });
    });
    return { settings: { 'liveStreams.addresses': { [new URL(service.baseUrl).origin]: service.addresses } } };
  });
  let requests: PageRequests;
  before(() => {
    requests = watchRequests(workbench().page);
  });
  after(() => service.dispose());

  /** The workbench, for frames come from there, and the service are asked, nobody else; and nobody is told. */
  function assertAskedAtHome(): void {
    const home = new Set([`http://${workbench().server.authority}`, new URL(service.baseUrl).origin]);
    assert.deepEqual(
      [...requests.origins].filter((origin) => !home.has(origin)),
      [],
    );
    requests.assertNoneSays(PLANTED);
  }

  it('are in no row, label for screen readers, tooltip or box after connecting', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await runCommand(page, 'liveStreams.addConnection');
    await typeConnection(page, service);
    await tree.untilRows(page, (all) => all.some((row) => row.level === 2));
    await tree.expandRow(page, 'Idle');
    const rows = await tree.untilRows(page, (all) => all.filter((row) => row.level === 2).length >= 6);
    assert.doesNotMatch(JSON.stringify(rows), PLANTED);
    for (const { label } of rows.filter((row) => row.level === 2).slice(0, 3)) {
      await tree.expandRow(page, label);
      const tooltip = await tree.readTooltip(page, label);
      assert.ok(tooltip.includes(label), tooltip);
      assert.doesNotMatch(tooltip, PLANTED);
    }
    await assertOnNoPage(page, PLANTED);
    assertAskedAtHome();
  });

  it('are in no document, in no webview, neither the player nor the details page, and in no request', async () => {
    const { page } = workbench();
    const live = service.control.streams().find(({ isActive }) => isActive)?.name ?? '';
    await tree.chooseFromContextMenu(page, live, ['Open', 'Open as JSON']);
    await page.locator('.editor-instance .monaco-editor').first().waitFor();
    await assertOnNoPage(page, PLANTED);
    await tree.chooseFromContextMenu(page, live, 'Watch Stream');
    await untilPlaying(page);
    await assertOnNoPage(page, PLANTED);
    await tree.chooseFromContextMenu(page, live, 'Show Stream Details');
    await factValue(page, 'Stream Key').waitFor();
    await sessionsTable(page).waitFor();
    assert.ok(page.frames().length > 3, 'two webviews, each a frame in a frame');
    await assertOnNoPage(page, PLANTED);
    assert.ok(!requests.origins.has(new URL(service.baseUrl).origin), 'the host asks for the player');
    assertAskedAtHome();
  });

  it('would be found in a webview: a key that is revealed is', async () => {
    const { page } = workbench();
    await pressFactButton(page, 'Stream Key', 'Reveal');
    await factValue(page, 'Stream Key')
      .getByText(/^plnt-/)
      .waitFor();
    await assert.rejects(assertOnNoPage(page, PLANTED), /plnt-\d{4}/);
    await pressFactButton(page, 'Stream Key', 'Hide');
    await factValue(page, 'Stream Key').getByText('••••').waitFor();
    await assertOnNoPage(page, PLANTED);
  });
});
