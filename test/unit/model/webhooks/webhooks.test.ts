import assert from 'node:assert/strict';
import { Webhooks } from '../../../../src/model/webhooks/webhooks.ts';
import type { HttpRequest, HttpResponse } from '../../../../src/services.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { aStream } from '../../../support/model/builders.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { settle } from '../../../support/model/heldClock.ts';

interface Served {
  readonly id: string;
  readonly createdAt: number;
  readonly [field: string]: unknown;
}

const FORM = { name: 'Site', url: 'https://site.example/hook', events: ['stream.started'] };

/** The model over a service in memory that has webhooks and their logs, the newest first. */
function compose({ pageSize = 50 } = {}) {
  const webhooks: Served[] = [];
  const logs = new Map<string, Served[]>();
  const asked: string[] = [];
  const service = { fault: (_request: HttpRequest): HttpResponse | undefined => undefined };
  const json = (status: number, value: unknown, headers = {}): HttpResponse => ({
    ...{ status, headers: { date: new Date(model.clock.now()).toUTCString(), ...headers } },
    body: new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value)),
  });
  const list = (rows: readonly Served[], query: URLSearchParams) => {
    const [limit, skip] = [Number(query.get('limit') ?? 20), Number((query.get('cursor') ?? 'skip0').slice(4))];
    const page = rows.slice(skip, skip + limit);
    return json(200, page, page.length === limit ? { link: `<x?cursor=skip${skip + limit}>; rel="next"` } : {});
  };
  const answer = ({ method, url, body }: HttpRequest): HttpResponse => {
    const { pathname, searchParams } = new URL(url);
    const [, kind, id = '', part, logId] = pathname.split('/');
    if (kind !== 'webhook') return json(404, {});
    const webhook = webhooks.find((each) => each.id === id);
    if (method === 'POST' && id === '') {
      webhooks.unshift({ id: `new${webhooks.length}`, createdAt: model.clock.now(), ...JSON.parse(body ?? '') });
      return json(201, webhooks[0]);
    }
    if (id === '') return list(webhooks, searchParams);
    if (webhook === undefined) return json(404, {});
    if (part === 'log' && logId === undefined) return list(logs.get(id) ?? [], searchParams);
    if (method === 'POST') return json(200, { ...logs.get(id)?.[0], id: 'again' });
    if (method === 'PATCH') Object.assign(webhook, JSON.parse(body ?? ''));
    if (method === 'DELETE') webhooks.splice(webhooks.indexOf(webhook), 1);
    return method === 'GET' ? json(200, webhook) : json(204, undefined);
  };
  const model = composeModel({
    transport: () => ({
      async send(request) {
        asked.push(`${request.method} ${new URL(request.url).pathname}`);
        const instead = service.fault(request);
        if (instead === undefined) return answer(request);
        return instead.status === 599 ? { ...answer(request), status: 500 } : instead;
      },
    }),
  });
  const { connection, store, clock, log } = model;
  const shown = new Webhooks({ connection, store, clock, log, pageSize });
  model.connect();
  const add = (id: string, fields = {}) => webhooks.unshift({ id, createdAt: webhooks.length + 1, ...FORM, ...fields });
  const deliver = (webhookId: string, id: string, fields = {}) => {
    const log = logs.get(webhookId) ?? [];
    logs.set(webhookId, log);
    log.unshift({ ...{ id, webhookId, event: 'stream.idle', success: true }, createdAt: log.length + 1, ...fields });
  };
  return { ...model, webhooks: shown, service, served: webhooks, asked, add, deliver, json };
}

const ids = (rows: { readonly items: readonly { readonly id: string }[] } | undefined) =>
  rows?.items.map(({ id }) => id);

describe('Webhooks', () => {
  it('ask nothing until they are shown, then at once, and then once a minute until they are hidden', async () => {
    const { webhooks, add, asked, clock } = compose();
    add('a');
    await clock.advance(10 * 60_000);
    assert.deepEqual(asked, []);
    webhooks.setShown(true);
    await settle();
    assert.deepEqual(ids(webhooks.state.webhooks), ['a']);
    add('b');
    await clock.advance(59_000);
    assert.equal(asked.length, 1);
    await clock.advance(1000);
    assert.deepEqual(ids(webhooks.state.webhooks), ['b', 'a']);
    webhooks.setShown(false);
    await clock.advance(10 * 60_000);
    assert.equal(asked.length, 2);
  });

  it('are loaded page by page, and a poll keeps the pages and drops what was deleted elsewhere', async () => {
    const { webhooks, add, served, clock } = compose({ pageSize: 3 });
    for (let n = 1; n <= 7; n++) add(`w${n}`);
    webhooks.setShown(true);
    await settle();
    await webhooks.loadMore();
    await webhooks.loadMore();
    assert.deepEqual(ids(webhooks.state.webhooks), ['w7', 'w6', 'w5', 'w4', 'w3', 'w2', 'w1']);
    assert.equal(webhooks.state.webhooks.hasNextPage, false);
    served.splice(1, 1);
    add('w8');
    await clock.advance(60_000);
    assert.deepEqual(ids(webhooks.state.webhooks), ['w8', 'w7', 'w5', 'w4', 'w3', 'w2', 'w1']);
  });

  it('say when they are tried again after a failure, and how old they are, and are read once the service answers', async () => {
    const { webhooks, service, add, asked, clock, json, store, loader } = compose();
    add('a');
    webhooks.setShown(true);
    await settle();
    assert.equal(webhooks.state.webhooks.loadedAt, undefined, 'while all is well');
    const loadedAt = clock.now();
    service.fault = () => json(500, {});
    await clock.advance(60_000);
    const { trouble, items, ...rest } = webhooks.state.webhooks;
    assert.deepEqual([items.length, rest.loadedAt], [1, loadedAt]);
    const nextTryAt = trouble?.nextTryAt ?? assert.fail();
    assert.ok(nextTryAt > clock.now(), 'not in the past');
    const before = asked.length;
    await clock.advance(nextTryAt - clock.now() - 1);
    assert.equal(asked.length, before);
    await clock.advance(1);
    assert.equal(asked.length, before + 1, 'at that time');
    await loader.refreshActive();
    assert.notEqual(store.snapshot.trouble, undefined);
    service.fault = ({ url }) => (url.includes('/stream') ? json(200, []) : undefined);
    await loader.refreshActive();
    await settle();
    assert.equal(webhooks.state.webhooks.trouble, undefined, 'as soon as the service answers again');
    service.fault = () => json(401, {});
    await webhooks.refresh();
    assert.equal(store.snapshot.connection.kind, 'refused');
    service.fault = ({ url }) => (url.includes('/stream') ? json(200, []) : undefined);
    await loader.refreshActive();
    await settle();
    assert.equal(webhooks.state.webhooks.trouble, undefined, 'as soon as it accepts the key again');
  });

  it('are not offered by a service without them, which is not asked again until a refresh', async () => {
    const { webhooks, service, asked, clock, json, connection } = compose();
    service.fault = () => json(404, {});
    webhooks.setShown(true);
    await settle();
    assert.equal(webhooks.state.isOffered, false);
    const count = asked.length;
    await clock.advance(10 * 60_000);
    webhooks.setShown(false);
    webhooks.setShown(true);
    await settle();
    assert.equal(asked.length, count);
    service.fault = () => undefined;
    connection.account.resetAbilities();
    await settle();
    assert.equal(webhooks.state.isOffered, true);
    assert.equal(webhooks.state.webhooks.trouble, undefined);
  });

  it('keep their rows when a load fails, wait as long as the service says, and never ask after a 401', async () => {
    const { webhooks, add, service, asked, clock, json } = compose();
    add('a');
    webhooks.setShown(true);
    await settle();
    service.fault = () => json(429, {}, { 'retry-after': '600' });
    await clock.advance(60_000);
    assert.deepEqual(ids(webhooks.state.webhooks), ['a']);
    assert.equal(webhooks.state.webhooks.trouble?.error.reason, 'rateLimited');
    await clock.advance(590_000);
    assert.equal(asked.length, 2);
    service.fault = () => json(401, {});
    await clock.advance(60 * 60_000);
    assert.equal(asked.length, 3);
  });

  it('are read at once when they are shown again after their first load failed, but not sooner than they may be', async () => {
    for (const [fault, away, expected] of [
      [{ status: 500 }, 4, 0],
      [{ status: 500 }, 20, 1],
      [{ status: 429, headers: { 'retry-after': '300' } }, 120, 0],
      [{ status: 429, headers: { 'retry-after': '300' } }, 301, 1],
    ] as const) {
      const { webhooks, service, add, asked, clock, json } = compose();
      add('a');
      service.fault = () => json(fault.status, {}, 'headers' in fault ? fault.headers : {});
      webhooks.setShown(true);
      await settle();
      webhooks.setShown(false);
      await clock.advance(away * 1000);
      service.fault = () => undefined;
      asked.length = 0;
      webhooks.setShown(true);
      await settle();
      assert.equal(asked.length, expected, `${fault.status} after ${away} s`);
      if (expected === 0) assert.ok((webhooks.state.webhooks.trouble?.nextTryAt ?? 0) > clock.now(), 'says when');
      else assert.deepEqual(ids(webhooks.state.webhooks), ['a']);
    }
  });

  it('start empty with another connection', async () => {
    const { webhooks, add, connect } = compose();
    add('a');
    webhooks.setShown(true);
    await webhooks.openDeliveries('a');
    webhooks.setShown(false);
    connect('two');
    assert.deepEqual(ids(webhooks.state.webhooks), []);
    assert.equal(webhooks.state.deliveries.size, 0);
  });

  it('show what was created, changed, and deleted at once', async () => {
    const { webhooks, add } = compose();
    add('a', { streamId: 's' });
    webhooks.setShown(true);
    await settle();
    const { id } = await webhooks.create({ ...FORM, name: 'New' });
    assert.deepEqual(ids(webhooks.state.webhooks), [id, 'a']);
    await webhooks.change('a', { name: 'Other', streamId: null });
    const { name, streamId } = webhooks.state.webhooks.items[1] ?? {};
    assert.deepEqual([name, streamId], ['Other', undefined]);
    await webhooks.delete('a');
    await webhooks.refresh();
    assert.deepEqual(ids(webhooks.state.webhooks), [id]);
  });

  it('find what was saved although the service answered 500, and throw what was not', async () => {
    const { webhooks, add, service, json, served } = compose();
    add('a');
    add('b');
    service.fault = ({ method }) => (method === 'GET' ? undefined : json(599, {}));
    assert.equal((await webhooks.create({ ...FORM, name: 'Saved' })).name, 'Saved');
    assert.equal((await webhooks.change('a', { name: 'Changed' })).name, 'Changed');
    await webhooks.delete('b');
    assert.deepEqual(fieldsOf(served, 'name'), ['Saved', 'Changed']);
  });

  it('throw an error of the service after looking three times whether it was saved', async () => {
    const { webhooks, add, service, asked, clock, json } = compose();
    add('a');
    service.fault = ({ method }) => (method === 'GET' ? undefined : json(500, {}));
    const failing = assert.rejects(webhooks.change('a', { name: 'Changed' }), { reason: 'unavailable' });
    await clock.advance(5000);
    await failing;
    assert.deepEqual(asked, ['PATCH /webhook/a', 'GET /webhook/a', 'GET /webhook/a', 'GET /webhook/a']);
  });

  it('lose the row of a webhook that was deleted elsewhere when it is changed or opened', async () => {
    for (const act of ['change', 'open'] as const) {
      const { webhooks, add, served } = compose();
      add('a');
      webhooks.setShown(true);
      await settle();
      served.splice(0);
      if (act === 'open') await webhooks.openDeliveries('a');
      else await assert.rejects(webhooks.change('a', { name: 'x' }), { reason: 'notFound' });
      assert.deepEqual(ids(webhooks.state.webhooks), [], act);
      assert.equal(webhooks.state.deliveries.has('a'), false);
    }
  });
});

describe('The deliveries of a webhook', () => {
  it('are loaded when they are opened, polled while shown and open, and filtered in the window', async () => {
    const { webhooks, add, deliver, clock } = compose();
    add('a');
    deliver('a', 'd1');
    await webhooks.openDeliveries('a');
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), ['d1']);
    webhooks.setShown(true);
    deliver('a', 'd2', { success: false, event: 'stream.started' });
    await clock.advance(60_000);
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), ['d2', 'd1']);
    await webhooks.setFilter('a', { failedOnly: true });
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), ['d2']);
    await webhooks.setFilter('a', { event: 'stream.idle' });
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), ['d1']);
  });

  it('are polled every 15 seconds after their webhook was created, until one appears or for 5 minutes', async () => {
    const { webhooks, deliver, asked, clock } = compose();
    const { id: first } = await webhooks.create(FORM);
    await settle();
    await clock.advance(45_000);
    const log = (id: string) => asked.filter((each) => each === `GET /webhook/${id}/log`).length;
    assert.equal(log(first), 4);
    deliver(first, 'd1');
    await clock.advance(15_000);
    assert.deepEqual(ids(webhooks.state.deliveries.get(first)), ['d1']);
    await clock.advance(600_000);
    assert.equal(log(first), 5);
    const { id: second } = await webhooks.create(FORM);
    await clock.advance(3_600_000);
    assert.deepEqual([log(first), log(second)], [5, 21]);
  });

  it('are polled for nothing where one was resent, or another connection was opened meanwhile', async () => {
    const { webhooks, add, deliver, asked, clock, service, connect } = compose();
    add('a');
    deliver('a', 'old');
    await webhooks.openDeliveries('a');
    const { id } = await webhooks.resend('a', 'old');
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), [id, 'old']);
    const before = asked.length;
    await clock.advance(600_000);
    assert.deepEqual(asked.slice(before), []);
    service.fault = ({ method }) => {
      if (method === 'POST') connect(`after ${asked.length} requests`);
      return undefined;
    };
    await webhooks.create(FORM);
    await webhooks.resend('a', 'old');
    await clock.advance(600_000);
    assert.deepEqual(
      asked.slice(before).map((each) => each.split(' ')[0]),
      ['POST', 'POST'],
    );
    assert.equal(webhooks.state.resent.size, 0);
  });

  it('are awaited where they are shown when their stream goes live or stops, until the view is hidden', async () => {
    const { webhooks, add, deliver, asked, clock, store } = compose();
    add('a', { events: ['stream.idle'], streamId: 's' });
    webhooks.setShown(true);
    await webhooks.openDeliveries('a');
    let requestSeq = 0;
    const polledAfter = async (id: string, isActive: boolean) => {
      const now = clock.now();
      const age = { requestSeq: ++requestSeq, startedAt: now, serverDate: now };
      store.openWriter().read(aStream({ id, isActive, lastSeen: now }), age);
      const before = asked.length;
      await clock.advance(16_000);
      return asked.slice(before);
    };
    for (const [id, isActive] of [
      ['s', true],
      ['other', true],
      ['other', false],
    ] as const) {
      assert.deepEqual(await polledAfter(id, isActive), []);
    }
    await clock.advance(20_000);
    deliver('a', 'd1');
    assert.ok((await polledAfter('s', false)).includes('GET /webhook/a/log'));
    assert.deepEqual(ids(webhooks.state.deliveries.get('a')), ['d1']);
    await polledAfter('s', true);
    await polledAfter('s', false);
    webhooks.setShown(false);
    const count = asked.length;
    await clock.advance(600_000);
    assert.equal(asked.length, count);
  });

  it('remember what came of the last resend of each, until another connection is open', async () => {
    const { webhooks, add, deliver, connect } = compose();
    add('a', { url: 'http://127.0.0.1:3000/hook' });
    deliver('a', 'old');
    await webhooks.refresh();
    assert.equal(webhooks.findAt('localhost:3000/hook')?.id, 'a');
    assert.equal(webhooks.findAt('localhost:3000/other'), undefined);
    let changes = 0;
    webhooks.onDidChange(() => changes++);
    const again = await webhooks.resend('a', 'old');
    assert.deepEqual([webhooks.state.resent.get('old'), changes > 0], [again, true]);
    connect('two');
    assert.equal(webhooks.state.resent.size, 0);
  });

  it('are all reached in pages of 50, and only the first page is kept when the webhook is closed', async () => {
    const { webhooks, add, deliver, asked } = compose();
    add('a');
    for (let n = 0; n < 2000; n++) deliver('a', `d${n}`);
    await webhooks.openDeliveries('a');
    const rows = () => webhooks.state.deliveries.get('a');
    while (rows()?.hasNextPage) await webhooks.loadMoreDeliveries('a');
    assert.equal(new Set(ids(rows())).size, 2000);
    // The last full page announces another, which is empty.
    assert.equal(asked.length, 41);
    webhooks.closeDeliveries('a');
    assert.equal(rows()?.items.length, 50);
    await webhooks.openDeliveries('a');
    await webhooks.loadMoreDeliveries('a');
    assert.equal(new Set(ids(rows())).size, 100);
  });
});
