import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChangeContext, changeOne } from '../../../../src/commands/changes/changeStreams.ts';
import type { Change } from '../../../../src/model/changes.ts';
import { SETTLED_FOR_MS } from '../../../../src/model/store/facts.ts';
import { LIST_NAMES, type ListName } from '../../../../src/model/store/snapshot.ts';
import { hasMore, shownIds } from '../../../../src/model/store/streams.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { fakeUi } from '../../../support/model/fakes.ts';
import { settle } from '../../../support/model/heldClock.ts';
import { NaiveGroups } from '../../../support/model/naiveGroups.ts';
import { forAllAsync, FUZZ_RUNS as numRuns } from '../../../support/runner/fuzzRuns.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Fewer than there are streams, so that there are pages. */
const PAGE_SIZE = 2;

const OPERATIONS = [
  'turningRecordingOn',
  'turningRecordingOff',
  'suspending',
  'resuming',
  'endingBroadcast',
  'deleting',
] as const;

type Step =
  | {
      readonly do: 'add' | 'delete' | 'goLive' | 'end' | 'recordOn' | 'recordOff' | 'reread' | 'pin';
      readonly id: string;
    }
  | { readonly do: 'change'; readonly id: string; readonly change: Change }
  | { readonly do: 'look' | 'idle' | 'recording' | 'refresh' | 'fail' | 'lose' | 'work' | 'lag' | 'catchUp' }
  | { readonly do: 'loadMore'; readonly list: ListName }
  | { readonly do: 'filter'; readonly text: string }
  | { readonly do: 'wait' | 'setClock'; readonly ms: number }
  | { readonly do: 'answer'; readonly which: number };

const id = fc.constantFrom(...IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('add', 'delete', 'goLive', 'end', 'recordOn', 'recordOff', 'reread', 'pin'),
      id,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      id,
      change: fc.oneof(
        fc.record({ operation: fc.constantFrom(...OPERATIONS) }),
        fc.record({ operation: fc.constant('renaming' as const), name: fc.constantFrom('x', 'ax', 'b') }),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('look', 'idle', 'recording', 'refresh', 'fail', 'lose', 'work', 'lag', 'catchUp'),
    }),
  },
  fc.record({ do: fc.constant('loadMore' as const), list: fc.constantFrom<ListName[]>('idle', 'recording') }),
  fc.record({ do: fc.constant('filter' as const), text: fc.constantFrom('', 'a', 'X') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({ do: fc.constant('setClock' as const), ms: fc.constantFrom(-3_600_000, 3_600_000) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat({ max: 5 }) }) },
);

function compose(isPaged: boolean) {
  const model = composeModel({ pageSize: PAGE_SIZE });
  const naive = new NaiveGroups(() => model.clock.now());
  model.connect();
  naive.follow(model.store, model.connection.account.writer);
  model.service.isPaged = isPaged;
  model.service.add(...IDS.map((id, n) => ({ id, isActive: n < 2, record: n % 2 === 1, createdAt: 10 - n })));
  const commands: ChangeContext = { ...model, ui: fakeUi() };
  return { ...model, naive, commands };
}

type Model = ReturnType<typeof compose>;

const STEPS: { readonly [K in Step['do']]: (model: Model, step: Extract<Step, { readonly do: K }>) => unknown } = {
  add: ({ service }, { id }) => service.streams.has(id) || service.add({ id }),
  delete: ({ service }, { id }) => service.streams.delete(id),
  goLive: ({ service, clock }, { id }) => service.change(id, { isActive: true, lastSeen: clock.now() }),
  end: ({ service }, { id }) => service.change(id, { isActive: false }),
  recordOn: ({ service }, { id }) => service.change(id, { record: true }),
  recordOff: ({ service }, { id }) => service.change(id, { record: false }),
  reread: ({ connection }, { id }) => background(connection.account.readStream(id, { settle: true })),
  pin: ({ connection }, { id }) => background(connection.account.readStream(id, { pin: true })),
  change: (model, { id, change }) => {
    const stream = model.store.snapshot.streams.get(id)?.stream;
    if (stream === undefined) return;
    const { account, info } = model.connection;
    if (info !== undefined) background(changeOne(model.commands, { account, info, stream, change }));
  },
  look: ({ loader }) => background(loader.refreshActive()),
  idle: ({ loader }) => background(loader.reloadList('idle')),
  recording: ({ loader }) => background(loader.reloadList('recording')),
  refresh: ({ loader }) => background(loader.refresh()),
  loadMore: ({ loader, store }, { list }) => {
    if (store.snapshot.lists[list].isLoaded) background(loader.loadMore(list));
  },
  filter: ({ store }, { text }) => store.setFilter(text),
  fail: ({ service }) => {
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
  },
  /** Changes are made, but their answers do not arrive. */
  lose: ({ service }) => {
    service.fault = undefined;
    service.losesAnswersToChanges = true;
  },
  work: ({ service }) => {
    service.fault = undefined;
    service.losesAnswersToChanges = false;
  },
  lag: ({ service }) => service.lagBehind(),
  catchUp: ({ service }) => {
    service.replica = undefined;
  },
  wait: ({ clock }, { ms }) => clock.advance(ms),
  setClock: ({ clock }, { ms }) => clock.jump(ms),
  answer: ({ service }, { which }) => {
    const [waiting] = service.waiting.splice(which % Math.max(1, service.waiting.length), 1);
    waiting?.release();
  },
};

/** What a request of a command throws is the command's to report; here only the groups matter. */
function background(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

async function play(model: Model, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    const run = STEPS[one.do] as (model: Model, step: Step) => unknown;
    await run(model, one);
    await settle();
    assertAsNaive(model, one.do);
  }
}

function assertAsNaive({ naive, store: { snapshot } }: Model, after: string): void {
  for (const list of LIST_NAMES) {
    const { ids, hasMore: more } = naive.group(list);
    assert.deepEqual(shownIds(snapshot, list), ids, `${list} after ${after}`);
    if (list !== 'active') assert.equal(hasMore(snapshot, list), more, `more of ${list} after ${after}`);
  }
}

async function comeToRest(model: Model): Promise<void> {
  const { service, store, clock, loader } = model;
  service.isHolding = false;
  service.replica = undefined;
  service.fault = undefined;
  service.losesAnswersToChanges = false;
  store.setFilter('');
  while (service.waiting.length > 0) {
    service.waiting.shift()?.release();
    await clock.advance(10);
  }
  await clock.advance(SETTLED_FOR_MS + 10_000);
  await loader.refresh();
  for (const list of ['idle', 'recording'] as const) {
    await loader.reloadList(list);
    while (hasMore(store.snapshot, list)) await loader.loadMore(list);
  }
  assertAsNaive(model, 'coming to rest');
}

function truth({ service }: Model, list: ListName): readonly string[] {
  const is = { active: 'isActive', idle: 'isIdle', recording: 'record' } as const;
  return [...service.streams.values()]
    .filter(({ isActive, suspended, record }) => {
      const isOnAir = isActive && suspended !== true;
      return { isActive: isOnAir, isIdle: !isOnAir, record }[is[list]];
    })
    .map((stream) => stream.id)
    .sort();
}

describe('The store against a naive model', () => {
  it('shows the same groups after every step, and in the end those of the service', async function () {
    this.timeout(60_000 + numRuns * 50);
    await forAllAsync(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.boolean(),
      fc.boolean(),
      async (steps, isHolding, isPaged) => {
        const model = compose(isPaged);
        for (const list of LIST_NAMES) await model.loader.ensureList(list);
        model.service.isHolding = isHolding;
        await play(model, steps);
        await comeToRest(model);
        for (const list of LIST_NAMES) {
          assert.deepEqual([...shownIds(model.store.snapshot, list)].sort(), truth(model, list), list);
        }
      },
    );
  });
});
