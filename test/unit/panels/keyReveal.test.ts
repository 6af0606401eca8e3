import assert from 'node:assert/strict';
import { KeyReveal, REVEALED_FOR_MS } from '../../../src/panels/detailsPanel.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('A key that is revealed', () => {
  function make() {
    const clock = heldClock();
    let ended = 0;
    const reveal = new KeyReveal(clock, () => {
      ended += 1;
    });
    return { clock, reveal, ended: () => ended };
  }

  it('can be read for thirty seconds, and is hidden by itself', async () => {
    assert.equal(REVEALED_FOR_MS, 30_000);
    const { clock, reveal, ended } = make();
    reveal.begin();
    await clock.advance(29_999);
    assert.deepEqual([reveal.isOn, ended()], [true, 0]);
    await clock.advance(1);
    assert.deepEqual([reveal.isOn, ended()], [false, 1]);
  });

  it('has its time anew when it is asked for again', async () => {
    const { clock, reveal, ended } = make();
    reveal.begin();
    await clock.advance(20_000);
    reveal.begin();
    await clock.advance(20_000);
    assert.deepEqual([reveal.isOn, ended()], [true, 0]);
    await clock.advance(10_000);
    assert.equal(ended(), 1);
  });

  it('is hidden once, however often that is said', async () => {
    const { clock, reveal, ended } = make();
    reveal.end();
    assert.equal(ended(), 0);
    reveal.begin();
    reveal.end();
    reveal.end();
    await clock.advance(60_000);
    assert.deepEqual([ended(), clock.timerCount], [1, 0]);
  });

  it('leaves no timer behind', () => {
    const { clock, reveal } = make();
    reveal.begin();
    reveal.dispose();
    assert.equal(clock.timerCount, 0);
  });
});
