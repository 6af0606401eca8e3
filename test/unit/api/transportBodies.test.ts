import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { isApiError } from '../../../src/api/errors.ts';
import { failureOf, until } from './support.ts';
import { getting, textOf, useTransports } from './useTransports.ts';

const MB = 1024 * 1024;

/** Goes on until the other side has had enough. */
function writeForEver(response: ServerResponse, text: string): void {
  if (response.destroyed) return;
  response.write(text);
  setImmediate(() => writeForEver(response, text));
}

describe('the undici transport', () => {
  const { open, serve } = useTransports();

  const encodings: [name: string, encode: (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (text) => Buffer.from(text)],
    ['GZIP', gzipSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
  ];
  for (const [name, encode] of encodings) {
    it(`reads bodies that are encoded with ${name} (${encode.name})`, async () => {
      const text = '{"name":"ü"}'.repeat(1000);
      const { url } = await serve((_, response) => response.setHeader('content-encoding', name).end(encode(text)));
      assert.equal(textOf((await open().transport.send(getting(url))).body), text);
    });
  }

  it('reads bodies that are empty, encoded or not', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'identity']) {
      const { url } = await serve((_, response) => response.writeHead(204, { 'content-encoding': encoding }).end());
      assert.equal((await open().transport.send(getting(url))).body.byteLength, 0, encoding);
    }
    const { url } = await serve((_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end());
    assert.equal((await open().transport.send(getting(url))).status, 304);
  });

  it('reads bodies no further than allowed, and ends the connection', async () => {
    const { url, sockets } = await serve((_, response) => {
      writeForEver(response, 'x'.repeat(MB));
    });
    const before = process.memoryUsage().rss;
    const { transport } = open();
    const error = await failureOf(transport.send(getting(`${url}/x?token=1`, { maxBytes: 2 * MB })));
    assert.ok(isApiError(error));
    assert.deepEqual([error.reason, error.why, error.host], ['invalidResponse', 'tooLarge', new URL(url).host]);
    await until(() => sockets.size === 0);
    assert.ok(process.memoryUsage().rss - before < 64 * MB);
  });

  it('refuses 300 MB of gzip as they grow, by what comes out of a body', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      const gzip = createGzip();
      gzip.pipe(response);
      let written = 0;
      const write = (): void => {
        if (response.destroyed || written >= 300) return void gzip.end();
        written += 1;
        gzip.write(Buffer.alloc(MB), write);
      };
      write();
    });
    const before = process.memoryUsage().rss;
    const error = await failureOf(open().transport.send(getting(url, { maxBytes: MB })));
    assert.ok(isApiError(error) && error.why === 'tooLarge', inspect(error));
    assert.ok(process.memoryUsage().rss - before < 64 * MB);
  });

  it('reads bodies of errors up to 64 KiB, and leaves the rest', async () => {
    const { url, sockets } = await serve((_, response) => {
      response.writeHead(500);
      writeForEver(response, 'x'.repeat(100_000));
    });
    const answer = await open().transport.send({ ...getting(url), method: 'DELETE' });
    assert.deepEqual([answer.status, answer.body.byteLength], [500, 64 * 1024]);
    await until(() => sockets.size === 0);
  });

  it('reads bodies of errors as far as they got', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(422, { 'content-length': '1000' }).write('{"errors":');
      setTimeout(() => response.destroy(), 20);
    });
    const answer = await open().transport.send(getting(url));
    assert.deepEqual([answer.status, textOf(answer.body)], [422, '{"errors":']);
  });

  it('fails with network or reset on bodies that break off', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('[');
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failureOf(open().transport.send({ ...getting(url), method: 'POST' }));
    assert.ok(isApiError(error));
    assert.deepEqual([error.reason, error.why], ['network', 'reset']);
  });

  it('takes bodies whose compression is broken or unknown for invalid responses', async () => {
    const bodies: [encoding: string, body: Buffer][] = [
      ['gzip', gzipSync('x'.repeat(1000)).subarray(0, 20)],
      ['gzip', Buffer.from('this is no gzip')],
      ['br', Buffer.from('this is no brotli')],
      ['deflate', Buffer.from('this is no deflate')],
      ['zstd', Buffer.from('x')],
      ['gzip, gzip, gzip', Buffer.from('x')],
    ];
    for (const [encoding, body] of bodies) {
      const { url } = await serve((_, response) => response.setHeader('content-encoding', encoding).end(body));
      const error = await failureOf(open().transport.send(getting(url)));
      assert.ok(isApiError(error) && error.reason === 'invalidResponse', `${encoding}: ${inspect(error)}`);
    }
  });
});
