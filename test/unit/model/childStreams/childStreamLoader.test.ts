import assert from 'node:assert/strict';
import { composeModel } from '../../../support/model/composedModel.ts';

interface Row {
  readonly id: string;
  readonly parentId?: string;
  readonly createdAt?: number;
}

/** A service with these streams; where it ignores filters, every list holds all of them. */
function composeHistoric(rows: Row[], { ignoresFilters = false } = {}) {
  const model = composeModel();
  const lists: URLSearchParams[] = [];
  const state = { isDown: false };
  model.service.fault = ({ url }) => {
    const { searchParams } = new URL(url);
    if (searchParams.has('streamsonly')) return undefined;
    lists.push(searchParams);
    if (state.isDown) return { status: 403, headers: {}, body: new Uint8Array() };
    const [filter] = JSON.parse(searchParams.get('filters') ?? '[]');
    const found = rows.filter(({ parentId }) => ignoresFilters || filter === undefined || parentId === filter.value);
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(found)) };
  };
  model.connect();
  const childrenOf = (id: string) => model.store.snapshot.children.get(id)?.items.map((stream) => stream.id);
  const orphans = () => model.store.snapshot.orphans.items.map((stream) => stream.id);
  return { ...model, rows, lists, state, childrenOf, orphans };
}

const PARENTS: readonly Row[] = [{ id: 'a' }, { id: 'b' }];

describe('Deprecated child streams', () => {
  it('are asked for by their parent, newest first, and each parent’s once', async () => {
    const { loader, lists, childrenOf } = composeHistoric([
      ...PARENTS,
      { id: 'a1', parentId: 'a', createdAt: 1 },
      { id: 'a2', parentId: 'a', createdAt: 2 },
      { id: 'b1', parentId: 'b' },
    ]);
    await Promise.all([loader.ensureChildren('a'), loader.ensureChildren('a')]);
    await loader.ensureChildren('a');
    assert.deepEqual([childrenOf('a'), childrenOf('b'), lists.length], [['a2', 'a1'], undefined, 1]);
    await loader.ensureChildren('b');
    assert.deepEqual([childrenOf('b'), lists.length], [['b1'], 2]);
  });

  it('come out of one answer for all parents where the service sends everything, until a refresh', async () => {
    const { loader, rows, lists, interest, childrenOf } = composeHistoric(
      [...PARENTS, { id: 'a1', parentId: 'a', createdAt: 1 }, { id: 'b1', parentId: 'b', createdAt: 1 }],
      { ignoresFilters: true },
    );
    for (const id of ['a', 'b']) {
      interest.opened(`row/${id}`, { kind: 'stream', streamId: id });
      await loader.ensureChildren(id);
    }
    assert.deepEqual([childrenOf('a'), childrenOf('b'), lists.length], [['a1'], ['b1'], 1]);
    rows.push({ id: 'b2', parentId: 'b', createdAt: 2 });
    await loader.refresh();
    assert.deepEqual([childrenOf('a'), childrenOf('b')], [['a1'], ['b2', 'b1']]);
  });

  it('have no parent if their parent is not among all streams, of a refresh too', async () => {
    const { loader, rows, orphans } = composeHistoric([
      ...PARENTS,
      { id: 'a1', parentId: 'a' },
      { id: 'o1', parentId: 'o' },
    ]);
    await loader.ensureOrphans();
    assert.deepEqual(orphans(), ['o1']);
    rows.push({ id: 'o2', parentId: 'o', createdAt: 5 });
    await loader.ensureOrphans();
    assert.deepEqual(orphans(), ['o1'], 'loaded is loaded');
    await loader.reloadChildren(undefined);
    assert.deepEqual(orphans(), ['o2', 'o1']);
    rows.pop();
    await loader.refresh();
    assert.deepEqual(orphans(), ['o1']);
  });

  it('have no parent if their parent is itself a deprecated child', async () => {
    const { loader, orphans } = composeHistoric([
      ...PARENTS,
      { id: 'a1', parentId: 'a' },
      { id: 'a2', parentId: 'a1' },
    ]);
    await loader.ensureOrphans();
    assert.deepEqual(orphans(), ['a2']);
  });

  it('can be loaded after a read of everything that failed', async () => {
    const { loader, state, store, childrenOf } = composeHistoric([...PARENTS, { id: 'a1', parentId: 'a' }]);
    state.isDown = true;
    await loader.ensureOrphans();
    assert.equal(store.snapshot.orphans.trouble?.error.reason, 'forbidden');
    assert.equal(store.snapshot.orphans.isLoading, false);
    state.isDown = false;
    await loader.ensureChildren('a');
    assert.deepEqual(childrenOf('a'), ['a1']);
  });
});
