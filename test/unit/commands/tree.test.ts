import assert from 'node:assert/strict';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { drawRow } from '../../../src/tree/nodeTable.ts';
import { rootRows } from '../../../src/tree/streamsTree.ts';
import { streamsState } from '../../../src/tree/treeState.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { withCommands } from './fixture.ts';

const IDLE: Node = { kind: 'group', id: 'idle', list: 'idle' };

const NINE = Date.UTC(2026, 10, 20, 9);

describe('A key that may not read the streams', () => {
  for (const face of ['full', 'strict', 'indifferent'] as const) {
    it(
      `keeps the connection; the view says why in the service’s words, and offers to set another: ${face}`,
      withCommands({ demo: { face } }, async ({ run, ui, service, context }) => {
        service.control.fault(() => ({ status: 403, body: '{"errors":["user is suspended"]}' }));
        await run('refresh');
        const { snapshot } = context.store;
        assert.equal(snapshot.connection.kind, 'open');
        const [first] = rootRows(snapshot).map((node) => drawRow(snapshot, node, context.drawing()));
        assert.deepEqual([first?.label, first?.description, first?.command], ['Set API Key…', undefined, 'setApiKey']);
        assert.match(
          streamsState(snapshot, context.drawing()).message ?? '',
          /rejected the request: "user is suspended\." Last updated/,
        );
        service.control.fault(undefined);
        ui.answers.inputs.push(service.apiKey);
        await run('setApiKey');
        await run('refresh');
        const [now] = rootRows(context.store.snapshot);
        assert.equal(now?.kind, 'group');
      }),
    );
  }
});

describe('refreshing', () => {
  it(
    'reads all that is loaded again',
    withCommands({}, async ({ run, service, context, requests }) => {
      const added = service.control.addStream({ name: 'New' });
      await run('refresh');
      assert.ok(context.store.snapshot.lists.idle.ids.includes(added.id));
      assert.ok(requests().length >= 2);
    }),
  );

  it(
    'reads one group, one stream with its sessions, or one session’s stream again',
    withCommands({}, async ({ run, service, context, requests }) => {
      const id = context.store.snapshot.lists.idle.ids.at(-1) ?? '';
      const row: Node = { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id };
      await context.loader.ensureSessions(id);
      service.control.setStream(id, { name: 'Another name' });
      const session = service.control.addSession(id, {
        createdAt: NINE,
        lastSeen: NINE + 60_000,
        sourceSegmentsDuration: 60,
      });
      service.control.clearRequests();
      await run('retry', row);
      assert.equal(context.store.snapshot.streams.get(id)?.stream.name, 'Another name');
      assert.equal(context.store.snapshot.sessions.get(id)?.items[0]?.id, session.id);
      assert.equal(requests().length, 2);
      service.control.clearRequests();
      await run('retry', { kind: 'session', id: 'x', list: 'idle', streamId: id, sessionId: session.id });
      assert.match(requests().join(), new RegExp(`^GET /api/stream/${id}/sessions[^,]*$`));
      service.control.clearRequests();
      await run('retry', IDLE);
      assert.ok(requests().every((request) => request.includes('isActive')));
      service.control.clearRequests();
      await run('retry', id);
      assert.equal(requests().length, 2);
    }),
  );

  it(
    'reads the deprecated child streams of a row’s parent again, or all without a parent where the row stands under those',
    withCommands({}, async ({ run, service, context }) => {
      const parent = context.store.snapshot.lists.idle.ids[0] ?? '';
      const child = (id: string, parentId: string) => service.control.addStream({ name: id, parentId });
      child('first', parent);
      child('lost', 'nobody');
      await context.loader.ensureChildren(parent);
      await context.loader.ensureOrphans();
      child('second', parent);
      child('lost too', 'nobody');
      const under = () =>
        context.store.snapshot.children
          .get(parent)
          ?.items.map(({ name }) => name)
          .sort();
      const orphans = () => context.store.snapshot.orphans.items.map(({ name }) => name).sort();
      const row = { kind: 'child', id: 'x', streamId: 'y' };
      const [before, beforeOrphans] = [under() ?? [], orphans()];
      await run('retry', { ...row, list: 'idle', parentId: parent });
      assert.deepEqual([under(), orphans()], [[...before, 'second'].sort(), beforeOrphans]);
      child('third', parent);
      await run('retry', { ...row, list: undefined, parentId: parent });
      assert.deepEqual(orphans(), [...beforeOrphans, 'lost too'].sort());
      assert.ok(!under()?.includes('third'));
      await run('retry', parent);
      assert.ok(under()?.includes('third'), 'with its stream');
      child('lost three', 'nobody');
      await run('retry', { kind: 'orphans', id: 'orphans' });
      assert.ok(orphans().includes('lost three'));
    }),
  );

  it(
    'says that a stream is gone, takes its row away, and refuses what is no id',
    withCommands({}, async ({ run, ui, service, context, requests }) => {
      const id = context.store.snapshot.lists.idle.ids[0] ?? '';
      const name = context.store.snapshot.streams.get(id)?.stream.name;
      service.control.deleteStream(id);
      await run('retry', { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id });
      assert.equal(ui.seen.said[0]?.message, `"${name}" no longer exists.`);
      assert.equal(context.store.snapshot.lists.idle.ids.includes(id), false);
      service.control.clearRequests();
      const session = { kind: 'session', id: 'x', list: 'idle', streamId: '../x', sessionId: 'y' };
      const madeUp = [
        session,
        { kind: 'more', id: 'x', of: session },
        { kind: 'more', id: 'x', of: { kind: 'nobody', id: 'x' } },
        { kind: 'retry', id: 'x', of: undefined },
      ];
      await run('retry', '../x');
      for (const row of madeUp) for (const command of ['loadMore', 'retry']) await run(command, row);
      assert.equal(
        ui.seen.said.filter(({ message }) => message.startsWith("This isn't a valid stream or session ID.")).length,
        9,
      );
      assert.deepEqual(requests(), []);
      assert.match(ui.seen.said[1]?.message ?? '', /isn't a valid stream or session ID/);
    }),
  );

  it(
    'takes no deprecated child stream for a stream',
    withCommands({}, async ({ run, service, context }) => {
      const child = service.control.streams().find((stream) => stream.parentId !== undefined);
      assert.ok(child);
      const before = context.store.snapshot.streams;
      await run('retry', child.id);
      assert.equal(context.store.snapshot.streams, before);
    }),
  );

  it(
    'tells the next connection nothing of what it read of the one before',
    withCommands({}, async ({ run, service, context }) => {
      const there = context.store.snapshot.lists.idle.ids[0] ?? '';
      const ids = [there, 'gone'];
      for (const id of ids) {
        service.control.fault(() => {
          context.connection.open({ ...service, id: `next to ${id}`, name: 'Next', insecureAccepted: false });
          return undefined;
        });
        await run('retry', id);
        assert.equal(context.connection.info?.id, `next to ${id}`);
        assert.equal(context.store.snapshot.streams.size, 0);
        assert.equal(context.store.snapshot.recentChanges.size, 0);
      }
    }),
  );

  it(
    'tries again all that has failed, and nothing else, where no row is given',
    withCommands({}, async ({ run, ui, service, context, requests }) => {
      const [id = '', other = ''] = context.store.snapshot.lists.idle.ids;
      await context.loader.ensureSessions(other);
      await run('retry');
      assert.deepEqual(
        ui.seen.said.map(({ message, severity }) => [severity, message]),
        [['info', "There's nothing to retry."]],
      );
      service.control.fault(() => ({ status: 403, body: '{"errors":["no"]}' }));
      await context.loader.ensureList('recording');
      await context.loader.ensureSessions(id);
      await context.loader.ensureRecordings();
      await context.loader.ensureChildren(id);
      await context.loader.ensureOrphans();
      service.control.fault(undefined);
      service.control.clearRequests();
      await run('retry');
      const { lists, sessions, recordings, children, orphans } = context.store.snapshot;
      assert.deepEqual([children.get(id)?.isLoaded, orphans.isLoaded], [true, true]);
      assert.deepEqual([lists.recording.isLoaded, sessions.get(id)?.isLoaded, recordings.isLoaded], [true, true, true]);
      const paths = requests().map((request) => request.replace(/\?.*/, ''));
      const listed = Array(3).fill('GET /api/stream');
      assert.deepEqual(paths.sort(), ['GET /api/session', ...listed, `GET /api/stream/${id}/sessions`]);
    }),
  );

  it(
    'tries again at once where the first row offers it',
    withCommands({}, async ({ run, service, context }) => {
      service.control.fault(() => ({ status: 503, body: '{}' }));
      await run('refresh');
      const [first] = rootRows(context.store.snapshot);
      assert.ok(first);
      assert.equal(drawRow(context.store.snapshot, first, context.drawing()).command, 'retry');
      service.control.fault(undefined);
      await run('retry', first);
      assert.equal(context.store.snapshot.trouble, undefined);
      assert.equal(rootRows(context.store.snapshot)[0]?.kind, 'group');
    }),
  );

  it(
    'tries again what a row with Retry stands for',
    withCommands({}, async ({ run, service, context }) => {
      service.control.fault(() => ({ status: 403, body: '{"errors":["no"]}' }));
      await run('retry', IDLE);
      assert.ok(context.store.snapshot.lists.idle.trouble);
      service.control.fault(undefined);
      await run('retry', { kind: 'retry', id: 'idle/+retry', of: IDLE });
      assert.equal(context.store.snapshot.lists.idle.trouble, undefined);
    }),
  );
});

describe('a connection whose key is gone', () => {
  it(
    'is named by everything that would need the key, instead of doing nothing',
    withCommands({}, async ({ run, ui, context, requests }) => {
      const { info } = context.connection;
      assert.ok(info);
      context.connection.openWithoutKey(info);
      for (const id of ['refresh', 'loadMore', 'retry']) await run(id);
      const sentence = 'The API key for "Production" is no longer in secret storage.';
      assert.deepEqual(ui.seen.messages, Array(3).fill(sentence));
      assert.deepEqual(requests(), []);
    }),
  );
});

describe('Load More', () => {
  it(
    'loads the next page of a row’s group, or of the one group that has more',
    withCommands(
      { isConnected: false, demo: { streamCount: 60 }, pageSize: 20 },
      async ({ run, ui, service, context }) => {
        context.connection.open({ ...service, id: 'a', name: 'A', insecureAccepted: false });
        await context.loader.ensureList('active');
        await context.loader.ensureList('idle');
        const count = () => context.store.snapshot.lists.idle.ids.length;
        assert.equal(count(), 20);
        await run('loadMore', { kind: 'more', id: 'idle/+more', of: IDLE });
        assert.equal(count(), 40);
        await run('loadMore');
        assert.ok(count() > 40);
        await run('loadMore');
        assert.deepEqual(ui.seen.messages, ["There's nothing more to load."]);
      },
    ),
  );
});

describe('Refresh of a stream whose sessions were loaded further', () => {
  it(
    'reads as many pages of them again',
    withCommands({ demo: { streamCount: 3 }, pageSize: 20 }, async ({ run, service, context }) => {
      const stream = service.control.addStream({ name: 'Daily' });
      for (let n = 0; n < 60; n++) {
        const createdAt = NINE - n * 60_000;
        service.control.addSession(stream.id, { createdAt, lastSeen: createdAt + 5, sourceSegmentsDuration: 5 });
      }
      await context.loader.ensureSessions(stream.id);
      await context.loader.loadMoreSessions(stream.id);
      const shown = () => {
        const list = context.store.snapshot.sessions.get(stream.id);
        return [list?.items.length, list?.revealed, list?.hasNextPage];
      };
      assert.deepEqual(shown(), [40, 40, true]);
      await run('retry', stream.id);
      assert.deepEqual(shown(), [40, 40, true]);
    }),
  );
});

describe('Load More without a row', () => {
  it(
    'asks which where several lists have more: groups, the sessions of streams, the recordings',
    withCommands(
      { isConnected: false, demo: { streamCount: 60 }, pageSize: 20 },
      async ({ run, ui, service, context }) => {
        const stream = service.control.addStream({ name: 'Daily', lastSeen: Date.parse('2030-01-01') });
        for (let n = 0; n < 30; n++) {
          const createdAt = NINE - n * 60_000;
          service.control.addSession(stream.id, { createdAt, lastSeen: createdAt + 5, sourceSegmentsDuration: 5 });
        }
        context.connection.open({ ...service, id: 'a', name: 'A', insecureAccepted: false });
        await context.loader.ensureList('active');
        await context.loader.ensureList('idle');
        await context.loader.ensureSessions(stream.id);
        await context.loader.ensureRecordings();
        ui.answers.picks.push('Daily', 'Recordings');
        await run('loadMore');
        assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label'), ['Idle', 'Daily', 'Recordings']);
        const { sessions, recordings } = context.store.snapshot;
        assert.equal(sessions.get(stream.id)?.items.length, 30);
        await run('loadMore');
        assert.ok(context.store.snapshot.recordings.items.length > recordings.items.length);
        assert.deepEqual(fieldsOf(ui.seen.picks[1]?.items, 'label'), ['Idle', 'Recordings']);
      },
    ),
  );
});

describe('Show Recorded Sessions Only', () => {
  it(
    'chooses nothing where no connection is open',
    withCommands({ isConnected: false }, async ({ run, ui, context }) => {
      context.connection.close();
      const before = context.store.snapshot;
      for (const id of ['showRecordedSessions', 'showAllSessions']) await run(id);
      assert.equal(context.store.snapshot, before);
      assert.deepEqual(ui.seen.messages, Array(2).fill('Connect to a service first.'));
    }),
  );
});

describe('the demo and the log', () => {
  it(
    'are switched and shown',
    withCommands({}, async ({ run, ui, demoCalls }) => {
      await run('startDemo');
      await run('stopDemo');
      await run('showLog');
      assert.deepEqual(demoCalls, ['start', 'stop']);
      assert.equal(ui.seen.logShown.length, 1);
    }),
  );
});

describe('Collapse All', () => {
  it(
    'collapses the rows of its own view',
    withCommands({}, async ({ run, ui }) => {
      await run('collapseStreams');
      await run('collapseRecordings');
      assert.deepEqual(ui.seen.collapsed, ['streams', 'recordings']);
    }),
  );
});
