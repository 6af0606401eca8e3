import assert from 'node:assert/strict';
import { groupNode, type Node, streamNode, type ViewNode } from '../../../src/model/rows/nodes.ts';
import { revealRow } from '../../../src/tree/view/redraws.ts';

describe('A row that is to be shown', () => {
  const row = { kind: 'stream', id: 's' } as const;
  const group = groupNode('idle');
  const compose = (rows: readonly (Node | undefined)[], failures: number, isListed = true) => {
    const calls: string[] = [];
    let looked = 0;
    let left = failures;
    const model = {
      load: async (node?: Node) => {
        if (node === undefined) looked += 1;
        calls.push(`rows of ${node?.id ?? 'the root'}`);
        return isListed ? rows.filter((each) => each !== undefined) : [];
      },
      parent: (node: Node) => (node.kind === 'stream' ? group : undefined),
      find: () => rows[Math.min(looked, rows.length) - 1],
    };
    const drain = async () => void calls.push('drain');
    const show = async (node: ViewNode) => {
      calls.push(`show ${node.id}`);
      left -= 1;
      if (left >= 0) throw new Error('Cannot resolve tree item');
      return true;
    };
    return { calls, reveal: () => revealRow({ model, drain, show }, row) };
  };

  it('is shown after the rows above it were loaded and all redraws fired', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's')], 0);
    assert.equal(await reveal(), true);
    assert.deepEqual(calls, ['rows of the root', 'rows of idle', 'drain', 'rows of idle', 'show idle/s']);
  });

  it('is looked for once more when VS Code lost it in a redraw', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's'), streamNode('active', 's')], 1);
    assert.equal(await reveal(), true);
    assert.deepEqual(
      calls.filter((call) => call.startsWith('show')),
      ['show idle/s', 'show active/s'],
    );
  });

  it('is not found when the stream does not exist, or no more', async () => {
    assert.equal(await compose([undefined], 0).reveal(), false);
    assert.equal(await compose([streamNode('idle', 's'), undefined], 1).reveal(), false);
  });

  it('is not found when its list has other rows, because it could not be loaded', async () => {
    assert.equal(await compose([streamNode('idle', 's')], 0, false).reveal(), false);
  });

  it('is found though every row is redrawn several times meanwhile', async () => {
    assert.equal(await compose([streamNode('idle', 's')], 4).reveal(), true);
  });

  it('is shown again while VS Code leaves it collapsed, and left so after five times', async () => {
    const answers = [false, false, true];
    const shown = (left: boolean[]) => {
      const calls: ViewNode[] = [];
      const show = async (node: ViewNode) => {
        calls.push(node);
        return left.shift() ?? false;
      };
      const model = { load: async () => [group], parent: () => undefined, find: () => group };
      return {
        calls,
        reveal: () => revealRow({ model, drain: async () => {}, show }, { kind: 'group', list: 'idle' }),
      };
    };
    const late = shown(answers);
    assert.equal(await late.reveal(), true);
    assert.equal(late.calls.length, 3);
    const never = shown([]);
    assert.equal(await never.reveal(), true);
    assert.equal(never.calls.length, 5);
  });

  it('is an error when VS Code does not find it five times', async () => {
    const { calls, reveal } = compose([streamNode('idle', 's')], 5);
    await assert.rejects(reveal(), /Cannot resolve/);
    assert.equal(calls.filter((call) => call.startsWith('show')).length, 5);
  });
});
