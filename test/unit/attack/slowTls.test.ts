import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { StreamApi } from '../../../src/api/streamApi.ts';
import { createUndiciTransport } from '../../../src/api/transport/undiciTransport.ts';
import { type SlowTlsOptions, startSlowTls } from '../../support/service/slowTls.ts';
import { makeTestCertificates, type TestCertificates } from '../../support/service/testCertificates.ts';
import { startServer, type TestServer } from '../../support/service/testServer.ts';
import { recordingLog, until } from '../api/support.ts';
import { countingClock, KEY, outcomeOf, PATIENCE_MS, watchRejections } from './attacked.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';

describe('A slow TLS handshake', () => {
  watchRejections();
  let certificates: TestCertificates;
  let behind: TestServer;

  before(async () => {
    certificates = makeTestCertificates();
    behind = await startServer((_request, response) => response.end('[]'), createServer(certificates));
  });
  after(async () => {
    await behind.close();
    certificates.remove();
  });

  async function over(options: Omit<SlowTlsOptions, 'port'>, timeoutMs: number, strictSSL = false) {
    const slow = await startSlowTls({ ...options, port: Number(new URL(behind.url).port) });
    const clock = countingClock();
    const log = recordingLog();
    const settings = () => ({ timeoutMs, strictSSL, systemCertificates: false });
    const transport = createUndiciTransport({ settings, clock, log, random: () => -0.45 });
    const api = new StreamApi({ baseUrl: `https://127.0.0.1:${slow.port}`, apiKey: KEY, transport, clock, log });
    const end = async () => {
      assert.equal(clock.timers, 0);
      transport.dispose();
      await until(() => slow.sockets.size === 0);
      await slow.close();
    };
    return { api, clock, end, slow };
  }

  const all = (api: StreamApi) =>
    Promise.all(
      ENDPOINTS.map((endpoint: Endpoint) => outcomeOf(endpoint.call(api)).then((outcome) => [endpoint.name, outcome])),
    );

  for (const passes of [0, 1, 200]) {
    it(`is a timeout in time after ${passes} bytes of the handshake, and leaves no connection`, async () => {
      const { api, clock, end } = await over({ passes }, 300);
      const startedAt = clock.elapsed();
      assert.deepEqual(
        await all(api),
        ENDPOINTS.map(({ name }) => [name, ['timeout']]),
      );
      assert.ok(clock.elapsed() - startedAt < 300 + PATIENCE_MS);
      await end();
    });
  }

  it('is waited for if the handshake comes through in the end', async () => {
    const { api, end } = await over({ delayMs: 60 }, 5000);
    assert.deepEqual((await api.listStreams({ parentsOnly: true })).items, []);
    await end();
  });

  it('is not trusted if it shows a certificate that nobody vouches for, however long the handshake took', async () => {
    const { api, end } = await over({ delayMs: 60 }, 5000, true);
    const outcomes = await all(api);
    assert.deepEqual(
      outcomes,
      ENDPOINTS.map(({ name }) => [name, ['network', 'certificate']]),
    );
    await end();
  });
});
