import assert from 'node:assert/strict';
import { RecentEnds } from '../../../src/model/account/accountChanges.ts';
import {
  FRESH_FOR_MS,
  needsConfirmation,
  needsPoll,
  obstacleTo,
  problemOfStreamName,
} from '../../../src/model/changeRules.ts';
import { type Change, showsChange } from '../../../src/model/changes.ts';
import type { Operation } from '../../../src/model/store/snapshot.ts';
import { aSnapshot, aStream, NOW, SECOND } from '../../support/model/builders.ts';

const OPERATIONS: readonly Operation[] = [
  'renaming',
  'turningRecordingOn',
  'turningRecordingOff',
  'suspending',
  'resuming',
  'settingPolicy',
  'settingTags',
  'settingRenditions',
  'endingBroadcast',
  'deleting',
];
const PRIVATE = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
const idle = aStream({ id: 'idle' });
const live = aStream({ id: 'live', isActive: true });

function changeOf(operation: Operation): Change {
  if (operation === 'settingPolicy') return { operation, policy: PRIVATE };
  if (operation === 'settingRenditions') return { operation, profiles: [{ name: '240p' }] };
  if (operation === 'settingTags') return { operation, tags: { event: 'Summit' } };
  return operation === 'renaming' ? { operation, name: 'new' } : { operation };
}

describe('A stream’s name', () => {
  it('may be anything of one line that is not blank and not endless', () => {
    assert.deepEqual(['', '   ', '\n'].map(problemOfStreamName), ['empty', 'empty', 'empty']);
    assert.equal(problemOfStreamName('x'.repeat(10_000)), 'tooLong');
    assert.equal(problemOfStreamName('x'.repeat(500)), undefined);
    assert.deepEqual(['a\nb', 'a\u2028b', 'a\u0000b'].map(problemOfStreamName), ['lines', 'lines', 'lines']);
    assert.deepEqual(['Keynote', ' a ', 'عربي', '<b>|*', '👩‍👩‍👧'].map(problemOfStreamName), Array(5).fill(undefined));
  });
});

describe('What may be done to a stream', () => {
  it('is everything while it is idle, but ending a broadcast', () => {
    const refused = OPERATIONS.filter((operation) => obstacleTo(operation, idle, false) !== undefined);
    assert.deepEqual(refused, ['endingBroadcast']);
    assert.equal(obstacleTo('endingBroadcast', idle, false), 'notLive');
  });

  it('is everything while it is live, but changing its recording and its renditions', () => {
    const refused = OPERATIONS.filter((operation) => obstacleTo(operation, live, false) !== undefined);
    assert.deepEqual(refused, ['turningRecordingOn', 'turningRecordingOff', 'settingRenditions']);
    assert.equal(obstacleTo('turningRecordingOn', live, false), 'live');
    assert.equal(obstacleTo('turningRecordingOff', live, false), 'alreadyOff');
    const recorded = { ...live, record: true };
    assert.equal(obstacleTo('turningRecordingOff', recorded, false), 'live');
    assert.equal(obstacleTo('turningRecordingOn', recorded, false), 'alreadyOn');
  });

  it('is nothing while another change runs, and nothing on a deprecated child stream', () => {
    for (const operation of OPERATIONS) {
      assert.equal(obstacleTo(operation, idle, true), 'busy');
      assert.equal(obstacleTo(operation, aStream({ id: 'c', parentId: 'p' }), false), 'childStream');
    }
  });

  it('is asked about first where it cannot be taken back, ends a broadcast, or cuts off its viewers', () => {
    const asked = (streams: Parameters<typeof needsConfirmation>[1]) =>
      OPERATIONS.filter((operation) => needsConfirmation(changeOf(operation), streams));
    assert.deepEqual(asked([idle]), ['endingBroadcast', 'deleting']);
    assert.deepEqual(asked([idle, live]), ['suspending', 'settingPolicy', 'endingBroadcast', 'deleting']);
    const livePrivate = { ...live, playbackPolicy: PRIVATE };
    assert.deepEqual(asked([livePrivate]), ['suspending', 'endingBroadcast', 'deleting']);
    const opened: Change = { operation: 'settingPolicy', policy: { ...PRIVATE, type: 'public' } };
    assert.equal(needsConfirmation(opened, [live, livePrivate]), false);
  });

  it('is judged by a look at the live streams that is not old, where it depends on one', () => {
    const snapshot = aSnapshot({ lists: { active: { loadedAt: NOW } } });
    const stale = OPERATIONS.filter((operation) => needsPoll(operation, snapshot, NOW + FRESH_FOR_MS + 1));
    assert.deepEqual(
      stale,
      OPERATIONS.filter((operation) => !['renaming', 'resuming', 'settingPolicy', 'settingTags'].includes(operation)),
    );
    assert.ok(OPERATIONS.every((operation) => !needsPoll(operation, snapshot, NOW + FRESH_FOR_MS)));
  });
});

describe('A change', () => {
  it('shows in what is read back', () => {
    const after = { name: 'new', record: true, suspended: true, isActive: true, playbackPolicy: PRIVATE };
    const open = { ...PRIVATE, type: 'public' };
    const before = { name: 'old', record: false, suspended: false, isActive: false, playbackPolicy: open };
    const shown = (fields: typeof after) =>
      OPERATIONS.filter((operation) => showsChange(changeOf(operation), aStream({ id: 's', ...fields })));
    // After suspending, isActive stays true for a while.
    assert.deepEqual(shown(after), ['renaming', 'turningRecordingOn', 'suspending', 'settingPolicy']);
    assert.deepEqual(shown(before), ['turningRecordingOff', 'resuming', 'endingBroadcast']);
    const gone = OPERATIONS.filter((operation) => showsChange(changeOf(operation), undefined));
    assert.deepEqual(gone, ['deleting']);
  });
});

describe('A broadcast that was ended a moment ago', () => {
  it('can be ended again 5 s later, and that of another stream at once', () => {
    const ends = new RecentEnds();
    ends.note('a', NOW);
    assert.equal(ends.waitFor('a', NOW + 2 * SECOND), 3 * SECOND);
    assert.equal(ends.waitFor('a', NOW + 5 * SECOND), 0);
    assert.equal(ends.waitFor('b', NOW), 0);
    ends.note('b', NOW + 60 * SECOND);
    assert.equal(ends.waitFor('a', NOW), 0, 'what is long past is forgotten');
    assert.equal(ends.waitFor('b', NOW), 0, 'a clock that was set back makes nobody wait');
  });
});
