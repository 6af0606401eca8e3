import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import { DEFAULT_SETTINGS } from '../../../../src/model/settingValues.ts';
import { loaded, SETTLED_FOR_MS } from '../../../../src/model/store/facts.ts';
import { StreamStore } from '../../../../src/model/store/store.ts';
import { countActive, liveStreams, shownIds } from '../../../../src/model/store/streams.ts';
import { aStream } from '../../../support/model/builders.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

const INFO = { id: 'two', name: 'Two', baseUrl: 'https://two.test', isDemo: false };

describe('The store', () => {
  it('keeps how the person looks at lists when another connection is opened, and nothing else', () => {
    const clock = heldClock();
    const store = new StreamStore({ clock, initial: { locale: 'sv' } });
    store.setFilter('key');
    store.setSort('createdAt');
    store.setRecordingsRecordedOnly(false);
    store.setSettings({ ...DEFAULT_SETTINGS, showHistoricChildStreams: true });
    store.setConnectionCount(2);
    store.setConnectionNames([INFO]);
    store.recordingsShown(true);
    store
      .openWriter()
      .read(
        aStream({ id: 'a' }),
        { requestSeq: 1, startedAt: clock.now(), serverDate: clock.now() },
        { settle: true, pin: true },
      );
    const { generation } = store.snapshot;
    store.connected({ kind: 'open', info: INFO });
    const { snapshot } = store;
    assert.deepEqual(
      [snapshot.filter, snapshot.sort, snapshot.locale, snapshot.recordingsRecordedOnly],
      ['key', 'createdAt', 'sv', false],
    );
    assert.deepEqual(
      [
        snapshot.settings.showHistoricChildStreams,
        snapshot.connectionCount,
        snapshot.connectionNames.get('two'),
        snapshot.recordings.isShown,
      ],
      [true, 2, 'Two', true],
    );
    assert.deepEqual(
      [snapshot.streams.size, snapshot.pinnedIds.size, snapshot.recentChanges.size, snapshot.generation],
      [0, 0, 0, generation + 1],
    );
  });

  it('ends a filter when no connection is left, and keeps the order', () => {
    const store = new StreamStore({ clock: heldClock(), initial: { filter: 'key', sort: 'createdAt' } });
    store.connected({ kind: 'open', info: INFO });
    assert.equal(store.snapshot.filter, 'key');
    store.connected({ kind: 'none' });
    store.connected({ kind: 'open', info: INFO });
    assert.deepEqual([store.snapshot.filter, store.snapshot.sort], ['', 'createdAt']);
  });

  it('shows a stream that was created in this window first until it was live, also after a switch to another connection', async () => {
    const { connect, connection, loader, store, service, clock } = composeModel();
    connect('one');
    const answer = { requestSeq: 1, startedAt: clock.now(), serverDate: clock.now() };
    connection.account.writer.created(aStream({ id: 'new' }), answer);
    service.add({ id: 'seen', lastSeen: 5 }, { id: 'seenToo', lastSeen: 4 }, { id: 'new' });
    await loader.ensureList('idle');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['new', 'seen', 'seenToo']);
    connect('two');
    connect('one');
    await loader.ensureList('idle');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['new', 'seen', 'seenToo']);
  });

  it('takes settings that are others than before, and forgets child streams where they are shown no more', () => {
    const store = new StreamStore({ clock: heldClock() });
    const shown = { ...DEFAULT_SETTINGS, showHistoricChildStreams: true };
    store.setSettings(shown);
    const { children } = store.snapshot;
    let changes = 0;
    store.onDidChange(() => changes++);
    store.setSettings({ ...shown, notifications: new Set() });
    assert.equal(changes, 0);
    store.setSettings({ ...shown, pageSize: 20 });
    assert.deepEqual([changes, store.snapshot.settings.pageSize], [1, 20]);
    assert.equal(store.snapshot.children, children);
    store.setSettings(DEFAULT_SETTINGS);
    assert.deepEqual([changes, store.snapshot.settings], [2, DEFAULT_SETTINGS]);
  });

  it('takes nothing from the writer of a connection that is closed, nor shows it what came after', () => {
    const clock = heldClock();
    const store = new StreamStore({ clock });
    const age = { requestSeq: 1, startedAt: clock.now(), serverDate: clock.now() };
    const first = store.openWriter();
    store.connected({ kind: 'open', info: { ...INFO, id: 'one' } });
    first.read(aStream({ id: 'a' }), age);
    const operation = first.beginOperation('a', 'renaming');
    const second = store.openWriter();
    store.connected({ kind: 'open', info: INFO });
    const mark = second.beginOperation('a', 'deleting');
    const { snapshot } = store;
    operation.dispose();
    first.read(aStream({ id: 'b' }), age);
    first.listLoading('idle', 'isLoading');
    first.refused(new ApiError('unauthorized', 'Rejected'));
    assert.equal(store.snapshot, snapshot);
    assert.equal(first.snapshot.streams.size, 0);
    mark.dispose();
    assert.equal(store.snapshot.operations.size, 0);
  });

  it('does not miss a stream that was just read back as live while the active ones lag behind, for 30 s', async () => {
    const { clock, connect, connection, service } = composeModel();
    service.add({ id: 'a', isActive: true });
    connect();
    await connection.account.confirmChange('a', (stream) => stream?.isActive === true);
    const lookAtNothing = () =>
      connection.account.writer.activeListed({
        ...{
          streams: [],
          revealed: 20,
          hasNextPage: false,
          total: undefined,
          unreadable: 0,
          isFiltered: true,
          seen: 0,
        },
        ...{ requestSeq: 1, startedAt: clock.now(), serverDate: clock.now() },
      });
    await clock.advance(SETTLED_FOR_MS - 1);
    assert.deepEqual(lookAtNothing(), []);
    await clock.advance(1);
    assert.deepEqual(lookAtNothing(), ['a']);
  });

  it('has a stream that is suspended out of Active at once, though the service still lists it there', async () => {
    const { clock, connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true, record: true }, { id: 'b', isActive: true });
    connect();
    await loader.refreshActive();
    const shown = () => (['active', 'idle', 'recording'] as const).map((list) => shownIds(store.snapshot, list).join());
    const counts = () => [liveStreams(store.snapshot).length, countActive(store.snapshot)];
    assert.deepEqual(
      [shown(), counts()],
      [
        ['b,a', '', 'a'],
        [2, 2],
      ],
    );
    service.change('a', { suspended: true });
    await connection.account.readStream('a', { settle: true });
    assert.deepEqual(
      [shown(), counts()],
      [
        ['b', 'a', 'a'],
        [1, 1],
      ],
    );
    await loader.refreshActive();
    service.change('b', { suspended: true });
    await clock.advance(0);
    await loader.refreshActive();
    assert.deepEqual(
      [shown(), counts()],
      [
        ['', 'b,a', 'a'],
        [0, 0],
      ],
      'suspended elsewhere',
    );
    service.change('a', { isActive: false });
    await loader.refreshActive();
    assert.deepEqual(shown(), ['', 'b,a', ''], 'once its broadcast has ended');
    service.change('b', { suspended: false });
    await loader.refreshActive();
    assert.deepEqual(shown(), ['b', 'a', ''], 'resumed');
  });

  it('notes that the key was refused whatever was asked for', async () => {
    const asks = {
      look: (loader) => loader.refreshActive(),
      idle: (loader) => loader.ensureList('idle'),
      sessions: (loader) => loader.ensureSessions('a'),
      children: (loader) => loader.ensureChildren('a'),
      recordings: (loader) => loader.ensureRecordings(),
    } as const satisfies Record<string, (loader: ReturnType<typeof composeModel>['loader']) => Promise<void>>;
    for (const [what, ask] of Object.entries(asks)) {
      const { connect, loader, service, store } = composeModel();
      service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
      connect();
      await ask(loader);
      assert.equal(store.snapshot.connection.kind, 'refused', what);
    }
  });
});

describe('A list that was read to its end', () => {
  const read = {
    streams: [],
    revealed: 0,
    unreadable: 0,
    isFiltered: true,
    requestSeq: 1,
    startedAt: 0,
    serverDate: 0,
  };
  const missing = (seen: number, total: number | undefined, earlierTotal?: number) =>
    loaded({ ...read, hasNextPage: false, seen, total }, earlierTotal).missing;

  it('lacks the rows that the service counts and no page held', () => {
    assert.equal(missing(14, 20), 6);
    assert.equal(missing(14, 20, 20), 6);
    assert.equal(missing(20, 20), 0);
    assert.equal(missing(20, undefined), 0);
  });

  it('lacks none that came or went between two pages', () => {
    assert.equal(missing(20, 21, 20), 0);
    assert.equal(missing(20, 20, 21), 0);
    assert.equal(missing(20, undefined, 20), 0);
  });
});
