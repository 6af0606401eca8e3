import assert from 'node:assert/strict';
import type { DemoService } from '../../support/demo/demoService.ts';
import { field, filters, type Row, withDemo } from './demoFixture.ts';

const named = (demo: DemoService, name: string) => {
  const stream = demo.control.streams().find((it) => it.name === name);
  assert.ok(stream, name);
  return stream;
};

describe('the demo’s sessions', () => {
  it(
    'of a stream come in pages without a Link, newest first',
    withDemo({ streamCount: 1, liveCount: 0 }, async ({ demo, call }) => {
      const { id } = demo.control.addStream();
      for (let number = 1; number <= 25; number++) {
        demo.control.addSession(id, { createdAt: number, lastSeen: number, sourceSegmentsDuration: 1 });
      }
      const first = await call(`/stream/${id}/sessions`);
      const second = await call(`/stream/${id}/sessions?cursor=skip20&limit=20`);
      const times = [...JSON.parse(first.text), ...JSON.parse(second.text)].map((row: Row) => row.createdAt);
      assert.deepEqual(
        times,
        Array.from({ length: 25 }, (_, index) => 25 - index),
      );
      assert.equal(first.headers.link, undefined);
    }),
  );

  it(
    'of a stream leave out the one that began seconds ago, which the user’s list has',
    withDemo({ streamCount: 1, liveCount: 0 }, async ({ demo, rows, clock }) => {
      const { id } = demo.control.addStream();
      const session = demo.control.startBroadcast(id);
      await clock.advance(3000);
      assert.deepEqual(await rows(`/stream/${id}/sessions`), []);
      assert.deepEqual(field(await rows(`/session?parentId=${id}`), 'id'), [session.id]);
      await clock.advance(3000);
      assert.deepEqual(field(await rows(`/stream/${id}/sessions`), 'id'), [session.id]);
    }),
  );

  it(
    'with record=1 are the recorded ones, mp4Url only where ready',
    withDemo({}, async ({ demo, rows }) => {
      const { id } = named(demo, 'Slow Kitchen: bread week');
      const all = await rows(`/stream/${id}/sessions?limit=1000`);
      const recorded = await rows(`/stream/${id}/sessions?limit=1000&record=1`);
      assert.ok(recorded.length > 0 && recorded.length < all.length);
      for (const row of recorded) {
        assert.equal(row.record, true);
        assert.equal(row.mp4Url !== undefined, row.recordingStatus === 'ready');
        assert.ok(!('mp4URL' in row));
      }
      assert.equal(recorded[0]?.recordingStatus, 'waiting');
      assert.match(String(recorded[0]?.recordingUrl), /\/recordings\/[^/]+\/index\.m3u8$/);
    }),
  );

  it(
    'of the user carry the whole parent, ignore record=1, and outlive a deleted stream',
    withDemo({}, async ({ demo, rows, call }) => {
      const stream = named(demo, '🎸 Garage sessions 🎶');
      const list = `/session?limit=1000&parentId=${stream.id}`;
      const before = await rows(list);
      const parents = field(before, 'parentStream') as Row[];
      assert.deepEqual(parents[0], stream);
      assert.ok((await rows(`${list}&record=1`)).some((row) => row.record === false));
      assert.equal((await call(`/stream/${stream.id}`, { method: 'DELETE' })).status, 204);
      const after = await rows(list);
      assert.deepEqual(field(after, 'id'), field(before, 'id'));
      assert.ok(after.every((row) => (row.parentStream as Row).id === stream.id));
      assert.equal((await call(`/session/${after[0]?.id}`)).status, 200);
      assert.equal((await call(`/stream/${stream.id}/sessions`)).status, 404);
    }),
  );

  it(
    'of the user page with a Link, and take filters and an order',
    withDemo({}, async ({ call, rows }) => {
      assert.match((await call('/session?limit=5')).headers.link ?? '', /cursor=skip5>?/);
      const recorded = await rows(
        `/session?limit=1000&order=createdAt-false&${filters({ id: 'record', value: true })}`,
      );
      const times = field(recorded, 'createdAt') as number[];
      assert.ok(recorded.every((row) => row.record === true));
      assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
      );
    }),
  );

  it(
    'are retrieved by id, without their parent',
    withDemo({}, async ({ rows, row }) => {
      const [first] = await rows('/session');
      const one = await row(`/session/${first?.id}`);
      assert.equal(one.id, first?.id);
      assert.ok(!('parentStream' in one));
    }),
  );

  it(
    'lie in the last weeks, and their recordings are in every state',
    withDemo({}, async ({ rows, clock }) => {
      const sessions = await rows('/session?limit=1000');
      const states = new Set(sessions.filter((row) => row.record).map((row) => row.recordingStatus));
      assert.deepEqual([...states].sort(), ['deleted', 'failed', 'none', 'ready', 'waiting']);
      assert.ok(sessions.some((row) => row.record === false && row.recordingStatus === undefined));
      const oldest = Math.min(...(field(sessions, 'createdAt') as number[]));
      assert.ok(oldest > clock.now() - 36 * 86_400_000 && oldest < clock.now() - 20 * 86_400_000);
      assert.ok((field(sessions, 'lastSeen') as number[]).every((time) => time <= clock.now()));
    }),
  );
});
