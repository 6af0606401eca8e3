import assert from 'node:assert/strict';
import { Agent, createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { canConnect, createLocalPost, type LocalRequest } from '../../../../src/model/webhooks/localPost.ts';
import { createClock } from '../../../../src/util/clock.ts';
import { heldClock } from '../../../support/model/heldClock.ts';
import { makeTestCertificates } from '../../../support/service/testCertificates.ts';
import { startServer, type TestServer } from '../../../support/service/testServer.ts';

describe('A post to this computer', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function serve(listener: RequestListener): Promise<TestServer> {
    const server = await startServer(listener);
    closing.push(() => server.close());
    return server;
  }

  /** A server that is none of HTTP. */
  async function serveBytes(onSocket: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://localhost:${(server.address() as AddressInfo).port}/`;
  }

  const post = createLocalPost({ clock: createClock() });
  const request = (url: string, more: Partial<LocalRequest> = {}): LocalRequest => {
    return { url, headers: {}, body: '{}', signal: new AbortController().signal, ...more };
  };

  it('is preceded by a look whether anybody listens, which sends nothing', async () => {
    let bytes = 0;
    const url = await serveBytes((socket) => socket.on('data', (data) => (bytes += data.length)));
    const options = { clock: createClock() };
    assert.equal(await canConnect(url, options), true);
    assert.equal(await canConnect('http://127.0.0.1:9/', options), false);
    const lookup = async () => [{ address: '192.0.2.1', family: 4 }];
    assert.equal(await canConnect(url, { ...options, lookup }), false, 'never anywhere else');
    assert.equal(bytes, 0);
  });

  it('sends headers and body as they are given, and returns the response', async () => {
    const bodies: string[] = [];
    const server = await serve(async (incoming, response) => {
      bodies.push(Buffer.concat(await incoming.toArray()).toString());
      response.writeHead(201, 'Made').end('thanks');
    });
    const headers = {
      'Livepeer-Signature': 't=1,v1=2',
      host: 'elsewhere',
      'content-length': '3',
      'bad name': 'x',
      'x-bad': 'a\nb',
    };
    const { duration, ...outcome } = await post(request(`${server.url}/a?b=c`, { headers, body: 'Küche 🎥' }));
    assert.deepEqual(outcome, { failure: undefined, response: { status: 201, statusText: 'Made', body: 'thanks' } });
    assert.ok(duration >= 0);
    assert.deepEqual(bodies, ['Küche 🎥']);
    const [sent] = server.requests;
    assert.deepEqual([sent?.method, sent?.url], ['POST', '/a?b=c']);
    assert.deepEqual(sent?.headers, {
      ...{
        'livepeer-signature': 't=1,v1=2',
        host: new URL(server.url).host,
        'content-length': '11',
        connection: 'close',
      },
    });
  });

  it('reaches a server that listens on either address of localhost', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      const server = createServer((_, response) => response.end('here'));
      await new Promise<void>((resolve) => server.listen(0, address, resolve));
      closing.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      const lookup = async () => [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ];
      const both = createLocalPost({ clock: createClock(), lookup });
      assert.equal((await both(request(`http://localhost:${port}/`))).response?.body, 'here', address);
    }
  });

  it('uses no agent, behind which VS Code puts its proxy settings', async () => {
    const server = await serve((_, response) => response.end('direct'));
    const { createConnection } = Agent.prototype;
    Agent.prototype.createConnection = () => assert.fail('an agent was used');
    closing.push(() => Object.assign(Agent.prototype, { createConnection }));
    assert.equal((await post(request(server.url))).response?.body, 'direct');
  });

  it('accepts a self-signed certificate of this computer', async () => {
    const certificates = makeTestCertificates();
    closing.push(() => certificates.remove());
    const server = createTlsServer({ key: certificates.key, cert: certificates.cert }, (_, response) =>
      response.end('safe'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    assert.equal((await post(request(`https://localhost:${port}/`))).response?.body, 'safe');
    const plain = await serve((_, response) => response.end());
    assert.equal((await post(request(plain.url.replace('http:', 'https:')))).failure, 'tls');
  });

  it('fails if nothing listens, or if the connection is closed', async () => {
    const server = await startServer(() => {});
    await server.close();
    assert.equal((await post(request(server.url))).failure, 'refused');
    assert.equal((await post(request(server.url.replace('127.0.0.1', 'localhost')))).failure, 'refused');
    assert.equal((await post(request(await serveBytes((socket) => socket.destroy())))).failure, 'closed');
    assert.equal((await post(request(await serveBytes((socket) => socket.end())))).failure, 'closed');
  });

  it('fails if what answers is not HTTP', async () => {
    for (const bytes of ['SSH-2.0-OpenSSH_9\r\n', '\0\0\0', '220 smtp ready\r\n', '<html>']) {
      const url = await serveBytes((socket) => void socket.end(bytes));
      assert.equal((await post(request(url))).failure, 'notHttp', bytes);
    }
  });

  it('fails with the status if the handler does, and does not follow redirects', async () => {
    const server = await serve((incoming, response) => {
      response.writeHead(Number(incoming.url?.slice(1)), { location: '/200' }).end('why');
    });
    for (const [status, failure] of [
      [500, 'status'],
      [404, 'status'],
      [302, 'redirect'],
      [307, 'redirect'],
    ] as const) {
      const outcome = await post(request(`${server.url}/${status}`));
      assert.equal(outcome.failure, failure);
      assert.deepEqual([outcome.response?.status, outcome.response?.body], [status, 'why']);
    }
    assert.equal(server.requests.length, 4);
  });

  it('fails after 30 seconds without a response, and leaves no connection', async () => {
    const clock = heldClock();
    const server = await serve(() => {});
    const outcome = createLocalPost({ clock })(request(server.url));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(29_999);
    let isOver = false;
    void outcome.then(() => (isOver = true));
    await clock.advance(0);
    assert.equal(isOver, false);
    await clock.advance(1);
    assert.deepEqual(await outcome, { failure: 'timedOut', response: undefined, duration: 30_000 });
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(clock.timerCount, 0);
  });

  it('fails after 30 seconds of a response that never ends', async () => {
    const clock = heldClock();
    const server = await serve((_, response) => response.writeHead(200).write('a bit'));
    const outcome = createLocalPost({ clock })(request(server.url));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(30_000);
    assert.equal((await outcome).failure, 'timedOut');
  });

  it('ends when it is aborted, also before it began', async () => {
    const server = await serve(() => {});
    const stopping = new AbortController();
    const outcome = post(request(server.url, { signal: stopping.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    assert.equal((await outcome).failure, 'stopped');
    assert.equal((await post(request(server.url, { signal: stopping.signal }))).failure, 'stopped');
  });

  it('reads no more of 50 MB than it shows, without cutting a character', async () => {
    let written = 0;
    const server = await serve((_, response) => {
      const chunk = Buffer.from('ü'.repeat(32_768));
      const write = (): void => {
        while (written < 50 * 1024 * 1024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const outcome = await post(request(server.url));
    assert.equal(outcome.failure, undefined);
    assert.equal(outcome.response?.body, 'ü'.repeat(2048));
    assert.ok(written < 40 * 1024 * 1024, `${written} bytes were written`);
  });

  it('shows no body that is not text', async () => {
    for (const bytes of [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('a\0b')]) {
      const server = await serve((_, response) => response.end(bytes));
      const { response, failure } = await post(request(server.url));
      assert.deepEqual([response?.status, response?.body, failure], [200, undefined, undefined]);
    }
  });

  it('keeps the status of a response that breaks off', async () => {
    const server = await serve((_, response) => {
      response.writeHead(500, { 'content-length': 100 }).write('half');
      setImmediate(() => response.destroy());
    });
    const { response, failure } = await post(request(server.url));
    assert.deepEqual([response?.status, response?.body, failure], [500, 'half', 'status']);
  });

  it('is sent nowhere if localhost resolves to another computer', async () => {
    const lookup = async () => [{ address: '10.0.0.1', family: 4 }];
    const elsewhere = createLocalPost({ clock: createClock(), lookup });
    assert.equal((await elsewhere(request('http://localhost:1/'))).failure, 'resolvesElsewhere');
    const lost = createLocalPost({ clock: createClock(), lookup: () => Promise.reject(new Error('no')) });
    assert.equal((await lost(request('http://localhost:1/'))).failure, 'notResolved');
  });
});
