import type { Thumbnails } from '../model/pages/thumbnails.ts';
import type { Disposable } from '../util/disposable.ts';
import type { FinderContext } from './playerFinder.ts';

/** How old the picture of a broadcast gets. */
const PICTURE_MS = 60_000;

type Context = Pick<FinderContext, 'transport' | 'clock' | 'log' | 'store' | 'current'>;

/** The picture of what a stream broadcasts, fetched once a minute while its page is visible. */
export class LivePicture implements Disposable {
  readonly #context: Context;
  readonly #onPicture: (picture: string | undefined) => void;
  /** Loaded with the first picture, also by hovers. */
  #thumbnails: Promise<Thumbnails> | undefined;
  #playbackId: string | undefined;
  #fetchedAt = 0;
  #fetching: AbortController | undefined;

  constructor(context: Context, onPicture: (picture: string | undefined) => void) {
    this.#context = context;
    this.#onPicture = onPicture;
  }

  /** Fetches the picture of this playback id, unless that was done less than a minute ago. */
  follow(playbackId: string | undefined): void {
    const { connection } = this.#context.store.snapshot;
    if (playbackId === undefined || connection.kind !== 'open') {
      this.forget();
      return;
    }
    const now = this.#context.clock.elapsed();
    if (playbackId === this.#playbackId && now - this.#fetchedAt < PICTURE_MS) return;
    this.forget();
    this.#playbackId = playbackId;
    this.#fetchedAt = now;
    const { id, baseUrl } = connection.info;
    void this.#fetch({ account: this.#context.current.account, connection: { id, baseUrl }, playbackId });
  }

  /** The next page needs the picture again. */
  forget(): void {
    this.#fetching?.abort();
    this.#fetching = undefined;
    this.#playbackId = undefined;
  }

  dispose(): void {
    this.forget();
  }

  async #fetch(of: Parameters<Thumbnails['get']>[0]): Promise<void> {
    const fetching = new AbortController();
    this.#fetching = fetching;
    this.#thumbnails ??= this.#loadThumbnails();
    const picture = await (await this.#thumbnails).get(of, fetching.signal);
    if (!fetching.signal.aborted) this.#onPicture(picture);
  }

  async #loadThumbnails(): Promise<Thumbnails> {
    const { Thumbnails } = await import('../model/pages/thumbnails.ts');
    return new Thumbnails(this.#context);
  }
}
