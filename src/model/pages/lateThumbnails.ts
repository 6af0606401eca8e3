import { share } from '../../util/async.ts';
import type { Thumbnails, ThumbnailsOptions } from './thumbnails.ts';

/** `Thumbnails`, of which the code is loaded with the first picture. `get` rejects if it can't be loaded. */
export class LateThumbnails {
  readonly #load: () => Promise<Thumbnails>;
  #loaded: Thumbnails | undefined;

  constructor(options: ThumbnailsOptions) {
    this.#load = share(async () => {
      const module = await import('./thumbnails.ts');
      this.#loaded ??= new module.Thumbnails(options);
      return this.#loaded;
    });
  }

  async get(...of: Parameters<Thumbnails['get']>): ReturnType<Thumbnails['get']> {
    return (this.#loaded ?? (await this.#load())).get(...of);
  }
}
