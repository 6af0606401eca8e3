import type { UriKind } from './playlistUris.ts';
import type { PlaylistVariables } from './playlistVariables.ts';

export interface MediaResource {
  readonly url: string;
  readonly kind: UriKind | 'file';
}

/** The number of the source itself. */
export const SOURCE = 0;

/**
 * The resources that a page may request, each by a number: the source and those in its playlists. A URL keeps its
 * number while a playlist contains it. A resource that a playlist no longer contains is dropped one reload later.
 */
export class MediaResources {
  readonly #resources = new Map<number, MediaResource>();
  readonly #numbers = new Map<string, number>();
  /** How many playlist reads contain a resource. */
  readonly #uses = new Map<number, number>();
  /** By playlist: the resources in its last two reads. */
  readonly #reads = new Map<number, readonly ReadonlySet<number>[]>();
  #next = SOURCE + 1;
  variables: PlaylistVariables = new Map();

  constructor(source: MediaResource) {
    this.#resources.set(SOURCE, source);
  }

  get(number: number): MediaResource | undefined {
    return this.#resources.get(number);
  }

  /** Begins a playlist read. `number` numbers its resources, and `end` drops those that only an older read had. */
  read(playlist: number): { number(url: string, kind: UriKind): number; end(): void } {
    const named = new Set<number>();
    return {
      number: (url, kind) => {
        const number = this.#numberOf(url, kind);
        if (!named.has(number)) this.#uses.set(number, (this.#uses.get(number) ?? 0) + 1);
        named.add(number);
        return number;
      },
      end: () => {
        const [last, ...older] = this.#reads.get(playlist) ?? [];
        this.#reads.set(playlist, last === undefined ? [named] : [named, last]);
        for (const read of older) for (const number of read) this.#release(number);
      },
    };
  }

  #numberOf(url: string, kind: UriKind): number {
    const key = `${kind} ${url}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(key, number);
    this.#resources.set(number, { url, kind });
    return number;
  }

  #release(number: number): void {
    const uses = (this.#uses.get(number) ?? 1) - 1;
    if (uses > 0) return void this.#uses.set(number, uses);
    const resource = this.#resources.get(number);
    this.#uses.delete(number);
    this.#resources.delete(number);
    if (resource !== undefined) this.#numbers.delete(`${resource.kind} ${resource.url}`);
  }
}
