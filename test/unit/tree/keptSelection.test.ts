import assert from 'node:assert/strict';
import { groupNode, streamNode, type ViewNode } from '../../../src/model/rows/nodes.ts';
import { keepSelection } from '../../../src/tree/view/keptSelection.ts';
import { Emitter } from '../../../src/util/events.ts';

const [IDLE, ACTIVE] = [streamNode('idle', 'talk'), streamNode('active', 'talk')];
const GROUP = groupNode('active', undefined);

/** A view whose stream has moved from Idle to Active, and the rows that were revealed in it. */
function movedStream(
  given: {
    readonly visible?: boolean;
    readonly shown?: readonly ViewNode[];
    readonly found?: ViewNode | undefined;
    readonly isExpanded?: boolean;
  } = {},
) {
  const { visible, shown, found, isExpanded } = {
    visible: true,
    shown: [ACTIVE],
    found: ACTIVE,
    isExpanded: true,
    ...given,
  };
  const changes = new Emitter<{ readonly selection: readonly ViewNode[] }>();
  const revealed: ViewNode[] = [];
  keepSelection(
    { visible, onDidChangeSelection: changes.event, reveal: async (node) => void revealed.push(node) },
    {
      hasRow: (node) => shown.includes(node),
      find: (row) => (row.kind === 'stream' && row.id === 'talk' ? found : undefined),
      parent: () => GROUP,
    },
    { has: () => isExpanded },
  );
  const select = (...selection: readonly ViewNode[]) => changes.fire({ selection });
  return { select, revealed };
}

describe('The selection of a stream whose row moves to another group', () => {
  it('follows it', () => {
    const { select, revealed } = movedStream();
    select(IDLE);
    select();
    assert.deepEqual(revealed, [ACTIVE]);
  });

  it('stays away where the user took it away, or selected something else', () => {
    const { select, revealed } = movedStream({ shown: [IDLE] });
    select(IDLE);
    select();
    select(IDLE);
    select(ACTIVE);
    assert.deepEqual(revealed, []);
  });

  for (const [what, options] of [
    ['shows a view that is hidden', { visible: false }],
    ['expands a group that is collapsed', { isExpanded: false }],
    ['looks for what is gone', { found: undefined }],
  ] as const) {
    it(`never ${what}`, () => {
      const { select, revealed } = movedStream(options);
      select(IDLE);
      select();
      assert.deepEqual(revealed, []);
    });
  }

  it('is that of streams alone', () => {
    const { select, revealed } = movedStream();
    select(GROUP);
    select();
    select();
    assert.deepEqual(revealed, []);
  });
});
