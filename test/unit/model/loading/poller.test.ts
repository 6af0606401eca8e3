import * as assert from 'node:assert/strict';
import { ApiError, type ApiErrorCause, type ApiErrorReason } from '../../../../src/api/errors.ts';
import { shownIds } from '../../../../src/model/store/streams.ts';
import type { NotificationKind } from '../../../../src/services.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('Looking at the service by itself', () => {
  it('makes one list request a look, whatever the number of idle streams', async () => {
    const { service, connect, clock } = composePoller();
    for (let n = 0; n < 100_000; n++) service.streams.set(`i${n}`, idle(`i${n}`));
    service.add(...Array.from({ length: 50 }, (_, n) => ({ id: `l${n}`, isActive: true })));
    connect();
    await clock.advance(0);
    for (let look = 1; look < 10; look++) await clock.advance(15 * SECOND);
    assert.equal(service.requests.length, 10);
    assert.ok(service.requests.every((request) => request.includes('"isActive","value":true')));
  });

  it('does not look while the view is hidden or the window is not focused', async () => {
    const { service, connect, clock, become } = composePoller();
    connect();
    await clock.advance(0);
    become({ isViewVisible: false });
    await clock.advance(10 * MINUTE);
    become({ isViewVisible: true, isFocused: false });
    await clock.advance(10 * MINUTE);
    assert.equal(service.requests.length, 1);
  });

  it('looks at once on coming back when what is shown is older than the interval, else when it is due', async () => {
    const { service, connect, clock, become } = composePoller();
    connect();
    await clock.advance(0);
    become({ isFocused: false });
    await clock.advance(5 * SECOND);
    become({ isFocused: true });
    await clock.advance(0);
    assert.equal(service.requests.length, 1);
    await clock.advance(10 * SECOND);
    assert.equal(service.requests.length, 2);
    become({ isFocused: false });
    await clock.advance(3600 * SECOND);
    become({ isFocused: true });
    await clock.advance(0);
    assert.equal(service.requests.length, 3);
  });

  it('looks once a minute while nobody watches, when notifications are chosen', async () => {
    const { service, connect, clock, become } = composePoller({ notifications: ['streamStarted'] });
    become({ isViewVisible: false, isFocused: false });
    connect();
    await clock.advance(0);
    await clock.advance(10 * MINUTE);
    assert.equal(service.requests.length, 11);
  });

  it('polls at the chosen interval with no view visible only while somebody listens', async () => {
    const { service, connect, clock, become, interest } = composePoller();
    become({ isViewVisible: false, isFocused: false });
    connect();
    await clock.advance(5 * MINUTE);
    assert.equal(service.requests.length, 0);
    const [one, other] = [interest.listen(), interest.listen()];
    await clock.advance(0);
    assert.equal(service.requests.length, 1, 'at once');
    one.dispose();
    await clock.advance(MINUTE);
    assert.equal(service.requests.length, 5);
    other.dispose();
    await clock.advance(10 * MINUTE);
    assert.equal(service.requests.length, 5);
  });

  it('looks every 15 seconds while somebody listens although the interval is 0', async () => {
    const { service, connect, clock, interest } = composePoller({ refreshInterval: 0 });
    connect();
    interest.listen();
    await clock.advance(MINUTE);
    assert.equal(service.requests.length, 5);
  });

  it('does not look at all when the interval is 0, and begins when it is changed', async () => {
    const { service, connect, clock, become } = composePoller({ refreshInterval: 0, notifications: ['streamEnded'] });
    connect();
    await clock.advance(10 * MINUTE);
    assert.equal(service.requests.length, 0);
    become({ refreshInterval: 5 });
    await clock.advance(0);
    await clock.advance(5 * SECOND);
    assert.equal(service.requests.length, 2);
  });

  it('waits twice as long after each failure while nobody looks, five minutes at most, and says when it tries next', async () => {
    const { service, connect, clock, store, become, interest } = composePoller();
    become({ isViewVisible: false });
    interest.listen();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    const waits: number[] = [];
    await clock.advance(0);
    for (let n = 0; n < 7; n++) {
      const wait = (store.snapshot.trouble?.nextTryAt ?? 0) - clock.now();
      waits.push(wait / SECOND);
      await clock.advance(wait);
      assert.equal(service.requests.length, n + 2);
    }
    assert.deepEqual(waits, [30, 60, 120, 240, 300, 300, 300]);
    service.fault = undefined;
    await clock.advance(300 * SECOND);
    assert.equal(store.snapshot.trouble, undefined);
    const asked = service.requests.length;
    await clock.advance(15 * SECOND);
    assert.equal(service.requests.length, asked + 1);
  });

  for (const [what, fails] of [
    ['is unavailable', () => ({ status: 503, headers: {}, body: new Uint8Array() })],
    ['is too slow', fail('timeout')],
    ['has a certificate that is not trusted', fail('network', 'certificate')],
  ] as const) {
    it(`waits two minutes at most, while somebody looks, for a service that ${what}`, async () => {
      const { service, connect, clock, store, become } = composePoller({ notifications: ['streamStarted'] });
      service.fault = fails;
      connect();
      await clock.advance(0);
      assert.deepEqual(await waitsOf({ clock, store }, 5), [15, 30, 60, 120, 120]);
      become({ isFocused: false });
      assert.equal(waitOf({ clock, store }), 300);
    });
  }

  it('tries a service that is not reached every 15 seconds for some minutes, then every minute, while somebody looks', async () => {
    const { service, connect, clock, store, become } = composePoller({ notifications: ['streamStarted'] });
    service.fault = fail('network');
    connect();
    await clock.advance(0);
    const waits = await waitsOf({ clock, store }, 26);
    assert.deepEqual(waits, [...Array(12).fill(15), ...Array(12).fill(30), 60, 60]);
    become({ isFocused: false });
    assert.equal(waitOf({ clock, store }), 300);
    become({ isFocused: true });
    await clock.advance(5 * SECOND);
    assert.equal(waitOf({ clock, store }), 15, 'somebody came back');
    service.fault = undefined;
    await clock.advance(15 * SECOND);
    assert.equal(store.snapshot.trouble, undefined);
  });

  for (const [refreshInterval, expected] of [
    [5, [5, 10, 20, 40, 60]],
    [60, [15, 30, 60, 60, 60]],
    [100, [15, 30, 60, 100, 100]],
  ] as const) {
    it(`tries it as often as every ${Math.min(refreshInterval, 15)} seconds with a refresh interval of ${refreshInterval}`, async () => {
      const { service, connect, clock, store } = composePoller({ refreshInterval, random: () => 1 });
      service.fault = fail('network');
      connect();
      await clock.advance(0);
      const waits = await waitsOf({ clock, store }, 60);
      assert.deepEqual(
        waits.filter((_, index) => index % 12 === 6),
        expected,
      );
    });
  }

  it('keeps saying how often it tries when somebody comes back, who need not wait for that', async () => {
    const { service, connect, clock, store, become } = composePoller();
    service.fault = fail('network');
    connect();
    await clock.advance(SECOND);
    become({ isFocused: false });
    assert.equal(store.snapshot.trouble?.nextTryAt, undefined);
    become({ isFocused: true });
    const { trouble } = store.snapshot;
    assert.equal((trouble?.nextTryAt ?? 0) - (trouble?.at ?? 0), 15 * SECOND);
    service.fault = undefined;
    await clock.advance(4 * SECOND);
    assert.equal(store.snapshot.trouble, undefined);
  });

  it('starts these waits anew when the user refreshes, however often that fails', async () => {
    const { service, connect, clock, store, loader } = composePoller();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    const wait = () => ((store.snapshot.trouble?.nextTryAt ?? 0) - clock.now()) / SECOND;
    for (let n = 0; n < 5; n++) await loader.refresh();
    assert.equal(wait(), 15);
    await clock.advance(15 * SECOND);
    assert.equal(wait(), 30);
    await loader.refresh();
    assert.equal(wait(), 15);
  });

  for (const random of [0.5, 1]) {
    it(`leaves out up to a quarter of such a wait at random, so that windows do not ask together: ${random}`, async () => {
      const { service, connect, clock, store } = composePoller({ random: () => random });
      service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
      connect();
      await clock.advance(0);
      const waits: number[] = [];
      for (let n = 0; n < 6; n++) {
        const wait = (store.snapshot.trouble?.nextTryAt ?? 0) - clock.now();
        waits.push(wait / SECOND);
        await clock.advance(wait - 1);
        assert.equal(service.requests.length, n + 1);
        await clock.advance(1);
        assert.equal(service.requests.length, n + 2);
      }
      const part = 1 - random / 4;
      assert.deepEqual(waits, [15, ...[30, 60, 120, 120, 120].map((wait) => wait * part)]);
    });
  }

  it('takes another chance for each wait', async () => {
    const chances = [0, 1, 0.5];
    const { service, connect, clock, store } = composePoller({ random: () => chances.shift() ?? 0 });
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    const waits: number[] = [];
    for (let n = 0; n < 3; n++) {
      const wait = (store.snapshot.trouble?.nextTryAt ?? 0) - clock.now();
      waits.push(wait / SECOND);
      await clock.advance(wait);
    }
    assert.deepEqual(waits, [15, 22.5, 52.5]);
  });

  it('never asks a service that fails more often than one that answers', async () => {
    const { service, connect, clock } = composePoller({ refreshInterval: 3600, random: () => 1 });
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    for (let hour = 1; hour <= 5; hour++) {
      await clock.advance(3600 * SECOND - 1);
      assert.equal(service.requests.length, hour);
      await clock.advance(1);
      assert.equal(service.requests.length, hour + 1);
    }
  });

  it('waits as long as a 429 tells it to', async () => {
    const { service, connect, clock, store } = composePoller();
    service.fault = () => ({ status: 429, headers: { 'retry-after': '600' }, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    assert.equal(store.snapshot.trouble?.nextTryAt, clock.now() + 600 * SECOND);
    await clock.advance(599 * SECOND);
    assert.equal(service.requests.length, 1);
  });

  it('stops once the key is refused, keeps the rows, and goes on with a new key', async () => {
    const { service, connect, clock, store } = composePoller();
    service.add({ id: 'a', isActive: true });
    connect();
    await clock.advance(0);
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await clock.advance(15 * SECOND);
    await clock.advance(60 * MINUTE);
    assert.equal(service.requests.length, 2);
    assert.equal(store.snapshot.streams.size, 1);
    service.fault = undefined;
    connect();
    await clock.advance(0);
    assert.equal(service.requests.length, 3);
  });

  it('tries a key that was refused when the user returns, every two minutes at most, and goes on once it is accepted', async () => {
    const { service, connect, clock, store, become } = composePoller();
    connect();
    await clock.advance(0);
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await clock.advance(15 * SECOND);
    const comeBack = async () => {
      become({ isFocused: false });
      become({ isFocused: true });
      await clock.advance(0);
      return [service.requests.length, store.snapshot.connection.kind];
    };
    await clock.advance(MINUTE);
    assert.deepEqual(await comeBack(), [2, 'refused']);
    await clock.advance(MINUTE);
    assert.deepEqual(await comeBack(), [3, 'refused']);
    assert.deepEqual(await comeBack(), [3, 'refused']);
    service.fault = undefined;
    await clock.advance(2 * MINUTE);
    assert.deepEqual(await comeBack(), [4, 'open']);
    await clock.advance(15 * SECOND);
    assert.equal(service.requests.length, 5);
  });

  it('retries a service that failed since it rejected the key, and stops once it rejects the key again', async () => {
    const { service, connect, clock, store, loader } = composePoller();
    connect();
    await clock.advance(0);
    const fail = (status: number) => {
      service.fault = () => ({ status, headers: {}, body: new Uint8Array() });
    };
    fail(401);
    await clock.advance(15 * SECOND);
    fail(500);
    await loader.refreshActive();
    const known = () => [store.snapshot.connection.kind, store.snapshot.trouble?.error.reason];
    assert.deepEqual(known(), ['refused', 'unavailable']);
    assert.ok(store.snapshot.trouble?.nextTryAt);
    fail(401);
    await clock.advance(2 * MINUTE);
    assert.deepEqual(known(), ['refused', 'unauthorized']);
    const { length } = service.requests;
    await clock.advance(60 * MINUTE);
    assert.equal(service.requests.length, length);
  });

  it('counts the rejection of the key as the last failure, whatever was requested', async () => {
    const { service, connect, clock, store, connection } = composePoller();
    connect();
    await clock.advance(0);
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    await clock.advance(15 * SECOND);
    assert.equal(store.snapshot.trouble?.error.reason, 'unavailable');
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await assert.rejects(connection.account.readStream('a'));
    assert.equal(store.snapshot.trouble?.error.reason, 'unauthorized');
  });

  it('tries no refused key when the user returns if refreshing is off', async () => {
    const { service, connect, clock, become } = composePoller();
    connect();
    await clock.advance(0);
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await clock.advance(15 * SECOND);
    become({ refreshInterval: 0 });
    become({ isFocused: false });
    await clock.advance(10 * MINUTE);
    become({ isFocused: true });
    await clock.advance(0);
    assert.equal(service.requests.length, 2);
  });

  it('has one request under way at a time, however long its answer takes', async () => {
    const { service, connect, clock } = composePoller();
    connect();
    await clock.advance(0);
    service.isHolding = true;
    await clock.advance(8 * 3600 * SECOND);
    assert.equal(service.requests.length, 2);
  });

  for (const hasLeft of [true, false]) {
    it(`makes one look, not a storm, when the machine wakes after hours ${hasLeft ? 'and the person comes back' : 'with the window in front'}`, async () => {
      const { service, connect, clock, interest, loader, become, store } = composePoller();
      const lives = Array.from({ length: 10 }, (_, n) => ({ id: `l${n}`, isActive: true, lastSeen: clock.now() }));
      service.add(...lives, ...Array.from({ length: 30 }, (_, n) => ({ id: `i${n}` })));
      connect();
      await clock.advance(0);
      interest.opened('idle', { kind: 'list', list: 'idle' });
      await loader.ensureList('idle');
      for (const streamId of ['l0', 'l1', 'l2', 'i0', 'i1']) {
        service.sessions.set(streamId, [
          { id: `s-${streamId}`, parentId: streamId, record: true, recordingStatus: 'waiting' },
        ]);
        interest.opened(streamId, { kind: 'stream', streamId });
        await loader.ensureSessions(streamId);
      }
      service.requests.length = 0;
      if (hasLeft) become({ isFocused: false });
      clock.jump(8 * 3600 * SECOND);
      for (const { id } of lives.slice(5)) service.change(id, { isActive: false });
      for (const { id } of lives.slice(0, 5)) service.change(id, { lastSeen: clock.now() });
      if (hasLeft) become({ isFocused: true });
      await clock.advance(15 * SECOND - 1);
      const asks = (part: string) => service.requests.filter((request) => request.includes(part)).length;
      if (hasLeft) {
        assert.deepEqual([asks('"value":true'), asks('"value":false')], [1, 1]);
      } else {
        assert.equal(service.requests.length, 0, 'the timer went on from where it was');
        await clock.advance(1);
        assert.deepEqual([asks('"value":true'), asks('"value":false')], [1, 0]);
      }
      const ofStreams = service.requests.filter((request) => !request.includes('filters')).sort();
      // Idle told of those that left, where it was listed again.
      const left = hasLeft ? [] : lives.slice(5).map(({ id }) => `GET /stream/${id}`);
      const open = ['i0', 'i1', 'l0', 'l1', 'l2'].map((id) => `GET /stream/${id}/sessions?limit=11`);
      assert.deepEqual(ofStreams, [...open, ...left].sort());
      assert.deepEqual([...shownIds(store.snapshot, 'active')].sort(), ['l0', 'l1', 'l2', 'l3', 'l4']);
      assert.equal(store.snapshot.trouble, undefined);
    });
  }

  it('looks at sessions under open streams that are live or wait for a recording, and no longer once they are settled', async () => {
    const { service, connect, clock, interest, loader } = composePoller();
    const waiting = { id: 'x1', parentId: 'b', record: true, recordingStatus: 'waiting', createdAt: 5 };
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() }, { id: 'b' }, { id: 'c' });
    service.sessions.set('b', [waiting]);
    connect();
    for (const id of ['a', 'b', 'c']) {
      interest.opened(`row/${id}`, { kind: 'stream', streamId: id });
      await loader.ensureSessions(id);
    }
    await clock.advance(0);
    const sessionRequests = async () => {
      service.requests.length = 0;
      service.change('a', { lastSeen: clock.now() });
      await clock.advance(15 * SECOND);
      return service.requests.filter((request) => request.includes('/sessions')).map((request) => request[12]);
    };
    assert.deepEqual((await sessionRequests()).sort(), ['a', 'b']);
    service.sessions.set('b', [{ ...waiting, recordingStatus: 'ready' }]);
    await sessionRequests();
    assert.deepEqual(await sessionRequests(), ['a']);
    interest.closed('row/a');
    assert.deepEqual(await sessionRequests(), []);
  });

  it('looks at the sessions of at most eight streams at a time, of all in turn, and begins again behind the last', async () => {
    const { service, connect, clock, interest, loader } = composePoller();
    const ids = Array.from({ length: 11 }, (_, index) => `s${index}`);
    for (const id of ids) {
      service.add({ id });
      service.sessions.set(id, [
        { id: `x${id}`, parentId: id, record: true, recordingStatus: 'waiting', createdAt: 5 },
      ]);
    }
    connect();
    for (const id of ids) {
      interest.opened(`row/${id}`, { kind: 'stream', streamId: id });
      await loader.ensureSessions(id);
    }
    await clock.advance(0);
    const rounds: string[][] = [];
    for (let round = 0; round < 4; round++) {
      service.requests.length = 0;
      await clock.advance(15 * SECOND);
      rounds.push(
        service.requests.flatMap((request) => /^GET \/stream\/(\w+)\/sessions/.exec(request)?.[1] ?? []).sort(),
      );
    }
    const turn = (from: number) => Array.from({ length: 8 }, (_, index) => `s${(from + index) % 11}`).sort();
    assert.deepEqual(rounds, [turn(8), turn(5), turn(2), turn(10)]);
  });

  it('asks an empty account for one idle stream once a minute, while somebody looks, and shows the first', async () => {
    const { service, connect, clock, loader, store, become } = composePoller();
    connect();
    await clock.advance(0);
    await loader.ensureList('idle');
    const idleRequests = async (ms: number) => {
      service.requests.length = 0;
      await clock.advance(ms);
      return service.requests.filter((request) => request.includes('"value":false'));
    };
    const asked = await idleRequests(5 * MINUTE);
    assert.equal(asked.length, 5);
    assert.ok(asked.every((request) => request.includes('limit=1&')));
    become({ isViewVisible: false });
    assert.deepEqual(await idleRequests(10 * MINUTE), []);
    service.add({ id: 'elsewhere' });
    become({ isViewVisible: true });
    assert.equal((await idleRequests(0)).length, 2, 'coming back is enough');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['elsewhere']);
    assert.deepEqual(await idleRequests(10 * MINUTE), []);
  });

  it('asks nothing more of an account whose first stream was found, when it is empty for a filter alone', async () => {
    const { service, connect, clock, loader, store } = composePoller();
    connect();
    await clock.advance(0);
    store.setFilter('x');
    await loader.ensureList('idle');
    service.requests.length = 0;
    await clock.advance(5 * MINUTE);
    assert.equal(service.requests.filter((request) => request.includes('"value":false')).length, 0);
  });

  it('reads loaded pages of open groups again on coming back, at most once in two minutes', async () => {
    const { service, connect, clock, interest, loader, become } = composePoller();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    interest.opened('idle', { kind: 'list', list: 'idle' });
    const idleRequests = () => service.requests.filter((request) => request.includes('"value":false')).length;
    for (const [away, expected] of [
      [MINUTE, 1],
      [3 * MINUTE, 2],
      [30 * SECOND, 2],
      [3 * MINUTE, 3],
    ] as const) {
      become({ isFocused: false });
      await clock.advance(away);
      become({ isFocused: true });
      await clock.advance(0);
      assert.equal(idleRequests(), expected);
    }
  });

  it('waits as long as before when the person leaves in two steps after a failure', async () => {
    const { service, connect, clock, store, become } = composePoller({ notifications: ['streamStarted'] });
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    become({ isFocused: false });
    become({ isViewVisible: false });
    assert.equal(store.snapshot.trouble?.nextTryAt, clock.now() + 2 * MINUTE);
  });

  it('does not look at sessions that were never loaded', async () => {
    const { service, connect, clock, interest } = composePoller();
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() });
    connect();
    interest.opened('row', { kind: 'stream', streamId: 'a' });
    await clock.advance(MINUTE);
    assert.ok(!service.requests.some((request) => request.includes('/sessions')), service.requests.join('\n'));
  });

  it('gives a service that answers slowly its pause as well', async () => {
    const { service, connect, clock } = composePoller();
    connect();
    await clock.advance(0);
    service.isHolding = true;
    await clock.advance(15 * SECOND);
    await clock.advance(40 * SECOND);
    service.waiting.shift()?.release();
    await clock.advance(14 * SECOND);
    assert.equal(service.requests.length, 2);
    await clock.advance(1 * SECOND);
    assert.equal(service.requests.length, 3);
  });

  it('asks once more for what is open and failed, when the service answers again', async () => {
    const { service, connect, clock, interest, loader, store } = composePoller();
    service.add({ id: 'a' });
    connect();
    interest.opened('idle', { kind: 'list', list: 'idle' });
    interest.opened('row', { kind: 'stream', streamId: 'a' });
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    await loader.refreshActive();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    assert.ok(store.snapshot.lists.idle.trouble);
    service.fault = undefined;
    await clock.advance(60 * SECOND);
    assert.equal(store.snapshot.lists.idle.trouble, undefined);
    assert.equal(store.snapshot.sessions.get('a')?.isLoaded, true);
  });

  it('asks once more for what is open and failed with the key, when that is accepted again', async () => {
    const { service, connect, clock, interest, loader, store } = composePoller();
    service.add({ id: 'a' });
    connect();
    interest.opened('idle', { kind: 'list', list: 'idle' });
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await loader.ensureList('idle');
    assert.deepEqual([store.snapshot.connection.kind, store.snapshot.lists.idle.isLoaded], ['refused', false]);
    service.fault = undefined;
    await loader.refreshActive();
    await clock.advance(0);
    assert.deepEqual([store.snapshot.lists.idle.isLoaded, store.snapshot.lists.idle.trouble], [true, undefined]);
  });

  it('goes on once a stream that is read by its ID shows that the key is accepted again', async () => {
    const { service, connect, clock, connection, store } = composePoller();
    service.add({ id: 'a', isActive: true });
    connect();
    await clock.advance(0);
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await clock.advance(15 * SECOND);
    assert.equal(store.snapshot.connection.kind, 'refused');
    service.fault = undefined;
    await clock.advance(MINUTE);
    const asked = service.requests.length;
    await connection.account.readStream('a');
    assert.deepEqual([store.snapshot.connection.kind, store.snapshot.trouble], ['open', undefined]);
    await clock.advance(0);
    assert.equal(service.requests.length, asked + 2, 'the stream, and the poll that is due');
  });

  for (const isViewVisible of [true, false]) {
    const where = isViewVisible ? 'on screen' : 'hidden, and a page reads the stream';
    it(`tries again soon once a stream that is read by its ID shows that the service answers, with the view ${where}`, async () => {
      const { service, connect, clock, connection, store, become } = composePoller();
      service.add({ id: 'a', isActive: true });
      connect();
      await clock.advance(0);
      service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
      await clock.advance(4 * MINUTE);
      become({ isViewVisible });
      const { at = 0, nextTryAt } = store.snapshot.trouble ?? {};
      assert.ok(!isViewVisible || (nextTryAt ?? 0) > clock.now() + 30 * SECOND);
      service.fault = undefined;
      await clock.advance(Math.max(0, at + 30 * SECOND - clock.now()));
      await connection.account.readStream('a');
      await clock.advance(0);
      assert.equal(store.snapshot.trouble, undefined);
    });
  }

  it('asks a service that refuses only the list no more often than it would ask one that answers', async () => {
    const { service, connect, clock, connection } = composePoller();
    service.add({ id: 'a', isActive: true });
    connect();
    await clock.advance(0);
    service.fault = (request) =>
      request.url.includes('/stream/a') ? undefined : { status: 503, headers: {}, body: new Uint8Array() };
    await clock.advance(2 * MINUTE);
    const asked = service.requests.length;
    for (let second = 0; second < 120; second += 5) {
      await connection.account.readStream('a');
      await clock.advance(5 * SECOND);
    }
    const lists = service.requests.slice(asked).filter((request) => !request.includes('/stream/a'));
    assert.ok(lists.length >= 6 && lists.length <= 9, String(lists.length));
  });

  it('looks at once when a group fails to load, so that everything shows that it is out of date', async () => {
    const { service, connect, clock, loader, store } = composePoller();
    service.add({ id: 'a' });
    connect();
    await clock.advance(0);
    await loader.ensureList('idle');
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    await loader.reloadList('idle');
    await clock.advance(0);
    assert.equal(store.snapshot.trouble?.error.reason, 'unavailable');
    const asked = service.requests.length;
    await clock.advance(14 * SECOND);
    assert.equal(service.requests.length, asked, 'once');
  });

  it('does not look at once when a group is refused for too many requests', async () => {
    const { service, connect, clock, loader, store } = composePoller();
    service.add({ id: 'a' });
    connect();
    await clock.advance(0);
    await loader.ensureList('idle');
    const asked = service.requests.length;
    const isPoll = (request: string) => request.includes('"isActive","value":true');
    service.fault = ({ url }) =>
      isPoll(decodeURIComponent(url)) ? undefined : { status: 429, headers: {}, body: new Uint8Array() };
    await loader.reloadList('idle');
    await clock.advance(0);
    assert.equal(store.snapshot.lists.idle.trouble?.error.reason, 'rateLimited');
    assert.deepEqual(service.requests.slice(asked).filter(isPoll), []);
  });

  const comings: readonly [how: string, away: object, notifications: NotificationKind[]][] = [
    ['window, with notifications chosen', { isFocused: false }, ['streamStarted']],
    ['view, with notifications chosen', { isViewVisible: false }, ['streamEnded']],
    ['window that was left for a moment', { isFocused: false }, []],
    ['view that was hidden for a moment', { isViewVisible: false }, []],
  ];
  for (const [how, away, notifications] of comings) {
    it(`is current at once when the network is back after an hour and the person comes to the ${how}`, async () => {
      const { service, connect, clock, store, become } = composePoller({ notifications });
      service.add({ id: 'a', name: 'before', isActive: true });
      connect();
      await clock.advance(0);
      service.fault = () => {
        throw new ApiError('network', 'No network');
      };
      if (notifications.length > 0) become(away);
      await clock.advance(60 * MINUTE);
      become(away);
      const { trouble } = store.snapshot;
      assert.ok(trouble, 'a look has failed meanwhile');
      await clock.advance(10 * SECOND);
      service.fault = undefined;
      service.change('a', { name: 'after' });
      const asked = service.requests.length;
      assert.ok(trouble.at + 5 * MINUTE > clock.now(), 'the next try would be later');
      become({ isViewVisible: true, isFocused: true });
      await clock.advance(0);
      assert.equal(service.requests.length, asked + 1);
      assert.equal(store.snapshot.streams.get('a')?.stream.name, 'after');
    });
  }

  it('is not hurried by the person coming back when it was told how long to wait, or that it asks too often', async () => {
    for (const [status, headers] of [
      [429, { 'retry-after': '600' }],
      [503, { 'retry-after': '600' }],
      [429, {}],
    ] as const) {
      const { service, connect, clock, store, become } = composePoller();
      service.fault = () => ({ status, headers: { ...headers }, body: new Uint8Array() });
      connect();
      await clock.advance(20 * SECOND);
      const { trouble } = store.snapshot;
      become({ isFocused: false });
      become({ isFocused: true });
      await clock.advance(0);
      assert.equal(service.requests.length, 1);
      assert.equal(store.snapshot.trouble?.nextTryAt, trouble?.nextTryAt);
    }
  });

  it('tries a service that fails again at most every 5 s, however often the person comes back', async () => {
    const { service, connect, clock, become } = composePoller();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    connect();
    await clock.advance(0);
    for (let second = 0; second < 30; second++) {
      become({ isFocused: false });
      become({ isFocused: true });
      await clock.advance(SECOND);
    }
    assert.equal(service.requests.length, 1 + 6);
  });

  it('shows at its next look what another window changed', async () => {
    const one = composePoller();
    const other = composeModel({ transport: () => one.service });
    one.service.add({ id: 'a', name: 'old', isActive: true });
    one.connect();
    other.connect();
    await one.clock.advance(0);
    one.service.change('a', { name: 'new' });
    await other.connection.account.readStream('a', { settle: true });
    assert.equal(one.store.snapshot.streams.get('a')?.stream.name, 'old');
    await one.clock.advance(15 * SECOND);
    assert.equal(one.store.snapshot.streams.get('a')?.stream.name, 'new');
  });

  it('leaves no timer behind when it ends', async () => {
    const { connect, clock, poller } = composePoller();
    connect();
    await clock.advance(0);
    assert.equal(clock.timerCount, 1);
    poller.dispose();
    assert.equal(clock.timerCount, 0);
  });
});

function idle(id: string) {
  return { id, name: id, isActive: false, record: false, lastSeen: 0, createdAt: 1 };
}

function fail(reason: ApiErrorReason, why?: ApiErrorCause): () => never {
  return () => {
    throw new ApiError(reason, 'A failure of tests', { why });
  };
}

function waitOf({ clock, store }: Pick<ReturnType<typeof composePoller>, 'clock' | 'store'>): number {
  return ((store.snapshot.trouble?.nextTryAt ?? 0) - clock.now()) / SECOND;
}

/** Returns the seconds before each of the next tries. */
async function waitsOf(poller: Pick<ReturnType<typeof composePoller>, 'clock' | 'store'>, count: number) {
  const waits: number[] = [];
  for (let n = 0; n < count; n++) {
    waits.push(waitOf(poller));
    await poller.clock.advance(waitOf(poller) * SECOND);
  }
  return waits;
}
