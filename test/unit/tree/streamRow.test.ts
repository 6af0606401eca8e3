import assert from 'node:assert/strict';
import type { Stream } from '../../../src/api/types.ts';
import type { TestBroadcast } from '../../../src/model/store/snapshot.ts';
import { CONTEXT_VALUES } from '../../../src/tree/contextValues.ts';
import { GONE } from '../../../src/tree/row.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSnapshot,
  aStream,
  aTrouble,
  DAY,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
} from '../../support/model/builders.ts';
import { streamRow, textOf } from './drawnTree.ts';

function rowOf(stream: Stream, serverDate = NOW) {
  return streamRow(aSnapshot({ streams: [aFact(stream, { serverDate })] }), stream.id);
}

describe('a stream row', () => {
  it('says nothing about a live stream but that it records: its place and icon say that it is live', () => {
    assert.equal(textOf(rowOf(aLiveStream({ id: 'a', name: 'Keynote' }))), 'Keynote');
    assert.equal(textOf(rowOf(aLiveStream({ id: 'a', name: 'Keynote', record: true }))), 'Keynote | recording');
  });

  it('says by its icon alone that the next broadcast is recorded, which leaves room for when it was live', () => {
    const stream = aStream({ id: 'a', record: true, lastSeen: NOW - 3 * HOUR });
    assert.deepEqual([rowOf(stream).description, rowOf(stream).icon], ['3 h ago', { id: 'record-small' }]);
    assert.match(rowOf(stream).accessibilityLabel, /recording on/);
    assert.equal(rowOf(aStream({ id: 'a', record: true, suspended: true })).description, 'suspended');
  });

  it('says first, in a word, that not everybody can watch it: the icon is that of its state', () => {
    const policyOf = (type: string) => ({ playbackPolicy: { type, webhookId: undefined, allowedOrigins: [] } });
    const given = { id: 'a', name: 'Members', lastSeen: NOW - 3 * HOUR };
    for (const type of ['jwt', 'webhook', 'lit_signing_condition']) {
      const idle = rowOf(aStream({ ...given, ...policyOf(type) }));
      assert.deepEqual([idle.description, idle.icon], ['private · 3 h ago', { id: 'circle-outline' }], type);
      assert.equal(idle.accessibilityLabel, 'Members, idle, last live 3 hours ago, private');
      const live = rowOf(aLiveStream({ id: 'a', name: 'Members', record: true, ...policyOf(type) }));
      assert.equal(textOf(live), 'Members | private · recording');
      assert.equal(live.icon?.id, 'record');
      assert.equal(live.accessibilityLabel, 'Members, live, recording, private');
    }
    const worded = (fields: object) => rowOf(aStream({ ...given, ...policyOf('jwt'), ...fields })).description;
    assert.equal(worded({ suspended: true }), 'private · suspended');
    assert.equal(worded({ isActive: true, record: true, lastSeen: NOW - 4 * MINUTE }), 'private · no data for 4 min');
    const unhealthy = { isActive: true, record: true, lastSeen: NOW, isHealthy: false };
    assert.equal(worded(unhealthy), 'private · recording · unhealthy');
    const open = rowOf(aStream({ ...given, ...policyOf('public') }));
    assert.deepEqual([open.description, open.icon], ['3 h ago', { id: 'circle-outline' }]);
  });

  it('has no color while what is known may be old, and says so to a screen reader', () => {
    const streams = [aLiveStream({ id: 'a', name: 'Keynote', record: true })];
    const old = [
      aSnapshot({ streams, trouble: aTrouble('network') }),
      aSnapshot({ streams, connection: { kind: 'refused', info: aConnection() } }),
    ];
    for (const snapshot of old) {
      const row = streamRow(snapshot, 'a');
      assert.deepEqual(row.icon, { id: 'record', color: 'descriptionForeground' });
      assert.equal(row.accessibilityLabel, 'Keynote, live, recording, may be out of date');
    }
    const silent = aStream({ id: 'c', isActive: true, lastSeen: NOW - HOUR });
    const trouble = aTrouble('timeout');
    const { icon } = streamRow(aSnapshot({ streams: [silent], trouble }), 'c');
    assert.deepEqual(icon, { id: 'question', color: 'descriptionForeground' });
    const idle = aStream({ id: 'b', suspended: true });
    const known = streamRow(aSnapshot({ streams: [idle] }), 'b').icon;
    assert.deepEqual(streamRow(aSnapshot({ streams: [idle], trouble: aTrouble('network') }), 'b').icon, known);
  });

  it('has its whole name, however long: VS Code cuts what does not fit', () => {
    const name = `Quarterly all-hands ${'with questions from every office '.repeat(9)}end`;
    const row = rowOf(aStream({ id: 'a', name, lastSeen: NOW - 3 * DAY }));
    assert.equal(textOf(row), `${name} | 3 d ago`);
    assert.equal(row.accessibilityLabel, `${name}, idle, last live 3 days ago`);
    assert.match(row.tooltip?.().markdown ?? '', /every office end\*\*/);
  });

  it('looks like a live stream that is not healthy, and tells a screen reader so', () => {
    const row = rowOf(aLiveStream({ id: 'a', name: 'Keynote', record: true, isHealthy: false }));
    assert.equal(textOf(row), 'Keynote | recording · unhealthy');
    assert.equal(row.accessibilityLabel, 'Keynote, live, unhealthy, recording');
    assert.deepEqual(row.icon, { id: 'warning', color: 'liveStreams.warningForeground' });
    for (const isHealthy of [true, undefined]) {
      assert.equal(rowOf(aLiveStream({ id: 'a', isHealthy })).icon?.id, 'broadcast');
    }
    assert.equal(rowOf(aStream({ id: 'a', isHealthy: false })).description, 'never live');
  });

  it('looks so too where its health says what is wrong, such as a target that it does not reach', () => {
    const stream = aLiveStream({ id: 'a', name: 'Keynote', record: true, isHealthy: true });
    const failing = {
      ...{ type: 'Multistreaming', isMet: false, since: undefined, checkedAt: undefined },
      target: { id: 't1', profile: 'source', name: 'YouTube' },
    };
    const health = new Map([['a', [failing]]]);
    const row = streamRow(aSnapshot({ streams: [stream], health }), 'a');
    assert.equal(textOf(row), 'Keynote | recording · YouTube failing');
    assert.equal(row.accessibilityLabel, 'Keynote, live, YouTube failing, recording');
    assert.deepEqual(row.icon, { id: 'warning', color: 'liveStreams.warningForeground' });
    const twitch = { ...failing, target: { id: 't2', profile: 'source', name: 'Twitch' } };
    const two = new Map([['a', [failing, twitch]]]);
    assert.equal(
      textOf(streamRow(aSnapshot({ streams: [stream], health: two }), 'a')),
      'Keynote | recording · 2 problems',
    );
    const tooltip = row.tooltip?.();
    assert.match(tooltip?.markdown ?? '', /Live · recording\n\n\*\*YouTube failing/);
    assert.ok(tooltip?.links?.some(({ command }) => command === 'checkStream'));
    assert.doesNotMatch(tooltip?.markdown ?? '', /healthy/);
  });

  it('is labelled by its id where its name has nothing to see', () => {
    for (const name of ['', '  ', '\u200b\u00ad', '\u2800', '\u3164']) {
      assert.equal(rowOf(aLiveStream({ id: 'id-1', name })).label, 'id-1');
      assert.equal(rowOf(aLiveStream({ id: 'id-1', name })).accessibilityLabel, 'id-1, live');
    }
  });

  it('doubts a live stream without data for more than 90 s before its answer, by the answer’s own clock', () => {
    const seen = NOW - DAY;
    const stream = aLiveStream({ id: 'a', name: 'Back stage', lastSeen: seen, record: true });
    assert.equal(textOf(rowOf(stream, seen + 90 * SECOND)), 'Back stage | recording');
    assert.equal(textOf(rowOf(stream, seen + 4 * MINUTE)), 'Back stage | no data for 4 min');
  });

  it('does not let that doubt grow between answers', () => {
    const snapshot = aSnapshot({ streams: [aLiveStream({ id: 'a', lastSeen: NOW - 4 * MINUTE })] });
    const later = streamRow(snapshot, 'a', { now: NOW + HOUR });
    assert.equal(later.description, 'no data for 4 min');
  });

  it('does not judge a live stream that was never seen', () => {
    assert.equal(rowOf(aStream({ id: 'a', isActive: true })).description, undefined);
  });

  it('says when an idle stream was seen', () => {
    const seen = (ms: number) => rowOf(aStream({ id: 'a', lastSeen: NOW - ms })).description;
    assert.deepEqual([3 * HOUR, 4 * MINUTE, 2 * DAY, 20 * SECOND].map(seen), [
      '3 h ago',
      '4 min ago',
      '2 d ago',
      'just now',
    ]);
    assert.equal(rowOf(aStream({ id: 'a' })).description, 'never live');
    assert.deepEqual([59_999, 60_000].map(seen), ['just now', '1 min ago']);
    assert.equal(seen(-HOUR), 'just now', 'a wrong clock here shows no nonsense');
    const far = rowOf(aStream({ id: 'a', lastSeen: Date.UTC(9999, 0, 2, 3, 4) })).description;
    assert.equal(far, 'Jan 2, 9999 03:04');
  });

  it('says how long its test broadcast goes on, of the open connection alone', () => {
    const broadcast = { connectionId: aConnection().id, name: 'Keynote', state: 'live', droppedPercent: 0 } as const;
    const rowWith = (change: Partial<TestBroadcast>, stream = aLiveStream({ id: 'a', record: true })) => {
      const testBroadcasts = new Map([['a', { ...broadcast, secondsLeft: 135, ...change }]]);
      return streamRow(aSnapshot({ streams: [stream], testBroadcasts }), 'a');
    };
    assert.equal(rowWith({}).description, '2:15 left in test broadcast · recording');
    assert.match(rowWith({}).contextValue, /\.tested$/);
    assert.equal(rowWith({}, aStream({ id: 'a' })).description, '2:15 left in test broadcast');
    assert.equal(rowWith({ secondsLeft: undefined }).description, 'test broadcast · recording');
    assert.equal(rowWith({ state: 'reconnecting' }).description, 'test broadcast, reconnecting… · recording');
    assert.match(rowWith({ state: 'connecting' }).accessibilityLabel, /^a, test broadcast, connecting…, live/);
    assert.equal(rowWith({ connectionId: 'another' }).description, 'recording');
  });

  it('says suspended, also while a suspended stream is still live', () => {
    assert.equal(rowOf(aStream({ id: 'a', suspended: true })).description, 'suspended');
    const live = aLiveStream({ id: 'a', suspended: true, record: true });
    for (const { description, icon, accessibilityLabel } of [rowOf(live), rowOf(live, NOW + 4 * MINUTE)]) {
      assert.deepEqual([description, icon?.id], ['suspended', 'circle-slash']);
      assert.equal(accessibilityLabel, 'a, suspended, still live, recording on');
    }
  });

  it('says which change is running, with a spinner', () => {
    const row = streamRow(
      aSnapshot({ streams: [aLiveStream({ id: 'a' })], operations: new Map([['a', 'deleting']]) }),
      'a',
    );
    assert.equal(row.description, 'Deleting…');
    assert.equal(row.icon?.id, 'loading~spin');
  });

  it('shows each state by another shape, and in words', () => {
    const rows = [
      rowOf(aLiveStream({ id: 'a' })),
      rowOf(aLiveStream({ id: 'a', record: true })),
      rowOf(aLiveStream({ id: 'a', lastSeen: NOW - HOUR })),
      rowOf(aStream({ id: 'a' })),
      rowOf(aStream({ id: 'a', suspended: true })),
    ];
    assert.equal(new Set(rows.map((row) => row.icon?.id)).size, rows.length);
    assert.deepEqual(fieldsOf(rows, 'accessibilityLabel'), [
      'a, live',
      'a, live, recording',
      'a, no data for 1 hour',
      'a, idle, never live',
      'a, suspended',
    ]);
  });

  it('has the id for a name that is blank', () => {
    assert.equal(rowOf(aStream({ id: 'abc-1', name: '  ' })).label, 'abc-1');
  });

  it('shows names of any kind on one line, and cuts only absurd ones', () => {
    assert.equal(rowOf(aStream({ id: 'a', name: 'x'.repeat(10_000) })).label, `${'x'.repeat(999)}…`);
    assert.equal(rowOf(aStream({ id: 'a', name: '$(zap) <b>[x](y)</b>' })).label, '$(zap) <b>[x](y)</b>');
    assert.equal(rowOf(aStream({ id: 'a', name: 'שידור חי' })).label, '\u2068שידור חי\u2069');
    assert.equal(rowOf(aStream({ id: 'a', name: 'one\ntwo' })).label, 'one two');
  });

  it('never holds the stream key', () => {
    const row = rowOf(aLiveStream({ id: 'a', streamKey: 'sec-ret-key', name: '' }));
    assert.ok(!JSON.stringify(row).includes('sec-ret-key'));
    assert.ok(row.tooltip !== undefined && !row.tooltip().markdown.replaceAll('\\', '').includes('sec-ret-key'));
  });

  it('tells menus what it has', () => {
    const all = aLiveStream({ id: 'a', record: true, suspended: true, streamKey: 'k', playbackId: 'p' });
    assert.equal(rowOf(all).contextValue, 'stream.active.recordOn.suspended.hasKey.hasPlayback');
    assert.equal(rowOf(aStream({ id: 'a', streamKey: '' })).contextValue, 'stream.idle.recordOff');
    const stale = rowOf(aLiveStream({ id: 'a', lastSeen: NOW - HOUR }));
    assert.equal(stale.contextValue, 'stream.active.recordOff.stale');
    for (const row of [rowOf(all), rowOf(aStream({ id: 'a' })), stale])
      assert.ok(CONTEXT_VALUES.includes(row.contextValue));
  });

  it('expands on a click: it has no command', () => {
    const row = rowOf(aLiveStream({ id: 'a' }));
    assert.equal(row.command, undefined);
    assert.equal(row.collapsible, 'collapsed');
  });

  it('shows no ID and offers nothing if its stream is gone, or belongs to the connection before', () => {
    assert.equal(streamRow(aSnapshot(), 'abc'), GONE);
  });
});

describe('context values', () => {
  it('are all different, and hold each token once', () => {
    assert.equal(new Set(CONTEXT_VALUES).size, CONTEXT_VALUES.length);
    for (const value of ['session', 'session.hasMp4', 'child.hasKey.hasPlayback', 'group.idle', 'notice']) {
      assert.ok(CONTEXT_VALUES.includes(value), value);
    }
  });
});
