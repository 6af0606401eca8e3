import { randomUUID } from 'node:crypto';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { Connection } from '../../../src/model/connection/connection.ts';
import {
  type ConnectionModel,
  type ModelParts,
  serveConnection,
} from '../../../src/model/connection/connectionModel.ts';
import { Connections } from '../../../src/model/connection/connections.ts';
import { createDemoSwitch } from '../../../src/model/connection/demoSwitch.ts';
import { OtherConnections } from '../../../src/model/connection/otherConnections.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { DisposableStore } from '../../../src/util/disposable.ts';
import { Emitter } from '../../../src/util/events.ts';
import { type DemoOptions, type DemoService, startDemo } from '../demo/demoService.ts';
import { createClient } from '../service/clients.ts';
import { fakeLog, fakeMemento, fakeSecrets, fakeSettings } from './fakes.ts';
import { type HeldClock, heldClock, settle } from './heldClock.ts';

const REFRESH_SECONDS = 15;

export interface SideBySide {
  readonly clock: HeldClock;
  readonly services: Readonly<Record<'A' | 'B', DemoService>>;
  readonly ids: Readonly<Record<'A' | 'B', string>>;
  /** Of the window: A's. */
  readonly active: ConnectionModel;
  readonly others: OtherConnections;
  readonly connections: Connections;
  /** Has another service each time it starts. */
  readonly demo: ReturnType<typeof createDemoSwitch<DemoService>>;
  /** The same connections, as another window has them. */
  readonly elsewhere: Connections;
  readonly log: ReturnType<typeof fakeLog>;
  /** Whether the view is on screen in a window with the focus. */
  become(isWatched: boolean): void;
  /** The other connection's model. */
  b(): ConnectionModel;
  /** Waits for a fact, while requests come back and the clock stands still. */
  until(what: string, isTrue: () => boolean): Promise<void>;
  /** Lets the time of a poll pass, and waits until both services are quiet. */
  poll(): Promise<void>;
}

/** Runs a test with two services over HTTP, whose connections A and B are shown side by side in a window of A. */
export function withTwoServices(
  options: Partial<DemoOptions>,
  test: (sides: SideBySide) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const owned = new DisposableStore();
    try {
      await test(await compose(options, owned));
    } finally {
      owned.dispose();
    }
  };
}

async function compose(options: Partial<DemoOptions>, owned: DisposableStore): Promise<SideBySide> {
  const clock = heldClock();
  const log = fakeLog();
  // The same seed: each stream of one service has the id of one of the other's.
  const demoOptions = { clock, mediaRoot: 'media/demo', seed: 1, isLively: false, streamCount: 12, ...options };
  const services = { A: owned.add(await startDemo(demoOptions)), B: owned.add(await startDemo(demoOptions)) };
  const secrets = fakeSecrets();
  const global = fakeMemento();
  const [connections, elsewhere] = [0, 1].map(() => {
    const own = { secrets: secrets.window(), workspace: fakeMemento() };
    return owned.add(new Connections({ ...own, clock, global, log, newId: randomUUID, locale: 'en' }));
  }) as [Connections, Connections];
  const stored = {
    A: await connections.add({ name: 'A', ...services.A, insecureAccepted: false }),
    B: await connections.add({ name: 'B', ...services.B, insecureAccepted: false }),
  };
  const presence = new Emitter<void>();
  let isWatched = true;
  const parts: ModelParts = {
    ...{ clock, log, secrets: new KnownSecrets(), random: () => 0, makeToken: async () => undefined },
    // Real time: the clock of the test stands still while a request is on its way.
    transport: owned.add(createClient('undici', { settings: () => ({ timeoutMs: 60_000 }), clock, log })),
    settings: fakeSettings({ refreshInterval: () => REFRESH_SECONDS, pageSize: () => 50 }),
    presence: { isViewVisible: () => isWatched, isFocused: () => isWatched, onDidChange: presence.event },
  };
  const store = owned.add(new StreamStore({ clock, initial: { locale: 'en' } }));
  const connection = owned.add(new Connection(store));
  const active = owned.add(serveConnection({ store, connection }, parts));
  store.setConnectionCount(2);
  store.setConnectionNames(Object.values(stored));
  store.setShowsAllConnections(true);
  connection.open(stored.A);
  const startService = () => startDemo(demoOptions);
  const demo = owned.add(createDemoSwitch({ connection, connections, name: 'Demo', startService }));
  const others = owned.add(
    new OtherConnections({ active, connections, demo, clock, log, serve: (made) => serveConnection(made, parts) }),
  );
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    for (let turn = 0; turn < 500; turn += 1) {
      if (isTrue()) return;
      await clock.advance(0);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`Not within 5 s: ${what}`);
  };
  const b = (): ConnectionModel => {
    const model = others.get(stored.B.id);
    if (model === undefined) throw new Error('B is not open');
    return model;
  };
  return {
    ...{
      clock,
      services,
      ids: { A: stored.A.id, B: stored.B.id },
      active,
      others,
      connections,
      demo,
      elsewhere,
      log,
      b,
      until,
    },
    become(next) {
      isWatched = next;
      presence.fire();
    },
    async poll() {
      await clock.advance(REFRESH_SECONDS * 1000);
      const requests = () => Object.values(services).flatMap(({ control }) => control.requests);
      let quiet = 0;
      let seen = -1;
      await until('both services are quiet', () => {
        const isQuiet = requests().length === seen && requests().every(({ status }) => status !== 0);
        quiet = isQuiet ? quiet + 1 : 0;
        seen = requests().length;
        return quiet > 10;
      });
      await settle();
    },
  };
}
