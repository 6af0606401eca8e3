import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/model/connection/connection.ts';
import type { StreamLoader } from '../../../../src/model/loading/loader.ts';
import { delay } from '../../../../src/util/clock.ts';
import { aTrouble } from '../../../support/model/builders.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { settle } from '../../../support/model/heldClock.ts';
import { ScriptedService } from '../../../support/service/scriptedService.ts';

/** All that a loader may be asked for. */
const ASKS: Readonly<Record<string, (loader: StreamLoader, connection: Connection) => Promise<unknown>>> = {
  'the active streams': (loader) => loader.refreshActive(),
  'a group': (loader) => loader.ensureList('idle'),
  sessions: (loader) => loader.ensureSessions('a'),
  'deprecated child streams': (loader) => loader.ensureChildren('a'),
  'those without a parent': (loader) => loader.ensureOrphans(),
  recordings: (loader) => loader.ensureRecordings(),
  'a stream read back': (_, connection) => connection.account.readStream('a', { settle: true }),
  'a stream to be shown': (_, connection) => connection.account.readStream('a', { pin: true }),
  'a stream that is gone': (_, connection) => connection.account.readStream('gone', { pin: true }),
};

const RELOADS: Readonly<Record<string, (loader: StreamLoader) => Promise<unknown>>> = {
  'the active streams': (loader) => loader.reloadList('active'),
  'a group': (loader) => loader.reloadList('idle'),
  'the next page of a group': (loader) => loader.reloadList('idle').then(() => loader.loadMore('idle')),
  sessions: (loader) => loader.reloadSessions('a'),
  'deprecated child streams': (loader) => loader.reloadChildren('a'),
  recordings: (loader) => loader.reloadRecordings(),
  everything: (loader) => loader.refresh(),
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

/** Two services behind one transport that does not end what it is asked to end, and answers late by the held clock. */
function composeTwo() {
  const services = new Map(['a', 'b'].map((id) => [`${id}.test`, new ScriptedService(() => 0)]));
  const late = { ms: 0 };
  const model = composeModel({
    pageSize: 20,
    transport: (clock) => ({
      async send({ signal: _, ...request }) {
        await delay(clock, late.ms);
        const service = services.get(new URL(request.url).host);
        assert.ok(service);
        return service.send(request);
      },
    }),
  });
  for (const [host, service] of services) {
    const [id] = host.split('.');
    service.add({ id: `${id}-live`, isActive: true, record: true, lastSeen: model.clock.now() }, { id: `${id}-idle` });
    service.sessions.set(`${id}-live`, [{ id: `${id}-session`, record: true, createdAt: 1 }]);
  }
  const switchTo = (id: string) =>
    model.connection.open({
      id,
      name: id,
      baseUrl: `https://${id}.test`,
      apiKey: 'key-of-tests',
      insecureAccepted: false,
    });
  return { ...model, late, switchTo };
}

async function loadAll(loader: StreamLoader, id: string): Promise<void> {
  await Promise.all([
    ...(['active', 'idle', 'recording'] as const).map((list) => loader.ensureList(list)),
    loader.ensureSessions(`${id}-live`),
    loader.ensureRecordings(),
    loader.ensureOrphans(),
  ]);
}

async function letGo(service: ScriptedService): Promise<void> {
  service.isHolding = false;
  for (const waiting of service.waiting.splice(0)) waiting.release();
  await settle();
}

describe('An answer that comes after its connection was closed, though its request was ended', () => {
  for (const [what, ask] of Object.entries(ASKS)) {
    it(`goes nowhere: ${what}`, async () => {
      const { connect, connection, loader, service, store } = composeDeaf();
      connect('one');
      service.isHolding = true;
      const asked = ask(loader, connection).catch((error: unknown) =>
        assert.equal((error as Error).name, 'AbortError'),
      );
      await settle();
      assert.equal(service.waiting.length, 1);
      connect('two');
      const { snapshot } = store;
      await letGo(service);
      await asked;
      assert.equal(store.snapshot, snapshot);
      connection.close();
    });
  }

  it('makes no trouble of the next connection when it is a failure', async () => {
    for (const ask of Object.values(ASKS)) {
      const { connect, connection, loader, service, store } = composeDeaf();
      connect('one');
      service.isHolding = true;
      const asked = ask(loader, connection).catch((error: unknown) =>
        assert.equal((error as Error).name, 'AbortError'),
      );
      await settle();
      connect('two');
      const { snapshot } = store;
      service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
      await letGo(service);
      await asked;
      assert.equal(store.snapshot, snapshot);
    }
  });

  it('leaves no mark on the lists of the next connection, though more was queued behind it', async () => {
    for (const [what, ask] of Object.entries(RELOADS)) {
      const { connect, connection, loader, service, store } = composeDeaf();
      connect('one');
      await loader.refreshActive();
      service.isHolding = true;
      const asked = [ask(loader), ask(loader), ask(loader)];
      await settle();
      connect('two');
      const { snapshot } = store;
      await letGo(service);
      await Promise.all(asked);
      assert.equal(store.snapshot, snapshot, what);
      connection.close();
    }
  });

  it('is not followed by requests of the next service for the streams of the last one', async () => {
    const several: Readonly<Record<string, (loader: StreamLoader) => Promise<unknown>>> = {
      'a refresh': (loader) => loader.refresh(),
      'larger pages': (loader) => loader.fillPages(),
      'polls of sessions': (loader) => loader.pollSessions(['a', 'b', 'c', 'd', 'e', 'f']),
      'a retry': (loader) => loader.retryExpanded(),
      'a first stream': (loader) => loader.checkForFirstStream(),
    };
    for (const [what, ask] of Object.entries(several)) {
      const model = composeDeaf();
      const { connect, connection, loader, interest, service, store } = model;
      connect('one');
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
        interest.opened(id, { kind: 'stream', streamId: id });
        await loader.ensureSessions(id);
        if (what === 'a retry') connection.account.writer.sessionsFailed(id, aTrouble('network'));
      }
      await loader.ensureList('idle');
      service.isHolding = true;
      const asked = ask(loader);
      await settle();
      connect('two');
      const { snapshot } = store;
      service.requests.length = 0;
      await letGo(service);
      await asked;
      assert.deepEqual(service.requests, [], what);
      assert.equal(store.snapshot, snapshot, what);
      connection.close();
    }
  });
});

/** Switches there and back while the answers are 3 s late: the held clock says when they come. */
describe('Opening another connection and the first one again within 50 ms', () => {
  it('shows the rows of the last one alone, and no mark of another stays', async () => {
    const { clock, connection, late, loader, store, switchTo } = composeTwo();
    switchTo('a');
    await loadAll(loader, 'a');
    late.ms = 3000;
    const asked: Promise<unknown>[] = [];
    const askAll = (id: string) =>
      asked.push(loader.refresh(), loadAll(loader, id), loader.loadMore('idle'), loader.refresh());
    for (const id of ['b', 'a', 'b']) {
      askAll(connection.info?.id ?? '');
      await clock.advance(10);
      switchTo(id);
    }
    const { snapshot } = store;
    await clock.advance(20_000);
    await Promise.all(asked);
    assert.equal(store.snapshot, snapshot, 'nothing was asked of the last one yet');
    const loading = loadAll(loader, 'b');
    await clock.advance(20_000);
    await loading;
    assert.deepEqual([...store.snapshot.streams.keys()].sort(), ['b-idle', 'b-live']);
    assert.deepEqual([...store.snapshot.sessions.keys()], ['b-live']);
    connection.close();
  });
});
