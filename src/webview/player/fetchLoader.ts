import type { HlsConfig, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js';
import { fetchMedia } from './fetchMedia.ts';
import { judgePlaylist, judgeSegment } from './judge.ts';
import type { MetProblem } from './messages.ts';

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

/**
 * Creates an hls.js loader based on `fetch`. Unlike hls.js's own loader, it limits the size of responses, refuses
 * origins that are not allowed, detects HTML and truncated responses, and can change what it passes on.
 */
export function createLoader(rules: LoadRules): HlsConfig['loader'] {
  return class implements Loader<LoaderContext> {
    context: LoaderContext | null = null;
    stats: LoaderStats = newStats();
    #callbacks: LoaderCallbacks<LoaderContext> | undefined;
    #response: Response | undefined;
    readonly #aborting = new AbortController();

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
      if (rules.wasRefusedByPolicy()) return { kind: 'foreignRedirect', host };
      const isCut = this.#response !== undefined && !PLAYLISTS.has(context.type);
      return isCut ? { kind: 'truncatedSegment' } : { kind: 'network', host };
    }

    async #load(context: LoaderContext): Promise<string | ArrayBuffer> {
      const url = rules.place(context.url);
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
      const problem = judgePlaylist(text);
      if (problem !== undefined) throw new LoadFailure(problem);
      return rules.adaptPlaylist(text);
    }

    #segment({ type }: LoaderContext, bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
      const isKey = type === 'key';
      const problem = isKey ? undefined : judgeSegment(bytes, this.#response?.headers.get('content-type') ?? '');
      if (problem !== undefined) throw new LoadFailure(problem);
      if (!isKey) rules.adaptSegment(bytes);
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
  };
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
