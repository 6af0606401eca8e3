import type { LoadedPart, PagePart } from './messages.ts';

/** Gets parts of the page's code from the host, each once. Parts that couldn't be read are read again next time. */
export class PartLoader {
  readonly #request: (part: PagePart) => void;
  readonly #parts = new Map<PagePart, PromiseWithResolvers<LoadedPart>>();

  constructor(request: (part: PagePart) => void) {
    this.#request = request;
  }

  load(part: PagePart): Promise<LoadedPart> {
    const known = this.#parts.get(part);
    if (known !== undefined) return known.promise;
    const loading = Promise.withResolvers<LoadedPart>();
    this.#parts.set(part, loading);
    this.#request(part);
    return loading.promise;
  }

  receive(loaded: LoadedPart): void {
    this.#parts.get(loaded.part)?.resolve(loaded);
    if (loaded.script === undefined) this.#parts.delete(loaded.part);
  }
}
