import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { type Disposable, DisposableStore, onDispose } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';
import { ApiError } from '../errors.ts';
import { classifyError } from './networkErrors.ts';
import type { NetworkSettings } from './networkSettings.ts';
import type { Route } from './proxyRoute.ts';

type Undici = typeof import('./undici.ts');
type Dispatcher = import('./undici.ts').Dispatcher;
type ConnectOptions = Parameters<Dispatcher['connect']>[0];
type Build = Undici['buildConnector'];
type Connect = ReturnType<Build>;
type ConnectorOptions = NonNullable<Parameters<Build>[0]>;

/** Maximum of parallel requests to one host; others queue. */
const CONNECTIONS = 20;
/** Time for a proxy to respond to CONNECT, in milliseconds. The deadline of the call doesn't reach that layer. */
const CONNECT_TIMEOUT = 30_000;

export interface AgentRequest {
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
  #options = '';
  #context: SecureContext | undefined;

  constructor(undici: Undici) {
    this.#undici = undici;
  }

  get(request: AgentRequest): Dispatcher {
    const { route, settings, context } = request;
    const { proxy, proxyAuthorization, strictSSL, timeoutMs } = settings;
    const options = JSON.stringify([proxy, proxyAuthorization, strictSSL, timeoutMs]);
    if (options !== this.#options || context !== this.#context) this.#retire();
    this.#options = options;
    this.#context = context;
    const key = route.kind === 'proxy' ? `${route.uri} ${route.token}` : '';
    const agent = this.#byRoute.get(key) ?? this.#make(request);
    this.#byRoute.set(key, agent);
    return agent;
  }

  dispose(): void {
    for (const agent of this.#open) agent.destroy().catch(() => {});
    this.#connectors.dispose();
    this.#open.clear();
    this.#byRoute.clear();
  }

  #make({ route, settings, context }: AgentRequest): Dispatcher {
    const tls = {
      rejectUnauthorized: settings.strictSSL ?? true,
      ...(context && { secureContext: context }),
      // Connecting may take as long as a call. The default of undici is 10 s, whatever the setting allows.
      timeout: settings.timeoutMs,
    };
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

function withPlainFailures(pool: Dispatcher): Dispatcher {
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, { connect: (options: ConnectOptions) => openTunnel(connect(options)) });
}

interface Tunnel {
  readonly statusCode: number;
  readonly socket: Duplex;
}

/**
 * Throws an ApiError about the proxy if there is no tunnel. Errors of undici must not get through: after one with the
 * code UND_ERR_SOCKET (the proxy hangs up) it would reconnect endlessly, thousands of times a second.
 */
async function openTunnel<T extends Tunnel>(connecting: Promise<T>): Promise<T> {
  const tunnel = await connecting.catch((error: unknown) => {
    const { code, reason, why } = classifyError(error);
    // The caller needs a certificate error as it is, to retry with other authorities; a timeout isn't about the proxy.
    if (why === 'certificate' || reason === 'timeout') throw error;
    throw new ApiError('network', `The proxy: ${code}`, { why: 'proxy' });
  });
  if (tunnel.statusCode === 200) return tunnel;
  tunnel.socket.on('error', () => {}).destroy();
  const why = tunnel.statusCode === 407 ? 'proxyAuthentication' : 'proxy';
  throw new ApiError('network', `The proxy answered ${tunnel.statusCode}`, { why });
}

/**
 * Connects like undici's default connector, and destroys pending connections when disposed: undici knows a connection
 * only once it is established, so one whose peer goes silent during the TLS handshake would outlive its agent.
 */
export function createConnector(build: Build, options: ConnectorOptions): { readonly connect: Connect } & Disposable {
  const connecting = new Set<Socket>();
  const start: (...given: Parameters<Connect>) => unknown = build(options);
  return {
    connect(target, callback) {
      let socket: Socket | undefined;
      const started = start(target, (...result: Parameters<typeof callback>) => {
        if (socket !== undefined) connecting.delete(socket);
        callback(...result);
      });
      // undici returns the socket, but its types don't say so.
      if (!isSocket(started)) return;
      socket = started;
      connecting.add(started);
      // A TLS alert after the handshake leaves the socket open, and undici then only reports that the peer closed it.
      started.on('error', (error) => started.destroy(error));
    },
    ...onDispose(() => {
      for (const socket of connecting) socket.destroy(new Error('The agent was closed'));
      connecting.clear();
    }),
  };
}

function isSocket(value: unknown): value is Socket {
  return isRecord(value) && typeof value.destroy === 'function';
}
