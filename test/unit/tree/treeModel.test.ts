import assert from 'node:assert/strict';
import { connectionNode, type Node } from '../../../src/model/rows/nodes.ts';
import { DEFAULT_SETTINGS } from '../../../src/model/settingValues.ts';
import { aConnection, aLiveStream, aSession, aSnapshot, aStream, NOW } from '../../support/model/builders.ts';
import { heldTree } from './heldTree.ts';

const SHOWN_CHILDREN = { ...DEFAULT_SETTINGS, showHistoricChildStreams: true };

const UNLOADED = { isLoaded: false, ids: [], revealed: 0, loadedAt: undefined };
const live = aLiveStream({ id: 'live', record: true });
const idle = aStream({ id: 'idle' });

const labels = async (tree: ReturnType<typeof heldTree>) =>
  (await tree.open()).map((node) => tree.model.row(node).label);

describe('the tree model', () => {
  it('asks for the active streams and the counts alone before the root answers', async () => {
    const tree = heldTree(aSnapshot({ lists: { active: UNLOADED, idle: UNLOADED, recording: UNLOADED } }));
    tree.answers.onEnsure = () =>
      void tree.change(aSnapshot({ streams: [live], lists: { idle: UNLOADED, recording: UNLOADED } }));
    const roots = await tree.open();
    assert.deepEqual(tree.asked, ['active', 'counts']);
    assert.deepEqual(
      roots.map((node) => [node.id, tree.model.row(node).collapsible]),
      [
        ['active', 'expanded'],
        ['idle', 'collapsed'],
        ['recording', 'collapsed'],
      ],
    );
  });

  it('asks for the idle ones as well where nothing is live, and opens Idle', async () => {
    const tree = heldTree(aSnapshot({ lists: { idle: UNLOADED } }));
    tree.answers.onEnsure = (what) => {
      if (what === 'idle') tree.change(aSnapshot({ streams: [idle] }));
    };
    const roots = await tree.open();
    assert.deepEqual(tree.asked, ['active', 'idle', 'counts']);
    assert.equal(roots[1] && tree.model.row(roots[1]).collapsible, 'expanded');
    assert.deepEqual(tree.fired, []);
  });

  it('asks nobody without a connection, and not for idle ones after a failed look', async () => {
    const none = heldTree(aSnapshot({ connection: { kind: 'keyless', info: aConnection() } }));
    assert.deepEqual(await none.open(), []);
    assert.deepEqual(none.asked, []);
    const failed = heldTree(aSnapshot({ lists: { active: UNLOADED, idle: UNLOADED } }));
    await failed.open();
    assert.deepEqual(failed.asked, ['active']);
  });

  it('answers for the connection that is open when the answer came', async () => {
    const tree = heldTree(aSnapshot({ lists: { active: UNLOADED } }));
    tree.answers.onEnsure = () => {
      tree.answers.onEnsure = () => undefined;
      tree.change(aSnapshot({ generation: 2, streams: [live] }));
    };
    assert.equal((await tree.open()).length, 3);
    assert.deepEqual(tree.asked, ['active', 'active', 'counts']);
  });

  it('has no rows under a row of another connection, before it asks and after', async () => {
    const tree = heldTree(aSnapshot({ streams: [live, idle] }));
    const [, group] = await tree.open();
    assert.ok(group);
    tree.answers.onEnsure = () => void tree.change(aSnapshot({ generation: 2, streams: [live, idle] }));
    assert.deepEqual(await tree.model.children(group), []);
    tree.asked.length = 0;
    assert.deepEqual(await tree.model.children(group), []);
    assert.deepEqual(tree.asked, []);
  });

  it('loads a group or the sessions of a stream when it is opened', async () => {
    const tree = heldTree(aSnapshot({ streams: [live, idle] }));
    await tree.openPath('recording', 'recording/live');
    assert.deepEqual(tree.asked, ['active', 'counts', 'recording', 'sessions of live']);
    tree.change({ ...tree.store.snapshot, settings: SHOWN_CHILDREN });
    tree.asked.length = 0;
    await tree.openPath('active', 'active/live');
    await tree.openPath('historic');
    assert.deepEqual(tree.asked.filter((what) => what !== 'counts').slice(1), [
      'active',
      'sessions of live',
      'children of live',
      'active',
      'orphans',
    ]);
  });

  it('hands out the same object for a row for as long as the connection is open', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    const before = await tree.openPath('active', 'active/live');
    tree.change(aSnapshot({ streams: [{ ...live, name: 'other', isActive: true }] }));
    assert.equal(await tree.openPath('active', 'active/live'), before);
    tree.change(aSnapshot({ generation: 2, streams: [live] }));
    await tree.open();
    assert.notEqual(await tree.openPath('active', 'active/live'), before);
    tree.asked.length = 0;
    assert.deepEqual(await tree.model.children(before), [], 'a row of another connection asks nobody');
    assert.deepEqual(tree.asked, []);
  });

  it('has the rows of a connection open or closed as they were when it is opened again', async () => {
    const [first, other] = [aConnection({ id: 'first' }), aConnection({ id: 'other' })];
    const of = (info: typeof first, generation: number) =>
      aSnapshot({ generation, connection: { kind: 'open', info }, streams: [live, idle] });
    const tree = heldTree(of(first, 1));
    const states = async () => (await tree.open()).map((node) => tree.model.row(node).collapsible);
    await tree.openPath('recording');
    const [active] = await tree.open();
    assert.ok(active);
    tree.model.closed(active);
    tree.change(of(other, 2));
    await tree.open();
    assert.deepEqual(await states(), ['expanded', 'expanded', 'collapsed']);
    tree.change(of(first, 3));
    await tree.open();
    assert.deepEqual(await states(), ['collapsed', 'expanded', 'expanded']);
  });

  it('takes the rows of another connection away at once, and shows the new ones when they are loaded', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    await tree.openPath('active');
    tree.answers.onEnsure = () => new Promise(() => undefined);
    assert.deepEqual(tree.change(aSnapshot({ generation: 2, streams: [live] })), [['ROOT']]);
    assert.equal(tree.model.hasOldRows, true);
    assert.deepEqual(await labels(tree), ['Loading…']);
    assert.equal(tree.model.hasOldRows, false);
    assert.deepEqual(tree.fired.splice(0), [['ROOT']]);
    tree.answers.onEnsure = () => undefined;
    assert.deepEqual(await labels(tree), ['Active', 'Idle', 'Recording On']);
  });

  it('does the same where VS Code was waiting for rows of the connection before', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    await tree.openPath('active');
    tree.answers.onEnsure = () => new Promise(() => undefined);
    const waiting = labels(tree);
    tree.change(aSnapshot({ generation: 2, streams: [live] }));
    assert.deepEqual(await waiting, ['Loading…']);
    tree.answers.onEnsure = () => undefined;
    assert.deepEqual(await labels(tree), ['Active', 'Idle', 'Recording On']);
  });

  it('leaves no row that says that it loads without a connection, nor while a row is revealed', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    await tree.openPath('active');
    tree.change(aSnapshot({ generation: 2, streams: [live] }));
    assert.equal((await tree.model.load()).length, 3);
    assert.equal(tree.model.hasOldRows, true, 'VS Code was not asked yet');
    tree.change(aSnapshot({ generation: 3, connection: { kind: 'none' } }));
    assert.deepEqual(await labels(tree), []);
  });

  it('fires a group once for what was created, and nothing more while its row is looked for', async () => {
    const first = aSnapshot({ streams: [live, idle] });
    const tree = heldTree(first);
    const [, group] = await tree.open();
    assert.ok(group);
    await tree.open(group);
    const created = aStream({ id: 'new' });
    const second = aSnapshot({ streams: [live, idle, created] });
    const previous = tree.store.snapshot;
    tree.store.snapshot = second;
    tree.notify({ previous, current: second });
    assert.deepEqual(tree.fired.splice(0), [['idle']], 'VS Code will request its rows');
    const found = tree.model.find({ kind: 'stream', id: 'new' });
    assert.ok(found);
    assert.deepEqual((await tree.model.load(undefined)).length, 3);
    assert.ok((await tree.model.load(tree.model.parent(found))).includes(found));
    assert.deepEqual(tree.fired, []);
    assert.ok((await tree.open(group)).includes(found), 'the same row');
  });

  it('keeps a group open or closed as it was painted first', async () => {
    const tree = heldTree(aSnapshot({ streams: [idle] }));
    const [, group] = await tree.open();
    assert.ok(group);
    tree.change(aSnapshot({ streams: [idle, live] }));
    assert.equal(tree.model.row(group).collapsible, 'expanded');
  });

  it('has a stream open that was open when it went: behind a filter, or to another group', async () => {
    const first = aSnapshot({ streams: [live, idle] });
    const tree = heldTree(first);
    const shownAs = async (list: string, id: string) => {
      const group = (await tree.open()).find((node) => node.id === list);
      const row = (await tree.open(group)).find((node) => node.id === `${list}/${id}`);
      return row && tree.model.row(row).collapsible;
    };
    await tree.openPath('idle', 'idle/idle');
    assert.equal(await shownAs('idle', 'idle'), 'collapsed', 'it is not drawn otherwise while it stays');
    tree.change({ ...first, filter: 'other' });
    assert.equal(await shownAs('idle', 'idle'), undefined);
    tree.change(first);
    assert.equal(await shownAs('idle', 'idle'), 'expanded');

    await tree.openPath('active', 'active/live');
    assert.equal(await shownAs('recording', 'live'), 'collapsed', 'it stays where it is open');
    const ended = aStream({ ...live, isActive: false });
    tree.change(aSnapshot({ streams: [ended, idle] }));
    assert.equal(await shownAs('idle', 'live'), 'expanded');
    tree.change(first);
    assert.equal(await shownAs('idle', 'live'), undefined);
    assert.equal(await shownAs('active', 'live'), 'collapsed', 'it was not opened there');
  });

  it('has Idle expanded for a filter, and as the person left it afterwards', async () => {
    const many = Array.from({ length: 22 }, (_, n) => aStream({ id: `idle-${n}` }));
    const first = aSnapshot({ streams: [live, ...many] });
    const filtered = { ...first, filter: 'idle-1' };
    const tree = heldTree(first);
    const idleRow = async () => {
      const node = (await tree.open()).find((each) => each.kind === 'group' && each.list === 'idle') ?? assert.fail();
      return { node, id: node.id, state: tree.model.row(node).collapsible };
    };
    const show = (snapshot: typeof first) => {
      tree.change(snapshot);
      return idleRow();
    };
    const before = await idleRow();
    assert.equal(before.state, 'collapsed');
    const during = await show(filtered);
    assert.equal(during.state, 'expanded');
    assert.notEqual(during.id, before.id, 'VS Code keeps the state of a row by its ID');
    await tree.open(during.node);
    assert.equal((await show({ ...first, filter: 'idle-2' })).id, during.id);
    tree.model.closed(during.node);
    assert.deepEqual(await show(first), before);

    await tree.openPath('idle', 'idle/idle-1');
    await show(filtered);
    const stream = (await tree.open(during.node)).find(({ id }) => id === 'idle/idle-1');
    assert.equal(stream && tree.model.row(stream).collapsible, 'expanded', 'it was expanded before');
    assert.equal((await show(first)).state, 'expanded');
  });

  it('keeps what is expanded when another key is set for its connection', async () => {
    const many = Array.from({ length: 22 }, (_, n) => aStream({ id: `idle-${n}` }));
    const first = aSnapshot({ streams: [live, ...many] });
    const tree = heldTree(first);
    const states = async () => {
      await tree.open();
      return (await tree.open()).map((node) => tree.model.row(node).collapsible);
    };
    const [active] = await tree.open();
    tree.model.closed(active ?? assert.fail());
    await tree.openPath('idle');
    tree.change({ ...first, generation: 2 });
    assert.deepEqual(await states(), ['collapsed', 'expanded', 'collapsed']);
    const other = { kind: 'open', info: aConnection({ id: 'other' }) } as const;
    tree.change({ ...first, generation: 3, connection: other });
    assert.deepEqual(await states(), ['expanded', 'collapsed', 'collapsed']);
  });

  it('has a stream closed that the person closed', async () => {
    const first = aSnapshot({ streams: [idle] });
    const tree = heldTree(first);
    const row = await tree.openPath('idle', 'idle/idle');
    tree.model.closed(row);
    tree.change({ ...first, filter: 'other' });
    await tree.open();
    tree.change(first);
    const [group] = (await tree.open()).slice(1);
    const [again] = await tree.open(group);
    assert.equal(again && tree.model.row(again).collapsible, 'collapsed');
  });

  it('knows the way from each row to the root', async () => {
    const tree = heldTree(aSnapshot({ streams: [live], sessions: { live: [aSession({ id: 's' })] } }));
    const stream = await tree.openPath('active', 'active/live');
    const [session] = await tree.open(stream);
    assert.ok(session);
    assert.equal(tree.model.parent(session), stream);
    assert.equal(tree.model.parent(stream)?.id, 'active');
    const [group] = await tree.open();
    assert.equal(tree.model.parent(stream), group);
    assert.equal(group && tree.model.parent(group), undefined);
  });

  it('answers what VS Code still asks about the row of a connection that was shown before', async () => {
    const tree = heldTree(aSnapshot({}));
    await tree.open();
    const connection = connectionNode('c1') as unknown as Node;
    assert.equal(tree.model.parent(connection), undefined);
    assert.equal(tree.model.row(connection).label, '…');
    assert.equal(tree.model.tooltip(connection), undefined);
    assert.equal(tree.model.hasChildren(connection), false);
    assert.deepEqual(await tree.model.children(connection), []);
    assert.deepEqual(await tree.model.load(connection), []);
  });

  it('finds a stream in Active first, then where it is shown, and a session when it is loaded', async () => {
    const recorded = aStream({ id: 'rec', record: true });
    const snapshot = aSnapshot({
      streams: [live, idle, recorded],
      lists: { idle: { ids: ['idle'] } },
      sessions: { live: [aSession({ id: 's' })] },
    });
    const { model } = heldTree(snapshot);
    assert.equal(model.find({ kind: 'stream', id: 'live' })?.id, 'active/live');
    assert.equal(model.find({ kind: 'stream', id: 'idle' })?.id, 'idle/idle');
    assert.equal(model.find({ kind: 'stream', id: 'rec' })?.id, 'recording/rec');
    assert.equal(model.find({ kind: 'stream', id: 'nobody' }), undefined);
    assert.equal(model.find({ kind: 'session', id: 's', streamId: 'live' })?.id, 'active/live/s');
    assert.equal(model.find({ kind: 'session', id: 'x', streamId: 'live' }), undefined);
  });

  it('forgets rows that came and went, and not the one that is to be revealed', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    const first = await tree.openPath('active', 'active/live');
    for (let round = 0; round < 50; round++) {
      const streams = Array.from({ length: 20 }, (_, index) => aLiveStream({ id: `s${round}-${index}` }));
      const sessions = Object.fromEntries(streams.map(({ id }) => [id, [aSession({ id: `of-${id}` })]]));
      tree.change(aSnapshot({ streams: [live, ...streams], sessions }));
      const found = tree.model.find({ kind: 'stream', id: `s${round}-1` });
      for (const stream of await tree.open(await tree.openPath('active'))) await tree.open(stream);
      assert.equal(await tree.openPath('active', `active/s${round}-1`), found);
    }
    // Of 50 rounds with 40 rows each, those of the last one, and some that were not looked for yet.
    assert.ok(tree.model.nodeCount < 300, `${tree.model.nodeCount} nodes`);
    assert.equal(await tree.openPath('active', 'active/live'), first);
  });

  it('gives tooltips without taking the row for painted anew', async () => {
    const tree = heldTree(aSnapshot({ streams: [{ ...idle, lastSeen: NOW - 240_000 }] }));
    const [node] = await tree.open(await tree.openPath('idle'));
    assert.ok(node);
    tree.clock.now += 60_000;
    assert.match(tree.model.tooltip(node)?.markdown ?? '', /Last live|Live|Never live/);
    tree.model.tick();
    assert.deepEqual(tree.fired.at(-1), ['idle/idle']);
  });

  it('is silent once it is disposed', async () => {
    const tree = heldTree(aSnapshot({ streams: [live] }));
    await tree.openPath('active');
    tree.model.dispose();
    assert.deepEqual(tree.change(aSnapshot({ streams: [] })), []);
  });
});
