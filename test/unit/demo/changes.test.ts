import assert from 'node:assert/strict';
import type { DemoService } from '../../support/demo/demoService.ts';
import { errorsOf, type Fixture, field, withDemo } from './demoFixture.ts';

const idle = { streamCount: 2, liveCount: 0 } as const;
const firstOf = (demo: DemoService) => {
  const [stream] = demo.control.streams();
  assert.ok(stream);
  return stream;
};
const patch = ({ call }: Fixture, id: string, body: unknown) =>
  call(`/stream/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

const RENDITION = { name: '240p', width: 426, height: 240, bitrate: 250_000, fps: 0 };

describe('the demo’s changes', () => {
  it(
    'create a stream, with a key and a playback id, never seen',
    withDemo(idle, async ({ call, row }) => {
      const body = JSON.stringify({ name: 'New one', record: true, profiles: [RENDITION] });
      const reply = await call('/stream', { method: 'POST', body });
      assert.equal(reply.status, 201);
      const made = JSON.parse(reply.text);
      assert.deepEqual([made.name, made.record, made.isActive, made.lastSeen], ['New one', true, false, 0]);
      assert.match(made.streamKey, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
      assert.equal((await row(`/stream/${made.id}`)).playbackId, made.playbackId);
    }),
  );

  it(
    'answer 422 to unknown fields, wrong types and a missing name, one JSON-encoded entry an error',
    withDemo(idle, async (fixture) => {
      const { call, demo } = fixture;
      const wrong = await call('/stream', { method: 'POST', body: '{"record":"true","colour":1}' });
      assert.equal(wrong.status, 422);
      const entries = errorsOf(wrong).map((entry) => JSON.parse(entry));
      assert.deepEqual(field(entries, 'keyword'), ['required', 'type', 'additionalProperties']);
      assert.equal((await patch(fixture, firstOf(demo).id, { isActive: false })).status, 422);
      assert.equal((await patch(fixture, firstOf(demo).id, [])).status, 422);
      assert.equal((await call('/stream', { method: 'POST', body: '{"name":' })).status, 400);
      assert.equal(demo.control.streams().length, 2);
    }),
  );

  it(
    'rename, and turn recording on, with 204 and no body',
    withDemo(idle, async (fixture) => {
      const { id, record } = firstOf(fixture.demo);
      const reply = await patch(fixture, id, { name: 'Renamed', record: !record });
      assert.deepEqual([reply.status, reply.text], [204, '']);
      const after = firstOf(fixture.demo);
      assert.deepEqual([after.name, after.record], ['Renamed', !record]);
      assert.equal((await patch(fixture, 'none', { name: 'x' })).status, 404);
    }),
  );

  it(
    'refuse record while the stream is active, and change nothing',
    withDemo({ streamCount: 2, liveCount: 1 }, async (fixture) => {
      const before = firstOf(fixture.demo);
      const reply = await patch(fixture, before.id, { name: 'Renamed', record: !before.record });
      assert.deepEqual([reply.status, errorsOf(reply).length], [400, 1]);
      assert.deepEqual(firstOf(fixture.demo), before);
      assert.equal((await patch(fixture, before.id, { name: 'Renamed' })).status, 204);
    }),
  );

  it(
    'set renditions while the stream is idle, and refuse those that lack something',
    withDemo({ streamCount: 2, liveCount: 1 }, async (fixture) => {
      const [live, other] = fixture.demo.control.streams();
      assert.ok(live && other);
      assert.equal((await patch(fixture, other.id, { profiles: [RENDITION] })).status, 204);
      const profilesOf = (id: string) => fixture.demo.control.streams().find((each) => each.id === id)?.profiles;
      assert.deepEqual(profilesOf(other.id), [RENDITION]);
      const reply = await patch(fixture, live.id, { profiles: [] });
      assert.deepEqual([reply.status, profilesOf(live.id)], [400, live.profiles]);
      for (const profile of [{ name: '240p' }, 7, { ...RENDITION, width: 100 }, { ...RENDITION, crf: 7 }]) {
        const { status } = await patch(fixture, other.id, { profiles: [RENDITION, profile] });
        assert.equal(status, 422, JSON.stringify(profile));
      }
      assert.equal(
        (await fixture.call('/stream', { method: 'POST', body: '{"name":"x","profiles":[{}]}' })).status,
        422,
      );
      assert.deepEqual(profilesOf(other.id), [RENDITION]);
    }),
  );

  it(
    'suspend a live stream, which stays active for a little while',
    withDemo({ streamCount: 2, liveCount: 1 }, async (fixture) => {
      const { id, lastSeen } = firstOf(fixture.demo);
      assert.equal((await patch(fixture, id, { suspended: true })).status, 204);
      await fixture.clock.advance(3000);
      assert.deepEqual([firstOf(fixture.demo).isActive, firstOf(fixture.demo).suspended], [true, true]);
      await fixture.clock.advance(2000);
      assert.deepEqual([firstOf(fixture.demo).isActive, firstOf(fixture.demo).lastSeen], [false, lastSeen]);
      assert.equal((await patch(fixture, id, { suspended: false })).status, 204);
      assert.equal(firstOf(fixture.demo).suspended, false);
    }),
  );

  it(
    'end a broadcast, and answer 429 with Retry-After when asked again within 5 s',
    withDemo({ streamCount: 2, liveCount: 1 }, async ({ demo, call, clock }) => {
      const terminate = () => call(`/stream/${firstOf(demo).id}/terminate`, { method: 'DELETE' });
      assert.equal((await terminate()).status, 204);
      assert.equal(firstOf(demo).isActive, false);
      await clock.advance(2000);
      const again = await terminate();
      assert.deepEqual([again.status, again.headers['retry-after']], [429, '3']);
      await clock.advance(3000);
      assert.equal((await terminate()).status, 204);
    }),
  );

  it(
    'delete a live stream, whose session ends and whose recording gets ready',
    withDemo({ streamCount: 1, liveCount: 1 }, async ({ demo, call, row, clock }) => {
      const { id } = firstOf(demo);
      const [session] = demo.control.sessions(id);
      assert.equal((await call(`/stream/${id}`, { method: 'DELETE' })).status, 204);
      assert.equal((await call(`/stream/${id}`)).status, 404);
      assert.equal((await call(`/stream/${id}`, { method: 'DELETE' })).status, 404);
      assert.equal((await row(`/session/${session?.id}`)).recordingStatus, 'waiting');
      await clock.advance(70_000);
      assert.equal((await row(`/session/${session?.id}`)).recordingStatus, 'ready');
    }),
  );

  it(
    'delete several streams, or none if one is unknown',
    withDemo({ streamCount: 4, liveCount: 1 }, async ({ demo, call }) => {
      const [live, second, third, fourth] = demo.control.streams().map(({ id }) => id);
      const remove = async (body: string) =>
        (await call('/stream', { method: 'DELETE', body, headers: { 'content-length': `${body.length}` } })).status;
      for (const body of ['', '{}', '{"ids":[]}', '{"ids":"x"}', '[]', '{'])
        assert.equal(await remove(body), 422, body);
      assert.equal(await remove(JSON.stringify({ ids: [second, 'none'] })), 404);
      assert.equal(demo.control.streams().length, 4);
      assert.equal(await remove(JSON.stringify({ ids: [live, second, third] })), 204);
      assert.deepEqual(
        demo.control.streams().map(({ id }) => id),
        [fourth],
      );
    }),
  );

  it(
    'are answered 404 where there is no such operation',
    withDemo(idle, async ({ demo, call }) => {
      const { id } = firstOf(demo);
      for (const [method, path] of [
        ['PUT', `/stream/${id}`],
        ['POST', `/stream/${id}`],
        ['PUT', '/stream'],
        ['DELETE', '/session'],
        ['GET', `/stream/${id}/terminate`],
        ['GET', `/stream/${id}/sessions/more`],
      ] as const) {
        assert.equal((await call(path, { method })).status, 404, `${method} ${path}`);
      }
    }),
  );
});
