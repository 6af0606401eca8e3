import assert from 'node:assert/strict';
import { hasMore, shownIds } from '../../../../src/model/store/streams.ts';
import { withDemoModel } from '../../../support/demo/demoModel.ts';

describe('A service that orders equal rows differently for each page', () => {
  for (const list of ['idle', 'recording'] as const) {
    it(`loses none of 100 streams with one createdAt in pages of 20, in ${list}`, () =>
      withDemoModel(20, async (model, control) => {
        const made = Array.from({ length: 100 }, () => control.addStream({ createdAt: 1000, record: true }).id);
        model.connect();
        await model.loader.ensureList(list);
        while (hasMore(model.store.snapshot, list)) await model.loader.loadMore(list);
        assert.deepEqual(new Set(shownIds(model.store.snapshot, list)), new Set(made));
        assert.equal(model.store.snapshot.lists[list].total, 100);
        await model.loader.reloadList(list);
        assert.equal(shownIds(model.store.snapshot, list).length, 100);
      }));
  }

  it('loses no session of many with one createdAt', () =>
    withDemoModel(20, async (model, control) => {
      const { id } = control.addStream({});
      const session = { createdAt: 1000, lastSeen: 2000, sourceSegmentsDuration: 1 };
      for (let n = 0; n < 100; n += 1) control.addSession(id, session);
      model.connect();
      await model.loader.ensureRecordings();
      while (model.store.snapshot.recordings.hasNextPage) await model.loader.loadMoreRecordings();
      assert.equal(model.store.snapshot.recordings.items.length, 100);
    }));
});

describe('A group of which not all is loaded', () => {
  for (const list of ['idle', 'recording'] as const) {
    for (const sort of ['lastSeen', 'createdAt', 'name'] as const) {
      it(`has the rows of its next page below those that it shows, though many are equal: ${list} by ${sort}`, () =>
        withDemoModel(20, async (model, control) => {
          for (let n = 0; n < 70; n += 1) {
            const [createdAt, lastSeen, name] = [1000 + (n % 3), 2000 + (n % 2), `Channel ${n % 4}`];
            control.addStream({ createdAt, lastSeen, name, record: true });
          }
          const shown = () => shownIds(model.store.snapshot, list);
          model.connect();
          model.store.setSort(sort);
          await model.loader.ensureList(list);
          while (hasMore(model.store.snapshot, list)) {
            const before = shown();
            await model.loader.loadMore(list);
            assert.deepEqual(shown().slice(0, before.length), before);
          }
          assert.equal(shown().length, 70);
        }));
    }
  }
});

describe('The idle streams', () => {
  it('are asked for as they are shown: those that were live last are on the first page', () =>
    withDemoModel(20, async (model, control) => {
      const made = Array.from({ length: 60 }, (_, n) => control.addStream({ createdAt: n, lastSeen: 1e9 - n }).id);
      model.connect();
      await model.loader.ensureList('idle');
      assert.deepEqual(shownIds(model.store.snapshot, 'idle'), made.slice(0, 20));
      await model.loader.loadMore('idle');
      assert.deepEqual(shownIds(model.store.snapshot, 'idle'), made.slice(0, 40));
    }));
});
