import assert from 'node:assert/strict';
import type { Session } from '../../../../src/api/types.ts';
import { isRunning, isRunningIn, recordingState, sessionDuration } from '../../../../src/model/store/sessions.ts';
import { EMPTY_RECORDINGS } from '../../../../src/model/store/snapshot.ts';
import {
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aSubList,
  MINUTE,
  NOW,
  SECOND,
} from '../../../support/model/builders.ts';

describe('A session that is being broadcast', () => {
  const live = aFact(aLiveStream({ id: 'a', lastSeen: NOW }));
  const newest = aSession({ id: 's', lastSeen: NOW - 90 * SECOND });

  it('is the newest of a live stream, with data at about the same time', () => {
    assert.equal(isRunning(newest, live, newest), true);
    assert.equal(isRunning(newest, live, aSession({ id: 'other' })), false);
    assert.equal(isRunning(newest, aFact(aStream({ id: 'a' })), newest), false);
    const older = aSession({ id: 's', lastSeen: NOW - 91 * SECOND });
    assert.equal(isRunning(older, live, older), false);
  });

  it('is judged by when it was listed: the stream goes on while nobody asks for its sessions', () => {
    const seen = aSession({ id: 's', parentId: 'a', recordingStatus: 'waiting', lastSeen: NOW - 22 * MINUTE });
    const listedAt = NOW - 22 * MINUTE + 5 * SECOND;
    const isRunningAmong = (serverDate: number) =>
      isRunningIn(aSnapshot({ streams: [live], sessions: { a: aSubList([seen], { serverDate }) } }), seen);
    assert.equal(isRunningAmong(listedAt), true);
    assert.equal(isRunningAmong(NOW), false, 'it has ended since');
    const over = aSession({ id: 's', lastSeen: listedAt - 91 * SECOND });
    assert.equal(isRunning(over, live, over, listedAt), false, 'it had ended before');
    const recordings = { ...EMPTY_RECORDINGS, ...aSubList([seen], { serverDate: listedAt }) };
    assert.equal(isRunningIn(aSnapshot({ streams: [live], recordings }), seen), true);
  });

  it('is none of before its stream went live again', () => {
    const over = aSession({ id: 's', parentId: 'a', createdAt: NOW - 50 * MINUTE, lastSeen: NOW - 30 * SECOND });
    const isRunningSince = (idleAt: number | undefined, session: Session) =>
      isRunningIn(aSnapshot({ streams: [{ ...live, idleAt }], sessions: { a: aSubList([session]) } }), session);
    assert.equal(isRunningSince(undefined, over), true);
    assert.equal(isRunningSince(NOW - 20 * SECOND, over), false);
    assert.equal(isRunningSince(NOW - 20 * SECOND, { ...over, lastSeen: NOW }), true, 'it went on after all');
    const begun = { ...over, createdAt: NOW - 40 * SECOND, lastSeen: NOW - 40 * SECOND };
    assert.equal(isRunningSince(NOW - 20 * SECOND, begun), true, 'the service called the stream active a while later');
  });

  it('stays so in Recordings while its stream is collapsed, and nobody lists its sessions', () => {
    const began = { id: 's', parentId: 'a', recordingStatus: 'waiting', createdAt: NOW - 30 * MINUTE };
    const listedAgo = (age: number, given = {}) =>
      aSubList([aSession({ ...began, lastSeen: NOW - age, ...given })], { serverDate: NOW - age });
    const statesOf = (ofStream: number, ofAll: number, given = {}) => {
      const recordings = { ...EMPTY_RECORDINGS, ...listedAgo(ofAll, given) };
      const snapshot = aSnapshot({ streams: [live], sessions: { a: listedAgo(ofStream) }, recordings });
      return [recordings, listedAgo(ofStream)].map(({ items: [row] }) => row && isRunningIn(snapshot, row));
    };
    assert.deepEqual(statesOf(98 * SECOND, 0), [true, true], 'after the next list of all sessions');
    assert.deepEqual(statesOf(20 * MINUTE, 0), [true, true]);
    assert.deepEqual(statesOf(0, 98 * SECOND), [true, true], 'nobody looks at Recordings');
    assert.deepEqual(statesOf(98 * SECOND, 0, { recordingStatus: 'ready' }), [false, false], 'it is over');
    assert.deepEqual(statesOf(3 * MINUTE, 0, { lastSeen: NOW - 2 * MINUTE }), [false, false], 'it ended');
  });

  it('is known by the time of its data where its stream’s sessions are not loaded', () => {
    const session = aSession({ id: 's', parentId: 'a', recordingStatus: 'waiting', createdAt: NOW - 22 * MINUTE });
    const isRunningNow = (lastSeen: number | undefined, sessions = {}) =>
      isRunningIn(aSnapshot({ streams: [live], sessions }), { ...session, lastSeen });
    assert.equal(isRunningNow(NOW - 20 * SECOND), true);
    assert.equal(isRunningNow(NOW - 91 * SECOND), false);
    assert.equal(isRunningNow(undefined), false, 'it began long ago');
    const before = aSession({ id: 'before', parentId: 'a', createdAt: NOW - 60 * MINUTE });
    assert.equal(isRunningNow(NOW, { a: aSubList([before]) }), true, 'it is newer than those that are loaded');
    const since = aSession({ id: 'since', parentId: 'a', createdAt: NOW - MINUTE });
    assert.equal(isRunningNow(NOW, { a: aSubList([since]) }), false, 'it is over');
  });

  it('is also one that does not say when its data came, and none whose recording is settled', () => {
    const silent = aSession({ id: 's', lastSeen: undefined });
    assert.equal(isRunning(silent, live, silent), true);
    for (const recordingStatus of ['ready', 'failed', 'deleted', 'none']) {
      const settled = aSession({ id: 's', lastSeen: NOW, recordingStatus });
      assert.equal(isRunning(settled, live, settled), false, recordingStatus);
    }
  });
});

describe('The state of a recording', () => {
  it('goes by its word, else by whether there is an address', () => {
    const stateOf = (given: Parameters<typeof aSession>[0]) => recordingState(aSession(given), false);
    assert.equal(recordingState(aSession({ id: 's', recordingStatus: 'ready' }), true), 'running');
    assert.equal(stateOf({ id: 's', recordingStatus: 'waiting' }), 'waiting');
    assert.equal(stateOf({ id: 's', recordingStatus: 'uploading' }), 'unknown');
    assert.equal(stateOf({ id: 's', recordingUrl: 'https://x.test/' }), 'ready');
    assert.equal(stateOf({ id: 's', record: true }), 'unknown');
    assert.equal(stateOf({ id: 's' }), 'notRecorded');
  });
});

describe('The length of a session', () => {
  it('is that of its source, else from start to last data, else not known', () => {
    const lengthOf = (given: Partial<ReturnType<typeof aSession>>) =>
      sessionDuration(aSession({ id: 's', createdAt: NOW - MINUTE, lastSeen: NOW, ...given }));
    assert.equal(lengthOf({ sourceSegmentsDuration: 42.5 }), 42.5);
    assert.equal(lengthOf({ sourceSegmentsDuration: 0 }), 60);
    assert.equal(lengthOf({}), 60);
    assert.equal(lengthOf({ lastSeen: NOW - MINUTE }), undefined);
    assert.equal(lengthOf({ createdAt: undefined }), undefined);
    assert.equal(lengthOf({ lastSeen: undefined }), undefined);
  });
});
