import { advance, startPaging } from './paging.ts';
import type { Page } from './types.ts';

/** Asks for page after page by the paging rule, and gives each page without the items that came before. */
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

/** The query, asking for the page at this cursor; the first page where there is none. */
export function withCursor<Q extends { readonly cursor?: string }>(query: Q, cursor: string | undefined): Q {
  return cursor === undefined ? query : { ...query, cursor };
}
