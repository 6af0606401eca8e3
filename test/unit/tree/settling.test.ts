import assert from 'node:assert/strict';
import { Settling } from '../../../src/tree/view/redraws.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('Rows that VS Code is just being given', () => {
  const parents = new Map([['stream', 'group']]);
  const compose = () => {
    const clock = heldClock();
    return { clock, settling: new Settling<string>({ clock, parent: (row) => parents.get(row) }) };
  };

  it('settle while they are asked for and half a second longer', async () => {
    const { clock, settling } = compose();
    assert.equal(settling.has('group'), false);
    const given = settling.begin('group');
    await clock.advance(60_000);
    assert.equal(settling.has('group'), true);
    given();
    await clock.advance(499);
    assert.equal(settling.has('group'), true);
    await clock.advance(1);
    assert.equal(settling.has('group'), false);
  });

  it('settle though the clock is set back meanwhile', async () => {
    const { clock, settling } = compose();
    settling.begin('group')();
    settling.fired('stream');
    clock.jump(-2 * 60 * 60_000);
    await clock.advance(500);
    assert.deepEqual([settling.has('group'), settling.has('stream')], [false, false]);
  });

  it('settle with the row they stand under, and with the root, but not with the rows under them', async () => {
    const { clock, settling } = compose();
    settling.begin('group')();
    assert.equal(settling.has('stream'), true);
    await clock.advance(500);
    settling.begin('stream')();
    assert.equal(settling.has('group'), false);
    settling.begin(undefined)();
    assert.equal(settling.has('group'), true);
  });

  it('are forgotten when they have settled, though nobody asks about them', async () => {
    const { clock, settling } = compose();
    for (let row = 0; row < 100; row++) {
      settling.begin(`row ${row}`)();
      await clock.advance(500);
    }
    assert.ok(settling.size <= 1, `${settling.size} rows`);
  });
});
