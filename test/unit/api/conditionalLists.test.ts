import assert from 'node:assert/strict';
import { heldClock } from '../../support/model/heldClock.ts';
import { apiOver, NOW } from './support.ts';

describe('a conditional list', () => {
  const query = { parentsOnly: true, filters: [{ id: 'isActive', value: true }] };

  it('sends the ETag, and gives the same items with a new age when nothing changed', async () => {
    let now = NOW;
    const { api, requests } = apiOver(
      ({ headers }) =>
        headers['if-none-match'] === 'W/"1"'
          ? { status: 304, headers: { date: 'Sun, 01 Mar 2026 12:00:15 GMT', 'x-total-count': '7' } }
          : { body: [{ id: 'a' }, {}], headers: { etag: 'W/"1"', 'x-total-count': '6' } },
      { clock: { ...heldClock(), now: () => now } },
    );
    const first = await api.listStreams(query, { conditional: true });
    now += 15_000;
    const second = await api.listStreams(query, { conditional: true });
    assert.equal(requests[0]?.headers['if-none-match'], undefined);
    assert.equal(requests[1]?.headers['if-none-match'], 'W/"1"');
    assert.equal(requests[1]?.headers['cache-control'], undefined);
    assert.equal(second.items, first.items);
    assert.deepEqual([second.startedAt, second.serverDate, second.total], [NOW + 15_000, NOW + 15_000, 7]);
    assert.equal(second.unreadable, 1);
  });

  it('takes a new answer with a new ETag, and forgets it where there is none', async () => {
    const etags = ['"1"', '"2"', undefined, undefined];
    const { api, requests } = apiOver((_, count) => {
      const etag = etags[count - 1];
      return { body: [{ id: `n${count}` }], headers: etag ? { etag } : {} };
    });
    for (let i = 0; i < 4; i += 1) await api.listStreams(query, { conditional: true });
    assert.deepEqual(
      requests.map(({ headers }) => headers['if-none-match']),
      [undefined, '"1"', '"2"', undefined],
    );
  });

  it('asks unconditionally when not told to, and tells addresses apart', async () => {
    const { api, requests } = apiOver(() => ({ body: [], headers: { etag: '"1"' } }));
    await api.listStreams(query, { conditional: true });
    await api.listStreams(query);
    await api.listStreams({ parentsOnly: true }, { conditional: true });
    assert.ok(requests.every(({ headers }) => headers['if-none-match'] === undefined));
  });

  it('keeps twelve answers, the last used', async () => {
    const { api, requests } = apiOver(() => ({ body: [], headers: { etag: '"1"' } }));
    const ask = (limit: number) => api.listStreams({ parentsOnly: true, limit }, { conditional: true });
    for (const limit of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 13]) await ask(limit);
    requests.length = 0;
    await ask(1);
    await ask(2);
    assert.deepEqual(
      requests.map(({ headers }) => headers['if-none-match']),
      ['"1"', undefined],
    );
  });

  it('is an invalid response when a 304 answers no condition', async () => {
    const { api } = apiOver(() => ({ status: 304 }));
    await assert.rejects(api.listStreams(query), { reason: 'invalidResponse' });
  });
});
