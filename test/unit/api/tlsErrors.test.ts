import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../../../src/api/describeError.ts';
import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { classifyError } from '../../../src/api/transport/networkErrors.ts';
import { createUndiciTransport } from '../../../src/api/transport/undiciTransport.ts';
import { makeTestCertificates, type TestCertificates } from '../../support/service/testCertificates.ts';
import { patientClock, recordingLog } from './support.ts';

describe('what stands in the way of a secure connection', () => {
  let certificates: TestCertificates;
  const closers: (() => void)[] = [];

  before(() => {
    certificates = makeTestCertificates();
  });
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  after(() => certificates.remove());

  async function portOf(server: Pick<Server, 'listen' | 'address' | 'close' | 'once'>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  const httpsOn = (options: ServerOptions) => {
    const { cert, key } = certificates;
    return portOf(createHttpsServer({ cert, key, ...options }, (_request, response) => response.end('[]')));
  };

  /** OpenSSL's own server, which sends alerts as most servers do; Node's closes the connection without a word. */
  async function openSslOn(...options: readonly string[]): Promise<number> {
    const folder = mkdtempSync(join(tmpdir(), 'live-streams-tls-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const { cert, key, ca } = certificates;
    const files = ['-cert', file('cert', cert), '-key', file('key', key), '-CAfile', file('ca', ca)];
    const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', '-www', ...files, ...options], {
      stdio: 'pipe',
    });
    closers.push(() => {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    });
    return portSaidBy(server);
  }

  function portSaidBy(server: ChildProcess): Promise<number> {
    return new Promise((resolve, reject) => {
      let said = '';
      server.stdout?.on('data', (bytes) => {
        said += String(bytes);
        const port = /^ACCEPT .*:(\d+)\s/m.exec(said)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
      server.once('error', reject);
      server.once('exit', (code) => reject(new Error(`openssl s_server ended with ${code}: ${said}`)));
    });
  }

  const settings = () => ({ timeoutMs: 10_000, strictSSL: false, systemCertificates: false });
  const clients = {
    undici: () => createUndiciTransport({ settings, clock: patientClock, log: recordingLog() }),
    editor: () => createFetchTransport({ fetch, settings, clock: patientClock, log: recordingLog() }),
  };

  /** What the transport throws for a request to this port. */
  async function failureAt(port: number, client: keyof typeof clients): Promise<unknown> {
    const transport = clients[client]();
    try {
      await transport.send({ method: 'GET', url: `https://127.0.0.1:${port}/stream`, headers: {} });
      return undefined;
    } catch (error) {
      return error;
    } finally {
      transport.dispose();
    }
  }

  const cases: readonly (readonly [what: string, server: () => Promise<number>, why: string, sentence: RegExp])[] = [
    [
      'a server that speaks http',
      () => portOf(createHttpServer((_request, response) => response.end('[]'))),
      'plainHttp',
      /doesn't use HTTPS\. Check the URL and port\./,
    ],
    [
      'a server of TLS 1.1',
      () => httpsOn({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      'tlsVersion',
      /doesn't support TLS 1\.2 or later\./,
    ],
    [
      'a server of HTTP/2 alone',
      () => {
        const { cert, key } = certificates;
        return portOf(createSecureServer({ cert, key, allowHTTP1: false }) as unknown as Server);
      },
      'http2Only',
      /supports only HTTP\/2/,
    ],
    [
      'a server that requires a client certificate, by TLS 1.3',
      () => openSslOn('-tls1_3', '-Verify', '1', '-verify_return_error'),
      'clientCertificate',
      /requires a client certificate/,
    ],
    [
      'a server that requires a client certificate, by TLS 1.2',
      () => openSslOn('-tls1_2', '-Verify', '1', '-verify_return_error'),
      'tlsHandshake',
      /may require a client certificate/,
    ],
    [
      'a server with other ciphers',
      () => httpsOn({ maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }),
      'tlsHandshake',
      /refused the secure connection/,
    ],
  ];
  for (const client of ['undici', 'editor'] as const) {
    // Node's fetch looks at the certificate before, and tells no more than that the connection was closed.
    const told = cases.filter(([, , why]) => client === 'undici' || why !== 'clientCertificate');
    for (const [what, server, why, sentence] of told) {
      it(`is said of ${what}, by the client ${client}`, async () => {
        const error = await failureAt(await server(), client);
        assert.ok(error instanceof Error && 'reason' in error && 'why' in error, String(error));
        assert.deepEqual([error.reason, error.why], ['network', why], error.message);
        assert.match(describeError(error, { service: 'service.test' }), sentence);
      });
    }
  }

  it('is told by Chromium’s words', () => {
    const whyOf = (code: string) =>
      classifyError(new TypeError('fetch failed', { cause: new Error(`net::${code}`) })).why;
    assert.deepEqual(
      ['ERR_SSL_VERSION_OR_CIPHER_MISMATCH', 'ERR_SSL_CLIENT_AUTH_CERT_NEEDED', 'ERR_CERT_AUTHORITY_INVALID'].map(
        whyOf,
      ),
      ['tlsVersion', 'clientCertificate', 'certificate'],
    );
  });

  it('is no word about the service where it is the proxy’s', () => {
    const inner = Object.assign(new Error('wrong version'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
    const error = Object.assign(new Error('proxy', { cause: inner }), { code: 'UND_ERR_PRX_TLS' });
    assert.equal(classifyError(error).why, 'certificate');
  });
});
