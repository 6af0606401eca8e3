import assert from 'node:assert/strict';
import { settle } from '../../support/model/heldClock.ts';
import { textOf } from './drawnTree.ts';
import { recordingsView } from './recordingsView.ts';

const DAY = 86_400_000;

const clip = (id: string, status: object, more: object = {}) => ({
  ...{ id, name: `Clip ${id}`, source: { type: 'clip', sessionId: 's' }, createdAt: 5, status },
  ...more,
});

/** A recording whose stream has these clips. */
async function aRecording(...clips: readonly object[]) {
  const view = recordingsView();
  const createdAt = view.clock.now() - DAY / 12;
  const recording = { recordingStatus: 'ready', recordingUrl: 'https://cdn.test/s/index.m3u8', record: true };
  view.service.userSessions.push({
    id: 's',
    parentId: 'a',
    parentStream: { name: 'Keynote' },
    createdAt,
    ...recording,
  });
  view.service.clips.set('a', clips as Readonly<Record<string, unknown>>[]);
  view.show();
  await view.settledRows();
  await settle();
  const node = await view.find('recording/s');
  const rows = async () => (await view.open(node)).map((row) => textOf(view.model.row(row)));
  return { ...view, node, rows };
}

describe('Rows of clips', () => {
  it('are below their recording, the newest first, and say how far they are', async () => {
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
    const [, , failed, ready] = await model.children(node);
    assert.ok(failed && ready);
    assert.match(model.tooltip(failed)?.markdown ?? '', /No \\\*disk\\\*/);
    assert.deepEqual([model.row(failed).command, model.row(ready).command], [undefined, 'openClip']);
    assert.equal(model.parent(ready), node);
  });

  it('are not there without clips, and come and go with them', async () => {
    const { model, node, rows, store, service, loader, fired } = await aRecording();
    assert.equal(model.row(node).collapsible, 'none');
    service.clips.set('a', [clip('1', { phase: 'processing', progress: 0.1 })]);
    fired.length = 0;
    await loader.refresh();
    await settle();
    // VS Code indents the rows beside it with it only if it draws them again.
    assert.deepEqual(fired, [[model.parent(node)?.id]]);
    assert.equal(model.row(node).collapsible, 'collapsed');
    assert.deepEqual(await rows(), ['Clip 1 | 10%']);
    service.clips.set('a', [clip('1', { phase: 'ready' }, { videoSpec: { duration: 5 } })]);
    fired.length = 0;
    await loader.pollClips();
    assert.deepEqual(fired, [['recording/s/1']]);
    assert.deepEqual(await rows(), ['Clip 1 | 0:05']);
    service.clips.set('a', []);
    await loader.pollClips();
    assert.equal(store.snapshot.clips.get('a')?.length, 1, 'one that is ready is not polled');
    await loader.refresh();
    await settle();
    assert.equal(model.row(node).collapsible, 'none');
  });
});
