import assert from 'node:assert/strict';
import { describeFailure, NO_COUNTS, requireTests } from '../../support/runner/counts.ts';

describe('A run without tests', () => {
  it('has failed, as a whole and for each file', () => {
    assert.equal(requireTests(NO_COUNTS).failed, 1);
    const one = { ...NO_COUNTS, passed: 1, passes: [{ title: 'one', file: 'a.test.ts' }] };
    assert.equal(requireTests(one, ['a.test.ts']).failed, 0);
    assert.match(requireTests(one, ['a.test.ts', 'b.test.ts']).failures[0]?.text ?? '', /No test of b\.test\.ts ran/);
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
