import assert from 'node:assert/strict';
import { type Counts, describeFailure, withSecondTry } from '../../support/counts.ts';

const failures = [
  { title: 'one', text: 'late' },
  { title: 'two', text: 'wrong' },
];
const first: Counts = { passed: 5, failed: 2, pending: 1, failures };
const counts = (passed: number, failed: number): Counts => ({
  ...{ passed, failed, pending: 0 },
  failures: failures.slice(0, failed),
});

describe('A second try', () => {
  it('forgives what passed when it was run again, and names it', () => {
    assert.deepEqual(withSecondTry(first, counts(2, 0)), {
      ...{ passed: 7, failed: 0, pending: 1, failures: [], flaky: failures },
    });
  });

  it('leaves failed what failed again', () => {
    assert.deepEqual(withSecondTry(first, counts(1, 1)), { ...first, failed: 1, failures: failures.slice(0, 1) });
  });

  it('forgives nothing that did not run again', () => {
    assert.deepEqual(withSecondTry(first, counts(0, 0)), first);
    assert.deepEqual(withSecondTry(first, counts(1, 0)), first);
    assert.deepEqual(withSecondTry(first, undefined), first);
  });
});

describe('A failure', () => {
  it('is told by its stack, also where it came from another process and is an error no more', () => {
    const error = new Error('late');
    assert.equal(describeFailure(error), error.stack);
    assert.equal(describeFailure({ ...error, message: error.message, stack: error.stack }), error.stack);
    assert.equal(describeFailure({ message: 'late' }), 'late');
    assert.equal(describeFailure({ code: 7 }), '{ code: 7 }');
    assert.equal(describeFailure('late'), 'late');
  });
});
