import assert from 'node:assert/strict';
import { ShownTooltips } from '../../../src/tree/view/redraws.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The tooltips that VS Code has', () => {
  it('are requested anew when they would say something else, but not while somebody may read them', async () => {
    const clock = heldClock();
    const shown = new ShownTooltips<string>(clock);
    shown.note('same', 'a');
    shown.note('changed', 'b');
    shown.note('with a picture', undefined);
    const now: Readonly<Record<string, string>> = { same: 'a', changed: 'c', 'with a picture': 'd' };
    const take = () => shown.takeOutdated((row) => now[row]);
    assert.deepEqual(take(), []);
    await clock.advance(15_000);
    shown.note('just shown', 'e');
    assert.deepEqual(take(), ['changed', 'with a picture']);
    assert.deepEqual(take(), [], 'VS Code requests them with the next hover');
    await clock.advance(15_000);
    assert.deepEqual(take(), ['just shown'], 'its row is gone');
  });
});
