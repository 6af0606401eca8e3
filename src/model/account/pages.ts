import { advance, type PagingState, startPaging } from '../../api/paging.ts';
import type { AnswerMeta, Page } from '../../api/types.ts';
import type { PagesFacts } from '../store/snapshot.ts';

/** The position of a list's next page. Only the account reads `cursor`. */
export interface Bookmark {
  readonly paging: PagingState;
  /** `undefined` at the beginning and at the end. */
  readonly cursor: string | undefined;
}

export const BEGINNING: Bookmark = { paging: startPaging(), cursor: undefined };

export interface PageRequest {
  readonly limit: number;
  /** Default: BEGINNING. */
  readonly from?: Bookmark | undefined;
  /** Number of pages, fewer if the list ends. Default: 1. */
  readonly pages?: number;
  /** Whether this is a poll: a service may respond that nothing has changed, which costs less. */
  readonly isPoll?: boolean;
}

/** Several pages as one. Its age is that of the first request, so that it doesn't overwrite newer data. */
export interface PagesRead<T> extends AnswerMeta, PagesFacts {
  readonly items: readonly T[];
  readonly bookmark: Bookmark;
  /** The number of rows in the last page as received: far more than its limit if the service ignores limits. */
  readonly lastPageRows: number;
}

/** Reads pages by the paging rule in src/api/README.md, Lists. Leaves out rows whose IDs were already seen. */
export async function readPages<T extends { readonly id: string }>(
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
  { from = BEGINNING, pages = 1 }: Pick<PageRequest, 'from' | 'pages'>,
): Promise<PagesRead<T>> {
  const items: T[] = [];
  let { paging, cursor } = from;
  let first: Page<T> | undefined;
  let last: Page<T> | undefined;
  let unreadable = 0;
  let isFiltered = true;
  for (let read = 0; read < pages && (read === 0 || cursor !== undefined); read++) {
    last = await fetchPage(cursor);
    first ??= last;
    const step = advance(paging, last);
    // Not push(...items): a service may return more rows than a call takes arguments.
    for (const item of step.fresh) items.push(item);
    unreadable += last.unreadable;
    isFiltered &&= last.isFiltered;
    ({ state: paging, next: cursor } = step);
  }
  return {
    items,
    bookmark: { paging, cursor },
    hasNextPage: cursor !== undefined,
    total: last?.total ?? first?.total,
    unreadable,
    isFiltered,
    lastPageRows: last?.items.length ?? 0,
    requestSeq: first?.requestSeq ?? 0,
    startedAt: first?.startedAt ?? 0,
    serverDate: last?.serverDate ?? 0,
  };
}
