import assert from 'node:assert/strict';
import { groupNode, type Node, streamNode } from '../../../src/model/rows/nodes.ts';
import { createPointing, createRedraws } from '../../../src/tree/view/redraws.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('While the user points at a row', () => {
  const group = groupNode('active');
  const stream = streamNode('active', 'a');

  it('no group is redrawn, which could move it, but other rows are', async () => {
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

  it('is over a moment later, and was never so before', async () => {
    const clock = heldClock();
    const pointing = createPointing(clock);
    assert.equal(pointing.mayMoveRows(group), false);
    pointing.note();
    assert.equal(pointing.mayMoveRows(group), true);
    await clock.advance(2500);
    assert.equal(pointing.mayMoveRows(group), false);
  });
});
