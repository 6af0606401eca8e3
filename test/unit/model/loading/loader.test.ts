import assert from 'node:assert/strict';
import { Interest } from '../../../../src/model/loading/interest.ts';
import { runningSession } from '../../../../src/model/store/sessions.ts';
import { hasMore, shownIds } from '../../../../src/model/store/streams.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { settle } from '../../../support/model/heldClock.ts';

const MINUTE = 60_000;

describe('The loader', () => {
  it('asks for the active streams alone at first, without deprecated child streams', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true }, { id: 'b' });
    connect();
    await loader.ensureList('active');
    assert.equal(service.requests.length, 1);
    assert.match(service.requests[0] ?? '', /^GET \/stream\?.*streamsonly=1/);
    assert.match(service.requests[0] ?? '', /filters=\[{"id":"isActive","value":true}\]/);
    assert.deepEqual(shownIds(store.snapshot, 'active'), ['a']);
  });

  it('does not ask again for what is loaded, or what has failed, until it is told to', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true });
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    connect();
    await loader.ensureList('active');
    await loader.ensureList('active');
    assert.equal(service.requests.length, 1);
    assert.equal(store.snapshot.trouble?.error.reason, 'unavailable');
    service.fault = undefined;
    await loader.reloadList('active');
    await loader.ensureList('active');
    assert.equal(service.requests.length, 2);
    assert.equal(store.snapshot.trouble, undefined);
  });

  it('shares one first load between callers, and gives those who ask for a reload meanwhile one following request', async () => {
    const { connect, loader, service } = composeModel();
    service.isHolding = true;
    connect();
    const first = [loader.ensureList('active'), loader.ensureList('active'), loader.refreshActive()];
    const later = [loader.reloadList('active'), loader.reloadList('active')];
    await settle();
    assert.equal(service.requests.length, 1);
    service.isHolding = false;
    service.waiting.shift()?.release();
    await Promise.all([...first, ...later]);
    assert.equal(service.requests.length, 2);
  });

  it('keeps rows and their time when a refresh fails', async () => {
    const { connect, loader, service, store, clock } = composeModel();
    service.add({ id: 'a', isActive: true }, { id: 'b' });
    connect();
    await loader.ensureList('active');
    await loader.ensureList('idle');
    const { loadedAt } = store.snapshot.lists.idle;
    await clock.advance(MINUTE);
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    await loader.refresh();
    assert.deepEqual(shownIds(store.snapshot, 'active'), ['a']);
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['b']);
    assert.equal(store.snapshot.lists.idle.loadedAt, loadedAt);
    assert.equal(store.snapshot.lists.idle.trouble?.error.reason, 'unavailable');
    assert.equal(store.snapshot.lists.idle.isLoading, false);
  });

  it('marks the key as refused on 401 alone, and takes it back when the service answers again', async () => {
    const { connect, loader, service, store } = composeModel();
    const kind = () => store.snapshot.connection.kind;
    connect();
    service.fault = () => ({ status: 403, headers: {}, body: new Uint8Array() });
    await loader.refreshActive();
    assert.equal(kind(), 'open');
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await loader.refreshActive();
    assert.equal(kind(), 'refused');
    service.fault = undefined;
    await loader.refresh();
    assert.equal(kind(), 'open');
  });

  it('loads pages on demand, and reads all loaded pages again on a refresh', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, createdAt: 1000 - n })));
    connect();
    await loader.ensureList('idle');
    assert.equal(shownIds(store.snapshot, 'idle').length, 20);
    assert.equal(store.snapshot.lists.idle.total, 50);
    assert.ok(hasMore(store.snapshot, 'idle'));
    await loader.loadMore('idle');
    await loader.refresh();
    assert.equal(shownIds(store.snapshot, 'idle').length, 40);
    await loader.loadMore('idle');
    assert.equal(shownIds(store.snapshot, 'idle').length, 50);
    assert.ok(!hasMore(store.snapshot, 'idle'));
  });

  it('loads more when more rows fit on a page, and asks for nothing when fewer do', async () => {
    const options = { pageSize: 20 };
    const { connect, loader, service, store } = composeModel(options);
    service.add(...Array.from({ length: 55 }, (_, n) => ({ id: `s${n}` })));
    service.userSessions.push(...Array.from({ length: 30 }, (_, n) => ({ id: `u${n}`, record: true, createdAt: n })));
    connect();
    await loader.ensureList('idle');
    await loader.ensureRecordings();
    const shown = () => [shownIds(store.snapshot, 'idle').length, store.snapshot.recordings.items.length];
    assert.deepEqual(shown(), [20, 20]);
    service.requests.length = 0;
    await loader.fillPages();
    assert.deepEqual(service.requests, [], 'the pages are full');
    options.pageSize = 500;
    await loader.fillPages();
    assert.deepEqual(shown(), [55, 30]);
    assert.ok(!hasMore(store.snapshot, 'idle'));
    service.requests.length = 0;
    await loader.fillPages();
    options.pageSize = 20;
    await loader.fillPages();
    assert.deepEqual(service.requests, []);
    assert.deepEqual(shown(), [55, 30]);
  });

  it('knows how many rows of the service’s total no page held, until a refresh brings them', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `s${n}` })));
    const missing = () => store.snapshot.lists.idle.missing;
    const held = new Map(service.streams);
    connect();
    await loader.ensureList('idle');
    await loader.loadMore('idle');
    assert.equal(missing(), 0, 'there are further pages');
    // Two rows move up over the edge of a page while it is read.
    for (const id of ['s8', 's9']) service.streams.delete(id);
    service.totalOf = () => held.size;
    await loader.loadMore('idle');
    assert.equal(missing(), 2);
    service.totalOf = undefined;
    for (const [id, stream] of held) service.streams.set(id, stream);
    await loader.reloadList('idle');
    assert.equal(missing(), 0);
    assert.equal(shownIds(store.snapshot, 'idle').length, 50);
  });

  it('reveals from memory where a service sends everything at once', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, createdAt: 1000 - n })));
    service.fault = (request) => {
      const asksForMore = ['limit', 'order', 'count', 'cursor'].some((name) =>
        new URL(request.url).searchParams.has(name),
      );
      if (asksForMore) return { status: 400, headers: {}, body: new Uint8Array() };
      const rows = [...service.streams.values()].filter((stream) => !stream.isActive);
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(rows)) };
    };
    connect();
    await loader.ensureList('idle');
    assert.equal(store.snapshot.abilities.listExtras, false);
    assert.equal(shownIds(store.snapshot, 'idle').length, 20);
    const asked = service.requests.length;
    await loader.loadMore('idle');
    await loader.loadMore('idle');
    assert.equal(shownIds(store.snapshot, 'idle').length, 50);
    assert.ok(!hasMore(store.snapshot, 'idle'));
    assert.equal(service.requests.length, asked);
  });

  it('reveals sessions from memory where a service sends them all at once', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    service.add({ id: 'a' });
    service.sessions.set(
      'a',
      Array.from({ length: 50 }, (_, n) => ({ id: `x${n}`, parentId: 'a', createdAt: 1000 - n })),
    );
    connect();
    await loader.ensureSessions('a');
    const revealed = () => store.snapshot.sessions.get('a')?.revealed;
    const asked = service.requests.length;
    const pages = [revealed()];
    for (let page = 0; page < 2; page++) {
      await loader.loadMoreSessions('a');
      pages.push(revealed());
    }
    assert.deepEqual(pages, [20, 40, 60]);
    assert.equal(service.requests.length, asked);
  });

  it('takes a fault of its own for a response that it could not read', async () => {
    const { connect, loader, service, store } = composeModel();
    service.fault = () => {
      throw new TypeError('A fault of tests');
    };
    connect();
    await loader.ensureList('idle');
    const { trouble } = store.snapshot.lists.idle;
    assert.equal(trouble?.error.reason, 'invalidResponse');
    assert.ok(trouble.error.cause instanceof TypeError);
  });

  it('looks up each stream that left the active ones and shows it under Idle', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true }, { id: 'b', isActive: true });
    connect();
    await loader.refreshActive();
    service.change('a', { isActive: false });
    service.streams.delete('b');
    await loader.refreshActive();
    const [a, b, confirming] = service.requests.slice(2).sort();
    assert.deepEqual([a, b], ['GET /stream/a', 'GET /stream/b']);
    assert.match(confirming ?? '', /^GET \/stream\?.*limit=1/, 'the service knows its streams, and b is none of them');
    assert.deepEqual(shownIds(store.snapshot, 'active'), []);
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['a']);
  });

  it('looks up at most 20 of those that left; of the rest it says that Idle is out of date', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add(...Array.from({ length: 30 }, (_, n) => ({ id: `s${n}`, isActive: true })));
    connect();
    await loader.refreshActive();
    for (const id of service.streams.keys()) service.change(id, { isActive: false });
    await loader.refreshActive();
    assert.equal(service.requests.length, 2 + 20);
    assert.deepEqual(shownIds(store.snapshot, 'active'), []);
    assert.equal(shownIds(store.snapshot, 'idle').length, 30);
    assert.equal(store.snapshot.lists.idle.isStale, true);
  });

  it('does not let lists that lag behind undo a change that was read back, for 30 s or until one agrees', async () => {
    const { connect, connection, loader, service, store, clock } = composeModel();
    service.add({ id: 'a', name: 'old', isActive: true });
    connect();
    await loader.refreshActive();
    service.change('a', { name: 'new' });
    await clock.advance(10);
    await connection.account.readStream('a', { settle: true });
    service.change('a', { name: 'old' });
    await clock.advance(10);
    await loader.refreshActive();
    assert.equal(store.snapshot.streams.get('a')?.stream.name, 'new');
    service.change('a', { name: 'new' });
    await clock.advance(10);
    await loader.refreshActive();
    service.change('a', { name: 'newer' });
    await clock.advance(10);
    await loader.refreshActive();
    assert.equal(store.snapshot.streams.get('a')?.stream.name, 'newer');
  });

  it('keeps a deleted stream away though a list still names it, and forgets that after 30 s', async () => {
    const { connect, connection, loader, service, store, clock } = composeModel();
    service.add({ id: 'a', isActive: true });
    connect();
    await loader.refreshActive();
    const kept = service.streams.get('a');
    service.streams.delete('a');
    await connection.account.readStream('a', { settle: true });
    if (kept !== undefined) service.streams.set('a', kept);
    await clock.advance(1000);
    await loader.refreshActive();
    assert.deepEqual(shownIds(store.snapshot, 'active'), []);
    await clock.advance(30_000);
    await loader.refreshActive();
    assert.deepEqual(shownIds(store.snapshot, 'active'), ['a']);
  });

  it('reads back up to three times until the change shows', async () => {
    const { connect, connection, service, clock } = composeModel();
    service.add({ id: 'a', name: 'old' });
    connect();
    const reading = connection.account.confirmChange('a', (stream) => stream?.name === 'new');
    await clock.advance(1600);
    service.change('a', { name: 'new' });
    await clock.advance(4000);
    assert.equal((await reading)?.name, 'new');
    assert.equal(service.requests.length, 3);
  });

  it('drops an answer that comes after the connection was switched', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true });
    service.isHolding = true;
    connect('one');
    const looking = loader.refreshActive();
    await settle();
    connect('two');
    service.isHolding = false;
    for (const waiting of service.waiting) waiting.release();
    await looking;
    assert.equal(store.snapshot.streams.size, 0);
    assert.equal(store.snapshot.lists.active.isLoaded, false);
    assert.equal(store.snapshot.trouble, undefined);
  });

  it('never lets an answer that was asked for earlier overwrite a later one', async () => {
    const { connect, loader, service, store, clock } = composeModel();
    service.add({ id: 'a', name: 'one', isActive: true });
    connect();
    await loader.refreshActive();
    const bodyOf = (name: string) => new TextEncoder().encode(JSON.stringify([{ ...service.streams.get('a'), name }]));
    service.isHolding = true;
    await clock.advance(10);
    const slow = loader.ensureList('recording');
    await settle();
    await clock.advance(10);
    service.isHolding = false;
    service.change('a', { name: 'three' });
    await loader.refreshActive();
    service.fault = (request) =>
      request.url.includes('record') ? { status: 200, headers: {}, body: bodyOf('two') } : undefined;
    service.waiting.shift()?.release();
    await slow;
    assert.equal(store.snapshot.streams.get('a')?.stream.name, 'three');
  });

  it('shows a pinned stream though it is not revealed yet, where a service sends everything at once', async () => {
    const { connect, connection, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, createdAt: 1000 - n })));
    service.fault = () => {
      const rows = [...service.streams.values()].filter((stream) => !stream.isActive);
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(rows)) };
    };
    connect();
    await loader.ensureList('idle');
    service.fault = undefined;
    assert.ok(!shownIds(store.snapshot, 'idle').includes('s49'));
    await connection.account.readStream('s49', { pin: true });
    const shown = shownIds(store.snapshot, 'idle');
    assert.deepEqual([shown.at(-1), shown.includes('s48')], ['s49', false]);
  });

  it('shows a pinned stream whose page is not loaded, and lets it go when the service has it no more', async () => {
    const { connect, connection, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 30 }, (_, n) => ({ id: `s${n}`, createdAt: 1000 - n })));
    connect();
    await loader.ensureList('idle');
    await connection.account.readStream('s29', { pin: true });
    assert.ok(shownIds(store.snapshot, 'idle').includes('s29'));
    service.streams.delete('s29');
    await loader.reloadList('idle');
    assert.ok(!shownIds(store.snapshot, 'idle').includes('s29'));
  });

  it('lists a group anew in another sort where it has more pages, and pages on from there', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    service.add(...numbers.map((n) => ({ id: `s${n}`, name: `${n}`.padStart(2, '0'), createdAt: 1 + ((n * 7) % 50) })));
    connect();
    await loader.ensureList('idle');
    store.setSort('name');
    assert.equal(store.snapshot.lists.idle.isSorted, false);
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    await loader.reloadList('idle');
    assert.equal(store.snapshot.lists.idle.ids.length, 20, 'the rows stay where that fails');
    service.fault = undefined;
    await loader.loadMore('idle');
    const wanted = numbers.map((n) => `s${n}`);
    assert.deepEqual(shownIds(store.snapshot, 'idle'), wanted.slice(0, 20), 'not the next page of the other order');
    await loader.loadMore('idle');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), wanted.slice(0, 40));
    assert.equal(store.snapshot.lists.idle.isSorted, true);
  });

  it('asks again in another sort that was chosen while the answer for the one before was under way', async () => {
    const { connect, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, name: String(99 - n), createdAt: n })));
    connect();
    service.isHolding = true;
    const loading = loader.ensureList('idle');
    await settle();
    store.setSort('name');
    service.isHolding = false;
    service.waiting.shift()?.release();
    await loading;
    assert.equal(shownIds(store.snapshot, 'idle')[0], 's49');
    assert.deepEqual(
      service.requests.map((request) => new URLSearchParams(request).get('order')),
      ['lastSeen-true,createdAt-true,id-true', 'name-false,id-true'],
    );
  });

  it('knows that pages came in an order of the service’s own, in whatever sort', async () => {
    for (const sort of ['lastSeen', 'createdAt', 'name'] as const) {
      const { connect, loader, service, store } = composeModel({ pageSize: 20 });
      const fields = (n: number) => ({
        // Each once, in no order.
        id: `s${2n ** BigInt(n) % 61n}`,
        name: `Channel ${n}`,
        createdAt: n + 1,
        lastSeen: n + 1,
      });
      service.add(...Array.from({ length: 60 }, (_, n) => fields(n)));
      service.isSorting = false;
      connect();
      store.setSort(sort);
      await loader.ensureList('idle');
      assert.equal(store.snapshot.lists.idle.isSorted, false, sort);
      await loader.loadMore('idle');
      assert.equal(store.snapshot.lists.idle.isSorted, false, sort);
      service.isSorting = true;
      await loader.reloadList('idle');
      assert.equal(store.snapshot.lists.idle.isSorted, true, sort);
      service.isSorting = false;
      await loader.loadMore('idle');
      assert.equal(store.snapshot.lists.idle.isSorted, false, `${sort}, from the second page on`);
    }
  });

  it('asks again where another filter was set while the answer to the old one was under way', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'alpha' }, { id: 'beta' });
    connect();
    store.setFilter('alpha');
    service.isHolding = true;
    const first = loader.ensureList('idle');
    await settle();
    store.setFilter('beta');
    const second = loader.ensureList('idle');
    service.isHolding = false;
    service.waiting.shift()?.release();
    await Promise.all([first, second]);
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['beta']);
  });

  it('reads on a refresh the sessions of open streams alone, and forgets the others', async () => {
    const { connect, loader, service, store, interest } = composeModel();
    service.add({ id: 'a' }, { id: 'b' });
    connect();
    for (const id of ['a', 'b']) await loader.ensureSessions(id);
    interest.opened('row', { kind: 'stream', streamId: 'b' });
    service.requests.length = 0;
    await loader.refresh();
    assert.deepEqual(
      service.requests.filter((request) => request.includes('/sessions')).map((request) => request.split('/')[2]),
      ['b'],
    );
    assert.equal(store.snapshot.sessions.has('a'), false);
  });

  it('keeps the sessions of streams that are not open when a refresh fails, whatever the reason', async () => {
    const { connect, loader, service, store } = composeModel();
    service.add({ id: 'a' });
    connect();
    await loader.ensureSessions('a');
    for (const status of [503, 401]) {
      service.fault = () => ({ status, headers: {}, body: new Uint8Array() });
      service.requests.length = 0;
      await loader.refresh();
      assert.equal(store.snapshot.sessions.get('a')?.isLoaded, true);
      assert.equal(service.requests.filter((request) => request.includes('/sessions')).length, 0);
    }
    service.fault = undefined;
    await loader.refresh();
    assert.equal(store.snapshot.sessions.has('a'), false);
  });

  it('lists sessions again, once, if a broadcast has ended since', async () => {
    const { connect, loader, service, clock } = composeModel();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    await clock.advance(MINUTE);
    service.add({ id: 'a', lastSeen: clock.now() });
    await clock.advance(MINUTE);
    await loader.reloadList('idle');
    service.requests.length = 0;
    for (let round = 0; round < 3; round++) await loader.ensureSessions('a');
    assert.equal(service.requests.length, 1, service.requests.join('\n'));
  });

  it('lists the sessions of a stream that went live again, until its new session is listed', async () => {
    const { connect, loader, service, store, clock } = composeModel();
    const goLive = () => service.change('a', { isActive: true, lastSeen: clock.now() });
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() });
    service.sessions.set('a', [
      { id: 'first', parentId: 'a', createdAt: clock.now() - 50 * MINUTE, lastSeen: clock.now() },
    ]);
    connect();
    await loader.refreshActive();
    await loader.ensureSessions('a');
    assert.equal(runningSession(store.snapshot, 'a')?.id, 'first');
    await clock.advance(10_000);
    service.change('a', { isActive: false });
    await loader.refreshActive();
    await clock.advance(10_000);
    goLive();
    await loader.refreshActive();
    assert.equal(runningSession(store.snapshot, 'a'), undefined);
    const requestsOfRounds = async () => {
      service.requests.length = 0;
      for (let round = 0; round < 3; round++) await loader.ensureSessions('a');
      return service.requests.length;
    };
    await clock.advance(1000);
    goLive();
    await loader.refreshActive();
    assert.equal(await requestsOfRounds(), 1, 'it is not listed yet');
    await clock.advance(10_000);
    const began = { id: 'second', parentId: 'a', createdAt: clock.now() - 11_000, lastSeen: clock.now() };
    service.sessions.set('a', [began, ...(service.sessions.get('a') ?? [])]);
    goLive();
    await loader.refreshActive();
    assert.equal(await requestsOfRounds(), 1);
    assert.equal(runningSession(store.snapshot, 'a')?.id, 'second');
    await clock.advance(10_000);
    goLive();
    await loader.refreshActive();
    assert.equal(await requestsOfRounds(), 0);
  });

  it('lists sessions again once for each read of a stream that was last seen in the future', async () => {
    const { connect, loader, service, clock } = composeModel();
    service.add({ id: 'a', lastSeen: clock.now() + 60 * MINUTE });
    connect();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    await clock.advance(MINUTE);
    await loader.reloadList('idle');
    await clock.advance(MINUTE);
    service.requests.length = 0;
    for (let round = 0; round < 3; round++) await loader.ensureSessions('a');
    assert.equal(service.requests.length, 1, service.requests.join('\n'));
  });

  it('does not list sessions again for what was read of their stream in the same millisecond', async () => {
    const { connect, loader, service, clock } = composeModel();
    service.add({ id: 'a', lastSeen: clock.now() + MINUTE });
    connect();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    service.requests.length = 0;
    await loader.ensureSessions('a');
    assert.deepEqual(service.requests, []);
  });

  it('has all active streams from the beginning, so that there are no more to load', async () => {
    const { connect, loader, service } = composeModel();
    connect();
    await loader.ensureList('active');
    await loader.loadMore('active');
    assert.equal(service.requests.length, 1);
  });

  it('does nothing without a connection', async () => {
    const { loader, service } = composeModel();
    await loader.refresh();
    await loader.refreshActive();
    await loader.poll();
    await loader.retryExpanded();
    await loader.checkForFirstStream();
    await loader.fillPages();
    for (const list of ['active', 'idle', 'recording'] as const) {
      await loader.ensureList(list);
      await loader.reloadList(list);
      await loader.loadMore(list);
    }
    for (const count of [loader.ensureCounts(), loader.countMatching(), loader.recountGroups()]) await count;
    await loader.ensureSessions('a');
    await loader.reloadSessions('a');
    await loader.loadMoreSessions('a');
    await loader.pollSessions(['a']);
    assert.deepEqual([await loader.newestRecorded('a'), loader.sessionListCount], [[], 0]);
    await loader.ensureRecordings();
    await loader.reloadRecordings();
    await loader.reloadOldRecordings();
    await loader.loadMoreRecordings();
    await loader.pollRecordings();
    await loader.ensureOrphans();
    for (const list of ['a', undefined]) {
      await loader.ensureChildren(list);
      await loader.reloadChildren(list);
    }
    assert.deepEqual(service.requests, []);
  });

  it('forgets where it stopped reading sessions of streams that are gone', async () => {
    const { service, store, loader, connect } = composeModel();
    connect();
    await loader.refreshActive();
    for (let round = 0; round < 50; round++) {
      const id = `stream-${round}`;
      service.add({ id, isActive: true });
      await loader.refreshActive();
      await Promise.all([loader.ensureSessions(id), loader.reloadSessions(id), loader.loadMoreSessions(id)]);
      assert.equal(store.snapshot.sessions.get(id)?.isLoaded, true);
      service.streams.delete(id);
      await loader.refreshActive();
    }
    assert.equal(store.snapshot.sessions.size, 0);
    assert.ok(loader.sessionListCount <= 1, `${loader.sessionListCount} lists`);
  });
});

/** Children come in every list, whatever was asked for. */
function withChild(model: ReturnType<typeof composeModel>, id: string, over: { isActive?: boolean } = {}): void {
  const child = { id, name: id, isActive: false, record: true, lastSeen: 0, createdAt: 2, parentId: 'a', ...over };
  model.service.streams.set(id, child);
}

describe('A service that ignores what it is asked', () => {
  it('shows no deprecated child stream in a group, whatever it sends for streamsonly=1', async () => {
    const model = composeModel({ pageSize: 20 });
    const { connect, loader, service, store } = model;
    service.add({ id: 'a', record: true });
    withChild(model, 'idle-child');
    withChild(model, 'live-child', { isActive: true });
    connect();
    for (const list of ['active', 'idle', 'recording'] as const) await loader.ensureList(list);
    assert.deepEqual([...store.snapshot.streams.keys()], ['a']);
    for (const list of ['active', 'idle', 'recording'] as const) {
      assert.deepEqual(store.snapshot.lists[list].ids, list === 'active' ? [] : ['a'], list);
    }
    assert.deepEqual(shownIds(store.snapshot, 'active'), []);
  });
});

function opened() {
  const interest = new Interest();
  interest.opened('group', { kind: 'list', list: 'idle' });
  interest.opened('row', { kind: 'stream', streamId: 'a' });
  interest.opened('row in another group', { kind: 'stream', streamId: 'a' });
  const isOf = () => [[...interest.lists], [...interest.streams]];
  return { interest, isOf };
}

describe('What is expanded', () => {
  it('is groups, and each stream once, until its last row is collapsed', () => {
    const { interest, isOf } = opened();
    assert.deepEqual(isOf(), [['idle'], ['a']]);
    interest.closed('row');
    assert.deepEqual(isOf(), [['idle'], ['a']]);
    interest.closed('row in another group');
    assert.deepEqual(isOf(), [['idle'], []]);
    interest.closed('group');
    assert.deepEqual(isOf(), [[], []]);
  });

  it('is no more what isn’t shown', () => {
    const { interest, isOf } = opened();
    interest.keepOnly((rowId) => rowId === 'row');
    assert.deepEqual(isOf(), [[], ['a']]);
    interest.keepOnly(() => false);
    assert.deepEqual(isOf(), [[], []]);
  });
});
