import assert from 'node:assert/strict';
import { type Counts, describeFailure, NO_COUNTS, requireTests, withSecondTry } from '../../support/runner/counts.ts';
import { createSecondTries } from '../../support/runner/secondTries.ts';

const failure = (title: string, file = 'a.test.ts') => ({ title, file, text: `${title} was late` });
const pass = (title: string, file = 'a.test.ts') => ({ title, file });

function countsOf(passes: readonly ReturnType<typeof pass>[], failures: readonly ReturnType<typeof failure>[]): Counts {
  return { ...NO_COUNTS, passed: passes.length, failed: failures.length, passes, failures };
}

describe('A second try', () => {
  const first = countsOf([pass('zero')], [failure('one'), failure('two')]);

  it('forgives what ran again and passed, and names it', () => {
    const again = countsOf([pass('zero'), pass('one'), pass('two')], []);
    const { passed, failed, failures, flaky } = withSecondTry(first, again);
    assert.deepEqual(
      { passed, failed, failures, flaky },
      { passed: 3, failed: 0, failures: [], flaky: first.failures },
    );
  });

  it('leaves failed what failed again', () => {
    const { passed, failures, flaky } = withSecondTry(first, countsOf([pass('one')], [failure('two')]));
    assert.deepEqual({ passed, failures, flaky }, { passed: 2, failures: [failure('two')], flaky: [failure('one')] });
  });

  it('forgives no failure that did not run again, however many others passed', () => {
    const others = [pass('zero'), pass('three'), pass('four'), pass('five')];
    assert.deepEqual(withSecondTry(first, countsOf(others, [])), first);
    assert.deepEqual(withSecondTry(first, NO_COUNTS), first);
    assert.deepEqual(withSecondTry(first, countsOf([pass('one', 'b.test.ts')], [])), first);
  });

  it('forgives one of two tests of the same title only where both passed', () => {
    const twice = countsOf([pass('one')], [failure('one')]);
    assert.deepEqual(withSecondTry(twice, countsOf([pass('one')], [])), twice);
    assert.equal(withSecondTry(twice, countsOf([pass('one'), pass('one')], [])).failed, 0);
    assert.equal(withSecondTry(twice, countsOf([pass('one')], [failure('one')])).failed, 1);
  });

  it('counts what failed only in the second run', () => {
    const { failures } = withSecondTry(first, countsOf([pass('one'), pass('two')], [failure('zero')]));
    assert.deepEqual(failures, [failure('zero')]);
  });
});

describe('Second tries of a run', () => {
  const failed = (...titles: readonly string[]) =>
    countsOf(
      [],
      titles.map((title) => failure(title)),
    );

  it('are two in all suites together', () => {
    const tries = createSecondTries(2);
    assert.ok(tries.take(failed('one')));
    assert.ok(!tries.take(failed('two', 'three')), 'one is left');
    assert.ok(tries.take(failed('two')));
    assert.ok(!tries.take(failed('three')));
  });

  it('are none for hooks, nor for what is of no test', () => {
    const tries = createSecondTries(2);
    assert.ok(!tries.take(failed('A suite "before all" hook for "one"')));
    assert.ok(!tries.take(failed('A suite "after each" hook in "A suite"')));
    const ofNoTest = { title: 'The suite did not run', text: 'crash' };
    assert.ok(!tries.take({ ...NO_COUNTS, failed: 1, failures: [ofNoTest] }));
    assert.ok(tries.take(failed('one', 'two')), 'nothing was taken for those');
  });
});

describe('A run without tests', () => {
  it('has failed, as a whole and for each file', () => {
    assert.equal(requireTests(NO_COUNTS).failed, 1);
    const one = countsOf([pass('one')], []);
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
