import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { isAbortError, isApiError } from '../../../src/api/errors.ts';
import type { TransportOptions } from '../../../src/api/transport/undiciTransport.ts';
import { onDispose } from '../../../src/util/disposable.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { unknownHost } from '../../support/service/unknownHost.ts';
import { failureOf, KEY, patientClock, until } from './support.ts';
import { getting, textOf, useTransports } from './useTransports.ts';

describe('the undici transport', () => {
  const { open, serve, ending } = useTransports();

  describe('sending', () => {
    it('sends the method, the address, the headers and the body as they are given', async () => {
      let body = '';
      const { url, requests } = await serve((request, response) => {
        request
          .on('data', (chunk) => (body += chunk))
          .on('end', () => response.writeHead(201, { 'x-a': '1' }).end('ok'));
      });
      const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
      const { transport } = open();
      const answer = await transport.send({
        method: 'POST',
        url: `${url}/a%20b?filters=%5B%2525%5D`,
        headers,
        body: '{"ü":1}',
      });
      assert.deepEqual([answer.status, answer.headers['x-a'], textOf(answer.body)], [201, '1', 'ok']);
      const [request] = requests;
      assert.deepEqual([request?.method, request?.url], ['POST', '/a%20b?filters=%5B%2525%5D']);
      assert.equal(request?.headers.authorization, 'Bearer k');
      assert.equal(request?.headers['accept-encoding'], 'gzip, br, deflate');
      assert.equal(request?.headers.origin, undefined);
      assert.equal(request?.headers['cache-control'], undefined);
      assert.equal(body, '{"ü":1}');
    });

    it('sends over connections that are kept', async () => {
      const { url, sockets, server } = await serve((_, response) => response.end('[]'));
      let connections = 0;
      server.on('connection', () => (connections += 1));
      const { transport } = open();
      for (let i = 0; i < 9; i += 1) await transport.send(getting(url));
      // The pool opens a second one when the next request comes in the very moment the last one ends.
      assert.ok(connections <= 2);
      assert.equal(sockets.size, connections);
    });

    it('sends no request twice, and follows no redirect', async () => {
      const { url, requests } = await serve((_, response) =>
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      );
      const { transport } = open();
      const answer = await transport.send(getting(url, { headers: { authorization: `Bearer ${KEY}` } }));
      assert.deepEqual([answer.status, answer.headers.location], [302, 'http://127.0.0.1:1/']);
      assert.equal(requests.length, 1);
    });

    it('hands repeated headers over joined', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('link', ['<a>; rel=prev', '<b>; rel=next']).end(),
      );
      assert.equal((await open().transport.send(getting(url))).headers.link, '<a>; rel=prev, <b>; rel=next');
    });
  });

  describe('ending calls', () => {
    it('ends a call when nothing is answered in time', async () => {
      const clock = heldClock();
      const { url, sockets, requests } = await serve(() => {});
      const failing = failureOf(open({ clock, timeoutMs: 200 }).transport.send(getting(`${url}/a?secret=1`)));
      await until(() => requests.length === 1);
      await clock.advance(199);
      assert.equal(sockets.size, 1);
      await clock.advance(1);
      const error = await failing;
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.host], ['timeout', new URL(url).host]);
      assert.doesNotMatch(error.message, /secret/);
      await until(() => sockets.size === 0);
    });

    it('ends a call whose body drips on and on', async () => {
      const { url, sockets } = await serve((_, response) => {
        const drip = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(drip));
      });
      const error = await failureOf(open({ timeoutMs: 200 }).transport.send(getting(url)));
      assert.ok(isApiError(error) && error.reason === 'timeout');
      await until(() => sockets.size === 0);
    });

    it('ends a call of an error whose body drips on and on', async () => {
      const { url } = await serve((_, response) => {
        response.writeHead(500);
        const drip = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(drip));
      });
      const error = await failureOf(open({ timeoutMs: 200 }).transport.send(getting(url)));
      assert.ok(isApiError(error) && error.reason === 'timeout');
    });

    it('ends a call when the caller aborts it before, while waiting, or while reading', async () => {
      const { url, sockets } = await serve(
        (request, response) => void (request.url === '/reading' && response.write('[')),
      );
      const { transport } = open();
      const early = await failureOf(transport.send(getting(url, { signal: AbortSignal.abort() })));
      assert.ok(isAbortError(early));
      assert.equal(sockets.size, 0);
      for (const path of ['/waiting', '/reading']) {
        const controller = new AbortController();
        const sent = failureOf(transport.send(getting(`${url}${path}`, { signal: controller.signal })));
        await until(() => sockets.size > 0);
        controller.abort(new Error('some reason'));
        assert.ok(isAbortError(await sent));
        await until(() => sockets.size === 0);
      }
    });

    it('ends all calls under way when it is disposed, and takes no more', async () => {
      const { url, sockets, requests } = await serve(
        (request, response) => void (request.url === '/done' && response.end('[]')),
      );
      const { transport } = open();
      await transport.send(getting(`${url}/done`));
      const sent = [1, 2, 3].map(() => failureOf(transport.send(getting(url))));
      await until(() => requests.length === 4);
      transport.dispose();
      for (const error of await Promise.all(sent)) assert.ok(isAbortError(error));
      await until(() => sockets.size === 0);
      assert.ok(isAbortError(await failureOf(transport.send(getting(url)))));
    });

    it('leaves no timer or listener of an answered call', async () => {
      const { url } = await serve((_, response) => response.end('[]'));
      let timers = 0;
      const clock: TransportOptions['clock'] = {
        now: Date.now,
        elapsed: () => performance.now(),
        setTimeout(run, ms) {
          timers += 1;
          const timer = patientClock.setTimeout(run, ms);
          return onDispose(() => {
            timer.dispose();
            timers -= 1;
          });
        },
      };
      const { signal } = new AbortController();
      await open({ clock }).transport.send(getting(url, { signal }));
      assert.deepEqual([timers, getEventListeners(signal, 'abort').length], [0, 0]);
    });
  });

  describe('failures', () => {
    const free = async (): Promise<number> => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.on('listening', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      return port;
    };

    it('tells a connection that is refused apart', async () => {
      const error = await failureOf(
        open().transport.send({ ...getting(`http://127.0.0.1:${await free()}/`), method: 'POST' }),
      );
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.why], ['network', 'refused']);
    });

    it('tells a name that is not found apart', async () => {
      const host = unknownHost('no-such-host');
      const error = await failureOf(open().transport.send({ ...getting(`http://${host}/`), method: 'POST' }));
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.why, error.host], ['network', 'nameNotFound', host]);
    });

    it('tells a connection that is cut before the answer apart', async () => {
      const { url } = await serve((request) => request.socket.destroy());
      const error = await failureOf(open().transport.send({ ...getting(url), method: 'PATCH' }));
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.why], ['network', 'reset']);
    });

    it('something that does not speak HTTP', async () => {
      const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n')).listen(
        0,
        '127.0.0.1',
      );
      await new Promise((resolve) => server.on('listening', resolve));
      ending.push({ end: () => server.close() });
      const { port } = server.address() as AddressInfo;
      const error = await failureOf(open().transport.send(getting(`http://127.0.0.1:${port}/`)));
      assert.ok(isApiError(error));
      assert.deepEqual([error.reason, error.why], ['invalidResponse', 'notJson']);
    });
  });

  it('logs method, path, status, bytes and time, and nothing that is secret', async () => {
    const { url } = await serve(
      (request, response) => void (request.url?.startsWith('/cut') ? response.destroy() : response.end('[1]')),
    );
    const { transport, log } = open();
    const headers = { authorization: `Bearer ${KEY}` };
    await transport.send({ method: 'POST', url: `${url}/api/stream?filters=hidden`, headers, body: 'hidden' });
    await failureOf(transport.send({ method: 'POST', url: `${url}/cut?filters=hidden`, headers, body: 'hidden' }));
    assert.match(log.lines[0] ?? '', /^debug POST \/api\/stream: 200, 3 bytes, \d+ ms$/);
    assert.match(log.lines[1] ?? '', /^debug POST \/cut: UND_ERR_SOCKET, \d+ ms$/);
    assert.doesNotMatch(log.lines.join(), /hidden|secret/);
  });
});
