import assert from 'node:assert/strict';
import { memoize } from '../../../src/util/memoize.ts';

describe('What is kept by its arguments', () => {
  it('is made once for the same ones, and anew for others', () => {
    const made: string[] = [];
    const make = memoize((a: string, b: string) => {
      made.push(`${a} ${b}`);
      return { a, b };
    });
    assert.equal(make('de', 'UTC'), make('de', 'UTC'));
    assert.notEqual(make('de', 'UTC'), make('fr', 'UTC'));
    assert.deepEqual(made, ['de UTC', 'fr UTC']);
  });
});
