import assert from 'node:assert/strict';
import { Interest } from '../../../../src/model/loading/interest.ts';

function opened() {
  const interest = new Interest();
  interest.opened('group', { kind: 'list', list: 'idle' });
  interest.opened('row', { kind: 'stream', streamId: 'a' });
  interest.opened('row in another group', { kind: 'stream', streamId: 'a' });
  const isOf = () => [[...interest.lists], [...interest.streams]];
  return { interest, isOf };
}

describe('What is expanded', () => {
  it('is groups, and each stream once, until its last row is collapsed', () => {
    const { interest, isOf } = opened();
    assert.deepEqual(isOf(), [['idle'], ['a']]);
    interest.closed('row');
    assert.deepEqual(isOf(), [['idle'], ['a']]);
    interest.closed('row in another group');
    assert.deepEqual(isOf(), [['idle'], []]);
    interest.closed('group');
    assert.deepEqual(isOf(), [[], []]);
  });

  it('is no more what isn’t shown', () => {
    const { interest, isOf } = opened();
    interest.keepOnly((rowId) => rowId === 'row');
    assert.deepEqual(isOf(), [[], ['a']]);
    interest.clear();
    assert.deepEqual(isOf(), [[], []]);
  });
});
