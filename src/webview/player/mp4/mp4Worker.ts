import type { FromWorker, ToWorker } from './mp4Fetcher.ts';
import { INIT_NUMBER, Mp4Error, type Mp4Segments, openMp4 } from './mp4Segments.ts';

type BytesMessage = Extract<ToWorker, { readonly kind: 'bytes' }>;

const FIRST_BYTES = 64 * 1024;

/** Presents, as HLS, a file that the page reads. */
class Mp4Worker {
  readonly #reads = new Map<number, PromiseWithResolvers<BytesMessage>>();
  #next = 0;
  #file: Promise<Mp4Segments> | undefined;

  receive(message: ToWorker): void {
    if (message.kind === 'load') return void this.#answer(message.id, message.resource);
    const read = this.#reads.get(message.id);
    this.#reads.delete(message.id);
    if (message.kind === 'bytes') read?.resolve(message);
    else read?.reject(new Error('Bytes could not be read.'));
  }

  async #answer(id: number, resource: number): Promise<void> {
    try {
      const body = await this.#make(resource);
      this.#post({ kind: 'loaded', id, body }, typeof body === 'string' ? [] : [body]);
    } catch (error) {
      this.#post({ kind: 'failed', id, fault: error instanceof Mp4Error ? error.fault : 'brokenFile' });
    }
  }

  async #make(resource: number): Promise<string | ArrayBuffer> {
    this.#file ??= openMp4(
      {
        size: async () => (await this.#read(0, FIRST_BYTES)).size,
        read: async (start, end) => new Uint8Array((await this.#read(start, end)).bytes),
      },
      (type) => MediaSource.isTypeSupported(type),
    );
    // Its bytes may be readable the next time.
    this.#file.catch(() => (this.#file = undefined));
    const file = await this.#file;
    if (file.leftOut !== undefined) this.#post({ kind: 'leftOut', codec: file.leftOut });
    if (resource === 0) return file.playlist();
    return resource === INIT_NUMBER ? file.init() : file.segment(resource - 1);
  }

  #read(start: number, end: number): Promise<BytesMessage> {
    const read = Promise.withResolvers<BytesMessage>();
    this.#reads.set(this.#next, read);
    this.#post({ kind: 'read', id: this.#next, start, end });
    this.#next += 1;
    return read.promise;
  }

  #post(message: FromWorker, transfer: Transferable[] = []): void {
    postMessage(message, { transfer });
  }
}

const worker = new Mp4Worker();
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => worker.receive(data));
