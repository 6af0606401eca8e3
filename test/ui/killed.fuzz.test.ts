import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoService } from '../support/demo/demoService.ts';
import { movieSeconds, sampleRecording } from '../support/demo/sampleRecording.ts';
import { pressDialogButton, pressNotificationButton, readDialog, untilNotification } from '../support/page/messages.ts';
import { connectTo, typeConnection } from '../support/page/playerConnection.ts';
import { settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { chooseWith, dismissQuickInput, quickInput, readQuickInput, runCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { slowMp4 } from '../support/service/slowMp4.ts';
import { killExtensionHost } from '../support/vscode/extensionHost.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('An extension host that is killed', () => {
  let service: DemoService;
  let second: DemoService;
  let home: string;
  const workbench = suiteWorkbench(async () => {
    const start = (name: string) => startPlayerService({ account: { projects: [name] } });
    [service, second] = await Promise.all([start('First'), start('Second')]);
    home = makeTemporaryFolder('home');
    return { ...settingsFor(service), env: { HOME: home } };
  });

  before(async () => {
    await connectTo(workbench().page, service);
  });
  after(() => {
    service.dispose();
    second.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const files = () => readdirSync(home).filter((name) => /\.(mp4|part)$/.test(name));
  let kills = 0;
  const kill = async () => {
    const { page, server } = workbench();
    await killExtensionHost(server);
    kills += 1;
    // The editor starts it again by itself twice in five minutes.
    if (kills > 2) await pressNotificationButton(page, 'within the last 5 minutes', 'Restart Remote Extension Host');
  };
  const isShown = (rows: readonly tree.Row[]) => rows.some(({ label }) => label === 'Idle');
  /** Names of all connections, with a remark at those that are not whole. */
  const connections = async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.switchConnection');
    const { items } = await readQuickInput(page, 'Switch Connection');
    await dismissQuickInput(page);
    const stored = items.filter(({ label }) => label !== 'Connect to a Service…' && label !== 'Try the Demo');
    return stored.map(({ label, description }) => (description.includes('needs') ? `${label} without key` : label));
  };
  const untilBack = (isBack: (rows: readonly tree.Row[]) => boolean) => tree.untilRows(workbench().page, isBack);

  it('leaves nothing under the name of a download it was in the middle of, and the next window says so and goes on with the rest', async () => {
    const { page } = workbench();
    service.control.fault(slowMp4);
    await tree.expandRow(page, 'Keynote');
    const rows = await untilBack((all) => all.some(tree.isReadySession));
    const session = rows.find(tree.isReadySession)?.label ?? '';
    await tree.chooseFromContextMenu(page, session, 'Download MP4…');
    await waitUntil(async () => (await quickInput(page).locator('input.input').inputValue()).endsWith('.mp4'));
    await page.keyboard.press('Enter');
    await waitUntil(async () => files().some((name) => statSync(join(home, name)).size > 1_000_000));
    await kill();
    assert.deepEqual(files().length, 1);
    assert.match(files()[0] ?? '', /\.mp4\.[0-9a-f]{16}\.part$/);
    const { message, buttons } = await untilNotification(page, 'was interrupted when VS Code closed.');
    assert.match(message, /^The download of "Keynote [\d -]+\.mp4" was interrupted when VS Code closed\./);
    assert.deepEqual(buttons, ['Resume Download']);
    await takeScreenshot(page, 'download-cut-off');
    assert.match(files().join(), /\.part$/);
    // The file has changed since, so none of it is used.
    service.control.fault(undefined);
    await pressNotificationButton(page, 'was interrupted', 'Resume Download');
    await untilNotification(page, 'Downloaded "Keynote');
    assert.match(files().join(), /^Keynote [\d -]+\.mp4$/);
    const downloaded = readFileSync(join(home, files()[0] ?? ''));
    assert.ok(downloaded.equals(await sampleRecording(movieSeconds(downloaded))));
  });

  it('leaves deleted what it had deleted of many streams, and the rest as it was', async () => {
    const { page } = workbench();
    const names = [
      'Algebra 2, Ms. Okafor',
      'Aquarium: jellyfish',
      'Auction house, room 1',
      'Beehive 3',
      'ci-smoke-main',
    ];
    await tree.collapseRow(page, 'Active');
    await tree.expandRow(page, 'Idle');
    await untilBack((all) => all.filter(({ level }) => level === 2).length > 10);
    await chooseWith(page, 'liveStreams.sortStreams', { item: 'Name' });
    let asked = 0;
    service.control.fault(async ({ method, path }) => {
      if (method !== 'DELETE') return undefined;
      // One by one: a service that doesn't take several at once.
      if (path === '/api/stream') return { status: 405 };
      asked += 1;
      // The first are done; the others' answers never come, and nothing is deleted.
      return asked <= 2 ? undefined : 'hang';
    });
    const [first = '', ...others] = names;
    await tree.selectRow(page, first);
    for (const name of others) await tree.rowOf(page, name).click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    assert.match((await readDialog(page)).message, /5 streams/);
    await pressDialogButton(page, 'Delete');
    const left = () => service.control.streams().filter(({ name }) => names.includes(name));
    await waitUntil(async () => left().length === 3 && asked > 2);
    await untilBack((all) => all.some(({ description }) => description.includes('Deleting')));
    await kill();
    service.control.fault(undefined);
    // Active was closed by hand; the new host's rows are as they are at first.
    await untilBack((all) => all.some(({ label }) => label === 'Keynote'));
    await tree.expandRow(page, 'Idle');
    const shown = await untilBack(
      (all) => left().every(({ name }) => all.some(({ label }) => label === name)) && !all.some(isBeingDeleted),
    );
    assert.equal(left().length, 3);
    assert.deepEqual(
      names.filter((name) => shown.some(({ label }) => label === name)).sort(),
      left()
        .map(({ name }) => name)
        .sort(),
    );
    await takeScreenshot(page, 'delete-cut-off');
  });

  it('leaves no connection while a key is checked, and a whole one as soon as the key is stored', async () => {
    const { page } = workbench();
    second.control.fault(({ headers }) => (headers.authorization === undefined ? undefined : 'hang'));
    await runCommand(page, 'liveStreams.addConnection');
    await typeConnection(page, second);
    await waitUntil(async () => second.control.requests.some(({ headers }) => headers.authorization !== undefined));
    await kill();
    await untilBack(isShown);
    assert.deepEqual(await connections(), ['First']);
    let asked = 0;
    second.control.fault(({ headers, path }) => {
      if (headers.authorization === undefined || !path.endsWith('/stream')) return undefined;
      asked += 1;
      // The first is the check. What follows it is the first look of the connection that was stored meanwhile.
      return asked === 1 ? undefined : 'hang';
    });
    await runCommand(page, 'liveStreams.addConnection');
    await typeConnection(page, second);
    await waitUntil(() => asked > 1);
    await kill();
    second.control.fault(undefined);
    await waitUntil(async () => (await tree.readViewTexts(page)).description.includes('Second'));
    await untilBack(isShown);
    // The current one is first.
    assert.deepEqual(await connections(), ['Second', 'First']);
  });
});

function isBeingDeleted({ description }: tree.Row): boolean {
  return description.includes('Deleting');
}
