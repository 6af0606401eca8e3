import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import type { Delivery, DeliveryDetails } from '../../../src/api/webhooks.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { signBody } from '../../../src/model/webhooks/signature.ts';
import type { DeliveryRows, LocalDelivery } from '../../../src/model/webhooks/state.ts';
import { DeliveryPanel, type DeliveryTarget } from '../../../src/panels/deliveryPanel.ts';
import type { PageEvents } from '../../../src/panels/page.ts';
import { deliveryTab } from '../../../src/panels/tabTitles.ts';
import { Emitter } from '../../../src/util/events.ts';
import type { FromDelivery, ShownDelivery, ToDelivery } from '../../../src/webview/delivery/messages.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { NOW, openConnection } from '../../support/model/builders.ts';
import { fakeLog, fakeUi } from '../../support/model/fakes.ts';
import {
  aDelivery,
  aLocalDelivery,
  aWebhook,
  deliveryDetails,
  deliveryRows,
  webhooksState,
} from '../../support/model/fakeWebhooks.ts';
import { heldClock } from '../../support/model/heldClock.ts';

const KEPT = { kind: 'delivery', connection: 'c1', webhookId: 'hook', id: 'd1' } as const;
const BODY = '{"stream":{"streamKey":"abcd-efgh"}}';
const REQUEST = {
  url: 'https://api.example.com/hook',
  method: 'POST',
  headers: { 'Livepeer-Signature': signBody('whsec-123', BODY, NOW) },
  body: BODY,
};
const FAILED = { id: 'd1', isSuccess: false, statusCode: 500, streamId: 's1', createdAt: NOW };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function openPanel(target: DeliveryTarget, { isConnected = true } = {}) {
  const store = new StreamStore({ clock: heldClock() });
  const connect = () => store.connected(openConnection({ id: 'c1', name: 'Production' }));
  if (isConnected) connect();
  const [ui, log, changes] = [fakeUi(), fakeLog(), new Emitter<void>()];
  const heard: ToDelivery[] = [];
  const ran: (readonly unknown[])[] = [];
  const source: { secret: string | undefined; read: () => Promise<DeliveryDetails> } = {
    secret: undefined,
    read: async () => deliveryDetails({ id: 'd1', request: REQUEST }),
  };
  const [sent, local] = [new Emitter<void>(), { deliveries: [] as readonly LocalDelivery[] }];
  const [resentAgain, resent] = [new Emitter<void>(), new Map<string, DeliveryDetails>()];
  const deliveries = new Map<string, DeliveryRows>();
  let isSeen = true;
  let events: PageEvents<FromDelivery> | undefined;
  const panel = new DeliveryPanel(target, {
    ...{ store, ui, log, title: deliveryTab('stream.idle'), keep: () => void ran.push(['keep']) },
    drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    loadWebhooks: async () => ({
      webhooks: {
        readDelivery: () => source.read(),
        onDidChange: resentAgain.event,
        state: { ...webhooksState({ webhooks: [aWebhook()] }), resent, deliveries },
      },
      webhookSecrets: { of: async () => source.secret, onDidChange: changes.event },
      eventListener: {
        get deliveries() {
          return local.deliveries;
        },
        onDidChange: sent.event,
      },
    }),
    makePage(given) {
      events = given;
      return {
        get isSeen() {
          return isSeen;
        },
        title: '',
        reveal: () => void ran.push(['reveal']),
        send: (message) => void heard.push(message as ToDelivery),
        dispose() {},
      };
    },
    runCommand: async (...command) => void ran.push(command),
  });
  const opened = {
    ...{ panel, ui, log, heard, ran, source, connect, store },
    page: (): ShownDelivery =>
      heard.flatMap((said) => (said.kind === 'show' ? [said.shown] : [])).at(-1) ?? assert.fail('Nothing was shown'),
    async press(act: FromDelivery['act'], attempt?: string) {
      await events?.onSaid({ kind: 'press', act, target: attempt });
      await settled();
    },
    see(isSeenNow: boolean) {
      isSeen = isSeenNow;
      events?.onSeenOrHidden();
    },
    send(delivery: Partial<LocalDelivery>) {
      local.deliveries = [aLocalDelivery(delivery), ...local.deliveries];
      sent.fire();
    },
    resend(delivery: Partial<DeliveryDetails>) {
      resent.set('d1', deliveryDetails({ id: 'r', ...delivery }));
      resentAgain.fire();
    },
    list(delivery: Delivery) {
      deliveries.set('hook', deliveryRows([delivery, ...(deliveries.get('hook')?.items ?? [])]));
      resentAgain.fire();
    },
    async changeSecret(secret: string) {
      source.secret = secret;
      changes.fire();
      await settled();
    },
  };
  return opened;
}

const actsOf = ({ buttons }: ShownDelivery) => buttons.map(({ act }) => act);

describe('The tab of a delivery', () => {
  it('says how it went, and checks the signature once the secret is known', async () => {
    const delivery = deliveryDetails({ id: 'd1', request: REQUEST, isSuccess: false, duration: 1240 });
    const { panel, page, changeSecret } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    assert.match(page().attempts[0]?.text ?? '', /^Failed · 500 · 1.2 s · Today /);
    assert.match(page().signature?.verdict ?? '', /^Not verified/);
    await changeSecret('whsec-123');
    assert.deepEqual(
      [page().signature?.tone, page().signature?.verdict.slice(0, 22)],
      ['good', 'The signature is valid'],
    );
    await changeSecret('whsec-999');
    assert.equal(page().signature?.tone, 'failed');
  });

  it('is told the secret that its handler uses on the page, without a change of the webhook', async () => {
    const delivery = deliveryDetails({ id: 'd1', webhookId: 'hook', request: REQUEST });
    const { panel, page, press, ran, changeSecret } = await openPanel({ ...KEPT, delivery });
    const acts = () => page().signature?.buttons.map(({ act }) => act);
    await panel.load();
    assert.deepEqual(acts(), ['enterSecret']);
    await press('enterSecret');
    assert.deepEqual(ran, [['editWebhook', { id: 'hook', deliveryId: 'd1' }]]);
    await changeSecret('whsec-123');
    assert.deepEqual(acts(), ['copySignature', 'copyWebhookSecret']);
    await changeSecret('whsec-999');
    assert.deepEqual(acts(), ['copySignature', 'copyWebhookSecret', 'enterSecret'], 'it was changed elsewhere');
  });

  it('asks for no secret of a signature that has the wrong form, or that was made here', async () => {
    const asksFor = async (target: DeliveryTarget) => {
      const { panel, page, changeSecret } = await openPanel(target);
      await panel.load();
      const before = page().signature?.buttons ?? [];
      await changeSecret('whsec-999');
      return [...before, ...(page().signature?.buttons ?? [])].some(({ act }) => act === 'enterSecret');
    };
    const malformed = { ...REQUEST, headers: { 'Livepeer-Signature': 'nothing' } };
    const local = { id: 'local', webhookId: 'hook', request: REQUEST };
    const recorded = aLocalDelivery({ ...local, signature: 'recorded' });
    const here = { ...KEPT, kind: 'localDelivery', id: 'local' } as const;
    assert.equal(await asksFor({ ...KEPT, delivery: deliveryDetails({ id: 'd1', request: malformed }) }), false);
    assert.equal(await asksFor({ ...here, delivery: aLocalDelivery(local) }), false);
    assert.equal(await asksFor({ ...here, delivery: recorded }), true);
  });

  it('loads it again after a reload of the window, once its connection is open', async () => {
    const { panel, page, connect, heard } = await openPanel(KEPT, { isConnected: false });
    await panel.load();
    assert.deepEqual([page().title, page().request], ['stream.idle', undefined]);
    connect();
    await settled();
    await settled();
    assert.equal(page().title, 'stream.started');
    assert.ok(heard.length > 1 && page().request !== undefined);
  });

  it('says that one that was sent from here is gone after a reload', async () => {
    const { panel, page } = await openPanel({ ...KEPT, kind: 'localDelivery', connection: '', webhookId: '' });
    await panel.load();
    assert.match(page().notice?.text ?? '', /aren't kept when the window reloads/);
    assert.deepEqual(actsOf(page()), []);
  });

  it('says why it could not be loaded, and loads it again unless it is gone', async () => {
    const { panel, page, press, source } = await openPanel(KEPT);
    const { read } = source;
    source.read = () => Promise.reject(new ApiError('network', 'No network'));
    await panel.load();
    assert.deepEqual(actsOf(page()), ['retry']);
    source.read = () => Promise.reject(new ApiError('notFound', 'Gone'));
    await press('retry');
    assert.deepEqual(
      [page().notice?.text, actsOf(page())],
      ['This delivery is no longer in the log of its webhook.', []],
    );
    source.read = read;
    await press('retry');
    assert.equal(page().notice, undefined);
  });

  it('says how its last replay to this computer went', async () => {
    const { panel, page, send } = await openPanel({
      ...KEPT,
      delivery: deliveryDetails({ id: 'd1', request: REQUEST }),
    });
    await panel.load();
    const request = { ...REQUEST, url: 'http://localhost:3000/api/webhook?key=secret' };
    send({ replayOf: 'd2', isSuccess: true });
    assert.equal(page().attempts.length, 1, 'of another delivery');
    send({ replayOf: 'd1', request, isSuccess: false, statusCode: 404, duration: 12 });
    assert.equal(page().attempts[0]?.tone, 'failed');
    assert.match(page().attempts[0]?.text ?? '', /^Replayed to localhost:3000\/api\/webhook · Failed · 404 · 12 ms · /);
    assert.match(page().attempts[0]?.meaning ?? '', /^The server has no route for this path/);
    send({ replayOf: 'd1', request, isSuccess: true, statusCode: 200, duration: 9 });
    assert.deepEqual([page().attempts[0]?.tone, page().attempts[0]?.meaning], ['good', undefined]);
    assert.match(page().attempts[0]?.text ?? '', / · Delivered · 200 · 9 ms · /);
  });

  it('says how a delivery that the service sent again went, and what came last', async () => {
    const { panel, page, send, resend } = await openPanel({
      ...KEPT,
      delivery: deliveryDetails({ id: 'd1', request: REQUEST }),
    });
    await panel.load();
    send({ replayOf: 'd1', createdAt: NOW - 2, request: REQUEST, isSuccess: false, statusCode: 500 });
    resend({ isSuccess: true, statusCode: 200, duration: 16, createdAt: NOW - 1 });
    assert.equal(page().attempts[0]?.tone, 'good');
    assert.match(page().attempts[0]?.text ?? '', /^Resent · Delivered · 200 · 16 ms · /);
    send({ replayOf: 'd1', createdAt: NOW, request: REQUEST, isSuccess: true, statusCode: 200 });
    assert.match(
      page()
        .attempts.map(({ text }) => text)
        .join(),
      /^Replayed to .*,Resent · Delivered · 200/,
    );
  });

  it('keeps its buttons in place when it is sent again, and none stands out once it was delivered', async () => {
    const { panel, page, resend, send } = await openPanel({
      ...KEPT,
      delivery: deliveryDetails({ ...FAILED, request: REQUEST }),
    });
    await panel.load();
    const before = actsOf(page());
    assert.deepEqual([before[0], page().isDone], ['resendDelivery', false]);
    const after = [...before, 'replayElsewhere'];
    send({ replayOf: 'd1', createdAt: NOW, request: REQUEST, isSuccess: true });
    assert.deepEqual([actsOf(page()), page().isDone], [after, false], 'the webhook has not got it');
    resend({ isSuccess: false, statusCode: 500, createdAt: NOW + 1 });
    assert.deepEqual([actsOf(page()), page().isDone], [after, false]);
    resend({ isSuccess: true, statusCode: 200, createdAt: NOW + 2 });
    assert.deepEqual([actsOf(page()), page().isDone], [after, true]);
    send({ replayOf: 'd1', createdAt: NOW + 3, request: REQUEST, isSuccess: false, statusCode: 500 });
    assert.deepEqual([actsOf(page()), page().isDone], [after, true]);
  });

  it('says that it is over once a resend or a later try of the service delivered it, also in a tab opened later', async () => {
    const delivery = deliveryDetails({ ...FAILED, request: REQUEST });
    const first = await openPanel({ ...KEPT, delivery });
    await first.panel.load();
    assert.match(first.page().attempts[0]?.meaning ?? '', /will try again/);
    assert.deepEqual(
      first.page().attempts.map(({ button }) => button),
      [undefined],
    );
    first.list(aDelivery({ ...FAILED, id: 'd2', createdAt: NOW + 5000, duration: 0 }));
    assert.match(first.page().attempts[0]?.text ?? '', /^Retried · Failed · 500/);
    assert.match(first.page().attempts[0]?.meaning ?? '', /will try again/);
    first.list(
      aDelivery({ ...FAILED, id: 'd3', isSuccess: true, statusCode: 200, createdAt: NOW + 15_000, duration: 0 }),
    );
    assert.match(first.page().attempts[0]?.text ?? '', /^Retried · Delivered · 200/);
    assert.equal(first.page().attempts[0]?.meaning, undefined);
    const second = await openPanel({ ...KEPT, delivery });
    second.resend({ isSuccess: true, createdAt: NOW + 1 });
    await second.panel.load();
    assert.match(second.page().attempts[0]?.text ?? '', /^Resent · Delivered/);
    assert.equal(second.page().attempts[0]?.meaning, undefined);
    assert.match(second.page().attempts[1]?.text ?? '', /^Failed · 500.* · shown below$/, 'what became of it at first');
  });

  it('says that it is over once its event is listed as delivered, whenever that was', async () => {
    const delivery = deliveryDetails({ ...FAILED, eventId: 'e1', request: REQUEST });
    const { panel, page, list } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    list(aDelivery({ id: 'd2', streamId: 's1', eventId: 'e2', createdAt: NOW + 3 }));
    assert.deepEqual([page().attempts.length, page().isDone], [1, false], 'another event');
    list(aDelivery({ id: 'd3', streamId: 's1', eventId: 'e1', createdAt: NOW + 77_777 }));
    assert.match(page().attempts[0]?.text ?? '', /^Resent · Delivered · 200/);
    assert.deepEqual([page().attempts[0]?.meaning, page().isDone], [undefined, true]);
  });

  it('says which attempt the response is of, how each one went, and opens the others', async () => {
    const delivery = deliveryDetails({ ...FAILED, eventId: 'e1', request: REQUEST });
    const { panel, page, list, resend, send, press, ran } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    assert.deepEqual([page().answers[0]?.heading, page().request?.heading], ['Response', 'Request']);
    list({ ...delivery });
    list(aDelivery({ ...FAILED, id: 'd2', eventId: 'e1', statusCode: 503, createdAt: NOW + 5000 }));
    for (const resent of [8000, 9000].map((ms) => aDelivery({ id: `at ${ms}`, eventId: 'e1', createdAt: NOW + ms }))) {
      list(resent);
      resend(resent);
    }
    const response = { status: 200, statusText: 'OK', body: 'taken' };
    send({ ...{ id: 'l1', replayOf: 'd1', createdAt: NOW + 7000, isSuccess: true }, request: REQUEST, response });
    const { attempts, answers, request } = page();
    assert.deepEqual(
      attempts.map(({ tone }) => tone),
      ['good', 'good', 'good', 'failed', 'failed'],
    );
    assert.deepEqual(
      attempts.map(({ button }) => button?.target),
      ['at 9000', 'at 8000', 'l1', 'd2', undefined],
    );
    for (const { text } of attempts.slice(0, 2)) assert.match(text, /^Resent · Delivered · 200 /);
    assert.match(attempts[3]?.text ?? '', /^Retried · Failed · 503 /);
    assert.match(attempts[4]?.text ?? '', /^Failed · 500 .* · shown below$/);
    const [replayed, first] = answers;
    assert.match(replayed?.heading ?? '', /^Response to Replay · Today /);
    assert.equal(replayed?.body?.text, 'taken');
    assert.match(first?.heading ?? '', /^Response · Today /);
    assert.equal(answers.length, 2);
    assert.match(request?.heading ?? '', /^Request · Today /);
    for (const target of ['at 8000', 'l1', 'other', undefined]) await press('openDelivery', target);
    assert.deepEqual(ran, [
      ['openDelivery', { webhookId: 'hook', id: 'at 8000' }],
      ['openDelivery', { webhookId: '', id: 'l1' }],
    ]);
  });

  it('shows the response to the last resend before that to an earlier replay', async () => {
    const delivery = deliveryDetails({ ...FAILED, request: REQUEST });
    const { page, panel, send, resend } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    const answered = (text: string) => ({ response: { status: 200, statusText: 'OK', body: text } });
    send({ id: 'l1', replayOf: 'd1', createdAt: NOW + 5000, ...answered('replayed') });
    resend({ createdAt: NOW + 7000 });
    const shown = () => page().answers.map(({ heading, body }) => [heading.replace(/ · .*/, ''), body?.text]);
    assert.deepEqual(shown()[0], ['Response to Replay', 'replayed'], 'the service may not say what was answered');
    resend({ createdAt: NOW + 8000, ...answered('resent') });
    assert.deepEqual(shown().slice(0, 2), [
      ['Response to Resend', 'resent'],
      ['Response to Replay', 'replayed'],
    ]);
  });

  it('lists each attempt of what was sent from here, its last replay once, and opens the others', async () => {
    const of = { webhookId: '', eventId: 'e1', streamId: 's1' };
    const delivery = aLocalDelivery({ ...of, id: 'first', isSuccess: false, statusCode: 500, createdAt: NOW });
    const { panel, page, press, ran, send } = await openPanel({
      ...KEPT,
      kind: 'localDelivery',
      id: 'first',
      delivery,
    });
    await panel.load();
    send(delivery);
    send({ ...of, id: 'other', eventId: 'e2', attempt: 2, createdAt: NOW + 5000 });
    assert.deepEqual([page().attempts.length, page().isDone], [1, false], 'of another event');
    const silent = { isSuccess: false, statusCode: undefined, error: 'It took too long.' };
    send({ ...of, ...silent, id: 'second', attempt: 2, createdAt: NOW + 5000 });
    assert.equal(page().attempts[0]?.meaning, 'It took too long.', 'what the last one means');
    send({ ...of, id: 'third', attempt: 3, createdAt: NOW + 15_000 });
    send({ ...of, id: 'replay', replayOf: 'first', createdAt: NOW + 60_000 });
    const { attempts, isDone } = page();
    assert.equal(isDone, true);
    assert.deepEqual(
      attempts.map(({ text, tone }) => [/^\D+(?= · )|^\w+/.exec(text)?.[0], tone]),
      [
        ['Replayed to  · Delivered', 'good'],
        ['Retried · Delivered', 'good'],
        ['Retried · Failed · no response', 'failed'],
        ['Failed', 'failed'],
      ],
    );
    await press('openDelivery', 'third');
    assert.deepEqual(ran.at(-1), ['openDelivery', { webhookId: '', id: 'third' }]);
    const request = { ...REQUEST, url: 'http://localhost:3000/other' };
    send({ ...of, id: 'elsewhere', replayOf: 'first', request, createdAt: NOW + 70_000 });
    assert.deepEqual(
      page()
        .attempts.slice(0, 2)
        .map(({ text }) => text.split(' · ')[0]),
      ['Replayed to localhost:3000/other', 'Replayed to '],
    );
  });

  it('gives seconds where two attempts would have the same time otherwise', async () => {
    const delivery = deliveryDetails({ ...FAILED, eventId: 'e1', request: REQUEST, createdAt: NOW });
    const { panel, page, list } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    const times = () => page().attempts.map(({ text }) => / · (\w+ [\d:]+)(?= ·|$)/.exec(text)?.[1]);
    list(aDelivery({ id: 'd2', eventId: 'e1', createdAt: NOW + 60_000 }));
    assert.deepEqual(times(), ['Today 10:55', 'Today 10:54']);
    list(aDelivery({ ...FAILED, id: 'd3', eventId: 'e1', createdAt: NOW + 5000 }));
    assert.deepEqual(times(), ['Today 10:55:00', 'Today 10:54:05', 'Today 10:54:00']);
    assert.equal(page().answers[0]?.heading, 'Response · Today 10:54:00');
  });

  it('says that what was sent from here isn’t signed with the webhook’s secret, where that isn’t known', async () => {
    const failure = { isSuccess: false, statusCode: 401, response: { status: 401, statusText: '', body: '' } };
    const meaningOf = async (signedBy: string) => {
      const delivery = aLocalDelivery({ ...failure, webhookId: 'hook', signedBy, request: REQUEST });
      const { panel, page } = await openPanel({ ...KEPT, kind: 'localDelivery', delivery });
      await panel.load();
      return page().attempts[0]?.meaning ?? '';
    };
    assert.match(await meaningOf(''), /a handler that uses the webhook's secret can't verify it\./);
    assert.match(await meaningOf('hook'), /usually means that the handler's secret differs/);
  });

  it('says that it is itself a later attempt', async () => {
    const delivery = deliveryDetails({ id: 'd1', eventId: 'e1', request: REQUEST, createdAt: NOW });
    const { panel, page, list } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    list(aDelivery({ ...FAILED, id: 'd0', eventId: 'e1', createdAt: NOW - 5000 }));
    assert.match(page().attempts[0]?.text ?? '', /^Retried · Delivered · .* · shown below$/);
    assert.match(page().attempts[1]?.text ?? '', /^Failed · 500 /);
  });

  it('says what the last attempt means, and not what an earlier one did', async () => {
    const silent = { isSuccess: false, statusCode: undefined, response: undefined, error: 'connection refused' };
    const request = { ...REQUEST, url: 'http://localhost:9/hook' };
    const delivery = deliveryDetails({ ...FAILED, request });
    const { panel, page, resend, send } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    assert.match(page().attempts[0]?.meaning ?? '', /^The handler failed\./);
    resend({ isSuccess: false, statusCode: 401, createdAt: NOW + 1 });
    assert.match(page().attempts[0]?.meaning ?? '', /^The handler rejected the request\..* won't try again\.$/);
    resend({ isSuccess: true, createdAt: NOW + 2 });
    assert.equal(page().attempts[0]?.meaning, undefined);
    send({ ...silent, replayOf: 'd1', createdAt: NOW + 3, request, error: 'Nothing is listening at localhost:9.' });
    assert.equal(page().attempts[0]?.meaning, 'Nothing is listening at localhost:9.');
    const other = await openPanel({ ...KEPT, delivery: deliveryDetails({ ...FAILED, ...silent, request }) });
    other.resend({ isSuccess: false, statusCode: undefined, createdAt: NOW + 1 });
    await other.panel.load();
    assert.match(other.page().attempts[0]?.meaning ?? '', /^Nothing is listening at localhost:9, so/);
  });

  it('hides what was revealed when it is hidden itself', async () => {
    const delivery = deliveryDetails({ request: REQUEST });
    const { panel, page, press, see, send } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    const response = { status: 200, statusText: 'OK', body: `Got ${BODY}` };
    send({ replayOf: 'd1', createdAt: NOW + 1000, request: REQUEST, response });
    assert.match(page().answers[0]?.body?.text ?? '', /^Got /);
    const hasKey = () => JSON.stringify(page()).includes('abcd-efgh');
    assert.equal(hasKey(), false);
    await press('reveal');
    assert.equal(hasKey(), true);
    see(false);
    see(true);
    assert.equal(hasKey(), false);
  });

  it('copies the true bytes, and runs commands on its own IDs alone', async () => {
    const delivery = deliveryDetails({ id: 'd1', request: REQUEST, streamId: 's1' });
    const { panel, press, ui, ran } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    for (const act of ['copyBody', 'copyCurl', 'copySignature'] as const) await press(act);
    assert.equal(ui.seen.copied[0], BODY);
    assert.match(ui.seen.copied[1] ?? '', /^curl .*--data-binary '\{"stream":\{"streamKey":"abcd-efgh"\}\}'$/s);
    assert.equal(ui.seen.copied[2], REQUEST.headers['Livepeer-Signature']);
    for (const act of ['resendDelivery', 'editWebhook', 'showStream'] as const) await press(act);
    const ids = { webhookId: 'hook', id: 'd1', isOnPage: true };
    assert.deepEqual(ran, [['resendDelivery', ids], ['editWebhook', { id: 'hook' }], ['keep'], ['showStream', 's1']]);
  });

  it('names its stream as the delivery does while the stream is not loaded, else by its ID', async () => {
    const names: unknown[] = [];
    for (const streamName of ['Town\nhall', '', undefined]) {
      const delivery = deliveryDetails({ id: 'd1', request: REQUEST, streamId: 's1', streamName });
      const { panel, page } = await openPanel({ ...KEPT, delivery });
      await panel.load();
      names.push(page().links[0]?.button.label);
    }
    assert.deepEqual(names, ['Town hall', 's1', 's1']);
  });

  it('names the webhook that it was delivered to, and edits it, unless that is gone', async () => {
    const links = async (webhookId: string) => {
      const { panel, page } = await openPanel({ ...KEPT, webhookId, delivery: deliveryDetails({ id: 'd1' }) });
      await panel.load();
      return page().links.map(({ label, button }) => [label, button.label, button.act]);
    };
    assert.deepEqual(await links('hook'), [['Webhook', 'Production', 'editWebhook']]);
    assert.deepEqual(await links('other'), []);
  });

  it('names the webhook of what was sent from here only if its secret signed, or it is what its log has', async () => {
    const namesIt = async (parts: Partial<LocalDelivery>) => {
      const delivery = aLocalDelivery({ webhookId: 'hook', request: REQUEST, ...parts });
      const { panel, page } = await openPanel({ ...KEPT, kind: 'localDelivery', delivery });
      await panel.load();
      return page().links.some(({ button }) => button.act === 'editWebhook');
    };
    assert.equal(await namesIt({ signedBy: '' }), false, 'the folder');
    assert.equal(await namesIt({ signedBy: 'hook' }), true);
    assert.equal(await namesIt({ signedBy: '', isOfLog: true }), true);
    assert.equal(await namesIt({ signature: 'recorded', isOfLog: true }), true);
  });

  it('stays as it is while another connection is open, with a way back and what can be copied', async () => {
    const delivery = deliveryDetails({ ...FAILED, webhookId: 'hook', request: REQUEST });
    const { panel, page, store, changeSecret, press, ran } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    await changeSecret('whsec-999');
    store.setConnectionNames([{ id: 'c1', name: 'Production' }]);
    store.connected(openConnection({ id: 'c2', name: 'Other' }));
    const text = 'This item belongs to "Production", which isn\'t the current connection.';
    const buttons = [{ label: 'Switch Connection', act: 'openOwnConnection' }];
    assert.deepEqual(page().notice, { text, isFailure: true, buttons });
    assert.deepEqual([page().title, page().links, actsOf(page())], ['stream.started', [], []]);
    assert.match(page().attempts[0]?.text ?? '', /^Failed · 500/);
    assert.ok(page().request !== undefined);
    assert.deepEqual(fieldsOf(page().signature?.buttons, 'act'), ['copySignature']);
    await press('openOwnConnection');
    assert.deepEqual(ran, [['switchConnection', { connectionId: 'c1' }]]);
  });

  it('says that the key is rejected, and offers to set it in place of a resend', async () => {
    const delivery = deliveryDetails({ ...FAILED, request: REQUEST });
    const { panel, page, store } = await openPanel({ ...KEPT, delivery });
    await panel.load();
    assert.deepEqual([page().notice, actsOf(page())[0]], [undefined, 'resendDelivery']);
    const { connection } = store.snapshot;
    assert.ok('info' in connection);
    store.connected({ kind: 'refused', info: connection.info });
    const buttons = [{ label: 'Set API Key…', act: 'setApiKey' }];
    assert.deepEqual(page().notice, { text: 'The API key was rejected.', isFailure: true, buttons });
    assert.deepEqual(actsOf(page()), ['replayDelivery', 'copyCurl']);
  });

  it('shows what was sent from here with the reason in words, and offers no resend', async () => {
    const error = 'Nothing is listening at localhost:3000. Start your server, then try again.';
    const failure = { isSuccess: false, statusCode: undefined, error, attempt: 2, request: REQUEST };
    const delivery = aLocalDelivery({ ...failure, duration: 30_000 });
    const { panel, page } = await openPanel({ ...KEPT, kind: 'localDelivery', delivery });
    await panel.load();
    assert.equal(page().attempts[0]?.meaning, error);
    assert.equal(page().origin, 'Sent from this computer · attempt 2');
    assert.deepEqual(
      [actsOf(page()), page().answers[0]?.note],
      [['replayDelivery', 'copyCurl', 'replayElsewhere'], 'No response.'],
    );
  });

  const meanings: readonly (readonly [Partial<DeliveryDetails>, RegExp])[] = [
    [{ statusCode: 301 }, /Webhooks don't follow redirects, so use the final URL/],
    [{ statusCode: 403 }, /secret/],
    [{ statusCode: 404 }, /path/],
    [{ statusCode: 422 }, /rejected/],
    [{ statusCode: 500, createdAt: NOW - 1000 }, /will try again/],
    [{ statusCode: 500 }, /Check its log and the response\.$/],
    [{ statusCode: 502 }, /isn't running/],
    [{ statusCode: undefined, error: 'dial tcp: connection refused' }, /Nothing is listening at api\.example\.com/],
    [{ statusCode: undefined, error: 'context deadline exceeded' }, /within 30 seconds/],
    [{ statusCode: undefined, error: 'no such host' }, /wasn't found/],
    [{ statusCode: undefined, error: 'x509: unknown authority' }, /certificate/],
    [{ statusCode: undefined, error: 'EOF' }, /closed without a response/],
    [{ statusCode: undefined, error: undefined, duration: 30_001 }, /within 30 seconds/],
    [{ statusCode: undefined, error: undefined }, /can be reached/],
  ];
  for (const [parts, meaning] of meanings) {
    it(`says what ${parts.statusCode ?? parts.error ?? `no answer after ${parts.duration ?? 120} ms`} means`, async () => {
      const delivery = deliveryDetails({ isSuccess: false, request: REQUEST, ...parts });
      const { panel, page } = await openPanel({ ...KEPT, delivery });
      await panel.load();
      assert.match(page().attempts[0]?.meaning ?? '', meaning);
    });
  }

  it('checks and copies the secret that signed it here, whatever webhook it is of', async () => {
    const delivery = aLocalDelivery({ webhookId: 'hook', signedBy: '', request: REQUEST });
    const { panel, page, press, ran, changeSecret } = await openPanel({ ...KEPT, kind: 'localDelivery', delivery });
    await panel.load();
    await changeSecret('whsec-123');
    assert.equal(page().signature?.tone, 'good');
    await press('copyWebhookSecret');
    await press('editWebhook');
    assert.deepEqual(ran, [
      ['copyWebhookSecret', { id: '' }],
      ['editWebhook', { id: 'hook' }],
    ]);
  });

  it('says nothing of retries of the service if it was sent from here', async () => {
    for (const [statusCode, meaning] of [
      [500, /the response\.$/],
      [422, /why\.$/],
    ] as const) {
      const delivery = aLocalDelivery({ isSuccess: false, request: REQUEST, statusCode });
      const { panel, page } = await openPanel({ ...KEPT, kind: 'localDelivery', webhookId: '', id: 'local', delivery });
      await panel.load();
      assert.match(page().attempts[0]?.meaning ?? '', meaning);
    }
  });

  it('begins with Resend, which is the primary act until the event was delivered', async () => {
    for (const isSuccess of [true, false]) {
      const { panel, page } = await openPanel({ ...KEPT, delivery: deliveryDetails({ isSuccess, request: REQUEST }) });
      await panel.load();
      const others = ['replayDelivery', 'copyCurl'];
      assert.deepEqual(actsOf(page()), ['resendDelivery', ...others]);
      assert.equal(page().isDone, isSuccess);
    }
  });

  it('says what was not recorded, in place of the body', async () => {
    const { panel, page } = await openPanel({ ...KEPT, delivery: deliveryDetails() });
    await panel.load();
    assert.deepEqual(
      [page().request?.note, page().answers[0]?.note, page().signature, actsOf(page())],
      ["The service didn't log this request.", "The response wasn't logged.", undefined, ['resendDelivery']],
    );
  });
});
