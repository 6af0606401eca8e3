import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { NetworkSettings } from '../../../src/api/transport/proxyRoute.ts';
import { startForwardProxy } from '../../support/service/forwardProxy.ts';
import { makeTestCertificates, type TestCertificates } from '../../support/service/testCertificates.ts';
import { startServer, type TestServer } from '../../support/service/testServer.ts';
import { runInFreshProcess } from './freshProcess.ts';

/** What the system's store is made of on Linux is read from SSL_CERT_FILE, so each case has a process of its own. */
const PROBE = `
const { createUndiciTransport } = await import('${new URL('../../../src/api/transport/undiciTransport.ts', import.meta.url)}');
const clock = { now: Date.now, elapsed: () => performance.now(), setTimeout(run, ms) { const timer = setTimeout(run, ms); return { dispose: () => clearTimeout(timer) }; } };
const lines = [];
const note = (line) => void lines.push(line);
const log = { debug() {}, info: note, warn: note, error: note };
const { urls, method = 'GET', ...settings } = JSON.parse(process.env.PROBE);
const transport = createUndiciTransport({ settings: () => ({ timeoutMs: 10000, ...settings }), clock, log, random: () => -0.45 });
const send = (url) => transport.send({ method, url, headers: {} }).then((answer) => answer.status, (error) => error.why ?? error.reason);
const results = [];
for (const url of urls) results.push(await send(url));
transport.dispose();
console.log(JSON.stringify({ results, loads: lines.length }));
`;

describe("the system's certificates", function () {
  this.timeout(20_000);
  let certificates: TestCertificates;
  let server: TestServer;
  let url: string;
  before(async () => {
    certificates = makeTestCertificates();
    server = await startServer((_, response) => response.end('[]'), createServer(certificates));
    url = server.url.replace('http:', 'https:');
  });
  after(async () => {
    await server.close();
    certificates.remove();
  });

  const probe = (
    ask: Partial<NetworkSettings> & { urls: string[]; method?: string },
    env: Record<string, string> = {},
  ) =>
    runInFreshProcess(PROBE, {
      PROBE: JSON.stringify(ask),
      SSL_CERT_DIR: '/nonexistent',
      SSL_CERT_FILE: '/nonexistent',
      ...env,
    });
  const trusting = () => ({ SSL_CERT_FILE: certificates.caFile });

  it('are loaded once, after a failure, and the request is tried again, whatever its method', async () => {
    assert.deepEqual(await probe({ urls: [url, url, url] }, trusting()), { results: [200, 200, 200], loads: 1 });
    const before = server.requests.length;
    assert.deepEqual(await probe({ urls: [url], method: 'POST' }, trusting()), { results: [200], loads: 1 });
    assert.equal(server.requests.length, before + 1);
  });

  it('are loaded for what is behind a proxy', async () => {
    const proxy = await startForwardProxy();
    const behind = `https://service.test:${new URL(url).port}/`;
    assert.deepEqual(await probe({ urls: [behind], proxy: proxy.url }, trusting()), { results: [200], loads: 1 });
    await proxy.close();
  });

  it('are not asked where http.systemCertificates is off, or no certificate failed', async () => {
    const off = await probe({ urls: [url], systemCertificates: false }, trusting());
    assert.deepEqual(off, { results: ['certificate'], loads: 0 });
    const lax = await probe({ urls: [url], strictSSL: false }, trusting());
    assert.deepEqual(lax, { results: [200], loads: 0 });
  });

  it('do not help where they do not know the authority: the error stays certificate, and they are not read again', async () => {
    const refused = { results: ['certificate', 'certificate'], loads: 1 };
    assert.deepEqual(await probe({ urls: [url, url] }), refused);
    const others = makeTestCertificates();
    assert.deepEqual(await probe({ urls: [url, url] }, { SSL_CERT_FILE: others.caFile }), refused);
    others.remove();
  });
});
