import assert from 'node:assert/strict';
import { liveStreams } from '../../../src/model/store/streams.ts';
import type { PickItem } from '../../../src/services.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Beside, withBoth } from './besideFixture.ts';

type Shown = Beside['ui']['seen']['picks'][number];

const rowsOf = ({ items }: Pick<Shown, 'items'> = { items: [] }): readonly PickItem<unknown>[] =>
  items.filter(({ isSeparator }) => isSeparator !== true);

const lastPick = ({ ui }: Beside): Shown => ui.seen.picks.at(-1) ?? assert.fail('no picker was shown');

const described = (both: Beside, label: string) =>
  rowsOf(lastPick(both)).flatMap((row) => (row.label === label ? [row.description] : []));

describe('Go to Stream while several connections are shown', () => {
  it(
    'lists the streams of all in one list by state, each with its connection, and reveals the picked row below it',
    withBoth({}, async (both) => {
      const ofA = both.service.control.addStream({ name: 'Only at A' });
      const ofB = both.serviceB.control.addStream({ name: 'Only at B', isActive: true });
      both.ui.answers.picks.push('Only at B');
      await both.run('goToStream');
      assert.deepEqual(both.ui.seen.reveals, [{ kind: 'stream', id: ofB.id, connection: both.idB }]);
      assert.ok(both.modelB().store.snapshot.pinnedIds.has(ofB.id));
      assert.equal(lastPick(both).title, 'Go to Stream');
      assert.deepEqual(described(both, 'Only at A'), ['Production']);
      assert.deepEqual(described(both, 'Only at B'), ['B']);
      const separators = lastPick(both).items.filter(({ isSeparator }) => isSeparator === true);
      assert.equal(new Set(separators.map(({ label }) => label)).size, separators.length, 'each group is there once');
      both.ui.answers.picks.push('Only at A');
      await both.run('goToStream');
      assert.deepEqual(both.ui.seen.reveals.at(-1), { kind: 'stream', id: ofA.id });
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'keeps the streams of a connection together in each group, and begins with the current one',
    withBoth({ demo: { streamCount: 0 } }, async (both) => {
      const now = Date.now();
      const add = ({ control }: Beside['service'], name: string, age: number, isActive: boolean) =>
        control.addStream({ name, isActive, createdAt: now - age, lastSeen: now - age });
      add(both.service, 'Live at A, new', 1000, true);
      add(both.service, 'Live at A', 3000, true);
      add(both.serviceB, 'Live at B', 2000, true);
      add(both.service, 'Idle at A, first', 300_000, false);
      add(both.serviceB, 'Idle at B', 200_000, false);
      add(both.service, 'Idle at A, last', 100_000, false);
      await both.run('goToStream');
      const labels = rowsOf(lastPick(both)).map(({ label }) => label);
      const added = labels.filter((label) => / at [AB]/.test(label));
      assert.deepEqual(added, [
        'Live at A, new',
        'Live at A',
        'Live at B',
        'Idle at A, last',
        'Idle at A, first',
        'Idle at B',
      ]);
    }),
  );

  it(
    'keeps streams apart that have the same ID in both',
    withBoth({}, async (both) => {
      const shared = both.service.control.streams().filter(({ parentId }) => parentId === undefined);
      await both.run('goToStream');
      const values = rowsOf(lastPick(both)).map(({ value }) => value);
      assert.equal(values.length, 2 * shared.length);
      assert.equal(new Set(values).size, values.length);
    }),
  );

  it(
    'searches each of the services for what is typed',
    withBoth({ demo: { streamCount: 130 } }, async (both) => {
      for (let index = 0; index < 130; index += 1) both.serviceB.control.addStream({ name: `Filler ${index}` });
      both.serviceB.control.addStream({ name: 'The needle', createdAt: 1, lastSeen: 1 });
      both.ui.answers.typed.push('needle');
      both.ui.answers.picks.push('The needle');
      await both.run('goToStream');
      assert.equal(both.ui.seen.reveals.length, 1);
      const searched = [both.service, both.serviceB].map(({ control }) =>
        control.requests.some(({ query }) => decodeURIComponent(query).includes('"value":"needle"')),
      );
      assert.deepEqual(searched, [true, true]);
    }),
  );

  it(
    'says of a connection with a rejected key that it is, and lists the other',
    withBoth({}, async (both) => {
      both.serviceB.control.revokeKey();
      both.service.control.addStream({ name: 'Only at A' });
      both.ui.answers.picks.push('Only at A');
      await both.run('goToStream');
      assert.equal(both.ui.seen.reveals.length, 1);
      const warnings = rowsOf(lastPick(both)).filter(({ icon, isAlwaysShown }) => icon === 'warning' && isAlwaysShown);
      assert.deepEqual(
        warnings.map(({ label }) => label),
        ['B: The API key was rejected.'],
      );
      for (const command of ['goToStream', 'goToLiveStream']) {
        both.ui.answers.picks.push('B: The API key was rejected.');
        await both.run(command);
        assert.equal(both.ui.seen.inputs.at(-1)?.title, 'Set API Key for "B"', command);
      }
      assert.equal(both.context.store.snapshot.connection.kind, 'open');
    }),
  );

  it(
    'lists the other connection where the service of the current one fails',
    withBoth({}, async (both) => {
      both.service.control.fault(() => ({ status: 403, body: '{}' }));
      both.serviceB.control.addStream({ name: 'Only at B' });
      both.ui.answers.picks.push('Only at B');
      await both.run('goToStream');
      assert.equal(both.ui.seen.reveals.length, 1);
      assert.match(rowsOf(lastPick(both)).at(-1)?.label ?? '', /^Production: /);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'lists the other connection where the key of the current one is gone, and says so',
    withBoth({}, async (both) => {
      const { connection } = both.context;
      const { info } = connection;
      assert.ok(info !== undefined);
      connection.openWithoutKey(info);
      both.serviceB.control.addStream({ name: 'Only at B' });
      both.ui.answers.picks.push('Only at B');
      await both.run('goToStream');
      assert.equal(both.ui.seen.reveals.length, 1);
      assert.equal(
        rowsOf(lastPick(both)).at(-1)?.label,
        'The API key for "Production" is no longer in secret storage.',
      );
    }),
  );

  it(
    'lists streams that may be out of date last, says why, and reveals what is known, without a request',
    withBoth({}, async (both) => {
      const { id } = both.serviceB.control.addStream({ name: 'Only at B', isActive: true });
      await both.modelB().loader.refreshActive();
      await both.run('goToStream');
      both.serviceB.control.revokeKey();
      await both.modelB().loader.refreshActive();
      both.serviceB.control.clearRequests();
      await both.run('goToStream');
      assert.deepEqual(both.serviceB.control.requests, []);
      const { items } = lastPick(both);
      const from = items.findIndex(({ label }) => label === 'Streams out of date');
      const rows = items.slice(from + 1, -1);
      assert.ok(rows.length > 0);
      assert.ok(rows.every(({ description }) => description?.startsWith('B · API key rejected')));
      assert.ok(items.slice(0, from).every(({ description }) => !description?.startsWith('B')));
      assert.equal(items.at(-1)?.label, 'B: The API key was rejected.');
      const live = liveStreams(both.modelB().store.snapshot).map(({ stream }) => stream.name);
      assert.ok(live.includes(rows[0]?.label ?? ''), 'what was live comes first');
      for (const command of ['goToStream', 'goToLiveStream']) {
        both.ui.answers.picks.push('Only at B');
        await both.run(command);
        assert.deepEqual(both.ui.seen.reveals.splice(0), [{ kind: 'stream', id, connection: both.idB }]);
      }
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'takes {id, connection}',
    withBoth({}, async (both) => {
      const { id } = both.serviceB.control.addStream({ name: 'Only at B' });
      await both.run('goToStream', { id, connection: 'b' });
      assert.deepEqual(both.ui.seen.reveals, [{ kind: 'stream', id, connection: both.idB }]);
      await both.run('goToStream', { id, connection: 'gone' });
      assert.equal(both.ui.seen.said[0]?.message, 'No connection with this name was found.');
    }),
  );

  for (const command of ['goToStream', 'goToLiveStream']) {
    it(
      `acts on the connection of the row by the buttons of ${command}`,
      withBoth({}, async (both) => {
        const live = both.serviceB.control.addStream({ name: 'Far away', isActive: true });
        for (const button of ['Watch', 'Copy Stream Key', 'Show Details']) {
          both.ui.answers.picks.push(`Far away > ${button}`);
          await both.run(command);
        }
        assert.deepEqual(
          [both.played, both.ui.seen.copied, both.shown],
          [[`stream ${live.id} of ${both.idB}`], [live.streamKey], [`stream ${live.id} of ${both.idB}`]],
        );
        assert.deepEqual([both.ui.seen.reveals, both.ui.seen.said], [[], []]);
      }),
    );
  }
});

describe('A stream of a connection that is away', () => {
  for (const command of ['goToStream', 'goToLiveStream']) {
    it(
      `is opened and copied by the buttons of ${command} as far as it is known`,
      withBoth({ clock: createTestClock(4) }, async (both) => {
        const live = both.serviceB.control.addStream({ name: 'Far away', isActive: true });
        await both.modelB().loader.refreshActive();
        both.serviceB.control.fault(() => 'reset');
        await both.modelB().loader.refreshActive();
        for (const button of ['Watch', 'Copy Stream Key', 'Show Details']) {
          both.ui.answers.picks.push(`Far away > ${button}`);
          await both.run(command);
        }
        const page = [`stream ${live.id} of ${both.idB}`];
        assert.deepEqual([both.played, both.ui.seen.copied, both.shown], [page, [live.streamKey], page]);
        assert.deepEqual(both.ui.seen.said, []);
      }),
    );
  }
});

describe('Go to Live Stream while several connections are shown', () => {
  it(
    'lists what is live in all, each with its connection, and reveals the picked row below it',
    withBoth({}, async (both) => {
      const { id } = both.serviceB.control.addStream({ name: 'Only at B', isActive: true });
      both.ui.answers.picks.push('Only at B');
      await both.run('goToLiveStream');
      assert.deepEqual(both.ui.seen.reveals, [{ kind: 'stream', id, connection: both.idB }]);
      const counts = [both.context, both.modelB()].map(({ store }) => liveStreams(store.snapshot).length);
      const names = rowsOf(lastPick(both)).map(({ description }) => description?.split(' · ')[0]);
      assert.deepEqual(
        ['Production', 'B'].map((name) => names.filter((each) => each === name).length),
        counts,
      );
    }),
  );

  it(
    'begins with the current connection, and ends with what is not up to date',
    withBoth({}, async (both) => {
      both.service.control.addStream({ name: 'Zoo at A', isActive: true });
      both.serviceB.control.addStream({ name: 'Aquarium at B', isActive: true });
      const { connections } = both.context;
      await connections.add({ name: 'Another', ...both.serviceB, insecureAccepted: false });
      await waitUntil(() => both.others.all.length === 2);
      const connectionsInOrder = async () => {
        await both.run('goToLiveStream');
        return [...new Set(rowsOf(lastPick(both)).map(({ description }) => description?.split(' · ')[0]))];
      };
      await connectionsInOrder();
      assert.deepEqual(await connectionsInOrder(), ['Production', 'Another', 'B']);
      both.service.control.fault(() => 'reset');
      await both.context.loader.refreshActive();
      assert.deepEqual((await connectionsInOrder()).slice(0, 3), ['Another', 'B', 'Production']);
      assert.equal(rowsOf(lastPick(both)).at(-1)?.label, "Couldn't reach Production.");
    }),
  );

  it(
    'says why one of them is not up to date',
    withBoth({}, async (both) => {
      both.serviceB.control.fault(() => ({ status: 403, body: '{}' }));
      await both.run('goToLiveStream');
      assert.match(rowsOf(lastPick(both)).at(-1)?.label ?? '', /^B: /);
    }),
  );
});

describe('A command without a stream while several connections are shown', () => {
  it(
    'picks from all of them, and does its work in the connection of the picked one',
    withBoth({}, async (both) => {
      const ofB = both.serviceB.control.addStream({ name: 'Only at B' });
      const ofA = both.service.control.addStream({ name: 'Only at A' });
      both.ui.answers.picks.push('Only at B');
      await both.run('copyStreamKey');
      assert.equal(lastPick(both).title, 'Copy Stream Key');
      both.ui.answers.picks.push('Only at A');
      await both.run('copyStreamKey');
      assert.deepEqual(both.ui.seen.copied, [ofB.streamKey, ofA.streamKey]);
      both.ui.answers.picks.push('Only at B');
      await both.run('renameStream', undefined, 'Renamed');
      assert.deepEqual(both.changes(), [`B PATCH /api/stream/${ofB.id}`]);
      assert.deepEqual(both.ui.seen.said, []);
    }),
  );

  it(
    'names the connection of the picked stream in the boxes that follow',
    withBoth({ answers: { inputs: ['Renamed'] } }, async (both) => {
      both.serviceB.control.addStream({ name: 'Only at B' });
      both.ui.answers.picks.push('Only at B');
      await both.run('renameStream');
      assert.equal(both.ui.seen.inputs.at(-1)?.title, 'Rename "Only at B" (B)');
    }),
  );

  it(
    'offers to switch to a connection that was closed while its stream was picked',
    withBoth({}, async (both) => {
      const { id } = both.serviceB.control.addStream({ name: 'Only at B' });
      const { pick } = both.ui;
      Object.assign(both.ui, {
        pick: async (options: Parameters<typeof pick>[0]) => {
          const picked = await pick(options);
          both.others.dispose();
          await waitUntil(() => both.others.all.length === 0);
          return picked;
        },
      });
      both.ui.answers.picks.push('Only at B');
      await both.run('renameStream', undefined, 'Renamed');
      assert.deepEqual([both.changes(), both.ui.seen.said[0]?.actions], [[], ['Switch to "B"']]);
      assert.ok(both.serviceB.control.streams().some((stream) => stream.id === id && stream.name === 'Only at B'));
    }),
  );

  it(
    'picks from the current connection alone, and names it, where it is for that alone',
    withBoth({}, async (both) => {
      both.serviceB.control.addStream({ name: 'Only at B' });
      both.ui.answers.picks.push('stream.idle');
      await both.run('sendTestEvent');
      const { title, items } = lastPick(both);
      assert.match(title, / \(Production\)$/);
      const known = both.service.control.streams().filter(({ parentId }) => parentId === undefined);
      assert.equal(rowsOf({ items }).length, known.length);
    }),
  );
});
