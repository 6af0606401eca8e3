import assert from 'node:assert/strict';
import { isOfBroadcast } from '../../../../src/model/store/seenBroadcast.ts';
import { aSession, HOUR, MINUTE, NOW, SECOND } from '../../../support/model/builders.ts';

describe('The session of a broadcast', () => {
  const broadcast = { first: NOW - HOUR, last: NOW };

  it('began while its stream was seen', () => {
    assert.equal(isOfBroadcast(aSession({ id: 's', createdAt: NOW - HOUR, lastSeen: undefined }), broadcast), true);
    const before = aSession({ id: 's', createdAt: NOW - HOUR - 1, lastSeen: undefined });
    assert.equal(isOfBroadcast(before, broadcast), false);
  });

  it('else ended within 90 s of when its stream was seen last', () => {
    const endedAt = (lastSeen: number) => aSession({ id: 's', createdAt: NOW - 2 * HOUR, lastSeen });
    for (const [end, isOwn] of [
      [NOW + 90 * SECOND, true],
      [NOW - 90 * SECOND, true],
      [NOW + 91 * SECOND, false],
      [NOW - 91 * SECOND, false],
    ] as const) {
      assert.equal(isOfBroadcast(endedAt(end), broadcast), isOwn, `${end - NOW}`);
    }
  });

  it('ended by its start and length, where it does not say when it was seen last', () => {
    const lasting = (seconds: number | undefined) =>
      aSession({ id: 's', createdAt: NOW - 2 * HOUR, lastSeen: undefined, sourceSegmentsDuration: seconds });
    assert.equal(isOfBroadcast(lasting(7200), broadcast), true);
    assert.equal(isOfBroadcast(lasting(3600), broadcast), false);
    assert.equal(isOfBroadcast(lasting(undefined), broadcast), false);
  });

  it('is not the one that ended with the broadcast before', () => {
    const short = { first: NOW - MINUTE, last: NOW, before: NOW - MINUTE };
    const endedAt = (lastSeen: number) => aSession({ id: 's', createdAt: NOW - HOUR, lastSeen });
    assert.equal(isOfBroadcast(endedAt(NOW - 50 * SECOND), short), false);
    assert.equal(isOfBroadcast(endedAt(NOW - 20 * SECOND), short), true);
  });

  it('is none where nothing is told to go by', () => {
    const unknown = { first: undefined, last: undefined };
    assert.equal(isOfBroadcast(aSession({ id: 's' }), unknown), false);
    const bare = aSession({ id: 's', createdAt: undefined, lastSeen: undefined, sourceSegmentsDuration: 5 });
    assert.equal(isOfBroadcast(bare, broadcast), false);
  });
});
