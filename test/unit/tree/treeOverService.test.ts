import assert from 'node:assert/strict';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { DEFAULT_SETTINGS } from '../../../src/model/settingValues.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { composeModel } from '../../support/model/composedModel.ts';
import { opening } from './drawnTree.ts';

/** The tree over the real store and loader, and a service in memory. */
function treeOverService() {
  const { clock, service, store, loader, connection, connect } = composeModel();
  const shape = streamsTree(store, loader);
  const model = new TreeModel({ store, shape, drawing: () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' }) });
  const fired: (readonly string[])[] = [];
  model.onDidChange((nodes) => fired.push(nodes === undefined ? ['ROOT'] : nodes.map((node) => node.id)));
  const open = opening(model);
  async function openId(nodes: readonly Node[], id: string): Promise<readonly Node[]> {
    const found = nodes.find((node) => node.id === id);
    assert.ok(found, `row ${id}`);
    return open(found);
  }
  return { clock, service, store, loader, connection, connect, model, fired, open, openId };
}

const ids = (nodes: readonly Node[]) => nodes.map((node) => node.id);

describe('the tree over a service', () => {
  it('paints the live streams after one request and two counts, and fires nothing for what was asked for', async () => {
    const { clock, service, connect, fired, open, openId } = treeOverService();
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() }, { id: 'b' });
    connect();
    const roots = await open();
    assert.deepEqual(ids(await openId(roots, 'active')), ['active/a']);
    assert.equal(service.requests.length, 3);
    assert.ok(service.requests.slice(1).every((request) => /limit=1&.*count=1/.test(request)));
    assert.deepEqual(fired, []);
  });

  it('is empty for an account that is empty, after two requests', async () => {
    const { service, connect, open } = treeOverService();
    connect();
    assert.deepEqual(await open(), []);
    assert.equal(service.requests.length, 2);
  });

  it('is empty for an account that is empty, though deprecated child streams are to be shown, where there are none', async () => {
    const { service, store, connect, fired, open } = treeOverService();
    connect();
    await open();
    store.setSettings({ ...DEFAULT_SETTINGS, showHistoricChildStreams: true });
    assert.deepEqual(fired, [['ROOT']]);
    assert.deepEqual(await open(), []);
    assert.equal(service.requests.length, 3, 'asked once');
    assert.deepEqual(await open(), []);
    assert.equal(service.requests.length, 3);
  });

  it('fires the two groups when an idle stream goes live, and nothing at a look that finds nothing new', async () => {
    const { clock, service, loader, connect, fired, open, openId } = treeOverService();
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() }, { id: 'b' }, { id: 'c' });
    connect();
    const roots = await open();
    await openId(roots, 'active');
    await openId(roots, 'idle');
    fired.length = 0;
    await loader.refreshActive();
    assert.deepEqual(fired, []);
    service.change('b', { isActive: true, lastSeen: clock.now() });
    await loader.refreshActive();
    assert.deepEqual(fired, [['active', 'idle']]);
  });

  it('fires Recording when recording is turned on for a stream, with its row and its count', async () => {
    const { service, connection, connect, fired, open, openId, model } = treeOverService();
    service.add({ id: 'a', record: true }, { id: 'b' });
    connect();
    const roots = await open();
    for (const group of ['idle', 'recording']) await openId(roots, group);
    fired.length = 0;
    service.change('b', { record: true });
    await connection.account.confirmChange('b', (stream) => stream?.record === true);
    assert.ok(fired.flat().includes('recording'));
    const again = await open();
    assert.deepEqual(ids(await openId(again, 'recording')).toSorted(), ['recording/a', 'recording/b']);
    const group = again.find((node) => node.id === 'recording');
    assert.equal(group && model.row(group).description, '2');
  });

  it('loads an open group anew when a filter is set', async () => {
    const { clock, service, store, loader, connect, fired, open, openId } = treeOverService();
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() }, { id: 'b' }, { id: 'c' });
    connect();
    const roots = await open();
    await openId(roots, 'idle');
    fired.length = 0;
    store.setFilter('c');
    const loaded = ids(await openId(await open(), 'idle+filtered'));
    assert.deepEqual(loaded, ['idle/c'], 'the loaded ones at once');
    await loader.reloadList('idle');
    assert.equal(fired.flat()[0], 'ROOT', 'the filter has a row');
    assert.deepEqual(ids(await openId(await open(), 'idle+filtered')), ['idle/c']);
  });

  it('shows a filter at once, though the service has yet to send the idle streams', async () => {
    const { clock, service, store, connect, fired, open, openId, model } = treeOverService();
    const lastSeen = clock.now();
    service.add({ id: 'a', isActive: true, lastSeen }, { id: 'b', isActive: true, lastSeen }, { id: 'bb' });
    connect();
    await open();
    service.isHolding = true;
    store.setFilter('b');
    const roots = await open();
    assert.deepEqual(ids(roots), ['+filter', 'active', 'idle+filtered', 'recording']);
    assert.deepEqual(ids(await openId(roots, 'active')), ['active/b']);
    assert.deepEqual(ids(await openId(roots, 'idle+filtered')), [], 'VS Code would wait for them with all rows');
    const idle = () => {
      const { description, accessibilityLabel } = model.row(roots[2] ?? assert.fail());
      return [description, accessibilityLabel];
    };
    assert.deepEqual(idle(), ['Loading…', 'Idle, Loading…']);
    fired.length = 0;
    service.isHolding = false;
    while (fired.length === 0) {
      for (const { release } of service.waiting.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(fired.flat().includes('idle+filtered'));
    assert.deepEqual(ids(await openId(await open(), 'idle+filtered')), ['idle/bb']);
    assert.deepEqual(idle(), ['1', 'Idle, 1 stream']);
  });

  it('shows the streams that were loaded before a filter if the service fails once the filter is cleared', async () => {
    const { service, store, loader, connect, open, openId, model } = treeOverService();
    service.add({ id: 'a', name: 'Drone' }, { id: 'b', name: 'Studio' }, { id: 'c', name: 'Studio two' });
    connect();
    await openId(await open(), 'idle');
    const idleUnder = async (filter: string) => {
      store.setFilter(filter);
      await loader.reloadList('idle');
      const idle = (await open()).find(({ id }) => id.startsWith('idle')) ?? assert.fail();
      return ids(await model.children(idle)).filter((id) => !/more|retry/i.test(id));
    };
    const whole = await idleUnder('');
    assert.equal(whole.length, 3);
    assert.equal((await idleUnder('drone')).length, 1);
    service.streams.delete('b');
    await idleUnder('drone');
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    assert.equal((await idleUnder('studio')).length, 2);
    assert.equal((await idleUnder('')).length, 3);
    service.fault = undefined;
    assert.equal((await idleUnder('')).length, 2, 'one was deleted in the meantime');
  });

  it('has the same count after a filter is set and cleared while the service fails, if all idle streams were loaded', async () => {
    const { service, store, loader, connect, open, openId, model } = treeOverService();
    service.add({ id: 'a' }, { id: 'b' }, { id: 'bb' });
    connect();
    await openId(await open(), 'idle');
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    const idleUnder = async (filter: string) => {
      store.setFilter(filter);
      await loader.reloadList('idle');
      const idle = (await open()).find(({ id }) => id.startsWith('idle')) ?? assert.fail();
      return [model.row(idle).description, ids(await model.children(idle)).filter((id) => /more/i.test(id))];
    };
    assert.deepEqual(await idleUnder('b'), ['2', []]);
    assert.deepEqual(await idleUnder(''), ['3', []]);
  });

  it('says that a filter waits for the service, while no stream that was loaded before matches', async () => {
    const { service, store, loader, connect, open, openId, model } = treeOverService();
    service.add({ id: 'a' }, { id: 'b' });
    connect();
    await openId(await open(), 'idle');
    service.isHolding = true;
    store.setFilter('c');
    const reloading = loader.reloadList('idle');
    const [, , idle = assert.fail()] = await open();
    assert.deepEqual(ids(await model.children(idle)), [], 'nothing more can be loaded now');
    assert.equal(model.row(idle).description, 'Loading…');
    service.isHolding = false;
    for (const { release } of service.waiting.splice(0)) release();
    await reloading;
    assert.deepEqual(ids(await open()), ['+filter', '+clearFilter']);
  });

  it('shows the sessions under both rows of a stream that are opened at once', async () => {
    const { clock, service, connect, fired, open, openId } = treeOverService();
    service.add({ id: 'a', isActive: true, record: true, lastSeen: clock.now() });
    service.sessions.set('a', [{ id: 's', parentId: 'a', createdAt: 5, lastSeen: 6 }]);
    connect();
    const roots = await open();
    const active = await openId(roots, 'active');
    const recording = await openId(roots, 'recording');
    fired.length = 0;
    const both = await Promise.all([openId(active, 'active/a'), openId(recording, 'recording/a')]);
    const late = fired.flat();
    assert.ok(both.every((rows) => rows.length === 1) || late.includes('recording/a'));
    assert.deepEqual(ids(await openId(recording, 'recording/a')), ['recording/a/s']);
  });

  it('shows Retry after a failure, and the rows once it works', async () => {
    const { service, loader, connect, fired, open, openId } = treeOverService();
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    connect();
    assert.deepEqual(ids(await open()), ['+retry']);
    service.fault = undefined;
    service.add({ id: 'a', isActive: true });
    await loader.refresh();
    assert.ok(fired.flat().includes('ROOT'));
    assert.deepEqual(ids(await openId(await open(), 'active')), ['active/a']);
  });

  it('loads Idle as at the first paint, when the service answers at last and nothing is live', async () => {
    const { service, loader, connect, fired, open, openId } = treeOverService();
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    connect();
    await open();
    service.fault = undefined;
    service.add({ id: 'b' });
    await loader.refreshActive();
    assert.ok(fired.flat().includes('ROOT'));
    const roots = await open();
    assert.ok(
      service.requests.some((request) => request.includes('"value":false')),
      'Idle was asked for',
    );
    assert.deepEqual(ids(await openId(roots, 'active')), ['active/+empty']);
  });
});

describe('the tree of an account whose streams are all deleted', () => {
  /** A live stream and two idle ones. Idle is closed and isn't loaded. */
  async function openedBeforeDeletion() {
    const tree = treeOverService();
    const { clock, service, connect, connection, fired, open } = tree;
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() }, { id: 'b' }, { id: 'c' });
    const deleteHere = (id: string) => {
      service.streams.delete(id);
      connection.account.writer.gone(id);
    };
    /** What the view shows, which asks for rows only once they are fired. */
    let roots: readonly Node[] = [];
    const shown = async () => {
      for (; fired.flat().includes('ROOT'); roots = await open()) fired.length = 0;
      return ids(roots);
    };
    connect();
    roots = await open();
    assert.deepEqual(ids(roots), ['active', 'idle', 'recording']);
    return { ...tree, deleteHere, shown };
  }

  it('is empty after a refresh, if they were deleted at the service', async () => {
    const { service, loader, shown } = await openedBeforeDeletion();
    service.streams.clear();
    await loader.refresh();
    assert.deepEqual(await shown(), []);
  });

  it('is empty whether the count or the live streams come first', async () => {
    for (const order of ['shift', 'pop'] as const) {
      const { clock, service, loader, shown } = await openedBeforeDeletion();
      service.streams.clear();
      service.isHolding = true;
      const refreshed = loader.refresh();
      while (service.waiting.length < 3) await clock.advance(1);
      service.isHolding = false;
      while (service.waiting.length > 0) {
        service.waiting[order]()?.release();
        await clock.advance(1);
      }
      await refreshed;
      assert.deepEqual(await shown(), [], order);
    }
  });

  it('is empty after the last was deleted here, even if the service has no totals', async () => {
    for (const totalOf of [undefined, () => Number.NaN]) {
      const { service, deleteHere, loader, shown } = await openedBeforeDeletion();
      service.streams.delete('b');
      service.streams.delete('c');
      service.totalOf = totalOf;
      await loader.refresh();
      deleteHere('a');
      assert.deepEqual(await shown(), []);
    }
  });

  it('keeps its groups while streams are left that were not loaded', async () => {
    const { deleteHere, shown, service, openId, open } = await openedBeforeDeletion();
    deleteHere('a');
    assert.deepEqual(await shown(), ['active', 'idle', 'recording']);
    const asked = service.requests.length;
    assert.deepEqual(ids(await openId(await open(), 'idle')), ['idle/c', 'idle/b']);
    assert.equal(service.requests.length, asked, 'loaded before it is opened');
  });

  it('is empty after a refresh, if the last was live and ended before', async () => {
    const { service, loader, shown } = await openedBeforeDeletion();
    service.change('a', { isActive: false });
    await loader.refreshActive();
    service.streams.clear();
    await loader.refresh();
    assert.deepEqual(await shown(), []);
  });

  it('is empty after a refresh, if one was read that no list named', async () => {
    const { connection, service, loader, shown } = await openedBeforeDeletion();
    await connection.account.readStream('b');
    service.streams.clear();
    await loader.refresh();
    assert.deepEqual(await shown(), []);
  });

  it('is empty once the filter is cleared that was set meanwhile', async () => {
    const { service, store, loader, shown } = await openedBeforeDeletion();
    store.setFilter('a');
    await shown();
    service.streams.clear();
    await loader.refresh();
    await shown();
    store.setFilter('');
    assert.deepEqual(await shown(), []);
  });

  it('is empty though deprecated child streams are to be shown, where there are none', async () => {
    for (const isIdleOpen of [false, true]) {
      const { open, openId, service, store, loader, shown } = await openedBeforeDeletion();
      store.setSettings({ ...DEFAULT_SETTINGS, showHistoricChildStreams: true });
      await shown();
      if (isIdleOpen) await openId(await open(), 'idle');
      service.streams.clear();
      await loader.refresh();
      assert.deepEqual(await shown(), [], `idle open: ${isIdleOpen}`);
    }
  });

  it('stays empty while a replica still lists the last stream as live', async () => {
    const { deleteHere, service, loader, fired, shown } = await openedBeforeDeletion();
    service.streams.delete('b');
    service.streams.delete('c');
    await loader.refresh();
    service.lagBehind();
    deleteHere('a');
    assert.deepEqual(await shown(), []);
    fired.length = 0;
    await loader.refresh();
    assert.deepEqual(fired, []);
    service.replica = undefined;
    await loader.refresh();
    assert.deepEqual(fired, []);
  });
});
