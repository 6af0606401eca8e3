import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createClock } from '../../src/util/clock.ts';
import { EXTENSION_ID } from '../host/product.ts';
import { type DemoFace, type DemoService, startDemo } from '../support/demo/demoService.ts';
import type { Ending, Reply } from '../support/service/faultReply.ts';
import type { FaultRequest } from '../support/service/faultRequests.ts';
import { type FaultService, startFaultService } from '../support/service/faultService.ts';
import { FAULTS } from '../unit/attack/faults.ts';
import type { Chance } from './random.ts';
import type { Tally } from './tallies.ts';

/** A service whose answers pass through one that spoils them. */
export interface FaultyService {
  readonly name: string;
  readonly face: DemoFace;
  readonly demo: DemoService;
  /** 'http://127.0.0.1:PORT/api', with the faults. */
  readonly baseUrl: string;
  /** Requests so far. */
  readonly requests: number;
  /** Connections to it that are open. */
  readonly connections: number;
  /** Begins another stretch of trouble, or none. `passing`: of a kind after which polls go on by themselves, and soon. */
  makeTrouble(chance: Chance, isPassing: boolean): Promise<void>;
  /** From now on it answers 500 to these. */
  fail(isMeant: (path: string, query: string) => boolean): void;
  /** From now on nothing is wrong. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface FaultyServiceOptions {
  readonly name: string;
  readonly face: DemoFace;
  readonly seed: number;
  /** Counts what is spoiled. */
  readonly faults: Tally;
}

const FACES: readonly (readonly [name: string, face: DemoFace])[] = [
  ['Production', 'full'],
  ['Strict', 'strict'],
  ['Indifferent', 'indifferent'],
];

/** One of each kind. */
export function startFaultyServices(seed: number, faults: Tally): Promise<readonly FaultyService[]> {
  return Promise.all(FACES.map(([name, face], at) => startFaultyService({ name, face, seed: seed + at, faults })));
}

async function startFaultyService({ name, face, seed, faults }: FaultyServiceOptions): Promise<FaultyService> {
  const { extensionPath = '' } = vscode.extensions.getExtension(EXTENSION_ID) ?? {};
  const mediaRoot = join(extensionPath, 'media/demo');
  const held = { clock: createClock(), mediaRoot, isLively: false, streamCount: 30, liveCount: 4 };
  const demo = await startDemo({ ...held, face, seed });
  // A connection that is kept can end in the moment in which it is used again, which would be nobody's fault.
  const agent = new Agent({ keepAlive: false });
  const service: FaultService = await startFaultService((request) => forward(demo, service.url, agent, request));
  let requests = 0;
  const count = (): number => {
    requests += service.requests.length;
    service.requests.length = 0;
    demo.control.clearRequests();
    return requests;
  };
  async function recover(): Promise<void> {
    service.fault = undefined;
    service.atConnect = undefined;
    demo.control.restoreKey();
    if (!service.isListening) await service.setListening(true);
  }
  return {
    ...{ name, face, demo, baseUrl: `${service.url}/api`, recover },
    get requests() {
      return count();
    },
    get connections() {
      return service.sockets.size;
    },
    async makeTrouble(chance, isPassing) {
      count();
      await recover();
      await begin({ service, demo, chance, faults, isPassing });
    },
    fail(isMeant) {
      service.fault = (reply, { path, query }) => (isMeant(path, query) ? { ...reply, status: 500 } : reply);
    },
    async close() {
      await service.close();
      agent.destroy();
      demo.dispose();
    },
  };
}

interface Stretch {
  readonly service: FaultService;
  readonly demo: DemoService;
  readonly chance: Chance;
  readonly faults: Tally;
  readonly isPassing: boolean;
}

/** After others a person has to act (the key is refused), or polls wait as long as the service wants. */
const PASSING = FAULTS.filter(({ what }) => !/429|503|401/.test(what));

/** Half of the time all is well or nearly; now and then nothing works at all. */
async function begin({ service, demo, chance, faults, isPassing }: Stretch): Promise<void> {
  const kind = chance.below(16);
  if (kind === 0) {
    // As when its process is killed: all connections are reset, and no new one is accepted.
    faults.count('is killed');
    await service.setListening(false);
  } else if (kind === 1 && !isPassing) {
    faults.count('the key is refused');
    demo.control.revokeKey();
  } else if (kind === 2) {
    service.atConnect = chance.pick<Ending>(['reset', 'close', 'stall']);
    faults.count(`connections end with ${service.atConnect}`);
  }
  const share = [0, 0, 0.05, 0.2, 0.5, 0.9][chance.below(6)] ?? 0;
  const kinds = isPassing ? PASSING : FAULTS;
  service.fault = (reply, request) => {
    if (chance.fraction() >= share) return reply;
    const spoiled = chance.pick(kinds);
    faults.count(spoiled?.what ?? '');
    return spoiled?.fault(reply, request) ?? reply;
  };
}

/** What the service itself answers. Its own address does not show: the key would not follow it to another origin. */
function forward(demo: DemoService, origin: string, agent: Agent, asked: FaultRequest): Promise<Reply> {
  const inner = new URL(demo.baseUrl);
  const { 'accept-encoding': _, ...headers } = asked.headers;
  const path = `${asked.path}${asked.query === '' ? '' : `?${asked.query}`}`;
  return new Promise((resolve, reject) => {
    const sending = send(
      {
        ...{ agent, method: asked.method, path, host: inner.hostname, port: inner.port },
        headers: { ...headers, host: inner.host },
      },
      async (response) => {
        const body = Buffer.concat(await response.toArray());
        const said = Object.entries(response.headers).filter(
          ([name]) => !/^(connection|keep-alive|content-length|transfer-encoding)$/.test(name),
        );
        const rewritten = said.map(([name, value]) => [name, String(value).replaceAll(inner.origin, origin)]);
        resolve({ status: response.statusCode ?? 500, headers: Object.fromEntries(rewritten), body });
      },
    );
    sending.once('error', reject);
    sending.end(asked.body);
  });
}
