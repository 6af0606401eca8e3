import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { coalesce, forEachLimit, makeQueue, share, untilAborted } from '../../../src/util/async.ts';

/** Runs that end when the test says so. */
function heldRuns() {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = (): Promise<void> => {
    const held = Promise.withResolvers<void>();
    runs.push(held);
    return held.promise;
  };
  return { runs, run };
}

/** Every promise that can settle by now has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('A run that is shared', () => {
  it('is one for all who call while it runs, and another for those who call afterwards', async () => {
    const { runs, run } = heldRuns();
    const shared = share(run);
    const callers = [shared(), shared()];
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await Promise.all(callers);
    void shared();
    assert.equal(runs.length, 2);
  });

  it('fails for all who share it, and the next caller begins a new one', async () => {
    const { runs, run } = heldRuns();
    const shared = share(run);
    const callers = [shared(), shared()];
    runs[0]?.reject(new Error('torn'));
    for (const caller of callers) await assert.rejects(caller, /torn/);
    void shared();
    assert.equal(runs.length, 2);
  });
});

describe('Runs that are coalesced', () => {
  it('are one at a time: all who call meanwhile share the one that follows', async () => {
    const { runs, run } = heldRuns();
    const coalesced = coalesce(run);
    const first = coalesced();
    const ended: string[] = [];
    const following = ['a', 'b'].map((name) => coalesced().then(() => ended.push(name)));
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await first;
    await settle();
    assert.deepEqual([runs.length, ended], [2, []]);
    runs[1]?.resolve();
    await Promise.all(following);
    assert.equal(runs.length, 2);
  });

  it('are one at a time for who calls as soon as the first has ended', async () => {
    let underWay = 0;
    let most = 0;
    let runs = 0;
    const coalesced = coalesce(async () => {
      runs += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await settle();
      underWay -= 1;
    });
    const again = coalesced().then(() => coalesced());
    const following = coalesced();
    await Promise.all([again, following]);
    assert.deepEqual([most, runs], [1, 2]);
    await coalesced();
    assert.equal(runs, 3);
  });

  it('follow a run that failed', async () => {
    const { runs, run } = heldRuns();
    const coalesced = coalesce(run);
    const [first, second] = [coalesced(), coalesced()];
    runs[0]?.reject(new Error('torn'));
    await assert.rejects(first, /torn/);
    await settle();
    runs[1]?.resolve();
    await second;
  });

  it('are joined by those who need not follow, who start one where none is under way', async () => {
    const { runs, run } = heldRuns();
    const coalesced = coalesce(run);
    const joined = [coalesced.join(), coalesced.join()];
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await Promise.all(joined);
    void coalesced.join();
    assert.equal(runs.length, 2);
  });
});

describe('Tasks in a queue', () => {
  it('run one after the other, also behind one that failed, and give their own results', async () => {
    const queue = makeQueue();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const torn = queue(async () => {
      await held.promise;
      order.push('first');
      throw new Error('torn');
    });
    const second = queue(async () => order.push('second'));
    await settle();
    assert.deepEqual(order, []);
    held.resolve();
    await assert.rejects(torn, /torn/);
    assert.equal(await second, 2);
    assert.deepEqual(order, ['first', 'second']);
  });
});

describe('A task for each item', () => {
  it('runs for at most so many at once, in their order', async () => {
    const { runs, run } = heldRuns();
    const begun: number[] = [];
    const all = forEachLimit([1, 2, 3], 2, (item) => {
      begun.push(item);
      return run();
    });
    assert.deepEqual(begun, [1, 2]);
    runs[1]?.resolve();
    await settle();
    assert.deepEqual(begun, [1, 2, 3]);
    for (const each of runs) each.resolve();
    await all;
  });

  it('ends the whole if one task fails, but only when what was begun has ended, and nothing more is begun', async () => {
    const { runs, run } = heldRuns();
    let hasEnded = false;
    const all = forEachLimit([1, 2, 3, 4], 2, run).finally(() => {
      hasEnded = true;
    });
    all.catch(() => undefined);
    runs[0]?.reject(new Error('first'));
    await settle();
    assert.deepEqual([hasEnded, runs.length], [false, 2]);
    runs[1]?.reject(new Error('second'));
    await assert.rejects(all, /first/);
    assert.equal(runs.length, 2);
  });
});

describe('Work that can be aborted', () => {
  it('has its own result, and leaves no listener', async () => {
    const controller = new AbortController();
    assert.equal(await untilAborted(Promise.resolve('done'), controller.signal), 'done');
    await assert.rejects(untilAborted(Promise.reject(new Error('No')), controller.signal), /No/);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  });

  it('ends with the reason as soon as it is aborted, even if the work never ends', async () => {
    const controller = new AbortController();
    const ending = untilAborted(new Promise(() => {}), controller.signal);
    controller.abort(new Error('Canceled'));
    await assert.rejects(ending, /Canceled/);
    await assert.rejects(untilAborted(new Promise(() => {}), controller.signal), /Canceled/);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  });
});
