import assert from 'node:assert/strict';
import type { HealthCondition } from '../../../../src/api/types.ts';
import { ofUsedTargets, problemsOf } from '../../../../src/model/inspection/problems.ts';
import type { Snapshot } from '../../../../src/model/store/snapshot.ts';
import { aFact, aLiveStream, aSnapshot, HOUR, NOW, SECOND } from '../../../support/model/builders.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';

const TARGETS = [{ id: 't1', profile: 'source' }];

describe('The health of live streams', () => {
  /** A service whose health says of each stream whether its target is connected. */
  function compose() {
    const composed = composePoller();
    const { service, clock } = composed;
    const state = { connected: false, status: 200 };
    const seen = { isActive: true, lastSeen: clock.now() };
    service.fault = ({ url }) => {
      if (!url.endsWith('/health')) return undefined;
      const target = { id: 't1', profile: 'source', name: 'YouTube' };
      const body = { conditions: [{ type: 'Active', status: true }], multistream: [{ target, ...state }] };
      return { status: state.status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
    };
    const keep = () => {
      for (const stream of service.streams.values()) if (stream.isActive) stream.lastSeen = clock.now();
    };
    const reads = () => service.requests.filter((line) => line.endsWith('/health'));
    const problems = (id: string) => {
      const fact = composed.store.snapshot.streams.get(id);
      return fact === undefined ? undefined : problemsOf(composed.store.snapshot, fact).length;
    };
    const poll = async (seconds: number) => {
      keep();
      await clock.advance(seconds * SECOND);
    };
    return { ...composed, state, seen, reads, problems, poll };
  }

  it('is not polled of streams without targets in which nothing is known to be wrong', async () => {
    const { service, connect, seen, reads, poll } = compose();
    service.add({ id: 'a', ...seen });
    connect();
    for (let n = 0; n < 4; n++) await poll(15);
    assert.deepEqual(reads(), []);
  });

  it('is polled of streams with targets, every five minutes while nothing is wrong', async () => {
    const { service, connect, seen, state, reads, problems, poll } = compose();
    state.connected = true;
    service.add({ id: 'a', ...seen, multistream: { targets: TARGETS } });
    connect();
    for (let n = 0; n < 19; n++) await poll(15);
    assert.deepEqual([reads().length, problems('a')], [1, 0]);
    state.connected = false;
    for (let n = 0; n < 2; n++) await poll(15);
    assert.deepEqual([reads().length, problems('a')], [2, 1]);
  });

  it('is read again where something was wrong, until it is mended', async () => {
    const { service, connect, loader, seen, state, reads, problems, poll } = compose();
    service.add({ id: 'a', ...seen });
    connect();
    await poll(0);
    assert.deepEqual(reads(), []);
    await loader.readHealth(['a']);
    assert.equal(problems('a'), 1);
    state.connected = true;
    await poll(15);
    await poll(15);
    await poll(15);
    assert.deepEqual([reads().length, problems('a')], [2, 0]);
    await poll(60);
    assert.equal(reads().length, 2);
  });

  it('is read at most twice a minute, stays if it cannot be read, and is forgotten with the broadcast', async () => {
    const { service, connect, loader, store, seen, state, reads, poll } = compose();
    service.add({ id: 'a', ...seen });
    connect();
    await poll(0);
    for (let n = 0; n < 2; n++) await loader.readHealth(['a']);
    assert.deepEqual(reads(), ['GET /data/stream/a/health']);
    const known = store.snapshot.health.get('a');
    assert.ok(known !== undefined);
    state.status = 500;
    for (let n = 0; n < 3; n++) await poll(15);
    assert.ok(reads().length > 1);
    assert.equal(store.snapshot.health.get('a'), known);
    service.change('a', { isActive: false });
    await poll(15);
    await poll(15);
    assert.equal(store.snapshot.health.size, 0);
  });

  it('is read of some streams at a time, and of each in its turn', async () => {
    const { service, connect, loader, seen, reads, poll } = compose();
    const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
    service.add(...ids.map((id) => ({ id, ...seen })));
    connect();
    await poll(0);
    await loader.readHealth(ids);
    assert.equal(reads().length, 8);
    for (let n = 0; n < 2; n++) await loader.readHealth(ids);
    assert.equal(new Set(reads()).size, 20);
  });
});

describe('The problems of a live stream', () => {
  it('are none of targets that are off, nor of all targets because of these', () => {
    const condition = { since: undefined, checkedAt: undefined, isMet: false, type: 'Multistreaming' };
    const health = [condition, { ...condition, target: { id: 't1', profile: 'source', name: 'YouTube' } }];
    const targets = (isDisabled: boolean) => new Map([['t1', { id: 't1', name: 'YouTube', isDisabled }]]);
    assert.deepEqual(
      [true, false].map((isOff) => ofUsedTargets(health, targets(isOff)).length),
      [0, 1],
    );
  });

  const condition = (type: string, isMet: boolean | undefined, target?: string): HealthCondition => ({
    ...{ type, isMet, since: undefined, checkedAt: undefined },
    ...(target !== undefined && { target: { id: target, profile: 'source', name: target } }),
  });
  const live = aLiveStream({ id: 'a' });
  const typesOf = (health: readonly HealthCondition[], stream = live, parts: Partial<Snapshot> = {}) => {
    const snapshot = { ...aSnapshot(), ...parts, health: new Map([['a', health]]) };
    return problemsOf(snapshot, aFact(stream)).map(({ type, target }) => target?.id ?? type);
  };

  it('are the conditions that are not met, and each target that fails once', () => {
    const met = [condition('Active', true), condition('Transcoding', undefined)];
    const failing = [condition('Multistreaming', false), condition('Multistreaming', false, 'youtube')];
    const twice = [...met, ...failing, condition('Multistreaming', false, 'youtube'), condition('Other', false)];
    assert.deepEqual(typesOf(twice), ['youtube', 'Other']);
    assert.deepEqual(typesOf(met), []);
    const targets = new Map([['youtube', { id: 'youtube', name: '', isDisabled: true }]]);
    assert.deepEqual(typesOf(failing.slice(1), live, { targets }), [], 'a target that is off');
  });

  it('are only that no data arrives, if the service says that, and not what follows from it', () => {
    const failing = ['Transcoding', 'Multistreaming', 'TranscodeNoErrors'].map((type) => condition(type, false));
    const health = [...failing, condition('Multistreaming', false, 'youtube')];
    assert.deepEqual(typesOf([condition('Active', false), ...health]), ['Active', 'TranscodeNoErrors']);
    assert.deepEqual(typesOf([condition('Active', true), ...health]), ['Transcoding', 'TranscodeNoErrors', 'youtube']);
  });

  it('are none of a stream that is not live, or is suspended', () => {
    const failing = [condition('Transcoding', false)];
    const others = [{ isActive: false }, { lastSeen: NOW - HOUR }, { suspended: true }];
    for (const given of others) assert.deepEqual(typesOf(failing, { ...live, ...given }), []);
  });
});
