import assert from 'node:assert/strict';
import { PageGenerations } from '../../../src/panels/page.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The pages of a tab', () => {
  let now = 0;
  const pages = () => new PageGenerations({ ...heldClock(), elapsed: () => now });

  it('have numbers of their own, and only the last counts', () => {
    const drawn = pages();
    assert.deepEqual([drawn.number, drawn.draw(), drawn.draw(), drawn.number], [0, 1, 2, 2]);
    assert.equal(drawn.classifyReady(2), 'current');
    assert.equal(drawn.classifyReady(1), 'older');
    for (const other of [undefined, '2', Number.NaN]) assert.equal(drawn.classifyReady(other), 'older');
  });

  it('are made again where an older one is still heard after a while', () => {
    const drawn = pages();
    drawn.draw();
    drawn.draw();
    now += 1999;
    assert.equal(drawn.classifyReady(1), 'older', 'the newer one may still be loading');
    now += 1;
    assert.equal(drawn.classifyReady(1), 'lost');
  });

  it('are given longer after each loss, so that a slow machine makes no end of them', () => {
    const drawn = pages();
    drawn.draw();
    const losses: number[] = [];
    const start = now;
    for (drawn.draw(); now - start < 40_000; now += 500) {
      if (drawn.classifyReady(1) !== 'lost') continue;
      losses.push(now - start);
      drawn.draw();
    }
    assert.deepEqual(losses, [2000, 6000, 14_000, 30_000]);
    assert.equal(drawn.classifyReady(drawn.number), 'current');
    drawn.draw();
    now += 2000;
    assert.equal(drawn.classifyReady(1), 'lost', 'as at first, once a page has come');
  });
});
