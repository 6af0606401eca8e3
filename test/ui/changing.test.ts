import assert from 'node:assert/strict';
import { detailsFrame } from '../support/page/detailsPage.ts';
import {
  clearNotifications,
  pressDialogButton,
  readClipboard,
  readDialog,
  untilNotification,
  writeClipboard,
} from '../support/page/messages.ts';
import { closeTabs } from '../support/page/playerPage.ts';
import {
  answerQuickInput,
  pickQuickItem,
  pressItemButton,
  pressQuickInputButton,
  quickInput,
  readQuickInput,
  runCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const SECOND = 'Create the stream, or change its settings first';

describe('Changing streams by keyboard', () => {
  const workbench = suiteWorkbench();

  const labelsUnder = async (group: string) => {
    const rows = await tree.readRows(workbench().page);
    const from = rows.findIndex((row) => row.level === 1 && row.label === group);
    const to = rows.findIndex((row, at) => at > from && row.level === 1);
    return rows
      .slice(from + 1, to < 0 ? undefined : to)
      .filter((row) => row.level === 2)
      .map((row) => row.label);
  };
  const untilGone = (label: string) =>
    tree.untilRows(workbench().page, (rows) => rows.every((row) => row.label !== label));

  before(async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.pressWelcomeButton(page, 'Try the Demo');
    await tree.untilRows(page, (rows) => rows.some((row) => row.level === 2));
    await tree.collapseRow(page, 'Active');
    await tree.expandRow(page, 'Idle');
    await tree.untilRows(page, (rows) => rows.filter((row) => row.level === 2).length > 3);
  });

  it('creates a stream by the title’s button, shows its row, and opens its page without a message', async () => {
    const { page } = workbench();
    await tree.pressViewAction(page, 'Create Stream…');
    await quickInput(page).waitFor();
    await answerQuickInput(page, 'Made by a tset');
    await waitUntil(async () => (await readQuickInput(page)).title === 'Create Stream (2/2)');
    await pressQuickInputButton(page, 'Back');
    await waitUntil(async () => (await readQuickInput(page)).value === 'Made by a tset');
    assert.equal((await readQuickInput(page)).title, 'Create Stream (1/2)');
    await answerQuickInput(page, 'Made by a test');
    await pickQuickItem(page, 'Create');
    await detailsFrame(page).locator('h1', { hasText: 'Made by a test' }).waitFor();
    const rows = await tree.untilRows(page, (all) =>
      all.some((row) => row.label === 'Made by a test' && row.isSelected),
    );
    assert.equal(rows.filter((row) => row.label === 'Made by a test').length, 1);
    assert.ok((await labelsUnder('Idle')).includes('Made by a test'));
    await takeScreenshot(page, 'created');
    // The palette that the next test opens gives the focus back to a page that is in front.
    await closeTabs(page);
  });

  it('creates a stream with renditions by keyboard alone', async () => {
    const { page } = workbench();
    await page.keyboard.press('F1');
    const palette = quickInput(page, 'Type the name of a command to run.');
    await palette.waitFor();
    await page.keyboard.type('Live Streams: Create Stream');
    await palette.locator('.monaco-list-row.focused', { hasText: 'Live Streams: Create Stream…' }).waitFor();
    await page.keyboard.press('Enter');
    const first = quickInput(page).filter({ hasText: 'Enter a name for the stream' });
    await first.locator('input:focus').waitFor();
    await page.keyboard.type('Made by keyboard');
    await page.keyboard.press('Enter');
    for (const [placeholder, row, before] of [
      [SECOND, 'Renditions', 'Default for Demo'],
      ['Select the renditions for "Made by keyboard"', 'Up to 480p', '240p · 360p · 480p'],
      [SECOND, 'Recording', 'Off'],
      [SECOND, 'Create', 'Made by keyboard'],
    ] as const) {
      const box = quickInput(page).filter({ has: page.getByPlaceholder(placeholder, { exact: true }) });
      await box.locator('.monaco-list-row', { hasText: row }).filter({ hasText: before }).first().waitFor();
      if (row === 'Create') await takeScreenshot(page, 'create-settings');
      else await page.keyboard.type(row);
      await box.locator('.monaco-list-row.focused').filter({ hasText: row }).waitFor();
      await page.keyboard.press('Enter');
    }
    await detailsFrame(page).locator('h1', { hasText: 'Made by keyboard' }).waitFor();
    await tree.untilRows(page, (all) => all.some((row) => row.label === 'Made by keyboard' && row.isSelected));
    await clearNotifications(page);
  });

  it('creates a stream with a multistream target, which is asked for first, and whose key is shown nowhere', async () => {
    const { page } = workbench();
    const key = 'k3y-0f-another-service';
    const step = (at: number) => `Create Stream (${at}/2)`;
    const row = 'Multistream Target';
    const within = 'Create Stream';
    const target = async () => {
      const { items } = await readQuickInput(page, step(2));
      return items.find(({ label }) => label === row)?.description;
    };
    // The page of the stream before may report its focus late, which closes a box that opens after another one.
    await closeTabs(page);
    await tree.pressViewAction(page, 'Create Stream…');
    await answerQuickInput(page, 'Sent elsewhere', step(1));
    await waitUntil(async () => (await target()) === 'None');
    /** Waits for the box with this prompt: their title is the same. */
    const untilBox = (prompt: string) =>
      waitUntil(async () => {
        const { message, placeholder, ...box } = await readQuickInput(page, within);
        return `${message}${placeholder}`.startsWith(prompt) && box;
      });
    const [place, server, ownKey] = ['Select where to send', 'Enter the URL', 'Enter your live.example.com stream key'];
    const name = 'Enter a name for the target';
    await pickQuickItem(page, row, step(2));
    await untilBox(place);
    await takeScreenshot(page, 'create-target');
    await pickQuickItem(page, 'Other…', within);
    // Pasted whole, which is told by the next box alone.
    await untilBox(server);
    await answerQuickInput(page, `rtmps://live.example.com/app/${key}`, within);
    assert.ok((await untilBox(ownKey)).isPassword);
    await answerQuickInput(page, '', within);
    assert.equal((await untilBox(name)).value, 'live.example.com');
    await pressQuickInputButton(page, 'Back');
    const { value, isPassword } = await untilBox(ownKey);
    assert.deepEqual([value, isPassword], [key, true]);
    await pressQuickInputButton(page, 'Back');
    assert.equal((await untilBox(server)).value, 'rtmps://live.example.com/app');
    await page.keyboard.press('Enter');
    assert.ok((await untilBox(ownKey)).isPassword);
    await page.keyboard.press('Enter');
    await untilBox(name);
    await answerQuickInput(page, 'Club channel', within);
    await waitUntil(async () => (await target()) === 'Club channel · Source');
    await pickQuickItem(page, row, step(2));
    // What was chosen is highlighted, so that Enter leads to what was entered.
    await quickInput(page, within).locator('.monaco-list-row.focused', { hasText: 'Other…' }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal((await untilBox(server)).value, 'rtmps://live.example.com/app');
    await pressQuickInputButton(page, 'Back');
    await untilBox(place);
    await pressQuickInputButton(page, 'Back');
    await waitUntil(async () => (await target()) === 'Club channel · Source');
    await takeScreenshot(page, 'create-with-target');
    await pickQuickItem(page, 'Create', step(2));
    await detailsFrame(page).locator('h1', { hasText: 'Sent elsewhere' }).waitFor();
    await detailsFrame(page).getByText('Club channel').first().waitFor();
    await closeTabs(page);
    await clearNotifications(page);
  });

  it('creates a private stream in the same two steps, whose row says that it is private', async () => {
    const { page } = workbench();
    await tree.pressViewAction(page, 'Create Stream…');
    await quickInput(page).waitFor();
    await answerQuickInput(page, 'Members only');
    await pickQuickItem(page, 'Playback Policy', 'Create Stream (2/2)');
    await pickQuickItem(page, 'Signed Token', 'Create Stream');
    await waitUntil(async () => (await readQuickInput(page)).message.includes('Members only'));
    await answerQuickInput(page, '', 'Create Stream');
    await waitUntil(async () => (await readQuickInput(page)).placeholder.includes('your account has none'));
    await takeScreenshot(page, 'create-key-question');
    await pickQuickItem(page, 'Create Signing Key…', 'Create Stream');
    await waitUntil(async () => (await readQuickInput(page)).value === 'VS Code');
    await answerQuickInput(page, 'Members', 'Create Stream');
    const policy = async () => {
      const { items } = await readQuickInput(page, 'Create Stream (2/2)');
      return items.find(({ label }) => label === 'Playback Policy')?.description;
    };
    await waitUntil(async () => (await policy()) === 'Signed Token');
    await takeScreenshot(page, 'create-private');
    await pickQuickItem(page, 'Create', 'Create Stream (2/2)');
    await untilNotification(page, 'The signing key "Members" was created.');
    await detailsFrame(page).locator('h1', { hasText: 'Members only' }).waitFor();
    await tree.untilRows(page, (all) =>
      all.some(({ label, description }) => label === 'Members only' && /\bprivate\b/.test(description)),
    );
    await takeScreenshot(page, 'private-row');
    await closeTabs(page);
    await clearNotifications(page);
  });

  it('deletes the row that has the focus, not the one that was clicked before', async () => {
    const { page } = workbench();
    const [first = '', second = ''] = (await labelsUnder('Idle')).slice(-5);
    await tree.selectRow(page, first);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    const dialog = await readDialog(page);
    await takeScreenshot(page, 'delete-question');
    assert.ok(JSON.stringify(dialog).includes(`Delete \\"${second}\\"?`), JSON.stringify(dialog));
    await pressDialogButton(page, 'Delete');
    await untilGone(second);
    assert.ok((await labelsUnder('Idle')).includes(first));
  });

  it('renames with F2, without opening the row', async () => {
    const { page } = workbench();
    await tree.selectRow(page, 'Made by a test');
    await page.keyboard.press('F2');
    assert.equal((await readQuickInput(page)).value, 'Made by a test');
    await answerQuickInput(page, 'Renamed by a test');
    const rows = await tree.untilRows(page, (all) => all.some((row) => row.label === 'Renamed by a test'));
    assert.equal(rows.find((row) => row.label === 'Renamed by a test')?.isExpanded, false);
  });

  it('copies with Ctrl+C', async () => {
    const { page } = workbench();
    const copied = await copyByKey();
    assert.match(copied, /^[\w-]+$/);
    const tooltip = await tree.readTooltip(page, 'Renamed by a test');
    assert.match(tooltip, new RegExp(`Playback ID:\\s+${copied}\\b`));
  });

  /** What Ctrl+C copies of the row that has the focus. */
  async function copyByKey(): Promise<string> {
    const { page } = workbench();
    await writeClipboard(page, '');
    await page.keyboard.press('Control+C');
    return waitUntil(() => readClipboard(page));
  }

  it('does not run the commands from the tree’s find box', async () => {
    const { page } = workbench();
    await tree.selectRow(page, 'Renamed by a test');
    await page.keyboard.press('Control+Alt+F');
    const box = tree.paneOf(page).locator('.monaco-tree-type-filter input.input');
    await box.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Renamed');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await waitUntil(async () => (await box.inputValue()) === 'enamed');
    await page.keyboard.press('F2');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
    // A question or an input box would have come before what is copied, and keep the keyboard.
    await tree.selectRow(page, 'Renamed by a test');
    assert.match(await copyByKey(), /^[\w-]+$/);
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    assert.equal(await page.locator('.quick-input-widget:visible').count(), 0);
  });

  it('filters by name, and shows all again', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.filterStreams');
    await quickInput(page).waitFor();
    await answerQuickInput(page, 'renamed');
    await tree.untilRows(page, (rows) => rows.filter((row) => row.level === 2).length === 1);
    await takeScreenshot(page, 'filtered');
    await tree.untilRows(page, (rows) => rows.some((row) => row.label === 'Idle' && row.description === '1'));
    await runCommand(page, 'liveStreams.clearFilter');
    await tree.untilRows(page, (rows) => rows.filter((row) => row.level === 2).length > 3);
  });

  it('edits tags in a list, and sends them once they are saved', async () => {
    const { page } = workbench();
    const [first = ''] = await labelsUnder('Idle');
    await tree.chooseFromContextMenu(page, first, ['Edit', 'Edit Stream Tags…']);
    await quickInput(page, 'Edit Stream Tags').waitFor();
    if ((await readQuickInput(page)).items.length > 0) await pickQuickItem(page, 'Add Tag…', 'Edit Stream Tags');
    await answerQuickInput(page, 'venue:Hall 1, room:7', 'Edit Stream Tags');
    await waitUntil(async () => (await readQuickInput(page)).items.some(({ label }) => label === 'room'));
    const focused = quickInput(page).locator('.monaco-list-row.focused');
    await focused.filter({ hasText: 'Save' }).waitFor();
    await takeScreenshot(page, 'tags');
    await page.keyboard.press('Enter');
    await quickInput(page).waitFor({ state: 'hidden' });
    await tree.chooseFromContextMenu(page, first, ['Edit', 'Edit Stream Tags…']);
    await waitUntil(async () => (await readQuickInput(page)).items.some(({ label }) => label === 'room'));
    assert.ok((await readQuickInput(page)).items.every(({ label }) => label !== 'Save'));
    const yOf = async (label: string) =>
      (await quickInput(page).locator('.monaco-list-row').filter({ hasText: label }).first().boundingBox())?.y;
    const before = await yOf('room');
    await typeInQuickInput(page, 'show=', 'Edit Stream Tags');
    const listed = async () => (await readQuickInput(page)).items.map(({ label }) => label);
    await waitUntil(async () => (await listed()).join().startsWith('Couldn\'t read "show=".'));
    assert.equal(await focused.count(), 0, 'it can’t be chosen');
    await takeScreenshot(page, 'tags-wrong');
    await typeInQuickInput(page, 'show=morning', 'Edit Stream Tags');
    await focused.filter({ hasText: 'Add "show=morning"' }).waitFor();
    await takeScreenshot(page, 'tags-typed');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await listed()).includes('show'));
    await pressItemButton(page, 'room', 'Remove Tag', 'Edit Stream Tags');
    await focused.filter({ hasText: 'show' }).waitFor();
    assert.ok(!(await listed()).includes('room'));
    await takeScreenshot(page, 'tags-removed');
    assert.equal(await yOf('show'), before, 'the next row is below the pointer then');
    await page.keyboard.press('Escape');
  });

  it('shows its keys in the menu of a row', async () => {
    const { page } = workbench();
    const [first = ''] = await labelsUnder('Idle');
    assert.deepEqual(await tree.readMenuKeys(page, first), { 'Show Stream Details': 'Enter' });
    const { 'Rename Stream…': renameKey, 'Delete Stream': deleteKey = '' } = await tree.readMenuKeys(
      page,
      first,
      'Edit',
    );
    assert.equal(renameKey, 'F2');
    // The oldest editor doesn't shorten it.
    assert.match(deleteKey, /^Del(ete)?$/);
  });

  it('opens details with Enter on a stream, and opens and closes a group', async () => {
    const { page } = workbench();
    const [first = ''] = await labelsUnder('Idle');
    await tree.selectRow(page, first);
    await page.keyboard.press('Enter');
    // A row isolates a name that runs right to left, and a long one ends in an ellipsis; the tab's name is whole.
    const name = first.replace(/[\u2068\u2069]|…$/g, '');
    await page.locator('.tabs-container .tab', { hasText: name }).waitFor();
    // A page that loads takes the focus, also from what was clicked meanwhile.
    await waitUntil(() =>
      detailsFrame(page)
        .locator('body')
        .evaluate((body) => body.ownerDocument.hasFocus()),
    );
    assert.equal(await tree.rowOf(page, first).getAttribute('aria-expanded'), 'false');
    await tree.rowOf(page, 'Active').click();
    await tree.collapseRow(page, 'Active');
    await page.keyboard.press('Enter');
    await tree.rowOf(page, 'Active').and(page.locator('[aria-expanded="true"]')).waitFor();
    await page.keyboard.press('Enter');
    await tree.rowOf(page, 'Active').and(page.locator('[aria-expanded="false"]')).waitFor();
  });

  it('takes all rows that are selected where one of them has the focus, and its menu has what takes several', async () => {
    const { page } = workbench();
    const [first = '', second = ''] = await labelsUnder('Idle');
    await tree.selectRow(page, first);
    await tree.rowOf(page, second).click({ modifiers: ['Control'] });
    await tree.untilRows(page, (rows) => rows.filter((row) => row.isSelected).length === 2);
    assert.equal((await copyByKey()).split('\n').length, 2);
    const menu = await tree.readContextMenu(page, second);
    for (const item of ['Copy Stream Key', 'Copy', 'Suspend Stream', 'Delete Stream'])
      assert.ok(menu.includes(item), menu.join('\n'));
    for (const item of ['Watch Stream', 'Show Stream Details', 'Open', 'Edit', 'Check Stream'])
      assert.ok(!menu.includes(item), menu.join('\n'));
    await page.keyboard.press('Delete');
    assert.match((await readDialog(page)).message, /Delete 2 streams/);
    await pressDialogButton(page, 'Cancel');
    await page.keyboard.press('Escape');
  });

  it('means the row with the focus where that is not one of those selected', async () => {
    const { page } = workbench();
    const [first = '', second = '', third = ''] = await labelsUnder('Idle');
    await tree.selectRow(page, first);
    await tree.rowOf(page, second).click({ modifiers: ['Control'] });
    await tree.untilRows(page, (rows) => rows.filter((row) => row.isSelected).length === 2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    // A row isolates a name that runs right to left, and shows the ID of a stream without a name.
    const name = /^[\da-f]{8}-/.test(third) ? '' : third.replace(/[\u2068\u2069]/g, '');
    assert.equal((await readQuickInput(page)).value, name);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    assert.match((await readDialog(page)).message, new RegExp(`Delete "${third}"`));
    await pressDialogButton(page, 'Cancel');
    await page.keyboard.press('Escape');
  });
});
