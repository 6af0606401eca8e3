import assert from 'node:assert/strict';
import { filterNode, groupNode } from '../../../src/model/rows/nodes.ts';
import { countActive, shownIds } from '../../../src/model/store/streams.ts';
import type { InputOptions } from '../../../src/services.ts';
import { drawRow } from '../../../src/tree/nodeTable.ts';
import { streamsState } from '../../../src/tree/treeState.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { childrenOf } from '../tree/drawnTree.ts';
import { type Fixture, withCommands } from './fixture.ts';

const named = ({ context: { store } }: Fixture) =>
  shownIds(store.snapshot, 'idle').map((id) => store.snapshot.streams.get(id)?.stream.name);

const description = ({ context }: Fixture) => streamsState(context.store.snapshot, context.drawing()).description;

/** Until what was asked in the background is there. */
async function untilLoaded({ context: { store } }: Fixture): Promise<void> {
  await waitUntil(() => store.snapshot.lists.idle.isLoaded && !store.snapshot.lists.idle.isLoading);
}

/** Until an incomplete list is in the order of the view. */
async function untilSorted({ context: { store } }: Fixture): Promise<void> {
  await waitUntil(() => {
    const { hasNextPage, isSorted, isLoading } = store.snapshot.lists.idle;
    return !isLoading && (isSorted || !hasNextPage);
  });
}

describe('Filtering by tag', () => {
  it(
    'searches the loaded streams without a request, and says how many these are',
    withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
      const { run, service, context, requests } = fixture;
      service.control.addStream({ name: 'Loaded', lastSeen: Date.now(), userTags: { event: 'Summit 26' } });
      service.control.addStream({ name: 'On a later page', createdAt: 1, userTags: { event: ['summit'] } });
      await context.loader.reloadList('idle');
      service.control.clearRequests();
      await run('filterStreams', { text: 'event:summit' });
      await untilLoaded(fixture);
      assert.deepEqual(requests(), []);
      assert.deepEqual(named(fixture), ['Loaded']);
      const { idle } = context.store.snapshot.lists;
      const row = () => drawRow(context.store.snapshot, filterNode(), context.drawing()).label;
      const searched = idle.ids.length + countActive(context.store.snapshot);
      assert.equal(row(), `Filtered by "event:summit": 1 of ${searched} loaded streams`);
      while (context.store.snapshot.lists.idle.hasNextPage) await run('loadMore', groupNode('idle'));
      assert.deepEqual(named(fixture), ['Loaded', 'On a later page']);
      assert.equal(row(), `Filtered by "event:summit": 2 of ${context.store.snapshot.streamCount}`);
      assert.equal(description(fixture), 'Filter: event:summit · Production');
    }),
  );

  it(
    'asks the service again when a name follows a tag, and the reverse',
    withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
      const { run, service, requests } = fixture;
      service.control.addStream({ name: 'event', lastSeen: Date.now(), userTags: { event: 'Summit' } });
      service.control.clearRequests();
      const listed = () =>
        requests()
          .filter((path) => path.includes('limit=20'))
          .map((path) => path.includes('name'));
      await run('filterStreams', { text: 'event' });
      await untilLoaded(fixture);
      await run('filterStreams', { text: 'event:' });
      await untilLoaded(fixture);
      assert.deepEqual(named(fixture), ['event'], 'with any value');
      await run('filterStreams', { text: 'event:nothing' });
      await untilLoaded(fixture);
      assert.deepEqual(named(fixture), []);
      assert.deepEqual(listed(), [true, false]);
    }),
  );
});

describe('Filtering by name', () => {
  it(
    'asks the service for the loaded groups again, also for what was on no loaded page',
    withCommands({ pageSize: 20, demo: { streamCount: 60 }, answers: { inputs: [' needle '] } }, async (fixture) => {
      const { run, ui, service, context, requests } = fixture;
      service.control.addStream({ name: 'The NEEDLE', createdAt: 1 });
      await context.loader.reloadList('idle');
      assert.ok(!named(fixture).includes('The NEEDLE'));
      service.control.clearRequests();
      await run('filterStreams');
      await untilLoaded(fixture);
      assert.equal(ui.seen.inputs[0]?.value, '');
      assert.equal(requests().length, 2, 'the active streams are filtered here, and Recording is only counted');
      assert.ok(decodeURIComponent(requests()[0] ?? '').includes('{"id":"name","value":"needle"}'));
      assert.deepEqual(named(fixture), ['The NEEDLE']);
      assert.equal(description(fixture), 'Filter: needle · Production');
    }),
  );

  for (const [text, name] of [
    ['\\backslash\\', 'a \\BACKSLASH\\ in it'],
    ['%', '100 % live'],
    ['_', 'snake_case'],
    ['%25', 'encoded %25'],
  ] as const) {
    it(
      `takes ${text} for itself, not for a wildcard`,
      withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
        const { run, service, context } = fixture;
        service.control.addStream({ name, createdAt: 1 });
        await context.loader.reloadList('idle');
        await run('filterStreams', { text });
        await untilLoaded(fixture);
        assert.deepEqual(named(fixture), [name]);
        assert.equal(context.store.snapshot.lists.idle.total, 1);
      }),
    );
  }

  it(
    'shows the filter that is set in its box; an empty one, and Clear Filter, show all again',
    withCommands({ answers: { inputs: ['x'.repeat(10_000), 'abc', ''] } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const all = named(fixture);
      await run('filterStreams');
      assert.deepEqual(ui.seen.corrections, ['Enter up to 200 characters.']);
      await run('filterStreams');
      assert.equal(ui.seen.inputs[1]?.value, 'abc');
      assert.equal(context.store.snapshot.filter, '');
      await run('filterStreams', { text: 'abc' });
      await run('clearFilter');
      await untilLoaded(fixture);
      assert.equal(context.store.snapshot.filter, '');
      assert.deepEqual(named(fixture), all);
    }),
  );

  it(
    'expands the idle streams, where most matches are; not where nothing is filtered',
    withCommands({}, async ({ run, ui }) => {
      await run('filterStreams', { text: 'abc' });
      assert.deepEqual(ui.seen.reveals, [{ kind: 'group', list: 'idle' }]);
      await run('filterStreams', { text: ' ' });
      await run('clearFilter');
      assert.equal(ui.seen.reveals.length, 1);
    }),
  );

  it(
    'follows the typing, and keeps the last text on Enter, or the filter from before on Escape',
    withCommands({ demo: { streamCount: 60 } }, async (fixture) => {
      const { run, ui, context, requests, service } = fixture;
      service.control.addStream({ name: 'The needle' });
      const untilNamed = (count: number) => waitUntil(() => named(fixture).length === count);
      const typeAndAnswer = async (typed: readonly string[], answer: string | undefined) => {
        Object.assign(ui, {
          input: async ({ onDidType }: InputOptions) => {
            for (const text of typed) onDidType?.(text);
            await untilNamed(1);
            return answer;
          },
        });
        await run('filterStreams');
      };
      service.control.clearRequests();
      await typeAndAnswer(['n', 'ne', 'needle'], undefined);
      assert.equal(context.store.snapshot.filter, '');
      const names = requests().filter((request) => decodeURIComponent(request).includes('"name"'));
      assert.ok(
        names.every((request) => request.includes('needle')),
        'no request for a text that was typed over',
      );
      await typeAndAnswer(['n', 'needle', 'x'.repeat(201)], 'needle');
      assert.equal(context.store.snapshot.filter, 'needle');
      assert.deepEqual(named(fixture), ['The needle']);
    }),
  );

  it(
    'finds streams by the words of their names in any order, on every page',
    withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
      const { run, service } = fixture;
      service.control.addStream({ name: 'Lighthouse webcam south', createdAt: 1 });
      service.control.addStream({ name: 'Lighthouse tour', createdAt: 1 });
      await run('filterStreams', { text: 'cam LIGHTHOUSE' });
      await untilLoaded(fixture);
      assert.deepEqual(named(fixture), ['Lighthouse webcam south']);
      assert.equal(description(fixture), 'Filter: cam LIGHTHOUSE · Production');
    }),
  );

  it(
    'finds a loaded stream by part of an ID or playback ID, and any by a whole one',
    withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
      const { run, service, context } = fixture;
      const loaded = service.control.addStream({ name: 'Loaded', lastSeen: Date.now() });
      const further = service.control.addStream({ name: 'On a later page', createdAt: 1 });
      await context.loader.reloadList('idle');
      const namedBy = async (text: string) => {
        await run('filterStreams', { text });
        await untilLoaded(fixture);
        await waitUntil(() => named(fixture).length > 0);
        return named(fixture);
      };
      assert.deepEqual(await namedBy(loaded.id.slice(0, 13)), ['Loaded']);
      assert.deepEqual(await namedBy((loaded.playbackId ?? '').slice(-10).toUpperCase()), ['Loaded']);
      assert.deepEqual(await namedBy(further.id), ['On a later page']);
      await run('clearFilter');
      service.control.deleteStream(further.id);
      const another = service.control.addStream({ name: 'Later', createdAt: 1 });
      assert.deepEqual(await namedBy(another.playbackId ?? ''), ['Later']);
    }),
  );

  it(
    'changes nothing when its box is dismissed',
    withCommands({}, async ({ run, ui, context, requests }) => {
      context.store.setFilter('abc');
      await run('filterStreams');
      assert.equal(ui.seen.inputs.length, 1);
      assert.equal(context.store.snapshot.filter, 'abc');
      assert.deepEqual([ui.seen.said, requests()], [[], []]);
    }),
  );

  it(
    'does not take the answer to the filter before for that to the one set since',
    withCommands({}, async (fixture) => {
      const { run, service, context } = fixture;
      const all = named(fixture);
      const held = Promise.withResolvers<undefined>();
      service.control.fault(({ query }) => (query.includes('name') ? held.promise : undefined));
      await run('filterStreams', { text: 'nobody has this name' });
      await run('clearFilter');
      held.resolve(undefined);
      await waitUntil(() => named(fixture).length >= all.length);
      assert.equal(context.store.snapshot.filter, '');
      assert.deepEqual(named(fixture), all);
    }),
  );

  it(
    'filters in the window where the service cannot, and the view says so',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { run, service, context } = fixture;
      service.control.addStream({ name: 'The needle' });
      await context.loader.reloadList('idle');
      await run('filterStreams', { text: 'needle' });
      await untilLoaded(fixture);
      assert.deepEqual(named(fixture), ['The needle']);
      assert.equal(description(fixture), 'Filter: needle · Production · filtered in VS Code');
      await run('sortStreams', 'name');
      assert.equal(description(fixture), 'Filter: needle · Production · filtered in VS Code · sorted in VS Code');
    }),
  );

  it(
    'is done here for a text that the service refuses, and the view and the group say so while there is more',
    withCommands({ pageSize: 20, demo: { streamCount: 60 } }, async (fixture) => {
      const { run, service, context } = fixture;
      service.control.addStream({ name: 'The needle', lastSeen: 1 });
      service.control.fault(({ query }) => (query.includes('name') ? { status: 400, body: '{}' } : undefined));
      const rows = () => {
        const { snapshot } = context.store;
        return childrenOf(snapshot, groupNode('idle')).map((node) => {
          const { label, description } = drawRow(snapshot, node, context.drawing());
          return [label, description];
        });
      };
      await run('filterStreams', { text: 'needle' });
      await untilLoaded(fixture);
      assert.deepEqual(rows(), [['Load More', 'only 20 filtered']]);
      assert.equal(description(fixture), 'Filter: needle · Production · filtered in VS Code');
      for (let page = 0; page < 4; page++) await context.loader.loadMore('idle');
      assert.deepEqual(
        rows().map(([label]) => label),
        ['The needle'],
      );
      await run('clearFilter');
      await untilLoaded(fixture);
      assert.deepEqual(rows().at(-1), ['Load More', undefined]);
    }),
  );
});

describe('Sorting', () => {
  it(
    'takes a key, else asks with the one in force marked, and orders rows without asking the service where it has all',
    withCommands({ answers: { picks: ['Name'] } }, async (fixture) => {
      const { run, ui, context, requests } = fixture;
      await run('sortStreams');
      const items = ui.seen.picks[0]?.items.map(({ label, icon }) => [label, icon]);
      assert.deepEqual(items, [
        ['Last Live', 'check'],
        ['Name', 'blank'],
        ['Created', 'blank'],
      ]);
      const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
      assert.deepEqual(
        named(fixture),
        [...named(fixture)].sort((a, b) => compare(a ?? '', b ?? '')),
      );
      await run('sortStreams', 'createdAt');
      assert.equal(context.store.snapshot.sort, 'createdAt');
      await run('sortStreams', { by: 'size' });
      await run('sortStreams');
      assert.equal(context.store.snapshot.sort, 'createdAt');
      assert.deepEqual(ui.seen.messages, ['The sort order must be lastSeen, name, or createdAt.']);
      assert.deepEqual(requests(), []);
    }),
  );

  for (const face of ['full', 'strict', 'indifferent'] as const) {
    it(
      `shows those that are first in the account, not only among the loaded, ${face}`,
      withCommands({ pageSize: 20, demo: { face, streamCount: 70 } }, async (fixture) => {
        const { run, service, context } = fixture;
        const [newest, oldest] = [Date.now(), 1000];
        service.control.addStream({ name: '! first by name', createdAt: oldest, lastSeen: 1 });
        service.control.addStream({ name: 'Newest', createdAt: newest, lastSeen: 1 });
        await context.loader.reloadList('idle');
        const firstBy = async (sort: string) => {
          await run('sortStreams', sort);
          await untilSorted(fixture);
          return named(fixture)[0];
        };
        const isCut = context.store.snapshot.lists.idle.hasNextPage;
        assert.equal(isCut, face === 'full');
        assert.equal(await firstBy('name'), '! first by name');
        assert.equal(await firstBy('createdAt'), 'Newest');
        const before = named(fixture);
        await context.loader.reloadList('idle');
        assert.deepEqual(named(fixture), before, 'also after Refresh');
        if (isCut) assert.ok(context.store.snapshot.lists.idle.isSorted);
      }),
    );
  }

  it(
    'lists nothing anew where only the same sort is chosen again',
    withCommands({ pageSize: 20, demo: { streamCount: 70 } }, async ({ run, requests }) => {
      await run('sortStreams', 'lastSeen');
      assert.deepEqual(requests(), []);
    }),
  );
});

describe('Go to Stream in the title menu', () => {
  it(
    'asks, though the menu sends the focused row along',
    withCommands({}, async ({ run, ui, context }) => {
      const id = context.store.snapshot.lists.idle.ids[0] ?? '';
      await run('goToStream', { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id }, undefined);
      assert.equal(ui.seen.picks.length, 1);
      assert.deepEqual(ui.seen.reveals, []);
    }),
  );
});
