import assert from 'node:assert/strict';
import type { Session } from '../../../src/api/types.ts';
import { CONTEXT_VALUES } from '../../../src/tree/contextValues.ts';
import { GONE } from '../../../src/tree/row.ts';
import { streamTooltip } from '../../../src/tree/tooltip.ts';
import {
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aTrouble,
  DAY,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
} from '../../support/model/builders.ts';
import { DRAWING, sessionRow } from './drawnTree.ts';

function rowOf(given: Partial<Session>, drawing = {}) {
  const session = aSession({ id: 's', ...given });
  return sessionRow(aSnapshot({ streams: [aStream({ id: 'a' })], sessions: { a: [session] } }), 'a', 's', drawing);
}

describe('a session row', () => {
  it('is named by its start, in the reader’s day and zone', () => {
    assert.equal(rowOf({ createdAt: Date.UTC(2026, 10, 20, 10, 42) }).label, 'Today 10:42');
    assert.equal(rowOf({ createdAt: Date.UTC(2026, 10, 19, 18) }).label, 'Yesterday 18:00');
    assert.equal(rowOf({ createdAt: Date.UTC(2026, 10, 2, 18) }).label, 'Nov 2 18:00');
    assert.equal(rowOf({ createdAt: Date.UTC(2026, 10, 19, 23, 30) }, { timeZone: 'Asia/Tokyo' }).label, 'Today 08:30');
    assert.equal(rowOf({ createdAt: undefined }).label, 'Unknown start time');
  });

  it('says only the duration of what was not recorded, beside a pale ring', () => {
    const row = rowOf({ sourceSegmentsDuration: 3720 });
    assert.equal(row.description, '1 h 2 min');
    assert.deepEqual(row.icon, { id: 'circle-outline', color: 'descriptionForeground' });
    assert.match(row.accessibilityLabel, /1 hour 2 minutes, Not recorded$/);
  });

  it('says first that something was recorded and is not ready', () => {
    const said = (recordingStatus: string | undefined) =>
      rowOf({ record: true, recordingStatus, sourceSegmentsDuration: 3720 }).description;
    assert.deepEqual(['ready', 'failed', 'deleted', 'none', 'archived', undefined].map(said), [
      '1 h 2 min',
      'failed · 1 h 2 min',
      'deleted · 1 h 2 min',
      '1 h 2 min',
      '1 h 2 min',
      '1 h 2 min',
    ]);
  });

  it('says that a recording is being processed, with an icon that is no watch', () => {
    const row = rowOf({ record: true, recordingStatus: 'waiting', sourceSegmentsDuration: 60, lastSeen: NOW - MINUTE });
    assert.equal(row.description, 'processing · 1 min');
    assert.deepEqual(row.icon, { id: 'sync', color: 'liveStreams.processingForeground' });
  });

  it('says to a screen reader its kind, its start, its length, and the state of its recording', () => {
    const createdAt = Date.UTC(2026, 10, 19, 18);
    const said = (given: Partial<Session>) =>
      rowOf({ createdAt, sourceSegmentsDuration: 3720, ...given }).accessibilityLabel;
    assert.equal(said({ recordingUrl: 'https://x' }), 'Session, Yesterday 18:00, 1 hour 2 minutes, Recording ready');
    const failed = said({ record: true, recordingStatus: 'failed', sourceSegmentsDuration: 45 });
    assert.equal(failed, 'Session, Yesterday 18:00, 45 seconds, Recording failed');
    const waiting = {
      record: true,
      recordingStatus: 'waiting',
      sourceSegmentsDuration: 60,
      lastSeen: NOW - MINUTE,
    } as const;
    assert.match(said(waiting), /1 minute, processing$/);
    assert.match(said({ ...waiting, recordingUrl: 'https://x' }), /1 minute, no MP4 yet$/);
  });

  it('counts no further than the last answer while the service is not reached, which may have missed its end', () => {
    const running = aSession({ id: 'new', parentId: 'a', createdAt: NOW - 12 * MINUTE, lastSeen: NOW - 10 * SECOND });
    const lists = { active: { isLoaded: true, loadedAt: NOW - 5 * MINUTE } };
    const known = { streams: [aLiveStream({ id: 'a' })], sessions: { a: [running] }, lists };
    const away = aSnapshot({ ...known, trouble: aTrouble('network') });
    assert.equal(sessionRow(aSnapshot(known), 'a', 'new').description, 'live for 12 min');
    assert.equal(sessionRow(away, 'a', 'new').description, 'live for 7 min');
    assert.match(sessionRow(away, 'a', 'new').accessibilityLabel, /live for 7 minutes$/);
    const fact = away.streams.get('a');
    assert.ok(fact);
    assert.match(streamTooltip(away, fact, DRAWING), /Live for 7 min/);
    const early = aSnapshot({ ...known, trouble: aTrouble('network'), lists: { active: { isLoaded: false } } });
    assert.equal(sessionRow(early, 'a', 'new').description, 'live for 12 min');
  });

  it('runs when it is the newest of a live stream', () => {
    const running = aSession({ id: 'new', createdAt: NOW - 12 * MINUTE, lastSeen: NOW - 10 * SECOND });
    const streams = [aLiveStream({ id: 'a' })];
    const snapshot = aSnapshot({
      streams,
      sessions: { a: [running, aSession({ id: 'old', record: true, recordingStatus: 'ready' })] },
    });
    assert.equal(sessionRow(snapshot, 'a', 'new').description, 'live for 12 min');
    assert.equal(sessionRow(snapshot, 'a', 'old').description, '1 h');
    assert.notEqual(sessionRow(snapshot, 'a', 'new').icon?.id, sessionRow(snapshot, 'a', 'old').icon?.id);
    const recorded = { ...running, record: true };
    const row = sessionRow(aSnapshot({ streams, sessions: { a: [recorded] } }), 'a', 'new');
    assert.deepEqual(row.icon, { id: 'record', color: 'liveStreams.recordingForeground' }, 'as that of its stream');
    // While the service can't be reached, the broadcast may have ended; the recording stays as it is.
    const old = { ...snapshot, trouble: aTrouble('network') };
    assert.deepEqual(sessionRow(old, 'a', 'new').icon, { id: 'circle-filled', color: 'descriptionForeground' });
    assert.deepEqual(sessionRow(old, 'a', 'old').icon, sessionRow(snapshot, 'a', 'old').icon);
  });

  it('does not run when its stream ended or is stale', () => {
    const session = aSession({ id: 's', createdAt: NOW - 12 * MINUTE, lastSeen: NOW - 10 * SECOND });
    for (const stream of [aStream({ id: 'a' }), aLiveStream({ id: 'a', lastSeen: NOW - HOUR })]) {
      assert.match(
        sessionRow(aSnapshot({ streams: [stream], sessions: { a: [session] } }), 'a', 's').accessibilityLabel,
        /Not recorded$/,
      );
    }
  });

  it('opens its recording on a click where there is an address, whatever the status says', () => {
    const waiting = rowOf({ record: true, recordingStatus: 'waiting', recordingUrl: 'https://x/index.m3u8' });
    assert.equal(waiting.command, 'openRecording');
    assert.equal(waiting.description, 'no MP4 yet · 1 h');
    assert.deepEqual(waiting.icon, { id: 'play-circle' });
    const unplayable = rowOf({ record: true, recordingStatus: 'waiting' });
    assert.deepEqual([unplayable.command, unplayable.icon?.id], ['showSession', 'sync'], 'tells the two apart');
    assert.equal(unplayable.description?.split(' · ')[0], 'processing');
    assert.equal(waiting.contextValue, 'session.hasRecording');
    assert.equal(rowOf({ record: true, mp4Url: 'https://x/a.mp4' }).command, 'openRecording');
    assert.equal(
      rowOf({ recordingUrl: 'https://x', mp4Url: 'https://x' }).contextValue,
      'session.hasRecording.hasMp4.ready',
    );
    assert.ok(CONTEXT_VALUES.includes(waiting.contextValue));
  });

  it('has a pale icon where there is nothing to play, unless it is being processed or failed', () => {
    const colorOf = (given: Partial<Session>) => rowOf({ record: true, ...given }).icon?.color;
    for (const recordingStatus of ['ready', 'deleted', 'none', 'odd', undefined])
      assert.equal(colorOf({ recordingStatus }), 'descriptionForeground', recordingStatus);
    assert.equal(colorOf({ record: false }), 'descriptionForeground');
    assert.equal(colorOf({ recordingStatus: 'waiting' }), 'liveStreams.processingForeground');
    assert.equal(colorOf({ recordingStatus: 'failed' }), 'liveStreams.failedForeground');
    for (const recordingStatus of ['ready', 'odd', undefined])
      assert.equal(colorOf({ recordingStatus, mp4Url: 'https://x/a.mp4' }), undefined, recordingStatus);
  });

  it('opens its details on a click where there is nothing to play', () => {
    for (const recordingStatus of ['waiting', 'ready', 'failed', 'deleted', 'none', 'odd', undefined]) {
      assert.equal(rowOf({ record: true, recordingStatus }).command, 'showSession', recordingStatus);
    }
    assert.equal(rowOf({ record: false }).command, 'showSession');
    assert.equal(rowOf({ recordingUrl: '' }).command, 'showSession');
  });

  it('watches its stream on a click while it is live', () => {
    const stream = aLiveStream({ id: 'a', lastSeen: NOW });
    const session = aSession({ id: 's', createdAt: NOW - 12 * MINUTE, lastSeen: NOW, record: true });
    const row = sessionRow(aSnapshot({ streams: [stream], sessions: { a: [session] } }), 'a', 's');
    assert.deepEqual([row.command, row.contextValue], ['watchStream', 'session.recorded.live']);
  });

  it('survives odd numbers and words', () => {
    const odd = rowOf({
      createdAt: Number.NaN,
      sourceSegmentsDuration: Number.POSITIVE_INFINITY,
      record: true,
      recordingStatus: 'x'.repeat(9999),
    });
    assert.equal(odd.label, 'Unknown start time');
    assert.ok((odd.description?.length ?? 0) <= 60);
    assert.equal(rowOf({ createdAt: NOW + 400 * DAY }).label, 'Dec 25, 2027 10:54');
  });

  it('shows no ID once it is gone', () => {
    assert.equal(sessionRow(aSnapshot(), 'a', 's'), GONE);
  });
});
