import assert from 'node:assert/strict';
import { DisposableSlot, DisposableStore, makeOwning, onDispose } from '../../../src/util/disposable.ts';

describe('What is made of parts that it owns', () => {
  const ended: string[] = [];
  const makeParts = (owned: DisposableStore): void => {
    for (const name of ['first', 'second']) owned.add(onDispose(() => ended.push(name)));
  };

  it('keeps them where it could be made', () => {
    ended.splice(0);
    const made = makeOwning((owned) => {
      makeParts(owned);
      return owned;
    });
    assert.deepEqual(ended, []);
    made.dispose();
    assert.deepEqual(ended, ['second', 'first']);
  });

  it('leaves none behind where making it throws half-way', () => {
    ended.splice(0);
    const make = () =>
      makeOwning((owned) => {
        makeParts(owned);
        throw new Error('torn');
      });
    assert.throws(make, /torn/);
    assert.deepEqual(ended, ['second', 'first']);
  });
});

describe('A disposable', () => {
  it('runs once, however often it is disposed', () => {
    let count = 0;
    const disposable = onDispose(() => count++);
    disposable.dispose();
    disposable.dispose();
    assert.equal(count, 1);
  });
});

describe('A store of disposables', () => {
  it('ends all though one throws, says so, and ends later additions at once', () => {
    const ended: string[] = [];
    const store = new DisposableStore();
    store.add(onDispose(() => ended.push('first')));
    store.add({
      dispose() {
        throw new Error('torn');
      },
    });
    assert.throws(() => store.dispose(), AggregateError);
    assert.deepEqual(ended, ['first']);
    store.add(onDispose(() => ended.push('late')));
    store.dispose();
    assert.deepEqual(ended, ['first', 'late']);
  });
});

describe('A slot', () => {
  it('ends what it held when something else is set, and whatever comes once it is disposed', () => {
    const ended: string[] = [];
    const slot = new DisposableSlot();
    slot.set(onDispose(() => ended.push('first')));
    assert.equal(ended.length, 0);
    slot.set(onDispose(() => ended.push('second')));
    assert.deepEqual(ended, ['first']);
    slot.dispose();
    slot.set(onDispose(() => ended.push('late')));
    assert.deepEqual(ended, ['first', 'second', 'late']);
    assert.equal(slot.value, undefined);
  });
});
