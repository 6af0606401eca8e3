import assert from 'node:assert/strict';
import { COMMANDS, type CommandId, needOf } from '../../../src/commands/table.ts';
import { DEMO_ID } from '../../../src/model/connection/connection.ts';
import { connectionNode, groupNode, streamNode } from '../../../src/model/rows/nodes.ts';
import type { StreamStore } from '../../../src/model/store/store.ts';
import { drawRow } from '../../../src/tree/nodeTable.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Beside, idleStreamOf, withBoth } from './besideFixture.ts';

const policyAt = (service: Beside['service'], id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.playbackPolicy;

const nameAt = (service: Beside['service'], id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.name;

describe('A command on a row of another connection', () => {
  it(
    'renames the stream of its connection, and not the one with the same ID at the active connection',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      const before = nameAt(both.service, id);
      assert.ok(before !== undefined, 'both services have the stream');
      await both.run('renameStream', both.rowOf('B', id), 'Of B');
      assert.equal(nameAt(both.serviceB, id), 'Of B');
      assert.equal(nameAt(both.service, id), before);
      assert.equal(both.modelB().store.snapshot.streams.get(id)?.stream.name, 'Of B');
      assert.equal(both.context.store.snapshot.streams.get(id)?.stream.name, before);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'is the same for {id, connection}, by the connection’s ID or its name',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      const before = nameAt(both.service, id);
      for (const connection of [both.idB, 'B', 'b']) {
        await both.run('renameStream', { id, connection, name: `Named ${connection}` });
        assert.equal(nameAt(both.serviceB, id), `Named ${connection}`);
      }
      assert.equal(nameAt(both.service, id), before);
    }),
  );

  it(
    'deletes at its own connection, after a question that names the connection',
    withBoth({ answers: { confirms: [true] } }, async (both) => {
      const id = idleStreamOf(both);
      await both.run('deleteStream', both.rowOf('B', id), [both.rowOf('B', id)]);
      assert.deepEqual(both.changes(), [`B DELETE /api/stream/${id}`]);
      assert.equal(nameAt(both.serviceB, id), undefined);
      assert.ok(nameAt(both.service, id) !== undefined);
      const [question] = both.ui.seen.questions;
      assert.match(JSON.stringify(question), /\bB\b/);
    }),
  );

  it(
    'changes several streams at their own connection, and rows of the active connection at the active one',
    withBoth({}, async (both) => {
      const ids = both.serviceB.control
        .streams()
        .filter(({ isActive, parentId, suspended, record }) => !isActive && !parentId && !suspended && !record)
        .map(({ id }) => id)
        .slice(0, 2);
      assert.equal(ids.length, 2);
      const rows = (which: 'A' | 'B') => ids.map((id) => both.rowOf(which, id));
      await both.run('turnRecordingOn', rows('B')[0], rows('B'));
      assert.deepEqual(
        both.changes().map((change) => change[0]),
        ['B', 'B'],
      );
      await both.run('turnRecordingOn', rows('A')[0], rows('A'));
      assert.deepEqual(
        both.changes().map((change) => change[0]),
        ['A', 'A', 'B', 'B'],
      );
    }),
  );

  it(
    'is refused for rows of several connections, and changes nothing',
    withBoth({ answers: { confirms: [true, true] } }, async (both) => {
      const id = idleStreamOf(both);
      const mixed = [both.rowOf('A', id), both.rowOf('B', id)];
      const unmarked = [{ ...(both.rowOf('A', id) as object), connection: undefined }, both.rowOf('B', id)];
      for (const rows of [mixed, unmarked]) {
        for (const command of ['deleteStream', 'suspendStream', 'turnRecordingOn', 'copyStreamKey']) {
          both.ui.seen.said.splice(0);
          await both.run(command, rows[1], rows);
          assert.deepEqual(both.ui.seen.messages, ['Select items from one connection at a time.']);
        }
      }
      assert.deepEqual([both.changes(), both.ui.seen.questions, both.ui.seen.copied], [[], [], []]);
    }),
  );

  it(
    'copies what the stream has at its own connection',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      both.serviceB.control.setStream(id, { streamKey: 'key-of-b' });
      await both.modelB().loader.reloadList('idle');
      await both.run('copyStreamKey', both.rowOf('B', id));
      await both.run('copyStreamKey', both.rowOf('A', id));
      const keyA = both.service.control.streams().find((stream) => stream.id === id)?.streamKey;
      assert.deepEqual(both.ui.seen.copied, ['key-of-b', keyA]);
    }),
  );

  it(
    'opens the pages of that connection',
    withBoth({}, async (both) => {
      const live = both.serviceB.control.streams().find(({ isActive }) => isActive);
      assert.ok(live !== undefined);
      await both.run('watchStream', both.rowOf('B', live.id));
      await both.run('showStream', both.rowOf('B', live.id));
      await both.run('showStream', both.rowOf('A', live.id));
      assert.deepEqual(both.played, [`stream ${live.id} of ${both.idB}`]);
      assert.deepEqual(both.shown, [`stream ${live.id} of ${both.idB}`, `stream ${live.id}`]);
      assert.deepEqual(both.service.control.requests.filter(({ path }) => path.includes(live.id)).length <= 1, true);
    }),
  );

  it(
    'sets the playback policy with a webhook of that connection, also one that was created since',
    withBoth({ answers: { picks: ['Webhook', 'Of B'], inputs: [''] } }, async (both) => {
      const id = idleStreamOf(both);
      const { addWebhook } = both.serviceB.control;
      const first = addWebhook({ name: 'Of B', url: 'https://hooks.example/b' });
      await both.run('setPlaybackPolicy', both.rowOf('B', id));
      assert.deepEqual(policyAt(both.serviceB, id), { type: 'webhook', webhookId: first.id });
      assert.deepEqual(policyAt(both.service, id), { type: 'public' });
      const second = addWebhook({ name: 'Another', url: 'https://hooks.example/another' });
      both.ui.answers.picks.push('Webhook', 'Another');
      both.ui.answers.inputs.push('');
      await both.run('setPlaybackPolicy', both.rowOf('B', id));
      assert.deepEqual(policyAt(both.serviceB, id), { type: 'webhook', webhookId: second.id });
      await both.run('setPlaybackPolicy', { id, connection: 'B', type: 'webhook', webhookId: 'elsewhere' });
      assert.match(both.ui.seen.said[0]?.message ?? '', /webhook/);
      assert.deepEqual(
        both.changes().filter((change) => change.startsWith('A')),
        [],
      );
    }),
  );

  it(
    'creates a stream there with a policy that one of the webhooks there decides',
    withBoth({}, async (both) => {
      const { id: webhookId } = both.serviceB.control.addWebhook({ name: 'Of B', url: 'https://hooks.example/b' });
      const playbackPolicy = { type: 'webhook', webhookId };
      await both.run('createStream', { name: 'Members', record: false, connection: 'B', playbackPolicy });
      assert.deepEqual(both.ui.seen.said, []);
      const created = both.serviceB.control.streams().find(({ name }) => name === 'Members');
      assert.deepEqual(created?.playbackPolicy, playbackPolicy);
      await both.run('createStream', { name: 'Not here', record: false, playbackPolicy });
      assert.equal(
        both.service.control.streams().some(({ name }) => name === 'Not here'),
        false,
      );
    }),
  );

  it(
    'creates signing keys, clips, and multistream targets at its connection, and signs tokens with a key of that connection',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      await both.run('createSigningKey', { name: 'Site', connection: 'B' });
      const keyOf = async (connection: string) => both.access.keyOf(connection);
      assert.ok((await keyOf(both.idB)) !== undefined, 'the private half is kept for B');
      assert.equal(await keyOf(both.context.connection.info?.id ?? ''), undefined);
      await both.run('setPlaybackPolicy', { id, connection: 'B', type: 'jwt' });
      await both.run('copyPlaybackUrlWithToken', { id, connection: 'B', seconds: 3600 });
      const copied = both.ui.seen.copied.at(-1) ?? '';
      const [, payload = ''] = (new URL(copied).searchParams.get('jwt') ?? '').split('.');
      const playbackId = both.serviceB.control.streams().find((stream) => stream.id === id)?.playbackId;
      assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub, playbackId);
      const url = 'rtmp://live.example/app/a-key';
      await both.run('addMultistreamTarget', { id, connection: 'B', name: 'Elsewhere', url });
      const hasTarget = ({ control }: Beside['service']) => control.targets().some(({ name }) => name === 'Elsewhere');
      assert.deepEqual([hasTarget(both.service), hasTarget(both.serviceB)], [false, true]);
      const session = both.serviceB.control.addSession(id, {
        ...{ record: true, recordingStatus: 'ready', recordingUrl: 'https://recordings.example/index.m3u8' },
        ...{ createdAt: Date.now() - 600_000, lastSeen: Date.now() - 300_000, sourceSegmentsDuration: 300 },
      });
      await both.run('createClip', { id: session.id, connection: 'B', from: 0, to: 2, name: 'Start' });
      assert.ok(
        both.changes().every((change) => change.startsWith('B')),
        both.changes().join('\n'),
      );
      assert.ok(both.changes().includes('B POST /api/clip'), JSON.stringify(both.ui.seen.said));
    }),
  );

  it(
    'broadcasts a test pattern to the ingest of its connection, is shown in that row alone, and is stopped from it',
    withBoth({ answers: { confirms: [true] } }, async (both) => {
      const id = idleStreamOf(both);
      await both.run('startTestBroadcast', { id, connection: 'B', source: 'pattern', seconds: 30 });
      assert.equal(both.ui.seen.said.length, 0);
      assert.match(both.ui.seen.questions[0]?.message ?? '', /\bB\b/);
      const { context, modelB } = both;
      await waitUntil(() => both.serviceB.control.streams().some((stream) => stream.id === id && stream.isActive));
      assert.ok(!both.service.control.streams().some((stream) => stream.id === id && stream.isActive));
      assert.equal(modelB().store.snapshot.testBroadcasts.get(id)?.connectionId, both.idB);
      assert.equal(context.store.snapshot.testBroadcasts.get(id)?.connectionId, both.idB);
      const row = (store: StreamStore) =>
        drawRow(store.snapshot, streamNode('idle', id), context.drawing()).contextValue.includes('tested');
      assert.deepEqual([row(context.store), row(modelB().store)], [false, true]);
      await waitUntil(() => both.ui.seen.said.length > 0);
      assert.match(both.ui.seen.said[0]?.message ?? '', /is live with your test broadcast/);
      await both.run('stopTestBroadcast', both.rowOf('A', id));
      assert.equal(context.testBroadcasts.running.length, 1);
      await both.run('stopTestBroadcast', both.rowOf('B', id));
      assert.equal(context.testBroadcasts.running.length, 0);
      assert.equal(modelB().store.snapshot.testBroadcasts.size, 0);
    }),
  ).timeout(30_000);

  it(
    'creates a stream in the connection whose row it is given',
    withBoth({}, async (both) => {
      await both.run('createStream', { name: 'New there', record: false, connection: 'B' });
      assert.ok(both.serviceB.control.streams().some(({ name }) => name === 'New there'));
      assert.ok(!both.service.control.streams().some(({ name }) => name === 'New there'));
      assert.deepEqual(fieldsOf(both.ui.seen.reveals, 'connection'), [both.idB]);
    }),
  );

  const createsFor = (title: string, options: { row: unknown; picks?: string[]; in: 'A' | 'B' | undefined }) =>
    it(
      title,
      withBoth({ answers: { picks: [...(options.picks ?? []), 'Create'], inputs: ['Made'] } }, async (both) => {
        const row = typeof options.row === 'function' ? options.row(both) : options.row;
        await both.run('createStream', row, undefined);
        const has = ({ control }: Beside['service']) => control.streams().some(({ name }) => name === 'Made');
        assert.deepEqual([has(both.service), has(both.serviceB)], [options.in === 'A', options.in === 'B']);
        const asked = both.ui.seen.picks.filter(({ placeholder }) => /connection for the new/.test(placeholder ?? ''));
        assert.equal(asked.length, options.picks === undefined ? 0 : 1);
        assert.deepEqual(both.ui.seen.said, []);
      }),
    );
  const streamOfB = (both: Beside) => both.rowOf('B', idleStreamOf(both));
  const groupOfB = ({ idB }: Beside) => ({ ...groupNode('idle'), connection: idB });
  const rowOfB = ({ idB }: Beside) => connectionNode(idB);
  const rowOfA = ({ context }: Beside) => connectionNode(context.connection.info?.id ?? '');
  createsFor('creates a stream at the current one from the view’s title, which passes the focused stream', {
    ...{ row: streamOfB, in: 'A' },
  });
  createsFor('does the same for a focused group', { row: groupOfB, in: 'A' });
  createsFor('asks where to create it if the focused row, or that of the menu, is a connection', {
    ...{ row: rowOfB, picks: ['B'], in: 'B' },
  });
  createsFor('creates it at the current one then if that is selected', { row: rowOfB, picks: ['Production'], in: 'A' });
  createsFor('doesn’t ask for the row of the current one', { row: rowOfA, in: 'A' });

  createsFor('creates it without a question where the row of a connection without streams says', {
    ...{ row: ({ idB }: Beside) => ({ connection: idB }), in: 'B' },
  });

  it(
    'names the connection, like its row, if it can’t create a stream there, and not the host',
    withBoth({}, async (both) => {
      both.serviceB.control.fault(() => 'reset');
      await both.run('createStream', { name: 'Never', record: false, connection: 'B' });
      const [message = ''] = both.ui.seen.messages;
      assert.match(message, /"Never"/);
      assert.match(message, /B/);
      assert.doesNotMatch(message, /127\.0\.0\.1|localhost/);
    }),
  );

  it(
    'sets the addresses of the current one, whatever row is focused',
    withBoth({ answers: { inputs: ['rtmp://localhost/live', ''] } }, async (both) => {
      await both.run('setAddresses', rowOfB(both));
      assert.doesNotMatch(both.ui.seen.inputs[0]?.title ?? '', /\(B\)/);
      const { addresses } = both.context.settings;
      assert.equal(Object.keys(addresses()).includes(new URL(both.serviceB.baseUrl).origin), false);
    }),
  );

  it(
    'lists what its group has',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      both.serviceB.control.setStream(id, { name: 'Only at B' });
      await both.run('openJson', { ...groupNode('idle'), connection: both.idB });
      assert.match(both.ui.seen.documents[0]?.masked ?? '', /Only at B/);
      assert.ok(both.ui.seen.documents[0]?.key.startsWith(both.idB));
    }),
  );

  it(
    'says which connection failed, and retries at the same connection',
    withBoth({ answers: { presses: ['Retry'] } }, async (both) => {
      const id = idleStreamOf(both);
      let failures = 1;
      both.serviceB.control.fault(({ method }) =>
        method === 'PATCH' && failures-- > 0 ? { status: 429, headers: { 'retry-after': '0' } } : undefined,
      );
      await both.run('renameStream', both.rowOf('B', id), 'Second try');
      await waitUntil(() => nameAt(both.serviceB, id) === 'Second try');
      assert.match(both.ui.seen.said[0]?.message ?? '', /^Rename Stream \(B\): /);
      assert.equal(nameAt(both.serviceB, id), 'Second try');
      assert.deepEqual([...new Set(both.changes().map((change) => change[0]))], ['B']);
    }),
  );

  it(
    'offers to set that connection’s key after a 401, and sets no other',
    withBoth({ answers: { presses: ['Set API Key…'], inputs: ['another-key'] } }, async (both) => {
      both.serviceB.control.revokeKey();
      await both.run('openJson', both.rowOf('B', idleStreamOf(both)));
      await waitUntil(() => both.ui.seen.inputs.length > 0);
      assert.equal(both.ui.seen.inputs[0]?.title, 'Set API Key for "B"');
      assert.equal(both.modelB().store.snapshot.connection.kind, 'refused');
      assert.equal(both.context.store.snapshot.connection.kind, 'open');
    }),
  );

  it(
    'sets the key of the connection whose row it is',
    withBoth({ answers: { inputs: [] } }, async (both) => {
      await both.run('setApiKey', { kind: 'notice', id: '+keyRefused', notice: 'keyRefused', connection: both.idB });
      await both.run('setApiKey');
      assert.deepEqual(fieldsOf(both.ui.seen.inputs, 'title'), ['Set API Key for "B"', 'Set API Key for "Production"']);
    }),
  );

  it(
    'loads again what is below that connection’s row alone',
    withBoth({}, async (both) => {
      await both.run('retry', { kind: 'connection', id: '+connection', connection: both.idB });
      assert.ok(both.serviceB.control.requests.length > 0);
      assert.deepEqual(both.service.control.requests, []);
    }),
  );

  it(
    'runs nowhere once that connection is closed while a question is open',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      const before = nameAt(both.service, id);
      Object.assign(both.ui, {
        confirm: async () => {
          await both.context.connections.remove(both.idB);
          await waitUntil(() => both.others.all.length === 0);
          return true;
        },
      });
      await both.run('deleteStream', both.rowOf('B', id));
      assert.deepEqual(both.changes(), []);
      assert.equal(nameAt(both.service, id), before);
      assert.equal(both.ui.seen.said.length, 1);
    }),
  );

  it(
    'offers to switch if that connection isn’t shown any more',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      both.others.dispose();
      await both.run('renameStream', both.rowOf('B', id), 'Nowhere');
      assert.deepEqual(both.changes(), []);
      assert.deepEqual(both.ui.seen.said, [
        {
          severity: 'info',
          message: 'This item belongs to "B", which isn\'t the current connection.',
          actions: ['Switch to "B"'],
        },
      ]);
    }),
  );

  it(
    'is refused for a connection that there isn’t',
    withBoth({}, async (both) => {
      for (const connection of ['gone', '', 5, {}, null]) {
        both.ui.seen.said.splice(0);
        await both.run('deleteStream', { id: idleStreamOf(both), connection });
        assert.equal(both.ui.seen.said[0]?.message, 'No connection with this name was found.', String(connection));
      }
      assert.deepEqual(both.changes(), []);
    }),
  );

  const ACTIVE_ONLY = (Object.keys(COMMANDS) as CommandId[]).filter((id) => needOf(id) === 'activeConnection');

  it(
    'is refused where only the active connection will do, before anything is asked',
    withBoth({}, async (both) => {
      assert.ok(ACTIVE_ONLY.includes('deleteWebhook') && ACTIVE_ONLY.includes('findLeakedKeys'));
      for (const command of ACTIVE_ONLY) {
        both.ui.seen.said.splice(0);
        await both.run(command, { id: idleStreamOf(both), connection: 'B' });
        assert.deepEqual(both.ui.seen.said[0]?.actions, ['Switch to "B"'], command);
      }
      assert.deepEqual([both.changes(), both.ui.seen.questions, both.ui.seen.picks], [[], [], []]);
    }),
  );

  it(
    'stops no test broadcast of another connection’s stream with the same ID',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      const stopped: string[] = [];
      const { context } = both;
      const broadcast = { name: 'One', state: 'live', secondsLeft: 30, droppedPercent: 0 } as const;
      context.store.testBroadcastChanged(id, { ...broadcast, connectionId: context.connection.info?.id ?? '' });
      const stop = async (streamId: string) => void stopped.push(streamId);
      Object.assign(context, { testBroadcasts: { running: [{ id, name: 'One' }], stop } });
      await both.run('stopTestBroadcast', both.rowOf('B', id));
      assert.deepEqual([stopped, both.ui.seen.said[0]?.message], [[], 'No test broadcast is running.']);
      await both.run('stopTestBroadcast', both.rowOf('A', id));
      assert.deepEqual(stopped, [id]);
    }),
  );

  it(
    'filters, sorts and refreshes both, whatever row is focused',
    withBoth({}, async (both) => {
      const focused = both.rowOf('B', idleStreamOf(both));
      await both.run('filterStreams', { text: 'an' });
      await both.run('sortStreams', { by: 'name' });
      const stores = [both.context.store, both.modelB().store];
      assert.deepEqual(
        stores.map(({ snapshot: { filter, sort } }) => [filter, sort]),
        [
          ['an', 'name'],
          ['an', 'name'],
        ],
      );
      await both.run('clearFilter', focused);
      assert.deepEqual(
        stores.map(({ snapshot: { filter } }) => filter),
        ['', ''],
      );
      for (const { control } of [both.service, both.serviceB]) control.clearRequests();
      await both.run('refresh', focused);
      assert.ok([both.service, both.serviceB].every(({ control }) => control.requests.length > 0));
    }),
  );
});

describe('Retry without a row', () => {
  it(
    'loads again what has failed in each of the connections that are shown',
    withBoth({}, async (both) => {
      const stores = [both.context.store, both.modelB().store];
      const areThere = () => stores.map(({ snapshot }) => snapshot.lists.recording.isLoaded);
      const services = [both.service, both.serviceB];
      for (const { control } of services) control.fault(() => ({ status: 403, body: '{"errors":["no"]}' }));
      for (const { loader } of [both.context, both.modelB()]) await loader.ensureList('recording');
      assert.deepEqual(areThere(), [false, false]);
      for (const { control } of services) control.fault(undefined);
      await both.run('retry');
      assert.deepEqual([areThere(), both.ui.seen.said], [[true, true], []]);
    }),
  );
});

describe('The row that says that the API was not found', () => {
  const row = { kind: 'notice', id: '+apiNotFound', notice: 'apiNotFound' };

  it(
    'connects again, beginning with the URL and the key of its connection',
    withBoth({}, async (both) => {
      const { ui, context, service, serviceB } = both;
      const connection = (await context.connections.list()).find(({ baseUrl }) => baseUrl === serviceB.baseUrl);
      ui.answers.inputs.push('(as suggested)', '(as suggested)');
      await both.run('addConnection', { ...row, connection: connection?.id });
      const [url, key] = ui.seen.inputs;
      assert.deepEqual([url?.value, key?.value, key?.isPassword], [serviceB.baseUrl, serviceB.apiKey, true]);
      const opened = context.connection.info;
      assert.equal(opened?.baseUrl, serviceB.baseUrl);
      assert.equal(opened?.id, connection?.id, 'the same service and the same key');
      ui.answers.inputs.push(service.baseUrl);
      await both.run('addConnection', row);
      assert.equal(ui.seen.inputs.at(-2)?.value, serviceB.baseUrl, 'of the current connection');
      assert.equal(ui.seen.inputs.at(-1)?.value, '', 'the key of another origin');
    }),
  );
});

describe('The row of a connection that was removed in another window', () => {
  const removed = { kind: 'connection', id: '+connection', connection: 'gone' };

  it(
    'connects again, with the URL and the name of the removed connection',
    withBoth({}, async (both) => {
      const { baseUrl, apiKey } = both.serviceB;
      both.ui.answers.inputs.push(apiKey);
      await both.run('addConnection', { ...removed, removed: { name: 'Tour', baseUrl } });
      assert.deepEqual(
        (await both.context.connections.list()).filter(({ name }) => name === 'Tour').map((each) => each.baseUrl),
        [baseUrl],
      );
      assert.equal(both.ui.seen.inputs.length, 1);
    }),
  );

  it(
    'is dismissed by itself, or with the others when the view is refreshed',
    withBoth({}, async (both) => {
      const dismissed: unknown[] = [];
      Object.assign(both.context, { dismissRemoved: (id?: string) => dismissed.push(id) });
      await both.run('dismissConnection', { ...removed, removed: { name: 'Tour', baseUrl: 'https://example.com' } });
      await both.run('refresh');
      assert.deepEqual(dismissed, ['gone', undefined]);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );
});

describe('The demo beside the current connection', () => {
  /** It has the streams of B, and is shown once it is opened and left again. */
  async function showDemo({ context, serviceB, others }: Beside): Promise<void> {
    Object.assign(context, { demo: { ...context.demo, running: serviceB } });
    const { connection, connections } = context;
    const [before] = await connections.readAll();
    assert.ok(before?.stored !== undefined);
    connection.open({ ...serviceB, id: DEMO_ID, name: 'Demo', insecureAccepted: false }, true);
    connection.open(before.stored);
    await waitUntil(() => others.get(DEMO_ID) !== undefined);
  }

  it(
    'is changed by commands on its rows',
    withBoth({}, async (both) => {
      await showDemo(both);
      const id = idleStreamOf(both);
      const before = nameAt(both.service, id);
      await both.run('renameStream', { ...streamNode('idle', id), connection: DEMO_ID }, 'Of the demo');
      assert.deepEqual([nameAt(both.serviceB, id), nameAt(both.service, id)], ['Of the demo', before]);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'is first in the picker of its row, which opens and stops it',
    withBoth({ answers: { picks: ['Demo', 'Demo > Stop Demo'] } }, async (both) => {
      await showDemo(both);
      for (let count = 0; count < 2; count += 1) await both.run('switchConnection', connectionNode(DEMO_ID));
      assert.equal(both.ui.seen.picks[0]?.items[0]?.label, 'Demo');
      assert.deepEqual(both.demoCalls, ['start', 'stop']);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'is shown with the only connection there is',
    withBoth({}, async ({ run, context, serviceB, ui }) => {
      context.store.setConnectionCount(1);
      context.store.setShowsAllConnections(false);
      Object.assign(context, { demo: { ...context.demo, running: serviceB } });
      await run('showAllConnections');
      assert.equal(context.store.snapshot.showsAllConnections, true);
      assert.deepEqual(ui.seen.said, []);
    }),
  );
});

describe('Show All Connections', () => {
  it(
    'is remembered, and taken back',
    withBoth({}, async ({ run, context }) => {
      await run('showOneConnection');
      assert.equal(context.store.snapshot.showsAllConnections, false);
      await run('showAllConnections');
      assert.equal(context.store.snapshot.showsAllConnections, true);
    }),
  );

  it(
    'is taken back when only one connection is left',
    withBoth({ answers: { confirms: [true, true] } }, async ({ run, context }) => {
      const { connections, store } = context;
      await connections.add({ ...{ name: 'C', insecureAccepted: false }, baseUrl: 'https://c.example', apiKey: 'key' });
      await run('removeConnection', 'C');
      assert.equal(store.snapshot.showsAllConnections, true);
      await run('removeConnection', 'B');
      assert.equal(store.snapshot.showsAllConnections, false);
    }),
  );

  it(
    'stays with one connection while the demo runs',
    withBoth({ answers: { confirms: [true] } }, async ({ run, context, serviceB }) => {
      Object.assign(context, { demo: { ...context.demo, running: serviceB } });
      await run('removeConnection', 'B');
      assert.equal(context.store.snapshot.showsAllConnections, true);
    }),
  );

  it(
    'says that there is only one',
    withBoth({}, async ({ run, context, ui }) => {
      context.store.setConnectionCount(1);
      context.store.setShowsAllConnections(false);
      await run('showAllConnections');
      assert.deepEqual(ui.seen.messages, ["There's only one connection."]);
      assert.equal(context.store.snapshot.showsAllConnections, false);
    }),
  );
});

describe('Switch Connection while several connections are shown', () => {
  const rowsOf = ({ ui }: Beside, names: readonly string[]) =>
    (ui.seen.picks.at(-1)?.items ?? []).flatMap(({ label, description, icon }) =>
      names.includes(label) ? [[label, description, icon]] : [],
    );

  it(
    'says which keys are rejected and which services are not reached, as far as that is known',
    withBoth({}, async (both) => {
      const { context, service, serviceB } = both;
      const stored = { insecureAccepted: false, baseUrl: 'https://unknown.example/api', apiKey: 'key' };
      await context.connections.add({ ...stored, name: 'Unknown' });
      const names = ['Production', 'B', 'Unknown'];
      const urlA = `${service.baseUrl} · Project: Studio at home`;
      const urlB = serviceB.baseUrl;
      const unknown = ['Unknown', 'unknown.example/api', 'blank'];
      await both.run('switchConnection');
      assert.deepEqual(rowsOf(both, names), [['Production', urlA, 'check'], ['B', urlB, 'blank'], unknown]);
      serviceB.control.revokeKey();
      await both.modelB().loader.refreshActive();
      service.control.fault(() => 'reset');
      await context.loader.refreshActive();
      await both.run('switchConnection');
      assert.deepEqual(rowsOf(both, names), [
        ['Production', `current · not reachable · ${urlA}`, 'warning'],
        ['B', `API key rejected · ${urlB}`, 'warning'],
        unknown,
      ]);
    }),
  );

  it(
    'has the connection of the row first, whether that is of the title or of the menu, and switches only when it is selected',
    withBoth({}, async (both) => {
      await both.run('switchConnection', connectionNode(both.idB), undefined);
      assert.deepEqual(fieldsOf(rowsOf(both, ['Production', 'B']), 0), ['B', 'Production']);
      assert.equal(both.context.connection.info?.name, 'Production');
      both.ui.answers.picks.push('B');
      await both.run('switchConnection', connectionNode(both.idB), undefined);
      assert.equal(both.context.connection.info?.name, 'B');
    }),
  );

  it(
    'says first that a key is required, like what else is wrong',
    withBoth({}, async (both) => {
      both.context.connections.list = async () => [
        { id: 'k', name: 'Keyless', baseUrl: 'https://keyless.example/api', hasKey: false, insecureAccepted: false },
      ];
      await both.run('switchConnection');
      assert.deepEqual(rowsOf(both, ['Keyless']), [['Keyless', 'API key required · keyless.example/api', 'warning']]);
    }),
  );
});
