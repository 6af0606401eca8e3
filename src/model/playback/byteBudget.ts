/** Limits how many bytes are held at once. */
export class ByteBudget {
  readonly #most: number;
  #used = 0;
  #waiting: { readonly bytes: number; readonly resolve: () => void }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes bytes now, or returns false. */
  tryTake(bytes: number): boolean {
    if (this.#used + bytes > this.#most) return false;
    this.#used += bytes;
    return true;
  }

  /** Takes bytes as soon as there is room, in the order of the calls. Rejects with the signal's reason. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.tryTake(bytes)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { bytes, resolve };
    const onAbort = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
      this.#serve();
      reject(signal.reason);
    };
    this.#waiting.push(entry);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  give(bytes: number): void {
    this.#used -= bytes;
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.tryTake(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.resolve();
    }
  }
}
