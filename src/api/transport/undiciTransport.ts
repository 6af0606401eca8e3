import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { DownloadRequest, HttpRequest, HttpResponse, Log } from '../../services.ts';
import { type Disposable, DisposableStore, onDispose } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';
import { ApiError } from '../errors.ts';
import { classifyError, isUntrusted } from './networkErrors.ts';
import { type NetworkSettings, type Route, routeOf } from './proxyRoute.ts';
import { ACCEPTED_ENCODINGS, decode, readBody } from './readBody.ts';
import {
  createSharedTransport,
  PLAIN_BODY,
  type SharedOptions,
  type WholeTransport,
  withoutEncoding,
} from './sharedTransport.ts';

export interface TransportOptions extends SharedOptions {
  readonly settings: () => NetworkSettings;
}

type Dispatcher = import('./undici.ts').Dispatcher;
type UsableRoute = Exclude<Route, { kind: 'unsupported' }>;

export function createUndiciTransport({ settings, ...options }: TransportOptions): WholeTransport {
  const certificates = createSystemCertificates(options.log);
  let opened: Promise<Agents> | undefined;

  // A failure isn't kept: the disk may have been busy or full.
  function open(): Promise<Agents> {
    opened ??= load().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function sendVia<T>(
    route: UsableRoute,
    signal: AbortSignal,
    use: (agent: Dispatcher) => Promise<T>,
  ): Promise<T> {
    const agents = await open();
    signal.throwIfAborted();
    const current = settings();
    const context = usesSystemCertificates(current) ? certificates.context : undefined;
    const agent = agents.get({ route, settings: current, context });
    try {
      return await use(agent);
    } catch (error) {
      const mayHelp = context === undefined && usesSystemCertificates(current) && isUntrusted(error);
      // Not a retry, regardless of the method: nothing has been sent yet.
      if (mayHelp && (await certificates.load())) return sendVia(route, signal, use);
      throw error;
    }
  }

  async function sendByRoute<T>(url: string, signal: AbortSignal, use: (agent: Dispatcher) => Promise<T>): Promise<T> {
    const route = routeOf(url, settings());
    if (route.kind !== 'unsupported') return sendVia(route, signal, use);
    throw new ApiError('network', 'The proxy is neither http nor https', { why: 'proxyUnsupported' });
  }

  const transport = createSharedTransport(
    { ...options, timeoutMs: () => settings().timeoutMs },
    {
      send: (request, signal) => sendByRoute(request.url, signal, (agent) => sendOnce(agent, request, signal)),
      download: (request, signal) => sendByRoute(request.url, signal, (agent) => openDownload(agent, request, signal)),
    },
  );
  return {
    ...transport,
    dispose() {
      transport.dispose();
      certificates.dispose();
      opened?.then((agents) => agents.dispose()).catch(() => {});
    },
  };
}

async function load(): Promise<Agents> {
  return new Agents(await import('./undici.ts'));
}

function usesSystemCertificates({ strictSSL = true, systemCertificates = true }: NetworkSettings): boolean {
  return strictSSL && systemCertificates;
}

async function sendOnce(
  dispatcher: Dispatcher,
  { method, url, headers, body, maxBytes, isJson }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const accepting = { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers };
  const answer = await dispatcher.request({ ...requestOptions(url, accepting, signal), method, body: body ?? null });
  const status = answer.statusCode;
  const plain = joinHeaders(answer.headers);
  return { status, headers: plain, body: await readBody(answer.body, { status, headers: plain, maxBytes, isJson }) };
}

async function openDownload(dispatcher: Dispatcher, { url, headers }: DownloadRequest, signal: AbortSignal) {
  const answer = await dispatcher.request({
    ...requestOptions(url, { ...PLAIN_BODY, ...headers }, signal),
    method: 'GET',
  });
  // Errors of an unread body are irrelevant.
  answer.body.on('error', () => {});
  const plain = joinHeaders(answer.headers);
  const body: AsyncIterable<Uint8Array> = await decode(answer.body, plain['content-encoding']);
  return { status: answer.statusCode, headers: withoutEncoding(plain), body };
}

/** Returns the options that all requests share. Disables undici's timeouts: deadlines are ours, per call or stall. */
function requestOptions(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: `${pathname}${search}`,
    headers: { 'user-agent': 'live-streams', ...headers },
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(joined);
}

type Undici = typeof import('./undici.ts');
type ConnectOptions = Parameters<Dispatcher['connect']>[0];
type Build = Undici['buildConnector'];
type Connect = ReturnType<Build>;
type ConnectorOptions = NonNullable<Parameters<Build>[0]>;

/** The maximum number of parallel requests to one host; others queue. */
const CONNECTIONS = 20;
/** Time for a proxy to respond to CONNECT, in milliseconds. The deadline of the call doesn't reach that layer. */
const CONNECT_TIMEOUT = 30_000;

interface AgentRequest {
  readonly route: UsableRoute;
  readonly settings: NetworkSettings;
  readonly context: SecureContext | undefined;
}

/** Caches agents by the options of their connections. Agents of old settings close once their requests end. */
class Agents implements Disposable {
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
      // Connecting may take as long as a call. The default of undici is 10 s, regardless of what the setting allows.
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

/** Errors of undici must not get through: after UND_ERR_SOCKET, it would reconnect thousands of times a second. */
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
 * only once it's established, so one whose peer goes silent during the TLS handshake would outlive its agent.
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

interface SystemCertificates extends Disposable {
  readonly context: SecureContext | undefined;
  /** Loads the authorities once; later calls share the result. Doesn't throw. */
  load(): Promise<SecureContext | undefined>;
}

// Reading is synchronous and took up to 48 s, so it runs in a worker, and only when needed.
const WORKER = `
const { parentPort } = require('node:worker_threads');
const tls = require('node:tls');
const read = (type) => {
  try {
    return tls.getCACertificates(type);
  } catch {
    return [];
  }
};
const system = read('system');
parentPort.postMessage(system.length === 0 ? [] : [...new Set([...read('bundled'), ...read('extra'), ...system])]);
`;

function createSystemCertificates(log: Log): SystemCertificates {
  let worker: Worker | undefined;
  let context: SecureContext | undefined;
  let loading: Promise<SecureContext | undefined> | undefined;

  function readThem(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      worker = new Worker(WORKER, { eval: true, execArgv: [] });
      worker.unref();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => resolve([]));
    });
  }

  async function load(): Promise<SecureContext | undefined> {
    try {
      const ca = await readThem();
      log.info(`The system's certificates: ${ca.length} authorities with Node's`);
      // Shared by all connections: parsing hundreds of certificates for each would be slow.
      if (ca.length > 0) context = createSecureContext({ ca: [...ca] });
    } catch (error) {
      log.warn(`The system's certificates can't be read: ${error instanceof Error ? error.message : error}`);
    }
    return context;
  }

  return {
    get context() {
      return context;
    },
    load() {
      loading ??= load();
      return loading;
    },
    dispose: () => void worker?.terminate(),
  };
}
