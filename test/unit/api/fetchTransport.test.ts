import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isAbortError } from '../../../src/api/errors.ts';
import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { createClient } from '../../support/service/clients.ts';
import { startServer } from '../../support/service/testServer.ts';
import { KEY, patientClock, reasonsOf, recordingLog, until } from './support.ts';
import { getting, useTransports } from './useTransports.ts';

describe("the transport over the editor's fetch", () => {
  const { serve, ending } = useTransports();

  function open(timeoutMs = 5000, fetch: typeof globalThis.fetch = globalThis.fetch) {
    const log = recordingLog();
    const settings = () => ({ timeoutMs });
    const transport = createFetchTransport({ fetch, settings, clock: patientClock, log, random: () => -0.45 });
    ending.push({ end: () => transport.dispose() });
    return { transport, log };
  }

  it('sends the same request, without an Origin', async () => {
    let body = '';
    const { url, requests } = await serve((request, response) => {
      request.on('data', (chunk) => (body += chunk)).on('end', () => response.writeHead(201).end('ok'));
    });
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const { transport, log } = open();
    const answer = await transport.send({ method: 'POST', url: `${url}/a?filters=%2525`, headers, body: '{"a":1}' });
    assert.deepEqual([answer.status, new TextDecoder().decode(answer.body)], [201, 'ok']);
    assert.deepEqual([requests[0]?.method, requests[0]?.url, body], ['POST', '/a?filters=%2525', '{"a":1}']);
    assert.equal(requests[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(requests[0]?.headers.origin, undefined);
    assert.match(log.lines[0] ?? '', /^debug POST \/a: 201, 2 bytes/);
  });

  it('keeps fetch from adding no-cache to a conditional request, which then would never get a 304', async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(304, { etag: '"1"' }).end());
    const { transport } = open();
    const answer = await transport.send(getting(url, { headers: { 'if-none-match': '"1"' } }));
    assert.deepEqual([answer.status, answer.headers.etag, answer.body.byteLength], [304, '"1"', 0]);
    assert.equal(requests[0]?.headers['cache-control'], 'max-age=0');
  });

  it('hands a redirect back, and follows none', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, requests } = await serve((_, response) =>
        response.writeHead(status, { location: '/other' }).end('x'),
      );
      const answer = await open().transport.send(getting(url));
      assert.deepEqual([answer.status, answer.headers.location], [status, '/other']);
      assert.equal(requests.length, 1);
    }
  });

  describe('whose redirects are hidden', () => {
    const openHiding = () => {
      const settings = () => ({ timeoutMs: 5000 });
      const options = { settings, clock: patientClock, log: recordingLog(), random: () => -0.45 };
      const transport = createClient('editor with hidden redirects', options);
      ending.push({ end: () => transport.dispose() });
      return transport;
    };
    const serveRedirect = () =>
      serve((request, response) => {
        if (request.url === '/last') response.end('there');
        else response.writeHead(302, { location: '/last' }).end();
      });

    it('hands back the last address of what carries no key', async () => {
      const { url, requests } = await serveRedirect();
      const sent = await openHiding().send(getting(url));
      assert.deepEqual([sent.status, sent.headers.location, sent.body.byteLength], [302, `${url}/last`, 0]);
      const downloaded = await openHiding().download({ url, headers: {} });
      assert.deepEqual([downloaded.status, downloaded.headers.location], [302, `${url}/last`]);
      downloaded.dispose();
      assert.deepEqual(fieldsOf(requests, 'url'), ['/', '/', '/last', '/', '/', '/last']);
    });

    it('never sends a key on, nor repeats what is no GET', async () => {
      const { url, requests } = await serveRedirect();
      const asked = [
        getting(url, { headers: { authorization: `Bearer ${KEY}` } }),
        getting(url, { headers: { Authorization: `Bearer ${KEY}` } }),
        getting(url, { method: 'POST', body: '{}' }),
      ];
      for (const each of asked) {
        assert.deepEqual(await reasonsOf(openHiding().send(each)), ['invalidResponse', 'redirect']);
      }
      assert.deepEqual(fieldsOf(requests, 'url'), ['/', '/', '/']);
    });

    it('tells a circle from a network that fails on the way', async () => {
      const circle = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
      assert.deepEqual(await reasonsOf(openHiding().send(getting(circle.url))), ['invalidResponse', 'redirect']);
      const gone = await startServer(() => {});
      await gone.close();
      const broken = await serve((_, response) => response.writeHead(302, { location: gone.url }).end());
      assert.deepEqual(await reasonsOf(openHiding().send(getting(broken.url))), ['network', 'refused']);
    });

    it('is told apart from one that does not name the last address', async () => {
      const vague: typeof globalThis.fetch = async (_, init) =>
        init?.redirect === 'manual'
          ? Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
          : new Response('there');
      assert.deepEqual(await reasonsOf(open(5000, vague).transport.send(getting('http://127.0.0.1/'))), [
        'invalidResponse',
        'redirect',
      ]);
    });
  });

  it('counts what comes out of compression, and cuts errors', async () => {
    const big = gzipSync(Buffer.alloc(5_000_000));
    const { url } = await serve((request, response) => {
      response.writeHead(request.url === '/bad' ? 500 : 200, { 'content-encoding': 'gzip' }).end(big);
    });
    const { transport } = open();
    assert.deepEqual(await reasonsOf(transport.send(getting(url, { maxBytes: 1_000_000 }))), [
      'invalidResponse',
      'tooLarge',
    ]);
    assert.equal((await transport.send(getting(url))).body.byteLength, 5_000_000);
    assert.equal((await transport.send(getting(`${url}/bad`))).body.byteLength, 64 * 1024);
  });

  it('ends with the deadline, while waiting and while reading, and leaves no connection', async () => {
    const { url, sockets } = await serve((request, response) => void (request.url === '/drip' && response.write('[')));
    for (const path of ['/', '/drip']) {
      assert.deepEqual(await reasonsOf(open(150).transport.send(getting(`${url}${path}`))), ['timeout', undefined]);
      await until(() => sockets.size === 0);
    }
  });

  it('ends with its signal, and with the transport', async () => {
    const { url, requests } = await serve(() => {});
    const { transport } = open();
    const controller = new AbortController();
    const sent = [transport.send(getting(url, { signal: controller.signal })), transport.send(getting(url))];
    const ends = sent.map((one) => one.catch((error: unknown) => error));
    await until(() => requests.length === 2);
    controller.abort();
    assert.ok(isAbortError(await ends[0]));
    transport.dispose();
    assert.ok(isAbortError(await ends[1]));
  });

  it('tries a GET again, and nothing else', async () => {
    let count = 0;
    const { url, requests } = await serve((_, response) => response.writeHead(count++ % 3 === 2 ? 200 : 503).end());
    const { transport } = open();
    assert.equal((await transport.send(getting(url))).status, 200);
    assert.equal((await transport.send(getting(url, { method: 'DELETE' }))).status, 503);
    assert.equal(requests.length, 4);
  });

  it('tells failures apart, also as Chromium names them', async () => {
    const gone = await startServer(() => {});
    await gone.close();
    assert.deepEqual(await reasonsOf(open().transport.send(getting(gone.url))), ['network', 'refused']);
    const named: [code: string, expected: [string, string | undefined]][] = [
      ['ERR_NAME_NOT_RESOLVED', ['network', 'nameNotFound']],
      ['ERR_CONNECTION_REFUSED', ['network', 'refused']],
      ['ERR_CONNECTION_RESET', ['network', 'reset']],
      ['ERR_CERT_AUTHORITY_INVALID', ['network', 'certificate']],
      ['ERR_PROXY_CONNECTION_FAILED', ['network', 'proxy']],
      ['ERR_TUNNEL_CONNECTION_FAILED', ['network', 'proxy']],
      ['ERR_CONNECTION_TIMED_OUT', ['timeout', undefined]],
      ['ERR_INTERNET_DISCONNECTED', ['network', undefined]],
    ];
    for (const [code, expected] of named) {
      const { transport } = open(5000, () => Promise.reject(new Error(`net::${code}`)));
      assert.deepEqual(await reasonsOf(transport.send(getting('http://a.test/', { method: 'POST' }))), expected, code);
    }
  });
});
