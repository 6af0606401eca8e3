import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DemoFace } from '../../src/demo/demoContract.ts';
import { Interest } from '../../src/model/interest.ts';
import { Poller } from '../../src/model/poller.ts';
import type { ListName } from '../../src/model/snapshot.ts';
import { hasMore, shownIds } from '../../src/model/streams.ts';
import type { PickOptions } from '../../src/services.ts';
import type { Node } from '../../src/tree/nodes.ts';
import { streamsTree } from '../../src/tree/streamsTree.ts';
import { TreeModel } from '../../src/tree/treeModel.ts';
import { Emitter } from '../../src/util/events.ts';
import { fakeSettings } from '../support/fakes.ts';
import { createTestClock } from '../support/testClock.ts';
import { type Fixture, withCommands } from '../unit/commands/fixture.ts';
import { act } from './person.ts';
import { type Chance, createChance } from './random.ts';
import { changeService, makeTrouble } from './trouble.ts';

const MB = 1024 * 1024;
const SECONDS = Number(process.env.SOAK_SECONDS ?? 60);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 32);
const FACES: readonly DemoFace[] = ['full', 'strict', 'indifferent'];
/** A change that was read back outweighs lists for 30 s. */
const AT_REST_WITHIN_MS = 40_000;
/** What nobody foresaw, in the log. */
const UNEXPECTED = /^(Unexpected error|A command failed:|Following a change failed)/;

/** The view, the poller and a person who has everything open, over the commands' own fixture. */
function watch({ context: { store, loader } }: Fixture, chance: Chance) {
  const clock = createTestClock();
  const interest = new Interest();
  const presence = { isViewVisible: () => true, isFocused: () => true, onDidChange: new Emitter<void>().event };
  const settings = fakeSettings({ refreshInterval: () => 0.5 });
  const poller = new Poller({ ...{ store, loader, interest, clock, presence, settings }, random: chance.fraction });
  const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' });
  const errors: unknown[] = [];
  const onListenerError = (error: unknown) => errors.push(error);
  const tree = new TreeModel({ ...{ store, drawing, onListenerError }, shape: streamsTree(store, loader) });

  /** Paints what is open, as VS Code does; fails on what could not be painted. */
  async function paint(of?: Node): Promise<readonly Node[]> {
    const nodes = await tree.children(of);
    assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length, 'one row twice');
    const below = nodes.map(async (node) => {
      const row = tree.row(node);
      assert.ok(row.label.length > 0 && (tree.tooltip(node)?.length ?? 1) > 0);
      if (node.kind === 'stream') interest.opened(node.id, { kind: 'stream', streamId: node.streamId });
      if (row.collapsible === 'none' || (node.kind === 'stream' && chance.below(4) > 0)) return [node];
      return [node, ...(await paint(node))];
    });
    return (await Promise.all(below)).flat();
  }
  const dispose = () => [poller, tree].forEach((part) => void part.dispose());
  return { paint, errors, dispose };
}

/** A person who answers every box with something, and presses what messages offer now and then. */
function hastyPerson(chance: Chance) {
  return {
    confirm: async () => chance.below(4) > 0,
    input: async () => chance.pick(['Keynote', 'Town hall', 'x', undefined]),
    pick: async <T>({ items }: PickOptions<T>): Promise<T | undefined> =>
      typeof items === 'function' ? undefined : chance.pick(items.filter((item) => item.isSeparator !== true))?.value,
    notify: async (_severity: unknown, _message: string, ...actions: readonly string[]) =>
      chance.below(6) === 0 ? chance.pick(actions.filter((action) => action === 'Try Again')) : undefined,
  };
}

/** All that has to grow no further is measured after it. */
function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

/** What is kept for tests alone does not count, and would grow for ever. */
function forget({ ui, log, service }: Fixture): void {
  assert.deepEqual(
    log.lines.filter((line) => UNEXPECTED.test(line)),
    [],
  );
  log.lines.length = 0;
  for (const kept of Object.values(ui.seen)) kept.length = 0;
  service.control.clearRequests();
}

async function live(fixture: Fixture, chance: Chance, seconds: number): Promise<Record<string, number>> {
  const view = watch(fixture, chance);
  const done: Record<string, number> = {};
  const underWay = new Set<Promise<unknown>>();
  const end = Date.now() + seconds * 1000;
  const heaps: number[] = [];
  let nodes: readonly Node[] = [];
  for (let turn = 0; Date.now() < end; turn += 1) {
    if (turn % 50 === 0) makeTrouble(fixture.service.control, chance, [0, 0.1, 0.4, 0.9][chance.below(4)] ?? 0);
    if (turn % 120 === 60 && chance.below(3) === 0) fixture.service.control.revokeKey();
    if (turn % 120 === 80) fixture.service.control.restoreKey();
    if (chance.below(2) === 0) changeService(fixture.service.control, chance);
    if (underWay.size < 12) {
      const acting = act(fixture, nodes, chance).then((command) => {
        done[command] = (done[command] ?? 0) + 1;
      });
      const tracked: Promise<unknown> = acting.finally(() => underWay.delete(tracked));
      underWay.add(tracked);
    }
    if (turn % 5 === 0) {
      const painting = view.paint().then((painted) => {
        nodes = painted;
      });
      const tracked: Promise<unknown> = painting.finally(() => underWay.delete(tracked));
      if (underWay.size < 20) underWay.add(tracked);
    }
    if (turn % 400 === 0) {
      forget(fixture);
      heaps.push(collectGarbage());
    }
    await wait(20);
  }
  fixture.service.control.fault(undefined);
  fixture.service.control.restoreKey();
  await Promise.all(underWay);
  view.dispose();
  forget(fixture);
  assert.deepEqual(view.errors, []);
  heaps.push(collectGarbage());
  assertFlat(heaps);
  return done;
}

/** The end is measured against the first quarter, when everything had been loaded. */
function assertFlat(heaps: readonly number[]): void {
  const early = Math.max(...heaps.slice(0, Math.ceil(heaps.length / 4) + 1));
  const last = heaps.at(-1) ?? 0;
  const inMB = heaps.map((heap) => Math.round(heap / MB)).join(' ');
  console.log(`      heap in MB: ${inMB}`);
  assert.ok(last < early + 15 * MB, `The heap grows: ${inMB} MB`);
}

const IS: Readonly<Record<ListName, (stream: { isActive: boolean; record: boolean }) => boolean>> = {
  active: ({ isActive }) => isActive,
  idle: ({ isActive }) => !isActive,
  recording: ({ record }) => record,
};

/** Rows and sessions are those of the service. */
async function assertAsServed({ context: { store, loader, current }, service }: Fixture): Promise<void> {
  await loader.refresh();
  for (const list of ['idle', 'recording'] as const) {
    await loader.reloadList(list);
    while (hasMore(store.snapshot, list)) await loader.loadMore(list);
  }
  const { snapshot } = store;
  const streams = service.control.streams().filter(({ parentId }) => parentId === undefined);
  for (const list of ['active', 'idle', 'recording'] as const) {
    const ids = streams.filter(IS[list]).map(({ id }) => id);
    assert.deepEqual([...shownIds(snapshot, list)].sort(), ids.sort(), list);
  }
  for (const { id, name, record, suspended } of streams) {
    // What is not stated is not told by every service.
    const shown = snapshot.streams.get(id)?.stream;
    assert.deepEqual([shown?.name, shown?.record, shown?.suspended ?? suspended], [name, record, suspended], id);
  }
  for (const { id } of streams.slice(0, 12)) {
    await loader.reloadSessions(id);
    const known = store.snapshot.sessions.get(id);
    const served = await current.api.listSessions(id, { recordedOnly: snapshot.recordedOnly, limit: 20 });
    const ids = new Set(known?.items.map((session) => session.id));
    for (const session of served.items.filter(({ record }) => record || !snapshot.recordedOnly)) {
      assert.ok(ids.has(session.id), `session ${session.id} of ${id}`);
    }
    assert.equal(known?.trouble, undefined);
  }
  assert.equal(snapshot.trouble, undefined);
  assert.equal(snapshot.connection.kind, 'open');
  assert.deepEqual([...snapshot.operations], []);
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + AT_REST_WITHIN_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(1000);
    }
  }
}

describe(`A soak of ${SECONDS} s, seed ${SEED}`, () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  before(() => void process.on('unhandledRejection', note));
  after(() => void process.off('unhandledRejection', note));

  FACES.forEach((face, at) => {
    const chance = createChance(SEED + at);
    const demo = { face, clock: createTestClock(), seed: SEED + at, isLively: false, streamCount: 50 };
    it(
      `of a service that is ${face}: what is shown in the end is what it has, nothing unforeseen happened, the heap is flat`,
      withCommands({ demo, pageSize: 20, ui: hastyPerson(chance) }, async (fixture) => {
        const done = await live(fixture, chance, SECONDS / FACES.length);
        console.log(`      ${Object.values(done).reduce((sum, count) => sum + count, 0)} commands`);
        fixture.context.store.setFilter('');
        await eventually(() => assertAsServed(fixture));
        assert.deepEqual(rejections.splice(0), []);
      }),
    );
  });
});
