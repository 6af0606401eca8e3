import assert from 'node:assert/strict';
import { composeModel } from '../../../support/model/composedModel.ts';
import { settle } from '../../../support/model/heldClock.ts';

function opened() {
  const model = composeModel();
  model.service.add({ id: 'a' }, { id: 'b' });
  model.service.sessions.set('a', [{ id: 's', parentId: 'a', createdAt: 5, lastSeen: 6 }]);
  model.connect();
  return model;
}

const asksForSessions = (requests: readonly string[]) => requests.filter((line) => line.includes('/sessions'));

describe('What hung under a stream that was deleted at the service', () => {
  it('goes with the first list that lacks the stream, and is not asked for again', async () => {
    const { loader, service, store } = opened();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    assert.ok(store.snapshot.sessions.has('a'));
    service.streams.delete('a');
    await loader.reloadList('idle');
    assert.deepEqual([...store.snapshot.sessions.keys()], []);
    service.requests.length = 0;
    await loader.refresh();
    assert.deepEqual(asksForSessions(service.requests), []);
  });

  it('does not come back with a refusal that was under way', async () => {
    const { loader, service, store } = opened();
    await loader.ensureList('idle');
    await loader.ensureSessions('a');
    service.streams.delete('a');
    service.fault = ({ url }) =>
      url.includes('/sessions') ? { status: 404, headers: {}, body: new Uint8Array() } : undefined;
    await loader.refresh();
    await loader.refresh();
    assert.deepEqual([...store.snapshot.sessions.keys()], []);
    service.requests.length = 0;
    await loader.refresh();
    assert.deepEqual(asksForSessions(service.requests), []);
  });

  it('takes its clips with it if they can’t be listed, so that polls don’t request them any more', async () => {
    const { loader, service, store } = opened();
    service.clips.set('a', [{ id: 'c', source: { type: 'clip', sessionId: 's' }, status: { phase: 'processing' } }]);
    await loader.ensureList('idle');
    await loader.ensureClips(['a']);
    assert.equal(store.snapshot.clips.get('a')?.length, 1);
    service.streams.delete('a');
    service.clips.set('a', 'gone');
    await loader.pollClips();
    assert.deepEqual([...store.snapshot.clips.keys()], []);
    service.clipReads.length = 0;
    await loader.pollClips();
    assert.deepEqual(service.clipReads, []);
  });

  it('leaves its recordings their clips, which remain on the service', async () => {
    const { loader, service, store, connection } = opened();
    const recording = { id: 's', parentId: 'a', record: true, createdAt: 5, lastSeen: 6, recordingStatus: 'ready' };
    const clip = { id: 'c', source: { type: 'clip', sessionId: 's' }, status: { phase: 'ready' } };
    service.userSessions.push(recording);
    service.clips.set('a', [clip]);
    await loader.ensureList('idle');
    await loader.ensureRecordings();
    await loader.ensureClips(['a']);
    connection.account.writer.gone('a');
    const ids = () => store.snapshot.clips.get('a')?.map(({ id }) => id);
    assert.deepEqual(ids(), ['c']);
    service.streams.delete('a');
    service.clips.set('a', 'gone');
    service.sessionClips.set('s', [clip, { ...clip, id: 'later' }]);
    service.clipReads.length = 0;
    await loader.refresh();
    await settle();
    assert.deepEqual([...new Set(service.clipReads)], ['a', 'session s']);
    assert.deepEqual(ids(), ['c', 'later']);
  });

  it('has its clips read again with a refresh only where they are shown', async () => {
    const { loader, service, interest } = opened();
    await loader.ensureList('idle');
    await loader.ensureClips(['a', 'b']);
    interest.opened('idle/b', { kind: 'stream', streamId: 'b' });
    service.clipReads.length = 0;
    await loader.refresh();
    await settle();
    assert.deepEqual(service.clipReads, ['b']);
  });

  it('does not go while the service finds no streams at all', async () => {
    const { loader, service, store, connection } = opened();
    await loader.ensureList('idle');
    service.fault = () => ({ status: 404, headers: {}, body: new TextEncoder().encode('{"errors":["Not found"]}') });
    await assert.rejects(connection.account.readStream('a'), { reason: 'invalidResponse', status: 404 });
    assert.ok(store.snapshot.streams.has('a'));
    service.fault = undefined;
    service.streams.delete('a');
    assert.equal(await connection.account.readStream('a'), undefined);
    assert.ok(!store.snapshot.streams.has('a'));
  });

  it('stays with its error, as long as the stream is thought to exist', async () => {
    const { loader, service, store } = opened();
    await loader.ensureList('idle');
    service.fault = ({ url }) =>
      url.includes('/sessions') ? { status: 404, headers: {}, body: new Uint8Array() } : undefined;
    await loader.ensureSessions('a');
    assert.equal(store.snapshot.sessions.get('a')?.trouble?.error.reason, 'notFound');
  });
});
