import assert from 'node:assert/strict';
import { type Delivery, WEBHOOK_EVENTS, type Webhook } from '../../../../src/api/webhooks.ts';
import { countFailing } from '../../../../src/model/webhooks/failures.ts';
import {
  deliveryDayNode,
  deliveryFilterNode,
  deliveryNode,
  localDeliveryNode,
  thisComputerNode,
  webhookEndNode,
  webhookNode,
} from '../../../../src/model/webhooks/webhookNodes.ts';
import { failingText } from '../../../../src/texts/webhooks.ts';
import { CONTEXT_VALUES } from '../../../../src/tree/contextValues.ts';
import { deliveryHover, drawWebhookRow, type WebhookFacts } from '../../../../src/tree/webhooks/webhookRows.ts';
import { formatClock, formatDateTime } from '../../../../src/util/dates.ts';
import { aSnapshot, aStream, aTrouble, HOUR, MINUTE, NOW, openConnection } from '../../../support/model/builders.ts';
import {
  aDelivery,
  aLocalDelivery,
  aWebhook,
  deliveryDetails,
  deliveryRows,
  webhooksState,
} from '../../../support/model/fakeWebhooks.ts';
import { DRAWING, textOf } from '../drawnTree.ts';

const failure = { at: NOW - 2 * HOUR, error: undefined, statusCode: 500, response: '<h1>Oops</h1>\n\nat line 1\nc\nd' };

function facts(overrides: Partial<WebhookFacts> = {}): WebhookFacts {
  return { state: webhooksState({}), listening: undefined, local: [], snapshot: aSnapshot({}), ...overrides };
}

function webhookRow(webhook: Webhook, deliveries = {}) {
  const state = webhooksState({ webhooks: [webhook], deliveries });
  return drawWebhookRow(facts({ state }), webhookNode(webhook.id), DRAWING);
}

describe('the row of a webhook', () => {
  it('has its name and the host of its URL, and no more of the URL', () => {
    assert.equal(textOf(webhookRow(aWebhook())), 'Production | api.example.com');
    assert.equal(
      textOf(webhookRow(aWebhook({ url: 'https://user:pass@api.example.com:8443/x' }))),
      'Production | api.example.com:8443',
    );
  });

  it('has its ID without a name', () => {
    assert.equal(webhookRow(aWebhook({ name: ' ' })).label, 'hook');
  });

  it('says with which status it failed last, and when, in place of the host', () => {
    const row = webhookRow(aWebhook({ lastFailure: failure, lastTriggeredAt: failure.at }));
    assert.equal(textOf(row), 'Production | 500 · failed 2 h ago');
    assert.match(row.accessibilityLabel, /Production, failing, 500 · failed 2 h ago, api/);
    assert.deepEqual(row.icon, { id: 'error', color: 'liveStreams.failedForeground' });
    assert.equal(row.contextValue, 'webhook.failing');
  });

  it('says how many failed once its deliveries are listed, if it does not fail now', () => {
    const items = [
      aDelivery({ id: 'c', isSuccess: false, createdAt: failure.at }),
      aDelivery({ id: 'b', isSuccess: false, createdAt: NOW - 5 * HOUR }),
      aDelivery({ id: 'a', createdAt: NOW - 9 * HOUR }),
    ];
    const filtered = deliveryRows(items, { filter: { failedOnly: true } });
    const later = deliveryRows([aDelivery({ id: 'd', createdAt: NOW - HOUR }), ...items]);
    const failing = aWebhook({ lastFailure: failure, lastTriggeredAt: failure.at });
    for (const rows of [deliveryRows([]), deliveryRows(items), filtered])
      assert.equal(textOf(webhookRow(failing, { hook: rows })), textOf(webhookRow(failing)));
    const recovered = aWebhook({ lastFailure: failure, lastTriggeredAt: NOW - HOUR });
    for (const rows of [deliveryRows([]), filtered])
      assert.equal(textOf(webhookRow(recovered, { hook: rows })), textOf(webhookRow(recovered)));
    const row = webhookRow(recovered, { hook: later });
    assert.equal(textOf(row), 'Production | 2 failed · api.example.com');
    assert.match(row.accessibilityLabel, /Production, 2 failed, api/);
  });

  it('is counted among those that are failing, for the title of the view', () => {
    const failing = aWebhook({ lastFailure: failure, lastTriggeredAt: failure.at });
    const recovered = aWebhook({ id: 'b', lastFailure: failure, lastTriggeredAt: NOW - HOUR });
    const count = (deliveries = {}) => countFailing(webhooksState({ webhooks: [failing, recovered], deliveries }));
    assert.equal(count(), 1);
    assert.equal(count({ hook: deliveryRows([aDelivery({ createdAt: NOW })]) }), 0);
    assert.equal(failingText(1, DRAWING), '1 failing');
    assert.equal(failingText(0, DRAWING), undefined);
  });

  it('fails with its newest delivery, though the webhook was listed before', () => {
    const failed = aDelivery({ isSuccess: false, statusCode: 404, createdAt: NOW - HOUR });
    const rows = { hook: deliveryRows([failed]) };
    const before = { lastFailure: failure, lastTriggeredAt: NOW - 90 * MINUTE };
    for (const webhook of [aWebhook(), aWebhook(before), aWebhook({ lastTriggeredAt: NOW - 90 * MINUTE })]) {
      const row = webhookRow(webhook, rows);
      assert.equal(textOf(row), 'Production | 404 · failed 1 h ago');
      assert.equal(row.contextValue, 'webhook.failing');
    }
    const later = aWebhook({ lastTriggeredAt: NOW });
    assert.equal(webhookRow(later, rows).contextValue, 'webhook', 'which was listed after it');
  });

  it('says in its tooltip how many of its deliveries failed, once they are known', () => {
    const items = ['a', 'b', 'c'].map((id) => aDelivery({ id, isSuccess: id === 'a', createdAt: NOW - HOUR }));
    const tooltipWith = (rows: ReturnType<typeof deliveryRows>) =>
      webhookRow(aWebhook(), { hook: rows }).tooltip?.().markdown ?? '';
    assert.match(tooltipWith(deliveryRows(items)), /Failed deliveries\\: 2 of 3 since [A-Z][a-z]{2} /);
    assert.doesNotMatch(tooltipWith(deliveryRows(items.slice(0, 1))), /Failed/);
    const filtered = deliveryRows(items.slice(1), { filter: { failedOnly: true } });
    assert.doesNotMatch(tooltipWith(filtered), /Failed/, 'of how many is not known');
  });

  it('counts no failed delivery in its tooltip whose event was delivered later', () => {
    const failed = ['a', 'b', 'c'].map((id) => aDelivery({ id, isSuccess: false, eventId: `e-${id}` }));
    const items = [aDelivery({ id: 'good', createdAt: NOW }), ...failed];
    const recovered = aWebhook({ lastFailure: failure, lastTriggeredAt: NOW });
    const again = aDelivery({ id: 'again', eventId: 'e-a', createdAt: NOW });
    const resentElsewhere = webhookRow(recovered, { hook: deliveryRows([again, ...items]) });
    assert.match(resentElsewhere.tooltip?.().markdown ?? '', /Failed deliveries\\: 2 of 5/);
    const known = webhooksState({ webhooks: [recovered], deliveries: { hook: deliveryRows(items) } });
    const resent = new Map(failed.map(({ id }) => [id, deliveryDetails({ id: `${id}-again` })]));
    const settled = drawWebhookRow(facts({ state: { ...known, resent } }), webhookNode('hook'), DRAWING);
    assert.doesNotMatch(settled.tooltip?.().markdown ?? '', /Failed deliveries/);
  });

  it('has links in its tooltip that edit it, send an event, and copy its secret, and no others for an ID that is none', () => {
    const links = webhookRow(aWebhook()).tooltip?.().links ?? [];
    assert.deepEqual(
      links.map(({ title, command, id }) => [title, command, id]),
      [
        ['Edit Webhook…', 'editWebhook', 'hook'],
        ['Send Test Event', 'sendTestEvent', 'hook'],
        ['Copy Secret', 'copyWebhookSecret', 'hook'],
      ],
    );
    assert.deepEqual(webhookRow(aWebhook({ id: 'a)b' })).tooltip?.().links, []);
  });

  it('is not failing once something was delivered after the last failure', () => {
    const row = webhookRow(aWebhook({ lastFailure: failure, lastTriggeredAt: NOW - HOUR }));
    assert.equal(row.contextValue, 'webhook');
    assert.deepEqual(row.icon, { id: 'globe' });
    assert.equal(textOf(row), 'Production | api.example.com');
    assert.match(row.accessibilityLabel, /Production, api/);
    assert.match(row.tooltip?.().markdown ?? '', /Last failure/);
    const delivered = { hook: deliveryRows([aDelivery({ createdAt: NOW })]) };
    assert.equal(
      webhookRow(aWebhook({ lastFailure: failure, lastTriggeredAt: failure.at }), delivered).contextValue,
      'webhook',
    );
  });

  it('has a tooltip with the URL without its query, the events, the stream, and the escaped beginning of the last answer', () => {
    const webhook = aWebhook({
      streamId: 'a',
      lastFailure: failure,
      url: 'https://u:p@api.example.com/live?token=secret#x',
    });
    const snapshot = aSnapshot({ streams: [aStream({ id: 'a', name: 'Keynote [x](y)' })] });
    const row = drawWebhookRow(
      facts({ state: webhooksState({ webhooks: [webhook] }), snapshot }),
      webhookNode('hook'),
      DRAWING,
    );
    const markdown = row.tooltip?.().markdown ?? '';
    const plain = markdown.replaceAll('\\', '');
    assert.match(plain, /https:\/\/api\.example\.com\/live {2}\n/);
    assert.match(plain, /stream\.started/);
    assert.match(plain, /Stream: Keynote/);
    assert.match(plain, /Last failure: .*500/);
    assert.match(plain, /Oops/);
    assert.doesNotMatch(plain, /h1/, 'the words of a page, without its tags');
    const other = aWebhook({ lastFailure: { ...failure, response: 'Expected <b>' } });
    assert.match(webhookRow(other).tooltip?.().markdown ?? '', /Expected \\<b\\>/);
    assert.match(plain, /at line 1/);
    assert.doesNotMatch(plain, /\nd/, 'three lines of the answer');
    assert.doesNotMatch(plain, /secret|u:p/);
    assert.doesNotMatch(markdown, /[^\\]\]\(/);
  });
});

describe('the row of a delivery', () => {
  const rowOf = (delivery = aDelivery()) => {
    const state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows([delivery]) } });
    const snapshot = aSnapshot({ streams: [aStream({ id: 'known', name: 'Keynote\n$(x)' })] });
    return drawWebhookRow(facts({ state, snapshot }), deliveryNode('hook', delivery.id), DRAWING);
  };

  it('names its stream if that is known', () => {
    assert.equal(rowOf(aDelivery({ streamId: 'known' })).description, 'Keynote $(x)');
    assert.equal(rowOf(aDelivery({ streamId: 'unknown' })).description, undefined);
    const sent = aDelivery({ streamId: 'unknown', streamName: 'Town\nhall', event: 'recording.ready' });
    const { description, accessibilityLabel, tooltip } = rowOf(sent);
    assert.equal(description, 'Town hall');
    assert.match(accessibilityLabel, /Town hall/);
    assert.match(tooltip?.()?.markdown ?? '', /Stream\\: Town hall/);
    const renamed = aDelivery({ streamId: 'known', streamName: 'Rehearsal' });
    assert.equal(rowOf(renamed).description, 'Keynote $(x)', 'the name that the view has');
    const nameless = aDelivery({ streamId: 'nameless', streamName: '' });
    assert.equal(rowOf(nameless).description, 'nameless', 'its ID, as in Streams');
  });

  it('has the whole name of its event, which developers search for', () => {
    const words = WEBHOOK_EVENTS.map((event) => rowOf(aDelivery({ event })).label.replace(/^\S+ /, ''));
    assert.deepEqual(words, WEBHOOK_EVENTS);
    const { tooltip, accessibilityLabel } = rowOf(aDelivery({ event: 'recording.ready' }));
    assert.match(tooltip?.()?.markdown ?? '', /^\*\*recording\\\.ready\*\*/);
    assert.match(accessibilityLabel, /recording\.ready/);
  });

  it('has its time, its event, its status if it failed, and its stream, in every state and with a name of any length', () => {
    const clock = (at: number) => formatClock(at, DRAWING) ?? '';
    const time = clock(NOW - 2 * MINUTE);
    assert.equal(textOf(rowOf()), `${time} stream.started`);
    const before = aDelivery({ createdAt: NOW - 24 * HOUR });
    assert.equal(textOf(rowOf(before)), `${clock(NOW - 24 * HOUR)} stream.started`, 'its day is in the row above');
    const streamName = 'Keynote '.repeat(20).trim();
    const failed = aDelivery({ isSuccess: false, statusCode: 500, streamName });
    assert.equal(textOf(rowOf(failed)), `${time} stream.started | 500 · ${streamName}`);
    const silent = aDelivery({ isSuccess: false, statusCode: undefined, streamName });
    assert.equal(textOf(rowOf(silent)), `${time} stream.started | ${streamName} · no response`);
    assert.equal(rowOf().command, 'openDelivery');
  });

  it('is marked if it failed, also to a screen reader', () => {
    const row = rowOf(aDelivery({ isSuccess: false, statusCode: undefined, duration: undefined }));
    assert.deepEqual(row.icon, { id: 'debug-disconnect', color: 'liveStreams.failedForeground' });
    assert.match(row.accessibilityLabel, /failed.*no response/);
    assert.equal(rowOf(aDelivery({ isSuccess: false, statusCode: 500 })).icon?.id, 'error');
  });

  it('is quiet about a failure once its event was delivered, whoever had it sent again', () => {
    const failed = aDelivery({ id: 'a', isSuccess: false, statusCode: 500, eventId: 'e1', streamName: 'Keynote' });
    const rowAmong = (others: readonly Delivery[], resent: readonly Delivery[] = []) => {
      const state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows([...others, failed]) } });
      const known = { ...state, resent: new Map(resent.map((each) => ['a', deliveryDetails(each)])) };
      return drawWebhookRow(facts({ state: known }), deliveryNode('hook', 'a'), DRAWING);
    };
    const again = aDelivery({ id: 'b', eventId: 'e1' });
    const later = rowAmong([again]);
    assert.match(textOf(later), /^\d\d:\d\d stream\.started \| 500 · Keynote · resent$/);
    assert.deepEqual(later.icon, { id: 'error' }, 'not red');
    assert.equal(later.contextValue, 'delivery', 'no icon offers to resend it');
    assert.match(later.tooltip?.().markdown ?? '', /500.*resent/, 'which a narrow view cuts');
    assert.match(later.accessibilityLabel, /failed.*resent/);
    const resent = rowAmong([], [again]);
    assert.equal(textOf(resent), textOf(later), 'a filtered list lacks what was resent from this window');
    assert.equal(resent.accessibilityLabel, later.accessibilityLabel);
    for (const other of [{ eventId: 'e2' }, { eventId: undefined }, { eventId: 'e1', isSuccess: false }]) {
      const row = rowAmong([aDelivery({ id: 'b', ...other })], [aDelivery({ isSuccess: false })]);
      assert.match(textOf(row), /^\d\d:\d\d stream\.started \| 500 · Keynote$/);
      assert.equal(row.contextValue, 'delivery.failed');
      assert.notEqual(row.icon?.color, undefined);
    }
  });

  it('says that it is a resend, whether it was delivered or not, and whoever had it sent again', () => {
    const first = aDelivery({ id: 'a', createdAt: NOW - HOUR, isSuccess: false, statusCode: 500, eventId: 'e1' });
    const rowAfter = (delivery: Delivery, others: readonly Delivery[], isFromHere = false) => {
      const items = [delivery, ...others];
      const state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows(items) } });
      const resent = new Map(isFromHere ? [['a', deliveryDetails(delivery)]] : []);
      return drawWebhookRow(facts({ state: { ...state, resent } }), deliveryNode('hook', delivery.id), DRAWING);
    };
    const again = aDelivery({ id: 'b', eventId: 'e1', streamName: 'Keynote' });
    const row = rowAfter(again, [first]);
    assert.match(textOf(row), /^\d\d:\d\d stream\.started \| Keynote · resend$/);
    assert.match(row.accessibilityLabel, /, resend$/);
    assert.match(row.tooltip?.().markdown ?? '', /· resend/);
    const failed = rowAfter({ ...again, isSuccess: false, statusCode: 500 }, [first]);
    assert.match(textOf(failed), /^\d\d:\d\d stream\.started \| 500 · Keynote · resend$/);
    assert.match(textOf(rowAfter(again, [], true)), /· resend$/, 'a filtered list lacks what was resent');
    for (const other of [
      { ...first, eventId: 'e2' },
      { ...first, createdAt: NOW },
    ])
      assert.match(textOf(rowAfter(again, [other])), /^\d\d:\d\d stream\.started \| Keynote$/);
  });

  it('tells a screen reader the status and the duration', () => {
    const { accessibilityLabel } = rowOf(aDelivery({ streamId: 'known', duration: 1500 }));
    assert.match(
      accessibilityLabel,
      /^Delivery, stream\.started, succeeded, Keynote \$\(x\) · 2 min ago · 200 · 1\.5 s$/,
    );
  });

  it('says in its tooltip when the event comes, and why it failed', () => {
    const delivery = deliveryDetails({ isSuccess: false, error: 'connect ECONNREFUSED', streamId: 'a' });
    const plain = deliveryHover(facts(), delivery, DRAWING, delivery).markdown.replaceAll('\\', '');
    assert.match(plain, /A stream goes live/);
    assert.match(plain, /connect ECONNREFUSED/);
    const when = formatDateTime(delivery.createdAt, DRAWING) ?? '';
    assert.match(when, /:\d\d:\d\d/, 'retries come within seconds');
    assert.ok(plain.includes(`${when} · 2 min ago`), 'a narrow view cuts its time');
  });

  it('has links in its tooltip to its page, and to resend it if it failed', () => {
    const commandsOf = (delivery: Delivery) =>
      deliveryHover(facts(), delivery, DRAWING).links?.map(({ title, command, id }) => [title, command, id]);
    const id = { webhookId: 'hook', id: 'delivery' };
    const show = ['Show Delivery Details', 'openDelivery', id];
    assert.deepEqual(commandsOf(aDelivery()), [show], 'as its menu calls it');
    assert.deepEqual(commandsOf(aDelivery({ isSuccess: false })), [show, ['Resend', 'resendDelivery', id]]);
    assert.deepEqual(commandsOf(aDelivery({ id: 'a)b' })), []);
  });
});

describe('the row of this computer', () => {
  const listening = {
    url: 'http://localhost:3000/api/webhook',
    events: undefined,
    webhookId: undefined,
    since: NOW - MINUTE,
  };

  it('has the port and the path of the local URL while this window listens, and in its tooltip how soon events arrive', () => {
    const row = drawWebhookRow(facts({ listening }), thisComputerNode(), DRAWING);
    assert.equal(textOf(row), 'This Computer | :3000/api/webhook');
    const hoverAt = (refreshInterval: number) =>
      drawWebhookRow(facts({ listening }), thisComputerNode(), { ...DRAWING, refreshInterval }).tooltip?.().markdown;
    assert.match(hoverAt(0) ?? '', /within 15 seconds/);
    assert.match(hoverAt(5) ?? '', /within 15 seconds/, 'those of the log');
    assert.match(hoverAt(60) ?? '', /within 60 seconds/);
    assert.deepEqual(row.tooltip?.().links, [{ title: 'Copy Secret', command: 'copyWebhookSecret', id: '' }]);
    assert.match(row.tooltip?.().markdown.replaceAll('\\', '') ?? '', /localhost:3000\/api\/webhook/);
    const atPort80 = { ...listening, url: 'http://127.0.0.1/hook' };
    assert.equal(
      drawWebhookRow(facts({ listening: atPort80 }), thisComputerNode(), DRAWING).description,
      '127.0.0.1/hook',
    );
    assert.equal(row.contextValue, 'thisComputer.listening');
    assert.equal(textOf(drawWebhookRow(facts(), thisComputerNode(), DRAWING)), 'This Computer | not listening');
  });

  it('names the connection whose events are sent, if there are several', () => {
    const snapshot = aSnapshot({ connection: openConnection({ name: 'Studio' }), connectionCount: 2 });
    const row = drawWebhookRow(facts({ listening, snapshot }), thisComputerNode(), DRAWING);
    assert.equal(row.description, ':3000/api/webhook · Studio');
    assert.match(row.tooltip?.().markdown ?? '', /All events · Studio/);
  });

  it('says in its tooltip why no events are received while the account can not be read, and warns then', () => {
    const snapshot = aSnapshot({ trouble: aTrouble('unauthorized') });
    const row = drawWebhookRow(facts({ listening, snapshot }), thisComputerNode(), DRAWING);
    const tooltip = row.tooltip?.().markdown ?? '';
    assert.match(tooltip, /The API key was rejected/);
    assert.doesNotMatch(tooltip, /arrive/);
    assert.match(tooltip, /Not receiving events/);
    assert.doesNotMatch(tooltip, /Sending events/);
    assert.match(row.accessibilityLabel ?? '', /Not receiving events$/);
    assert.deepEqual(row.icon, { id: 'warning' });
    const good = drawWebhookRow(facts({ listening }), thisComputerNode(), DRAWING);
    assert.deepEqual(good.icon, { id: 'zap', color: 'liveStreams.liveForeground' });
  });

  it('leaves the warning that nothing listens at the URL to the row below, and says in its tooltip what to do', () => {
    const row = drawWebhookRow(facts({ listening: { ...listening, isUnanswered: true } }), thisComputerNode(), DRAWING);
    assert.equal(textOf(row), 'This Computer | :3000/api/webhook');
    assert.deepEqual(row.icon, { id: 'zap' }, 'not green, because no event arrives');
    const tooltip = row.tooltip?.().markdown.replaceAll('\\', '') ?? '';
    assert.match(
      tooltip,
      /Nothing is listening at localhost:3000, so events can't be delivered\. Start your server, or check the host and port\./,
    );
    assert.equal(row.contextValue, 'thisComputer.listening');
  });

  it('looks like a webhook that fails while the handler fails, until it takes an event', () => {
    const rowWith = (...deliveries: readonly Parameters<typeof aLocalDelivery>[0][]) =>
      drawWebhookRow(
        facts({ listening, local: deliveries.map((each) => aLocalDelivery(each)) }),
        thisComputerNode(),
        DRAWING,
      );
    const failed = { isSuccess: false, createdAt: NOW };
    assert.deepEqual(rowWith(failed).icon, { id: 'zap', color: 'liveStreams.failedForeground' });
    assert.match(rowWith(failed).accessibilityLabel ?? '', /, failing$/);
    for (const row of [
      rowWith({ isSuccess: true, createdAt: NOW }, failed),
      rowWith({ ...failed, createdAt: listening.since - 1 }),
    ]) {
      assert.deepEqual(row.icon, { id: 'zap', color: 'liveStreams.liveForeground' });
      assert.doesNotMatch(row.accessibilityLabel ?? '', /failing/);
    }
  });

  it('has one row for all attempts, with the time of the first and the outcome of the last', () => {
    const failed = { eventId: 'e1', isSuccess: false, statusCode: 500, streamName: 'Keynote' };
    const first = aLocalDelivery({ ...failed, id: 'first', createdAt: NOW - 60_000 });
    const second = aLocalDelivery({ ...failed, id: 'second', attempt: 2, createdAt: NOW });
    const draw = (...local: WebhookFacts['local']) =>
      drawWebhookRow(facts({ local }), localDeliveryNode('first'), DRAWING);
    const once = draw(first);
    const unsettled = draw(second, first);
    assert.match(textOf(unsettled), /^\d\d:\d\d stream\.started \| 500 · Keynote · attempt 2$/);
    assert.equal(unsettled.label, once.label);
    assert.match(unsettled.tooltip?.().markdown ?? '', /attempt 2/);
    assert.equal(unsettled.icon?.color, 'liveStreams.failedForeground');
    const settled = draw(aLocalDelivery({ eventId: 'e1', id: 'third', attempt: 3 }), second, first);
    assert.match(textOf(settled), /\| attempt 3$/);
    assert.deepEqual([settled.icon, settled.contextValue], [{ id: 'pass' }, 'localDelivery']);
    const ofOther = draw(aLocalDelivery({ eventId: 'e2', id: 'third', attempt: 3 }), first);
    assert.equal(textOf(ofOther), textOf(once));
  });

  it('has replays that say so, and failures that a replay has settled', () => {
    const failed = { isSuccess: false, statusCode: undefined };
    const original = aLocalDelivery({ id: 'original', ...failed });
    const replay = aLocalDelivery({ id: 'again', replayOf: 'original' });
    const draw = (local: WebhookFacts['local']) =>
      drawWebhookRow(facts({ local }), localDeliveryNode('original'), DRAWING);
    const settled = draw([replay, original]);
    assert.match(textOf(settled), /\| no response · replayed$/);
    assert.deepEqual([settled.icon, settled.contextValue], [{ id: 'debug-disconnect' }, 'localDelivery']);
    assert.match(settled.tooltip?.().markdown ?? '', /replayed/);
    const unsettled = draw([{ ...replay, ...failed }, original]);
    assert.match(textOf(unsettled), /\| no response$/);
    assert.equal(unsettled.icon?.color, 'liveStreams.failedForeground');
    const again = drawWebhookRow(facts({ local: [replay, original] }), localDeliveryNode('again'), DRAWING);
    assert.match(textOf(again), /\| replay/);
    assert.match(again.tooltip?.().markdown ?? '', /· replay/);
  });
});

describe('the other rows of webhooks', () => {
  it('say what is filtered, and what failed', () => {
    const filter = { failedOnly: true, event: 'stream.idle', streamId: 'a' };
    const state = webhooksState({
      deliveries: { hook: deliveryRows([], { filter, trouble: aTrouble('network') }) },
    });
    const all = facts({ state, snapshot: aSnapshot({ streams: [aStream({ id: 'a', name: 'Keynote' })] }) });
    const filterRow = drawWebhookRow(all, deliveryFilterNode('hook'), DRAWING);
    assert.equal(filterRow.label, 'Failed · stream.idle · Keynote', 'its icon says that it is a filter');
    assert.equal(filterRow.accessibilityLabel, 'Filtered: Failed · stream.idle · Keynote');
    assert.equal(filterRow.tooltip?.().markdown.replaceAll('\\', ''), filterRow.accessibilityLabel);
    assert.equal(drawWebhookRow(all, webhookEndNode('empty', 'hook'), DRAWING).label, 'No matching deliveries');
    assert.equal(textOf(drawWebhookRow(all, webhookEndNode('retry', 'hook'), DRAWING)), 'Retry | not reachable');
  });

  it('have context values that menus know', () => {
    const state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows([aDelivery()]) } });
    const nodes = [
      ...[webhookNode('hook'), webhookNode('gone'), deliveryNode('hook', 'delivery'), deliveryNode('hook', 'gone')],
      ...[thisComputerNode(), localDeliveryNode('gone'), deliveryFilterNode('hook'), deliveryDayNode('hook', 1)],
      ...(['more', 'retry', 'empty', 'loading'] as const).map((end) => webhookEndNode(end, 'hook')),
    ];
    for (const node of nodes) {
      const { contextValue } = drawWebhookRow(facts({ state }), node, DRAWING);
      assert.ok(CONTEXT_VALUES.includes(contextValue), contextValue);
    }
  });
});
