import type {
  Fragment,
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  LoaderStats,
} from 'hls.js';
import { type Fetched, type FetchFailure, LASTS, type MediaFetcher } from './mediaClient.ts';
import type { MetProblem } from './messages.ts';

/** Changes to what is loaded, before hls.js parses it. */
export interface LoadAdapters {
  /** Returns the playlist to use. */
  readonly adaptPlaylist: (text: string) => string | MetProblem;
  /** May change the segment in place. */
  readonly adaptSegment: (bytes: Uint8Array<ArrayBuffer>, fragment: Fragment) => Promise<MetProblem | undefined>;
}

/** Returns whether a retry can help. Status 0: network error, timeout, or truncated segment. */
export function isPassing(status: number | undefined): boolean {
  return status === 0 || status === 408 || status === 429 || (status !== undefined && status >= 500);
}

/** Creates the class of loaders that hls.js instantiates, one for each request. */
export function createLoader(fetcher: MediaFetcher, adapters: LoadAdapters): HlsConfig['loader'] {
  return class extends MediaLoader {
    constructor() {
      super(fetcher, adapters);
    }
  };
}

class MediaLoader implements Loader<LoaderContext> {
  context: LoaderContext | null = null;
  stats: LoaderStats = newStats();
  readonly #fetcher: MediaFetcher;
  readonly #adapters: LoadAdapters;
  #callbacks: LoaderCallbacks<LoaderContext> | undefined;
  #cancel: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fetcher: MediaFetcher, adapters: LoadAdapters) {
    this.#fetcher = fetcher;
    this.#adapters = adapters;
  }

  load(context: LoaderContext, { loadPolicy }: LoaderConfiguration, callbacks: LoaderCallbacks<LoaderContext>): void {
    const { url, rangeStart: start = 0, rangeEnd: end } = context;
    this.context = context;
    this.#callbacks = callbacks;
    this.stats.loading.start = performance.now();
    this.#timer = setTimeout(() => {
      this.#cancel?.();
      this.#stop();
      callbacks.onTimeout(this.stats, context, null);
    }, loadPolicy.maxLoadTimeMs);
    const request = { url, range: end ? { start, end } : undefined };
    this.#cancel = this.#fetcher.fetch(request, {
      onProgress: (loaded) => {
        this.stats.loading.first ||= performance.now();
        this.stats.loaded = loaded;
      },
      onLoaded: (fetched) => void this.#succeed(context, fetched),
      onFailed: (failure) => this.#fail(context, failure),
    });
  }

  abort(): void {
    const callbacks = this.#callbacks;
    const isUnderWay = callbacks !== undefined;
    this.destroy();
    if (isUnderWay && this.context !== null) callbacks.onAbort?.(this.stats, this.context, null);
  }

  /** hls.js also destroys loaders that have finished. It wouldn't use aborted ones to measure the bandwidth. */
  destroy(): void {
    if (this.#callbacks !== undefined) this.stats.aborted = true;
    this.#cancel?.();
    this.#stop();
  }

  getCacheAge(): number | null {
    return null;
  }

  getResponseHeader(): string | null {
    return null;
  }

  /** Reports the host's times, since hls.js would count the time from the host to the page as a slow network. */
  async #succeed(context: LoaderContext, { body, firstByteMs, totalMs }: Fetched): Promise<void> {
    const { stats } = this;
    const size = typeof body === 'string' ? body.length : body.byteLength;
    const end = performance.now();
    stats.loading = { start: end - totalMs, first: end - totalMs + firstByteMs, end };
    stats.loaded = size;
    stats.total = size;
    stats.chunkCount = 1;
    const data = await this.#adapt(context, body);
    if (typeof data !== 'string' && 'kind' in data) return this.#fail(context, { problem: data, code: LASTS });
    const callbacks = this.#callbacks;
    this.#stop();
    callbacks?.onSuccess({ url: context.url, data, code: 200 }, stats, context, null);
  }

  async #adapt(
    context: LoaderContext | FragmentLoaderContext,
    body: string | ArrayBuffer,
  ): Promise<string | ArrayBuffer | MetProblem> {
    if (typeof body === 'string') return this.#adapters.adaptPlaylist(body);
    const isSegment = 'frag' in context && !('keyInfo' in context);
    return (isSegment && (await this.#adapters.adaptSegment(new Uint8Array(body), context.frag))) || body;
  }

  #fail(context: LoaderContext, { problem, code }: FetchFailure): void {
    const callbacks = this.#callbacks;
    this.#stop();
    // hls.js expects its own loader's network details here. We pass the problem.
    callbacks?.onError({ code, text: problem.kind }, context, problem as never, this.stats);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#callbacks = undefined;
    this.#cancel = undefined;
  }
}

function newStats(): LoaderStats {
  return {
    ...{ aborted: false, loaded: 0, retry: 0, total: 0, chunkCount: 0, bwEstimate: 0 },
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  };
}
