import { advance, startPaging } from './paging.ts';
import type { Page } from './types.ts';

/** Loads page after page by the rules of `advance`. Yields each page without the items of earlier pages. */
export async function* walk<T extends { readonly id: string | undefined }>(
  ask: (cursor: string | undefined) => Promise<Page<T>>,
  firstCursor?: string,
  maxPages?: number,
): AsyncGenerator<Page<T>> {
  let state = startPaging();
  let cursor = firstCursor;
  do {
    const page = await ask(cursor);
    const step = advance(state, page, maxPages);
    state = step.state;
    cursor = step.next;
    yield { ...page, items: step.fresh, next: step.next };
  } while (cursor !== undefined);
}

export function withCursor<Q extends { readonly cursor?: string | undefined }>(
  query: Q,
  cursor: string | undefined,
): Q {
  return cursor === undefined ? query : { ...query, cursor };
}
