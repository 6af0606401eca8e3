import assert from 'node:assert/strict';
import { fakeLog } from '../../support/model/fakes.ts';
import { errorsOf, send, withDemo } from './demoFixture.ts';

describe('the demo’s door', () => {
  it(
    'refuses a missing, malformed or unknown key, and echoes what was sent',
    withDemo({ streamCount: 3, apiKey: 'right-key' }, async ({ demo, call }) => {
      assert.equal((await send(`${demo.baseUrl}/stream`)).status, 401);
      for (const authorization of ['Bearer wrong-key', 'Basic wrong-key', 'wrong-key']) {
        const reply = await call('/stream', { headers: { authorization } });
        assert.equal(reply.status, 401);
        assert.match(errorsOf(reply).join(), /wrong-key/);
      }
      assert.equal((await call('/stream')).status, 200);
    }),
  );

  it(
    'makes a UUID-like key of its own for each service',
    withDemo({ streamCount: 1 }, async ({ demo }) => {
      assert.match(demo.apiKey, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }),
  );

  it(
    'answers 403 to any Origin on the API, whatever the key',
    withDemo({ streamCount: 1 }, async ({ demo, call }) => {
      assert.equal((await call('/stream', { headers: { origin: demo.baseUrl } })).status, 403);
      assert.equal((await call('/stream', { headers: { origin: 'null' } })).status, 403);
    }),
  );

  it(
    'answers 403 to a foreign Host, and serves media but never the API under an allowed one',
    withDemo({ streamCount: 3, liveCount: 1 }, async ({ demo, call, origin }) => {
      const [live] = demo.control.streams();
      const page = `${origin}/player?v=${live?.playbackId}`;
      const host = 'editor.example:8443';
      assert.equal((await send(page, { headers: { host } })).status, 403);
      demo.allowHost(host);
      assert.equal((await send(page, { headers: { host } })).status, 200);
      assert.equal((await call('/stream', { headers: { host } })).status, 403);
      const { port } = new URL(origin);
      assert.equal((await call('/stream', { headers: { host: `localhost:${port}` } })).status, 200);
      assert.equal((await call('/stream', { headers: { host: '127.0.0.1:1' } })).status, 403);
    }),
  );

  it(
    'keeps generated addresses on 127.0.0.1 when another Host is allowed',
    withDemo({}, async ({ demo, rows }) => {
      demo.allowHost('editor.example');
      for (const session of await rows('/session?limit=1000')) {
        if (session.recordingUrl !== undefined)
          assert.match(String(session.recordingUrl), /^http:\/\/127\.0\.0\.1:\d+\//);
      }
    }),
  );

  it(
    'forgets a revoked key at once, and knows it again when it is restored',
    withDemo({ streamCount: 1 }, async ({ demo, call }) => {
      demo.control.revokeKey();
      assert.equal((await call('/stream')).status, 401);
      demo.control.restoreKey();
      assert.equal((await call('/stream')).status, 200);
    }),
  );

  it(
    'answers errors as {"errors": […]} for ids, sessions and routes that are not there',
    withDemo({ streamCount: 1 }, async ({ call }) => {
      for (const path of [
        '/stream/none',
        '/stream/none/sessions',
        '/session/none',
        '/playback/none',
        '/other',
        '/constructor',
      ]) {
        const reply = await call(path);
        assert.equal(reply.status, 404, path);
        assert.equal(errorsOf(reply).length, 1);
      }
      assert.equal((await call('/stream/%E0%A4%A')).status, 400);
    }),
  );

  it(
    'answers with what a fault rule says, and notes every request with its status',
    withDemo({ streamCount: 1 }, async ({ demo, call }) => {
      demo.control.fault((request) =>
        request.query === 'limit=5' ? { status: 503, headers: { 'retry-after': '7' }, body: '<html>' } : undefined,
      );
      const reply = await call('/stream?limit=5');
      assert.deepEqual([reply.status, reply.headers['retry-after'], reply.text], [503, '7', '<html>']);
      await call('/stream');
      demo.control.fault(() => 'reset');
      await assert.rejects(call('/session'), /ECONNRESET|socket hang up/);
      const seen = demo.control.requests.map(({ method, path, query, status }) => [method, path, query, status]);
      assert.deepEqual(seen, [
        ['GET', '/api/stream', 'limit=5', 503],
        ['GET', '/api/stream', '', 200],
        ['GET', '/api/session', '', 0],
      ]);
      demo.control.clearRequests();
      assert.equal(demo.control.requests.length, 0);
    }),
  );

  it(
    'lets a fault rule hold an answer back, and send a body that goes on until the client has had enough',
    withDemo({ streamCount: 1 }, async ({ demo, call }) => {
      let release = () => {};
      const held = new Promise<undefined>((resolve) => {
        release = () => resolve(undefined);
      });
      demo.control.fault(() => held);
      const waiting = call('/stream');
      while (demo.control.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(demo.control.requests[0]?.status, 0);
      release();
      assert.equal((await waiting).status, 200);

      let sent = 0;
      async function* endless() {
        for (;;) {
          sent++;
          yield new Uint8Array(65_536);
        }
      }
      demo.control.fault(() => ({ status: 200, body: endless() }));
      const reply = await fetch(`${demo.baseUrl}/stream`);
      const reader = reply.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.ok(before > 0 && sent - before < 100, 'it stops when nobody reads');
    }),
  );

  it('answers what it cannot do with 500, and logs why', async () => {
    const log = fakeLog();
    await withDemo({ streamCount: 1, log }, async ({ demo, call }) => {
      demo.control.fault(() => {
        throw new Error('No such thing');
      });
      const reply = await call('/stream');
      assert.deepEqual([reply.status, errorsOf(reply)], [500, ['The demo failed']]);
      assert.deepEqual(log.lines, ["The demo couldn't answer a request: Error: No such thing"]);
    })();
  });
});
