import assert from 'node:assert/strict';
import { SETTLED_FOR_MS } from '../../../src/model/store/facts.ts';
import { hasMore, shownIds } from '../../../src/model/store/streams.ts';
import { aStream } from '../../support/model/builders.ts';
import { composeModel } from '../../support/model/composedModel.ts';

/** Some idle streams, of which the first have recording turned on, and the Recording group loaded. */
async function opened({ pageSize = 20, recorded = 1, idle = 3 } = {}) {
  const model = composeModel({ pageSize });
  const { loader, service, store } = model;
  service.add(
    ...Array.from({ length: recorded }, (_, n) => ({
      id: `r${n}`,
      record: true,
      lastSeen: 1000 - n,
      createdAt: 1000 - n,
    })),
    ...Array.from({ length: idle }, (_, n) => ({ id: `i${n}`, createdAt: 1 })),
  );
  model.connect();
  await loader.refreshActive();
  await loader.ensureList('idle');
  await loader.ensureList('recording');
  const recording = () => shownIds(store.snapshot, 'recording');
  return { ...model, recording };
}

describe('The Recording group', () => {
  it('shows a stream at once whose recording was turned on, and keeps it though its list lags behind', async () => {
    const { clock, current, loader, service, recording } = await opened();
    service.change('i0', { record: true });
    await current.account.confirmChange('i0', (stream) => stream?.record === true);
    assert.deepEqual(recording(), ['r0', 'i0']);
    service.change('i0', { record: false });
    await loader.reloadList('recording');
    assert.deepEqual(recording(), ['r0', 'i0'], 'the replica lags behind');
    service.change('i0', { record: true });
    await loader.reloadList('idle');
    assert.deepEqual(recording(), ['r0', 'i0'], 'another list agrees');
    await clock.advance(SETTLED_FOR_MS);
    await loader.reloadList('recording');
    assert.deepEqual(recording(), ['r0', 'i0']);
  });

  it('lets a stream go at once whose recording was turned off, and one that its list does not name any more', async () => {
    const { clock, current, loader, service, recording } = await opened({ recorded: 3 });
    service.change('r0', { record: false });
    await current.account.confirmChange('r0', (stream) => stream?.record === false);
    assert.deepEqual(recording(), ['r1', 'r2']);
    service.change('i0', { record: true });
    await current.account.confirmChange('i0', (stream) => stream?.record === true);
    for (const id of ['i0', 'r1']) service.change(id, { record: false });
    await clock.advance(SETTLED_FOR_MS);
    await loader.reloadList('recording');
    assert.deepEqual(recording(), ['r2'], 'Idle still says otherwise');
  });

  it('shows a stream that was made with recording turned on', async () => {
    const { clock, current, service, recording } = await opened();
    service.add({ id: 'new', record: true });
    const age = { requestSeq: 100, startedAt: clock.now(), serverDate: clock.now() };
    current.account.writer.read(aStream({ id: 'new', record: true }), age, { settle: true, pin: true });
    assert.deepEqual([...recording()].sort(), ['new', 'r0']);
  });

  it('keeps a stream with recording turned on that appeared live and ended', async () => {
    const { clock, loader, service, recording } = await opened();
    service.add({ id: 'late', record: true, isActive: true, lastSeen: clock.now() });
    await loader.refreshActive();
    assert.deepEqual(recording(), ['late', 'r0']);
    service.change('late', { isActive: false });
    await loader.refreshActive();
    assert.deepEqual(recording(), ['late', 'r0']);
  });

  it('shows what another list has just told of', async () => {
    const { loader, service, recording } = await opened();
    service.change('i1', { record: true });
    await loader.reloadList('idle');
    assert.deepEqual(recording(), ['r0', 'i1']);
  });

  it('shows such streams beside the rows of its pages, which they do not push out', async () => {
    const { current, loader, service, store, recording } = await opened({ recorded: 45, idle: 3 });
    assert.deepEqual([recording().length, hasMore(store.snapshot, 'recording')], [20, true]);
    service.change('i0', { record: true });
    await current.account.confirmChange('i0', (stream) => stream?.record === true);
    assert.deepEqual([recording().length, recording().at(-1), recording().at(-2)], [21, 'i0', 'r19']);
    await loader.loadMore('recording');
    await loader.loadMore('recording');
    assert.deepEqual([recording().length, hasMore(store.snapshot, 'recording')], [46, false]);
  });

  it('keeps one that was pinned while it has further pages, which may name it', async () => {
    const { clock, current, loader, service, recording } = await opened({ recorded: 45, idle: 0 });
    assert.ok(!recording().includes('r44'));
    await current.account.readStream('r44', { pin: true });
    await clock.advance(SETTLED_FOR_MS);
    await loader.reloadList('recording');
    assert.ok(recording().includes('r44'));
    assert.equal(recording().length, 21);
    service.change('r44', { record: false });
    await loader.reloadList('idle');
    assert.ok(!recording().includes('r44'));
  });

  it('shows the rows that were revealed where a service sends everything at once, and those beside them', async () => {
    const { current, loader, service, store, recording } = await opened({ recorded: 45, idle: 3 });
    service.fault = ({ url }) => {
      if (!decodeURIComponent(url).includes('record')) return undefined;
      const rows = [...service.streams.values()].filter((stream) => stream.record);
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(rows)) };
    };
    await loader.reloadList('recording');
    service.change('i2', { record: true });
    await current.account.confirmChange('i2', (stream) => stream?.record === true);
    assert.deepEqual([recording().length, recording().at(-1), hasMore(store.snapshot, 'recording')], [21, 'i2', true]);
  });

  it('is not known before it was loaded, but for what is live', async () => {
    const { clock, connect, loader, service, store } = composeModel();
    service.add({ id: 'a', isActive: true, record: true, lastSeen: clock.now() }, { id: 'b', record: true });
    connect();
    await loader.refreshActive();
    await loader.ensureList('idle');
    assert.deepEqual(shownIds(store.snapshot, 'recording'), ['a']);
  });
});
