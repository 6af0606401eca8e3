/** The lists that polls ask for: one, or the sessions of some open streams. */
const MOST_KEPT = 12;

/** What an address last answered, with its ETag, for conditional requests. The least recently used goes first. */
export class KeptAnswers<T> {
  readonly #byUrl = new Map<string, { readonly etag: string; readonly value: T }>();

  get(url: string): { readonly etag: string; readonly value: T } | undefined {
    const kept = this.#byUrl.get(url);
    if (kept === undefined) return undefined;
    this.#byUrl.delete(url);
    this.#byUrl.set(url, kept);
    return kept;
  }

  /** Without an ETag there is nothing to ask with, and what was kept is forgotten. */
  set(url: string, etag: string | undefined, value: T): void {
    this.#byUrl.delete(url);
    if (etag !== undefined && etag !== '') this.#byUrl.set(url, { etag, value });
    const oldest = this.#byUrl.size > MOST_KEPT ? this.#byUrl.keys().next().value : undefined;
    if (oldest !== undefined) this.#byUrl.delete(oldest);
  }
}
