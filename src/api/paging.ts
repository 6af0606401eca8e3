import { MAX_ROWS } from './decode.ts';
import type { Page } from './types.ts';

export const MAX_PAGES = 1000;

/**
 * The IDs and cursors of the pages so far; immutable to callers. Successive states share the set `ids` (in order of
 * arrival), since copies would make paging quadratic: the first `count` IDs are those of this state.
 */
export interface PagingState {
  readonly ids: Set<string>;
  readonly count: number;
  readonly cursors: ReadonlySet<string>;
  readonly pages: number;
}

interface Advance<T> {
  readonly state: PagingState;
  /** The page's items with new IDs. Items without an ID are always included, but don't keep the paging going. */
  readonly fresh: readonly T[];
  readonly next: string | undefined;
}

export function startPaging(): PagingState {
  return { ids: new Set(), count: 0, cursors: new Set(), pages: 0 };
}

/** Adds a page. The list ends on a page without new IDs, a repeated cursor, or a limit (src/api/README.md, Lists). */
export function advance<T extends { readonly id: string | undefined }>(
  state: PagingState,
  page: { readonly items: readonly T[]; readonly next: string | undefined },
  maxPages: number = MAX_PAGES,
): Advance<T> {
  const ids = idsUntil(state);
  // There can be many IDs, so this does a single lookup for each.
  const fresh = page.items.filter(({ id }) => id === undefined || ids.size < ids.add(id).size);
  const count = ids.size;
  const pages = state.pages + 1;
  const hasNews = count > state.count && pages < maxPages && count < MAX_ROWS;
  const next = hasNews && page.next !== undefined && !state.cursors.has(page.next) ? page.next : undefined;
  const cursors = next === undefined ? state.cursors : new Set(state.cursors).add(next);
  return { state: { ids, count, cursors, pages }, fresh, next };
}

/** Whether the list ended only because of our own limits. */
export function isCut({ pages, count }: PagingState): boolean {
  return pages >= MAX_PAGES || count >= MAX_ROWS;
}

function idsUntil({ ids, count }: PagingState): Set<string> {
  // Copies the IDs if a later state has added its own, as when a page failed and is loaded again.
  return ids.size === count && count > 0 ? ids : new Set([...ids].slice(0, count));
}

/** Returns the cursor of a Link header. The rest of its URL may be wrong behind a proxy (src/api/README.md, Lists). */
export function cursorOfLink(link: string | undefined): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const relations = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    const query = target.slice(target.indexOf('?') + 1).replace(/#.*$/s, '');
    const cursor = relations.includes('next') ? new URLSearchParams(query).get('cursor') : null;
    if (cursor !== null && cursor !== '' && cursor.length <= 1000) return cursor;
  }
  return undefined;
}

/** Returns the cursor of lists without Link: an offset, as long as pages have exactly `limit` rows. */
export function cursorOfFullPage(
  rows: number,
  { limit, cursor }: { readonly limit: number | undefined; readonly cursor: string | undefined },
): string | undefined {
  if (limit === undefined || rows !== limit) return undefined;
  const offset = Number(/^skip(\d{1,9})$/.exec(cursor ?? 'skip0')?.[1] ?? Number.NaN);
  return Number.isNaN(offset) ? undefined : `skip${offset + rows}`;
}

/** Loads pages one by one by the rules of `advance`. Yields each page without the items of earlier pages. */
export async function* walk<T extends { readonly id: string | undefined }>(
  ask: (cursor: string | undefined) => Promise<Page<T>>,
  maxPages?: number,
): AsyncGenerator<Page<T>> {
  let state = startPaging();
  let cursor: string | undefined;
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
