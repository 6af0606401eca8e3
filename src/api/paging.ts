/** Pages asked for at most, whatever the service announces. */
export const MAX_PAGES = 1000;

/** Rows read at most: of a list without end, memory has one. Two hundred full pages. */
export const MAX_ROWS = 200_000;

/** What was seen of a list so far: ids and cursors. Stays what it is; `advance` makes the next. */
export interface PagingState {
  /** In the order they came. One state after the other writes into the same: copies would cost the square of the list. */
  readonly ids: Set<string>;
  /** So many of the ids are this state's; the rest came with pages after it. */
  readonly count: number;
  readonly cursors: ReadonlySet<string>;
  readonly pages: number;
}

export interface Advance<T> {
  readonly state: PagingState;
  /** The page's items whose ids were not seen before. Items without an id are always fresh, but keep no list going. */
  readonly fresh: readonly T[];
  /** The cursor to ask with next; `undefined` when the list has ended. */
  readonly next: string | undefined;
}

export function startPaging(): PagingState {
  return { ids: new Set(), count: 0, cursors: new Set(), pages: 0 };
}

/**
 * Takes one page in. The list ends on a page that brings no new id, on an empty page, on a cursor that repeats, and at a
 * maximum of pages or rows (src/api/README.md, Lists).
 */
export function advance<T extends { readonly id: string | undefined }>(
  state: PagingState,
  page: { readonly items: readonly T[]; readonly next: string | undefined },
  maxPages: number = MAX_PAGES,
): Advance<T> {
  const ids = idsUntil(state);
  // Ids are many: each is looked up once.
  const fresh = page.items.filter(({ id }) => id === undefined || ids.size < ids.add(id).size);
  const count = ids.size;
  const pages = state.pages + 1;
  const hasNews = count > state.count && pages < maxPages && count < MAX_ROWS;
  const next = hasNews && page.next !== undefined && !state.cursors.has(page.next) ? page.next : undefined;
  const cursors = next === undefined ? state.cursors : new Set(state.cursors).add(next);
  return { state: { ids, count, cursors, pages }, fresh, next };
}

/** Did the list end only because nobody reads further? */
export function isCut({ pages, count }: PagingState): boolean {
  return pages >= MAX_PAGES || count >= MAX_ROWS;
}

/** What this state has seen. Where another went on from it already (a page that failed later, and is read again), a copy without that. */
function idsUntil({ ids, count }: PagingState): Set<string> {
  return ids.size === count && count > 0 ? ids : new Set([...ids].slice(0, count));
}

/**
 * The cursor of the next page out of a Link header. Nothing else of its address is used: it is built from the Host header,
 * may say http: behind a proxy, and is never asked (src/api/README.md, Lists).
 */
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

/**
 * The cursor of the next page where no Link is sent (sessions of a stream): an offset, as long as pages come back full. More
 * rows than were asked for mean that the limit was ignored and that this was everything.
 */
export function cursorOfFullPage(
  rows: number,
  { limit, cursor }: { readonly limit: number | undefined; readonly cursor: string | undefined },
): string | undefined {
  if (limit === undefined || rows !== limit) return undefined;
  const offset = Number(/^skip(\d{1,9})$/.exec(cursor ?? 'skip0')?.[1] ?? Number.NaN);
  return Number.isNaN(offset) ? undefined : `skip${offset + rows}`;
}
