import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import type { DeliveryDetails } from '../../../../src/api/webhooks.ts';
import { readAccountLog } from '../../../../src/model/webhooks/accountLog.ts';
import { checkSignature } from '../../../../src/model/webhooks/signature.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { composeListener, type FakeDeliveryLog, startHandler, until } from './listenerFixture.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('Forwarding from the log of the service', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A window that listens, to the log of webhook w unless another is given. */
  async function listen(
    options: { webhookId?: string; events?: string[]; prepare?: (log: FakeDeliveryLog, now: number) => void } = {},
  ) {
    const handler = await startHandler();
    const window = composeListener();
    const { clock, connect, deliveryLog, listener, poller } = window;
    closing.push(
      () => handler.close(),
      () => poller.dispose(),
      () => listener.dispose(),
    );
    deliveryLog.addWebhook('w');
    options.prepare?.(deliveryLog, clock.now());
    connect();
    const { prepare: _, ...request } = options;
    await listener.start({ url: handler.url, ...request });
    deliveryLog.requests.length = 0;
    /** Logs a delivery now, of an event that happened `age` ago. */
    const log = (id: string, event: string, eventId: string, age = 0, more: Partial<DeliveryDetails> = {}): void => {
      const now = clock.now();
      deliveryLog.add(
        { id, event, createdAt: now, ...more },
        { id: eventId, event, createdAt: now - 100 - age, nonce: id },
      );
    };
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += SECOND) await clock.advance(SECOND);
    };
    const events = () => handler.received.map(({ json }) => `${json.event} ${json.id}`);
    /** Lets what is under way arrive. */
    const arrived = async (...expected: string[]): Promise<void> => {
      await until(() => events().length >= expected.length, expected.join(', '));
      await pass(MINUTE);
      assert.deepEqual(events(), expected);
    };
    return { ...window, handler, log, pass, events, arrived };
  }

  it('sends what the window cannot see itself within 15 seconds, byte for byte, freshly signed', async () => {
    const { deliveryLog, log, pass, handler, arrived, secrets, listener } = await listen();
    log('d1', 'multistream.error', 'e1');
    log('d2', 'asset.ready', 'e2');
    await pass(15 * SECOND);
    await until(() => handler.received.length === 2, 'both');
    await arrived('multistream.error e1', 'asset.ready e2');
    const [first = assert.fail()] = handler.received;
    assert.equal(first.body, deliveryLog.deliveries.find(({ id }) => id === 'd1')?.request?.body);
    assert.equal(
      checkSignature(String(first.headers['livepeer-signature']), first.body, await secrets.ofFolder()),
      'valid',
    );
    assert.deepEqual(fieldsOf(listener.deliveries, 'webhookId', 'isOfLog'), [
      ['w', true],
      ['w', true],
    ]);
  });

  it('sends nothing that was in the log before, and no event that the window sees itself', async () => {
    const { log, arrived } = await listen({
      prepare: (deliveries, now) =>
        deliveries.add({ id: 'd0', event: 'task.failed', createdAt: now - 1 }, { id: 'e0' }),
    });
    for (const event of ['stream.started', 'stream.idle', 'recording.waiting', 'recording.ready'])
      log(`d-${event}`, event, event);
    log('d1', 'recording.waiting', 'held back by the service', 5 * MINUTE);
    await arrived();
  });

  it('sends what somebody resends, whether it was first delivered since or before it began', async () => {
    const { log, pass, arrived } = await listen({
      prepare: (deliveries, now) =>
        deliveries.add(
          { id: 'd0', event: 'stream.idle', createdAt: now - MINUTE },
          { id: 'e0', createdAt: now - MINUTE },
        ),
    });
    log('d1', 'stream.started', 'e1');
    await pass(13 * SECOND);
    log('d2', 'stream.started', 'e1', 13 * SECOND);
    log('d3', 'stream.idle', 'e0', MINUTE + 13 * SECOND);
    log('d4', 'stream.idle', 'older than the log shows', 60 * MINUTE);
    await pass(15 * SECOND);
    await arrived('stream.started e1', 'stream.idle e0', 'stream.idle older than the log shows');
  });

  it('does not send again what the service retries by itself', async () => {
    const { log, pass, arrived } = await listen();
    const failed = { isSuccess: false, statusCode: 500 };
    log('d1', 'asset.ready', 'e1', 0, failed);
    await pass(5 * SECOND);
    log('d2', 'asset.ready', 'e1', 5 * SECOND, failed);
    await pass(10 * SECOND);
    log('d3', 'asset.ready', 'e1', 15 * SECOND, failed);
    await pass(60 * SECOND);
    // At none of the service's pauses, so somebody resent it.
    log('d4', 'asset.ready', 'e1', 75 * SECOND);
    await pass(15 * SECOND);
    await arrived('asset.ready e1', 'asset.ready e1');
  });

  it('sends an event once that several webhooks are sent', async () => {
    const { log, arrived, pass, deliveryLog } = await listen({ prepare: (deliveries) => deliveries.addWebhook('v') });
    log('d1', 'task.completed', 'e1');
    log('d2', 'task.completed', 'e1', 0, { webhookId: 'v' });
    await pass(15 * SECOND);
    await arrived('task.completed e1');
    assert.ok(deliveryLog.requests.includes('log of v'));
  });

  it('reads the log of the chosen webhook alone, and sends the chosen events alone', async () => {
    const { log, arrived, pass, deliveryLog } = await listen({ webhookId: 'w', events: ['task.failed'] });
    log('d1', 'task.failed', 'e1', 0, { webhookId: 'v' });
    log('d2', 'task.completed', 'e2');
    log('d3', 'task.failed', 'e3');
    await pass(15 * SECOND);
    await arrived('task.failed e3');
    assert.deepEqual([...new Set(deliveryLog.requests)], ['log of w', 'd2', 'd3']);
  });

  it('sends all that a webhook delivers that is created while it listens', async () => {
    const { log, arrived, pass, deliveryLog, clock } = await listen();
    deliveryLog.addWebhook('v', clock.now());
    log('d1', 'task.completed', 'e1', 0, { webhookId: 'v' });
    await pass(15 * SECOND);
    await arrived('task.completed e1');
  });

  it('reads the logs of 8 of 2,000 webhooks', async () => {
    const { deliveryLog, pass } = await listen({
      prepare: (deliveries) => {
        for (let n = 0; n < 2000; n++) deliveries.addWebhook(`w${n}`);
      },
    });
    await pass(12 * SECOND);
    assert.equal(deliveryLog.requests.length, 9);
  });

  it('sends all of 200 that appear at once, and skips one that was not recorded', async () => {
    const { log, pass, handler, deliveryLog, clock } = await listen();
    for (let n = 0; n < 200; n++) log(`d${n}`, 'asset.updated', `e${n}`);
    deliveryLog.add({ id: 'unrecorded', event: 'asset.updated', createdAt: clock.now() });
    await pass(15 * SECOND);
    await until(() => handler.received.length === 200, 'all');
    assert.deepEqual(
      handler.received.map(({ json }) => json.id),
      Array.from({ length: 200 }, (_, n) => `e${n}`),
    );
  });

  it('goes on where it was after a failure, and waits longer after each', async () => {
    const { log, pass, arrived, deliveryLog } = await listen();
    log('d1', 'asset.ready', 'e1');
    log('d2', 'stream.idle', 'e2');
    log('d3', 'asset.ready', 'e3');
    deliveryLog.fault = () => {
      if (deliveryLog.requests.at(-1) === 'd2') throw new ApiError('unavailable', 'A trouble of tests');
    };
    await pass(12 * SECOND);
    deliveryLog.fault = undefined;
    deliveryLog.requests.length = 0;
    await pass(23 * SECOND);
    assert.deepEqual(deliveryLog.requests, []);
    await pass(SECOND);
    await arrived('asset.ready e1', 'asset.ready e3');
  });

  it('reads nothing while no connection is open, and begins anew with another', async () => {
    const { log, pass, connection, connect, arrived, deliveryLog } = await listen();
    connection.close();
    await pass(MINUTE);
    assert.deepEqual(deliveryLog.requests, []);
    log('d1', 'asset.ready', 'e1');
    connect('two');
    await pass(SECOND);
    log('d2', 'asset.ready', 'e2');
    await pass(15 * SECOND);
    await arrived('asset.ready e2');
  });

  it('goes on with another key of the same connection', async () => {
    const { log, pass, connect, arrived } = await listen();
    log('d1', 'asset.ready', 'e1');
    connect('one', 'another-key');
    await pass(15 * SECOND);
    await arrived('asset.ready e1');
  });

  it('reads the log of a chosen webhook in its own connection alone', async () => {
    const { connect, pass, deliveryLog } = await listen({ webhookId: 'w' });
    connect('two');
    await pass(MINUTE);
    assert.deepEqual(deliveryLog.requests, []);
  });

  it('reads what an account has, and nothing of a service without webhooks', async () => {
    const { signal } = new AbortController();
    const lists: object[] = [];
    const webhooks = {
      isOffered: true,
      listWebhooks: async () => ({ items: [] }),
      listDeliveries: async (...given: readonly unknown[]) => {
        lists.push(given.slice(0, 3));
        return { items: [] };
      },
      readDelivery: () => Promise.reject(new ApiError('notFound', 'A trouble of tests')),
    };
    assert.deepEqual(await readAccountLog(webhooks).listWebhooks(signal), []);
    await readAccountLog(webhooks).listNewest('w', 50, signal);
    assert.deepEqual(lists, [['w', {}, { limit: 50, isPoll: true }]]);
    const lacks = () => Promise.reject(new ApiError('rejected', 'None of it', { why: 'notOffered' }));
    assert.equal(await readAccountLog({ ...webhooks, listWebhooks: lacks }).listWebhooks(signal), undefined);
    assert.equal(
      await readAccountLog({ ...webhooks, isOffered: false, listWebhooks: () => assert.fail() }).listWebhooks(signal),
      undefined,
    );
    const fails = () => Promise.reject(new ApiError('timeout', 'A trouble of tests'));
    await assert.rejects(readAccountLog({ ...webhooks, listWebhooks: fails }).listWebhooks(signal));
  });
});
