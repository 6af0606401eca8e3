import assert from 'node:assert/strict';
import { decodeClip } from '../../../src/api/clips.ts';
import type { ApiErrorReason } from '../../../src/api/errors.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import type { Stream } from '../../../src/api/types.ts';
import { groupNode, type Node } from '../../../src/model/rows/nodes.ts';
import { DEFAULT_SETTINGS } from '../../../src/model/settingValues.ts';
import type { Snapshot, StreamFact } from '../../../src/model/store/snapshot.ts';
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
  SECOND,
} from '../../support/model/builders.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';
import { heldTree } from './heldTree.ts';

const SHOWN_CHILDREN = { ...DEFAULT_SETTINGS, showHistoricChildStreams: true };

const live = aLiveStream({ id: 'live', record: true });
const idle = aStream({ id: 'idle', lastSeen: NOW - HOUR });
const other = aStream({ id: 'other', lastSeen: NOW - 2 * HOUR });

/** The same snapshot with these streams known otherwise, as if read by id: lists stay as they were. */
function withStreams(snapshot: Snapshot, ...streams: readonly Stream[]): Snapshot {
  const facts = new Map(snapshot.streams);
  for (const stream of streams) facts.set(stream.id, aFact(stream));
  return { ...snapshot, streams: facts };
}

function withList(snapshot: Snapshot, list: 'active' | 'idle' | 'recording', given: object): Snapshot {
  return { ...snapshot, lists: { ...snapshot.lists, [list]: { ...snapshot.lists[list], ...given } } };
}

/** All three groups open. */
async function openTree(streams: readonly Stream[], parts = {}) {
  const first = aSnapshot({ streams, ...parts });
  const tree = heldTree(first);
  for (const list of ['active', 'idle', 'recording']) await tree.openPath(list);
  tree.fired.length = 0;
  return { ...tree, first };
}

/** Counts how often a stream is looked up. */
class CountedStreams extends Map<string, StreamFact> {
  gets = 0;
  override get(id: string): StreamFact | undefined {
    this.gets += 1;
    return super.get(id);
  }
}

describe('what is drawn again', () => {
  it('is found with one look at the rows of a large group', async () => {
    const streams = Array.from({ length: 5000 }, (_, n) => aStream({ id: `s${n}`, lastSeen: NOW - n }));
    const { first, change, model } = await openTree(streams);
    const counted = new CountedStreams(first.streams);
    const current = { ...first, streams: counted };
    counted.set('s7', aFact(aStream({ id: 's7', name: 'Another', lastSeen: NOW - 7 })));
    assert.deepEqual(change(current), [['idle/s7']]);
    for (const list of ['active', 'idle', 'recording'] as const) model.row(groupNode(list));
    assert.equal(model.find({ kind: 'stream', id: 's9' })?.id, 'idle/s9');
    assert.ok(counted.gets < 5100, `${counted.gets} streams looked up`);
  });

  it('is a stream whose health has another problem, and not one that was checked again', async () => {
    const { first, change } = await openTree([live, idle]);
    const target = { id: 't1', profile: 'source', name: 'YouTube' };
    const read = (isMet: boolean, checkedAt: number) =>
      new Map([['live', [{ type: 'Multistreaming', isMet, since: undefined, checkedAt, target }]]]);
    const rows = ['active/live', 'recording/live'];
    assert.deepEqual(change({ ...first, health: read(true, 1) }).flat(), []);
    assert.deepEqual(change({ ...first, health: read(false, 2) }).flat(), rows);
    assert.deepEqual(change({ ...first, health: read(false, 3) }).flat(), []);
    const targets = new Map([['t1', { id: 't1', name: 'YouTube', isDisabled: true }]]);
    assert.deepEqual(change({ ...first, health: read(false, 3), targets }).flat(), rows, 'the target is off');
  });

  it('is everything when what is known becomes old, and again when it is not: icons lose their color, Retry comes', async () => {
    const { first, change, openPath } = await openTree([live, idle]);
    const old = { ...first, trouble: aTrouble('network') };
    assert.deepEqual(change(old), [['ROOT']]);
    for (const list of ['active', 'idle', 'recording']) await openPath(list);
    assert.deepEqual(change({ ...old, trouble: aTrouble('timeout') }), [['+retry']], 'it speaks why');
    assert.deepEqual(change(first), [['ROOT']]);
  });

  it('is all that is live then, if the rows of all connections are shown, where their own rows offer to retry', async () => {
    const { first, change, model } = await openTree([live, idle], { showsAllConnections: true });
    await model.children(groupNode('active'));
    assert.deepEqual(change({ ...first, trouble: aTrouble('network') }), [['active/live', 'recording/live']]);
    assert.deepEqual(change(first), [['active/live', 'recording/live']]);
  });

  it('is everything when a setting changes, as rows may be drawn by it', async () => {
    const streams = Array.from({ length: 5 }, (_, n) => aStream({ id: `s${n}`, lastSeen: NOW - n }));
    const { first, change } = await openTree(streams);
    assert.deepEqual(change({ ...first, settings: { ...DEFAULT_SETTINGS, playIn: 'browser' } }), [['ROOT']]);
  });

  it('is nothing before anything was painted', () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    assert.deepEqual(tree.change(aSnapshot({ streams: [idle], generation: 2 })), []);
  });

  it('is nothing when an answer brought nothing new', async () => {
    const { first, change } = await openTree([live, idle]);
    const again = new Map(
      [...first.streams].map(([id, fact]) => [id, { ...fact, startedAt: NOW + 1, serverDate: NOW + 1 }]),
    );
    assert.deepEqual(change({ ...withList(first, 'active', { loadedAt: NOW + 1 }), streams: again }), []);
    assert.deepEqual(
      change({
        ...first,
        streams: again,
        lists: { ...first.lists, active: { ...first.lists.active, isLoading: true } },
      }),
      [],
    );
  });

  it('is a changed stream’s own row, in every group it is painted in, with one event', async () => {
    const { first, change } = await openTree([live, idle]);
    const changed = withStreams(first, { ...live, name: 'Keynote', transcodedSegmentsDuration: 3 });
    assert.deepEqual(change(changed), [['active/live', 'recording/live']]);
  });

  it('is only what was painted', async () => {
    const tree = heldTree(aSnapshot({ streams: [live, idle] }));
    await tree.openPath('active');
    assert.deepEqual(tree.change(withStreams(tree.store.snapshot, { ...live, name: 'x' }, { ...idle, name: 'y' })), [
      ['active/live'],
    ]);
  });

  it('is the row of a stream that something is being done to', async () => {
    const { first, change } = await openTree([live, idle]);
    assert.deepEqual(change({ ...first, operations: new Map([['idle', 'deleting']]) }), [['idle/idle']]);
    assert.deepEqual(change(first), [['idle/idle']]);
  });

  it('is the row of a stale stream whose age is told anew, and not of one that is live', async () => {
    const stale = aLiveStream({ id: 'stale', lastSeen: NOW - 4 * MINUTE });
    const { first, change } = await openTree([live, stale]);
    const later = new Map([...first.streams].map(([id, fact]) => [id, { ...fact, serverDate: NOW + MINUTE }]));
    assert.deepEqual(change({ ...first, streams: later }), [['active/stale']]);
  });

  it('is the small groups that a stream leaves and enters, each once, without their rows', async () => {
    const { first, change } = await openTree([live, idle, other]);
    assert.deepEqual(change(withStreams(first, { ...idle, isActive: true, lastSeen: NOW })), [['active', 'idle']]);
  });

  it('is a group that is still closed when its count changes', async () => {
    const tree = heldTree(aSnapshot({ streams: [live, idle] }));
    await tree.open();
    const more = withStreams(tree.store.snapshot, { ...other, isActive: true, lastSeen: NOW });
    assert.deepEqual(tree.change(more), [['active']]);
  });

  it('is the group when only the order changed', async () => {
    const { first, change } = await openTree([idle, other]);
    assert.deepEqual(change({ ...first, sort: 'name' }), []);
    assert.deepEqual(
      change({ ...first, sort: 'createdAt', streams: withStreams(first, { ...other, createdAt: NOW }).streams }),
      [['idle']],
    );
  });

  it('is the stream when its sessions changed while it is open, and not when they were only read again', async () => {
    const parts = { sessions: { live: [aSession({ id: 's' })] } };
    const tree = heldTree(aSnapshot({ streams: [live, idle], ...parts }));
    await tree.openPath('active', 'active/live');
    await tree.openPath('recording');
    const { snapshot } = tree.store;
    const sessions = (items: ReturnType<typeof aSession>[], given = {}) => ({
      ...snapshot,
      sessions: new Map([['live', aSubList(items, given)]]),
    });
    assert.deepEqual(tree.change(sessions([aSession({ id: 's' })], { loadedAt: NOW + 1, isLoading: true })), []);
    assert.deepEqual(tree.change(sessions([aSession({ id: 's2' }), aSession({ id: 's' })])), [['active/live']]);
    assert.deepEqual(tree.change({ ...snapshot, sessions: new Map() }), [['active/live']], 'has to be asked for anew');
  });

  it('is nothing when a poll brings only what no row shows: tooltips and menus below a live stream stay open', async () => {
    const running = aSession({ id: 's', createdAt: NOW - MINUTE, lastSeen: NOW });
    const tree = heldTree(aSnapshot({ streams: [live], sessions: { live: [running] } }));
    await tree.openPath('active', 'active/live');
    const { snapshot } = tree.store;
    const polled = withStreams(snapshot, { ...live, lastSeen: NOW + 5 * SECOND, transcodedSegmentsDuration: 9 });
    assert.deepEqual(tree.change(polled), []);
    const session = { ...running, lastSeen: NOW + 5 * SECOND, transcodedSegmentsDuration: 9 };
    assert.deepEqual(tree.change({ ...polled, sessions: new Map([['live', aSubList([session])]]) }), []);
  });

  it('is the row of the session alone whose recording became ready', async () => {
    const waiting = aSession({ id: 's', record: true, recordingStatus: 'waiting' });
    const tree = heldTree(aSnapshot({ streams: [idle], sessions: { idle: [waiting, aSession({ id: 't' })] } }));
    await tree.openPath('idle', 'idle/idle');
    const ready = { ...waiting, recordingStatus: 'ready', recordingUrl: 'https://play.test/s.m3u8' } as const;
    const sessions = new Map([['idle', aSubList([ready, aSession({ id: 't' })])]]);
    assert.deepEqual(tree.change({ ...tree.store.snapshot, sessions }), [['idle/idle/s']]);
  });

  it('is the stream when its deprecated child streams came or changed, where it is open', async () => {
    const tree = heldTree(aSnapshot({ streams: [live, idle], settings: SHOWN_CHILDREN }));
    await tree.openPath('active', 'active/live');
    await tree.openPath('idle');
    const { snapshot } = tree.store;
    const children = (...names: readonly string[]) => ({
      ...snapshot,
      children: new Map([['live', aSubList(names.map((name) => aStream({ id: name, name, parentId: 'live' })))]]),
    });
    assert.deepEqual(tree.change(children('one')), [['active/live']]);
    await tree.openPath('active', 'active/live');
    assert.deepEqual(tree.change(children('one')), [], 'read again');
    assert.deepEqual(tree.change(children('one', 'two')), [['active/live']]);
  });

  it('is the group whose list has to be loaded anew, though its rows are the same', async () => {
    const { first, change } = await openTree([live]);
    assert.deepEqual(change(withList(first, 'recording', { isLoaded: false, ids: [] })), [['recording']]);
  });

  it('is such a group also where it is large', async () => {
    const lives = Array.from({ length: 300 }, (_, i) => aLiveStream({ id: `l${i}`, record: true }));
    const { first, change } = await openTree(lives);
    assert.deepEqual(change(withList(first, 'recording', { isLoaded: false })), [['recording']]);
  });

  it('is the end of a list while more is being loaded', async () => {
    const { first, change } = await openTree([live, idle], { lists: { idle: { ids: ['idle'], hasNextPage: true } } });
    assert.deepEqual(change(withList(first, 'idle', { isLoadingMore: true })), [['idle/+more']]);
  });

  it('is the end of a stream’s sessions while they are being loaded, as the end says so', async () => {
    const loaded = aSubList([aSession({ id: 's' })], { hasNextPage: true });
    const { first, change, openPath, model } = await openTree([idle], { sessions: { idle: loaded } });
    const stream = await openPath('idle', 'idle/idle');
    const more = (await model.children(stream)).at(-1);
    assert.ok(more);
    const loading = { ...first, sessions: new Map([['idle', { ...loaded, isLoading: true }]]) };
    assert.deepEqual(change(loading), [['idle/idle/+more']]);
    assert.equal(model.row(more).label, 'Loading…');
    assert.deepEqual(change(first), [['idle/idle/+more']]);
    assert.equal(model.row(more).label, 'Load More');
    change(loading);
    model.row(more);
    const all = { ...loaded, items: [...loaded.items, aSession({ id: 't' })], hasNextPage: false };
    assert.deepEqual(change({ ...first, sessions: new Map([['idle', all]]) }), [['idle/idle']], 'the row goes');
  });

  it('is the group where Retry has to appear', async () => {
    const { first, change } = await openTree([live, idle]);
    assert.deepEqual(change(withList(first, 'idle', { trouble: aTrouble('network') })), [['idle']]);
  });

  it('is a notice whose reason has changed, which it speaks and does not show', async () => {
    const failing = (reason: ApiErrorReason) => aSnapshot({ streams: [live], trouble: aTrouble(reason) });
    const tree = heldTree(failing('network'));
    const [notice] = await tree.open();
    const spoken = () => tree.model.row(notice ?? assert.fail()).accessibilityLabel;
    assert.match(spoken(), /^Retry, Couldn't reach/);
    assert.deepEqual(tree.change(failing('timeout')), [[notice?.id]]);
    assert.match(spoken(), /^Retry, .* took too long/);
  });

  it('is the root for another connection, for notices, and between welcome and rows; else never', async () => {
    const { first, change } = await openTree([live]);
    const { connection } = first;
    assert.ok(connection.kind === 'open');
    assert.deepEqual(change({ ...first, connection: { kind: 'open', info: { ...connection.info, name: 'New' } } }), []);
    assert.deepEqual(change({ ...first, connection: { kind: 'refused', info: connection.info } }), [['ROOT']]);
    const empty = heldTree(aSnapshot());
    assert.deepEqual(await empty.open(), []);
    assert.deepEqual(empty.change(aSnapshot({ streams: [live] })), [['ROOT']]);
    await empty.open();
    assert.deepEqual(empty.change(aSnapshot()), [['ROOT']]);
    assert.deepEqual(empty.change(aSnapshot({ generation: 2 })), [['ROOT']]);
  });

  it('is nothing while the rows are being asked for: the answer will be right', async () => {
    const unloaded = aSnapshot({ streams: [live], lists: { idle: { isLoaded: false, ids: [] } } });
    const tree = heldTree(unloaded);
    await tree.open();
    tree.answers.onEnsure = (what) => {
      if (what === 'idle') assert.deepEqual(tree.change(aSnapshot({ streams: [live, idle] })), []);
    };
    await tree.openPath('idle');
    assert.deepEqual(tree.fired, [['idle']], 'once, for the count that is known now');
  });
});

describe('a group of 10,000 shown rows', () => {
  const many = Array.from({ length: 10_000 }, (_, i) =>
    aStream({ id: `s${i}`, lastSeen: NOW - HOUR - i * SECOND, createdAt: NOW - HOUR + i }),
  );
  const parts = { lists: { idle: { revealed: 10_000 }, recording: { revealed: 10_000 } } };
  const [first10k] = many;
  assert.ok(first10k);
  const start = { ...first10k, isActive: true, lastSeen: NOW };

  it('is not drawn again when one of them goes live: its row alone, and Active', async () => {
    const { first, change } = await openTree(many, parts);
    const events = change(withStreams(first, start));
    assert.deepEqual(events, [['active', 'idle/s0']]);
  });

  it('loses the row of a stream that went live at the next pause, and its count is right from there on', async () => {
    const { first, change, model, fired } = await openTree(many, parts);
    model.redrawOverdue();
    assert.deepEqual(fired, [], 'nothing left');
    change(withStreams(first, start));
    model.redrawOverdue();
    assert.deepEqual(fired.splice(0), [['idle']]);
    const group = model.find({ kind: 'stream', id: 's1' });
    const idleGroup = group && model.parent(group);
    assert.equal(idleGroup?.id, 'idle');
    assert.equal(idleGroup && model.row(idleGroup).description, '9,999');
    assert.equal((await model.children(idleGroup)).length, 9999);
    model.redrawOverdue();
    assert.deepEqual(fired, []);
  });

  it('has the rows of Active and at most 4 more asked for when one of them goes live', async () => {
    const lives = Array.from({ length: 50 }, (_, i) => aLiveStream({ id: `l${i}` }));
    const { first, change, model, openPath } = await openTree([...many, ...lives], parts);
    const open = new Set(['active', 'idle', 'recording']);
    let asked = 0;
    /** As VS Code does with a row that is fired: the row itself, and what is under it where that is open. */
    const paint = async (node: Node): Promise<void> => {
      asked += 1;
      model.row(node);
      if (open.has(node.id)) for (const child of await model.children(node)) await paint(child);
    };
    const drawAgain: Node[] = [];
    model.onDidChange((nodes) => void drawAgain.push(...(nodes ?? assert.fail('the root was fired'))));
    change(withStreams(first, start));
    for (const node of drawAgain.splice(0)) await paint(node);
    const active = await model.children(await openPath('active'));
    assert.equal(active.length, 51);
    assert.ok(asked <= active.length + 4, `${asked} rows`);
  });

  it('keeps the row of a stream that left, with its true state, until the group is listed again', async () => {
    const { first, change, model, openPath } = await openTree(many, parts);
    const went = withStreams(first, start);
    change(went);
    await openPath('active');
    assert.deepEqual(change(withStreams(went, { ...start, name: 'x' })), [['active/s0', 'idle/s0']]);
    assert.equal(model.find({ kind: 'stream', id: 's0' })?.id, 'active/s0');
    const ids = went.lists.idle.ids.slice(1);
    const again = withList(went, 'idle', { ids, loadedAt: NOW + 1 });
    assert.deepEqual(change(again), [['active/s0', 'idle']]);
  });

  it('is drawn again for a row that has to appear in the group', async () => {
    const { first, change } = await openTree([...many, live], parts);
    const ended = { ...withStreams(first, { ...live, isActive: false }), leftActive: new Set(['live']) };
    assert.deepEqual(change(ended), [['active', 'idle', 'recording/live']]);
  });

  it('is not drawn again because another row moves up where one left', async () => {
    const { first, change } = await openTree(many, { lists: { idle: { revealed: 500 } } });
    assert.deepEqual(change(withStreams(first, start)), [['active', 'idle/s0']]);
  });

  it('is drawn again when it is sorted or filtered', async () => {
    const { first, change } = await openTree(many, parts);
    assert.deepEqual(change({ ...first, sort: 'createdAt' }), [['idle']]);
    assert.deepEqual(change({ ...first, filter: 's1' }), [['ROOT']], 'the filter has a row');
  });

  it('costs little to compare', async () => {
    const { first, change } = await openTree(many, parts);
    assertCpuTime(2000, () => {
      for (let i = 0; i < 10; i += 1) change(withStreams(first, { ...start, transcodedSegmentsDuration: i }));
    });
  });
});

describe('time', () => {
  const aListOfClips = () => {
    const clip = decodeClip({ id: 'c', source: { sessionId: 's' } }, new KnownSecrets()) ?? assert.fail();
    return new Map([['live', [clip]]]);
  };

  it('draws again just the rows whose words it changed', async () => {
    const tree = await openTree([live, idle, { ...other, lastSeen: NOW - 4 * MINUTE }]);
    tree.model.tick();
    assert.deepEqual(tree.fired, []);
    tree.clock.now = NOW + MINUTE;
    tree.model.tick();
    assert.deepEqual(tree.fired.splice(0), [['idle/other']]);
    tree.model.tick();
    assert.deepEqual(tree.fired, []);
  });

  it('draws the number of live streams again once it is too old while nothing is loaded, and no other number', async () => {
    const first = aSnapshot({ streams: [live, idle] });
    const tree = heldTree(first);
    await tree.openPath('active', 'active/live');
    tree.change({ ...first, trouble: aTrouble('network') });
    tree.clock.now = NOW + 2 * MINUTE;
    tree.model.tick();
    assert.ok(tree.fired.splice(0).flat().includes('active'));
    tree.model.tick();
    assert.deepEqual(tree.fired, []);
  });

  it('asks nobody and draws at most 200 rows at once, the others next', async () => {
    const many = Array.from({ length: 500 }, (_, i) => aStream({ id: `s${i}`, lastSeen: NOW - 4 * MINUTE }));
    const tree = await openTree(many);
    tree.asked.length = 0;
    tree.clock.now = NOW + MINUTE;
    const counts = [1, 2, 3, 4].map(() => {
      tree.model.tick();
      return tree.fired.splice(0).flat().length;
    });
    assert.deepEqual(counts, [200, 200, 100, 0]);
    assert.deepEqual(tree.asked, []);
  });

  it('lets a running session run', async () => {
    const session = aSession({ id: 's', createdAt: NOW - 12 * MINUTE, lastSeen: NOW });
    const tree = heldTree(aSnapshot({ streams: [live], sessions: { live: [session] } }));
    await tree.openPath('active', 'active/live');
    tree.clock.now = NOW + MINUTE;
    tree.model.tick();
    assert.deepEqual(tree.fired, [['active/live/s']]);
  });

  it('is no reason to draw a row again at each change, which takes the rows below it away for a moment', async () => {
    const session = aSession({ id: 's', createdAt: NOW - 119_000, lastSeen: NOW });
    const first = aSnapshot({ streams: [live], sessions: { live: [session] }, clips: aListOfClips() });
    const tree = heldTree(first);
    await tree.openPath('active', 'active/live', 'active/live/s');
    tree.clock.now = NOW + 2000;
    tree.change({ ...first, clips: aListOfClips() });
    assert.deepEqual(tree.fired, []);
    tree.model.tick();
    assert.deepEqual(tree.fired.splice(0), [['active/live/s']]);
  });
});
