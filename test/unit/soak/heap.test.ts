import assert from 'node:assert/strict';
import { growthOfEach, settled } from '../../soak/heap.ts';

const samples = (bytes: readonly number[]) => bytes.map((each, index) => ({ count: index * 10, bytes: each }));

describe('The growth of the heap', () => {
  it('is what stays for each, though one sample is far off', () => {
    assert.equal(growthOfEach(samples([0, 1000, 2000, 3000, 4000])), 100);
    assert.equal(growthOfEach(samples([5, 5, 5])), 0);
    assert.equal(Math.round(growthOfEach(samples([0, 1000, 90_000, 3000, 4000, 5000]))), 100);
    assert.equal(growthOfEach(samples([5000, 4000, 3000])), -100);
  });

  it('is not known of one sample, and compares as no bound that is kept', () => {
    assert.equal(growthOfEach(samples([1])) < 1, false);
  });

  it('leaves the first third out', () => {
    assert.deepEqual(
      settled(samples([1, 2, 3, 4])).map(({ bytes }) => bytes),
      [3, 4],
    );
  });
});
