/** A file that is read by ranges, in bytes. */
export interface ByteSource {
  size(): Promise<number>;
  /** Returns the bytes from `start` to `end`, which is exclusive. */
  read(start: number, end: number): Promise<Uint8Array>;
}

const MOST_AT_ONCE = 4 * 1024 * 1024;
const FIRST = 64 * 1024;
const CONTINUED = 2 * 1024 * 1024;
const RANGES_KEPT = 8;

/** Reads in large ranges while a file is read in sequence, and keeps the last ranges. */
export class ReadAhead {
  /** Bytes that were requested so far. */
  requested = 0;
  /** The last error of the source. */
  failure: unknown;
  readonly #source: ByteSource;
  readonly #size: number;
  #ranges: readonly { readonly start: number; readonly end: number; readonly bytes: Promise<Uint8Array> }[] = [];

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.#size = size;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    let range = this.#ranges.find((held) => held.start <= start && end <= held.end);
    if (range === undefined) {
      const isContinued = this.#ranges.some((held) => held.start <= start && start <= held.end);
      const until = Math.min(this.#size, Math.max(end, start + (isContinued ? CONTINUED : FIRST)));
      range = { start, end: until, bytes: this.#request(start, until) };
      this.#ranges = [range, ...this.#ranges.slice(0, RANGES_KEPT - 1)];
    }
    try {
      return (await range.bytes).subarray(start - range.start, end - range.start);
    } catch (error) {
      this.failure = error;
      this.#ranges = this.#ranges.filter((held) => held !== range);
      throw error;
    }
  }

  async #request(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    this.requested += bytes.length;
    for (let at = start; at < end; at += MOST_AT_ONCE) {
      bytes.set(await this.#source.read(at, Math.min(end, at + MOST_AT_ONCE)), at - start);
    }
    return bytes;
  }
}
