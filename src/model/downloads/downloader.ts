import { resolve } from 'node:path';
import type { Disposable } from '../../util/disposable.ts';
import { type DownloadOrder, type DownloadSeams, download } from './download.ts';
import { DownloadError } from './downloadError.ts';

/** Owns the running downloads: any number at once, but one per target. Aborts them when disposed. */
export class Downloader implements Disposable {
  readonly #seams: DownloadSeams;
  readonly #underWay = new Map<string, AbortController>();
  #isDisposed = false;

  constructor(seams: DownloadSeams) {
    this.#seams = seams;
  }

  /** See `download`. Throws DownloadError `underWay` if the target is already being downloaded. */
  async download(order: DownloadOrder): Promise<number> {
    const target = resolve(order.target);
    if (this.#underWay.has(target)) throw new DownloadError('underWay');
    const ending = new AbortController();
    if (this.#isDisposed) ending.abort();
    this.#underWay.set(target, ending);
    try {
      const signal = AbortSignal.any([order.signal, ending.signal]);
      signal.throwIfAborted();
      return await download(this.#seams, { ...order, target, signal });
    } finally {
      this.#underWay.delete(target);
    }
  }

  isTaken(target: string): Promise<boolean> {
    return this.#seams.files.exists(resolve(target));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const ending of this.#underWay.values()) ending.abort();
  }
}
