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

  it('takes its clips with it, which polls don’t request any more', async () => {
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

  it('has no clips that are listed too late', async () => {
    const { loader, service, store, connection } = opened();
    service.clips.set('a', [{ id: 'c', source: { type: 'clip', sessionId: 's' }, status: { phase: 'processing' } }]);
    await loader.ensureList('idle');
    const listing = loader.ensureClips(['a']);
    connection.account.writer.gone('a');
    await listing;
    assert.deepEqual([...store.snapshot.clips.keys()], []);
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

  it('stays with its error, as long as the stream is thought to exist', async () => {
    const { loader, service, store } = opened();
    await loader.ensureList('idle');
    service.fault = ({ url }) =>
      url.includes('/sessions') ? { status: 404, headers: {}, body: new Uint8Array() } : undefined;
    await loader.ensureSessions('a');
    assert.equal(store.snapshot.sessions.get('a')?.trouble?.error.reason, 'notFound');
  });
});
