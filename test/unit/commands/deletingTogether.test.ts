import assert from 'node:assert/strict';
import type { DemoStream } from '../../../src/demo/demoState.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import type { Ui } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, withCommands } from './fixture.ts';

const confirm: Ui['confirm'] = async () => true;
const DELETING = { isHurried: true, ui: { confirm } } as const;

const rowOf = ({ id }: { readonly id: string }): Node => ({
  kind: 'stream',
  id: `idle/${id}`,
  list: 'idle',
  streamId: id,
});

async function streamsNamed({ service, context }: Fixture, names: readonly string[], fields: Partial<DemoStream> = {}) {
  const made = names.map((name) => service.control.addStream({ name, lastSeen: Date.now(), ...fields }));
  await context.loader.refreshActive();
  await context.loader.reloadList('idle');
  service.control.clearRequests();
  return made;
}

const deleteAll = ({ run }: Fixture, streams: readonly DemoStream[]) =>
  run('deleteStream', undefined, streams.map(rowOf));
const deletions = ({ service }: Fixture) => service.control.requests.filter(({ method }) => method === 'DELETE');
const paths = (fixture: Fixture) => deletions(fixture).map(({ path }) => path.replace('/api', ''));
const left = ({ service }: Fixture, streams: readonly DemoStream[]) =>
  service.control.streams().filter(({ id }) => streams.some((stream) => stream.id === id));
describe('Deleting several streams', () => {
  for (const client of ['undici', 'editor'] as const) {
    it(
      `takes one request for those that are idle, one each for those that are live, and reads each back: ${client}`,
      withCommands({ ...DELETING, client }, async (fixture) => {
        const { ui, context, requests } = fixture;
        const idle = await streamsNamed(fixture, ['A', 'B', 'C']);
        const [live] = await streamsNamed(fixture, ['Live'], { isActive: true });
        assert.ok(live);
        await deleteAll(fixture, [...idle, live]);
        assert.deepEqual(paths(fixture), ['/stream', `/stream/${live.id}`]);
        assert.deepEqual(JSON.parse(deletions(fixture)[0]?.body ?? ''), { ids: idle.map(({ id }) => id) });
        for (const { id } of [...idle, live]) {
          assert.ok(requests().includes(`GET /api/stream/${id}`), 'read back');
          assert.equal(context.store.snapshot.streams.has(id), false);
        }
        assert.deepEqual(left(fixture, [...idle, live]), []);
        assert.deepEqual([ui.seen.flashes, fixture.ui.seen.messages], [['Deleted 4 streams'], []]);
        assert.equal(context.store.snapshot.operations.size, 0);
      }),
    );
  }

  for (const status of [400, 404, 405, 413, 415, 422, 501]) {
    it(
      `deletes them one by one where one request for all is answered ${status}, and asks again after a refresh`,
      withCommands(DELETING, async (fixture) => {
        const { service, context, ui } = fixture;
        service.control.fault(({ method, path }) =>
          method === 'DELETE' && path.endsWith('/stream') ? { status, body: '{"errors":["no"]}' } : undefined,
        );
        const tried: boolean[] = [];
        for (let turn = 0; turn < 3; turn++) {
          const streams = await streamsNamed(fixture, ['A', 'B']);
          await deleteAll(fixture, streams);
          assert.deepEqual(
            paths(fixture).slice(-2),
            streams.map(({ id }) => `/stream/${id}`),
          );
          tried.push(paths(fixture).length === 3);
        }
        // A 404 may be about a stream.
        assert.deepEqual(tried, [true, status === 404, false]);
        assert.deepEqual([ui.seen.flashes.length, fixture.ui.seen.messages], [3, []]);
        context.connection.account.resetAbilities();
        await deleteAll(fixture, await streamsNamed(fixture, ['A', 'B']));
        assert.equal(paths(fixture)[0], '/stream');
      }),
    );
  }

  it(
    'deletes the others if one is gone, and says which',
    withCommands(DELETING, async (fixture) => {
      const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
      fixture.service.control.deleteStream(streams[1]?.id ?? '');
      await deleteAll(fixture, streams);
      assert.deepEqual(left(fixture, streams), []);
      assert.deepEqual(fixture.ui.seen.messages, ['Deleted 2 of 3 streams. "B": Already deleted.']);
    }),
  );

  it(
    'leaves alone what went live since it was listed, and says so',
    withCommands(DELETING, async (fixture) => {
      const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
      fixture.service.control.startBroadcast(streams[1]?.id ?? '');
      await deleteAll(fixture, streams);
      assert.deepEqual(paths(fixture), ['/stream']);
      assert.deepEqual(fieldsOf(left(fixture, streams), 'name'), ['B']);
      assert.deepEqual(fixture.ui.seen.messages, ['Deleted 2 of 3 streams. "B": Not changed because it went live.']);
    }),
  );

  it(
    'says what may have been deleted after a server error, and never sends it again',
    withCommands(DELETING, async (fixture) => {
      const { service } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
      service.control.fault(({ method }) => {
        if (method !== 'DELETE') return undefined;
        service.control.deleteStream(streams[0]?.id ?? '');
        return { status: 500 };
      });
      await deleteAll(fixture, streams);
      assert.deepEqual(paths(fixture), ['/stream']);
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(fixture.ui.seen.messages, [
        `Deleted 1 of 3 streams. "B", "C": ${host} is unavailable (500). The change may still have been applied. Refresh to check.`,
      ]);
    }),
  );

  it(
    'waits where there were too many requests, and then goes on',
    withCommands(DELETING, async (fixture) => {
      const { service } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B']);
      let limited = 2;
      service.control.fault(({ method }) => {
        if (method !== 'DELETE' || limited === 0) return undefined;
        limited -= 1;
        return { status: 429 };
      });
      await deleteAll(fixture, streams);
      assert.deepEqual(paths(fixture), ['/stream', '/stream', '/stream']);
      assert.deepEqual([left(fixture, streams), fixture.ui.seen.messages], [[], []]);
    }),
  );

  it(
    'stops where the key is rejected',
    withCommands({ ...DELETING, pageSize: 500 }, async (fixture) => {
      const streams = await streamsNamed(
        fixture,
        Array.from({ length: 150 }, (_, at) => `S${at}`),
      );
      fixture.service.control.fault(({ method }) => (method === 'DELETE' ? { status: 401 } : undefined));
      await deleteAll(fixture, streams);
      assert.deepEqual(paths(fixture), ['/stream']);
      assert.equal(
        fixture.ui.seen.messages[0],
        'Deleted 0 of 150 streams. "S0", "S1", "S2", "S3", "S4", and 95 more: The API key was rejected. ' +
          '"S100", "S101", "S102", "S103", "S104", and 45 more: Not started.',
      );
    }),
  );

  it('takes a hundred at a time, reads ten back at once, and begins no more once it is canceled', async () => {
    const canceling = new AbortController();
    const places: string[] = [];
    const progress: Ui['progress'] = (_title, task) => task((place) => places.push(place), canceling.signal);
    await withCommands({ ...DELETING, pageSize: 500, ui: { confirm, progress } }, async (fixture) => {
      const { service } = fixture;
      const streams = await streamsNamed(
        fixture,
        Array.from({ length: 350 }, (_, at) => `S${at}`),
      );
      let [reading, most] = [0, 0];
      service.control.fault(async ({ method, path, body }) => {
        if (method === 'DELETE' && body?.includes(streams[250]?.id ?? '')) canceling.abort();
        if (method !== 'GET' || !/\/stream\/[^/]+$/.test(path)) return undefined;
        reading += 1;
        most = Math.max(most, reading);
        await new Promise(setImmediate);
        reading -= 1;
        return undefined;
      });
      await deleteAll(fixture, streams);
      assert.deepEqual(
        deletions(fixture).map(({ body }) => JSON.parse(body ?? '').ids.length),
        [100, 100, 100],
      );
      assert.equal(service.control.requests.length, 3 + 3 + 300);
      assert.ok(most <= 10, `${most} at once`);
      assert.deepEqual(places, ['1 of 350', '101 of 350', '201 of 350']);
      assert.equal(left(fixture, streams).length, 50);
      assert.match(
        fixture.ui.seen.messages[0] ?? '',
        /^Deleted 300 of 350 streams\. "S300", .* and 45 more: Not started\.$/,
      );
    })();
  });
});
