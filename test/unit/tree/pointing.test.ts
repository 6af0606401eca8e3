import assert from 'node:assert/strict';
import { groupNode, type Node, streamNode } from '../../../src/model/rows/nodes.ts';
import { createPointing, createRedraws } from '../../../src/tree/view/redraws.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The pointed-at row', () => {
  const group = groupNode('active');
  const stream = streamNode('active', 'a');

  it('keeps its group from a redraw, which could move it, but other rows are redrawn', async () => {
    const clock = heldClock();
    const pointing = createPointing(clock);
    const redraws = createRedraws<Node>(
      {
        isSettling: (node) => pointing.mayMoveRows(node),
        has: () => true,
        parent: () => undefined,
        fired: () => undefined,
      },
      clock,
    );
    const fired: string[] = [];
    redraws.onDidChange((rows) => fired.push(...(rows ?? []).map(({ id }) => id)));
    pointing.note();
    redraws.add([stream, group]);
    await clock.advance(2400);
    assert.deepEqual(fired, ['active/a']);
    await clock.advance(200);
    assert.deepEqual(fired, ['active/a', 'active']);
    redraws.dispose();
  });

  it('is pointed at for 2.5 s after a hover, and not before', async () => {
    const clock = heldClock();
    const pointing = createPointing(clock);
    assert.equal(pointing.mayMoveRows(group), false);
    pointing.note();
    assert.equal(pointing.mayMoveRows(group), true);
    await clock.advance(2500);
    assert.equal(pointing.mayMoveRows(group), false);
  });
});
