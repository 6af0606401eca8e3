import assert from 'node:assert/strict';
import type { Webhook } from '../../../../src/api/webhooks.ts';
import type { WebhookNode } from '../../../../src/model/webhooks/webhookNodes.ts';
import type { WebhookFacts } from '../../../../src/tree/webhooks/webhookRows.ts';
import { WebhookTree } from '../../../../src/tree/webhooks/webhookTree.ts';
import { Emitter } from '../../../../src/util/events.ts';
import { aConnection, aSnapshot, aTrouble, DAY, NOW } from '../../../support/model/builders.ts';
import {
  aDelivery,
  aLocalDelivery,
  aWebhook,
  deliveryRows,
  webhooksState,
} from '../../../support/model/fakeWebhooks.ts';
import { settle } from '../../../support/model/heldClock.ts';
import { DRAWING, textOf } from '../drawnTree.ts';

const listening = { url: 'http://localhost:3000/x', events: undefined, webhookId: undefined, since: NOW };

function hold(initial: Partial<WebhookFacts> = {}) {
  const changes = new Emitter<void>();
  let facts: WebhookFacts = {
    ...{ state: webhooksState({}), listening: undefined, local: [], snapshot: aSnapshot({}) },
    ...initial,
  };
  const opened: string[] = [];
  const fired: (readonly string[] | 'root')[] = [];
  const tree = new WebhookTree({
    read: () => facts,
    onDidChange: changes.event,
    drawing: () => DRAWING,
    openDeliveries: async (id) => void opened.push(id),
  });
  tree.onDidChange((nodes) => fired.push(nodes?.map(({ id }) => id) ?? 'root'));
  const draw = async (node?: WebhookNode): Promise<readonly WebhookNode[]> => {
    const rows = await tree.children(node);
    for (const row of rows) tree.row(row);
    return rows;
  };
  return {
    ...{ tree, opened, fired, draw },
    change(next: Partial<WebhookFacts>) {
      facts = { ...facts, ...next };
      changes.fire();
    },
  };
}

const ids = (rows: readonly WebhookNode[]) => rows.map(({ id }) => id);

describe('the tree of webhooks', () => {
  it('has one row for each event that was sent from here and for each replay, however often it was sent', async () => {
    const sent = (id: string, more: Partial<ReturnType<typeof aLocalDelivery>>) => aLocalDelivery({ id, ...more });
    const local = [
      sent('c1', { eventId: 'c', replayOf: 'a3' }),
      sent('a3', { eventId: 'a', attempt: 3 }),
      sent('b2', { eventId: 'b', attempt: 2 }),
      sent('a2', { eventId: 'a', attempt: 2 }),
      sent('b1', { eventId: 'b' }),
      sent('a1', { eventId: 'a' }),
      sent('z2', { eventId: 'z', attempt: 2 }),
      sent('y1', { eventId: 'y', isTest: true, streamName: 'Keynote' }),
      sent('x1', { eventId: 'x', isOfLog: true, event: 'stream.idle', streamName: 'Keynote' }),
      sent('w1', { eventId: 'w', isOfLog: true, event: 'multistream.error' }),
    ];
    const { tree, draw } = hold({ local });
    const [here] = await draw();
    const rows = await draw(here);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['c1', 'b1', 'a1', 'z2', 'y1', 'x1', 'w1'].map((id) => `+thisComputer/${id}`),
    );
    assert.deepEqual(
      rows.map((row) => tree.row(row).description),
      [
        ...['replay', 'attempt 2', 'attempt 3', 'attempt 2'],
        ...['test event · Keynote', 'resend · Keynote', undefined],
      ],
    );
  });

  it('has this computer first while this window listens, or has sent something', async () => {
    const state = webhooksState({ webhooks: [aWebhook()] });
    assert.deepEqual(ids(await hold({ state }).draw()), ['hook']);
    assert.deepEqual(ids(await hold({ state, listening }).draw()), ['+thisComputer', 'hook']);
    assert.deepEqual(ids(await hold({ state, local: [aLocalDelivery()] }).draw()), ['+thisComputer', 'hook']);
  });

  it('waits for its first rows, as long as VS Code shows that it loads', async () => {
    const held = hold({ state: webhooksState({ list: { isLoaded: false } }) });
    let rows: readonly string[] | undefined;
    const drawn = held.draw().then((given) => {
      rows = ids(given);
    });
    held.change({});
    await settle();
    assert.equal(rows, undefined);
    held.change({ state: webhooksState({ webhooks: [aWebhook()] }) });
    await drawn;
    assert.deepEqual(rows, ['hook']);
  });

  it('says at once that it loads where VS Code shows the rows of another connection', async () => {
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()] }) });
    await held.draw();
    const snapshot = aSnapshot({ connection: { kind: 'open', info: aConnection({ id: 'other' }) } });
    held.change({ snapshot, state: webhooksState({ list: { isLoaded: false } }) });
    assert.deepEqual(held.fired, ['root']);
    assert.deepEqual(ids(await held.draw()), ['/+loading']);
  });

  it('ends with Load More, or with Retry, and has no rows where there are none', async () => {
    const rootOf = async (list: object) => ids(await hold({ state: webhooksState({ list }) }).draw());
    assert.deepEqual(await rootOf({ hasNextPage: true }), ['/+more']);
    assert.deepEqual(await rootOf({ trouble: aTrouble('network') }), ['/+retry']);
    assert.deepEqual(await rootOf({}), []);
    assert.deepEqual(
      ids(await hold({ state: webhooksState({ isOffered: false, webhooks: [aWebhook()] }) }).draw()),
      [],
    );
  });

  it('keeps what it has while the key is rejected, offers no retry that cannot help, and another key where it has nothing', async () => {
    const trouble = aTrouble('unauthorized');
    const deliveries = { hook: deliveryRows([aDelivery({ id: 'a' })], { trouble }) };
    const state = webhooksState({ webhooks: [aWebhook()], list: { trouble }, deliveries });
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()], deliveries }) });
    await held.draw();
    const snapshot = aSnapshot({ connection: { kind: 'refused', info: aConnection() }, trouble });
    held.change({ state, snapshot });
    assert.deepEqual(held.fired, []);
    const [hook, ...others] = await held.draw();
    assert.deepEqual([hook?.id, others], ['hook', []]);
    assert.deepEqual(ids(await held.draw(hook)), ['hook/a']);
    const unread = hold({ state: webhooksState({ list: { isLoaded: false, trouble } }), snapshot });
    const notices = await unread.draw();
    assert.deepEqual(ids(notices), ['+keyRefused']);
    const { label, description, command, tooltip } = unread.tree.row(notices[0] ?? assert.fail());
    assert.deepEqual([label, description, command], ['Set API Key…', 'key rejected', 'setApiKey']);
    assert.match(tooltip?.().markdown ?? '', /^The API key was rejected/);
  });

  it('offers a retry while the service fails where it has nothing, also before its own list has failed', async () => {
    const snapshot = aSnapshot({ trouble: aTrouble('network') });
    const filled = hold({ state: webhooksState({ webhooks: [aWebhook()], list: { hasNextPage: true } }), snapshot });
    assert.deepEqual(ids(await filled.draw()), ['hook', '/+more']);
    const held = hold({ state: webhooksState({}), snapshot });
    const rows = await held.draw();
    assert.deepEqual(ids(rows), ['/+retry']);
    const retry = held.tree.row(rows[0] ?? assert.fail());
    assert.deepEqual([retry.label, retry.description, retry.command], ['Retry', 'not reachable', 'retry']);
    assert.match(retry.tooltip?.().markdown ?? '', /^Couldn\\'t reach/);
    const own = hold({ state: webhooksState({ webhooks: [aWebhook()], list: { trouble: aTrouble('network') } }) });
    const [first] = await own.draw();
    assert.equal(own.tree.row(first ?? assert.fail()).description, undefined, 'the message of the view says it');
  });

  it('begins with the reason where deliveries could not be loaded, and has the whole in the hover', async () => {
    const deliveries = { hook: deliveryRows([], { trouble: aTrouble('timeout') }) };
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()], deliveries }) });
    const [hook] = await held.draw();
    const [end] = await held.draw(hook);
    const { label, description, tooltip, accessibilityLabel } = held.tree.row(end ?? assert.fail());
    assert.deepEqual([label, description], ['Retry', 'not responding']);
    assert.match(tooltip?.().markdown ?? '', /took too long/);
    assert.match(accessibilityLabel, /took too long/);
  });

  it('is expanded if it is the only one, so that failed deliveries are seen at once', async () => {
    const expansion = async (webhooks: readonly Webhook[], list: object = {}) => {
      const held = hold({ state: webhooksState({ webhooks, list }) });
      const rows = (await held.draw()).filter(({ kind }) => kind === 'webhook');
      return rows.map((row) => held.tree.row(row).collapsible);
    };
    assert.deepEqual(await expansion([aWebhook()]), ['expanded']);
    assert.deepEqual(await expansion([aWebhook(), aWebhook({ id: 'b' })]), ['collapsed', 'collapsed']);
    assert.deepEqual(await expansion([aWebhook()], { hasNextPage: true }), ['collapsed']);
  });

  it('loads the deliveries of a webhook that is expanded, and shows them below the filter', async () => {
    const rows = deliveryRows([aDelivery({ id: 'b' }), aDelivery({ id: 'a' })], {
      filter: { failedOnly: true },
      hasNextPage: true,
    });
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()], deliveries: { hook: rows } }) });
    const [hook] = await held.draw();
    assert.deepEqual(ids(await held.draw(hook)), ['hook/+filter', 'hook/b', 'hook/a', 'hook/+more']);
    assert.deepEqual(held.opened, ['hook']);
  });

  it('has deliveries below their days, which can be collapsed, also of this computer, and no days if all are of today', async () => {
    const items = [
      aLocalDelivery({ id: 'c', createdAt: NOW }),
      aLocalDelivery({ id: 'b', createdAt: NOW - 1.5 * DAY }),
      aLocalDelivery({ id: 'a', createdAt: NOW - 1.6 * DAY }),
    ];
    const state = webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows(items) } });
    const held = hold({ state, local: items });
    for (const list of await held.draw()) {
      const [today = assert.fail(), earlier = assert.fail(), ...rest] = await held.draw(list);
      assert.deepEqual([today.kind, earlier.kind, rest], ['deliveryDay', 'deliveryDay', []]);
      const { label, collapsible } = held.tree.row(earlier);
      assert.deepEqual([label, collapsible], ['Wed, Nov 18', 'expanded']);
      assert.deepEqual(ids(await held.draw(today)), [`${list.id}/c`]);
      const rows = await held.draw(earlier);
      assert.deepEqual(ids(rows), [`${list.id}/b`, `${list.id}/a`]);
      const last = rows[1] ?? assert.fail();
      assert.match(textOf(held.tree.row(last)), /^\d\d:\d\d stream\.started$/);
      assert.deepEqual([held.tree.parent(earlier), held.tree.parent(last)], [list, earlier]);
    }
    const ofToday = hold({ state, local: items.slice(0, 1) });
    const [thisComputer] = await ofToday.draw();
    assert.deepEqual(ids(await ofToday.draw(thisComputer)), ['+thisComputer/c']);
  });

  it('redraws the day of a new delivery, and the whole list where a day is new', async () => {
    const old = aDelivery({ id: 'a', createdAt: NOW - 2 * DAY });
    const state = (...deliveries: ReturnType<typeof aDelivery>[]) =>
      webhooksState({ webhooks: [aWebhook()], deliveries: { hook: deliveryRows([...deliveries, old]) } });
    const held = hold({ state: state() });
    const [hook] = await held.draw();
    const drawAll = async () => {
      for (const day of await held.draw(hook)) await held.draw(day);
    };
    await drawAll();
    held.change({ state: state(aDelivery({ id: 'b', createdAt: NOW })) });
    assert.deepEqual(held.fired.splice(0), [['hook']]);
    await drawAll();
    const [today] = await held.draw(hook);
    held.change({ state: state(aDelivery({ id: 'c', createdAt: NOW }), aDelivery({ id: 'b', createdAt: NOW })) });
    assert.deepEqual(held.fired, [[today?.id]]);
  });

  it('redraws a webhook with its deliveries when one is new, and the one row that changed otherwise', async () => {
    const webhooks = [aWebhook(), aWebhook({ id: 'other' })];
    const state = (...deliveries: ReturnType<typeof aDelivery>[]) =>
      webhooksState({ webhooks, deliveries: { hook: deliveryRows(deliveries) } });
    const held = hold({ state: state(aDelivery({ id: 'a' })) });
    const [hook] = await held.draw();
    await held.draw(hook);
    held.change({ state: state(aDelivery({ id: 'b' }), aDelivery({ id: 'a' })) });
    assert.deepEqual(held.fired.splice(0), [['hook']]);
    await held.draw(hook);
    held.change({ state: state(aDelivery({ id: 'b', createdAt: NOW }), aDelivery({ id: 'a' })) });
    assert.deepEqual(held.fired.splice(0), [['hook/b']]);
    held.change({ state: state(aDelivery({ id: 'b', createdAt: NOW }), aDelivery({ id: 'a' })) });
    assert.deepEqual(held.fired, [['hook/b']], 'as long as VS Code has not drawn it again');
  });

  it('says first below this computer that nothing listens at the URL, until something does', async () => {
    const held = hold({ listening: { ...listening, isUnanswered: true }, local: [aLocalDelivery()] });
    const [here] = await held.draw();
    const [first = assert.fail()] = await held.draw(here);
    const { label, icon, command, accessibilityLabel, tooltip } = held.tree.row(first);
    assert.deepEqual([label, icon?.id, command], ['No server on port 3000', 'warning', 'listenForEvents']);
    assert.match(
      accessibilityLabel,
      /^Nothing is listening at localhost:3000, so events can't be delivered\. Start your server/,
    );
    assert.match(tooltip?.().markdown ?? '', /Start your server/);
    held.change({ listening });
    assert.deepEqual(held.fired, [['+thisComputer']]);
    assert.deepEqual(ids(await held.draw(here)), ['+thisComputer/local']);
  });

  it('says below this computer only that nothing listens as long as there are no deliveries', async () => {
    const held = hold({ listening: { ...listening, isUnanswered: true }, local: [] });
    const labels = async () => {
      const [here] = await held.draw();
      return (await held.draw(here)).map((row) => held.tree.row(row).label);
    };
    assert.deepEqual(await labels(), ['No server on port 3000']);
    held.change({ listening });
    assert.deepEqual(await labels(), ['No deliveries yet']);
  });

  it('redraws all when a webhook comes or goes, and for another connection', async () => {
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()] }) });
    const [before] = await held.draw();
    held.change({ state: webhooksState({ webhooks: [aWebhook(), aWebhook({ id: 'new' })] }) });
    assert.deepEqual(held.fired.splice(0), ['root']);
    await held.draw();
    held.change({ snapshot: aSnapshot({ connection: { kind: 'open', info: aConnection({ id: 'second' }) } }) });
    assert.deepEqual(held.fired, ['root']);
    assert.deepEqual(await held.draw(before), [], 'a row of the connection before has nothing below it');
  });

  it('keeps the same node for a row, and knows its parent', async () => {
    const rows = deliveryRows([aDelivery({ id: 'a' })]);
    const held = hold({ state: webhooksState({ webhooks: [aWebhook()], deliveries: { hook: rows } }) });
    const [hook] = await held.draw();
    const [delivery] = await held.draw(hook);
    assert.equal((await held.draw())[0], hook);
    assert.equal((await held.draw(hook))[0], delivery);
    assert.equal(delivery && held.tree.parent(delivery), hook);
  });

  it('redraws times that have passed', async () => {
    const state = webhooksState({
      webhooks: [aWebhook()],
      deliveries: { hook: deliveryRows([aDelivery({ id: 'a' })]) },
    });
    const changes = new Emitter<void>();
    let now = NOW;
    const facts = { state, listening: undefined, local: [], snapshot: aSnapshot({}) };
    const tree = new WebhookTree({
      ...{ read: () => facts, onDidChange: changes.event, openDeliveries: async () => {} },
      drawing: () => ({ ...DRAWING, now }),
    });
    const fired: (readonly string[] | undefined)[] = [];
    tree.onDidChange((nodes) => fired.push(nodes?.map(({ id }) => id)));
    const draw = async (node?: WebhookNode): Promise<readonly WebhookNode[]> => {
      const rows = await tree.children(node);
      for (const row of rows) tree.row(row);
      return rows;
    };
    const [hook] = await draw();
    await draw(hook);
    tree.tick();
    assert.deepEqual(fired, []);
    now += DAY;
    tree.tick();
    assert.deepEqual(fired.splice(0), [['hook']]);
    const [day = assert.fail()] = await draw(hook);
    assert.equal(tree.row(day).label, 'Yesterday');
    now += DAY;
    tree.tick();
    assert.deepEqual(fired, [[day.id]]);
  });
});
