import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoDelivery } from '../../../src/demo/demoState.ts';
import type { Disposable } from '../../../src/util/disposable.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { errorsOf, type Fixture, field, filters, withDemo } from './demoFixture.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Handler extends Disposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** A handler on this computer that gives these statuses, the last one for good; 0: no response. */
async function startHandler(...statuses: readonly number[]): Promise<Handler> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = statuses[received.length] ?? statuses.at(-1) ?? 200;
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (status !== 0) response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(5000));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/hook`,
    received,
    dispose() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function logOf({ rows }: Fixture, id: string, query = ''): Promise<readonly DemoDelivery[]> {
  return (await rows(`/webhook/${id}/log${query}`)) as unknown as readonly DemoDelivery[];
}

const PAYLOADS: Readonly<Record<string, readonly string[]>> = {
  'recording.started': ['session'],
  'recording.waiting': ['session'],
  'recording.ready': ['recordingUrl', 'mp4Url', 'session'],
};
const EVENTS = ['stream.started', 'stream.idle', 'recording.started', 'recording.waiting', 'recording.ready'];

function withHandler(statuses: readonly number[], test: (fixture: Fixture, handler: Handler) => Promise<void>) {
  return withDemo({ streamCount: 0 }, async (fixture) => {
    const handler = await startHandler(...statuses);
    try {
      await test(fixture, handler);
    } finally {
      handler.dispose();
    }
  });
}

describe('The webhooks of the demo', () => {
  it(
    'are created, read, changed, and deleted, with the secret in the clear',
    withDemo({}, async ({ call, row, rows }) => {
      const form = { name: 'Site', url: 'https://site.example/hook', events: ['stream.idle'], streamId: 's' };
      const created = await call('/webhook', { method: 'POST', body: JSON.stringify(form) });
      assert.equal(created.status, 201);
      const { id, sharedSecret } = JSON.parse(created.text);
      assert.match(sharedSecret, /^[0-9a-f-]{36}$/);
      const patch = (fields: object) => call(`/webhook/${id}`, { method: 'PATCH', body: JSON.stringify(fields) });
      assert.equal((await patch({ name: 'Other', streamId: 'other' })).status, 204);
      assert.equal((await patch({ streamId: null })).status, 422);
      const forAll = { ...form, streamId: null };
      assert.equal((await call('/webhook', { method: 'POST', body: JSON.stringify(forAll) })).status, 422);
      const { name, streamId } = await row(`/webhook/${id}`);
      assert.deepEqual([name, streamId], ['Other', 'other']);
      assert.equal((await call(`/webhook/${id}`, { method: 'DELETE' })).status, 204);
      assert.equal((await call(`/webhook/${id}`)).status, 404);
      assert.deepEqual(field(await rows('/webhook'), 'name'), ['Website']);
    }),
  );

  it(
    'refuse what the interface does not name, and URLs that are not of the web, with one entry each',
    withDemo({}, async ({ call }) => {
      const reply = await call('/webhook', { method: 'POST', body: '{"name": 4, "userId": "me"}' });
      assert.equal(reply.status, 422);
      assert.equal(errorsOf(reply).length, 4);
      const body = JSON.stringify({ name: 'a', url: 'file:///etc', events: [] });
      assert.match(errorsOf(await call('/webhook', { method: 'POST', body })).join(), /http or https/);
    }),
  );

  it(
    'are not offered by a service that has only what is stated',
    withDemo({ face: 'strict' }, async ({ call }) => assert.equal((await call('/webhook')).status, 404)),
  );

  it(
    'come with a log of which some deliveries failed, in pages and with filters',
    withDemo({}, async (fixture) => {
      const [webhook] = await fixture.rows('/webhook');
      const id = String(webhook?.id);
      const all = await logOf(fixture, id, '?limit=1000');
      assert.ok(all.length > 10);
      const failed = await logOf(fixture, id, `?limit=1000&${filters({ id: 'success', value: false })}`);
      assert.deepEqual(
        field(failed, 'id'),
        field(
          all.filter(({ success }) => !success),
          'id',
        ),
      );
      assert.ok(failed.length > 0 && failed.length < all.length);
      const order = 'order=createdAt-true%2Cid-true';
      const first = await fixture.call(`/webhook/${id}/log?limit=4&${order}`);
      assert.match(first.headers.link ?? '', /rel="next"/);
      const next = await logOf(fixture, id, `?limit=4&cursor=skip4&${order}`);
      assert.equal(new Set([...JSON.parse(first.text), ...next].map((row) => row.id)).size, 8);
    }),
  );

  it(
    'are told when a recorded broadcast starts, ends, and is ready, each signed with the secret',
    withHandler([200], async (fixture, { url, received }) => {
      const { demo, clock } = fixture;
      const webhook = demo.control.addWebhook({ url, events: EVENTS, sharedSecret: 'of a test' });
      const { id } = demo.control.addStream({ record: true });
      // Requests take real time, and would be given up on as the clock passes 30 s.
      const logged = (count: number) => waitUntil(() => demo.control.deliveries(webhook.id).length === count);
      demo.control.startBroadcast(id);
      await logged(2);
      await clock.advance(10_000);
      demo.control.endBroadcast(id);
      await logged(4);
      await clock.advance(120_000);
      await fixture.row(`/stream/${id}`);
      await logged(5);
      assert.equal(received.length, 5);
      assert.deepEqual(new Set(received.map(({ body }) => JSON.parse(body).event)), new Set(EVENTS));
      for (const { body, headers } of received) {
        const { event, webhookId, stream, payload } = JSON.parse(body);
        assert.deepEqual([webhookId, stream.id, 'streamKey' in stream], [webhook.id, id, false]);
        assert.deepEqual(Object.keys(payload ?? {}), PAYLOADS[event] ?? [], event);
        const hex = createHmac('sha256', 'of a test').update(body).digest('hex');
        assert.match(String(headers['livepeer-signature']), new RegExp(`^t=\\d+,v1=${hex}$`));
      }
      const [last] = await logOf(fixture, webhook.id);
      assert.equal(last?.success, true);
      assert.equal(Buffer.from(last?.response?.body ?? '', 'base64').toString(), 'x'.repeat(1024));
    }),
  );

  it(
    'are told only of their events and of their stream',
    withHandler([200], async ({ demo, clock }, { url }) => {
      const { control } = demo;
      const [one, other] = [control.addStream(), control.addStream()];
      const webhook = control.addWebhook({ url, events: ['stream.idle'], streamId: one.id });
      for (const { id } of [one, other]) {
        control.startBroadcast(id);
        control.endBroadcast(id);
      }
      await waitUntil(() => control.deliveries(webhook.id).length === 1);
      await clock.advance(60_000);
      assert.deepEqual(field(control.deliveries(webhook.id), 'resourceId'), [one.id]);
    }),
  );

  it(
    'are told again after a 5xx, and not after a 4xx or a redirect',
    withHandler([500, 503, 404, 302], async ({ demo, clock }, { url, received }) => {
      const { control } = demo;
      const webhook = control.addWebhook({ url, events: ['stream.started'] });
      const statuses = () => control.deliveries(webhook.id).map(({ response }) => response?.status);
      control.startBroadcast(control.addStream().id);
      const steps = [
        { expected: [500], pause: 5000 },
        { expected: [503, 500], pause: 10_000 },
        { expected: [404, 503, 500], pause: 60_000 },
      ];
      for (const { expected, pause } of steps) {
        await waitUntil(() => statuses().length === expected.length);
        assert.deepEqual(statuses(), expected);
        await clock.advance(pause);
      }
      control.startBroadcast(control.addStream().id);
      await waitUntil(() => statuses().length === 4);
      await clock.advance(60_000);
      assert.equal(received.length, 4);
    }),
  );

  it(
    'are told again if a handler does not answer for 30 seconds',
    withHandler([0, 200], async ({ demo, clock }, { url, received }) => {
      const { control } = demo;
      const webhook = control.addWebhook({ url, events: ['stream.started'] });
      control.startBroadcast(control.addStream().id);
      await waitUntil(() => received.length === 1);
      await clock.advance(30_000);
      await waitUntil(() => control.deliveries(webhook.id).length === 1);
      await clock.advance(5000);
      await waitUntil(() => control.deliveries(webhook.id).length === 2);
      const [second, first] = control.deliveries(webhook.id);
      assert.deepEqual([first?.success, first?.errorMessage, first?.duration], [false, 'No response within 30 s', 30]);
      assert.equal(second?.success, true);
    }),
  );

  it(
    'send a recorded body again to the recorded address',
    withHandler([404, 200], async (fixture, { url, received }) => {
      const { demo, call, clock } = fixture;
      const webhook = demo.control.addWebhook({ url, events: ['stream.started'] });
      demo.control.startBroadcast(demo.control.addStream().id);
      await waitUntil(() => demo.control.deliveries(webhook.id).length === 1);
      const [failed] = demo.control.deliveries(webhook.id);
      await clock.advance(1000);
      const reply = await call(`/webhook/${webhook.id}/log/${failed?.id}/resend`, { method: 'POST' });
      assert.equal(reply.status, 200);
      const { id, success } = JSON.parse(reply.text);
      assert.equal(success, true);
      assert.equal(received[1]?.body, received[0]?.body);
      assert.deepEqual(field(await logOf(fixture, webhook.id), 'id'), [id, failed?.id]);
    }),
  );

  it(
    'say that nothing listens, for all addresses of localhost together',
    withHandler([200], async ({ demo }, handler) => {
      handler.dispose();
      const webhook = demo.control.addWebhook({ url: handler.url, events: ['stream.started'] });
      demo.control.startBroadcast(demo.control.addStream().id);
      await waitUntil(() => demo.control.deliveries(webhook.id).length === 1);
      assert.match(demo.control.deliveries(webhook.id)[0]?.errorMessage ?? '', /ECONNREFUSED/);
    }),
  );

  it(
    'send nothing beyond this computer',
    withDemo({ streamCount: 0 }, async ({ demo }) => {
      const webhook = demo.control.addWebhook({ url: 'http://192.0.2.1/hook', events: ['stream.started'] });
      demo.control.startBroadcast(demo.control.addStream().id);
      await waitUntil(() => demo.control.deliveries(webhook.id).length === 1);
      const [delivery] = demo.control.deliveries(webhook.id);
      assert.equal(delivery?.errorMessage, 'The demo delivers to this computer only');
    }),
  );
});
