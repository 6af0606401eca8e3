import { randomInt, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { AddressTemplates, Clock, Log } from '../services.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import { Emitter, type Event } from '../util/events.ts';
import { memoize } from '../util/memoize.ts';
import { type ApiVariant, answerApi, fullVariant } from './api.ts';
import { advanceClips, cutClip } from './clips.ts';
import { createDemoState, type DemoState } from './demoState.ts';
import { type DemoRequest, type DemoResponse, failure, type StreamedResponse } from './http.ts';
import { publish } from './ingest/ingest.ts';
import { DemoRecordings, type RecordingsOptions, removeLeftRecordings } from './ingest/recordings.ts';
import { RtmpServer } from './ingest/rtmpServer.ts';
import { createRandom } from './random.ts';
import { openSampleMovie } from './sampleMovie.ts';
import { seedState } from './seed.ts';
import { loseRecording, Simulation } from './simulation.ts';
import { answerBrowserPage, answerMedia, type Media, notFoundPage, openMediaFiles, readMovie } from './site.ts';
import { seedWebhooks, WebhookSender } from './webhooks.ts';

const MAX_BODY_BYTES = 1024 * 1024;

interface EmbeddedOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly mediaRoot: string;
  /** Where recordings of incoming broadcasts are kept. */
  readonly recordings: Omit<RecordingsOptions, 'onRemoved'>;
  /** The same seed and clock give the same data, and another clock gives the same IDs. Default: random. */
  readonly seed?: number;
  /** Seed for everything after the start, including new IDs. Default: continues from `seed`. */
  readonly chance?: number;
}

export interface ServerOptions extends EmbeddedOptions {
  readonly variant: ApiVariant;
  readonly interceptor?: Interceptor;
  /** If false, only broadcasts and clips that the caller started proceed with the clock. Default: true. */
  readonly isLively?: boolean;
  /** Default: 60. If at least 10, child streams are added. */
  readonly streamCount?: number;
  /** Default: a tenth of the streams, at most 5, the third of which is stale. If given, none is stale. */
  readonly liveCount?: number;
  readonly apiKey?: string;
}

export interface Interceptor {
  note(request: DemoRequest): (status: number) => void;
  /** Called for each request with an allowed Host. Undefined lets the request through; a promise delays it. */
  fault(request: DemoRequest): FaultAnswer | undefined | Promise<FaultAnswer | undefined>;
  isKeyRevoked(): boolean;
}

/** The effect of a fault: send a response, reset the connection, or never respond. */
export type FaultAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Parts are sent as they arrive, without a content length. */
      readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
    }
  | 'reset'
  | 'hang';

export interface EmbeddedDemo extends Disposable {
  /** 'http://127.0.0.1:PORT/api' */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly addresses: AddressTemplates;
  readonly onDidStop: Event<void>;
  /** Serves media and pages, never the API, under this Host (host[:port]) too. Generated URLs keep 127.0.0.1. */
  allowHost(host: string): void;
}

/** Cleans up after killed demos and listens on a free port of 127.0.0.1, or rejects. Disposing closes connections. */
export async function startEmbeddedDemo(options: EmbeddedOptions): Promise<EmbeddedDemo> {
  return startDemoServer({ ...options, variant: fullVariant() });
}

export async function startDemoServer(options: ServerOptions): Promise<DemoServer> {
  await removeLeftRecordings(options.recordings.folder, options.log);
  const http = await listen(createServer());
  try {
    return new DemoServer(http, await listen(createSocketServer({ noDelay: true })), options);
  } catch (error) {
    http.close();
    throw error;
  }
}

async function listen<T extends SocketServer>(server: T): Promise<T> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

function portOf(server: SocketServer): number {
  return (server.address() as AddressInfo).port;
}

class DemoServer implements EmbeddedDemo {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly addresses: AddressTemplates;
  readonly state: DemoState;
  readonly simulation: Simulation;
  readonly #server: Server;
  readonly #owned = new DisposableStore();
  readonly #variant: ApiVariant;
  readonly #interceptor: Interceptor | undefined;
  readonly #media: Media;
  readonly #ownHosts: ReadonlySet<string>;
  readonly #allowedHosts = new Set<string>();
  readonly #stopped = this.#owned.add(new Emitter<void>());

  readonly onDidStop = this.#stopped.event;

  constructor(server: Server, ingest: SocketServer, options: ServerOptions) {
    const { clock, log, variant, interceptor, isLively = true, streamCount = 60, liveCount } = options;
    const port = portOf(server);
    const origin = `http://127.0.0.1:${port}`;
    this.state = createDemoState(clock, createRandom(options.seed ?? randomInt(2 ** 32)), origin);
    seedState(this.state, { streamCount, liveCount, isLively });
    seedWebhooks(this.state);
    if (options.chance !== undefined) this.state.random = createRandom(options.chance);
    this.simulation = new Simulation(this.state, isLively);
    this.baseUrl = `${origin}/api`;
    this.apiKey = options.apiKey ?? randomUUID();
    this.state.rtmpServer = `rtmp://127.0.0.1:${portOf(ingest)}/live`;
    this.addresses = addressesOn(origin, this.state.rtmpServer);
    this.#server = server;
    this.#variant = variant;
    this.#interceptor = interceptor;
    const recordings = this.#owned.add(
      new DemoRecordings({ ...options.recordings, onRemoved: (id) => this.#lose(id) }),
    );
    const movie = memoize(() => openSampleMovie(readMovie(options.mediaRoot)));
    this.state.cutClip = (clip) => cutClip(this.state, { recordings, movie }, clip);
    const webhooks = this.#owned.add(new WebhookSender(this.state));
    this.state.report = (event) => webhooks.report(event);
    this.state.resend = (webhook, delivery) => webhooks.resend(webhook, delivery);
    const parts = { state: this.state, recordings, log };
    const receive = (key: string, disconnect: () => void) => publish(parts, key, disconnect);
    this.#owned.add(new RtmpServer(ingest, { clock, log, publish: receive }));
    this.#media = { state: this.state, files: openMediaFiles(options.mediaRoot), recordings, movie, webhooks };
    this.#ownHosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
    server.on('request', (incoming, response) => {
      this.#serve(incoming, response).catch((error: unknown) => {
        // Not `incoming`, which is destroyed as soon as its body is read.
        if (!response.destroyed) log.error("The demo couldn't answer a request", error);
        if (response.headersSent || response.destroyed) response.destroy();
        else this.#send(incoming, response, failure(500, 'The demo failed'));
      });
    });
  }

  allowHost(host: string): void {
    this.#allowedHosts.add(host.toLowerCase());
  }

  dispose(): void {
    this.#stopped.fire();
    this.#server.close();
    this.#server.closeAllConnections();
    this.#owned.dispose();
  }

  #lose(sessionId: string): void {
    const session = this.state.sessions.get(sessionId);
    if (session) loseRecording(this.state, session, 'deleted');
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(incoming);
    if (body === undefined) return this.#send(incoming, response, failure(413, 'The body is too large'));
    const request = describeRequest(incoming, body);
    const onSent = this.#interceptor?.note(request);
    const answer = await this.#respond(request);
    if (answer === 'hang') return;
    if (answer === 'reset') return void incoming.socket.resetAndDestroy();
    onSent?.(answer.status);
    const { body: content = '', headers = {}, status } = answer;
    if (typeof content === 'string' || content instanceof Uint8Array) {
      return this.#send(incoming, response, { status, headers, body: content });
    }
    response.writeHead(status, headers);
    if (incoming.method === 'HEAD') response.end();
    else await pipeline(content, response);
  }

  async #respond(request: DemoRequest): Promise<StreamedResponse | FaultAnswer> {
    if (!this.#isHostAllowed(request)) return failure(403, 'The Host header names another service');
    const fault = await this.#interceptor?.fault(request);
    if (fault !== undefined) return fault;
    const { state } = this;
    this.simulation.advance();
    advanceClips(state, state.clock.now());
    if (isApi(request)) return this.#answerApi(request);
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
      return failure(405, 'Only GET, HEAD and OPTIONS are answered here');
    }
    const found = (await answerMedia(this.#media, request)) ?? answerBrowserPage(state, request);
    return found ?? (this.#variant.hasPages ? notFoundPage() : failure(404, 'Not found'));
  }

  #answerApi(request: DemoRequest): DemoResponse | Promise<DemoResponse> {
    const apiKey = this.#interceptor?.isKeyRevoked() === true ? undefined : this.apiKey;
    return answerApi({ state: this.state, variant: this.#variant, apiKey }, request);
  }

  // A foreign page whose name resolves to this machine (DNS rebinding) sends its own Host.
  #isHostAllowed(request: DemoRequest): boolean {
    const host = (request.headers.host ?? '').toLowerCase();
    return this.#ownHosts.has(host) || (!isApi(request) && this.#allowedHosts.has(host));
  }

  #send(incoming: IncomingMessage, response: ServerResponse, answer: DemoResponse): void {
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    response.sendDate = false;
    response.writeHead(answer.status, {
      date: new Date(this.state.clock.now()).toUTCString(),
      ...(answer.status === 204 || answer.status === 304 ? {} : { 'content-length': String(body.length) }),
      ...answer.headers,
    });
    response.end(incoming.method === 'HEAD' ? undefined : body);
  }
}

function describeRequest(incoming: IncomingMessage, body: string): DemoRequest {
  const [path = '', ...query] = (incoming.url ?? '').split('?');
  return { method: incoming.method ?? 'GET', path, query: query.join('?'), headers: incoming.headers, body };
}

async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isApi(request: DemoRequest): boolean {
  return request.path === '/api' || request.path.startsWith('/api/');
}

function addressesOn(origin: string, rtmpServer: string): AddressTemplates {
  return {
    rtmp: `${rtmpServer}/{streamKey}`,
    whip: `${origin}/webrtc/{streamKey}`,
    hls: `${origin}/hls/{playbackId}/index.m3u8`,
    player: `${origin}/player?v={playbackId}`,
    recordingPlayer: `${origin}/player?url={recordingUrl}`,
    dashboard: `${origin}/dashboard?stream={id}`,
    keys: `${origin}/dashboard/keys`,
  };
}
