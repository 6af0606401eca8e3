import assert from 'node:assert/strict';
import type { Clip } from '../../../src/api/clips.ts';
import type { Session, Stream } from '../../../src/api/types.ts';
import {
  clipNode,
  dayNode,
  endNode,
  filterNode,
  groupNode,
  type Node,
  type NoticeKind,
  noticeNode,
  recordingNode,
  recordingsNode,
  sessionNode,
  streamNode,
} from '../../../src/model/rows/nodes.ts';
import type { RecordingState } from '../../../src/model/store/sessions.ts';
import { LIST_NAMES, type Operation, type Snapshot } from '../../../src/model/store/snapshot.ts';
import type { StreamState } from '../../../src/model/store/streams.ts';
import { childNode, orphanNode, orphansNode } from '../../../src/tree/childStreamRows.ts';
import { drawRow, NODES } from '../../../src/tree/nodeTable.ts';
import type { Row } from '../../../src/tree/row.ts';
import { dayNumber } from '../../../src/util/dates.ts';
import {
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aSubList,
  aTrouble,
  HOUR,
  MINUTE,
  NOW,
} from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

type Streams = Readonly<Record<StreamState | 'liveRecording' | 'liveSuspended' | 'recordOn', Stream>>;

/** Their name has no letters, so that all words in a label are about their state. */
const name = '1';
const STREAMS: Streams = {
  live: aLiveStream({ id: 'live', name }),
  liveRecording: aLiveStream({ id: 'liveRecording', name, record: true }),
  liveSuspended: aLiveStream({ id: 'liveSuspended', name, suspended: true }),
  stale: aLiveStream({ id: 'stale', name, lastSeen: NOW - HOUR }),
  idle: aStream({ id: 'idle', name, lastSeen: NOW - HOUR }),
  recordOn: aStream({ id: 'recordOn', name, lastSeen: NOW - HOUR, record: true }),
  suspended: aStream({ id: 'suspended', name, suspended: true }),
};

const recorded = (recordingStatus: string | undefined) => ({ record: true, recordingStatus });
const SESSIONS: Readonly<Record<RecordingState, Partial<Session>>> = {
  running: { createdAt: NOW - 12 * MINUTE, lastSeen: NOW - 5000 },
  waiting: recorded('waiting'),
  ready: recorded('ready'),
  failed: recorded('failed'),
  deleted: recorded('deleted'),
  none: recorded('none'),
  notRecorded: {},
  unknown: recorded('archived'),
};

const OPERATIONS: Readonly<Record<Operation, true>> = {
  renaming: true,
  turningRecordingOn: true,
  turningRecordingOff: true,
  suspending: true,
  resuming: true,
  settingPolicy: true,
  settingTags: true,
  settingRenditions: true,
  endingBroadcast: true,
  deleting: true,
};
const NOTICES: Readonly<Record<NoticeKind, true>> = {
  keyRefused: true,
  keyForbidden: true,
  apiNotFound: true,
  proxyPassword: true,
  loading: true,
  retry: true,
  clearFilter: true,
  noStreams: true,
};

const facts = Object.values(STREAMS).map((stream) => aFact(stream));
const ended = Object.entries(SESSIONS)
  .filter(([state]) => state !== 'running')
  .map(([state, given]) => aSession({ id: state, parentId: 'idle', ...given }));
const running = aSession({ id: 'running', parentId: 'live', ...SESSIONS.running });
const snapshot = aSnapshot({
  streams: facts,
  sessions: { idle: ended, live: [running] },
  children: { idle: [aStream({ id: 'child', name, lastSeen: NOW - HOUR })] },
  orphans: aSubList([aStream({ id: 'orphan', name })]),
  recordings: { ...aSnapshot().recordings, items: [...ended, running], isLoaded: true, revealed: 100 },
});

interface Drawn {
  readonly what: string;
  readonly kind: Node['kind'];
  readonly row: Row;
}

const CLIPPED = sessionNode('idle', 'idle', 'clipped');
const CLIPS: readonly Clip[] = ['ready', 'failed', 'processing', 'waiting'].map((phase) => ({
  ...{ id: phase, name: `A ${phase} one`, sessionId: 'clipped', createdAt: 5, phase, seconds: 30 },
  ...{ progress: phase === 'processing' ? 0.5 : undefined, problem: undefined },
  ...{ downloadUrl: 'https://example.com/clip.mp4', playbackUrl: undefined },
}));
const withClips: Snapshot = { ...snapshot, clips: new Map([['idle', CLIPS]]) };

const drawn: readonly Drawn[] = [
  ...LIST_NAMES.flatMap((list) => [
    draw('loaded', groupNode(list)),
    draw('not loaded', groupNode(list), withList(list, { isLoaded: false })),
    draw('may be out of date', groupNode(list), withList(list, { isStale: true })),
    draw('with a total', groupNode(list), withList(list, { hasNextPage: true, total: 2340 })),
  ]),
  ...Object.keys(STREAMS).map((id) => draw(id, streamNode('idle', id))),
  ...Object.keys(OPERATIONS).map((operation) => draw(operation, streamNode('active', 'live'), during(operation))),
  ...ended.map(({ id }) => draw(id, sessionNode('idle', 'idle', id))),
  draw('running', sessionNode('active', 'live', 'running')),
  ...[...ended, running].map(({ id, parentId }) => draw(id, recordingNode(id, parentId))),
  draw('of a parent', childNode('idle', 'idle', 'child')),
  draw('without a parent', orphanNode('orphan', undefined)),
  draw('a day', dayNode(dayNumber(NOW, DRAWING))),
  draw('an unknown day', dayNode(undefined)),
  draw('the root', recordingsNode()),
  draw('loaded', orphansNode()),
  ...(['more', 'retry', 'empty'] as const).flatMap((kind) => [
    draw('of a group', endNode(kind, groupNode('idle')), withList('idle', { trouble: aTrouble('unavailable') })),
    draw('of a stream', endNode(kind, streamNode('idle', 'idle'))),
    draw('of orphans', endNode(kind, orphansNode())),
  ]),
  draw('while it loads', endNode('more', groupNode('idle')), withList('idle', { isLoadingMore: true })),
  ...(Object.keys(NOTICES) as NoticeKind[]).map((notice) => draw(notice, noticeNode(notice))),
  ...['e', 'nothing is called so'].map((filter) => draw(filter, filterNode(), { ...snapshot, filter })),
  ...CLIPS.map((clip) => draw(clip.phase, clipNode(CLIPPED, clip.id), withClips)),
];

function draw(what: string, node: Node, of: Snapshot = snapshot): Drawn {
  return { what, kind: node.kind, row: drawRow(of, node, DRAWING) };
}

function withList(list: (typeof LIST_NAMES)[number], given: Partial<Snapshot['lists']['idle']>): Snapshot {
  return { ...snapshot, lists: { ...snapshot.lists, [list]: { ...snapshot.lists[list], ...given } } };
}

function during(operation: string): Snapshot {
  return { ...snapshot, operations: new Map([['live', operation as Operation]]) };
}

/** What is left of a label without names, numbers, times and days: words of a state. */
function stateWords(label: string): string {
  return label
    .replace(/\b(ago|just now|never live|today|yesterday|(hour|minute|day|second|year)s?)\b/gi, '')
    .replace(/[^\p{L}?]+/gu, ' ')
    .trim();
}

describe('What a screen reader says of a row', () => {
  it('is tried with every kind of row', () => {
    assert.deepEqual([...new Set(drawn.map(({ kind }) => kind))].sort(), Object.keys(NODES).sort());
  });

  for (const { what, kind, row } of drawn) {
    it(`has words of its state, and no signs that are not spoken: ${kind}, ${what}`, () => {
      // A day has no state.
      if (kind === 'day') assert.equal(row.accessibilityLabel, row.label);
      else assert.match(stateWords(row.accessibilityLabel), /\p{L}{2}/u, row.accessibilityLabel);
      assert.doesNotMatch(row.accessibilityLabel, /[·|$\n]|, ,|\s{2}/);
    });
  }

  it('has other words wherever the icon is another', () => {
    const byKind = Map.groupBy(drawn, ({ kind }) => kind);
    for (const [kind, rows] of byKind) {
      const icons = new Map<string, string>();
      for (const { row } of rows) {
        const words = stateWords(row.accessibilityLabel);
        const icon = `${row.icon?.id} ${row.icon?.color}`;
        assert.equal(icons.get(words) ?? icon, icon, `"${words}" is said of two icons (${kind})`);
        icons.set(words, icon);
      }
    }
  });

  it('says how many, and what is wrong with them', () => {
    const label = (of: Snapshot, list: (typeof LIST_NAMES)[number]) =>
      draw('', groupNode(list), of).row.accessibilityLabel;
    assert.equal(label(snapshot, 'active'), 'Active, 2 live, 1 without data');
    assert.equal(label(withList('active', { ids: ['live'] }), 'idle'), 'Idle, 3 streams');
    assert.equal(label(withList('idle', { isStale: true }), 'idle'), 'Idle, 3 streams, may be out of date');
    assert.equal(label(withList('idle', { hasNextPage: true, total: 2340 }), 'idle'), 'Idle, 3 of 2,340 streams');
    assert.equal(draw('', orphansNode()).row.accessibilityLabel, 'Deprecated Child Streams, 1 stream');
    assert.equal(draw('', dayNode(dayNumber(NOW, DRAWING))).row.accessibilityLabel, 'Today');
  });
});
