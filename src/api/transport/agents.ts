import type { SecureContext } from 'node:tls';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { createConnector } from './connector.ts';
import type { NetworkSettings } from './networkSettings.ts';
import type { Route } from './proxyRoute.ts';
import { openTunnel } from './tunnel.ts';

type Undici = typeof import('./undici.ts');
type Dispatcher = import('./undici.ts').Dispatcher;
type ConnectOptions = Parameters<Dispatcher['connect']>[0];

/** Requests at once to one host; more wait for their turn. */
const CONNECTIONS = 20;
/** For a proxy to answer CONNECT. The call's own deadline does not reach that far down. */
const CONNECT_TIMEOUT = 30_000;

/** What the connections of an agent are made with. */
export interface Making {
  readonly route: Exclude<Route, { kind: 'unsupported' }>;
  readonly settings: NetworkSettings;
  /** Node's own authorities where it is missing. */
  readonly context: SecureContext | undefined;
}

/** Agents by what their connections were made with: a changed setting gives new ones, and old ones end with their requests. */
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
    // A connection may take as long as a call. By itself undici gives it 10 s, whatever the person allows.
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

  /** Lets what is under way come to its end. */
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

/** The connections to a proxy, which say what is wrong with it. */
function withPlainFailures(pool: Dispatcher): Dispatcher {
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, { connect: (options: ConnectOptions) => openTunnel(connect(options)) });
}
