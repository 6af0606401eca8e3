import assert from 'node:assert/strict';
import { errorsOf, field, filters, type Row, withDemo } from './demoFixture.ts';

const nextCursor = (link: string | undefined) => {
  const address = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1];
  return address === undefined ? undefined : new URL(address).searchParams.get('cursor');
};

describe('the demo’s lists', () => {
  it(
    'send 20 rows without a limit, and 1000 at most',
    withDemo({ streamCount: 1200 }, async ({ rows }) => {
      assert.equal((await rows('/stream')).length, 20);
      assert.equal((await rows('/stream?limit=7')).length, 7);
      assert.equal((await rows('/stream?limit=5000')).length, 1000);
    }),
  );

  it(
    'announce the next page whenever a page is full, under the Host that was asked',
    withDemo({ streamCount: 6 }, async ({ call, rows, origin }) => {
      const host = `localhost:${new URL(origin).port}`;
      const path = `/stream?streamsonly=1&limit=3&${filters({ id: 'name', value: '' })}`;
      const first = await call(path, { headers: { host } });
      const address = /<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? '';
      assert.equal(new URL(address).host, host);
      assert.equal(new URL(address).searchParams.get('filters'), JSON.stringify([{ id: 'name', value: '' }]));
      const second = await call(`${path}&cursor=${nextCursor(first.headers.link)}`);
      assert.equal(nextCursor(second.headers.link), 'skip6');
      assert.deepEqual(await rows(`${path}&cursor=skip6`), []);
      const ids = [...JSON.parse(first.text), ...JSON.parse(second.text)].map((row: Row) => row.id);
      assert.equal(new Set(ids).size, 6);
      assert.equal((await call('/stream?streamsonly=1&limit=7')).headers.link, undefined);
    }),
  );

  it(
    'send X-Total-Count for count=1 alone, and not when there are no rows',
    withDemo({ streamCount: 30, liveCount: 2 }, async ({ call }) => {
      const live = filters({ id: 'isActive', value: true });
      assert.equal((await call(`/stream?streamsonly=1&count=1&limit=4`)).headers['x-total-count'], '30');
      assert.equal((await call(`/stream?streamsonly=1&count=1&${live}`)).headers['x-total-count'], '2');
      assert.equal((await call('/stream?streamsonly=1')).headers['x-total-count'], undefined);
      const none = await call(`/stream?count=1&${filters({ id: 'id', value: 'nobody' })}`);
      assert.deepEqual([none.status, none.text, none.headers['x-total-count']], [200, '[]', undefined]);
    }),
  );

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
    'hold deprecated child streams, some without a parent, unless streamsonly=1',
    withDemo({}, async ({ rows }) => {
      const all = await rows('/stream?limit=1000');
      const children = all.filter((row) => row.parentId !== undefined);
      const parents = await rows('/stream?limit=1000&streamsonly=1');
      assert.equal(parents.length, 60);
      assert.equal(all.length, 60 + children.length);
      const known = new Set(field(parents, 'id'));
      assert.ok(children.some((row) => known.has(row.parentId)));
      assert.ok(children.some((row) => !known.has(row.parentId)));
      assert.ok(children.every((row) => row.streamKey === undefined && row.playbackId === undefined));
      const id = children[0]?.parentId;
      const some = await rows(`/stream?${filters({ id: 'parentId', value: id })}`);
      assert.ok(some.length > 0 && some.every((row) => row.parentId === id));
    }),
  );

  it(
    'pass the stated filters, alone and together with others',
    withDemo({}, async ({ rows }) => {
      const list = (...some: Row[]) => rows(`/stream?streamsonly=1&limit=1000&${filters(...some)}`);
      const live = await list({ id: 'isActive', value: true });
      const idle = await list({ id: 'isActive', value: false });
      const recorded = await list({ id: 'record', value: true });
      assert.equal(live.length + idle.length, 60);
      assert.ok(live.length > 0 && live.every((row) => row.isActive === true));
      assert.ok(recorded.length > 0 && recorded.every((row) => row.record === true));
      const both = await list({ id: 'record', value: true }, { id: 'isActive', value: true });
      assert.deepEqual(field(both, 'name'), ['Keynote']);
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
    'answer 400 to malformed filters, quoted booleans, unknown fields and a literal % encoded once',
    withDemo({ streamCount: 2 }, async ({ call }) => {
      const bad = [
        'filters=%5B',
        'filters=%7B%7D',
        filters({ id: 'isActive', value: 'true' }),
        filters({ id: 'isActive' }),
        filters({ value: true }),
        filters({ id: 'constructor', value: true }),
        filters({ id: 'createdAt', value: { near: 1 } }),
        filters({ id: 'createdAt', value: 'then' }),
        filters({ id: 'recordingStatus', value: 'ready' }),
        filters({ id: 'name', value: '100%' }),
      ];
      for (const query of bad) {
        const reply = await call(`/stream?${query}`);
        assert.equal(reply.status, 400, query);
        assert.match(errorsOf(reply)[0] ?? '', /^error parsing filters/);
      }
    }),
  );

  it(
    'filter by active=true and ignore active=false',
    withDemo({ streamCount: 9, liveCount: 2 }, async ({ rows }) => {
      assert.equal((await rows('/stream?active=true')).length, 2);
      assert.equal((await rows('/stream?active=false')).length, 9);
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
