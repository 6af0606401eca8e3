import assert from 'node:assert/strict';
import { dayNode, endNode, recordingNode, recordingsNode } from '../../../src/model/rows/nodes.ts';
import { sessionParent, shownRecordings } from '../../../src/model/store/recordings.ts';
import type { DemoFace } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { until } from '../api/support.ts';
import { type Fixture, withCommands } from './fixture.ts';

const FACES: readonly DemoFace[] = ['full', 'strict', 'indifferent'];

/** The Recordings view of this service is seen first. */
async function load({ context }: Fixture) {
  context.store.recordingsShown(true);
  await context.loader.ensureRecordings();
  return shownRecordings(context.store.snapshot);
}

/** Until names of streams were asked for. */
async function untilNamed({ context }: Fixture, streamId: string): Promise<void> {
  await until(() => context.store.snapshot.recordings.parents.has(streamId));
}

for (const face of FACES) {
  describe(`Rows of recordings, over a service that is ${face}`, () => {
    it(
      'are the recorded sessions of all streams, newest first',
      withCommands({ demo: { face } }, async (fixture) => {
        const { service } = fixture;
        const shown = await load(fixture);
        // The interface guarantees "ready" alone.
        const saysNone = face !== 'strict';
        const all = service.control.streams().flatMap(({ id }) => service.control.sessions(id));
        const expected = all
          .filter(({ record, recordingStatus }) => record && (!saysNone || recordingStatus !== 'none'))
          .sort((a, b) => b.createdAt - a.createdAt);
        assert.ok(expected.length > 5);
        assert.deepEqual(fieldsOf(shown, 'id'), fieldsOf(expected, 'id'));
      }),
    );

    it(
      'stay where their stream was deleted, and say so',
      withCommands({ demo: { face } }, async (fixture) => {
        const { service, context } = fixture;
        const stream = service.control
          .streams()
          .find((each) => each.record && service.control.sessions(each.id).length > 0);
        assert.ok(stream);
        service.control.deleteStream(stream.id);
        context.connection.account.writer.gone(stream.id);
        const shown = await load(fixture);
        assert.ok(shown.some((session) => session.parentId === stream.id));
        await untilNamed(fixture, stream.id);
        assert.equal(context.store.snapshot.recordings.parents.get(stream.id), undefined);
      }),
    );

    it(
      'have their stream’s name as it is by then after a Refresh, and no request more for it otherwise',
      withCommands({ demo: { face } }, async (fixture) => {
        const { service, context } = fixture;
        const ofStream = service.control
          .streams()
          .filter(({ id }) => service.control.sessions(id).some((s) => s.record));
        const [renamed, deleted] = ofStream;
        assert.ok(renamed && deleted);
        await load(fixture);
        const kinds = () =>
          [renamed, deleted].map(({ id }) => {
            const session = shownRecordings(context.store.snapshot).find(({ parentId }) => parentId === id);
            const parent = session && sessionParent(context.store.snapshot, session);
            return parent?.kind === 'named' ? parent.name : parent?.kind;
          });
        await until(() => kinds().join() === [renamed.name, deleted.name].join());
        service.control.setStream(renamed.id, { name: 'Renamed elsewhere' });
        service.control.deleteStream(deleted.id);
        await context.loader.reloadOldRecordings();
        if (face === 'strict')
          assert.deepEqual(kinds(), [renamed.name, deleted.name], 'no look of its own asks for names');
        await fixture.run('retry', recordingNode('x1', renamed.id));
        // Sessions go on naming a stream that was deleted, where they name it at all.
        const last = face === 'strict' ? 'gone' : deleted.name;
        await until(() => kinds().join() === `Renamed elsewhere,${last}`);
      }),
    );

    it(
      'are what session commands take, several at once, without a request',
      withCommands({ demo: { face } }, async (fixture) => {
        const { run, ui } = fixture;
        const ready = (await load(fixture)).filter((session) => session.recordingUrl !== undefined).slice(0, 2);
        const rows = ready.map((session) => recordingNode(session.id, session.parentId));
        fixture.service.control.clearRequests();
        await run('copySessionId', rows[0]);
        await run('copyRecordingUrl', rows[0], rows);
        assert.deepEqual(ui.seen.copied, [ready[0]?.id, ready.map(({ recordingUrl }) => recordingUrl).join('\n')]);
        assert.deepEqual(fixture.requests(), []);
      }),
    );

    it(
      'are read again by Refresh and Retry, and by no other row of theirs',
      withCommands({ demo: { face } }, async (fixture) => {
        const [first] = await load(fixture);
        assert.ok(first);
        for (const [id, row] of [
          ['retry', recordingNode(first.id, first.parentId)],
          ['retry', dayNode(20_777)],
          ['retry', endNode('retry', recordingsNode())],
        ] as const) {
          fixture.service.control.clearRequests();
          await fixture.run(id, row);
          const paths = fixture.service.control.requests.map(({ path }) => path);
          // Names that do not come along are asked for again.
          const others = face === 'strict' ? paths.filter((path) => !/^\/api\/stream\/[^/]+$/.test(path)) : paths;
          assert.deepEqual([...new Set(others)], ['/api/session'], id);
        }
      }),
    );
  });
}

describe('Rows of recordings', () => {
  it(
    'open the dashboard of their stream',
    withCommands({}, async (fixture) => {
      const [first] = await load(fixture);
      assert.ok(first);
      await fixture.run('openDashboard', recordingNode(first.id, first.parentId));
      assert.match(fixture.ui.seen.opened[0] ?? '', new RegExp(`stream=${first.parentId}$`));
    }),
  );

  it(
    'are refused where their ids are made up',
    withCommands({}, async (fixture) => {
      await fixture.run('copySessionId', recordingNode('../stream', undefined));
      assert.deepEqual(fixture.ui.seen.copied, []);
      assert.equal(fixture.ui.seen.said.length, 1);
      assert.deepEqual(fixture.requests(), []);
    }),
  );

  it(
    'are more after Load More, from memory where everything came at once',
    withCommands({ demo: { face: 'indifferent', streamCount: 30 }, pageSize: 20 }, async (fixture) => {
      assert.equal((await load(fixture)).length, 20);
      fixture.service.control.clearRequests();
      await fixture.run('loadMore', endNode('more', recordingsNode()));
      assert.ok(shownRecordings(fixture.context.store.snapshot).length > 20);
      assert.deepEqual(
        fixture.requests().filter((request) => request.includes('/session')),
        [],
      );
    }),
  );

  it(
    'are all sessions, or the recorded ones alone',
    withCommands({}, async ({ run, context }) => {
      const { store } = context;
      assert.equal(store.snapshot.recordingsRecordedOnly, true);
      await run('showAllSessions');
      assert.equal(store.snapshot.recordingsRecordedOnly, false);
      await run('showRecordedSessions');
      assert.equal(store.snapshot.recordingsRecordedOnly, true);
    }),
  );
});
