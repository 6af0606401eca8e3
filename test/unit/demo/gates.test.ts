import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { DemoPolicy } from '../../../src/demo/demoState.ts';
import { type Fixture, send, withDemo } from './demoFixture.ts';

interface Received {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

describe('The demo’s policy of a webhook', () => {
  let server: Server;
  let url = '';
  let received: Received[] = [];
  let answer = { status: 200, body: '' };

  before(async () => {
    server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/judge` : '';
  });
  after(() => void server.close());
  beforeEach(() => {
    received = [];
    answer = { status: 200, body: '' };
  });

  it(
    'asks it about a viewer with an access key, signed as deliveries are, and takes a yes for two minutes',
    withDemo({ streamCount: 1 }, async (fixture) => {
      const { webhook, playlist } = startGated(fixture, url);
      assert.equal((await send(playlist)).status, 403, 'Nobody is asked about viewers without one');
      assert.equal(received.length, 0);
      const origin = 'https://site.example';
      const master = await send(`${playlist}?accessKey=letmein`, { headers: { origin } });
      assert.equal(master.status, 200);
      const [asked] = received;
      const { timestamp, ...body } = JSON.parse(asked?.body ?? '');
      assert.deepEqual(body, {
        context: { plan: 'gold' },
        accessKey: 'letmein',
        headers: { Origin: origin },
      });
      const [, at, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(asked?.headers['livepeer-signature'])) ?? [];
      assert.equal(Number(at), timestamp);
      const hmac = createHmac('sha256', webhook.sharedSecret).update(asked?.body ?? '');
      assert.equal(signature, hmac.digest('hex'));
      const rendition = master.text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
      assert.match(rendition, /\?accessKey=letmein$/, 'Playlists pass the key on');
      assert.equal((await send(new URL(rendition, playlist).href)).status, 200);
      assert.equal((await send(playlist, { headers: { 'livepeer-access-key': 'letmein' } })).status, 200);
      assert.equal(received.length, 1);
      fixture.clock.jump(121_000);
      await send(`${playlist}?accessKey=letmein`);
      await send(`${playlist}?accessKey=another`);
      assert.equal(received.length, 3);
    }),
  );

  it(
    'refuses whom it does not admit, and notes that at the webhook',
    withDemo({ streamCount: 1 }, async (fixture) => {
      const { webhook, playlist } = startGated(fixture, url);
      const answers = [
        { status: 401, body: '' },
        { status: 500, body: '' },
        { status: 302, body: '' },
        { status: 200, body: '{"ret": 403}' },
      ];
      for (const each of answers) {
        answer = each;
        assert.equal((await send(`${playlist}?accessKey=letmein`)).status, 403, JSON.stringify(each));
      }
      assert.equal(received.length, answers.length, 'A no is not taken for granted');
      const [noted] = fixture.demo.control.webhooks().filter(({ id }) => id === webhook.id);
      assert.equal(noted?.status.lastFailure?.statusCode, 403);
      answer = { status: 204, body: '' };
      assert.equal((await send(`${playlist}?accessKey=letmein`)).status, 200);
      await fixture.call(`/webhook/${webhook.id}`, { method: 'DELETE' });
      assert.equal((await send(`${playlist}?accessKey=letmein`)).status, 403, 'Its webhook was deleted');
    }),
  );

  it(
    'refuses everybody while the webhook can’t be reached, or isn’t on this computer',
    withDemo({ streamCount: 1 }, async (fixture) => {
      for (const unreachable of ['http://127.0.0.1:1/', 'http://192.0.2.1/']) {
        const { playlist } = startGated(fixture, unreachable);
        assert.equal((await send(`${playlist}?accessKey=letmein`)).status, 403, unreachable);
      }
    }),
  );
});

describe('The demo’s allowed origins', () => {
  it(
    'are those from whose websites a stream plays, whatever else its policy says; other requests name none',
    withDemo({ streamCount: 1 }, async (fixture) => {
      const allowedOrigins = ['https://site.example'];
      const playlist = startWith(fixture, { type: 'public', allowedOrigins });
      const statusFrom = async (headers: Readonly<Record<string, string>>) =>
        (await send(playlist, { headers })).status;
      assert.equal(await statusFrom({}), 200);
      assert.equal(await statusFrom({ origin: 'https://site.example' }), 200);
      assert.equal(await statusFrom({ origin: 'null', referer: 'https://site.example/' }), 200);
      for (const origin of ['https://other.example', 'http://site.example', 'https://site.example:444', 'null']) {
        assert.equal(await statusFrom({ origin }), 403, origin);
      }
      const anywhere = startWith(fixture, { type: 'public', allowedOrigins: ['*'] });
      assert.equal((await send(anywhere, { headers: { origin: 'https://other.example' } })).status, 200);
      const forTokens = startWith(fixture, { type: 'jwt', allowedOrigins });
      assert.equal((await send(forTokens, { headers: { origin: 'https://site.example' } })).status, 403);
    }),
  );
});

function startGated(fixture: Fixture, url: string) {
  const webhook = fixture.demo.control.addWebhook({ url, events: ['playback.accessControl'] });
  const policy = { type: 'webhook', webhookId: webhook.id, webhookContext: { plan: 'gold' } };
  return { webhook, playlist: startWith(fixture, policy) };
}

/** Returns the address at which a new live stream plays. */
function startWith({ demo, origin }: Fixture, playbackPolicy: DemoPolicy): string {
  const { playbackId } = demo.control.addStream({ isActive: true, playbackPolicy });
  return `${origin}/hls/${playbackId}/index.m3u8`;
}
