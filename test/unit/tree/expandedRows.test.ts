import assert from 'node:assert/strict';
import { Interest } from '../../../src/model/loading/interest.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { ExpandedRows } from '../../../src/tree/view/expandedRows.ts';
import { aLiveStream, aSnapshot, aStream } from '../../support/model/builders.ts';
import { heldTree } from './heldTree.ts';

const live = aLiveStream({ id: 'live' });
const idle = aStream({ id: 'idle', name: 'Idle one' });

/** A tree with the groups Active and Idle and the streams below them expanded. */
async function expandedTree() {
  const tree = heldTree(aSnapshot({ streams: [live, idle] }));
  const interest = new Interest();
  const expanded = new ExpandedRows(interest, tree.model);
  const open = async (node?: Node): Promise<readonly Node[]> => {
    expanded.requested(node);
    const rows = await tree.open(node);
    expanded.returned();
    return rows;
  };
  const openAll = async (node?: Node) => {
    for (const row of await open(node)) if (row.kind === 'group' || row.kind === 'stream') await openAll(row);
  };
  await openAll();
  const watched = () => [[...interest.lists], [...interest.streams]].map((ids) => ids.sort().join());
  return { tree, expanded, open, openAll, watched };
}

describe('The expanded rows', () => {
  it('are those whose rows VS Code requested and nobody closed', async () => {
    const { tree, expanded, watched } = await expandedTree();
    assert.deepEqual(watched(), ['active,idle,recording', 'idle,live']);
    const group = (await tree.open()).find(({ id }) => id === 'recording');
    assert.ok(group);
    expanded.closed(group);
    assert.deepEqual(watched(), ['active,idle', 'idle,live']);
  });

  it('are no more those that left, of which VS Code says nothing, and again those that came back', async () => {
    const { tree, open, openAll, watched } = await expandedTree();
    const all = tree.store.snapshot;
    const group = async () => (await tree.open()).find(({ id }) => id === 'idle');
    tree.change({ ...all, filter: 'nothing like it' });
    await open();
    assert.deepEqual(watched(), ['', ''], 'behind a filter');
    tree.change(all);
    const rows = await open(await group());
    assert.equal(rows[0] && tree.model.row(rows[0]).collapsible, 'expanded');
    await openAll();
    assert.deepEqual(watched(), ['active,idle,recording', 'idle,live']);
    tree.change(aSnapshot({ streams: [live] }));
    await open(await group());
    assert.deepEqual(watched(), ['active,idle,recording', 'live'], 'deleted');
  });

  it('are none of another connection', async () => {
    const { tree, open, watched } = await expandedTree();
    tree.change(aSnapshot({ generation: 2, streams: [live] }));
    await open();
    assert.deepEqual(watched(), ['', '']);
  });
});
