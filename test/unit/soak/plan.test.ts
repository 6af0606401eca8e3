import assert from 'node:assert/strict';
import { planSteps, shuffle } from '../../soak/plan.ts';

const KINDS = [['a', 'b', 'c'], ['d']];
const words = (seed: number) =>
  planSteps(seed, KINDS, 200).map(({ what, changes, otherFaults }) => [what, changes, otherFaults]);

describe('What the person of the soak does', () => {
  it('is the same for a seed, however many choices each step makes, and another for another', () => {
    const steps = planSteps(1, KINDS, 200);
    const drawn = steps.map(({ chance }) => chance.below(1000));
    for (const step of steps) step.chance.fraction();
    assert.deepEqual(words(1), words(1));
    assert.deepEqual(
      drawn,
      planSteps(1, KINDS, 200).map(({ chance }) => chance.below(1000)),
    );
    assert.notDeepEqual(words(1), words(2));
  });

  it('is the beginning of what a longer soak does', () => {
    const longer = planSteps(1, KINDS, 300).map(({ what }) => what);
    assert.deepEqual(
      longer.slice(0, 200),
      words(1).map(([what]) => what),
    );
  });

  it('is each of what there is, among changes and faults', () => {
    const steps = planSteps(1, KINDS, 200);
    assert.deepEqual([...new Set(steps.map(({ what }) => what))].sort(), ['a', 'b', 'c', 'd']);
    const changes = steps.reduce((sum, step) => sum + step.changes, 0);
    assert.ok(changes > 100 && changes < 200, `${changes} changes`);
    assert.ok(steps.filter(({ otherFaults }) => otherFaults).length > 30);
  });

  it('is each command once where they are gone through one by one', () => {
    const all = Array.from({ length: 50 }, (_, index) => index);
    assert.deepEqual(
      [...shuffle(3, all)].sort((a, b) => a - b),
      all,
    );
    assert.deepEqual(shuffle(3, all), shuffle(3, all));
    assert.notDeepEqual(shuffle(3, all), all);
  });
});
