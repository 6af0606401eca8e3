import assert from 'node:assert/strict';
import type { Session } from '../../../../src/api/types.ts';
import {
  isKnownEmptyOfRecordings,
  parentsKnownBefore,
  sessionParent,
  shownRecordings,
} from '../../../../src/model/store/recordings.ts';
import { EMPTY_RECORDINGS } from '../../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../../src/model/store/store.ts';
import { aFact, aSession, aSnapshot, aStream, aSubList, aTrouble, HOUR, NOW } from '../../../support/model/builders.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

type Recordings = ReturnType<typeof aSnapshot>['recordings'];

function withRecordings(given: Partial<Recordings>, parts: Parameters<typeof aSnapshot>[0] = {}) {
  const snapshot = aSnapshot(parts);
  const loaded = { isLoaded: true, revealed: 100, loadedAt: NOW, serverDate: NOW };
  return { ...snapshot, recordings: { ...snapshot.recordings, ...loaded, ...given } };
}

const recorded = (id: string, parentId?: string) => aSession({ id, record: true, parentId });

describe('The Recordings view', () => {
  it('is known to be empty once everything was loaded and nothing is to be shown', () => {
    assert.equal(isKnownEmptyOfRecordings(withRecordings({})), true);
    assert.equal(isKnownEmptyOfRecordings(withRecordings({ items: [aSession({ id: 's' })] })), true, 'not recorded');
    assert.equal(isKnownEmptyOfRecordings(withRecordings({ items: [recorded('s')] })), false);
    assert.equal(isKnownEmptyOfRecordings(withRecordings({ isLoaded: false })), false);
    assert.equal(isKnownEmptyOfRecordings(withRecordings({ trouble: aTrouble('network') })), false);
    assert.equal(isKnownEmptyOfRecordings(withRecordings({ hasNextPage: true })), false);
  });
});

describe('What the Recordings view shows', () => {
  it('leaves out sessions of which nothing was recorded, not those whose recording is being made, failed or is gone', () => {
    const items = (['waiting', 'ready', 'failed', 'deleted', 'none', undefined] as const).map((recordingStatus) => ({
      ...recorded(recordingStatus ?? 'recorded'),
      recordingStatus,
    }));
    const ids = (parts: Parameters<typeof aSnapshot>[0]) =>
      shownRecordings(withRecordings({ items }, parts)).map(({ id }) => id);
    assert.deepEqual(ids({}), ['waiting', 'ready', 'failed', 'deleted', 'recorded']);
    assert.ok(ids({ recordingsRecordedOnly: false }).includes('none'), 'all sessions were asked for');
  });
});

describe('The stream of a session', () => {
  const stream = aStream({ id: 'a', name: 'Now' });

  it('has the name that came with the session, though nobody knows its id', () => {
    const parent = sessionParent(aSnapshot(), { parentId: undefined, parentName: 'Then' });
    assert.deepEqual(parent, { kind: 'named', id: '', name: 'Then' });
    const unknown = sessionParent(aSnapshot(), { parentId: undefined, parentName: undefined });
    assert.deepEqual(unknown, { kind: 'unknown', id: undefined });
  });

  it('has the stream’s name in the store, where that is the newer one', () => {
    const nameAt = (requestSeq: number, parentName: string | undefined) => {
      const snapshot = withRecordings({ requestSeq: 5 }, { streams: [aFact(stream, { requestSeq })] });
      const parent = sessionParent(snapshot, { parentId: 'a', parentName });
      return parent.kind === 'named' ? parent.name : parent.kind;
    };
    assert.deepEqual([nameAt(6, 'Then'), nameAt(5, 'Then'), nameAt(4, undefined)], ['Now', 'Then', 'Now']);
  });
});

describe('Names of streams that may be other ones by now', () => {
  it('are those learnt by asking or in lists before the time, each stream once, and none that came with a session', () => {
    const items = [
      ...['asked', 'asked', 'old', 'new', 'nobody'].map((id, at) => recorded(`s${at}`, id)),
      { ...recorded('told', 'old'), parentName: 'Told' },
      recorded('parentless'),
    ];
    const streams = [
      aFact(aStream({ id: 'old' }), { startedAt: NOW - HOUR - 1 }),
      aFact(aStream({ id: 'new' }), { startedAt: NOW - HOUR }),
    ];
    const snapshot = withRecordings({ items, parents: new Map([['asked', 'A']]) }, { streams });
    assert.deepEqual(parentsKnownBefore(snapshot, NOW - HOUR), ['asked', 'old']);
  });
});

describe('A recording that two lists have', () => {
  const waiting = aSession({ id: 's', record: true, recordingStatus: 'waiting' });
  const ready = { ...waiting, recordingStatus: 'ready', mp4Url: 'https://cdn.test/s.mp4' };
  const other = aSession({ id: 'other', record: true, recordingStatus: 'waiting' });
  const ofAll = { parentId: 'a', parentName: 'Keynote' };

  function openStore() {
    const store = new StreamStore({ clock: heldClock() });
    const writer = store.openWriter();
    return {
      read: () => store.snapshot,
      listRecordings: (...items: readonly Session[]) =>
        writer.recordingsListed({ ...EMPTY_RECORDINGS, ...aSubList(items) }),
      listSessions: (...items: readonly Session[]) => writer.sessionsListed('a', aSubList(items)),
    };
  }

  it('is ready in both once the list that is read later says so', () => {
    const { read, listRecordings, listSessions } = openStore();
    listSessions(waiting, other);
    listRecordings({ ...ready, ...ofAll });
    assert.deepEqual(read().sessions.get('a')?.items, [ready, other]);
    listRecordings({ ...waiting, ...ofAll });
    listSessions(ready, other);
    assert.deepEqual(read().recordings.items, [{ ...ready, ...ofAll }]);
  });

  it('leaves lists that agree as they are', () => {
    const { read, listRecordings, listSessions } = openStore();
    listRecordings(waiting);
    const { items } = read().recordings;
    listSessions(waiting, other);
    assert.equal(read().recordings.items, items);
  });
});
