import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isAbortError, isApiError } from '../../../src/api/errors.ts';
import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { createChosenTransport } from '../../../src/api/transport/sharedTransport.ts';
import { createUndiciTransport } from '../../../src/api/transport/undiciTransport.ts';
import type { Downloads, Transport } from '../../../src/services.ts';
import type { Disposable } from '../../../src/util/disposable.ts';
import { failureOf, patientClock, recordingLog, until } from './support.ts';
import { getting, textOf, useTransports } from './useTransports.ts';

const shared = { settings: () => ({ timeoutMs: 100 }), clock: patientClock, log: recordingLog(), random: () => -0.45 };
const clients = {
  undici: (stallMs: number) => createUndiciTransport({ ...shared, stallMs }),
  editor: (stallMs: number) => createFetchTransport({ ...shared, stallMs, fetch: globalThis.fetch }),
};

for (const [name, make] of Object.entries(clients)) {
  describe(`a body read bit by bit (${name})`, () => {
    const { serve, ending } = useTransports();
    const open = (stallMs = 1000) => {
      const transport = make(stallMs);
      ending.push({ end: () => transport.dispose() });
      return transport;
    };

    it('may take longer than a request, and hands back any status and redirect', async () => {
      const { url } = await serve((request, response) => {
        if (request.url === '/away') return void response.writeHead(302, { location: '/there' }).end();
        response.writeHead(404).write('a');
        setTimeout(() => response.end('b'), 250);
      });
      const transport = open();
      const slow = await transport.download({ url, headers: {} });
      assert.deepEqual([slow.status, (await Array.fromAsync(slow.body)).map(textOf).join('')], [404, 'ab']);
      const away = await transport.download({ url: `${url}/away`, headers: {} });
      assert.deepEqual([away.status, away.headers.location], [302, '/there']);
      away.dispose();
    });

    it('is decompressed where the server compressed it unasked, and has no length', async () => {
      const body = gzipSync('whole');
      const { url } = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body),
      );
      const { headers, body: plain } = await open().download({ url, headers: {} });
      assert.equal((await Array.fromAsync(plain)).map(textOf).join(''), 'whole');
      assert.deepEqual([headers['content-length'], headers['content-encoding']], [undefined, undefined]);
    });

    it('says so if it is cut, or falls silent before or after its beginning', async () => {
      const { url } = await serve((request, response) => {
        if (request.url === '/never') return;
        response.writeHead(200, { 'content-length': 10 }).write('12345');
        if (request.url === '/cut') setTimeout(() => response.destroy(), 20);
      });
      const [patient, hasty] = [open(60_000), open(100)];
      const reasons = await Promise.all(
        ['cut', 'silent', 'never'].map(async (path) => {
          const read = async () => {
            const { body } = await (path === 'cut' ? patient : hasty).download({ url: `${url}/${path}`, headers: {} });
            await Array.fromAsync(body);
          };
          const error = await failureOf(read());
          return isApiError(error) ? `${error.reason} ${error.host}` : String(error);
        }),
      );
      const { host } = new URL(url);
      assert.deepEqual(reasons, [`network ${host}`, `timeout ${host}`, `timeout ${host}`]);
    });

    it('closes its connection when it is disposed of, read or not, or with the transport', async () => {
      const { url, sockets } = await serve((_, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('12345');
      });
      const transport = open();
      const unread = await transport.download({ url, headers: {} });
      unread.dispose();
      await until(() => sockets.size === 0);
      const read = await transport.download({ url, headers: {} });
      await read.body[Symbol.asyncIterator]().next();
      read.dispose();
      await until(() => sockets.size === 0);
      const last = await transport.download({ url, headers: {} });
      const reading = failureOf(Array.fromAsync(last.body));
      transport.dispose();
      assert.ok(isAbortError(await reading));
      await until(() => sockets.size === 0);
      assert.ok(isAbortError(await failureOf(transport.download({ url, headers: {} }))));
    });
  });
}

describe('the chosen transport', () => {
  it('sends each request by the client that is chosen at that moment', async () => {
    const used: string[] = [];
    const client = (name: string): Transport & Downloads & Disposable => ({
      async send() {
        used.push(`${name} sends`);
        return { status: 200, headers: {}, body: new Uint8Array() };
      },
      async download() {
        used.push(`${name} downloads`);
        return { status: 200, headers: {}, body: (async function* () {})(), dispose() {} };
      },
      dispose: () => void used.push(`${name} ends`),
    });
    let chosen: 'undici' | 'editor' = 'undici';
    const transport = createChosenTransport(() => chosen, { undici: client('u'), editor: client('e') });
    await transport.send(getting('https://a.example/'));
    chosen = 'editor';
    await transport.send(getting('https://a.example/'));
    await transport.download({ url: 'https://a.example/', headers: {} });
    transport.dispose();
    assert.deepEqual(used, ['u sends', 'e sends', 'e downloads', 'u ends', 'e ends']);
  });
});
