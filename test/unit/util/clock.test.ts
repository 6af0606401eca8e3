import assert from 'node:assert/strict';
import { createClock } from '../../../src/util/clock.ts';
import { createDeadline } from '../../../src/util/deadline.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The clock', () => {
  it('runs what is due, and nothing whose timer was disposed of', async () => {
    const clock = createClock();
    const ran: string[] = [];
    clock.setTimeout(() => ran.push('disposed'), 0).dispose();
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 1));
    assert.deepEqual(ran, []);
  });

  it('does not run a very long wait at once, as Node does by itself', async () => {
    const clock = createClock();
    let ran = false;
    const timer = clock.setTimeout(() => {
      ran = true;
    }, 2 ** 40);
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 20));
    timer.dispose();
    assert.equal(ran, false);
  });
});

describe('A deadline', () => {
  it('is over after its time by the clock, unless it is disposed of before', async () => {
    const clock = heldClock();
    const { signal } = new AbortController();
    const [deadline, disposed] = [createDeadline(clock, 1000, signal), createDeadline(clock, 1000, signal)];
    disposed.dispose();
    await clock.advance(999);
    assert.deepEqual([deadline.isOver, deadline.signal.aborted], [false, false]);
    await clock.advance(1);
    assert.deepEqual([deadline.isOver, deadline.signal.aborted], [true, true]);
    assert.deepEqual([disposed.isOver, disposed.signal.aborted], [false, false]);
  });

  it('is not over when the other signal aborts, which its own follows', () => {
    const other = new AbortController();
    const deadline = createDeadline(heldClock(), 1000, other.signal);
    other.abort();
    assert.deepEqual([deadline.isOver, deadline.signal.aborted], [false, true]);
  });
});
