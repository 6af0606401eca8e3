import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { createContextsBeside } from '../../../src/commands/connection/contextBeside.ts';
import { type ConnectionModel, serveConnection } from '../../../src/model/connection/connectionModel.ts';
import { OtherConnections } from '../../../src/model/connection/otherConnections.ts';
import { streamNode } from '../../../src/model/rows/nodes.ts';
import { DisposableStore } from '../../../src/util/disposable.ts';
import { Emitter } from '../../../src/util/events.ts';
import { type DemoService, startDemo } from '../../support/demo/demoService.ts';
import { createClient } from '../../support/service/clients.ts';
import { type Fixture, type FixtureOptions, MEDIA_ROOT, withCommands } from './fixture.ts';

export interface Beside extends Fixture {
  /** The service of the other connection, which is called "B". It has streams with the same ids as that of "Production". */
  readonly serviceB: DemoService;
  readonly idB: string;
  readonly others: OtherConnections;
  modelB(): ConnectionModel;
  /** A row as the view has it while both connections are shown. */
  rowOf(which: 'A' | 'B', streamId: string): unknown;
  /** A change that any of the services was asked for, as "B PATCH /api/stream/id". */
  changes(): readonly string[];
}

/** Like `withCommands`, with a second connection over a service of its own that is shown beside the first. */
export function withBoth(options: FixtureOptions, test: (both: Beside) => Promise<void>): () => Promise<void> {
  return withCommands(options, async (fixture) => {
    const owned = new DisposableStore();
    try {
      await test(await open(fixture, owned));
    } finally {
      owned.dispose();
    }
  });
}

async function open(fixture: Fixture, owned: DisposableStore): Promise<Beside> {
  const { context, service, access } = fixture;
  const { connections, store, clock, log, settings } = context;
  const demo = { clock, mediaRoot: MEDIA_ROOT, seed: 1, isLively: false, streamCount: 12 };
  const serviceB = owned.add(await startDemo(demo));
  const { baseUrl, apiKey } = serviceB;
  const { id: idB } = await connections.add({ name: 'B', baseUrl, apiKey, insecureAccepted: false });
  const all = await connections.list();
  store.setConnectionCount(all.length);
  store.setConnectionNames(all);
  store.setShowsAllConnections(true);
  const transport = owned.add(createClient('undici', { settings: () => ({ timeoutMs: 3000 }), clock, log }));
  const presence = { isViewVisible: () => false, isFocused: () => false, onDidChange: new Emitter<void>().event };
  const parts = { transport, clock, log, settings, presence, random: () => 0, secrets: new KnownSecrets() };
  const others = owned.add(
    new OtherConnections({
      ...{ active: context, connections, clock, log },
      demo: {
        name: context.demo.name,
        get running() {
          return context.demo.running;
        },
      },
      serve: (made) => serveConnection(made, { ...parts, makeToken: (id, request) => access.makeToken(id, request) }),
    }),
  );
  await new Promise<void>((resolve) => others.onDidChange(resolve));
  const modelB = (): ConnectionModel => {
    const model = others.get(idB);
    if (model === undefined) throw new Error('B is not open');
    return model;
  };
  Object.assign(context, {
    shownModels: () => [context, ...others.all],
    dismissRemoved: (id?: string) => others.dismissRemoved(id),
    contextBeside: createContextsBeside(
      () => context,
      (id) => others.get(id),
    ),
  });
  await modelB().loader.ensureList('active');
  await modelB().loader.ensureList('idle');
  const idA = context.connection.info?.id ?? '';
  for (const { control } of [service, serviceB]) control.clearRequests();
  return {
    ...fixture,
    ...{ serviceB, idB, others, modelB },
    rowOf: (which, streamId) => ({ ...streamNode('idle', streamId), connection: which === 'A' ? idA : idB }),
    changes: () =>
      Object.entries({ A: service, B: serviceB }).flatMap(([name, { control }]) =>
        control.requests
          .filter(({ method }) => method !== 'GET')
          .map(({ method, path }) => `${name} ${method} ${path}`),
      ),
  };
}

/** A stream that both services have: idle, without recording, not suspended. */
export function idleStreamOf({ serviceB }: Pick<Beside, 'serviceB'>): string {
  const found = serviceB.control
    .streams()
    .find(({ isActive, parentId, suspended, record }) => !isActive && !parentId && !suspended && !record);
  if (found === undefined) throw new Error('There is no idle stream');
  return found.id;
}
