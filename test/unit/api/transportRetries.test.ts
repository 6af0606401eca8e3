import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { isAbortError, isApiError } from '../../../src/api/errors.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { failureOf, until } from './support.ts';
import { getting, useTransports } from './useTransports.ts';

describe('the undici transport', () => {
  const { open, serve } = useTransports();

  /** Answers with each status in requestSeq, the last one for ever. */
  const inTurn = (statuses: number[], headers: Record<string, string> = {}): RequestListener => {
    let count = 0;
    return (_, response) => {
      const status = statuses[Math.min(count++, statuses.length - 1)] ?? 200;
      if (status === 0) response.destroy();
      else response.writeHead(status, status === 200 ? {} : headers).end('[]');
    };
  };

  for (const status of [0, 502, 503, 504]) {
    it(`tries a GET again after ${status === 0 ? 'a lost connection' : status}, twice at most`, async () => {
      const healing = await serve(inTurn([status, status, 200]));
      assert.equal((await open().transport.send(getting(healing.url))).status, 200);
      assert.equal(healing.requests.length, 3);
      const broken = await serve(inTurn([status]));
      const end = await open()
        .transport.send(getting(broken.url))
        .catch((error: unknown) => error);
      assert.ok(status === 0 ? isApiError(end) : (end as { status: number }).status === status);
      assert.equal(broken.requests.length, 3);
    });
  }

  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    it(`does not try a ${method} again`, async () => {
      for (const status of [0, 429, 503]) {
        const { url, requests } = await serve(inTurn([status, 200], { 'retry-after': '0' }));
        await open()
          .transport.send({ ...getting(url), method })
          .catch(() => {});
        assert.equal(requests.length, 1);
      }
    });
  }

  it('tries nothing again that is no passing trouble', async () => {
    for (const status of [400, 401, 403, 404, 500, 501]) {
      const { url, requests } = await serve(inTurn([status, 200]));
      assert.equal((await open().transport.send(getting(url))).status, status);
      assert.equal(requests.length, 1);
    }
  });

  it('tries again after a 429 that says when, if that is in time', async () => {
    const soon = await serve(inTurn([429, 200], { 'retry-after': '0.3' }));
    const clock = heldClock();
    const sent = open({ clock }).transport.send(getting(soon.url));
    // The deadline and the pause.
    await until(() => clock.timerCount === 2 && soon.requests.length === 1 && soon.sockets.size === 1);
    await clock.advance(299);
    assert.equal(soon.requests.length, 1);
    await clock.advance(1);
    assert.equal((await sent).status, 200);
    const late = await serve(inTurn([429, 200], { 'retry-after': '60' }));
    assert.equal((await open().transport.send(getting(late.url))).headers['retry-after'], '60');
    const silent = await serve(inTurn([429, 200]));
    assert.equal((await open().transport.send(getting(silent.url))).status, 429);
    assert.deepEqual([late.requests.length, silent.requests.length], [1, 1]);
  });

  it('tries again within one deadline over all tries', async () => {
    const clock = heldClock();
    const answers: (() => void)[] = [];
    const { url } = await serve((_, response) => answers.push(() => response.writeHead(503).end()));
    const end = failureOf(open({ clock, timeoutMs: 500, random: () => 0 }).transport.send(getting(url)));
    await until(() => answers.length === 1);
    await clock.advance(200);
    const before = clock.timerCount;
    answers[0]?.();
    await until(() => clock.timerCount > before);
    await clock.advance(125);
    await until(() => answers.length === 2);
    await clock.advance(175);
    const error = await end;
    assert.ok(isApiError(error) && error.reason === 'timeout');
  });

  it('does not try again once the caller has ended the call', async () => {
    const { url, requests } = await serve(inTurn([503]));
    const controller = new AbortController();
    const sent = failureOf(open({ random: () => 3 }).transport.send(getting(url, { signal: controller.signal })));
    await until(() => requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    assert.ok(isAbortError(await sent));
    assert.equal(requests.length, 1);
  });
});
