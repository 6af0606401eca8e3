import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import type { Delivery, DeliveryDetails } from '../../src/api/webhooks.ts';
import { signBody } from '../../src/model/webhooks/signature.ts';
import { aSnapshot, aStream, NOW, openConnection } from '../support/model/builders.ts';
import { fakeLog, fakeUi } from '../support/model/fakes.ts';
import { aDelivery, aWebhook, deliveryDetails, deliveryRows, webhooksState } from '../support/model/fakeWebhooks.ts';
import {
  buildReportFiles,
  openDeliveryPage,
  type PAGE_THEMES,
  type ReportFiles,
} from '../support/page/deliveryInBrowser.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

const SECRET = 'whsec-1234567';
const KEY = 'abcd-efgh-ijkl-mnop';
const BODY = JSON.stringify({
  ...{ id: 'e1', webhookId: 'hook', createdAt: NOW, timestamp: NOW, event: 'stream.started' },
  stream: { id: 's1', name: 'Keynote', isActive: true, streamKey: KEY, playbackId: 'p1' },
  payload: {},
});

const failed = (more: Partial<DeliveryDetails> = {}): DeliveryDetails =>
  deliveryDetails({
    ...{ isSuccess: false, statusCode: 401, duration: 1240, streamId: 's1', event: 'stream.started' },
    request: {
      url: 'https://user:pw@api.example.com/webhooks/live?token=t0ken',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Livepeer-Signature': signBody(SECRET, BODY, NOW),
        'User-Agent': 'livepeer-studio/1.0',
      },
      body: BODY,
    },
    response: { status: 401, statusText: 'Unauthorized', body: '{"error":"Signature does not match"}' },
    ...more,
  });

/** What somebody may put into every field to break the page. */
const hostile = (): DeliveryDetails => {
  const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  const odd = `\u202e${markup}\u05d0\u05d1 ${'\u0000'} ${'w'.repeat(3000)}`;
  const headers = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at === 0 ? markup : 'X'}-${at}`, odd]));
  return failed({
    event: odd,
    request: { url: `https://a.example/${odd}`, method: odd, headers, body: `${odd}${'<b> '.repeat(1_200_000)}` },
    response: { status: 500, statusText: odd, body: odd.slice(0, 1024) },
    error: odd,
  });
};

describe('The page of a delivery', () => {
  let browser: Browser;
  let files: ReportFiles;
  let page: Page;
  const ui = fakeUi();
  const ran: (readonly unknown[])[] = [];

  before(async () => {
    [browser, files] = await Promise.all([startBrowser('withoutAac'), buildReportFiles()]);
  });
  afterEach(() => page.close());
  after(() => browser.close());

  async function open(
    delivery: DeliveryDetails,
    {
      theme = 'dark',
      width = 900,
      secret = SECRET,
      listed = [],
    }: {
      theme?: keyof typeof PAGE_THEMES;
      width?: number;
      secret?: string | undefined;
      listed?: readonly Delivery[];
    } = {},
  ): Promise<void> {
    ran.length = 0;
    const streams = [aStream({ id: 's1', name: 'Keynote', streamKey: KEY })];
    const connection = openConnection({ id: 'c1', name: 'Production' });
    const store = { snapshot: aSnapshot({ streams, connection }), onDidChange: () => ({ dispose() {} }) };
    page = await openDeliveryPage(browser, {
      ...{ files, theme, width, store, ui, log: fakeLog() },
      target: { kind: 'delivery', connection: 'c1', webhookId: 'hook', id: 'delivery', delivery },
      drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
      loadWebhooks: async () => ({
        webhooks: {
          readDelivery: async () => delivery,
          onDidChange: () => ({ dispose() {} }),
          state: webhooksState({
            webhooks: [aWebhook({ name: 'Website' })],
            deliveries: { hook: deliveryRows(listed) },
          }),
        },
        webhookSecrets: { of: async () => secret || undefined, onDidChange: () => ({ dispose() {} }) },
        eventListener: { deliveries: [], onDidChange: () => ({ dispose() {} }) },
      }),
      runCommand: async (...command) => void ran.push(command),
    });
    await page
      .getByText(/The signature (is|doesn't)|isn't signed|Not verified/)
      .first()
      .waitFor();
  }

  async function accessibilityFaults(): Promise<readonly string[]> {
    await page.evaluate(await readFile(inProject('node_modules/axe-core/axe.min.js'), 'utf8'));
    const found: { violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[] } =
      await page.evaluate('axe.run(document)');
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`),
    );
  }

  const isWide = () => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  for (const theme of ['dark', 'light'] as const) {
    for (const width of [300, 900]) {
      it(`says what failed and why, for everybody: ${theme}, ${width} px wide`, async () => {
        await open(failed(), { theme, width });
        await page.locator('summary').click();
        await takeScreenshot(page, `delivery-${theme}-${width}`);
        assert.equal(await page.locator('pre .nameToken').first().textContent(), '"error"', 'JSON has colors');
        assert.deepEqual(await accessibilityFaults(), []);
        assert.equal(await isWide(), false);
      });
    }
  }

  for (const theme of ['dark', 'light'] as const) {
    it(`begins with all attempts, and opens the others, for everybody: ${theme}`, async () => {
      const listed = [
        aDelivery({ id: 'd3', eventId: 'e1', createdAt: NOW + 30_000 }),
        aDelivery({ id: 'd2', eventId: 'e1', isSuccess: false, statusCode: undefined, createdAt: NOW + 5000 }),
      ];
      await open(failed({ eventId: 'e1', createdAt: NOW }), { theme, width: 300, listed });
      const attempts = page.locator('.about .summary');
      await attempts.nth(2).waitFor();
      await takeScreenshot(page, `delivery-attempts-${theme}`);
      const words = (await attempts.allInnerTexts()).map((text) => text.replace(/ · [\d.]+ m?s · .*\d:\d\d/, ''));
      assert.deepEqual(words, [
        'Resent · Delivered · 200 Show Delivery Details',
        'Resent · Failed · no response Show Delivery Details',
        'Failed · 401 · shown below',
      ]);
      assert.deepEqual(await accessibilityFaults(), []);
      assert.equal(await isWide(), false);
      await page
        .getByRole('button', { name: /^Show Delivery Details/ })
        .nth(1)
        .click();
      await waitUntil(() => ran.length > 0);
      assert.deepEqual(ran.splice(0), [['openDelivery', { webhookId: 'hook', id: 'd2' }]]);
    });
  }

  it('masks secrets until they are revealed, and keeps the focus on the button', async () => {
    await open(failed());
    const text = () => page.locator('main').innerText();
    assert.doesNotMatch(await text(), /abcd-efgh|t0ken|user:pw/);
    await page.getByRole('button', { name: 'Reveal secrets' }).press('Enter');
    await page.getByText(KEY).waitFor();
    assert.match(await text(), /token=t0ken/);
    assert.equal(await page.evaluate('document.activeElement.dataset.act'), 'hide');
    await page.keyboard.press('Enter');
    await page.getByText(KEY).waitFor({ state: 'detached' });
  });

  it('copies what was asked for, and says so on the button', async () => {
    await open(failed());
    const besideOf = () => page.getByRole('button', { name: 'Reveal secrets' }).boundingBox();
    const beside = await besideOf();
    await page.getByRole('button', { name: 'Copy Body' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.deepEqual(await besideOf(), beside, 'nothing moves');
    assert.equal(ui.seen.copied.at(-1), BODY);
  });

  it('runs its commands with the IDs of the delivery and of its stream', async () => {
    await open(failed());
    for (const name of ['Replay to Localhost', 'Show details of "Keynote"']) {
      await page.getByRole('button', { name }).click();
    }
    assert.deepEqual(ran, [
      ['replayDelivery', { webhookId: 'hook', id: 'delivery', isOnPage: true }],
      ['showStream', 's1'],
    ]);
  });

  it('has the buttons of its parts at the same side, however narrow it is', async () => {
    for (const width of [360, 900]) {
      await open(failed(), { width });
      const copy = await page.getByRole('button', { name: 'Copy Signature' }).boundingBox();
      const heading = await page.getByRole('heading', { name: 'Signature' }).boundingBox();
      assert.equal(copy?.x, heading?.x, `at ${width} px`);
      await page.close();
    }
  });

  it('says what was sent, what came back, and whether the signature fits, in this order', async () => {
    await open(failed());
    assert.deepEqual(await page.locator('h2').allTextContents(), ['Response', 'Request', 'Signature']);
  });

  it('folds a long body, which grows with the page once all of it is shown', async () => {
    const names = Array.from({ length: 80 }, (_, at) => `name${at}`);
    const body = JSON.stringify({ streamKey: KEY, names });
    await open(failed({ request: { url: 'https://a.example/', method: 'POST', headers: {}, body } }), { width: 500 });
    const code = page.locator('section', { hasText: 'Request' }).locator('pre');
    const lines = async () => (await code.innerText()).split('\n').length;
    assert.equal(await lines(), 30);
    await page.getByRole('button', { name: 'Show All' }).press('Enter');
    await page.getByText('"name79"').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show All' }).count(), 0);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'PRE', 'the focus is not lost');
    const isCut = 'document.activeElement.scrollHeight > document.activeElement.clientHeight';
    assert.equal(await page.evaluate(isCut), false, 'it does not scroll by itself');
    await page.getByRole('button', { name: 'Reveal secrets' }).click();
    await page.getByText(KEY).waitFor();
    assert.equal(await lines(), 85, 'it stays unfolded');
  });

  it('has one line for a signature that it cannot verify, and one act', async () => {
    await open(failed(), { secret: '' });
    const card = page.locator('section', { hasText: 'Not verified' });
    assert.deepEqual(await card.getByRole('button').allTextContents(), ['Enter Secret…']);
    assert.deepEqual((await card.innerText()).split('\n').filter(Boolean), [
      'Signature',
      "Not verified, because the webhook's secret is unknown. Enter Secret…",
    ]);
  });

  it('shows odd and long input as text, in a page that stays within its width', async () => {
    for (const width of [300, 900]) {
      await open(hostile(), { width });
      await page.locator('summary').click();
      await takeScreenshot(page, `delivery-hostile-${width}`);
      assert.equal(await page.locator('img, main script').count(), 0);
      assert.notEqual(await page.title(), '1');
      assert.equal(await isWide(), false);
      assert.equal(await page.locator('dt').count(), 200);
      if (width === 300) await page.close();
    }
  });
});
