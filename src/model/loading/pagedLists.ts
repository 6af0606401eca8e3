import type { Session, Stream } from '../../api/types.ts';
import type { PagedList } from '../account/account.ts';
import type { PagesRead } from '../account/pages.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import type { Listed } from '../store/facts.ts';
import { isUnsettled, mergeSessions } from '../store/sessions.ts';
import type { LoadContext } from './loadContext.ts';
import { PagedLoader } from './pagedLoader.ts';

/** A poll requests the rows down to the last that can still change, plus this many that may be new. */
const NEW_SESSIONS = 10;

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
    listed: (read, { revealed, isMore }) => {
      const listed = toListed(read, revealed);
      if (isMore) store.listedMore(list, listed);
      else store.listed(list, listed);
    },
    revealMore: (rows) => store.revealMore(list, rows),
    failed: (trouble) => store.listFailed(list, trouble),
  });
}

/** Converts pages for the store, without child streams that the service returns despite the query. */
export function toListed(read: PagesRead<Stream>, revealed: number): Listed {
  const { requestSeq, startedAt, serverDate, hasNextPage, total, unreadable, isFiltered } = read;
  const streams = read.items.filter((stream) => !isChildStream(stream));
  const seen = read.bookmark.paging.count;
  return { streams, revealed, requestSeq, startedAt, serverDate, hasNextPage, total, unreadable, isFiltered, seen };
}

export function createSessionsLoader(context: LoadContext, streamId: string): PagedLoader<Session> {
  const { account, store } = context;
  const known = () => store.snapshot.sessions.get(streamId);
  return new PagedLoader(context, {
    choice: () => store.snapshot.recordedOnly,
    state: () => {
      const list = known();
      return list && { ...list, hidesRows: list.items.length > list.revealed };
    },
    read: (request) => account.listSessions(streamId, { recordedOnly: store.snapshot.recordedOnly, ...request }),
    loading: () => store.sessionsLoading(streamId),
    listed: (read, { revealed, isMore }) => {
      const before = isMore ? known()?.items : [];
      if (before === undefined) return;
      const { hasNextPage, startedAt: loadedAt, serverDate } = read;
      const items = mergeSessions(before, read.items);
      store.sessionsListed(streamId, { items, revealed, hasNextPage, loadedAt, serverDate });
    },
    revealMore: (rows) => {
      const list = known();
      if (list) store.sessionsListed(streamId, { ...list, revealed: list.revealed + rows });
    },
    failed: (trouble) => store.sessionsFailed(streamId, trouble),
    polling: {
      limit: () => (known()?.items.findLastIndex(isUnsettled) ?? -1) + 1 + NEW_SESSIONS,
      polled: ({ items: newest, startedAt: loadedAt, serverDate }) => {
        const list = known();
        if (list === undefined) return;
        const items = mergeSessions(list.items, newest);
        store.sessionsListed(streamId, { ...list, items, loadedAt, serverDate });
      },
    },
  });
}
