import { STREAM_FIELDS } from '../../../src/demo/api.ts';
import { answerRows, type ListFields, NUMBERS, readTest } from '../../../src/demo/listing.ts';
import type { HttpRequest, HttpResponse, Transport } from '../../../src/services.ts';

/** A stream as the service holds it. */
export type ServedStream = {
  id: string;
  name: string;
  isActive: boolean;
  record: boolean;
  lastSeen: number;
  createdAt: number;
  suspended?: boolean;
  playbackId?: string;
  multistream?: { readonly targets: readonly { readonly id: string; readonly profile: string }[] };
};

const SESSION_FIELDS = { ...NUMBERS, id: 'string', parentId: 'string', record: 'boolean' } as const;

interface Waiting {
  readonly request: HttpRequest;
  release(): void;
}

/**
 * A small service in memory, behind the Transport seam: active, idle and recording lists with paging, retrieve, sessions,
 * and changes.
 * Answers can be held back and let go in any order, and can be replaced by failures: for tests of order and of counts.
 */
export class ScriptedService implements Transport {
  readonly streams = new Map<string, ServedStream>();
  readonly sessions = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  /** By stream. */
  readonly clips = new Map<string, readonly Readonly<Record<string, unknown>>[] | 'gone'>();
  /** By session. */
  readonly sessionClips = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  /** The streams whose clips were listed, and 'session ID' for single sessions. */
  readonly clipReads: string[] = [];
  /** Those of GET /session, over all streams; answered newest first. */
  readonly userSessions: Readonly<Record<string, unknown>>[] = [];
  /** Where false, lists send everything, whatever page is asked for. */
  isPaged = true;
  /** Where false, pages come in an order of the service's own, that of ids. */
  isSorting = true;
  /** What reads are answered from while it lags behind; all there is where undefined. */
  replica: ReadonlyMap<string, ServedStream> | undefined;
  /** The total that is sent with so many rows, where it is another. */
  totalOf: ((rows: number) => number) | undefined;
  readonly requests: string[] = [];
  readonly waiting: Waiting[] = [];
  isHolding = false;
  /** Changes are made, but who asked for them hears of a failure. */
  losesAnswersToChanges = false;
  /** Asked before each answer; what it returns is answered instead, what it throws is thrown. */
  fault: ((request: HttpRequest) => HttpResponse | undefined) | undefined;
  readonly #now: () => number;
  readonly #lists = { listsAnswered: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  add(...streams: (Partial<ServedStream> & { id: string })[]): void {
    for (const stream of streams) {
      const whole = { name: stream.id, isActive: false, record: false, lastSeen: 0, createdAt: 1, ...stream };
      this.streams.set(stream.id, whole);
    }
  }

  change(id: string, patch: Partial<ServedStream>): void {
    const stream = this.streams.get(id);
    if (stream !== undefined) Object.assign(stream, patch);
  }

  /** From now on reads do not see what changes, until `replica` is taken away. */
  lagBehind(): void {
    this.replica = structuredClone(this.streams);
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const url = new URL(request.url);
    // Clips are read in the background, beside what tests are about.
    const [, kind, id] = /^\/(stream|session)\/([^/]+)\/clips$/.exec(url.pathname) ?? [];
    if (id !== undefined) return kind === 'stream' ? this.#listClips(id) : this.#listSessionClips(id);
    this.requests.push(`${request.method} ${url.pathname}${decodeURIComponent(url.search)}`);
    if (this.isHolding) await this.#held(request);
    request.signal?.throwIfAborted();
    return this.fault?.(request) ?? (request.method === 'GET' ? this.#answer(url) : this.#change(request, url));
  }

  #listClips(streamId: string): HttpResponse {
    this.clipReads.push(streamId);
    const known = this.clips.get(streamId);
    return known === 'gone' ? this.#json(404, { errors: ['not found'] }) : this.#json(200, known ?? []);
  }

  #listSessionClips(sessionId: string): HttpResponse {
    this.clipReads.push(`session ${sessionId}`);
    const known = this.sessionClips.get(sessionId);
    return known === undefined ? this.#json(404, { errors: ['not found'] }) : this.#json(200, known);
  }

  #held(request: HttpRequest): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ request, release: resolve });
    });
  }

  #answer(url: URL): HttpResponse {
    const [kind, id, part] = url.pathname.split('/').slice(1);
    if (kind === 'session' && id === undefined) return this.#list(url, this.userSessions, SESSION_FIELDS);
    if (id === undefined) return this.#list(url, [...this.#readable.values()], STREAM_FIELDS);
    if (part === 'sessions') return this.#json(200, this.sessions.get(id) ?? []);
    const stream = this.#readable.get(id);
    return stream === undefined ? this.#json(404, { errors: ['not found'] }) : this.#json(200, stream);
  }

  /** Of a stream that is there, by src/api/README.md, Changes: recording cannot be changed while it is live, and suspending ends a broadcast. */
  #change({ method, body }: HttpRequest, url: URL): HttpResponse {
    const [, id = '', part] = url.pathname.split('/').slice(1);
    const stream = this.streams.get(id);
    if (stream === undefined) return this.#json(404, { errors: ['not found'] });
    const patch: Partial<ServedStream> = method === 'PATCH' ? JSON.parse(body ?? '{}') : {};
    if (patch.record !== undefined && stream.isActive) return this.#json(400, { errors: ['stream is active'] });
    if (method === 'DELETE' && part === undefined) this.streams.delete(id);
    else this.change(id, patch.suspended || part !== undefined ? { ...patch, isActive: false } : patch);
    return { status: this.losesAnswersToChanges ? 500 : 204, headers: {}, body: new Uint8Array() };
  }

  get #readable(): ReadonlyMap<string, ServedStream> {
    return this.replica ?? this.streams;
  }

  /** A page by the demo's rules; or everything. */
  #list(url: URL, rows: readonly Readonly<Record<string, unknown>>[], fields: ListFields): HttpResponse {
    const query = url.searchParams;
    checkOrder(query);
    if (!this.isSorting) query.set('order', 'id-true');
    const { pathname: path, host } = url;
    const request = { method: 'GET', path, query: `${query}`, headers: { host }, body: '' };
    const call = { request, query, isIndifferent: false };
    const passes = readTest(call, fields);
    const found = rows.filter(passes);
    if (!this.isPaged) query.set('limit', `${found.length + 1}`);
    if (!this.isPaged) query.delete('cursor');
    const { headers, body } = answerRows({ state: this.#lists, call, fields, show: (row) => row }, found);
    const total = query.has('count') ? this.totalOf?.(found.length) : undefined;
    return this.#send(200, String(body), { ...headers, ...(total !== undefined && { 'x-total-count': `${total}` }) });
  }

  #json(status: number, body: unknown): HttpResponse {
    return this.#send(status, JSON.stringify(body));
  }

  #send(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
    const date = new Date(this.#now()).toUTCString();
    return {
      status,
      headers: { 'content-type': 'application/json', date, ...headers },
      body: new TextEncoder().encode(body),
    };
  }
}

/** Every page is asked for in an order that is unique (src/api/README.md, Lists): a test that meets another fails. */
function checkOrder(query: URLSearchParams): void {
  const isPaged = query.has('limit') || query.has('cursor');
  if (!isPaged || /(^|,)id-(true|false)$/.test(query.get('order') ?? '')) return;
  throw new Error(`A page was asked for without a unique order: ${query}`);
}
