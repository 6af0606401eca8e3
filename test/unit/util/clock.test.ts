import assert from 'node:assert/strict';
import { createClock } from '../../../src/util/clock.ts';

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
