import assert from 'node:assert/strict';
import { Stills } from '../../../src/webview/player/clips/stills.ts';

describe('The pictures of what a player has shown', () => {
  const played = (seconds: number, begin = 0) => {
    const stills = new Stills<number>();
    let taken = 0;
    for (let at = 0; at < seconds; at += 1 / 15) {
      if (!stills.isDue(at)) continue;
      stills.add(at, at, begin);
      taken += 1;
    }
    return { stills, taken };
  };

  it('are taken every two seconds, once for what is shown twice', () => {
    const { stills, taken } = played(9.9);
    assert.equal(taken, 5);
    assert.deepEqual([stills.isDue(3), stills.isDue(15)], [false, true]);
  });

  it('are found by the time nearest to them, unless nothing was shown at about that time', () => {
    const { stills } = played(20);
    assert.ok(Math.abs((stills.nearest(7.1) ?? Number.NaN) - 7.1) <= 1.1);
    assert.equal(stills.nearest(0), 0);
    assert.equal(stills.nearest(25), undefined);
    stills.clear();
    assert.equal(stills.nearest(7.1), undefined);
  });

  it('are dropped with what can’t be cut any more, and the oldest ones of a long broadcast', () => {
    const { stills } = played(20);
    stills.add(30, 30, 10);
    assert.deepEqual([stills.nearest(4), stills.nearest(30)], [undefined, 30]);
    assert.ok((stills.nearest(10) ?? 0) > 8);
    const long = played(600).stills;
    assert.deepEqual([long.nearest(0), long.nearest(400)], [undefined, undefined]);
    assert.ok((long.nearest(490) ?? 0) > 488);
  });
});
