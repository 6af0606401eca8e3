import assert from 'node:assert/strict';
import { SETTLED_FOR_MS } from '../../../../src/model/store/facts.ts';
import { shownIds } from '../../../../src/model/store/streams.ts';
import type { HttpResponse } from '../../../../src/services.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';
import { settle } from '../../../support/model/heldClock.ts';

const SECOND = 1000;

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  ...{ status, headers, body: new Uint8Array() },
});
const isLookUp = (url: string) => /\/stream\/[^/?]+$/.test(url);

/** So many live streams, which all end before the next look. */
async function manyEnd(count: number) {
  const model = composePoller();
  const { clock, connect, service } = model;
  service.add(...Array.from({ length: count }, (_, n) => ({ id: `s${n}`, isActive: true, lastSeen: clock.now() })));
  connect();
  await clock.advance(0);
  for (const id of service.streams.keys()) service.change(id, { isActive: false });
  service.requests.length = 0;
  const lookUps = () => service.requests.filter((request) => !request.includes('filters')).length;
  return { ...model, lookUps };
}

describe('A read by id that finds nothing', () => {
  it('is no proof while a change that was just read back says that the stream exists', async () => {
    const { clock, connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    await connection.account.confirmChange('a', (stream) => stream !== undefined);
    service.fault = ({ url }) => (isLookUp(url) ? answer(404) : undefined);
    assert.equal((await connection.account.readStream('a', { pin: true }))?.id, 'a', 'as it is known');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['a']);
    await clock.advance(SETTLED_FOR_MS);
    assert.equal(await connection.account.readStream('a', { pin: true }), undefined);
    assert.deepEqual(shownIds(store.snapshot, 'idle'), []);
  });

  it('is no proof if the answer is a page of a proxy or of another server', async () => {
    const { connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    service.fault = ({ url }) => (isLookUp(url) ? answer(404, { 'content-type': 'text/html' }) : undefined);
    await assert.rejects(connection.account.readStream('a'), { reason: 'notFound', why: 'html' });
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['a']);
  });

  it('is no proof against an answer to a later question', async () => {
    const { connect, connection, loader, service, store } = composeModel();
    service.add({ id: 'a' });
    connect();
    await loader.ensureList('idle');
    service.isHolding = true;
    const pinning = connection.account.readStream('a', { pin: true });
    await settle();
    service.isHolding = false;
    await loader.reloadList('idle');
    service.fault = ({ url }) => (isLookUp(url) ? answer(404) : undefined);
    service.waiting.shift()?.release();
    assert.equal((await pinning)?.id, 'a');
    assert.deepEqual(shownIds(store.snapshot, 'idle'), ['a']);
  });
});

describe('Looking up streams that left the active ones', () => {
  it('stops where the service says that it is asked too often, and waits as long as it says', async () => {
    const { clock, lookUps, service, store } = await manyEnd(20);
    service.fault = ({ url }) => (isLookUp(url) ? answer(429, { 'retry-after': '120' }) : undefined);
    await clock.advance(15 * SECOND);
    assert.ok(lookUps() <= 4, `${lookUps()} at most as many as are under way at once`);
    assert.equal(store.snapshot.trouble?.error.reason, 'rateLimited');
    assert.equal(store.snapshot.trouble?.nextTryAt, clock.now() + 120 * SECOND);
    const asked = service.requests.length;
    await clock.advance(119 * SECOND);
    assert.equal(service.requests.length, asked);
    service.fault = undefined;
    await clock.advance(SECOND);
    assert.equal(store.snapshot.trouble, undefined);
    assert.deepEqual([shownIds(store.snapshot, 'active').length, shownIds(store.snapshot, 'idle').length], [0, 20]);
  });

  it('waits longer each time where they fail though the list does not', async () => {
    const { clock, service, store } = await manyEnd(2);
    service.fault = ({ url }) => (isLookUp(url) ? answer(503) : undefined);
    await clock.advance(15 * SECOND);
    const waits: number[] = [];
    for (let n = 0; n < 3; n++) {
      const wait = (store.snapshot.trouble?.nextTryAt ?? 0) - clock.now();
      waits.push(wait / SECOND);
      await clock.advance(wait);
    }
    assert.deepEqual(waits, [15, 30, 60]);
  });

  it('marks the key as refused on a 401, and asks no more', async () => {
    const { clock, lookUps, service, store } = await manyEnd(20);
    service.fault = ({ url }) => (isLookUp(url) ? answer(401) : undefined);
    await clock.advance(15 * SECOND);
    assert.ok(lookUps() <= 4);
    assert.equal(store.snapshot.connection.kind, 'refused');
    const asked = service.requests.length;
    await clock.advance(3600 * SECOND);
    assert.equal(service.requests.length, asked);
  });

  it('goes on where one stream alone cannot be read, and calls the service well', async () => {
    for (const status of [403, 422, 500]) {
      const { clock, service, store } = await manyEnd(8);
      service.fault = ({ url }) => (url.endsWith('/s3') ? answer(status) : undefined);
      await clock.advance(15 * SECOND);
      assert.equal(store.snapshot.trouble, undefined, `${status}`);
      assert.deepEqual(shownIds(store.snapshot, 'active'), ['s3']);
      service.fault = undefined;
      await clock.advance(15 * SECOND);
      assert.deepEqual(shownIds(store.snapshot, 'active'), [], 'the next look finds it missing again');
    }
  });

  it('says under Idle why its pinned rows could not be looked up, and asks for no more of them', async () => {
    const { connect, connection, loader, service, store } = composeModel({ pageSize: 20 });
    service.add(...Array.from({ length: 60 }, (_, n) => ({ id: `s${n}`, createdAt: 1000 - n })));
    connect();
    await loader.ensureList('idle');
    for (let n = 40; n < 60; n++) await connection.account.readStream(`s${n}`, { pin: true });
    service.requests.length = 0;
    service.fault = ({ url }) => (isLookUp(url) ? answer(429) : undefined);
    await loader.reloadList('idle');
    assert.ok(service.requests.length <= 1 + 4);
    assert.equal(store.snapshot.lists.idle.trouble?.error.reason, 'rateLimited');
  });
});
