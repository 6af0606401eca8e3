import assert from 'node:assert/strict';
import { readPanelTarget } from '../../../../src/model/pages/keptTargets.ts';

describe('What a tab keeps over a reload', () => {
  it('is its connection, kind and id, and nothing else', () => {
    const state = { connection: 'c1', kind: 'stream', id: 's1', streamKey: 'secret', url: 'https://a' };
    assert.deepEqual(readPanelTarget(state), { connection: 'c1', kind: 'stream', id: 's1' });
  });

  it('is refused when it is none', () => {
    const good = { connection: 'c1', kind: 'session', id: 's1' };
    for (const state of [undefined, null, 'x', 7, {}, { ...good, id: '../x' }, { ...good, id: '' }]) {
      assert.equal(readPanelTarget(state), undefined);
    }
    for (const change of [{ kind: 'account' }, { connection: 'a b' }, { id: 'x'.repeat(10_000) }, { id: 7 }]) {
      assert.equal(readPanelTarget({ ...good, ...change }), undefined);
    }
  });
});
