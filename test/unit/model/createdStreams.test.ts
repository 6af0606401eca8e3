import assert from 'node:assert/strict';
import { changesOf } from '../../../src/model/account/accountChanges.ts';
import type { ListName, SortKey } from '../../../src/model/store/snapshot.ts';
import { hasMore, shownIds } from '../../../src/model/store/streams.ts';
import { withDemoModel } from '../../support/demo/demoModel.ts';
import { aStream, NOW } from '../../support/model/builders.ts';

const LISTS = ['idle', 'recording'] as const;

/** Two pages of twenty streams that were live, and ten more that never were. */
function fill(control: { addStream(given: object): { readonly id: string } }, now: number): readonly string[] {
  return Array.from({ length: 50 }, (_, n) => {
    const lastSeen = n < 40 ? now - 1000 * (n + 1) : 0;
    return control.addStream({ name: `Channel ${n}`, createdAt: now - 1_000_000 - n, lastSeen, record: true }).id;
  });
}

describe('A stream that was created here', () => {
  for (const list of LISTS) {
    it(`stands first in ${list} until it was live, the newest before the others`, () =>
      withDemoModel(20, async ({ store, loader, connection, connect }, control, clock) => {
        const made = fill(control, clock.now());
        connect();
        await loader.ensureList(list);
        const create = async (name: string) => {
          await clock.advance(1000);
          const outcome = await changesOf(connection.account).create({ name, record: true });
          assert.ok(outcome.kind === 'done');
          return outcome.stream.id;
        };
        const shown = () => shownIds(store.snapshot, list);
        const first = await create('Opening talk');
        const second = await create('Closing talk');
        assert.deepEqual(shown(), [second, first, ...made.slice(0, 20)]);
        await loader.reloadList(list);
        assert.deepEqual(shown(), [second, first, ...made.slice(0, 20)], 'also when the list is read again');
        while (hasMore(store.snapshot, list)) {
          const before = shown();
          await loader.loadMore(list);
          assert.deepEqual(shown().slice(0, before.length), before, 'further pages are below');
        }
        assert.deepEqual(shown(), [second, first, ...made]);
        control.setStream(first, { lastSeen: clock.now() - 4500 });
        await loader.reloadList(list);
        assert.deepEqual(shown().slice(0, 5), [second, made[0], made[1], first, made[2]]);
      }));
  }

  it('has the place of the chosen sort where it has one', () =>
    withDemoModel(20, async ({ store, loader, connection, connect }, control, clock) => {
      fill(control, clock.now());
      connect();
      await loader.ensureList('idle');
      await changesOf(connection.account).create({ name: 'Zoo', record: false });
      const placeBy = (sort: SortKey, list: ListName = 'idle') => {
        store.setSort(sort);
        return shownIds(store.snapshot, list).findIndex((id) => store.snapshot.streams.get(id)?.stream.name === 'Zoo');
      };
      assert.deepEqual([placeBy('lastSeen'), placeBy('createdAt'), placeBy('name')], [0, 0, 20]);
    }));

  it('is there again when its connection is opened again, unless it was deleted meanwhile', () =>
    withDemoModel(20, async ({ store, loader, connection, connect }, control, clock) => {
      const made = fill(control, clock.now());
      connect();
      await loader.ensureList('idle');
      const ids: string[] = [];
      for (const name of ['Opening talk', 'Closing talk']) {
        await clock.advance(1000);
        const outcome = await changesOf(connection.account).create({ name, record: false });
        assert.ok(outcome.kind === 'done');
        ids.unshift(outcome.stream.id);
      }
      connection.close();
      assert.deepEqual(shownIds(store.snapshot, 'idle'), []);
      control.deleteStream(ids[1] ?? '');
      connect();
      await loader.ensureList('idle');
      assert.deepEqual(shownIds(store.snapshot, 'idle'), [ids[0], ...made.slice(0, 20)]);
    }));

  it('stands out from one that is shown for a link, which keeps its place', () =>
    withDemoModel(20, async ({ store, loader, connection, connect }, control, clock) => {
      const made = fill(control, clock.now());
      connect();
      await loader.ensureList('idle');
      const linked = aStream({ id: made[45] ?? '' });
      connection.account.writer.read(linked, { requestSeq: 1_000, startedAt: NOW, serverDate: NOW }, { pin: true });
      assert.deepEqual(shownIds(store.snapshot, 'idle'), [...made.slice(0, 20), linked.id]);
    }));
});
