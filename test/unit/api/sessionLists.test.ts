import assert from 'node:assert/strict';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { apiOver } from './support.ts';

const rowsOf = (parentId: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ id: `${parentId}${from + n}`, parentId, record: true }));

/** A service whose sessions of the stream "old" cannot be listed by the stated request. */
const broken =
  (bySession: (query: URLSearchParams) => object = () => ({ body: rowsOf('old', 3) })) =>
  ({ url }: { url: string }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/api/stream/old/sessions') return { status: 500, body: { errors: ['no such row'] } };
    if (pathname === '/api/session') return bySession(searchParams);
    return pathname.startsWith('/api/session/') ? { status: 404 } : { body: [] };
  };

const ROUND = 'GET /session?parentId=old&order=createdAt-true%2Cid-true';

describe('session lists that fail with 500', () => {
  it('are asked for by their stream after a second 500, and from then on at once', async () => {
    const { api, asked } = apiOver(broken());
    assert.equal((await api.listSessions('old')).items.length, 3);
    assert.deepEqual(asked(), ['GET /stream/old/sessions', 'GET /stream/old/sessions', ROUND]);
    await api.listSessions('old');
    assert.deepEqual(asked().slice(3), [ROUND]);
    api.resetAbilities();
    await api.listSessions('old');
    assert.deepEqual(asked().slice(4, 5), ['GET /stream/old/sessions']);
  });

  it('are not asked for otherwise after one 500 alone', async () => {
    let failures = 1;
    const { api, asked } = apiOver(() => (failures-- > 0 ? { status: 500 } : { body: rowsOf('old', 2) }));
    assert.equal((await api.listSessions('old')).items.length, 2);
    assert.deepEqual(asked(), ['GET /stream/old/sessions', 'GET /stream/old/sessions']);
  });

  it('are paged, and recorded ones are filtered', async () => {
    const link = '<http://x/api/session?cursor=skip2>; rel="next"';
    const { api, asked } = apiOver(
      broken((query) =>
        query.has('cursor') ? { body: rowsOf('old', 1, 2) } : { body: rowsOf('old', 2), headers: { link } },
      ),
    );
    const first = await api.listSessions('old', { limit: 2, recordedOnly: true });
    assert.equal(first.next, 'skip2');
    const second = await api.listSessions('old', { limit: 2, cursor: 'skip2', recordedOnly: true });
    assert.deepEqual(fieldsOf(second.items, 'id'), ['old2']);
    const filters = encodeURIComponent('[{"id":"record","value":true}]');
    assert.equal(
      asked().at(-1),
      `GET /session?parentId=old&filters=${filters}&limit=2&cursor=skip2&order=createdAt-true%2Cid-true`,
    );
  });

  it('are those of that stream alone where the service sends all', async () => {
    const { api } = apiOver(
      broken((query) => (query.size > 0 ? { status: 400 } : { body: [...rowsOf('old', 1), ...rowsOf('other', 5)] })),
    );
    assert.deepEqual(fieldsOf((await api.listSessions('old')).items, 'id'), ['old0']);
  });

  it('fail with the 500 where the way round fails, and ask the stated request first the next time', async () => {
    const { api, asked } = apiOver(broken(() => ({ status: 500 })));
    for (let turn = 0; turn < 2; turn++) {
      await assert.rejects(api.listSessions('old'), { reason: 'unavailable', status: 500, message: /stream\/old/ });
    }
    assert.equal(asked().filter((line) => line === 'GET /stream/old/sessions').length, 4);
  });

  it('hold a session that is looked for by its id', async () => {
    const { api } = apiOver(broken());
    assert.equal((await api.getSession('old1', { parentId: 'old' })).value.id, 'old1');
  });
});
