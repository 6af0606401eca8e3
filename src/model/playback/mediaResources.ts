import type { UriKind } from './playlistUris.ts';
import type { PlaylistVariables } from './playlistVariables.ts';

export interface MediaResource {
  readonly url: string;
  readonly kind: UriKind | 'file';
}

/** The number of the source itself. */
export const SOURCE = 0;

/**
 * What a page may ask for: the source, and what its playlists name, each by a number. A URL keeps its number while some
 * playlist names it. What a playlist no longer names is forgotten one reload later.
 */
export class MediaResources {
  readonly #resources = new Map<number, MediaResource>();
  readonly #numbers = new Map<string, number>();
  /** How many reads of playlists name a resource. */
  readonly #uses = new Map<number, number>();
  /** By playlist: what its last two reads name. */
  readonly #reads = new Map<number, readonly ReadonlySet<number>[]>();
  #next = SOURCE + 1;
  variables: PlaylistVariables = new Map();

  constructor(source: MediaResource) {
    this.#resources.set(SOURCE, source);
  }

  get(number: number): MediaResource | undefined {
    return this.#resources.get(number);
  }

  /** Begins a read of a playlist: `number` numbers what it names, and `end` forgets what only an older read named. */
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
