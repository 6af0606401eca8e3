import assert from 'node:assert/strict';
import { EMPTY_SNAPSHOT, type SnapshotChange } from '../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { WalkthroughSteps } from '../../../src/model/walkthroughSteps.ts';
import { Emitter } from '../../../src/util/events.ts';
import { aConnection, aSnapshot } from '../../support/model/builders.ts';
import { fakeLog, fakeMemento } from '../../support/model/fakes.ts';
import { createTestClock } from '../../support/model/testClock.ts';

const ALL = ['connect', 'look', 'encoder', 'watch', 'webhooks'] as const;

describe('The steps of the walkthrough', () => {
  function begin(global = fakeMemento()) {
    const log = fakeLog();
    const store = new StreamStore({ clock: createTestClock() });
    const steps = new WalkthroughSteps({ store, global, log });
    const done = () => ALL.filter((step) => steps.isDone(step));
    return { global, log, store, steps, done };
  }

  it('are done once the user has connected, and stay done after the connection was closed', () => {
    const { store, done } = begin();
    assert.deepEqual(done(), []);
    store.connected({ kind: 'open', info: aConnection() });
    assert.deepEqual(done(), ['connect']);
    store.connected({ kind: 'none' });
    assert.deepEqual(done(), ['connect']);
  });

  it('are done once live streams were shown, none among them', () => {
    const changes = new Emitter<SnapshotChange>();
    const options = { store: { onDidChange: changes.event }, global: fakeMemento(), log: fakeLog() };
    const steps = new WalkthroughSteps(options);
    const previous = EMPTY_SNAPSHOT;
    changes.fire({ previous, current: aSnapshot({ lists: { active: { isLoaded: false } } }) });
    assert.equal(steps.isDone('look'), false);
    changes.fire({ previous, current: aSnapshot() });
    assert.equal(steps.isDone('look'), true);
  });

  it('are done in a window that is opened later', () => {
    const { global, steps } = begin();
    steps.note('encoder');
    steps.note('watch');
    assert.deepEqual(begin(global).done(), ['encoder', 'watch']);
  });

  it('are told of and kept once', () => {
    const { steps } = begin();
    const set: string[] = [];
    const told: number[] = [];
    const global = { ...fakeMemento(), set: async (key: string) => void set.push(key) };
    const again = begin(global).steps;
    again.onDidChange(() => told.push(1));
    again.note('watch');
    again.note('watch');
    assert.deepEqual([set, told], [['done/watch'], [1]]);
    assert.equal(steps.isDone('watch'), false);
  });

  it('are done in this window even if the editor can not keep them, which is in the log', async () => {
    const { steps, log, done } = begin({ ...fakeMemento(), set: async () => Promise.reject(new Error('full')) });
    steps.note('look');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done(), ['look']);
    assert.match(log.lines.join(), /Couldn't save a walkthrough step/);
  });
});
