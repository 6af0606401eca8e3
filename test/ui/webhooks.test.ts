import assert from 'node:assert/strict';
import { detailsFrame } from '../support/page/detailsPage.ts';
import { startDemoFromWelcome } from '../support/page/madeStream.ts';
import {
  pressDialogButton,
  pressNotificationButton,
  readClipboard,
  readDialog,
  readStatusBar,
  writeClipboard,
} from '../support/page/messages.ts';
import {
  answerQuickInput,
  chooseInTurn,
  dismissQuickInput,
  pickQuickItem,
  pressQuickInputButton,
  readQuickInput,
  runCommand,
  runEditorCommand,
  typeInQuickInput,
} from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { startWebhookHandler, type WebhookHandler } from '../support/service/webhookHandler.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

const VIEW = 'Webhooks';
const STREAM = 'Town hall';

/** A test for each, in order: each begins where the one before ended, as a person does. */
describe('A webhook handler on this computer', () => {
  const workbench = suiteWorkbench({ browser: 'withoutAac', settings: { 'liveStreams.refreshInterval': 5 } });
  let handler: WebhookHandler;

  before(async () => {
    handler = await startWebhookHandler();
    await startDemoFromWelcome(workbench().page);
  });
  after(() => handler.close());

  const frame = () => detailsFrame(workbench().page);
  const untilHandled = (event: string, path: string, status: number) =>
    waitUntil(() =>
      handler.handled.some((each) => each.event === event && each.path === path && each.status === status),
    );

  /** Waits for the newest delivery below a row of level 1, and returns it. */
  function untilDelivery(below: string, label: string, icon: 'pass' | 'error'): Promise<tree.Row> {
    const { page } = workbench();
    return waitUntil(async () => {
      const rows = await tree.readRows(page, VIEW);
      const at = rows.findIndex((row) => row.level === 1 && row.label === below);
      const next = rows[at + 1];
      return next?.icon === icon && isDelivery(next, label) && next;
    });
  }

  const isDelivery = ({ label }: tree.Row, event: string) => label.endsWith(` ${event}`);

  async function pressDelivery(event: string): Promise<void> {
    const { page } = workbench();
    const row = (await tree.readRows(page, VIEW)).find((each) => isDelivery(each, event)) ?? assert.fail(event);
    await tree.rowOf(page, row.label, { view: VIEW }).click();
  }

  async function copySecret(copy: () => Promise<void>): Promise<string> {
    const { page } = workbench();
    await writeClipboard(page, '');
    await copy();
    return waitUntil(() => readClipboard(page));
  }

  it('is given a webhook of the demo, whose secret is copied', async () => {
    const { page } = workbench();
    await tree.expandView(page, VIEW);
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Website'), { view: VIEW });
    await tree.pressViewAction(page, 'Create Webhook…', VIEW);
    const step = (number: number) => `Create Webhook (${number}/3)`;
    await answerQuickInput(page, 'My handler', step(1));
    await answerQuickInput(page, `${handler.url}/api/webhook`, step(2));
    const eventsRow = async () =>
      (await readQuickInput(page, step(3))).items.find(({ label }) => label === 'Events')?.description;
    await waitUntil(async () => (await eventsRow()) === 'stream.started, stream.idle, recording.ready');
    await takeScreenshot(page, 'webhook-settings');
    await pickQuickItem(page, 'Events', step(3));
    await readQuickInput(page, 'Create Webhook');
    await takeScreenshot(page, 'webhook-events');
    // What is usual is selected; the picker takes this one away.
    await pickQuickItem(page, 'recording.ready', 'Create Webhook');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await eventsRow()) === 'stream.started, stream.idle');
    await pickQuickItem(page, 'Create', step(3));
    handler.secret = await copySecret(() => pressNotificationButton(page, 'was created', 'Copy Secret'));
    assert.match(handler.secret, /^[\da-f]{64}$/);
    // The new webhook is selected and expanded.
    await tree.rowOf(page, 'No deliveries yet', { view: VIEW }).waitFor();
  });

  it('has its webhook changed in several parts, which are saved together', async () => {
    const { page } = workbench();
    const title = 'Edit Webhook';
    const rows = async () => {
      const { items } = await readQuickInput(page, title);
      return items.map(({ label, description }) => [label, description].filter(Boolean).join(': '));
    };
    const openName = async (value: string) => {
      await pickQuickItem(page, 'Name', title);
      await waitUntil(async () => (await readQuickInput(page, title)).value === value);
    };
    await tree.chooseFromContextMenu(page, 'My handler', 'Edit Webhook…', { view: VIEW });
    await waitUntil(async () => (await rows())[0] === 'Name: My handler');
    await openName('My handler');
    await answerQuickInput(page, 'Changed handler', title);
    await waitUntil(async () => (await rows())[0] === 'Save: Changed handler');
    await openName('Changed handler');
    await pressQuickInputButton(page, 'Back');
    await waitUntil(async () => (await rows())[0] === 'Save: Changed handler');
    assert.equal(await tree.rowOf(page, 'My handler', { view: VIEW }).count(), 1, 'nothing was sent');
    await pickQuickItem(page, 'Events', title);
    await pickQuickItem(page, 'recording.ready', title);
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await rows()).includes('Events: stream.started, stream.idle, recording.ready'));
    await takeScreenshot(page, 'webhook-edited');
    await openName('Changed handler');
    await answerQuickInput(page, 'My own handler', title);
    await waitUntil(async () => (await rows())[0] === 'Save: My own handler');
    await page.keyboard.press('Enter');
    await tree.rowOf(page, 'My own handler', { view: VIEW }).waitFor();
  });

  it('gets the event of a test broadcast, which the view shows as failed while the handler is broken', async () => {
    const { page } = workbench();
    handler.isBroken = true;
    const start = () => tree.chooseFromContextMenu(page, STREAM, 'Start Test Broadcast…');
    await chooseInTurn(page, start, 'Test Pattern', '5 minutes');
    await pressDialogButton(page, 'Start Test Broadcast');
    await untilHandled('stream.started', '/api/webhook', 500);
    await tree.pressViewAction(page, 'Refresh Webhooks', VIEW);
    const failed = await untilDelivery('My own handler', 'stream.started', 'error');
    assert.match(`${failed.label} ${failed.description}`, /^\d\d:\d\d stream\.started 500 · /);
    const webhook = (await tree.readRows(page, VIEW)).find(({ label }) => label === 'My own handler');
    assert.match(webhook?.description ?? '', /^500 · failed /);
    const untilTitle = (title: string) => waitUntil(async () => (await tree.readViewTexts(page, VIEW)).title === title);
    await tree.collapseView(page, VIEW);
    await untilTitle('Webhooks (1 failing)');
    await takeScreenshot(page, 'webhooks-collapsed');
    await tree.expandView(page, VIEW);
    await untilTitle('Webhooks');
  });

  it('has a page of each delivery, which says why it failed', async () => {
    const { page } = workbench();
    await pressDelivery('stream.started');
    await frame()
      .getByText(/^Failed · 500 · /)
      .first()
      .waitFor();
    await frame().getByText('It broke').waitFor();
    await frame()
      .getByText(/^The signature is valid/)
      .waitFor();
    await takeScreenshot(page, 'delivery-failed');
  });

  it('gets the delivery again from the page once it is mended, without a question', async () => {
    const { page } = workbench();
    handler.isBroken = false;
    await frame().getByRole('button', { name: 'Replay to Localhost' }).click();
    await untilHandled('stream.started', '/api/webhook', 200);
    await untilDelivery('This Computer', 'stream.started', 'pass');
    const replayed = frame().getByText(/^Replayed to localhost:\d+\/api\/webhook · Delivered · 200 · /);
    await replayed.first().waitFor();
    await takeScreenshot(page, 'delivery-mended');
    await pressDelivery('stream.started');
    await frame().getByText('Sent from this computer').waitFor();
    await replayed.first().waitFor();
    await takeScreenshot(page, 'delivery-replayed');
    await runEditorCommand(page, 'View: Close All Editors');
  });

  it('is not told another secret unasked, and the page of a delivery takes only the one that signed it', async () => {
    const { page } = workbench();
    const edit = 'Edit Webhook';
    // Makes room for its rows.
    await tree.collapseView(page, 'Streams');
    await tree.chooseFromContextMenu(page, 'Website', 'Edit Webhook…', { view: VIEW });
    for (const item of ['Secret', 'Enter Secret…']) await pickQuickItem(page, item, edit);
    await waitUntil(async () => (await readQuickInput(page, edit)).message.startsWith('Enter the secret'));
    await answerQuickInput(page, 'wrong-secret-123', edit);
    await waitUntil(async () => (await readQuickInput(page, edit)).items[0]?.label === 'Save');
    await pickQuickItem(page, 'Save', edit);
    assert.match((await readDialog(page)).message, /^Change the secret for the webhook "Website"\?/);
    await takeScreenshot(page, 'webhook-secret-changes');
    await page.keyboard.press('Escape');
    await waitUntil(async () => (await readQuickInput(page, edit)).items[0]?.label === 'Save');
    await dismissQuickInput(page);
    await tree.expandRow(page, 'Website', { view: VIEW });
    await tree.untilRows(page, (rows) => rows.some((row) => isDelivery(row, 'stream.idle')), { view: VIEW });
    await pressDelivery('stream.idle');
    await frame().getByRole('button', { name: 'Enter Secret…' }).click();
    const title = 'Enter Webhook Secret';
    await answerQuickInput(page, 'wrong-secret-123', title);
    await waitUntil(async () => /doesn't match the signature/.test((await readQuickInput(page, title)).message));
    await takeScreenshot(page, 'delivery-secret-wrong');
    await dismissQuickInput(page);
    await runEditorCommand(page, 'View: Close All Editors');
    await tree.collapseRow(page, 'Website', { view: VIEW });
    await tree.expandView(page, 'Streams');
  });

  it('is sent what happens while the window listens, signed with the secret of the folder', async () => {
    const { page } = workbench();
    await runCommand(page, 'liveStreams.listenForEvents');
    await answerQuickInput(page, 'https://example.com/webhook', 'Listen for Webhook Events');
    await waitUntil(async () => /to this computer only/.test((await readQuickInput(page)).message));
    await takeScreenshot(page, 'listen-refused');
    await typeInQuickInput(page, `${handler.url}/listening`, 'Listen for Webhook Events');
    await page.keyboard.press('Enter');
    const { host } = new URL(handler.url);
    await waitUntil(async () => (await readStatusBar(page)).includes(host));
    const { secret } = handler;
    handler.secret = await copySecret(() => pressNotificationButton(page, 'Events from this computer', 'Copy Secret'));
    assert.notEqual(handler.secret, secret);
    await runCommand(page, 'liveStreams.stopTestBroadcast');
    await untilHandled('stream.idle', '/listening', 200);
    await untilDelivery('This Computer', 'stream.idle', 'pass');
    await takeScreenshot(page, 'listening');
  });

  it('can be stopped from the item in the status bar', async () => {
    const { page } = workbench();
    const { host } = new URL(handler.url);
    const hover = page.locator('.monaco-hover', { hasText: host });
    // The item moves when the message beside it disappears.
    await waitUntil(async () => {
      await page.locator('.statusbar-item', { hasText: host }).hover();
      return hover.getByText('Copy Secret').isVisible();
    });
    await takeScreenshot(page, 'listening-hover');
    await hover.getByText('Stop Listening').click();
    await waitUntil(async () => !(await readStatusBar(page)).includes(host));
    await runCommand(page, 'liveStreams.listenForEvents');
    await typeInQuickInput(page, `${handler.url}/listening`, 'Listen for Webhook Events');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await readStatusBar(page)).includes(host));
  });

  async function sendTestEvent(): Promise<void> {
    const { page } = workbench();
    const open = () => tree.chooseFromContextMenu(page, 'This Computer', 'Send Webhook Test Event…', { view: VIEW });
    await chooseInTurn(page, open, 'stream.started', 'Keynote');
  }

  it('is sent a test event about a stream', async () => {
    await sendTestEvent();
    await untilHandled('stream.started', '/listening', 200);
    await untilDelivery('This Computer', 'stream.started', 'pass');
  });

  it('is sent an event from the hover of a webhook, which its page names only if it has signed it', async () => {
    const { page } = workbench();
    // Makes room for its row.
    await tree.collapseView(page, 'Streams');
    await tree.rowOf(page, 'Website', { view: VIEW }).waitFor({ timeout: 10_000 });
    const link = page.locator('.monaco-hover.workbench-hover:visible').last().getByText('Send Test Event');
    const open = async () => {
      await tree.readTooltip(page, 'Website', { view: VIEW });
      await link.click();
    };
    await chooseInTurn(page, open, 'stream.idle', 'Keynote');
    await untilHandled('stream.idle', '/listening', 200);
    await untilDelivery('This Computer', 'stream.idle', 'pass');
    await pressDelivery('stream.idle');
    await frame().getByText('Sent from this computer').waitFor();
    await takeScreenshot(page, 'delivery-of-hover');
    assert.equal(await frame().getByRole('button', { name: 'Website' }).count(), 0);
    await frame().getByRole('button', { name: 'Keynote' }).waitFor();
  });

  it('has the row of a new webhook selected, also if the view is closed', async () => {
    const { page } = workbench();
    await tree.collapseView(page, VIEW);
    const title = (step: number) => `Create Webhook (${step}/3)`;
    await runCommand(page, 'liveStreams.createWebhook');
    await answerQuickInput(page, 'Second handler', title(1));
    await answerQuickInput(page, `${handler.url}/second`, title(2));
    await pickQuickItem(page, 'Create', title(3));
    const row = tree.rowOf(page, 'Second handler', { view: VIEW });
    await row.and(page.locator('[aria-selected="true"][aria-expanded="true"]')).waitFor();
    await takeScreenshot(page, 'webhook-created');
  });

  it('is missed in the view and the status bar once it is gone, until it is back', async () => {
    const { page } = workbench();
    const { host, port } = new URL(handler.url);
    const row = tree.rowOf(page, `No server on port ${port}`, { view: VIEW });
    await handler.stop();
    await sendTestEvent();
    const item = page.getByRole('button', { name: `Nothing is listening at ${host}` });
    await item.locator('.codicon-warning').waitFor();
    assert.ok((await readStatusBar(page)).includes(`No server at ${host}`));
    await row.waitFor();
    await takeScreenshot(page, 'listening-unanswered');
    await handler.start();
    await item.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await runCommand(page, 'liveStreams.stopListening');
    await waitUntil(async () => !(await readStatusBar(page)).includes(host));
  });
});
