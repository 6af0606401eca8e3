import assert from 'node:assert/strict';
import { startRelativeTimeTicker } from '../../../src/tree/view/redraws.ts';
import { Emitter } from '../../../src/util/events.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The times in a view', () => {
  const compose = (visible: boolean) => {
    const clock = heldClock();
    const changes = new Emitter<void>();
    const view = { visible, onDidChangeVisibility: changes.event };
    let drawn = 0;
    const keeping = startRelativeTimeTicker({ view, clock, drawTimes: () => drawn++ });
    const show = (isVisible: boolean) => {
      view.visible = isVisible;
      changes.fire();
    };
    const during = async (ms: number, act?: () => void) => {
      drawn = 0;
      act?.();
      await clock.advance(ms);
      return drawn;
    };
    return { clock, keeping, show, during };
  };

  it('are drawn three times a minute while it is seen', async () => {
    const { during } = compose(true);
    assert.equal(await during(60_000), 3);
  });

  it('are left alone while it is hidden, without a timer', async () => {
    const { clock, during, show } = compose(false);
    assert.equal(clock.timerCount, 0);
    assert.equal(await during(3_600_000), 0);
    show(true);
    assert.equal(await during(60_000), 3);
    show(false);
    assert.equal(clock.timerCount, 0);
    assert.equal(await during(3_600_000), 0);
  });

  it('are drawn at once when it is shown again, and not when it is hidden', async () => {
    const { during, show } = compose(false);
    assert.equal(await during(0, () => show(true)), 1);
    assert.equal(await during(0, () => show(false)), 0);
  });

  it('are left alone once it is gone', async () => {
    const { clock, during, keeping } = compose(true);
    keeping.dispose();
    assert.equal(clock.timerCount, 0);
    assert.equal(await during(60_000), 0);
  });
});
