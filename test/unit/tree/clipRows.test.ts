import assert from 'node:assert/strict';
import type { Node } from '../../../src/model/rows/nodes.ts';
import type { Row } from '../../../src/tree/row.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { settle } from '../../support/model/heldClock.ts';
import { textOf } from './drawnTree.ts';
import { recordingsView } from './recordingsView.ts';

const DAY = 86_400_000;

const clip = (id: string, status: object, more: object = {}) => ({
  ...{ id, name: `Clip ${id}`, source: { type: 'clip', sessionId: 's' }, createdAt: 5, status },
  ...more,
});

/** A session whose stream has these clips, in both views. */
async function aRecording(...clips: readonly object[]) {
  const view = recordingsView();
  const { clock, interest, loader, service, store } = view;
  const createdAt = clock.now() - DAY / 12;
  const recording = { recordingStatus: 'ready', recordingUrl: 'https://cdn.test/s/index.m3u8', record: true };
  const session = { id: 's', parentId: 'a', parentStream: { name: 'Keynote' }, createdAt, ...recording };
  service.add({ id: 'a', isActive: true, lastSeen: clock.now() });
  service.userSessions.push(session);
  service.sessions.set('a', [session]);
  service.clips.set('a', clips as Readonly<Record<string, unknown>>[]);
  const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' });
  const streams = new TreeModel({ store, shape: streamsTree(store, loader), drawing });
  const fired: (readonly string[])[] = [];
  streams.onDidChange((nodes) => fired.push(nodes?.map(({ id }) => id) ?? ['ROOT']));
  view.show();
  await view.settledRows();
  const open = async (node?: Node) => {
    const nodes = await streams.children(node);
    for (const each of nodes) streams.row(each);
    return nodes;
  };
  const [active] = await open();
  const [stream] = await open(active);
  const [node] = await open(stream);
  interest.opened('stream', { kind: 'stream', streamId: 'a' });
  assert.ok(node?.kind === 'session');
  await settle();
  const rows = async () => (await open(node)).map((row) => textOf(streams.row(row)));
  return { ...view, model: streams, recordings: view, fired, node, rows };
}

describe('Rows of clips', () => {
  it('are below their session, the newest first, and say how far they are', async () => {
    const { model, node, rows } = await aRecording(
      clip(
        '1',
        { phase: 'ready' },
        { createdAt: 1, videoSpec: { duration: 65.4 }, downloadUrl: 'https://cdn.test/1.mp4' },
      ),
      clip('2', { phase: 'failed', errorMessage: 'No *disk*' }, { createdAt: 2 }),
      clip('3', { phase: 'processing', progress: 0.456 }, { createdAt: 3 }),
      clip('4', { phase: 'waiting' }, { createdAt: 4 }),
      clip('5', { phase: 'deleted' }, { createdAt: 5 }),
      clip('6', { phase: 'ready' }, { source: { type: 'clip', sessionId: 'other' } }),
      { name: 'without an ID' },
    );
    assert.equal(model.row(node).collapsible, 'collapsed');
    assert.deepEqual(await rows(), ['Clip 4 | processing', 'Clip 3 | 45%', 'Clip 2 | failed', 'Clip 1 | 1:05']);
    const [waiting, processing, failed, ready] = await model.children(node);
    assert.ok(waiting && processing && failed && ready);
    const lastLine = (row: Node) => (model.tooltip(row)?.markdown ?? '').replaceAll('\\', '').split('\n').at(-1) ?? '';
    assert.match(lastLine(waiting), /^Created: .+ · Processing$/);
    assert.match(lastLine(processing), /^Created: .+ · Processing \(45%\)$/);
    assert.match(model.tooltip(failed)?.markdown ?? '', / · Failed\s/);
    assert.match(model.tooltip(failed)?.markdown ?? '', /No \\\*disk\\\*/);
    assert.match(model.tooltip(ready)?.markdown ?? '', /^\*\*Clip 1\*\* {2}\nCreated\\: .+ · 1\\:05$/);
    const details = { title: 'Show Details', command: 'showSession', id: 's' };
    assert.deepEqual(
      [failed, ready].map((row) => model.tooltip(row)?.links),
      [[details], [{ title: 'Watch Clip', command: 'openClip', id: '1' }, details]],
    );
    assert.deepEqual([model.row(failed).command, model.row(ready).command], ['showSession', 'openClip']);
    assert.equal(model.parent(ready), node);
  });

  it('are not there without clips, and come and go with them', async () => {
    const { model, node, rows, store, service, loader, fired } = await aRecording();
    assert.equal(model.row(node).collapsible, 'none');
    service.clips.set('a', [clip('1', { phase: 'processing', progress: 0.1 })]);
    fired.length = 0;
    await loader.refresh();
    await settle();
    assert.ok(fired.flat().includes(node.id), fired.join());
    assert.equal(model.row(node).collapsible, 'collapsed');
    assert.deepEqual(await rows(), ['Clip 1 | 10%']);
    service.clips.set('a', [clip('1', { phase: 'ready' }, { videoSpec: { duration: 5 } })]);
    fired.length = 0;
    await loader.pollClips();
    assert.deepEqual(fired, [[`${node.id}/1`]]);
    assert.deepEqual(await rows(), ['Clip 1 | 0:05']);
    service.clips.set('a', []);
    await loader.pollClips();
    assert.equal(store.snapshot.clips.get('a')?.length, 1, 'one that is ready is not polled');
    await loader.refresh();
    await settle();
    assert.equal(model.row(node).collapsible, 'none');
  });

  it('have a name that says what they are if none was given, also if the service made one up', async () => {
    const ready = { phase: 'ready' };
    const createdAt = Date.UTC(2026, 10, 20, 9, 30);
    const { rows } = await aRecording(
      clip('1', ready, { name: 'clip-e5028by9dqu07qk3', playbackId: 'e5028by9dqu07qk3', createdAt }),
      clip('2', ready, { name: '', createdAt: createdAt - 60_000 }),
      clip('3', ready, { name: ' ', createdAt: undefined }),
      clip('4', ready, { name: 'clip-e5028by9dqu07qk3', playbackId: 'other', createdAt: 1 }),
    );
    assert.deepEqual(await rows(), [
      'Clip created Nov 20 09:30',
      'Clip created Nov 20 09:29',
      'clip-e5028by9dqu07qk3',
      'Unnamed clip',
    ]);
  });

  it('are below their recording too, which keeps its icon and counts them in both views', async () => {
    const {
      recordings,
      service,
      loader,
      model: streams,
      node,
    } = await aRecording(
      clip('1', { phase: 'ready' }, { videoSpec: { duration: 5 } }),
      clip('2', { phase: 'failed' }),
      clip('3', { phase: 'deleted' }),
    );
    const { fired, model } = recordings;
    const row = await recordings.find('recording/s');
    const looksOf = ({ icon, collapsible, description }: Row) => [icon?.id, collapsible, description];
    const looks = () => looksOf(model.row(row));
    const hover = () => model.tooltip(row)?.markdown ?? '';
    assert.deepEqual(looks(), ['play-circle', 'collapsed', '2 clips']);
    assert.deepEqual(looksOf(streams.row(node)), looks());
    assert.match(streams.row(node).accessibilityLabel, /, Recording ready, 2 clips$/);
    assert.match(model.row(row).accessibilityLabel, /, Recording ready, 2 clips$/);
    assert.match(hover(), /Recording ready {2}\n.* · 2 clips$/);
    service.clips.set('a', [clip('1', { phase: 'ready' }, { videoSpec: { duration: 5 } })]);
    fired.length = 0;
    await loader.refresh();
    await settle();
    assert.match(hover(), / · 1 clip$/);
    assert.ok(fired.flat().includes('recording/s'), 'VS Code keeps a hover until its row is drawn again');
    const rows = await recordings.open(row);
    assert.deepEqual(
      rows.map((each) => textOf(model.row(each))),
      ['Clip 1 | 0:05'],
    );
    assert.deepEqual(
      rows.map((each) => model.parent(each)?.id),
      ['recording/s'],
    );
    service.clips.set('a', []);
    await loader.refresh();
    await settle();
    assert.match(hover(), /Recording ready {2}\n[^·]*$/);
    assert.deepEqual(looks(), ['play-circle', 'none', undefined]);
    const day = model.parent(row)?.id ?? '';
    service.clips.set('a', [clip('1', { phase: 'ready' }), clip('2', { phase: 'ready' })]);
    fired.length = 0;
    await loader.refresh();
    await settle();
    assert.ok(fired.flat().includes(day), 'VS Code aligns all rows of a day by whether one can be expanded');
  });

  it('are counted beside a recording whose icon says what became of it', async () => {
    const { recordings, service, loader } = await aRecording(clip('1', { phase: 'ready' }));
    const row = await recordings.find('recording/s');
    const looks = () => {
      const { icon, collapsible, ...shown } = recordings.model.row(row);
      return [icon?.id, collapsible, textOf({ icon, collapsible, ...shown }).split(' | ')[1]];
    };
    for (const [recordingStatus, icon, description] of [
      ['waiting', 'record', 'live for 2 h · 1 clip'],
      ['failed', 'error', 'failed · 1 clip'],
      ['deleted', 'trash', 'deleted · 1 clip'],
    ] as const) {
      Object.assign(service.userSessions[0] ?? assert.fail(), { recordingStatus });
      await loader.refresh();
      await settle();
      assert.deepEqual(looks(), [icon, 'collapsed', description]);
    }
  });
});
