import assert from 'node:assert/strict';
import { ALL_ABILITIES } from '../../../src/api/types.ts';
import { changesOf } from '../../../src/model/account/accountChanges.ts';
import type { ViewNode } from '../../../src/model/rows/nodes.ts';
import { ConnectionsTree } from '../../../src/tree/connections/connectionsTree.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type SideBySide, withTwoServices } from '../../support/model/sideBySide.ts';

interface Shown extends SideBySide {
  readonly tree: ConnectionsTree;
  /** What was to be redrawn: rows as "A/active", or 'all'. */
  readonly fired: string[];
  /** As VS Code does: requests the rows below one, and draws them. */
  open(node?: ViewNode): Promise<readonly ViewNode[]>;
  /** Opens all groups. */
  openAll(): Promise<void>;
  root(name: 'A' | 'B'): ViewNode;
  nameOf(node: ViewNode): string;
}

function withTree(
  options: Parameters<typeof withTwoServices>[0],
  test: (shown: Shown) => Promise<void>,
): () => Promise<void> {
  return withTwoServices(options, async (sides) => {
    const { active, others, clock, ids, until } = sides;
    await until('B is open', () => others.all.length === 1);
    const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' });
    const tree = new ConnectionsTree({ active, others, clock, drawing });
    const nameOf = ({ connection, id }: ViewNode) => `${connection === ids.A ? 'A' : 'B'}/${id}`;
    const fired: string[] = [];
    tree.onDidChange((rows) => fired.push(...(rows?.map(nameOf) ?? ['all'])));
    const open = async (node?: ViewNode): Promise<readonly ViewNode[]> => {
      tree.requested(node);
      let rows: readonly ViewNode[] | undefined;
      void tree.children(node).then((given) => {
        rows = given;
      });
      await until('the rows are given', () => rows !== undefined);
      tree.returned();
      for (const row of rows ?? []) tree.row(row);
      return rows ?? [];
    };
    const openAll = async () => {
      for (const root of await open()) {
        for (const group of await open(root)) if (group.kind === 'group') await open(group);
      }
    };
    const root = (name: 'A' | 'B') => tree.parent(found(tree, sides, name)) ?? assert.fail();
    try {
      await test({ ...sides, tree, fired, open, openAll, root, nameOf });
    } finally {
      tree.dispose();
    }
  });
}

/** The row of the group Idle of a connection. */
function found(tree: ConnectionsTree, { ids }: Pick<SideBySide, 'ids'>, name: 'A' | 'B'): ViewNode {
  return tree.find({ kind: 'group', list: 'idle', connection: ids[name] }) ?? assert.fail(`no rows of ${name}`);
}

const texts = ({ tree }: Shown, rows: readonly ViewNode[]) =>
  rows.map((row) => [tree.row(row).label, tree.row(row).description]);

describe('The rows of several connections', () => {
  it(
    'are below a row for each, in the order of their names, with the number of live streams',
    withTree({ liveCount: 2 }, async (shown) => {
      const roots = await shown.open();
      assert.deepEqual(texts(shown, roots), [
        ['A', 'current · 2 live'],
        ['B', '2 live'],
      ]);
      for (const root of roots) {
        const groups = await shown.open(root);
        assert.deepEqual(
          groups.map((group) => shown.tree.row(group).label),
          ['Active', 'Idle', 'Recording On'],
        );
        for (const group of groups) assert.equal(shown.tree.parent(group), root);
      }
    }),
  );

  it(
    'are one that creates a stream there if a connection has none',
    withTree({ streamCount: 0, liveCount: 0 }, async (shown) => {
      const { services, ids, tree } = shown;
      const roots = await shown.open();
      assert.deepEqual(texts(shown, roots), [
        ['A', 'current · 0 live'],
        ['B', '0 live'],
      ]);
      for (const root of roots) {
        const rows = await shown.open(root);
        assert.deepEqual(texts(shown, rows), [['Create Stream…', 'no streams yet']]);
        const { command, argument, accessibilityLabel } = tree.row(rows[0] ?? assert.fail());
        assert.deepEqual([command, argument], ['createStream', { connection: root.connection }]);
        assert.equal(accessibilityLabel, 'Create Stream…, no streams yet');
      }
      services.B.control.addStream({ name: 'First' });
      shown.fired.splice(0);
      await shown.b().loader.reloadList('idle');
      assert.deepEqual([...new Set(shown.fired)], ['B/+connection']);
      assert.deepEqual(
        (await shown.open(shown.root('B'))).map((row) => [row.kind, row.connection]),
        ['group', 'group', 'group'].map((kind) => [kind, ids.B]),
      );
    }),
  );

  it(
    'are one that says so if it has none, and its service creates none',
    withTree({ streamCount: 0, liveCount: 0 }, async (shown) => {
      const [, b = assert.fail()] = await shown.open();
      await shown.open(b);
      shown.fired.splice(0);
      const { account } = shown.b().connection;
      account.writer.abilitiesChanged({ ...ALL_ABILITIES, create: false });
      assert.deepEqual(shown.fired, ['B/+connection']);
      const rows = await shown.open(b);
      assert.deepEqual(texts(shown, rows), [['No streams yet', undefined]]);
      assert.equal(shown.tree.row(rows[0] ?? assert.fail()).command, undefined);
    }),
  );

  it(
    'are told apart where their IDs are equal',
    withTree({ liveCount: 2 }, async (shown) => {
      const streams = [];
      for (const root of await shown.open()) {
        const [group] = await shown.open(root);
        streams.push(await shown.open(group));
      }
      const [ofA = [], ofB = []] = streams;
      assert.deepEqual(fieldsOf(ofA, 'id'), fieldsOf(ofB, 'id'));
      assert.deepEqual(new Set(ofA.map(({ connection }) => connection)), new Set([shown.ids.A]));
      assert.deepEqual(new Set(ofB.map(({ connection }) => connection)), new Set([shown.ids.B]));
      const itemIds = [...ofA, ...ofB].map((row) => `${shown.tree.scopeOf(row)}/${row.id}`);
      assert.equal(new Set(itemIds).size, itemIds.length);
      const [stream] = ofB;
      assert.ok(stream?.kind === 'stream');
      const again = shown.tree.find({ kind: 'stream', id: stream.streamId, connection: shown.ids.B });
      assert.equal(again, stream);
      assert.equal(shown.tree.find({ kind: 'stream', id: stream.streamId }), ofA[0]);
      assert.equal(shown.tree.tooltip(stream)?.connection, shown.ids.B);
    }),
  );

  it(
    'are redrawn where something changed, and nowhere else',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      shown.fired.splice(0);
      const idle = shown.services.B.control.streams().find(({ isActive, parentId }) => !isActive && !parentId);
      assert.ok(idle !== undefined);
      shown.services.B.control.startBroadcast(idle.id);
      await shown.poll();
      assert.ok(shown.fired.length > 0);
      assert.deepEqual(
        shown.fired.filter((row) => !row.startsWith('B/')),
        [],
      );
      assert.deepEqual(texts(shown, [shown.root('A'), shown.root('B')]), [
        ['A', 'current · 2 live'],
        ['B', '3 live'],
      ]);
    }),
  );

  it(
    'do not wait for those of a connection that is slow',
    withTree({}, async (shown) => {
      const { clock, services, tree, until } = shown;
      await shown.open();
      services.B.control.fault(() => 'hang');
      await shown.connections.update(shown.ids.B, { apiKey: 'another-key' });
      await until('B is opened anew', () => !shown.b().store.snapshot.lists.active.isLoaded);
      let roots: readonly ViewNode[] | undefined;
      void tree.children().then((rows) => {
        roots = rows;
      });
      await clock.advance(300);
      await until('the roots are there', () => roots !== undefined);
      const [a, b] = roots ?? [];
      assert.ok(a !== undefined && b !== undefined);
      assert.deepEqual(
        texts(shown, await shown.open(a)).map(([label]) => label),
        ['Active', 'Idle', 'Recording On'],
      );
      let below: readonly ViewNode[] | undefined;
      void tree.children(b).then((rows) => {
        below = rows;
      });
      await clock.advance(300);
      await until('B has a row', () => below !== undefined);
      assert.deepEqual(
        texts(shown, below ?? []).map(([label]) => label),
        ['Loading…'],
      );
      assert.ok(below?.every((row) => row.connection === shown.ids.B && tree.parent(row) === b));
    }),
  );

  it(
    'say in the connection’s row which error it has, and only that row is redrawn',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      shown.fired.splice(0);
      shown.services.B.control.revokeKey();
      await shown.poll();
      assert.deepEqual([...new Set(shown.fired.map((row) => row[0]))], ['B']);
      const [a, b] = await shown.open();
      assert.ok(a !== undefined && b !== undefined);
      assert.deepEqual(texts(shown, [a, b]), [
        ['A', 'current · 2 live'],
        ['B', 'API key rejected'],
      ]);
      assert.equal(shown.tree.row(b).icon?.id, 'warning');
      const [notice] = await shown.open(b);
      assert.ok(notice !== undefined);
      assert.deepEqual(
        [notice.kind, notice.connection, shown.tree.row(notice).command],
        ['notice', shown.ids.B, 'setApiKey'],
      );
      const { label, description, icon } = shown.tree.row(notice);
      assert.deepEqual([label, description], ['Set API Key…', undefined], 'the row above says why');
      assert.equal(icon, undefined, 'VS Code would move it out of line with the groups');
      const groups = (await shown.open(b)).filter(({ kind }) => kind === 'group');
      assert.deepEqual(texts(shown, groups)[0], ['Active', '2 live']);
      assert.equal(shown.tree.row(groups[0] ?? assert.fail()).accessibilityLabel, 'Active, 2 live');
      assert.match(shown.tree.tooltip(b)?.markdown ?? '', /The API key was rejected\\. Last updated\\: /);
      for (const group of await shown.open(a)) assert.doesNotMatch(shown.tree.row(group).description ?? '', /updated/);
    }),
  );

  it(
    'have an icon beside what helps where no groups are below it',
    withTree({}, async (shown) => {
      const { baseUrl } = shown.services.B;
      const added = await shown.connections.add({ name: 'C', baseUrl, apiKey: 'wrong', insecureAccepted: false });
      const kind = () => shown.others.get(added.id)?.store.snapshot.connection.kind;
      await shown.until('the key is rejected', () => kind() === 'refused');
      const rows = await shown.open((await shown.open()).find(({ connection }) => connection === added.id));
      assert.deepEqual(
        rows.map((row) => [shown.tree.row(row).label, shown.tree.row(row).icon?.id]),
        [['Set API Key…', 'key']],
      );
    }),
  );

  it(
    'say in two words that a service is not reached, with the details in hovers',
    withTree({ liveCount: 2 }, async (shown) => {
      const { services, until, b, clock } = shown;
      services.B.control.fault(() => 'reset');
      await shown.connections.update(shown.ids.B, { apiKey: 'another-key' });
      await until('B is opened anew', () => !b().store.snapshot.lists.active.isLoaded);
      void shown.tree.children();
      await until('B was asked', () => services.B.control.requests.length > 0);
      await clock.advance(2000);
      await until('B has failed', () => b().store.snapshot.trouble?.error.reason === 'network');
      const [, root] = await shown.open();
      assert.ok(root !== undefined);
      const below = await shown.open(root);
      assert.deepEqual(texts(shown, [root, ...below]), [
        ['B', 'not reachable'],
        ['Retry', undefined],
      ]);
      assert.equal(shown.tree.row(root).contextValue, 'connection', 'one Retry is enough');
      assert.match(shown.tree.tooltip(root)?.markdown ?? '', /127.*Couldn\\'t reach B\\\./s);
      services.B.control.fault(undefined);
      await shown.connections.update(shown.ids.B, { apiKey: services.B.apiKey });
      await until('B is loaded', () => b().store.snapshot.lists.active.isLoaded);
      await shown.open(root);
      const kinds = (await shown.open(root)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['group', 'group', 'group']);
    }),
  );

  it(
    'offer to try again only while the service fails',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const value = () => shown.tree.row(shown.root('B')).contextValue;
      assert.equal(value(), 'connection');
      shown.services.B.control.fault(() => ({ status: 503 }));
      await shown.poll();
      await shown.clock.advance(2000);
      await shown.until('B has failed', () => value() === 'connection.failing');
      assert.equal(shown.tree.row(shown.root('B')).description, 'service unavailable');
      assert.match(
        shown.tree.tooltip(shown.root('B'))?.markdown ?? '',
        /B is unavailable \\\(503\\\)\\\. Last updated/,
      );
      for (const group of await shown.open(shown.root('B'))) {
        const rows = await shown.open(group);
        const retries = rows.filter(({ kind }) => kind === 'retry');
        assert.deepEqual(retries, [], 'the row of the connection does');
      }
      assert.equal(shown.tree.row(shown.root('A')).contextValue, 'connection.active');
    }),
  );

  it(
    'are below one row that shows the filter for all, and count the live streams that it leaves',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const [name = ''] = shown.services.B.control.streams().flatMap((each) => (each.isActive ? [each.name] : []));
      const shownModels = [shown.active, ...shown.others.all];
      const all = shownModels.reduce((sum, { store }) => sum + (store.snapshot.streamCount ?? Number.NaN), 0);
      shown.fired.splice(0);
      for (const { store } of shownModels) store.setFilter(name);
      for (const { loader } of shownModels) void loader.reloadList('idle');
      const label = async () => {
        const [first] = await shown.open();
        return shown.tree.row(first ?? assert.fail()).label;
      };
      await shown.until('both are filtered', () =>
        shownModels.every(({ store }) => store.snapshot.lists.idle.isLoaded),
      );
      assert.ok(shown.fired.includes('all'), 'a row comes');
      const matches = shownModels.flatMap(({ store }) =>
        [...store.snapshot.streams.values()].filter(({ stream }) => stream.name.includes(name)),
      );
      assert.equal(await label(), `Filtered by "${name}": ${matches.length} of ${all}`);
      for (const root of [shown.root('A'), shown.root('B')]) {
        assert.ok((await shown.open(root)).every(({ kind }) => kind !== 'filter'));
        assert.match(shown.tree.row(root).description ?? '', /1 of 2 live$/, 'the status bar counts both');
      }
      for (const { store } of shownModels) store.setFilter('no such stream');
      for (const { loader } of shownModels) await loader.reloadList('idle');
      assert.equal(await label(), 'No stream matches "no such stream"');
      const [, clear] = await shown.open();
      assert.equal(shown.tree.row(clear ?? assert.fail()).command, 'clearFilter');
      for (const root of [shown.root('A'), shown.root('B')])
        assert.ok((await shown.open(root)).every(({ kind }) => kind !== 'notice'));
      assert.deepEqual(texts(shown, (await shown.open()).slice(1)), [
        ['Clear Filter', undefined],
        ['A', 'current · no matches'],
        ['B', 'no matches'],
      ]);
      const idle = shown.services.B.control.streams().find(({ isActive, parentId }) => !isActive && !parentId);
      for (const { store } of shownModels) store.setFilter(idle?.name ?? '');
      for (const { loader } of shownModels) await loader.reloadList('idle');
      assert.equal(texts(shown, await shown.open()).at(-1)?.[1], '0 of 2 live');
      for (const { store } of shownModels) store.setFilter('');
      assert.equal(await label(), 'A');
    }),
  );

  it(
    'offer to try a rejected key again, which the service may accept by then',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const value = () => shown.tree.row(shown.root('B')).contextValue;
      shown.services.B.control.fault(() => ({ status: 401 }));
      await shown.poll();
      await shown.until('B is rejected', () => value() === 'connection.rejected');
      shown.services.B.control.fault(undefined);
      await shown.others.get(shown.ids.B)?.loader.refresh();
      await shown.until('B is accepted', () => value() === 'connection');
    }),
  );

  it(
    'say what their own service does not offer',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const [stream] = shown.services.B.control.streams().filter(({ isActive, parentId }) => !isActive && !parentId);
      assert.ok(stream !== undefined);
      shown.services.B.control.fault(({ method }) => (method === 'DELETE' ? { status: 405 } : undefined));
      await changesOf(shown.b().connection.account).change(stream.id, { operation: 'deleting' });
      const valueAt = (name: 'A' | 'B') => {
        const row = shown.tree.find({ kind: 'stream', id: stream.id, connection: shown.ids[name] });
        return row === undefined ? '' : shown.tree.row(row).contextValue;
      };
      assert.match(valueAt('B'), /\.cannotDelete$/);
      assert.match(valueAt('A'), /^stream\.idle(?!.*cannot)/);
    }),
  );

  it(
    'go with a connection that is removed',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const b = shown.root('B');
      const group = found(shown.tree, shown, 'B');
      await shown.connections.remove(shown.ids.B);
      await shown.until('B is gone', () => shown.others.all.length === 0);
      assert.ok(shown.fired.includes('all'));
      assert.deepEqual(
        texts(shown, await shown.open()).map(([label]) => label),
        ['A'],
      );
      // VS Code may still ask about them.
      assert.deepEqual([await shown.tree.children(b), await shown.tree.children(group)], [[], []]);
      assert.deepEqual([shown.tree.row(b).label, shown.tree.row(group).label], ['…', '…']);
      assert.deepEqual([shown.tree.parent(group), shown.tree.tooltip(b)], [undefined, undefined]);
    }),
  );

  it(
    'give way to a row that says so if the connection is removed in another window, without any request',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      await shown.elsewhere.remove(shown.ids.B);
      await shown.until('B is gone', () => shown.others.all.length === 0);
      assert.ok(shown.fired.includes('all'));
      const { services, tree, until } = shown;
      for (const { control } of Object.values(services)) control.clearRequests();
      const roots = await shown.open();
      assert.deepEqual(texts(shown, roots), [
        ['A', 'current · 2 live'],
        ['B', 'Removed. Connect Again…'],
      ]);
      const [, removed] = roots;
      assert.ok(removed !== undefined);
      const { icon, collapsible, contextValue, command, accessibilityLabel } = tree.row(removed);
      assert.deepEqual(
        [icon?.id, collapsible, contextValue, command, accessibilityLabel],
        ['warning', 'none', 'removedConnection', 'addConnection', 'B, Removed. Connect Again…'],
      );
      assert.match(tree.tooltip(removed)?.markdown ?? '', /removed in another window/);
      assert.deepEqual(await shown.open(removed), []);
      await shown.poll();
      assert.deepEqual(
        Object.values(services).map(({ control }) => control.requests.length),
        [1, 0],
      );
      // The row stays the same one until it is dismissed.
      await shown.connections.update(shown.ids.A, { name: 'Renamed' });
      await until('A has its new name', () => shown.active.connection.info?.name === 'A');
      assert.equal((await shown.open())[1], removed);
      shown.others.dismissRemoved(shown.ids.B);
      assert.deepEqual(
        texts(shown, await shown.open()).map(([label]) => label),
        ['A'],
      );
    }),
  );

  it(
    'name the active connection too once it is removed in another window',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const stored = await shown.connections.get(shown.ids.B);
      await shown.elsewhere.remove(shown.ids.A);
      await shown.until('it is known', () => shown.others.removed.length === 1);
      assert.ok(stored !== undefined);
      shown.active.connection.open(stored);
      await shown.until('B is no longer beside it', () => shown.others.all.length === 0);
      assert.deepEqual(
        texts(shown, await shown.open()).map(([label, description]) => [label, description?.startsWith('Removed')]),
        [
          ['A', true],
          ['B', false],
        ],
      );
      shown.active.connection.close();
      assert.deepEqual(await shown.open(), [], 'the view offers to connect instead');
    }),
  );

  it(
    'replace the row of a removed connection once its service is connected to again',
    withTree({ liveCount: 2 }, async (shown) => {
      const { elsewhere, ids, others, services, until } = shown;
      await shown.openAll();
      await elsewhere.remove(ids.B);
      await until('B is gone', () => others.removed.length === 1);
      await elsewhere.add({ name: 'Again', ...services.B, insecureAccepted: false });
      await until('it is open', () => others.all.length === 1);
      assert.deepEqual(
        texts(shown, await shown.open()).map(([label]) => label),
        ['A', 'Again'],
      );
    }),
  );

  it(
    'go on with a key that was changed in another window, and say if that is rejected',
    withTree({ liveCount: 2 }, async (shown) => {
      const { elsewhere, ids, until } = shown;
      await shown.openAll();
      const b = shown.root('B');
      const before = shown.active.store.snapshot;
      await elsewhere.update(ids.B, { apiKey: 'rotated-key' });
      await until('it was tried', () => shown.b().store.snapshot.connection.kind === 'refused');
      assert.deepEqual(texts(shown, [b]), [['B', 'API key rejected']]);
      await elsewhere.update(ids.B, { apiKey: shown.services.B.apiKey });
      await until('it works', () => shown.b().store.snapshot.lists.active.isLoaded);
      assert.deepEqual(texts(shown, await shown.open()).at(1), ['B', '2 live']);
      assert.equal(shown.root('B'), b);
      assert.equal(shown.active.store.snapshot.generation, before.generation);
    }),
  );

  it(
    'keep to their connection when another becomes the active one',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      const before = found(shown.tree, shown, 'A');
      const stored = await shown.connections.get(shown.ids.B);
      assert.ok(stored !== undefined);
      shown.active.connection.open(stored);
      // Rows of A are never drawn from what B has.
      assert.deepEqual(await shown.tree.children(before), []);
      await shown.until('A is beside it', () => shown.others.get(shown.ids.A) !== undefined);
      const roots = await shown.open();
      assert.deepEqual(
        roots.map((root) => [shown.tree.row(root).label, shown.tree.row(root).contextValue]),
        [
          ['A', 'connection'],
          ['B', 'connection.active'],
        ],
      );
    }),
  );

  it(
    'stay, open or closed as they were, when another connection becomes the active one',
    withTree({ liveCount: 2 }, async (shown) => {
      await shown.openAll();
      for (const name of ['A', 'B'] as const) shown.tree.closed(found(shown.tree, shown, name));
      for (const name of ['B', 'A'] as const) {
        const stored = await shown.connections.get(shown.ids[name]);
        assert.ok(stored !== undefined);
        shown.active.connection.open(stored);
        await shown.until('the other is beside it', () => shown.others.all.length === 1);
        for (const root of await shown.open()) {
          const rows = (await shown.open(root)).map((row) => shown.tree.row(row));
          const states = rows.map(({ label, collapsible }) => [label, collapsible]);
          assert.deepEqual(states, [
            ['Active', 'expanded'],
            ['Idle', 'collapsed'],
            ['Recording On', 'expanded'],
          ]);
        }
      }
    }),
  );

  it(
    'are polled for sessions only where a stream is open, and no longer below a closed connection',
    withTree({ liveCount: 2 }, async (shown) => {
      const [, b] = await shown.open();
      assert.ok(b !== undefined);
      const [active] = await shown.open(b);
      assert.ok(active !== undefined);
      const [stream] = await shown.open(active);
      assert.ok(stream?.kind === 'stream');
      await shown.open(stream);
      assert.deepEqual([...shown.b().interest.streams], [stream.streamId]);
      assert.deepEqual([...shown.active.interest.streams], []);
      shown.tree.closed(b);
      assert.deepEqual([...shown.b().interest.streams], []);
    }),
  );
});
