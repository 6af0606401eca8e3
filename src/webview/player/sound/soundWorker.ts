import type { FromSoundWorker, ToSoundWorker } from './messages.ts';
import type { Converted, Converter } from './soundBuffer.ts';

/** What the host posts to a page whose browser can't decode AAC. */
export interface SoundParts {
  /** The text of dist/webview/sound.js. */
  readonly script: string;
  /** The bytes of dist/webview/sound.wasm. */
  readonly wasm: ArrayBuffer;
}

/** The page's side of the worker, which is started by the first conversion. */
export class SoundWorker implements Converter {
  readonly #parts: SoundParts;
  readonly #onFailed: (reason: string) => void;
  readonly #waiting: { readonly track: number; readonly resolve: (converted: Converted | undefined) => void }[] = [];
  #running: { readonly worker: Worker; readonly url: string } | undefined;
  #tracks = 0;
  #isOver = false;

  /** `onFailed` is called at most once; conversions then give undefined. */
  constructor(parts: SoundParts, onFailed: (reason: string) => void) {
    this.#parts = parts;
    this.#onFailed = onFailed;
  }

  addTrack(): number {
    this.#tracks += 1;
    return this.#tracks;
  }

  convert(track: number, bytes: Uint8Array<ArrayBuffer>): Promise<Converted | undefined> {
    const worker = this.#start();
    if (worker === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push({ track, resolve });
      post(worker, { kind: 'convert', track, bytes }, [bytes.buffer]);
    });
  }

  forget(track: number): void {
    for (const waiting of this.#waiting) if (waiting.track === track) waiting.resolve(undefined);
    if (this.#running !== undefined) post(this.#running.worker, { kind: 'forget', track });
  }

  /** Ends the worker as if it had failed. */
  fail(reason: string): void {
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

  #start(): Worker | undefined {
    if (this.#isOver) return undefined;
    if (this.#running !== undefined) return this.#running.worker;
    const url = URL.createObjectURL(new Blob([this.#parts.script], { type: 'text/javascript' }));
    try {
      const worker = new Worker(url);
      this.#running = { worker, url };
      worker.onmessage = ({ data }: MessageEvent<FromSoundWorker>) => this.#receive(data);
      worker.onerror = ({ message }) => this.fail(message || "The worker can't be started");
      post(worker, { kind: 'start', wasm: this.#parts.wasm });
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
