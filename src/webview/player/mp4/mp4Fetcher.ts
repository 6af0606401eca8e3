import { numberedUrl, parseNumberedUrl } from '../../../util/numberedUrl.ts';
import { type FetchFailure, type FetchHandlers, type FetchRequest, LASTS, type MediaFetcher } from '../mediaClient.ts';
import type { Mp4Fault } from './mp4Segments.ts';

interface Mp4Options {
  /** The script of the worker, which the host posts. */
  readonly script: string;
  /** Called with the codec of sound that can't be played, empty if it has no name. The video plays without it. */
  readonly onLeftOut: (codec: string) => void;
}

export type ToWorker =
  | { readonly kind: 'load'; readonly id: number; readonly resource: number }
  /** `size` is the file's, in bytes. */
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: ArrayBuffer; readonly size: number }
  | { readonly kind: 'unread'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'loaded'; readonly id: number; readonly body: string | ArrayBuffer }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Mp4Fault }
  /** There is sound that can't be played. Posted repeatedly. */
  | { readonly kind: 'leftOut'; readonly codec: string }
  /** In bytes; `end` is exclusive. The response is `bytes` or `unread`. */
  | { readonly kind: 'read'; readonly id: number; readonly start: number; readonly end: number };

const BROKEN: FetchFailure = { problem: { kind: 'brokenFile' }, code: LASTS };

/** Presents an MP4 file, which is resource 0 of `client`, as HLS whose playlist has number 0. */
export function createMp4Fetcher(client: MediaFetcher, options: Mp4Options): MediaFetcher & { dispose(): void } {
  return new Mp4Fetcher(client, options);
}

class Mp4Fetcher implements MediaFetcher {
  readonly #client: MediaFetcher;
  readonly #onLeftOut: Mp4Options['onLeftOut'];
  readonly #url: string;
  readonly #worker: Worker;
  readonly #loads = new Map<number, { readonly handlers: FetchHandlers; readonly startedAt: number }>();
  readonly #reads = new Map<number, () => void>();
  #next = 0;

  constructor(client: MediaFetcher, { script, onLeftOut }: Mp4Options) {
    this.#client = client;
    this.#onLeftOut = onLeftOut;
    this.#url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    this.#worker = new Worker(this.#url);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    this.#worker.addEventListener('error', () => this.#fail(BROKEN));
  }

  fetch({ url }: FetchRequest, handlers: FetchHandlers): () => void {
    const id = this.#next;
    this.#next += 1;
    this.#loads.set(id, { handlers, startedAt: performance.now() });
    this.#post({ kind: 'load', id, resource: parseNumberedUrl(url)?.number ?? -1 });
    return () => {
      if (this.#loads.delete(id) && this.#loads.size === 0) this.#cancelReads();
    };
  }

  dispose(): void {
    this.#loads.clear();
    this.#cancelReads();
    this.#worker.terminate();
    URL.revokeObjectURL(this.#url);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'read') this.#read(message);
    else if (message.kind === 'leftOut') this.#onLeftOut(message.codec);
    else this.#finish(message);
  }

  #finish(message: Exclude<FromWorker, { readonly kind: 'read' | 'leftOut' }>): void {
    const load = this.#loads.get(message.id);
    if (load === undefined) return;
    this.#loads.delete(message.id);
    const totalMs = performance.now() - load.startedAt;
    if (message.kind === 'failed') load.handlers.onFailed({ problem: { kind: message.fault }, code: LASTS });
    else load.handlers.onLoaded({ body: message.body, size: undefined, firstByteMs: totalMs, totalMs });
  }

  #read({ id, start, end }: Extract<FromWorker, { readonly kind: 'read' }>): void {
    const fail = (failure: FetchFailure) => {
      this.#reads.delete(id);
      this.#fail(failure);
      this.#post({ kind: 'unread', id });
    };
    const cancel = this.#client.fetch(
      { url: numberedUrl(0), range: { start, end } },
      {
        onProgress: () => undefined,
        onLoaded: ({ body, size }) => {
          if (typeof body === 'string' || size === undefined) return fail(BROKEN);
          this.#reads.delete(id);
          this.#post({ kind: 'bytes', id, bytes: body, size }, [body]);
        },
        onFailed: fail,
      },
    );
    this.#reads.set(id, cancel);
  }

  /** Fails all loads, because they all depend on what failed. */
  #fail(failure: FetchFailure): void {
    const loads = [...this.#loads.values()];
    this.#loads.clear();
    for (const { handlers } of loads) handlers.onFailed(failure);
  }

  #cancelReads(): void {
    for (const [id, cancel] of this.#reads) {
      cancel();
      this.#post({ kind: 'unread', id });
    }
    this.#reads.clear();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
