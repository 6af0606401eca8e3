import { resolve } from 'node:path';
import type { Disposable } from '../../util/disposable.ts';
import { type DownloadOrder, type DownloadSeams, download } from './download.ts';
import { DownloadError } from './downloadError.ts';

/** Owns the running downloads: any number at once, but one per target. Aborts them when disposed. */
export class Downloader implements Disposable {
  readonly #seams: DownloadSeams;
  readonly #running = new Map<string, AbortController>();
  #isDisposed = false;

  constructor(seams: DownloadSeams) {
    this.#seams = seams;
  }

  /** See `download`. Throws DownloadError `underWay` if the target is already being downloaded. */
  async download(order: DownloadOrder): Promise<number> {
    const target = resolve(order.target);
    if (this.#running.has(target)) throw new DownloadError('underWay');
    const controller = new AbortController();
    if (this.#isDisposed) controller.abort();
    this.#running.set(target, controller);
    try {
      const signal = AbortSignal.any([order.signal, controller.signal]);
      signal.throwIfAborted();
      return await download(this.#seams, { ...order, target, signal });
    } finally {
      this.#running.delete(target);
    }
  }

  isTaken(target: string): Promise<boolean> {
    return this.#seams.files.exists(resolve(target));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const controller of this.#running.values()) controller.abort();
  }
}
