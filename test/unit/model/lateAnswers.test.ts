import assert from 'node:assert/strict';
import type { CurrentConnection } from '../../../src/model/connection/current.ts';
import type { StreamLoader } from '../../../src/model/loading/loader.ts';
import { composeModel } from '../../support/model/composedModel.ts';
import { settle } from '../../support/model/heldClock.ts';
import { ScriptedService } from '../../support/service/scriptedService.ts';

/** All that a loader may be asked for. */
const ASKS: Readonly<Record<string, (loader: StreamLoader, current: CurrentConnection) => Promise<unknown>>> = {
  'the active streams': (loader) => loader.refreshActive(),
  'a group': (loader) => loader.ensureList('idle'),
  sessions: (loader) => loader.ensureSessions('a'),
  'historic child streams': (loader) => loader.ensureChildren('a'),
  'those without a parent': (loader) => loader.ensureOrphans(),
  recordings: (loader) => loader.ensureRecordings(),
  'a stream read back': (_, current) => current.account.readStream('a', { settle: true }),
  'a stream to be shown': (_, current) => current.account.readStream('a', { pin: true }),
  'a stream that is gone': (_, current) => current.account.readStream('gone', { pin: true }),
};

/** A transport that does not end what it is asked to end: its answers come all the same. */
function composeDeaf() {
  const service = new ScriptedService(() => 0);
  const model = composeModel({
    transport: () => ({ send: ({ signal: _, ...request }) => service.send(request) }),
  });
  service.add({ id: 'a', isActive: true }, { id: 'b' });
  service.sessions.set('a', [{ id: 's', parentId: 'a', record: true, createdAt: 1 }]);
  service.userSessions.push({ id: 's', parentId: 'a', record: true, createdAt: 1 });
  return { ...model, service };
}

async function letGo(service: ScriptedService): Promise<void> {
  service.isHolding = false;
  for (const waiting of service.waiting.splice(0)) waiting.release();
  await settle();
}

describe('An answer that comes after its connection was closed, though its request was ended', () => {
  for (const [what, ask] of Object.entries(ASKS)) {
    it(`goes nowhere: ${what}`, async () => {
      const { connect, current, loader, service, store } = composeDeaf();
      connect('one');
      service.isHolding = true;
      const asked = ask(loader, current).catch((error: unknown) => assert.equal((error as Error).name, 'AbortError'));
      await settle();
      assert.equal(service.waiting.length, 1);
      connect('two');
      const { snapshot } = store;
      await letGo(service);
      await asked;
      assert.equal(store.snapshot, snapshot);
      current.close();
    });
  }

  it('is no trouble of the next connection either, when it is a failure', async () => {
    for (const ask of Object.values(ASKS)) {
      const { connect, current, loader, service, store } = composeDeaf();
      connect('one');
      service.isHolding = true;
      const asked = ask(loader, current).catch((error: unknown) => assert.equal((error as Error).name, 'AbortError'));
      await settle();
      connect('two');
      const { snapshot } = store;
      service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
      await letGo(service);
      await asked;
      assert.equal(store.snapshot, snapshot);
    }
  });
});
