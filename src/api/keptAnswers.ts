/** Enough for what polls request: one list, or the sessions of some expanded streams. */
const MOST_KEPT = 12;

/** LRU cache of the last value per URL with its ETag, for conditional requests. */
export class KeptAnswers<T> {
  readonly #byUrl = new Map<string, { readonly etag: string; readonly value: T }>();

  get(url: string): { readonly etag: string; readonly value: T } | undefined {
    const kept = this.#byUrl.get(url);
    if (kept === undefined) return undefined;
    this.#byUrl.delete(url);
    this.#byUrl.set(url, kept);
    return kept;
  }

  set(url: string, etag: string | undefined, value: T): void {
    this.#byUrl.delete(url);
    if (etag !== undefined && etag !== '') this.#byUrl.set(url, { etag, value });
    const oldest = this.#byUrl.size > MOST_KEPT ? this.#byUrl.keys().next().value : undefined;
    if (oldest !== undefined) this.#byUrl.delete(oldest);
  }
}
