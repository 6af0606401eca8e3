import type { SecureContext } from 'node:tls';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { createConnector } from './connector.ts';
import type { NetworkSettings } from './networkSettings.ts';
import type { Route } from './proxyRoute.ts';
import { openTunnel } from './tunnel.ts';

type Undici = typeof import('./undici.ts');
type Dispatcher = import('./undici.ts').Dispatcher;
type ConnectOptions = Parameters<Dispatcher['connect']>[0];

/** Maximum of parallel requests to one host; others queue. */
const CONNECTIONS = 20;
/** Time for a proxy to respond to CONNECT, in milliseconds. The deadline of the call doesn't reach that layer. */
const CONNECT_TIMEOUT = 30_000;

export interface Making {
  readonly route: Exclude<Route, { kind: 'unsupported' }>;
  readonly settings: NetworkSettings;
  readonly context: SecureContext | undefined;
}

/**
 * Caches agents by the options of their connections. A changed setting creates new agents; old ones close once their
 * requests end.
 */
export class Agents implements Disposable {
  readonly #undici: Undici;
  readonly #open = new Set<Dispatcher>();
  readonly #connectors = new DisposableStore();
  #byRoute = new Map<string, Dispatcher>();
  #madeWith = '';
  #context: SecureContext | undefined;

  constructor(undici: Undici) {
    this.#undici = undici;
  }

  get(making: Making): Dispatcher {
    const { route, settings, context } = making;
    const { proxy, proxyAuthorization, strictSSL, timeoutMs } = settings;
    const madeWith = JSON.stringify([proxy, proxyAuthorization, strictSSL, timeoutMs]);
    if (madeWith !== this.#madeWith || context !== this.#context) this.#retire();
    this.#madeWith = madeWith;
    this.#context = context;
    const key = route.kind === 'proxy' ? `${route.uri} ${route.token}` : '';
    const agent = this.#byRoute.get(key) ?? this.#make(making);
    this.#byRoute.set(key, agent);
    return agent;
  }

  dispose(): void {
    for (const agent of this.#open) agent.destroy().catch(() => {});
    this.#connectors.dispose();
    this.#open.clear();
    this.#byRoute.clear();
  }

  #make({ route, settings, context }: Making): Dispatcher {
    // Connecting may take as long as a call. The default of undici is 10 s, whatever the setting allows.
    const patience = { timeout: settings.timeoutMs };
    const trust = { rejectUnauthorized: settings.strictSSL ?? true, ...(context && { secureContext: context }) };
    const tls = { ...trust, ...patience };
    const { Agent, buildConnector, Pool, ProxyAgent } = this.#undici;
    const agent =
      route.kind === 'direct'
        ? new Agent({
            connections: CONNECTIONS,
            connect: this.#connectors.add(createConnector(buildConnector, tls)).connect,
          })
        : new ProxyAgent({
            uri: route.uri,
            ...(route.token !== undefined && { token: route.token }),
            connections: CONNECTIONS,
            requestTls: tls,
            proxyTls: tls,
            clientFactory: (origin, options) =>
              withPlainFailures(new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT })),
          });
    this.#open.add(agent);
    return agent;
  }

  #retire(): void {
    for (const agent of this.#byRoute.values()) {
      agent.close().then(
        () => this.#open.delete(agent),
        () => {},
      );
    }
    this.#byRoute = new Map();
  }
}

/** Makes the connections to a proxy fail with errors that describe what is wrong with it. */
function withPlainFailures(pool: Dispatcher): Dispatcher {
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, { connect: (options: ConnectOptions) => openTunnel(connect(options)) });
}
