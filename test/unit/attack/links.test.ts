import assert from 'node:assert/strict';
import { itInFuzz } from '../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../support/service/clients.ts';
import type { Reply } from '../../support/service/faultReply.ts';
import type { FaultRequest } from '../../support/service/faultRequests.ts';
import { startServer } from '../../support/service/testServer.ts';
import { attack, watchRejections } from './attacked.ts';

const page = (reply: Reply, ids: readonly string[], link: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, link },
  body: JSON.stringify(ids.map((id) => ({ id }))),
});
const cursorOf = ({ query }: FaultRequest) => new URLSearchParams(query).get('cursor');

describeWith(CLIENTS, 'A Link header', (client) => {
  watchRejections();

  it('asks its own host for the next page where it names another host, which gets no request', async () => {
    const other = await startServer((_request, response) => response.end('[]'));
    const attacked = await attack({ client });
    attacked.service.fault = (reply, request) =>
      cursorOf(request) === null
        ? page(reply, ['a'], `<${other.url}/stream?cursor=skip20>; rel="next"`)
        : page(reply, ['b'], '');
    const pages = await Array.fromAsync(attacked.api.eachStreamPage({ parentsOnly: true }));
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ id }) => id)),
      ['a', 'b'],
    );
    assert.deepEqual(other.requests, []);
    await attacked.end();
    await other.close();
  });

  const endless: readonly [what: string, link: (count: number, request: FaultRequest) => string, requests: number][] = [
    ['to itself', (_count, { path, query }) => `<http://x${path}?${query}>; rel="next"`, 1],
    ['with one cursor for ever', () => '<x?cursor=again>; rel="next"', 2],
    ['with a cursor that grows, over the same rows', (count) => `<x?cursor=skip${count}>; rel="next"`, 2],
    ['with a cursor of megabytes', () => `<x?cursor=${'y'.repeat(15_000)}>; rel="next"`, 1],
    ['that is no address', () => '<<<>>>; rel=next, cursor=7', 1],
  ];
  for (const [what, link, requests] of endless) {
    it(`${what} ends after ${requests} requests`, async () => {
      const attacked = await attack({ client });
      attacked.service.fault = (reply, request) => page(reply, ['a'], link(attacked.service.requests.length, request));
      const pages = await Array.fromAsync(attacked.api.eachStreamPage({ parentsOnly: true }));
      assert.equal(attacked.service.requests.length, requests);
      assert.equal(pages.flatMap(({ items }) => items).length, 1);
      await attacked.end();
    });
  }

  // The same code whoever sends the requests.
  (client === 'undici' ? it : itInFuzz)(
    'stops at the most pages there are if its cursor grows over new rows without end',
    async () => {
      const attacked = await attack({ client, timeoutMs: 5000 });
      attacked.service.fault = (reply) => {
        const count = attacked.service.requests.length;
        return page(reply, [`s${count}`], `<x?cursor=skip${count}>; rel="next"`);
      };
      let rows = 0;
      for await (const { items } of attacked.api.eachStreamPage({ parentsOnly: true })) rows += items.length;
      assert.equal(attacked.service.requests.length, 1000);
      assert.equal(rows, 1000);
      await attacked.end();
    },
  );
});
