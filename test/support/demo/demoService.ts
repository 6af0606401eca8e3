import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiVariant, type DemoAccount, fullVariant } from '../../../src/demo/api.ts';
import { type EmbeddedDemo, type ServerOptions, startDemoServer } from '../../../src/demo/demoServer.ts';
import { fakeLog } from '../model/fakes.ts';
import { createControl, type DemoControl, noteRequest, refuseBrowserKey, type Switches } from './control.ts';
import { indifferentVariant } from './indifferentApi.ts';
import { answerStrict } from './strictApi.ts';

export type { FaultAnswer } from '../../../src/demo/demoServer.ts';
export type { DemoSession, DemoStream, RecordingStatus } from '../../../src/demo/demoState.ts';
export type { DemoRequest } from '../../../src/demo/http.ts';
export type { DemoControl, FaultRule, SeenRequest } from './control.ts';

/**
 * full: the public service as observed. strict: only what is documented. indifferent: ignores all parameters that are not
 * documented (src/api/README.md, Documented and observed behavior).
 */
export type DemoFace = 'full' | 'strict' | 'indifferent';

export interface DemoOptions extends Omit<ServerOptions, 'variant' | 'interceptor' | 'log' | 'recordings'> {
  /** Default: none. */
  readonly log?: ServerOptions['log'];
  /** Default: in a folder that is removed with the service. */
  readonly recordings?: ServerOptions['recordings'];
  /** Whether it says its own addresses. Default: what the variant does. */
  readonly saysAddresses?: boolean;
  /** Default: full. */
  readonly face?: DemoFace;
  /** How it names the account, which a connection is called by. Default: a project "Studio at home". Not for strict. */
  readonly account?: DemoAccount;
}

export interface DemoService extends EmbeddedDemo {
  readonly control: DemoControl;
}

const VARIANTS: Readonly<Record<DemoFace, (account: DemoAccount) => ApiVariant>> = {
  full: fullVariant,
  indifferent: indifferentVariant,
  strict: () => ({ hasPlayback: false, hasDvr: false, hasIngest: false, hasPages: false, answer: answerStrict }),
};

/**
 * Starts the embedded service with what only tests and screenshots need, beyond what ships (startEmbeddedDemo): the
 * other variants and the control. Rejects if it cannot listen. Disposing closes all connections at once.
 */
export async function startDemo({
  face = 'full',
  saysAddresses,
  account = { projects: ['Studio at home'] },
  log = fakeLog(),
  ...options
}: DemoOptions): Promise<DemoService> {
  const switches: Switches = { requests: [], fault: undefined, isKeyRevoked: false, browserKey: undefined };
  const ownFolder = join(tmpdir(), `live-streams-test-${randomUUID()}`);
  const server = await startDemoServer({
    recordings: { folder: ownFolder },
    ...options,
    log,
    variant: { ...VARIANTS[face](account), ...(saysAddresses !== undefined && { hasIngest: saysAddresses }) },
    interceptor: {
      note: (request) => noteRequest(switches, request),
      fault: async (request) => (await switches.fault?.(request)) ?? refuseBrowserKey(switches, request),
      isKeyRevoked: () => switches.isKeyRevoked,
    },
  });
  const { baseUrl, apiKey, addresses, onDidStop } = server;
  return {
    ...{ baseUrl, apiKey, addresses, onDidStop },
    allowHost: (host) => server.allowHost(host),
    dispose() {
      server.dispose();
      rmSync(ownFolder, { recursive: true, force: true });
    },
    control: createControl(server.state, server.simulation, switches),
  };
}
