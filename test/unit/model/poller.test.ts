import * as assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { composeModel } from '../../support/composedModel.ts';
import { composePoller } from '../../support/composedPoller.ts';

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

  it('waits twice as long after each failure, five minutes at most, and says when it tries next', async () => {
    const { service, connect, clock, store } = composePoller();
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

  it('never asks a service that fails more often than one that answers', async () => {
    const { service, connect, clock } = composePoller({ refreshInterval: 3600 });
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

  it('makes one look, not a storm, when the machine wakes after hours', async () => {
    const { service, connect, clock } = composePoller();
    connect();
    await clock.advance(0);
    const before = service.requests.length;
    service.isHolding = true;
    await clock.advance(8 * 3600 * SECOND);
    assert.equal(service.requests.length, before + 1);
  });

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
    await loader.look();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    assert.ok(store.snapshot.lists.idle.trouble);
    service.fault = undefined;
    await clock.advance(60 * SECOND);
    assert.equal(store.snapshot.lists.idle.trouble, undefined);
    assert.equal(store.snapshot.sessions.get('a')?.isLoaded, true);
  });

  it('is current at the first focus after an hour without a network, with one request', async () => {
    const { service, connect, clock, store, become } = composePoller();
    service.add({ id: 'a', name: 'before', isActive: true });
    connect();
    await clock.advance(0);
    service.fault = () => {
      throw new ApiError('network', 'No network');
    };
    become({ isFocused: false });
    await clock.advance(60 * 60 * SECOND);
    service.fault = undefined;
    service.change('a', { name: 'after' });
    const asked = service.requests.length;
    become({ isFocused: true });
    await clock.advance(0);
    assert.equal(service.requests.length, asked + 1);
    assert.equal(store.snapshot.streams.get('a')?.stream.name, 'after');
  });

  it('shows at its next look what another window changed', async () => {
    const one = composePoller();
    const other = composeModel({ transport: () => one.service });
    one.service.add({ id: 'a', name: 'old', isActive: true });
    one.connect();
    other.connect();
    await one.clock.advance(0);
    one.service.change('a', { name: 'new' });
    await other.loader.reread('a');
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
