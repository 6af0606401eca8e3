import assert from 'node:assert/strict';
import { field, filters, type Row, withDemo } from './demoFixture.ts';

const STREAM_FIELDS = new Set(
  ['id', 'name', 'createdAt', 'streamKey', 'playbackId', 'isActive', 'lastSeen', 'record', 'sourceSegments'].concat([
    'transcodedSegments',
    'sourceSegmentsDuration',
    'transcodedSegmentsDuration',
    'parentId',
    'profiles',
  ]),
);
const SESSION_FIELDS = new Set(
  ['id', 'parentId', 'record', 'sourceSegmentsDuration', 'recordingStatus', 'recordingUrl', 'mp4URL'].concat([
    'createdAt',
    'profiles',
  ]),
);
const keysOf = (rows: readonly Row[]) => new Set(rows.flatMap((row) => Object.keys(row)));
const live = { id: 'isActive', value: true };

describe('the full face', () => {
  it(
    'quotes the booleans of most retrieved streams, always the same ones, and of no listed one',
    withDemo({}, async ({ rows, row }) => {
      const listed = await rows('/stream?limit=1000');
      assert.ok(listed.every((it) => typeof it.isActive === 'boolean' && typeof it.record === 'boolean'));
      const kinds = new Set<string>();
      for (const { id, isActive } of listed.slice(0, 20)) {
        const one = await row(`/stream/${id}`);
        kinds.add(typeof one.isActive);
        assert.equal(typeof one.record, typeof one.isActive);
        assert.equal(String(one.isActive), String(isActive));
        assert.equal(typeof (await row(`/stream/${id}`)).isActive, typeof one.isActive);
      }
      assert.deepEqual([...kinds].sort(), ['boolean', 'string']);
    }),
  );
});

describe('the strict face', () => {
  it(
    'sends everything at once, in no order, with the stated fields and headers alone',
    withDemo({ face: 'strict' }, async ({ call, rows }) => {
      const reply = await call('/stream?streamsonly=1', { headers: { 'if-none-match': '*' } });
      assert.equal(reply.status, 200);
      for (const name of ['link', 'etag', 'x-total-count']) assert.equal(reply.headers[name], undefined);
      const streams = JSON.parse(reply.text);
      assert.equal(streams.length, 60);
      assert.deepEqual(
        [...keysOf(streams)].filter((key) => !STREAM_FIELDS.has(key)),
        [],
      );
      assert.notDeepEqual(field(await rows('/stream?streamsonly=1'), 'id'), field(streams, 'id'));
      assert.ok((await rows('/stream')).length > 60);
    }),
  );

  it(
    'passes the stated filters and answers 400 to any other parameter',
    withDemo({ face: 'strict' }, async ({ call, rows, demo }) => {
      assert.equal((await rows(`/stream?streamsonly=1&${filters(live)}`)).length, 5);
      assert.ok((await rows(`/stream?${filters({ id: 'record', value: true })}`)).every((row) => row.record === true));
      const [stream] = demo.control.streams();
      const refused = [
        ...['limit=5', 'cursor=skip5', 'order=name-true', 'count=1', 'active=true', 'streamsonly=0', 'filters=%5B'],
        filters({ id: 'name', value: 'x' }),
        filters({ id: 'record', value: false }),
        filters({ id: 'isActive', value: 'true' }),
      ].map((query) => `/stream?${query}`);
      refused.push(`/stream/${stream?.id}?limit=5`, `/stream/${stream?.id}/sessions?limit=5`, '/session?limit=5');
      for (const path of refused) assert.equal((await call(path)).status, 400, path);
    }),
  );

  it(
    'answers 404 to any other route and to every write',
    withDemo({ face: 'strict' }, async ({ call, demo, rows }) => {
      const [stream] = demo.control.streams();
      const [session] = await rows('/session');
      const path = `/stream/${stream?.id}`;
      for (const other of ['/stream/', `/session/${session?.id}`, `/playback/${stream?.playbackId}`, '/ingest']) {
        assert.equal((await call(other)).status, 404, other);
      }
      assert.equal((await call('/stream', { method: 'POST', body: '{"name":"x"}' })).status, 404);
      assert.equal((await call(path, { method: 'PATCH', body: '{"name":"x"}' })).status, 404);
      assert.equal((await call(path, { method: 'DELETE' })).status, 404);
      assert.equal((await call(`${path}/terminate`, { method: 'DELETE' })).status, 404);
    }),
  );

  it(
    'quotes the booleans of every retrieved stream',
    withDemo({ face: 'strict' }, async ({ demo, row }) => {
      for (const { id, isActive } of demo.control.streams().slice(0, 8)) {
        const one = await row(`/stream/${id}`);
        assert.deepEqual([one.isActive, typeof one.record], [String(isActive), 'string']);
      }
    }),
  );

  it(
    'spells mp4URL, in record=1 answers only, and says ready or a word of its own',
    withDemo({ face: 'strict' }, async ({ demo, rows }) => {
      const parent = demo.control.streams().find((stream) => stream.name === 'Slow Kitchen: bread week');
      const recorded = await rows(`/stream/${parent?.id}/sessions?record=1`);
      assert.deepEqual(
        [...keysOf(recorded)].filter((key) => !SESSION_FIELDS.has(key)),
        [],
      );
      assert.ok(recorded.some((row) => row.recordingStatus === 'ready' && row.mp4URL !== undefined));
      const known = new Set(['waiting', 'failed', 'deleted', 'none']);
      const words = new Set(field(recorded, 'recordingStatus'));
      assert.ok(words.size > 1 && [...words].every((word) => !known.has(String(word))));
      for (const list of [`/stream/${parent?.id}/sessions`, '/session']) {
        const keys = keysOf(await rows(list));
        assert.deepEqual([keys.has('mp4URL'), keys.has('mp4Url'), keys.has('parentStream')], [false, false, false]);
      }
    }),
  );

  it(
    'wants the key as the others do',
    withDemo({ face: 'strict' }, async ({ call }) => {
      assert.equal((await call('/stream', { headers: { authorization: 'Bearer x' } })).status, 401);
    }),
  );
});

describe('the indifferent face', () => {
  it(
    'ignores every parameter that is not stated and sends everything at once',
    withDemo({ face: 'indifferent' }, async ({ call, demo, rows }) => {
      const plain = await call('/stream?streamsonly=1');
      const query = `limit=5&cursor=skip5&order=name-false&count=1&active=true&${filters({ id: 'name', value: 'x' })}`;
      const asked = await call(`/stream?streamsonly=1&${query}`);
      assert.equal(asked.text, plain.text);
      assert.equal(JSON.parse(plain.text).length, 60);
      assert.deepEqual([asked.headers.link, asked.headers['x-total-count']], [undefined, undefined]);
      const parent = demo.control.streams()[0];
      const all = await rows(`/stream/${parent?.id}/sessions`);
      assert.deepEqual(await rows(`/stream/${parent?.id}/sessions?limit=1&cursor=skip1`), all);
      assert.ok(all.length > 1);
      assert.deepEqual(await rows(`/session?limit=1&parentId=${parent?.id}`), await rows('/session'));
    }),
  );

  it(
    'minds the stated ones',
    withDemo({ face: 'indifferent' }, async ({ rows, demo }) => {
      assert.equal((await rows(`/stream?${filters(live, { id: 'name', value: 'x' })}`)).length, 5);
      const parent = demo.control.streams().find((stream) => stream.name === 'Slow Kitchen: bread week');
      const recorded = await rows(`/stream/${parent?.id}/sessions?record=1`);
      assert.ok(recorded.length > 0 && recorded.every((row) => row.record === true));
    }),
  );
});
