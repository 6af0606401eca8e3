import assert from 'node:assert/strict';
import type { Session } from '../../../src/api/types.ts';
import { groupNode, streamNode } from '../../../src/model/rows/nodes.ts';
import { DEFAULT_SETTINGS } from '../../../src/model/settingValues.ts';
import type { ConnectionState, ListName, ListState } from '../../../src/model/store/snapshot.ts';
import { orphansNode } from '../../../src/tree/childStreamRows.ts';
import { drawRow } from '../../../src/tree/nodeTable.ts';
import { streamsState } from '../../../src/tree/treeState.ts';
import {
  aConnection,
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
  openConnection,
} from '../../support/model/builders.ts';
import { childrenOf, DRAWING, groupRow, textOf, textsUnder } from './drawnTree.ts';

const SHOWN_CHILDREN = { ...DEFAULT_SETTINGS, showHistoricChildStreams: true };

const UNLOADED = { isLoaded: false, ids: [], revealed: 0 };

function idsUnder(...args: Parameters<typeof childrenOf>) {
  return childrenOf(...args).map((node) => node.id);
}

describe('the root', () => {
  it('has the three groups in their order, with their counts', () => {
    const streams = [aLiveStream({ id: 'a', record: true }), aStream({ id: 'b' }), aStream({ id: 'c' })];
    assert.deepEqual(textsUnder(aSnapshot({ streams })), ['Active | 1 live', 'Idle | 2', 'Recording On | 1']);
  });

  it('is empty without a connection, and for an account that is known to be empty', () => {
    for (const connection of [
      { kind: 'starting' },
      { kind: 'none' },
      { kind: 'keyless', info: aConnection() },
    ] as const) {
      assert.deepEqual(textsUnder(aSnapshot({ connection, streams: [aStream({ id: 'a' })] })), []);
    }
    assert.deepEqual(textsUnder(aSnapshot()), []);
    assert.deepEqual(textsUnder(aSnapshot({ connection: openConnection({ isDemo: true }) })), []);
  });

  it('begins with Retry while the service fails and rows may be out of date, unless something else helps', () => {
    const first = (parts: Parameters<typeof aSnapshot>[0]) =>
      textsUnder(aSnapshot({ streams: [aLiveStream({ id: 'a' })], ...parts }))[0];
    const trouble = aTrouble('network');
    assert.equal(first({ trouble }), 'Retry');
    assert.equal(first({}), 'Active | 1 live');
    assert.equal(first({ trouble: aTrouble('forbidden') }), 'Set API Key…');
    assert.equal(first({ trouble: aTrouble('network', { why: 'proxyAuthentication' }) }), 'Open Proxy Settings');
    assert.equal(first({ trouble, showsAllConnections: true }), 'Active | 1 live');
    const lists = { idle: { trouble: aTrouble('forbidden') } };
    assert.equal(first({ trouble, lists }), 'Retry', 'what is wrong with one list comes after the connection');
  });

  it('is only what can be done, and the filter, where nothing was loaded before the connection failed', () => {
    const lists = { active: UNLOADED, idle: UNLOADED, recording: UNLOADED };
    const refused = { kind: 'refused', info: aConnection() } as const;
    for (const [parts, act] of [
      [{ trouble: aTrouble('unavailable', { status: 503 }) }, 'Retry'],
      [{ trouble: aTrouble('forbidden') }, 'Set API Key…'],
      [{ trouble: aTrouble('notFound') }, 'Connect Again…'],
      [{ connection: refused }, 'Set API Key…'],
    ] as const) {
      for (const showsAllConnections of [false, true]) {
        assert.deepEqual(textsUnder(aSnapshot({ ...parts, lists, showsAllConnections })), [act]);
      }
      assert.deepEqual(textsUnder(aSnapshot({ ...parts, lists, filter: 'x' })), [act, 'Filtered by "x"']);
    }
    assert.deepEqual(textsUnder(aSnapshot({ connection: refused })), ['Set API Key…'], 'of an empty account');
  });

  it('count nothing as live that the status bar no longer counts, but say how many rows there are', () => {
    const silent = aFact(aLiveStream({ id: 's', lastSeen: NOW - 5 * MINUTE }));
    const snapshot = aSnapshot({ streams: [aLiveStream({ id: 'a' }), silent], trouble: aTrouble('network') });
    const active = (ago: number, refreshInterval = 15) =>
      groupRow(snapshot, 'active', { now: NOW + ago, refreshInterval }).description;
    assert.equal(active(2 * MINUTE - 1), '1 live, 1 without data');
    assert.equal(active(2 * MINUTE), '2');
    assert.equal(active(2 * MINUTE, 300), '1 live, 1 without data');
    assert.equal(groupRow({ ...snapshot, trouble: undefined }, 'active').description, '1 live, 1 without data');
    // Without automatic refreshes, nothing fails, but the number gets as old.
    const old = { now: NOW + 2 * MINUTE, refreshInterval: 0 };
    assert.equal(groupRow({ ...snapshot, trouble: undefined }, 'active', old).description, '2');
    assert.equal(streamsState({ ...snapshot, trouble: undefined }, { ...DRAWING, ...old }).badge, undefined);
  });

  it('is not empty while it is unknown whether there are streams', () => {
    assert.equal(textsUnder(aSnapshot({ lists: { idle: UNLOADED } })).length, 3);
    assert.equal(textsUnder(aSnapshot({ lists: { active: { ...UNLOADED, trouble: aTrouble('network') } } })).length, 3);
    assert.deepEqual(textsUnder(aSnapshot({ filter: 'x' })), ['No stream matches "x"', 'Clear Filter']);
    assert.equal(textsUnder(aSnapshot({ settings: SHOWN_CHILDREN })).length, 4);
    assert.equal(textsUnder(aSnapshot({ lists: { idle: { hasNextPage: true } } })).length, 3);
  });

  it('says which streams were searched for a tag, as services have no filter for tags', () => {
    const streams = [
      aStream({ id: 's1', isActive: true, tags: { event: 'Summit' } }),
      aStream({ id: 's2', tags: { event: 'Summit' } }),
      aStream({ id: 's3', tags: { event: 'Party' } }),
    ];
    const first = (idle: object) =>
      textsUnder(aSnapshot({ streams, filter: 'event:summit', streamCount: 59, lists: { idle } }))[0];
    assert.equal(first({}), 'Filtered by "event:summit": 2 of 59');
    assert.equal(first({ hasNextPage: true, total: 58 }), 'Filtered by "event:summit": 2 of 3 loaded streams');
  });

  it('begins with the filter and its numbers, and hides groups without a match', () => {
    const streams = [aStream({ id: 'a', name: 'Webcam' }), aLiveStream({ id: 'b', name: 'Weekly' })];
    const texts = (parts: Parameters<typeof aSnapshot>[0]) =>
      textsUnder(aSnapshot({ streams, streamCount: 59, ...parts }));
    const groups = ['Active | 1 live', 'Idle | 1'];
    assert.deepEqual(texts({ filter: 'we' }), ['Filtered by "we": 2 of 59', ...groups]);
    assert.deepEqual(texts({ filter: 'webc' }), ['Filtered by "webc": 1 of 59', 'Idle | 1']);
    assert.deepEqual(texts({ filter: 'zz' }), ['No stream matches "zz"', 'Clear Filter']);
    assert.deepEqual(texts({ filter: '$(zap)\n' }), ['No stream matches "$(zap)"', 'Clear Filter']);
    assert.equal(texts({ filter: 'we', streamCount: undefined })[0], 'Filtered by "we": 2');
    const page = { hasNextPage: true, isFiltered: true };
    assert.equal(texts({ filter: 'we', lists: { idle: { ...page, total: 11 } } })[0], 'Filtered by "we": 12 of 59');
    assert.equal(texts({ filter: 'we', lists: { idle: page } })[0], 'Filtered by "we": 2+ of 59');
  });

  it('says nothing of what matches before it is known, and shows a group that may have some', () => {
    const loading = textsUnder(aSnapshot({ filter: 'x', lists: { idle: UNLOADED, recording: UNLOADED } }));
    assert.deepEqual(loading, ['Filtered by "x"', 'Idle', 'Recording On']);
    const counted = { idle: UNLOADED, recording: { ...UNLOADED, total: 0 } };
    assert.deepEqual(textsUnder(aSnapshot({ filter: 'x', lists: counted })), ['Filtered by "x"', 'Idle']);
    const trouble = aTrouble('network');
    const failed = { active: { trouble }, idle: { ...UNLOADED, trouble } };
    assert.deepEqual(textsUnder(aSnapshot({ filter: 'x', lists: failed })), ['Filtered by "x"', 'Idle']);
  });

  it('begins with what the person should do', () => {
    const streams = [aStream({ id: 'a' })];
    const refused = { kind: 'refused', info: aConnection() } as const;
    const first = (parts: Parameters<typeof aSnapshot>[0]) => {
      const snapshot = aSnapshot({ streams, ...parts });
      const node = childrenOf(snapshot, undefined)[0];
      assert.ok(node);
      return drawRow(snapshot, node, DRAWING);
    };
    const key = first({ connection: refused });
    const icon = { id: 'key', color: 'liveStreams.warningForeground' };
    assert.deepEqual(
      [key.label, key.description, key.command, key.icon],
      ['Set API Key…', undefined, 'setApiKey', icon],
    );
    assert.equal(key.accessibilityLabel, 'Set API Key…, The API key was rejected.');
    const forbidden = first({ trouble: aTrouble('forbidden') });
    assert.deepEqual([textOf(forbidden), forbidden.command], ['Set API Key…', 'setApiKey']);
    const ofGroup = first({ lists: { idle: { trouble: aTrouble('forbidden', { detail: 'user is *new*' }) } } });
    assert.equal(textOf(ofGroup), 'Set API Key… | access denied', 'no message says it');
    assert.match(ofGroup.tooltip?.().markdown ?? '', /request\\: \\"user is \\\*new\\\*\\\.\\"/);
    const proxy = first({ trouble: aTrouble('network', { why: 'proxyAuthentication' }) });
    assert.deepEqual([textOf(proxy), proxy.command], ['Open Proxy Settings', 'openProxySettings']);
    const demo = first({ connection: openConnection({ isDemo: true }) });
    assert.equal(demo.label, 'Active', 'the view says itself that it is the demo');
  });

  it('says in words that a key was refused below what is expanded and was never loaded', () => {
    const trouble = aTrouble('unauthorized', { status: 401 });
    const refused = { kind: 'refused', info: aConnection() } as const;
    const unloaded = aSubList<Session>([], { isLoaded: false, trouble });
    const snapshot = aSnapshot({
      connection: refused,
      streams: [aLiveStream({ id: 'a' })],
      sessions: { a: unloaded },
      lists: { recording: { ...UNLOADED, trouble }, idle: UNLOADED },
    });
    assert.deepEqual(textsUnder(snapshot, streamNode('active', 'a')), ['The API key was rejected.']);
    const groups = [textsUnder(snapshot, groupNode('recording')).at(-1), textsUnder(snapshot, groupNode('idle'))];
    assert.deepEqual(groups, ['API key rejected', []], 'the message has the sentence');
  });

  it('alone says that a key was refused: no list offers to retry, and all keep their rows', () => {
    const trouble = aTrouble('unauthorized');
    const parts = {
      streams: [aLiveStream({ id: 'a' }), aStream({ id: 'b' })],
      sessions: { a: aSubList([aSession({ id: 's', sourceSegmentsDuration: 60 })], { trouble }) },
      lists: { idle: { trouble, missing: 2 } },
      orphans: aSubList([aStream({ id: 'c' })], { trouble }),
      settings: SHOWN_CHILDREN,
    };
    const lists = [streamNode('active', 'a'), groupNode('idle'), orphansNode()];
    const kinds = (connection: ConnectionState) =>
      lists.map((node) => childrenOf(aSnapshot({ ...parts, connection }), node).map(({ kind }) => kind));
    assert.deepEqual(kinds(openConnection()), [
      ['session', 'retry'],
      ['stream', 'retry'],
      ['child', 'retry'],
    ]);
    assert.deepEqual(kinds({ kind: 'refused', info: aConnection() }), [['session'], ['stream'], ['child']]);
  });

  it('ends with the deprecated child streams where they are wanted', () => {
    const snapshot = aSnapshot({ streams: [aStream({ id: 'a' })], settings: SHOWN_CHILDREN });
    assert.equal(textsUnder(snapshot).at(-1), 'Deprecated Child Streams');
  });
});

describe('a group', () => {
  const two = [aStream({ id: 'a', lastSeen: NOW - HOUR }), aStream({ id: 'b', lastSeen: NOW - 2 * HOUR })];

  it('says in its last row that the service sorts otherwise, while there is more than was loaded', () => {
    const last = (list: 'idle' | 'recording', state: Partial<ListState>) => {
      const streams = two.map((stream) => ({ ...stream, record: true }));
      return textsUnder(aSnapshot({ streams, lists: { [list]: state } }), groupNode(list)).at(-1);
    };
    for (const list of ['idle', 'recording'] as const) {
      assert.equal(last(list, { hasNextPage: true, isSorted: false }), 'Load More | only 2 sorted');
      assert.equal(last(list, { hasNextPage: true, isSorted: true }), 'Load More');
      assert.match(last(list, { hasNextPage: false, isSorted: false }) ?? '', /^b \| 2 h ago/);
    }
  });

  it('says in its last row that only loaded streams are filtered, while there is more that the service did not filter', () => {
    const last = (idle: object, filter = 'a') =>
      textsUnder(aSnapshot({ streams: two, filter, lists: { idle } }), groupNode('idle')).at(-1);
    const said = 'Load More | only 2 filtered';
    assert.equal(last({ hasNextPage: true, isFiltered: false }), said);
    assert.equal(last({ hasNextPage: true, isFiltered: true }), 'Load More');
    assert.equal(last({ hasNextPage: true, isFiltered: false }, ''), 'Load More');
    assert.equal(last({ isFiltered: false }, 'none'), 'No matching streams');
  });

  it('says in its last row how many streams no page held', () => {
    const last = (missing: number) =>
      textsUnder(aSnapshot({ streams: two, lists: { idle: { missing } } }), groupNode('idle')).at(-1);
    assert.equal(last(1), "Retry | 1 stream couldn't be loaded");
    assert.equal(last(1300), "Retry | 1,300 streams couldn't be loaded");
  });

  it('counts what it shows of what there is', () => {
    const described = (idle: object) => groupRow(aSnapshot({ streams: two, lists: { idle } }), 'idle').description;
    assert.equal(described({}), '2');
    assert.equal(described({ hasNextPage: true, total: 2340 }), '2 of 2,340');
    assert.equal(described({ hasNextPage: true }), '2+');
    assert.equal(described(UNLOADED), undefined);
    assert.equal(described({ isStale: true }), '2 · may be out of date');
  });

  it('starts expanded if it is Active, or Idle where it is short or nothing is live', () => {
    const state = (parts: Parameters<typeof aSnapshot>[0], list: 'active' | 'idle' | 'recording') =>
      groupRow(aSnapshot(parts), list).collapsible;
    assert.equal(state({ streams: two }, 'active'), 'expanded');
    assert.equal(state({ streams: two }, 'idle'), 'expanded');
    const many = Array.from({ length: 21 }, (_, at) => aStream({ id: `idle-${at}` }));
    const live = aLiveStream({ id: 'c' });
    assert.equal(state({ streams: [...many, live] }, 'idle'), 'collapsed');
    assert.equal(state({ streams: [...many.slice(1), live] }, 'idle'), 'expanded');
    const unloaded = { streams: [live], lists: { idle: UNLOADED } };
    assert.equal(state(unloaded, 'idle'), 'collapsed', 'nobody knows how many there are');
    assert.equal(state({ ...unloaded, streamCount: 21 }, 'idle'), 'expanded', 'one of them is live');
    assert.equal(state({ ...unloaded, streamCount: 22 }, 'idle'), 'collapsed');
    assert.equal(state({ streams: two }, 'recording'), 'collapsed');
  });

  it('has rows with ids that are keys', () => {
    assert.deepEqual(idsUnder(aSnapshot({ streams: two }), groupNode('idle')), ['idle/a', 'idle/b']);
  });

  it('says in one row that it is empty', () => {
    const snapshot = aSnapshot({ lists: { idle: UNLOADED } });
    assert.deepEqual(textsUnder(snapshot, groupNode('active')), ['No live streams']);
    assert.deepEqual(textsUnder(aSnapshot(), groupNode('idle')), ['No idle streams']);
    assert.deepEqual(textsUnder(aSnapshot(), groupNode('recording')), ['No streams have recording turned on']);
    assert.deepEqual(textsUnder(snapshot, groupNode('idle')), [], 'not loaded is not empty');
  });

  it('says Retry where it could not be loaded, and keeps its rows where it was', () => {
    const trouble = aTrouble('unavailable', { status: 503, host: 'service.test' });
    const never = aSnapshot({ lists: { recording: { ...UNLOADED, trouble } } });
    assert.deepEqual(textsUnder(never, groupNode('recording')), ['Retry | service.test is unavailable (503).']);
    const before = aSnapshot({ streams: two, lists: { idle: { trouble } } });
    assert.deepEqual(idsUnder(before, groupNode('idle')), ['idle/a', 'idle/b', 'idle/+retry']);
    const active = aSnapshot({ lists: { active: { ...UNLOADED, trouble } } });
    assert.deepEqual(idsUnder(active, groupNode('active')), ['active/+retry']);
  });

  it('leaves Retry to the view’s first row while that has it, unless there is nothing else below', () => {
    const trouble = aTrouble('unavailable', { status: 500 });
    const lists = { idle: { trouble }, recording: { ...UNLOADED, trouble } };
    const outage = aSnapshot({ streams: two, lists, trouble });
    assert.equal(textsUnder(outage)[0], 'Retry');
    assert.deepEqual(idsUnder(outage, groupNode('idle')), ['idle/a', 'idle/b']);
    assert.deepEqual(textsUnder(outage, groupNode('recording')), ['Retry | service unavailable']);
    const sessions = {
      a: aSubList([aSession({ id: 's' })], { trouble }),
      b: aSubList([], { isLoaded: false, trouble }),
    };
    const below = aSnapshot({ streams: two, sessions, trouble });
    assert.deepEqual(idsUnder(below, streamNode('idle', 'a')), ['idle/a/s']);
    assert.deepEqual(idsUnder(below, streamNode('idle', 'b')), ['idle/b/+retry']);
    const isBack = aSnapshot({ streams: two, lists });
    assert.deepEqual(idsUnder(isBack, groupNode('idle')).at(-1), 'idle/+retry');
  });

  it('ends with Load more before Retry where both are due', () => {
    const lists = { idle: { hasNextPage: true, trouble: aTrouble('network') } };
    assert.deepEqual(idsUnder(aSnapshot({ streams: two, lists }), groupNode('idle')), [
      'idle/a',
      'idle/b',
      'idle/+more',
      'idle/+retry',
    ]);
    const orphans = aSubList([aStream({ id: 'o', parentId: 'gone' })], {
      hasNextPage: true,
      trouble: aTrouble('network'),
    });
    assert.deepEqual(
      idsUnder(aSnapshot({ settings: SHOWN_CHILDREN, orphans }), orphansNode())
        .slice(1)
        .map((id) => id.split('/').at(-1)),
      ['+more', '+retry'],
    );
  });

  it('lets the view’s message tell of a failed look while live streams are on screen', () => {
    const snapshot = aSnapshot({
      streams: [aLiveStream({ id: 'a' })],
      lists: { active: { trouble: aTrouble('network') } },
    });
    assert.deepEqual(idsUnder(snapshot, groupNode('active')), ['active/a']);
  });

  it('says in its tooltip what it lists, and how many rows could not be read', () => {
    const plain = (list: ListName) => groupRow(aSnapshot({ streams: two }), list).tooltip?.().markdown;
    assert.equal(plain('active'), 'Streams that the service reports as live');
    assert.equal(plain('idle'), "Streams that aren't live");
    assert.equal(plain('recording'), 'Streams with recording turned on');
    const toldOf = (unreadable: number) =>
      groupRow(aSnapshot({ streams: two, lists: { idle: { unreadable } } }), 'idle').tooltip?.().markdown;
    const [idle, many, one] = [plain('idle'), "1,200 items couldn't be read", "1 item couldn't be read"];
    assert.equal(toldOf(1200), `${idle}\n\n${many} and aren't shown.`);
    assert.equal(toldOf(1), `${idle}\n\n${one} and isn't shown.`);
    const stale = groupRow(aSnapshot({ streams: two, lists: { recording: { isStale: true } } }), 'recording').tooltip;
    assert.match(stale?.().markdown ?? '', /^Streams with recording turned on\n\nSome streams that just ended/);
  });

  it('ends with Load More where the service has more rows', () => {
    const snapshot = aSnapshot({ streams: two, lists: { idle: { hasNextPage: true } } });
    const more = childrenOf(snapshot, groupNode('idle')).at(-1);
    assert.ok(more);
    const row = drawRow(snapshot, more, DRAWING);
    assert.deepEqual([textOf(row), row.command, row.contextValue], ['Load More', 'loadMore', 'more']);
    const here = aSnapshot({ streams: two, lists: { idle: { revealed: 1 } } });
    assert.deepEqual(idsUnder(here, groupNode('idle')), ['idle/a', 'idle/+more']);
  });

  it('shows stale streams last', () => {
    const streams = [aLiveStream({ id: 'stale', lastSeen: NOW - HOUR }), aLiveStream({ id: 'live' })];
    assert.deepEqual(idsUnder(aSnapshot({ streams }), groupNode('active')), ['active/live', 'active/stale']);
  });
});

describe('a stream', () => {
  const streams = [aStream({ id: 'a' })];
  const under = streamNode('idle', 'a');

  it('has its sessions, newest first as they are known', () => {
    const snapshot = aSnapshot({ streams, sessions: { a: [aSession({ id: 's2' }), aSession({ id: 's1' })] } });
    assert.deepEqual(idsUnder(snapshot, under), ['idle/a/s2', 'idle/a/s1']);
  });

  it('shows a session once, though two rows came with its id', () => {
    const snapshot = aSnapshot({ streams, sessions: { a: [aSession({ id: 's' }), aSession({ id: 's' })] } });
    assert.deepEqual(idsUnder(snapshot, under), ['idle/a/s']);
  });

  it('says that there are none', () => {
    assert.deepEqual(textsUnder(aSnapshot({ streams, sessions: { a: [] } }), under), ['No sessions yet']);
    assert.deepEqual(textsUnder(aSnapshot({ streams }), under), [], 'not loaded is not none');
    const live = aSnapshot({ streams: [aLiveStream({ id: 'a' })], sessions: { a: [] } });
    assert.deepEqual(
      textsUnder(live, streamNode('active', 'a')),
      ['Session not listed yet'],
      'its session is about to be listed',
    );
  });

  it('says Retry where they could not be loaded, below those that were', () => {
    const trouble = aTrouble('timeout');
    const never = aSnapshot({ streams, sessions: { a: aSubList([], { isLoaded: false, trouble }) } });
    assert.deepEqual(textsUnder(never, under), ['Retry | service.test took too long to respond.']);
    const gone = aSubList([], { isLoaded: false, trouble: aTrouble('notFound') });
    const sentence = 'Retry | This stream no longer exists.';
    assert.deepEqual(textsUnder(aSnapshot({ streams, sessions: { a: gone } }), under), [sentence]);
    const before = aSnapshot({
      streams,
      sessions: { a: aSubList([aSession({ id: 's' })], { trouble, hasNextPage: true }) },
    });
    assert.deepEqual(idsUnder(before, under), ['idle/a/s', 'idle/a/+more', 'idle/a/+retry']);
  });

  it('lists deprecated child streams after them where they are wanted, marked, and told from a session of the same id', () => {
    const parts = {
      streams,
      sessions: { a: [aSession({ id: 'x' })] },
      children: { a: [aStream({ id: 'x', name: 'old', parentId: 'a' })] },
    };
    assert.deepEqual(idsUnder(aSnapshot(parts), under), ['idle/a/x']);
    const shown = aSnapshot({ ...parts, settings: SHOWN_CHILDREN });
    assert.deepEqual(idsUnder(shown, under), ['idle/a/x', 'idle/a/+child/x']);
    assert.equal(textsUnder(shown, under).at(-1), 'old | deprecated · never live');
  });
});

describe('deprecated child streams without a parent', () => {
  it('stand in a group of their own', () => {
    const orphans = aSubList([aStream({ id: 'o', parentId: 'gone', streamKey: 'k' })]);
    const snapshot = aSnapshot({ settings: SHOWN_CHILDREN, orphans });
    const [node] = childrenOf(snapshot, orphansNode());
    assert.ok(node);
    assert.equal(drawRow(snapshot, node, DRAWING).contextValue, 'child.hasKey');
    assert.equal(textsUnder(snapshot).at(-1), 'Deprecated Child Streams | 1');
    const none = aSnapshot({ settings: SHOWN_CHILDREN, orphans: aSubList<never>([]) });
    assert.deepEqual(textsUnder(none, orphansNode()), ['No deprecated child streams']);
  });
});
