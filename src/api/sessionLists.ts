import type { RawRow } from './decode.ts';
import { toRow } from './decodeValues.ts';
import { isApiError } from './errors.ts';
import type { Lister } from './lists.ts';
import { listSessionsRequest, listUserSessionsRequest } from './requests.ts';
import type { Page, Session, SessionQuery, UserSessionQuery } from './types.ts';

interface SessionLister<T> {
  readonly lister: Lister<T>;
  readonly parentOf: (item: T) => unknown;
}

interface SessionsAsked {
  readonly streamId: string;
  readonly query: SessionQuery;
  readonly signal: AbortSignal | undefined;
  readonly isConditional?: boolean;
}

/** The sessions of streams, decoded or as they were sent. Remembers for which of them the stated request fails. */
export class SessionLists {
  readonly #sessions: SessionLister<Session>;
  readonly #rows: SessionLister<RawRow>;
  readonly #broken = new Set<string>();

  constructor(sessions: Lister<Session>, rows: Lister<RawRow>) {
    this.#sessions = { lister: sessions, parentOf: ({ parentId }) => parentId };
    this.#rows = { lister: rows, parentOf: ({ row }) => toRow(row)?.parentId };
  }

  list(asked: SessionsAsked): Promise<Page<Session>> {
    return listSessionsOf(this.#sessions, this.#broken, asked);
  }

  listRows(asked: SessionsAsked): Promise<Page<RawRow>> {
    return listSessionsOf(this.#rows, this.#broken, asked);
  }

  reset(): void {
    this.#broken.clear();
  }
}

/**
 * One page of a stream's sessions. One old session that has lost its stream makes the public service answer the stated
 * request with 500 for good (src/api/README.md, Streams): after a second 500 the account's sessions are asked for by their stream
 * instead, and `broken` remembers it. Throws the first 500 where that is of no help either.
 */
async function listSessionsOf<T>(
  sessions: SessionLister<T>,
  broken: Set<string>,
  asked: SessionsAsked,
): Promise<Page<T>> {
  const { streamId } = asked;
  if (broken.has(streamId)) return listByParent(sessions, asked);
  try {
    return await listStated(sessions, asked);
  } catch (first) {
    // The way round pages otherwise: a cursor of the stated request means nothing there.
    if (!isServerFailure(first) || asked.query.cursor !== undefined) throw first;
    try {
      return await listStated(sessions, asked);
    } catch (second) {
      if (!isServerFailure(second)) throw second;
    }
    const page = await listByParent(sessions, asked).catch((error: unknown) => {
      throw isApiError(error) ? first : error;
    });
    broken.add(streamId);
    return page;
  }
}

function listStated<T>({ lister }: SessionLister<T>, { streamId, query, ...rest }: SessionsAsked): Promise<Page<T>> {
  return lister({ request: listSessionsRequest(streamId, query), query, isLinked: false, ...rest });
}

/** Rows of other streams, which a service that does not know the parameter sends, are left out. */
async function listByParent<T>(
  { lister, parentOf }: SessionLister<T>,
  { streamId, query: { recordedOnly, ...paging }, ...rest }: SessionsAsked,
): Promise<Page<T>> {
  const query: UserSessionQuery = {
    ...paging,
    parentId: streamId,
    order: 'createdAt-true,id-true',
    ...(recordedOnly === true ? { filters: [{ id: 'record', value: true }] } : {}),
  };
  const page = await lister({ request: listUserSessionsRequest(query), query, isLinked: true, ...rest });
  return { ...page, items: page.items.filter((item) => parentOf(item) === streamId) };
}

function isServerFailure(error: unknown): boolean {
  return isApiError(error) && error.status === 500;
}
