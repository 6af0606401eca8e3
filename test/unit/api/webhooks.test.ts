import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { WebhookApi } from '../../../src/api/webhookApi.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { apiOver, BASE, type Canned, KEY, NOW } from './support.ts';

const SECRET = 'whsec-of-a-test';
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const ROW = {
  ...{ id: 'w', name: 'Site', url: 'https://site.example/hook', events: ['stream.started'], createdAt: 5 },
  sharedSecret: SECRET,
  status: { lastTriggeredAt: 9, lastFailure: { timestamp: 8, error: '', statusCode: 500, response: base64('Oh') } },
};

function overWebhooks(answer: (method: string, path: string) => Canned | Error) {
  const secrets = new KnownSecrets();
  const { transport, asked, requests, log } = apiOver(({ method, url }) => answer(method, url.replace(BASE, '')));
  const api = new WebhookApi({ baseUrl: BASE, apiKey: KEY, transport, clock: heldClock(NOW), log, secrets });
  return { api, asked, requests, log, secrets };
}

function deliveryOf(fields: Readonly<Record<string, unknown>>) {
  const row = { id: 'd', webhookId: 'w', event: 'stream.idle', createdAt: 7, ...fields };
  return overWebhooks(() => ({ body: row })).api.getDelivery('w', 'd');
}

describe('The requests about webhooks', () => {
  it('list webhooks without their secrets, which are removed from texts from then on', async () => {
    const { api, asked, secrets } = overWebhooks(() => ({ body: [ROW, { name: 'without an id' }] }));
    const { items, unreadable } = await api.listWebhooks({ limit: 50 });
    const failure = { at: 8, error: '', statusCode: 500, response: 'Oh' };
    assert.deepEqual(items, [
      {
        ...{ id: 'w', name: 'Site', url: 'https://site.example/hook', events: ['stream.started'], streamId: undefined },
        ...{ createdAt: 5, lastTriggeredAt: 9, lastFailure: failure },
      },
    ]);
    assert.equal(unreadable, 1);
    assert.deepEqual(asked(), ['GET /webhook?limit=50&order=createdAt-true%2Cid-true']);
    assert.equal(secrets.strip(`It is ${SECRET}`), 'It is …');
  });

  it('send the fields of the interface alone, and null for all streams instead of one', async () => {
    const { api, requests } = overWebhooks((method) =>
      method === 'POST' ? { status: 201, body: ROW } : { status: 204 },
    );
    const form = { name: 'Site', url: 'https://site.example/hook', events: ['stream.idle'], sharedSecret: SECRET };
    const more = { ...form, lastTriggeredAt: 1 };
    await api.createWebhook(more);
    await api.patchWebhook('w', { name: 'Other' });
    await api.patchWebhook('w', { streamId: null });
    await api.patchWebhook('w', { streamId: 's' });
    const bodies = requests.map(({ body }) => JSON.parse(body ?? ''));
    assert.deepEqual(bodies, [form, { name: 'Other' }, { streamId: null }, { streamId: 's' }]);
  });

  it('show no secret that an error repeats, even one that was just sent', async () => {
    const entry = JSON.stringify({ dataPath: '.sharedSecret', message: `should not be ${SECRET}` });
    const { api } = overWebhooks(() => ({ status: 422, body: { errors: [entry] } }));
    const form = { name: 'Site', url: 'x', events: [], sharedSecret: SECRET };
    const error = await api.createWebhook(form).catch((thrown: unknown) => thrown);
    assert.ok(isApiError(error));
    assert.equal(error.reason, 'rejected');
    assert.equal(error.detail, '.sharedSecret should not be …');
  });

  for (const status of [404, 405, 501]) {
    it(`say that a service has no webhooks if it answers ${status}, until that is reset`, async () => {
      const { api } = overWebhooks(() => ({ status, body: { errors: ['no'] } }));
      const error = await api.listWebhooks({ limit: 50 }).catch((thrown: unknown) => thrown);
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.why], ['rejected', 'notOffered']);
      assert.equal(api.isOffered, false);
      api.resetAbilities();
      assert.equal(api.isOffered, true);
    });
  }

  it('distinguish a webhook that is gone from a service without a log', async () => {
    const isThere = overWebhooks((_, path) => (path === '/webhook/w' ? { body: ROW } : { status: 404, body: {} }));
    const isGone = overWebhooks((_, path) => (path.startsWith('/webhook?') ? { body: [] } : { status: 404, body: {} }));
    const reasonOf = async ({ api }: typeof isThere) => {
      const error = await api.listDeliveries('w', { filter: {} }).catch((thrown: unknown) => thrown);
      return isApiError(error) ? (error.why ?? error.reason) : error;
    };
    assert.equal(await reasonOf(isThere), 'notOffered');
    assert.equal(await reasonOf(isGone), 'notFound');
  });

  it('filter deliveries by the fields of the log, and do without filters that are refused', async () => {
    const { api, asked } = overWebhooks((_, path) =>
      path.includes('filters') ? { status: 400, body: {} } : { body: [] },
    );
    const filter = { failedOnly: true, event: 'stream.idle', streamId: 's' };
    const { isFiltered } = await api.listDeliveries('w', { limit: 50, filter });
    assert.equal(isFiltered, false);
    const sent = new URL(`https://x${asked()[0]?.slice(4)}`).searchParams.get('filters');
    assert.deepEqual(JSON.parse(sent ?? ''), [
      { id: 'success', value: false },
      { id: 'event', value: 'stream.idle' },
      { id: 'resourceId', value: 's' },
    ]);
  });

  it('send nothing for ids that cannot stand in a path', async () => {
    const { api, asked } = overWebhooks(() => ({ body: ROW }));
    const calls = [
      () => api.getWebhook('../stream'),
      () => api.patchWebhook('', {}),
      () => api.deleteWebhook('a/b'),
      () => api.listDeliveries('a b', { filter: {} }),
      () => api.getDelivery('w', '?'),
      () => api.resendDelivery('..', 'd'),
    ];
    for (const call of calls) await assert.rejects(async () => call(), /Not an id/);
    assert.deepEqual(asked(), []);
  });
});

describe('A delivery', () => {
  it('is decoded with its request as it was sent, and its response as text', async () => {
    const body = '{"id": "e1", "stream": {"id":"s", "name": "Keynote", "streamKey": "abcd-key"}}';
    const delivery = await deliveryOf({
      ...{ duration: 0.25, success: false, statusCode: 500 },
      request: {
        url: 'https://site.example',
        method: 'POST',
        headers: { 'Livepeer-Signature': 't=1,v1=ab', n: 3 },
        body,
      },
      response: { status: 500, statusText: 'No', body: base64('<b>über</b>') },
    });
    assert.deepEqual(delivery, {
      ...{ id: 'd', webhookId: 'w', event: 'stream.idle', createdAt: 7, duration: 250, isSuccess: false },
      ...{ statusCode: 500, streamId: 's', streamName: 'Keynote', eventId: 'e1', error: undefined },
      request: {
        url: 'https://site.example',
        method: 'POST',
        headers: { 'Livepeer-Signature': 't=1,v1=ab', n: '3' },
        body,
      },
      response: { status: 500, statusText: 'No', body: '<b>über</b>' },
    });
  });

  const responses: Readonly<Record<string, readonly [sent: unknown, shown: string | undefined]>> = {
    'that is cut within a character': [base64(Buffer.from('aé').subarray(0, 2)), 'a'],
    'that is binary': [base64(new Uint8Array([0, 1, 255])), undefined],
    'that is not base64': ['<html>down</html>', '<html>down</html>'],
    'of 5 MB': [base64('x'.repeat(5_000_000)), 'x'.repeat(1024)],
    'of 5 MB that is not base64': ['!'.repeat(5_000_000), '!'.repeat(1024)],
    'that is empty': ['', ''],
    'that is a number': [4, undefined],
  };
  for (const [what, [sent, shown]] of Object.entries(responses)) {
    it(`is shown as far as it can be, with a response ${what}`, async () => {
      const { response, statusCode } = await deliveryOf({ response: { status: 200, statusText: 'OK', body: sent } });
      assert.equal(response?.body, shown);
      assert.equal(statusCode, 200);
    });
  }

  it('may have neither request nor response', async () => {
    const { request, response, isSuccess, duration, error } = await deliveryOf({ errorMessage: 'timed out' });
    assert.deepEqual([request, response, isSuccess, duration], [undefined, undefined, false, undefined]);
    assert.equal(error, 'timed out');
  });

  it('keeps a body of 5 MB whole', async () => {
    const body = JSON.stringify({ text: 'y'.repeat(5_000_000) });
    assert.equal((await deliveryOf({ request: { body } })).request?.body, body);
  });

  it('is about the parent of a child stream, and about no stream if the resource is an asset', async () => {
    const body = JSON.stringify({ stream: { id: 'child', parentId: 'parent' } });
    assert.equal((await deliveryOf({ request: { body } })).streamId, 'parent');
    assert.equal((await deliveryOf({ resourceId: 's' })).streamId, 's');
    for (const named of ['[', '{"stream":7}', '{"stream":{"id":"s"}}', '']) {
      assert.equal((await deliveryOf({ request: { body: named } })).streamName, undefined);
    }
    assert.equal((await deliveryOf({ event: 'asset.ready', resourceId: 'a' })).streamId, undefined);
  });
});
