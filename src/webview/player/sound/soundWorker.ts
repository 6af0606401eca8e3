import type { FromSoundWorker, ToSoundWorker } from './messages.ts';
import type { Converted, Converter } from './soundBuffer.ts';

/** The parts that the host posts to a page whose browser can't decode AAC. */
export interface SoundParts {
  /** The content of dist/webview/sound.js. */
  readonly script: string;
  /** The bytes of dist/webview/sound.wasm. */
  readonly wasm: ArrayBuffer;
}

/** Why there is no worker, for a log; undefined if its parts could not be read, which may work the next time. */
type Reason = string | undefined;

/** The page's side of the worker, which starts once its parts have arrived: loading a playlist takes as long. */
export class SoundWorker implements Converter {
  readonly #onFailed: (reason: Reason) => void;
  /** Resolves with undefined if there no longer is one. */
  readonly #started: Promise<Worker | undefined>;
  readonly #waiting: { readonly track: number; readonly resolve: (converted: Converted | undefined) => void }[] = [];
  #running: { readonly worker: Worker; readonly url: string } | undefined;
  #tracks = 0;
  #isOver = false;

  /** `onFailed` is called at most once; conversions then resolve with undefined. */
  constructor(parts: Promise<SoundParts | undefined>, onFailed: (reason: Reason) => void) {
    this.#onFailed = onFailed;
    this.#started = parts.then((given) => this.#start(given));
  }

  addTrack(): number {
    this.#tracks += 1;
    return this.#tracks;
  }

  convert(track: number, bytes: Uint8Array<ArrayBuffer>): Promise<Converted | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push({ track, resolve });
      void this.#post({ kind: 'convert', track, bytes }, [bytes.buffer]);
    });
  }

  forget(track: number): void {
    for (const waiting of this.#waiting) if (waiting.track === track) waiting.resolve(undefined);
    void this.#post({ kind: 'forget', track });
  }

  /** Ends the worker as if it had failed. */
  fail(reason: Reason): void {
    if (this.#isOver) return;
    this.dispose();
    this.#onFailed(reason);
  }

  dispose(): void {
    this.#isOver = true;
    if (this.#running !== undefined) {
      this.#running.worker.terminate();
      URL.revokeObjectURL(this.#running.url);
      this.#running = undefined;
    }
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
  }

  /** Posts in the order of the calls, including messages from before the worker has started. */
  async #post(message: ToSoundWorker, transfer?: ArrayBuffer[]): Promise<void> {
    const worker = await this.#started;
    if (worker !== undefined && !this.#isOver) post(worker, message, transfer);
  }

  #start(parts: SoundParts | undefined): Worker | undefined {
    if (this.#isOver) return undefined;
    if (parts === undefined) {
      this.fail(undefined);
      return undefined;
    }
    const url = URL.createObjectURL(new Blob([parts.script], { type: 'text/javascript' }));
    try {
      const worker = new Worker(url);
      this.#running = { worker, url };
      worker.onmessage = ({ data }: MessageEvent<FromSoundWorker>) => this.#receive(data);
      worker.onerror = ({ message }) => this.fail(message || "The worker can't be started");
      post(worker, { kind: 'start', wasm: parts.wasm });
      return worker;
    } catch (error) {
      URL.revokeObjectURL(url);
      this.fail(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #receive(message: FromSoundWorker): void {
    switch (message.kind) {
      case 'converted':
        this.#waiting.shift()?.resolve(message);
        break;
      case 'failed':
        this.fail(message.reason);
        break;
      default:
        message satisfies never;
    }
  }
}

function post(worker: Worker, message: ToSoundWorker, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}
