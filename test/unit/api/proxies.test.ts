import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { NetworkSettings } from '../../../src/api/transport/proxyRoute.ts';
import { createUndiciTransport } from '../../../src/api/transport/undiciTransport.ts';
import type { HttpRequest } from '../../../src/services.ts';
import { type ForwardProxyOptions, startForwardProxy } from '../../support/service/forwardProxy.ts';
import { makeTestCertificates, type TestCertificates } from '../../support/service/testCertificates.ts';
import { startServer } from '../../support/service/testServer.ts';
import { unknownHost } from '../../support/service/unknownHost.ts';
import { KEY, patientClock, reasonsOf, recordingLog, until } from './support.ts';

describe('networks', function () {
  this.timeout(10_000);
  let certificates: TestCertificates;
  const ending: { end(): unknown }[] = [];
  before(() => {
    certificates = makeTestCertificates();
  });
  after(() => certificates.remove());
  afterEach(async () => {
    for (const { end } of ending.splice(0).reverse()) await end();
  });

  const kept = <T extends { close(): unknown }>(served: T): T => {
    ending.push({ end: () => served.close() });
    return served;
  };
  const ok: RequestListener = (_, response) => response.end('[]');
  const serve = async (listener = ok) => kept(await startServer(listener));
  const serveTls = async (listener = ok) => {
    const { cert, key } = certificates;
    return kept(await startServer(listener, createTlsServer({ cert, key })));
  };
  const proxy = async (options?: ForwardProxyOptions) => kept(await startForwardProxy(options));
  const portOf = ({ url }: { url: string }) => new URL(url).port;

  /** A transport whose settings can be changed while it is in use. */
  function open(settings: Partial<NetworkSettings>) {
    const log = recordingLog();
    const current: { settings: NetworkSettings } = { settings: { timeoutMs: 5000, ...settings } };
    const options = { settings: () => current.settings, clock: patientClock, log, random: () => -0.45 };
    const transport = createUndiciTransport(options);
    ending.push({ end: () => transport.dispose() });
    const change = (more: Partial<NetworkSettings>): void => {
      current.settings = { ...current.settings, ...more };
    };
    return { transport, log, change };
  }
  const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${KEY}` },
    ...more,
  });

  describe('a proxy', () => {
    it('carries http through CONNECT, so that it never sees the key', async () => {
      const server = await serve();
      const forward = await proxy();
      const { transport } = open({ proxy: forward.url });
      assert.equal((await transport.send(get(`http://service.test:${portOf(server)}/stream?a=b`))).status, 200);
      assert.deepEqual(forward.tunnels, [`service.test:${portOf(server)}`]);
      assert.deepEqual(forward.seen, []);
      assert.deepEqual(
        [server.requests[0]?.url, server.requests[0]?.headers.authorization],
        ['/stream?a=b', `Bearer ${KEY}`],
      );
      assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
    });

    it('carries https, whose certificate is checked', async () => {
      const server = await serveTls();
      const forward = await proxy();
      const url = `https://service.test:${portOf(server)}/`;
      const { transport, change } = open({ proxy: forward.url, systemCertificates: false });
      assert.deepEqual(await reasonsOf(transport.send(get(url))), ['network', 'certificate']);
      change({ strictSSL: false });
      assert.equal((await transport.send(get(url))).status, 200);
    });

    it('is taken from the environment', async () => {
      const server = await serve();
      const forward = await proxy();
      const { transport } = open({ env: { HTTP_PROXY: forward.url } });
      await transport.send(get(`http://service.test:${portOf(server)}/`));
      assert.equal(forward.tunnels.length, 1);
    });

    it('gets its password, from its address or from http.proxyAuthorization', async () => {
      const server = await serve();
      const url = `http://service.test:${portOf(server)}/`;
      const forward = await proxy({ token: `Basic ${Buffer.from('me:p@ss').toString('base64')}` });
      const address = forward.url.replace('//', '//me:p%40ss@');
      assert.equal((await open({ proxy: address }).transport.send(get(url))).status, 200);
      const other = await proxy({ token: 'Bearer t' });
      const { transport } = open({ proxy: other.url, proxyAuthorization: 'Bearer t' });
      assert.equal((await transport.send(get(url))).status, 200);
      assert.equal(server.requests.length, 2);
    });

    it('carries downloads as it carries requests', async () => {
      const server = await serveTls((_, response) => response.end('whole'));
      const forward = await proxy({ token: `Basic ${Buffer.from('me:pass').toString('base64')}` });
      const address = forward.url.replace('//', '//me:pass@');
      const { transport, change } = open({ proxy: address, systemCertificates: false });
      const url = `https://service.test:${portOf(server)}/source.mp4`;
      assert.deepEqual(await reasonsOf(transport.download({ url, headers: {} })), ['network', 'certificate']);
      change({ strictSSL: false });
      const response = await transport.download({ url, headers: {} });
      assert.deepEqual(Buffer.concat(await Array.fromAsync(response.body)).toString(), 'whole');
      assert.deepEqual(new Set(forward.tunnels), new Set([`service.test:${portOf(server)}`]));
      change({ proxy: forward.url });
      assert.deepEqual(await reasonsOf(transport.download({ url, headers: {} })), ['network', 'proxyAuthentication']);
    });

    it('is told apart if it wants a password, and is not asked again and again', async () => {
      const forward = await proxy({ token: 'Basic x' });
      const { transport, log } = open({ proxy: forward.url.replace('//', '//me:wrong-pass@') });
      assert.deepEqual(await reasonsOf(transport.send(get('https://service.test/'))), [
        'network',
        'proxyAuthentication',
      ]);
      assert.equal(forward.tunnels.length, 1);
      assert.doesNotMatch(log.lines.join(), /wrong-pass|secret/);
    });

    it('makes proxy or proxyUnsupported if it refuses, cannot be reached or is of another kind', async () => {
      const forward = await proxy({ status: 503 });
      assert.deepEqual(await reasonsOf(open({ proxy: forward.url }).transport.send(get('https://service.test/'))), [
        'network',
        'proxy',
      ]);
      const gone = await startForwardProxy();
      await gone.close();
      const post = get('https://service.test/', { method: 'POST' });
      assert.deepEqual(await reasonsOf(open({ proxy: gone.url }).transport.send(post)), ['network', 'proxy']);
      assert.deepEqual(
        await reasonsOf(open({ proxy: `http://${unknownHost('no-such-proxy')}` }).transport.send(post)),
        ['network', 'proxy'],
      );
      assert.deepEqual(await reasonsOf(open({ proxy: 'socks5://127.0.0.1:1080' }).transport.send(post)), [
        'network',
        'proxyUnsupported',
      ]);
    });

    it('is asked once a try if it hangs up, and not again afterwards', async () => {
      const forward = await proxy({ status: -1 });
      const { transport } = open({ proxy: forward.url });
      const post = get('https://service.test/', { method: 'POST' });
      assert.deepEqual(await reasonsOf(transport.send(post)), ['network', 'proxy']);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(forward.tunnels.length, 1);
    });

    it('is reached over TLS where its address says so, and its certificate is checked', async () => {
      const server = await serve();
      const { cert, key } = certificates;
      const forward = kept(await startForwardProxy({}, createTlsServer({ cert, key })));
      const { transport, change } = open({ proxy: forward.url.replace('http:', 'https:'), systemCertificates: false });
      const url = `http://service.test:${portOf(server)}/`;
      assert.deepEqual(await reasonsOf(transport.send(get(url))), ['network', 'certificate']);
      assert.equal(forward.tunnels.length, 0);
      change({ strictSSL: false });
      assert.equal((await transport.send(get(url))).status, 200);
      assert.deepEqual(forward.tunnels, [`service.test:${portOf(server)}`]);
    });

    it('ends with the deadline if it never answers, and its connection with the transport', async () => {
      const forward = await proxy({ status: 0 });
      const { transport } = open({ proxy: forward.url, timeoutMs: 200 });
      assert.deepEqual(await reasonsOf(transport.send(get('https://service.test/'))), ['timeout', undefined]);
      transport.dispose();
      await until(() => forward.sockets.size === 0);
    });

    it('is never asked for loopback, nor for what noProxy names', async () => {
      const server = await serve();
      const forward = await proxy();
      const direct = unknownHost('direct');
      const { transport } = open({ proxy: forward.url, noProxy: [direct] });
      for (const host of ['127.0.0.1', 'localhost']) await transport.send(get(`http://${host}:${portOf(server)}/`));
      const request = get(`http://${direct}:${portOf(server)}/`, { method: 'POST' });
      assert.deepEqual(await reasonsOf(transport.send(request)), ['network', 'nameNotFound']);
      assert.equal(forward.tunnels.length, 0);
    });

    it('can be changed without a reload, while a request through the old one goes on', async () => {
      let answer = () => {};
      const server = await serve((request, response) => {
        answer = () => void response.end('[]');
        if (request.url !== '/slow') answer();
      });
      const [first, second] = [await proxy(), await proxy()];
      const { transport, change } = open({ proxy: first.url });
      const slow = transport.send(get(`http://service.test:${portOf(server)}/slow`));
      await until(() => server.requests.length === 1);
      const answerSlow = answer;
      change({ proxy: second.url });
      await transport.send(get(`http://service.test:${portOf(server)}/`));
      assert.deepEqual([first.tunnels.length, second.tunnels.length], [1, 1]);
      answerSlow();
      assert.equal((await slow).status, 200);
      await until(() => first.sockets.size === 0);
    });
  });

  describe('an untrusted certificate', () => {
    it('is an error of its own, told once and not tried again', async () => {
      const server = await serveTls();
      const { transport } = open({ systemCertificates: false });
      const url = `https://127.0.0.1:${portOf(server)}/`;
      assert.deepEqual(await reasonsOf(transport.send(get(url))), ['network', 'certificate']);
      assert.equal(server.requests.length, 0);
    });

    it('is taken when http.proxyStrictSSL is off, and no longer when it is on again', async () => {
      const server = await serveTls();
      const { transport, change } = open({ systemCertificates: false, strictSSL: false });
      const url = `https://127.0.0.1:${portOf(server)}/`;
      assert.equal((await transport.send(get(url))).status, 200);
      change({ strictSSL: true });
      assert.deepEqual(await reasonsOf(transport.send(get(url))), ['network', 'certificate']);
    });
  });
});
