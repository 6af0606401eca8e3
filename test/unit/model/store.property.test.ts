import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { SETTLED_FOR_MS } from '../../../src/model/facts.ts';
import type { ListName } from '../../../src/model/snapshot.ts';
import { shownIds } from '../../../src/model/streams.ts';
import { composeModel } from '../../support/composedModel.ts';
import { FUZZ_RUNS as numRuns } from '../../support/fuzzRuns.ts';
import { settle } from '../../support/heldClock.ts';

const IDS = ['a', 'b', 'c', 'd'];

type Step =
  | { readonly do: 'add' | 'delete' | 'goLive' | 'end' | 'record' | 'reread' | 'pin'; readonly id: string }
  | { readonly do: 'look' | 'idle' | 'recording' | 'refresh' | 'fail' | 'work' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'answer'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('add', 'delete', 'goLive', 'end', 'record', 'reread', 'pin'),
    id: fc.constantFrom(...IDS),
  }),
  fc.record({ do: fc.constantFrom('look', 'idle', 'recording', 'refresh', 'fail', 'work') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({ do: fc.constant('answer' as const), which: fc.nat({ max: 5 }) }),
);

type Model = ReturnType<typeof composeModel>;

const STEPS: { readonly [K in Step['do']]: (model: Model, step: Extract<Step, { readonly do: K }>) => unknown } = {
  add: ({ service }, { id }) => service.streams.has(id) || service.add({ id }),
  delete: ({ service }, { id }) => service.streams.delete(id),
  goLive: ({ service, clock }, { id }) => service.change(id, { isActive: true, lastSeen: clock.now() }),
  end: ({ service }, { id }) => service.change(id, { isActive: false }),
  record: ({ service }, { id }) => service.change(id, { record: true }),
  reread: ({ loader }, { id }) => background(loader.reread(id)),
  pin: ({ loader }, { id }) => background(loader.pin(id)),
  look: ({ loader }) => background(loader.look()),
  idle: ({ loader }) => background(loader.reloadList('idle')),
  recording: ({ loader }) => background(loader.reloadList('recording')),
  refresh: ({ loader }) => background(loader.refresh()),
  fail: ({ service }) => {
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
  },
  work: ({ service }) => {
    service.fault = undefined;
  },
  wait: ({ clock }, { ms }) => clock.advance(ms),
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
    assertConsistent(model);
  }
}

/** Groups never show a stream twice, or one that the snapshot knows to be something else. */
function assertConsistent({ store }: Model): void {
  const { snapshot } = store;
  for (const list of ['active', 'idle', 'recording'] as const) {
    const ids = shownIds(snapshot, list);
    assert.equal(new Set(ids).size, ids.length);
  }
  for (const id of shownIds(snapshot, 'idle')) assert.ok(!shownIds(snapshot, 'active').includes(id));
}

async function comeToRest({ service, clock, loader }: Model): Promise<void> {
  service.isHolding = false;
  service.fault = undefined;
  while (service.waiting.length > 0) {
    service.waiting.shift()?.release();
    await clock.advance(10);
  }
  await clock.advance(SETTLED_FOR_MS + 10_000);
  await loader.refresh();
  for (const list of ['idle', 'recording'] as const) await loader.reloadList(list);
}

function truth({ service }: Model, list: ListName): readonly string[] {
  const is = { active: 'isActive', idle: 'isIdle', recording: 'record' } as const;
  return [...service.streams.values()]
    .filter((stream) => ({ isActive: stream.isActive, isIdle: !stream.isActive, record: stream.record })[is[list]])
    .map((stream) => stream.id)
    .sort();
}

describe('The store against a naive model', () => {
  it('ends in the groups of the service after any sequence of answers, changes and failures', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        fc.boolean(),
        async (steps, isHolding) => {
          const model = composeModel();
          model.service.add(...IDS.map((id, n) => ({ id, isActive: n < 2, record: n === 1 })));
          model.connect();
          await model.loader.ensureList('active');
          model.service.isHolding = isHolding;
          await play(model, steps);
          await comeToRest(model);
          for (const list of ['active', 'idle', 'recording'] as const) {
            assert.deepEqual([...shownIds(model.store.snapshot, list)].sort(), truth(model, list), list);
          }
        },
      ),
      { numRuns },
    );
  });
});
