import assert from 'node:assert/strict';
import { KeyIndex } from '../../../src/code/keyIndex.ts';
import { StreamKeys } from '../../../src/code/streamKeys.ts';
import type { Account } from '../../../src/model/account/account.ts';
import type { FoundStreams } from '../../../src/model/account/reads.ts';
import { EMPTY_SNAPSHOT } from '../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { aStream } from '../../support/model/builders.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';

const UNKNOWN = 'zzzz-yyyy-xxxx-www9';

describe('The stream keys of an account', () => {
  it('are read when a token may be one, and not before', async () => {
    const { keys, index, asked, settle } = createKeys([[stream(1), stream(2)]]);
    await settle();
    assert.deepEqual(asked, []);
    keys.resolve(keyOf(2));
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(asked, [1]);
    assert.deepEqual(index.find(keyOf(2)), { kind: 'streamKey', id: 's2', name: 'Stream 2' });
  });

  it('are asked for once about a token, and later only for what is new', async () => {
    const pages = [[stream(3)], [stream(2)], [stream(1)]];
    const { keys, index, asked, settle } = createKeys(pages);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(asked, [1, 2, 3]);
    keys.resolve(UNKNOWN);
    await settle();
    assert.equal(asked.length, 3);
    pages.unshift([stream(4)]);
    keys.resolve(keyOf(4));
    await settle();
    assert.deepEqual(asked.slice(3), [1, 2]);
    assert.ok(index.find(keyOf(4)));
    keys.resolve('zzzz-yyyy-xxxx-www8');
    await settle();
    assert.deepEqual(asked.slice(5), [1]);
  });

  it('are asked for once a minute while tokens come that are no keys, and the later ones are not forgotten', async () => {
    const pages = [[stream(1)]];
    const { keys, index, asked, clock, changes, settle } = createKeys(pages);
    keys.resolve(UNKNOWN);
    await settle();
    keys.resolve('zzzz-yyyy-xxxx-www8');
    await settle();
    assert.deepEqual([asked.length, changes()], [2, 1]);
    for (let number = 0; number < 1000; number += 1) {
      keys.resolve(keyOf(5000 + number));
      await clock.advance(50);
    }
    assert.equal(asked.length, 2);
    pages.unshift([stream(5999)]);
    await clock.advance(10_000);
    assert.equal(changes(), 2, 'Open files are looked at again');
    keys.resolve(keyOf(5999));
    await settle();
    assert.deepEqual([asked.length, changes()], [4, 3]);
    assert.ok(index.find(keyOf(5999)));
  });

  it('are found at once if their stream becomes known in a pause', async () => {
    const { keys, store, index, asked, changes, settle } = createKeys([[stream(1)]]);
    for (const token of [UNKNOWN, 'zzzz-yyyy-xxxx-www8']) {
      keys.resolve(token);
      await settle();
    }
    keys.resolve(keyOf(7));
    await settle();
    store.openWriter().read(stream(7), { requestSeq: 1, startedAt: 0, serverDate: 0 });
    keys.resolve(keyOf(7));
    await settle();
    assert.deepEqual([asked.length, changes()], [2, 2]);
    assert.ok(index.find(keyOf(7)));
  });

  it('are not asked for again after a pause in which nobody asked, nor are open files looked at', async () => {
    const { keys, asked, clock, changes, settle } = createKeys([[stream(1)]]);
    for (const token of [UNKNOWN, 'zzzz-yyyy-xxxx-www8']) {
      keys.resolve(token);
      await settle();
    }
    await clock.advance(120_000);
    assert.deepEqual([asked.length, changes()], [2, 1]);
    keys.resolve('zzzz-yyyy-xxxx-www7');
    await settle();
    assert.equal(asked.length, 3);
    keys.dispose();
    assert.equal(clock.timerCount, 0);
  });

  it('are asked for at once after another connection was opened in a pause', async () => {
    const { keys, store, asked, clock, changes, settle } = createKeys([[stream(1)]]);
    for (const token of [UNKNOWN, 'zzzz-yyyy-xxxx-www8', 'zzzz-yyyy-xxxx-www7']) {
      keys.resolve(token);
      await settle();
    }
    assert.deepEqual([asked.length, changes()], [2, 1]);
    connect(store, 'other');
    assert.equal(clock.timerCount, 0);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual([asked.length, changes()], [3, 3]);
  });

  it('are still found after another connection was opened, until their stream is deleted or theirs is removed', async () => {
    const { keys, store, index, settle } = createKeys([[stream(1), stream(2)]]);
    const stored = ['first', 'other'].map((id) => ({ id, name: id, apiKey: '' }));
    connect(store, 'first');
    keys.resolve(UNKNOWN);
    await settle();
    for (const id of ['other', 'first', 'other']) connect(store, id);
    index.setApiKeys(stored);
    assert.deepEqual(index.find(keyOf(2)), { kind: 'streamKey', id: 's2', name: 'Stream 2' });
    assert.equal(index.findStream('s2'), undefined, 'no page can be opened for it');
    index.removeStreams(new Set(['s2']));
    assert.deepEqual([index.find(keyOf(1))?.kind, index.find(keyOf(2))], ['streamKey', undefined]);
    index.setApiKeys(stored.slice(1));
    assert.equal(index.find(keyOf(1)), undefined);
  });

  it('are read in small pages once all were read, up to the first page whose oldest is known', async () => {
    const pages = [[stream(1)]];
    const { keys, index, asked, sizes, settle } = createKeys(pages);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(sizes, [undefined]);
    pages.unshift([stream(6), stream(5)], [stream(4), stream(3)], [stream(2), stream(1)], [stream(7)]);
    keys.resolve(keyOf(4));
    await settle();
    assert.deepEqual(
      [asked, sizes],
      [
        [1, 1, 2, 3],
        [undefined, 100],
      ],
    );
    assert.ok(index.find(keyOf(2)));
    assert.equal(index.find(keyOf(7)), undefined);
  });

  it('are all read on request, and whoever listens is told', async () => {
    const { keys, index, asked, changes, open } = createKeys([[stream(2)], [stream(1)]], false);
    const { signal } = new AbortController();
    await keys.readAll(signal);
    assert.deepEqual([asked, changes()], [[], 0]);
    open();
    await keys.readAll(signal);
    assert.deepEqual([asked, changes(), index.size], [[1, 2], 1, 2]);
  });

  it('are read in small pages after all were read on request, and taken from what is known without a connection', async () => {
    const { keys, store, index, sizes, settle, open } = createKeys([[stream(1)]], false);
    store.openWriter().read(stream(7), { requestSeq: 1, startedAt: 0, serverDate: 0 });
    await keys.readAll(new AbortController().signal);
    assert.deepEqual([index.size, sizes], [1, []]);
    open();
    await keys.readAll(new AbortController().signal);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(sizes, [undefined, 100]);
  });

  it('are read once for tokens that come while they are read', async () => {
    const { keys, asked, settle } = createKeys([[stream(1)], [stream(2)]]);
    keys.resolve(UNKNOWN);
    await Promise.resolve();
    keys.resolve(keyOf(2));
    await settle();
    assert.deepEqual(asked, [1, 2]);
  });

  it('don’t come back with a list that is older than the deletion of their stream', async () => {
    const { keys, store, index, settle } = createKeys([[stream(1), stream(2)]]);
    store.openWriter().read(stream(1), { requestSeq: 1, startedAt: 0, serverDate: 0 });
    keys.resolve(keyOf(1));
    await settle();
    store.openWriter().gone('s1');
    keys.resolve(UNKNOWN);
    await settle();
    assert.ok(index.find(keyOf(2)));
    await keys.readAll(new AbortController().signal);
    assert.equal(index.find(keyOf(1)), undefined);
  });

  it('are read of at most ten pages', async () => {
    const { keys, asked, settle } = createKeys(Array.from({ length: 15 }, (_, at) => [stream(at + 1)]));
    keys.resolve(UNKNOWN);
    await settle();
    assert.equal(asked.length, 10);
  });

  it('are taken from what is known, without a request', async () => {
    const { keys, store, index, asked, settle } = createKeys([]);
    store.openWriter().read(stream(7), { requestSeq: 1, startedAt: 0, serverDate: 0 });
    keys.resolve(keyOf(7));
    await settle();
    assert.deepEqual(asked, []);
    assert.ok(index.find(keyOf(7)));
  });

  it('are requested again a minute after a failure, at the next change of the store', async () => {
    const { keys, store, asked, clock, changes, settle } = createKeys('fails');
    keys.resolve(UNKNOWN);
    await settle();
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(asked, [1]);
    await clock.advance(60_000);
    assert.equal(changes(), 0);
    store.openWriter().read(stream(9), { requestSeq: 9, startedAt: 0, serverDate: 0 });
    assert.equal(changes(), 1);
    store.openWriter().read(stream(8), { requestSeq: 10, startedAt: 0, serverDate: 0 });
    assert.equal(changes(), 1);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(asked, [1, 1]);
  });

  it('are those of the open connection alone, and none of a stream that is gone', async () => {
    const { keys, store, index, asked, changes, settle } = createKeys([[stream(1), stream(2)]]);
    keys.resolve(UNKNOWN);
    await settle();
    assert.equal(changes(), 1);
    store.openWriter().gone('s1');
    assert.equal(changes(), 2);
    assert.equal(index.find(keyOf(1)), undefined);
    assert.ok(index.find(keyOf(2)));
    store.openWriter().gone('never-known');
    assert.equal(changes(), 2);
    connect(store, 'other');
    assert.equal(changes(), 3);
    assert.equal(index.size, 0);
    keys.resolve(UNKNOWN);
    await settle();
    assert.deepEqual(asked, [1, 1]);
  });

  it('say whose an ID is, after one read of all streams, and send nothing about IDs that are nobody’s', async () => {
    const { keys, store, asked, sizes } = createKeys([[stream(2)], [{ ...stream(1), playbackId: 'p1' }]]);
    const ids = ['s1', 'p1', 's2', 'nobody', 'nobody-else'];
    const found = await Promise.all(ids.map((id) => keys.findStream(id)));
    assert.deepEqual(
      found.map((each) => each?.name),
      ['Stream 1', 'Stream 1', 'Stream 2', undefined, undefined],
    );
    assert.deepEqual([asked, sizes], [[1, 2], [undefined]]);
    assert.deepEqual(await keys.findStream('nobody'), undefined);
    assert.equal(asked.length, 2);
    assert.ok(!JSON.stringify(found).includes(keyOf(1)));
    store.openWriter().read(stream(1), { requestSeq: 1, startedAt: 0, serverDate: 0 });
    store.openWriter().gone('s1');
    assert.equal(await keys.findStream('p1'), undefined);
    connect(store, 'other');
    await keys.findStream('nobody');
    assert.deepEqual(asked, [1, 2, 1, 2]);
  });

  it('share their read with IDs that are looked for', async () => {
    const { keys, index, asked, settle } = createKeys([[stream(1)]]);
    const found = keys.findStream('s1');
    keys.resolve(keyOf(1));
    assert.equal((await found)?.id, 's1');
    await settle();
    assert.ok(index.find(keyOf(1)));
    assert.deepEqual(asked, [1]);
  });

  it('are read for an ID once a minute where that fails, and not without a connection', async () => {
    const failing = createKeys('fails');
    for (let times = 0; times < 3; times += 1) assert.equal(await failing.keys.findStream('s1'), undefined);
    assert.deepEqual(failing.asked, [1]);
    await failing.clock.advance(60_000);
    await failing.keys.findStream('s1');
    assert.deepEqual(failing.asked, [1, 1]);
    const closed = createKeys([[stream(1)]], false);
    assert.equal(await closed.keys.findStream('s1'), undefined);
    closed.open();
    assert.equal((await closed.keys.findStream('s1'))?.id, 's1');
  });

  it('are not asked for while no connection is open, and asked for once one is', async () => {
    const { keys, asked, open, settle } = createKeys([[stream(1)]], false);
    keys.resolve(keyOf(1));
    await settle();
    assert.deepEqual(asked, []);
    open();
    keys.resolve(keyOf(1));
    await settle();
    assert.deepEqual(asked, [1]);
  });
});

function createKeys(pages: readonly (readonly ReturnType<typeof stream>[])[] | 'fails', isOpen = true) {
  const clock = heldClock();
  const onListenerError = (error: unknown) => assert.fail(String(error));
  const store = new StreamStore({ clock, initial: EMPTY_SNAPSHOT, onListenerError });
  connect(store, 'first');
  const asked: number[] = [];
  const sizes: (number | undefined)[] = [];
  const account: Pick<Account, 'listEveryStream'> = {
    async *listEveryStream(_signal, pageSize): AsyncGenerator<FoundStreams> {
      sizes.push(pageSize);
      if (pages === 'fails') {
        asked.push(1);
        throw new Error('Offline');
      }
      for (const [at, streams] of pages.entries()) {
        asked.push(at + 1);
        yield { streams, isComplete: at === pages.length - 1 };
      }
    },
  };
  const connection = { isOpen, account: account as Account };
  const index = new KeyIndex();
  const keys = new StreamKeys({ index, store, connection, clock, log: fakeLog(), connect: async () => {} });
  let changes = 0;
  keys.onDidChange(() => {
    changes += 1;
  });
  return {
    ...{ keys, store, index, asked, sizes, clock },
    changes: () => changes,
    open: () => {
      connection.isOpen = true;
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function connect(store: StreamStore, id: string): void {
  store.connected({ kind: 'open', info: { id, name: id, baseUrl: 'https://service.example/api', isDemo: false } });
}

function stream(number: number) {
  return aStream({ id: `s${number}`, name: `Stream ${number}`, streamKey: keyOf(number) });
}

function keyOf(number: number): string {
  return `aaaa-bbbb-cccc-${String(number).padStart(4, '0')}`;
}
