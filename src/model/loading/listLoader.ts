import type { Stream } from '../../api/types.ts';
import type { PagedList } from '../account/account.ts';
import type { PagesRead } from '../account/pages.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import type { Listed } from '../store/facts.ts';
import type { LoadContext } from './loadContext.ts';
import { PagedLoader } from './pagedLoader.ts';

export function createListLoader(context: LoadContext, list: PagedList): PagedLoader<Stream> {
  const { account, store } = context;
  return new PagedLoader(context, {
    choice: () => store.snapshot.filter,
    state: () => {
      const { ids, ...state } = store.snapshot.lists[list];
      return { ...state, hidesRows: ids.length > state.revealed };
    },
    read: (request) => account.listStreams(list, store.snapshot.filter, request),
    loading: (what) => store.listLoading(list, what),
    listed: (read, revealed) => store.listed(list, toListed(read, revealed)),
    listedMore: (read, revealed) => store.listedMore(list, toListed(read, revealed)),
    revealMore: (rows) => store.revealMore(list, rows),
    failed: (trouble) => store.listFailed(list, trouble),
  });
}

/** Converts pages for the store, without child streams that the service returns despite the query. */
export function toListed(read: PagesRead<Stream>, revealed: number): Listed {
  const { turn, startedAt, serverDate, hasNextPage, total, dropped } = read;
  const streams = read.items.filter((stream) => !isChildStream(stream));
  const seen = read.bookmark.paging.count;
  return { streams, revealed, turn, startedAt, serverDate, hasNextPage, total, dropped, seen };
}
