import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { DemoDelivery } from '../../../../src/demo/demoState.ts';
import { Webhooks } from '../../../../src/model/webhooks/webhooks.ts';
import { type DemoFace, type DemoService, startDemo } from '../../../support/demo/demoService.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { composeRealModel } from '../../../support/model/realModel.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { recordingLog } from '../../api/support.ts';
import { MEDIA_ROOT } from '../../demo/demoFixture.ts';

const SECRET = 'whsec-that-nobody-may-see';
const FORM = { name: 'Site', url: 'https://www.example.com/hook', events: ['stream.started', 'stream.idle'] };

interface OverDemo {
  readonly demo: DemoService;
  readonly webhooks: Webhooks;
  readonly log: ReturnType<typeof recordingLog>;
  readonly store: unknown;
}

/** The model over the demo and a real client. */
function overDemo(face: DemoFace, test: (parts: OverDemo) => Promise<void>) {
  return async () => {
    const [clock, log] = [createTestClock(), recordingLog()];
    const demo = await startDemo({ clock, mediaRoot: MEDIA_ROOT, seed: 1, isLively: false, streamCount: 12, face });
    const model = composeRealModel({ ...demo, clock, log, timeoutMs: 30_000 });
    const webhooks = new Webhooks({ connection: model.connection, store: model.store, clock, log });
    try {
      model.connect();
      await test({ demo, webhooks, log, store: model.store.snapshot });
    } finally {
      webhooks.dispose();
      model.dispose();
      demo.dispose();
    }
  };
}

function makeDeliveries(webhookId: string, count: number): readonly DemoDelivery[] {
  const from = Date.now() - count;
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `delivery-${index}`, webhookId, event: index % 2 ? 'stream.idle' : 'stream.started' },
    ...{ createdAt: from - index, duration: 0.1, success: index % 10 !== 0, resourceId: `stream-${index % 5}` },
    request: {
      url: 'https://a.example/',
      method: 'POST',
      headers: {},
      body: `{"id":"event-${index}","stream":{"id":"stream-${index % 5}"}}`,
    },
  }));
}

for (const face of ['full', 'indifferent'] as const) {
  describe(`Webhooks over HTTP (${face})`, () => {
    it(
      'are created, changed, filtered, resent, and deleted',
      overDemo(face, async ({ demo, webhooks }) => {
        const { id } = await webhooks.create({ ...FORM, sharedSecret: SECRET, streamId: 'some-stream' });
        const changed = await webhooks.change(id, { name: 'Other', streamId: 'other-stream' });
        assert.deepEqual([changed.name, changed.streamId], ['Other', 'other-stream']);
        await assert.rejects(webhooks.change(id, { streamId: null }), { reason: 'rejected' });
        demo.control.setDeliveries(id, makeDeliveries(id, 120));
        await webhooks.openDeliveries(id);
        await webhooks.refresh();
        const rows = () => webhooks.state.deliveries.get(id);
        assert.equal(rows()?.items.length, face === 'full' ? 50 : 120);
        await webhooks.setFilter(id, { failedOnly: true, event: 'stream.started', streamId: 'stream-0' });
        assert.deepEqual(
          fieldsOf(rows()?.items, 'id'),
          Array.from({ length: 12 }, (_, n) => `delivery-${n * 10}`),
        );
        assert.equal(rows()?.hasNextPage, false);
        const sent = await webhooks.resend(id, 'delivery-1');
        const details = await webhooks.readDelivery(id, sent.id);
        assert.equal(details.request?.body, '{"id":"event-1","stream":{"id":"stream-1"}}');
        assert.equal(sent.eventId, 'event-1', 'the same event');
        assert.match(details.request?.headers['Livepeer-Signature'] ?? '', /^t=\d+,v1=[0-9a-f]{64}$/);
        await webhooks.delete(id);
        await assert.rejects(webhooks.readDelivery(id, sent.id), { reason: 'notFound' });
      }),
    );
  });
}

describe('Webhooks over HTTP', () => {
  it(
    'are not offered by a service that has only what is stated',
    overDemo('strict', async ({ webhooks }) => {
      await webhooks.refresh();
      assert.equal(webhooks.state.isOffered, false);
      await assert.rejects(webhooks.create(FORM), { why: 'notOffered' });
    }),
  );

  it(
    'say in the words of the service what it refused',
    overDemo('full', async ({ webhooks }) => {
      await assert.rejects(webhooks.create({ ...FORM, url: 'ftp://a.example' }), {
        reason: 'rejected',
        detail: '.url should be an http or https URL',
      });
    }),
  );

  it(
    'are 2,000 at most pages of 50, without one twice',
    overDemo('full', async ({ demo, webhooks }) => {
      for (let n = 0; n < 2000; n++) demo.control.addWebhook({ ...FORM, name: `Webhook ${n}`, createdAt: 1 + (n % 3) });
      await webhooks.refresh();
      assert.equal(webhooks.state.webhooks.items.length, 50);
      while (webhooks.state.webhooks.hasNextPage) await webhooks.loadMore();
      assert.equal(new Set(webhooks.state.webhooks.items.map(({ id }) => id)).size, 2001);
      demo.control.clearRequests();
      await webhooks.refresh();
      assert.equal(webhooks.state.webhooks.items.length, 2001);
      assert.ok(demo.control.requests.length <= 4);
    }),
  );

  it(
    'show what happens after a broadcast, from the log of the service',
    overDemo('full', async ({ demo, webhooks }) => {
      const server = createServer((_, response) => void response.writeHead(500).end('<b>broken</b>'));
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
        const { id } = await webhooks.create({ ...FORM, url });
        await webhooks.openDeliveries(id);
        const stream = demo.control.addStream();
        demo.control.startBroadcast(stream.id);
        while (demo.control.deliveries(id).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        await webhooks.refresh();
        const [delivery] = webhooks.state.deliveries.get(id)?.items ?? [];
        assert.deepEqual([delivery?.event, delivery?.statusCode], ['stream.started', 500]);
        assert.equal(delivery?.streamId, stream.id);
        const webhook = webhooks.state.webhooks.items.find((each) => each.id === id);
        assert.equal(webhook?.lastFailure?.response, '<b>broken</b>');
        assert.equal(webhook?.lastFailure?.at, webhook?.lastTriggeredAt);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }),
  );

  it(
    'show their secret nowhere: not in rows, pages, errors, the store, or the log',
    overDemo('full', async ({ demo, webhooks, log, store }) => {
      const echo = Buffer.from(`expected ${SECRET}`).toString('base64');
      const lastFailure = { timestamp: 5, error: `no ${SECRET}`, response: echo, statusCode: 500 };
      const { id } = demo.control.addWebhook({ ...FORM, sharedSecret: SECRET, status: { lastFailure } });
      const [delivery] = makeDeliveries(id, 1);
      assert.ok(delivery);
      const response = { status: 500, statusText: SECRET, body: echo };
      demo.control.setDeliveries(id, [{ ...delivery, response, errorMessage: `was ${SECRET}` }]);
      const seen: unknown[] = [];
      webhooks.onDidChange(() => seen.push(webhooks.state));
      await webhooks.refresh();
      await webhooks.openDeliveries(id);
      seen.push(await webhooks.readDelivery(id, delivery.id), await webhooks.resend(id, delivery.id));
      seen.push(await webhooks.create({ ...FORM, sharedSecret: SECRET }));
      seen.push(await webhooks.change(id, { name: 'Other', sharedSecret: SECRET }));
      const body = JSON.stringify({ errors: [`The secret ${SECRET} is bad`] });
      for (const status of [400, 401, 409, 422, 500]) {
        demo.control.fault(({ method }) => (method === 'GET' ? undefined : { status, body }));
        for (const act of [
          () => webhooks.change(id, { sharedSecret: SECRET }),
          () => webhooks.resend(id, delivery.id),
        ]) {
          const failure = await act().then(
            () => undefined,
            (error: unknown) => error,
          );
          assert.ok(failure instanceof Error);
          seen.push(failure);
        }
      }
      const text = [inspect(seen, { depth: 12, maxArrayLength: null, maxStringLength: null }), ...log.lines].join('\n');
      assert.match(text, /expected …/);
      assert.match(text, /The secret … is bad/);
      assert.ok(!`${text}${inspect(store, { depth: 12 })}`.includes(SECRET));
    }),
  );

  it(
    'keep no bodies of 50,000 deliveries, and one page when the webhook is closed',
    overDemo('full', async ({ demo, webhooks }) => {
      const { id } = demo.control.addWebhook(FORM);
      demo.control.setDeliveries(id, makeDeliveries(id, 50_000));
      await webhooks.openDeliveries(id);
      const rows = () => webhooks.state.deliveries.get(id);
      for (let page = 0; page < 20; page++) await webhooks.loadMoreDeliveries(id);
      assert.equal(new Set(rows()?.items.map((each) => each.id)).size, 21 * 50);
      for (const row of rows()?.items ?? []) assert.ok(JSON.stringify(row).length < 400);
      webhooks.closeDeliveries(id);
      assert.equal(rows()?.items.length, 50);
    }),
  );
});
