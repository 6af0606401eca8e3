import assert from 'node:assert/strict';
import { groupNode } from '../../../src/model/rows/nodes.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { aStream, NOW } from '../../support/model/builders.ts';
import { composeModel } from '../../support/model/composedModel.ts';

/** A view of three live streams, 25 idle ones, and two with recording on, whose groups are closed. */
async function closedGroups({ prepare = (_: ReturnType<typeof composeModel>) => {} } = {}) {
  const composed = composeModel();
  const { clock, service, store, loader, connect } = composed;
  for (let at = 0; at < 3; at++) service.add({ id: `live-${at}`, isActive: true, lastSeen: clock.now() });
  for (let at = 0; at < 25; at++) service.add({ id: `idle-${at}`, record: at < 2 });
  prepare(composed);
  const shape = streamsTree(store, loader);
  const model = new TreeModel({ store, shape, drawing: () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' }) });
  connect();
  const open = () => model.children();
  await open();
  const text = (list: 'active' | 'idle' | 'recording') => model.row(groupNode(list)).description;
  return { ...composed, model, open, text };
}

const counts = (requests: readonly string[]) => requests.filter((request) => /limit=1&.*count=1/.test(request));

describe('the numbers of closed groups', () => {
  it('are there at once, for a request of one row each', async () => {
    const { service, text } = await closedGroups();
    assert.deepEqual([text('active'), text('idle'), text('recording')], ['3 live', '25', '2']);
    assert.equal(counts(service.requests).length, 2);
    assert.equal(service.requests.length, 3);
  });

  it('are not asked for by polls, nor when the rows are drawn again', async () => {
    const { service, loader, open } = await closedGroups();
    for (let turn = 0; turn < 3; turn++) {
      await loader.poll();
      await open();
    }
    assert.equal(counts(service.requests).length, 2);
  });

  it('are asked for again at a manual refresh, and when the view is shown again', async () => {
    const { service, loader, text } = await closedGroups();
    service.add({ id: 'new', record: true });
    await loader.refresh();
    assert.deepEqual([text('idle'), text('recording')], ['26', '3']);
    await loader.recountGroups();
    assert.equal(counts(service.requests).length, 6);
  });

  it('count streams once that have ended since the last poll, whichever response comes first', async () => {
    for (const order of ['shift', 'pop'] as const) {
      const { clock, service, loader, text } = await closedGroups();
      for (let at = 0; at < 3; at++) service.change(`live-${at}`, { isActive: false });
      service.isHolding = true;
      const refreshed = loader.refresh();
      while (service.waiting.length < 3) await clock.advance(1);
      while (service.waiting.length > 0) {
        service.waiting[order]()?.release();
        await clock.advance(1);
      }
      await refreshed;
      assert.deepEqual([text('active'), text('idle')], ['0 live', '28'], order);
    }
  });

  it('follow streams that go live, end, and are recorded, without a request', async () => {
    const { clock, service, loader, connection, text } = await closedGroups();
    const before = counts(service.requests).length;
    service.change('idle-9', { isActive: true, lastSeen: clock.now() });
    await loader.refreshActive();
    assert.deepEqual([text('active'), text('idle')], ['4 live', '24']);
    service.change('idle-9', { isActive: false });
    await loader.refreshActive();
    assert.deepEqual([text('active'), text('idle')], ['3 live', '25']);
    service.change('idle-9', { record: true });
    await connection.account.confirmChange('idle-9', (stream) => stream?.record === true);
    assert.equal(text('recording'), '3');
    assert.equal(counts(service.requests).length, before);
  });

  it('include a stream that was just created, without a request', async () => {
    const { service, connection, text } = await closedGroups();
    const before = service.requests.length;
    const answer = { requestSeq: 1_000, startedAt: NOW, serverDate: NOW };
    const created = aStream({ id: 'new', record: true });
    connection.account.writer.created(created, answer);
    assert.deepEqual([text('idle'), text('recording')], ['26', '3']);
    connection.account.writer.created(created, { ...answer, requestSeq: 1_001 });
    assert.deepEqual([text('idle'), text('recording'), service.requests.length], ['26', '3', before]);
  });

  it('are not raised by a stream that is shown for a link, which they include already', async () => {
    const { connection, text } = await closedGroups();
    const answer = { requestSeq: 1_000, startedAt: NOW, serverDate: NOW };
    connection.account.writer.read(aStream({ id: 'linked', record: true }), answer, { pin: true });
    assert.deepEqual([text('idle'), text('recording')], ['25', '2']);
  });

  it('agree with rows that an ID finds, which the service counts none of', async () => {
    const { clock, service, store, loader, model, open, text } = await closedGroups();
    service.add({ id: 'recorded', playbackId: 'p1ayback', isActive: true, record: true, lastSeen: clock.now() });
    await loader.refreshActive();
    store.setFilter('p1ayback');
    await loader.countMatching();
    await open();
    assert.equal(store.snapshot.lists.recording.total, 0);
    assert.deepEqual([text('active'), text('recording')], ['1 live', '1']);
    await loader.ensureList('recording');
    assert.equal(model.row(groupNode('recording', 'p1ayback')).description, '1');
  });

  it('are left out where the service has no totals, which is asked once', async () => {
    const { service, loader, text } = await closedGroups({
      prepare: ({ service }) => {
        service.isPaged = false;
        service.totalOf = () => Number.NaN;
      },
    });
    assert.deepEqual([text('active'), text('idle'), text('recording')], ['3 live', undefined, undefined]);
    const asked = counts(service.requests).length;
    await loader.recountGroups();
    assert.equal(counts(service.requests).length, asked);
  });

  it('do not hold up the rows when they are late', async () => {
    const { clock, service, store, loader, connect } = composeModel();
    service.add({ id: 'live', isActive: true, lastSeen: clock.now() });
    connect();
    await loader.ensureList('active');
    service.isHolding = true;
    const shown = loader.ensureCounts();
    await clock.advance(1000);
    await shown;
    assert.equal(store.snapshot.streamCount, undefined);
  });
});
