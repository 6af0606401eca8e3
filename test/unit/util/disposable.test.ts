import assert from 'node:assert/strict';
import { type DisposableStore, makeOwning, onDispose } from '../../../src/util/disposable.ts';

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
