import assert from 'node:assert/strict';
import { isRefusal } from '../../../src/commands/refusal.ts';
import { revealRow } from '../../../src/host/tree/revealRow.ts';
import { groupNode, type Node, streamNode } from '../../../src/tree/nodes.ts';

describe('A row that is to be shown', () => {
  const row = { kind: 'stream', id: 's' } as const;
  const group = groupNode('idle');
  const compose = (rows: readonly (Node | undefined)[], failures: number, isListed = true) => {
    const calls: string[] = [];
    let looked = 0;
    let left = failures;
    const model = {
      children: async (node?: Node) => {
        if (node === undefined) looked += 1;
        calls.push(`rows of ${node?.id ?? 'the root'}`);
        return isListed ? rows.filter((each) => each !== undefined) : [];
      },
      parent: (node: Node) => (node.kind === 'stream' ? group : undefined),
      find: () => rows[Math.min(looked, rows.length) - 1],
    };
    const drain = async () => void calls.push('drain');
    const show = async (node: Node) => {
      calls.push(`show ${node.id}`);
      left -= 1;
      if (left >= 0) throw new Error('Cannot resolve tree item');
    };
    return { calls, reveal: () => revealRow({ model, drain, show }, row) };
  };

  it('is shown after the rows above it were loaded and all redraws fired', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's')], 0);
    await reveal();
    assert.deepEqual(calls, ['rows of the root', 'rows of idle', 'drain', 'rows of idle', 'show idle/s']);
  });

  it('is looked for once more, where it stands by then, when VS Code lost it in a redraw', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's'), streamNode('active', 's')], 1);
    await reveal();
    assert.deepEqual(
      calls.filter((call) => call.startsWith('show')),
      ['show idle/s', 'show active/s'],
    );
  });

  it('is refused when it is not there, or no more', async () => {
    await assert.rejects(compose([undefined], 0).reveal(), isRefusal);
    await assert.rejects(compose([streamNode('idle', 's'), undefined], 1).reveal(), isRefusal);
  });

  it('is refused when its list has other rows, because it could not be loaded', async () => {
    await assert.rejects(compose([streamNode('idle', 's')], 0, false).reveal(), isRefusal);
  });

  it('is an error when VS Code does not find it twice', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's')], 2);
    await assert.rejects(reveal(), /Cannot resolve/);
    assert.equal(calls.filter((call) => call.startsWith('show')).length, 2);
  });
});
