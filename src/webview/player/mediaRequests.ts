import type { HlsConfig, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js';
import type { MetProblem, Source } from './messages.ts';

const ANONYMOUS: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };
const THIS_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Requests media without credentials or referrer. The page's policy blocks redirects to origins that it does not name.
 * But a webview's requests to its own machine are made by VS Code's service worker, which has no policy: their
 * redirects are not followed, and come back as a response of type 'opaqueredirect'.
 */
function fetchMedia(url: string, options: RequestInit = {}): Promise<Response> {
  const redirect = THIS_MACHINE.test(new URL(url).hostname) ? 'manual' : 'follow';
  return fetch(url, { ...ANONYMOUS, redirect, ...options });
}

const PATIENCE_MS = 3000;

interface Reached {
  readonly url: string;
  readonly place: (url: string) => string;
}

/**
 * Chooses the address that responds to this page. A loopback address has two: the machine's own, and the one under
 * which VS Code forwards its port (src/host/README.md, Webviews).
 */
export async function chooseAddress({ urls, kind }: Pick<Source, 'urls' | 'kind'>): Promise<Reached> {
  const [direct = '', external] = urls;
  const here: Reached = { url: direct, place: (url) => url };
  if (external === undefined || (await answers(direct, kind))) return here;
  if (!(await answers(external, kind))) return here;
  return { url: external, place: placeOver(direct, external) };
}

/** Returns a function that replaces the direct address's origin by the start of the external address. */
function placeOver(direct: string, external: string): (url: string) => string {
  const from = new URL(direct).origin;
  const rest = direct.slice(from.length);
  const to = external.endsWith(rest) ? external.slice(0, external.length - rest.length) : new URL(external).origin;
  return (url) => (url === from || url.startsWith(`${from}/`) ? to + url.slice(from.length) : url);
}

async function answers(url: string, kind: Source['kind']): Promise<boolean> {
  try {
    const headers: Record<string, string> = kind === 'mp4' ? { range: 'bytes=0-0' } : {};
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetchMedia(url, { headers, signal });
    const isHtml = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
    await response.body?.cancel();
    return response.ok && !isHtml;
  } catch {
    return false;
  }
}

export function checkPlaylist(text: string): MetProblem | undefined {
  const start = text
    .slice(0, 1000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') return { kind: 'emptyPlaylist' };
  if (start.startsWith('<')) return { kind: 'htmlPlaylist' };
  return start.startsWith('#EXTM3U') ? undefined : { kind: 'malformedPlaylist' };
}

/** Detects an empty segment, or a page that a gateway sent in its place. */
export function checkSegment(bytes: Uint8Array, contentType: string): MetProblem | undefined {
  if (bytes.length === 0) return { kind: 'truncatedSegment' };
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  const isHtml = start.startsWith('<!doctype') || start.startsWith('<html') || /\bhtml\b/i.test(contentType);
  return isHtml ? { kind: 'htmlSegment' } : undefined;
}

/** Returns undefined for http and https URLs within the allowed origins, else the problem. */
export function checkAddress(url: string, origins: readonly string[]): MetProblem | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return { kind: 'malformedPlaylist' };
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { kind: 'foreignScheme', scheme: parsed.protocol.slice(0, -1) };
  }
  return origins.includes(parsed.origin) ? undefined : { kind: 'foreignOrigin', origin: parsed.origin };
}

export interface LoadRules {
  /** Returns the URL that this page uses for another URL, or a problem if it must not be loaded. */
  readonly place: (url: string) => string | MetProblem;
  /**
   * Whether the page's policy blocked a request moments ago. Only redirects can be blocked: URLs are checked before
   * each request.
   */
  readonly wasRefusedByPolicy: () => boolean;
  readonly adaptPlaylist: (text: string) => string;
  readonly adaptSegment: (bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Status that keeps hls.js from retrying by itself. */
const NOT_AGAIN = 499;
const MOST_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MOST_SEGMENT_BYTES = 512 * 1024 * 1024;
const PLAYLISTS: ReadonlySet<string> = new Set(['manifest', 'level', 'audioTrack', 'subtitleTrack']);

/** Carries a problem through hls.js, which returns it with its own error as `networkDetails`. */
class LoadFailure extends Error {
  readonly problem: MetProblem;

  constructor(problem: MetProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Whether a retry can help. Status 0: network error, timeout or truncated segment. */
export function isPassing(status: number | undefined): boolean {
  return status === 0 || status === 408 || status === 429 || (status !== undefined && status >= 500);
}

/** Creates the class of loaders that hls.js instantiates, one for each request. */
export function createLoader(rules: LoadRules): HlsConfig['loader'] {
  return class extends FetchLoader {
    constructor() {
      super(rules);
    }
  };
}

/**
 * Loads with `fetch`. Unlike hls.js's own loader, it limits the size of responses, refuses origins that are not allowed,
 * detects HTML and truncated responses, and can change what it passes on.
 */
class FetchLoader implements Loader<LoaderContext> {
  context: LoaderContext | null = null;
  stats: LoaderStats = newStats();
  #callbacks: LoaderCallbacks<LoaderContext> | undefined;
  #response: Response | undefined;
  readonly #aborting = new AbortController();
  readonly #rules: LoadRules;

  constructor(rules: LoadRules) {
    this.#rules = rules;
  }

  load(context: LoaderContext, config: LoaderConfiguration, callbacks: LoaderCallbacks<LoaderContext>): void {
    this.context = context;
    this.#callbacks = callbacks;
    this.stats.loading.start = performance.now();
    void this.#run(context, config);
  }

  abort(): void {
    const callbacks = this.#callbacks;
    this.destroy();
    if (this.context !== null) callbacks?.onAbort?.(this.stats, this.context, null);
  }

  destroy(): void {
    this.#callbacks = undefined;
    this.stats.aborted = true;
    this.#aborting.abort();
  }

  getCacheAge(): number | null {
    const age = Number.parseFloat(this.#response?.headers.get('age') ?? '');
    return Number.isFinite(age) ? age : null;
  }

  getResponseHeader(name: string): string | null {
    return this.#response?.headers.get(name) ?? null;
  }

  async #run(context: LoaderContext, { loadPolicy }: LoaderConfiguration): Promise<void> {
    const timeout = setTimeout(() => this.#aborting.abort('timeout'), loadPolicy.maxLoadTimeMs);
    try {
      const data = await this.#load(context);
      const { stats } = this;
      stats.loading.end = performance.now();
      const url = this.#response?.url || context.url;
      this.#callbacks?.onSuccess({ url, data, code: this.#response?.status ?? 200 }, stats, context, null);
    } catch (error) {
      // The event for a request blocked by the policy is dispatched after the failure it causes.
      await new Promise((resolve) => setTimeout(resolve, 30));
      this.#fail(context, error);
    } finally {
      clearTimeout(timeout);
    }
  }

  #fail(context: LoaderContext, error: unknown): void {
    const callbacks = this.#callbacks;
    if (callbacks === undefined) return;
    const problem = this.#problemOf(context, error);
    const isStatus = problem.kind === 'status' || problem.kind === 'segmentStatus';
    const again = problem.kind === 'network' || problem.kind === 'timeout' || problem.kind === 'truncatedSegment';
    const code = isStatus ? problem.status : again ? 0 : NOT_AGAIN;
    // hls.js expects its own loader's network details here. Ours are the problem.
    callbacks.onError({ code, text: problem.kind }, context, problem as never, this.stats);
  }

  #problemOf(context: LoaderContext, error: unknown): MetProblem {
    if (error instanceof LoadFailure) return error.problem;
    const host = URL.parse(context.url)?.host ?? '';
    if (this.#aborting.signal.reason === 'timeout') return { kind: 'timeout', host };
    if (this.#rules.wasRefusedByPolicy()) return { kind: 'foreignRedirect', host };
    const isCut = this.#response !== undefined && !PLAYLISTS.has(context.type);
    return isCut ? { kind: 'truncatedSegment' } : { kind: 'network', host };
  }

  async #load(context: LoaderContext): Promise<string | ArrayBuffer> {
    const url = this.#rules.place(context.url);
    if (typeof url !== 'string') throw new LoadFailure(url);
    const response = await fetchMedia(url, { headers: headersOf(context), signal: this.#aborting.signal });
    this.#response = response;
    this.stats.loading.first = performance.now();
    const isPlaylist = PLAYLISTS.has(context.type);
    const { host } = new URL(context.url);
    if (response.type === 'opaqueredirect') throw new LoadFailure({ kind: 'foreignRedirect', host });
    if (!response.ok) {
      throw new LoadFailure({ kind: isPlaylist ? 'status' : 'segmentStatus', status: response.status, host });
    }
    const bytes = await this.#read(response, isPlaylist);
    return isPlaylist ? this.#playlist(bytes) : this.#segment(context, bytes);
  }

  #playlist(bytes: Uint8Array): string {
    const text = new TextDecoder().decode(bytes);
    const problem = checkPlaylist(text);
    if (problem !== undefined) throw new LoadFailure(problem);
    return this.#rules.adaptPlaylist(text);
  }

  #segment({ type }: LoaderContext, bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
    const isKey = type === 'key';
    const problem = isKey ? undefined : checkSegment(bytes, this.#response?.headers.get('content-type') ?? '');
    if (problem !== undefined) throw new LoadFailure(problem);
    if (!isKey) this.#rules.adaptSegment(bytes);
    return bytes.buffer;
  }

  async #read(response: Response, isPlaylist: boolean): Promise<Uint8Array<ArrayBuffer>> {
    const most = isPlaylist ? MOST_PLAYLIST_BYTES : MOST_SEGMENT_BYTES;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of response.body ?? []) {
      parts.push(part);
      this.stats.loaded += part.byteLength;
      this.stats.chunkCount += 1;
      if (this.stats.loaded > most) {
        throw new LoadFailure({ kind: isPlaylist ? 'endlessPlaylist' : 'brokenSegment' });
      }
    }
    this.stats.total = this.stats.loaded;
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
}

function headersOf({ headers = {}, rangeStart, rangeEnd }: LoaderContext): Record<string, string> {
  return rangeEnd ? { ...headers, range: `bytes=${rangeStart ?? 0}-${rangeEnd - 1}` } : headers;
}

function newStats(): LoaderStats {
  return {
    ...{ aborted: false, loaded: 0, retry: 0, total: 0, chunkCount: 0, bwEstimate: 0 },
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  };
}
