import assert from 'node:assert/strict';
import { readPanelTarget, readPlayerState } from '../../../../src/model/pages/keptTargets.ts';

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

describe('What a player keeps over a reload', () => {
  it('is read back as it was', () => {
    const state = { connection: 'one', kind: 'session', id: 'abc', position: 12.5 };
    assert.deepEqual(readPlayerState(state), state);
  });

  it('is nothing where it makes no sense, and the beginning where the position does not', () => {
    for (const bad of [undefined, null, 'x', {}, { connection: 'one', kind: 'other', id: 'a', position: 0 }]) {
      assert.equal(readPlayerState(bad), undefined);
    }
    assert.equal(readPlayerState({ connection: 'one', kind: 'stream', id: '../api', position: 0 }), undefined);
    for (const position of [-1, Number.NaN, '5', undefined]) {
      assert.equal(readPlayerState({ connection: 'one', kind: 'stream', id: 'a', position })?.position, 0);
    }
  });
});
