import assert from 'node:assert/strict';
import { medianAtMost } from '../../bench/measure.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('What the median is at most', () => {
  it('is the value above which the sign test leaves too few', () => {
    assert.equal(medianAtMost(numbers(15)), 12);
    assert.equal(medianAtMost(numbers(9)), 8);
    assert.equal(medianAtMost(numbers(7)), 7);
  });

  it('is large where the noise is wide, though the median is none', () => {
    const wide = numbers(15).map((value) => (value - 8) * 50);
    assert.equal(medianAtMost(wide), 200);
    assert.ok(medianAtMost(wide.map((value) => value / 50)) < 5);
  });
});
