import type { RequestListener } from 'node:http';
import { createUndiciTransport, type TransportOptions } from '../../../src/api/transport/undiciTransport.ts';
import type { HttpRequest } from '../../../src/services.ts';
import { startServer, type TestServer } from '../../support/service/testServer.ts';
import { patientClock, recordingLog } from './support.ts';

/** Transports and servers for the tests of one file; all are ended after each test. */
export function useTransports() {
  const ending: { end(): unknown }[] = [];
  afterEach(async () => {
    for (const { end } of ending.splice(0).reverse()) await end();
  });

  function open(options: Partial<TransportOptions> & { timeoutMs?: number } = {}) {
    const { timeoutMs = 5000, ...rest } = options;
    const log = recordingLog();
    const settings = () => ({ timeoutMs });
    // Below what Math.random gives, so that retries come at once.
    const random = () => -0.45;
    const transport = createUndiciTransport({ settings, clock: patientClock, log, random, ...rest });
    ending.push({ end: () => transport.dispose() });
    return { transport, log };
  }

  async function serve(listener: RequestListener): Promise<TestServer> {
    const served = await startServer(listener);
    ending.push({ end: () => served.close() });
    return served;
  }

  return { open, serve, ending };
}

export const getting = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  ...more,
});

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
