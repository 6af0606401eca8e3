import assert from 'node:assert/strict';
import type { DemoService } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, withDemo } from './demoFixture.ts';

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
      assert.deepEqual(fieldsOf(demo.control.streams(), 'id'), [fourth]);
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
