import assert from 'node:assert/strict';
import { createPause } from '../../../src/tree/view/redraws.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('A pause in which rows may change their places', () => {
  const compose = () => {
    const clock = heldClock();
    let runs = 0;
    const pause = createPause({ clock, run: () => runs++ });
    return { clock, pause, runs: () => runs };
  };

  it('comes ten seconds after the first change, however many follow', async () => {
    const { clock, pause, runs } = compose();
    pause.plan();
    await clock.advance(6000);
    pause.plan();
    await clock.advance(3999);
    assert.equal(runs(), 0);
    await clock.advance(1);
    assert.equal(runs(), 1);
    await clock.advance(60_000);
    assert.equal(runs(), 1);
    pause.plan();
    await clock.advance(10_000);
    assert.equal(runs(), 2);
  });

  it('waits while somebody points at the tree', async () => {
    const { clock, pause, runs } = compose();
    pause.prolong();
    assert.equal(clock.timerCount, 0, 'nothing is planned');
    pause.plan();
    for (let n = 0; n < 10; n += 1) {
      await clock.advance(9000);
      pause.prolong();
    }
    assert.equal(runs(), 0);
    await clock.advance(10_000);
    assert.equal(runs(), 1);
  });

  it('leaves no timer behind', () => {
    const { clock, pause } = compose();
    pause.plan();
    pause.dispose();
    assert.equal(clock.timerCount, 0);
  });
});
