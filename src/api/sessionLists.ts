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

/** Lists the sessions of streams, decoded or undecoded. Remembers the streams whose stated request fails. */
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
 * Loads one page of a stream's sessions. A single old session that has lost its stream makes the public service respond
 * to the stated request with 500 for good (src/api/README.md, Streams). After a second 500, this lists the
 * account's sessions by parent instead and records the stream in `broken`. Throws the first 500 if that fails too.
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
    // The fallback pages differently: a cursor of the stated request is invalid there.
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
  // A service that doesn't know the parameter sends the rows of other streams too.
  return { ...page, items: page.items.filter((item) => parentOf(item) === streamId) };
}

function isServerFailure(error: unknown): boolean {
  return isApiError(error) && error.status === 500;
}
