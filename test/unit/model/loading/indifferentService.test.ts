import assert from 'node:assert/strict';
import { shownIds } from '../../../../src/model/store/streams.ts';
import { composeModel } from '../../../support/model/composedModel.ts';

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
