import assert from 'node:assert/strict';
import { field, filters, withDemo } from './demoFixture.ts';

describe('the demo’s lists', () => {
  it(
    'are ordered by lastSeen, newest first, or as they are asked',
    withDemo({}, async ({ rows }) => {
      const seen = field(await rows('/stream?limit=1000'), 'lastSeen') as number[];
      assert.deepEqual(
        seen,
        [...seen].sort((a, b) => b - a),
      );
      const made = field(await rows('/stream?limit=1000&order=createdAt-false'), 'createdAt') as number[];
      assert.deepEqual(
        made,
        [...made].sort((a, b) => a - b),
      );
      const both = await rows('/stream?limit=1000&streamsonly=1&order=isActive-true,name-false');
      const keys = both.map((row) => `${row.isActive ? 0 : 1}${row.name}`);
      assert.deepEqual(keys, [...keys].sort());
    }),
  );

  it(
    'lose rows over pages where the order is not unique, and none where it is',
    withDemo({ streamCount: 0 }, async ({ demo, rows }) => {
      for (let n = 0; n < 100; n += 1) demo.control.addStream({ name: `${n}`, createdAt: 1000, lastSeen: 0 });
      const idsBy = async (order: string) => {
        const pages = [0, 20, 40, 60, 80].map((skip) => rows(`/stream?limit=20&order=${order}&cursor=skip${skip}`));
        return new Set(field((await Promise.all(pages)).flat(), 'id'));
      };
      assert.ok((await idsBy('createdAt-true')).size < 100);
      assert.equal((await idsBy('createdAt-true,id-true')).size, 100);
      assert.equal((await idsBy('lastSeen-true,id-true')).size, 100);
    }),
  );

  it(
    'filter numbers by value and by comparison, and strings exactly',
    withDemo({ streamCount: 0 }, async ({ demo, rows }) => {
      for (const [name, createdAt] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ] as const)
        demo.control.addStream({ name, createdAt });
      const names = async (value: unknown) =>
        field(await rows(`/stream?order=name-false&${filters({ id: 'createdAt', value })}`), 'name').join('');
      assert.equal(await names(2), 'b');
      assert.equal(await names({ gt: 1 }), 'bc');
      assert.equal(await names({ gte: 2, lt: 3 }), 'b');
      assert.equal(await names({ lte: 2 }), 'ab');
      const { id, playbackId } = demo.control.streams()[1] ?? {};
      assert.deepEqual(field(await rows(`/stream?${filters({ id: 'playbackId', value: playbackId })}`), 'id'), [id]);
      assert.deepEqual(await rows(`/stream?${filters({ id: 'playbackId', value: playbackId?.slice(1) })}`), []);
    }),
  );

  it(
    'find names that contain a text without case, with wildcards, and decode the value twice',
    withDemo({ streamCount: 0 }, async ({ demo, rows }) => {
      for (const name of ['Camera 10%', 'camera 100', 'Kamera', 'a.b', 'axb']) demo.control.addStream({ name });
      const find = async (value: string, encode = encodeURIComponent) => {
        const text = encode(encodeURIComponent(JSON.stringify([{ id: 'name', value }])));
        return field(await rows(`/stream?order=name-false&filters=${text}`), 'name');
      };
      assert.deepEqual(await find('CAMERA'), ['Camera 10%', 'camera 100']);
      assert.deepEqual(await find('_amera'), ['Camera 10%', 'Kamera', 'camera 100']);
      assert.deepEqual(await find('c%1'), ['Camera 10%', 'camera 100']);
      assert.deepEqual(await find('a.b'), ['a.b']);
      assert.deepEqual(await find('10\\%'), ['Camera 10%']);
    }),
  );

  it(
    'carry a weak ETag over the body, answer it 304, and never do so under no-cache',
    withDemo({ streamCount: 4, liveCount: 1 }, async ({ call, clock }) => {
      const first = await call('/stream?count=1');
      const etag = first.headers.etag ?? '';
      assert.match(etag, /^W\/".+"$/);
      const again = await call('/stream?count=1', { headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag]);
      assert.equal(again.headers['x-total-count'], '4');
      const headers = { 'if-none-match': etag, 'cache-control': 'no-cache' };
      assert.equal((await call('/stream?count=1', { headers })).status, 200);
      await clock.advance(2000);
      assert.equal((await call('/stream?count=1', { headers: { 'if-none-match': etag } })).status, 200);
    }),
  );

  it(
    'carry the clock’s date and are not compressed',
    withDemo({ streamCount: 2 }, async ({ call, clock }) => {
      const reply = await call('/stream', { headers: { 'accept-encoding': 'gzip, br' } });
      assert.equal(Date.parse(reply.headers.date ?? ''), Math.floor(clock.now() / 1000) * 1000);
      assert.equal(reply.headers['content-encoding'], undefined);
    }),
  );

  it(
    'answer an empty id with the list',
    withDemo({ streamCount: 2 }, async ({ rows }) => {
      assert.equal((await rows('/stream/')).length, 2);
    }),
  );
});
