import type { Log } from '../services.ts';
import { isRecord } from '../util/isRecord.ts';
import type { Answer, Caller } from './calls.ts';
import { type RawRow, type Rows, toRow } from './decode.ts';
import { isApiError } from './errors.ts';
import { cursorOfFullPage, cursorOfLink } from './paging.ts';
import { readAnswer, wrongShape } from './reads.ts';
import { type ListRequest, listSessionsRequest, listUserSessionsRequest, pageLimit } from './requests.ts';
import type { Abilities, Page, Paging, Session, SessionQuery, UserSessionQuery } from './types.ts';

// Statuses of a service that doesn't know a parameter (src/api/README.md, Documented and observed behavior).
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
const MAX_REFUSED = 100;
const VALUE_REFUSALS: ReadonlySet<number> = new Set([400, 422]);
// Enough for the requests of polls: one list, or the sessions of some expanded streams.
const MAX_CACHED = 12;

interface ListCall {
  readonly request: ListRequest;
  readonly query: Paging;
  /** True: the Link header announces the next page. False: a full page means that there is another. */
  readonly isLinked: boolean;
  readonly signal: AbortSignal | undefined;
  readonly isConditional?: boolean;
  /** Leaves out the form between the full and the documented one. */
  readonly isBrief?: boolean;
}

interface PageCall extends ListCall {
  readonly isPaged: boolean;
}

type ListAbilities = Pick<Abilities, 'listExtras' | 'listFilters'>;

interface ListerOptions<T> {
  readonly call: Caller;
  readonly decode: (rows: readonly unknown[]) => Rows<T>;
  /** Returns the server time of a response with these rows. Default: the `serverDate` of the response. */
  readonly serverDateOf?: (answer: Answer, items: readonly T[]) => number;
  readonly log: Log;
  readonly abilities: () => ListAbilities;
  readonly filterRefusals: FilterRefusals;
  readonly onRefused: (ability: 'listExtras' | 'listFilters') => void;
}

/**
 * Loads one page of a list. If the service refuses parameters, retries without them, and the caller filters the rows.
 * If the response to a conditional call is unchanged, returns the same `items` array.
 */
export type Lister<T> = (call: ListCall) => Promise<Page<T>>;

export function createLister<T>(options: ListerOptions<T>): Lister<T> {
  const {
    call,
    decode,
    serverDateOf = ({ serverDate }) => serverDate,
    log,
    abilities,
    filterRefusals,
    onRefused,
  } = options;
  const kept = new KeptAnswers<ReadPage<T>>();

  async function request(path: string, list: ListCall): Promise<FormAnswer<T>> {
    const known = list.isConditional ? kept.get(path) : undefined;
    const answer = await call({ path, signal: list.signal, etag: known?.etag });
    return { path, answer, known: answer.response.status === 304 ? known?.value : undefined };
  }

  function read({ path, answer, known }: FormAnswer<T>, list: PageCall): ReadPage<T> {
    const page = known ? pageAgain(known, answer) : readPage(answer, list, decode);
    const serverDate = serverDateOf(answer, page.items);
    if (page.unreadable > 0 && !known) log.warn(`${answer.request.what}: left out ${page.unreadable} unreadable rows`);
    if (list.isConditional && !known) kept.set(path, answer.response.headers.etag, page);
    return { ...page, serverDate };
  }

  return async (list) => {
    const forms = formsToTry(list.request, abilities(), filterRefusals);
    const [first = list.request.stated, ...others] = forms;
    let tried = await request(first, list);
    const { status } = tried.answer.response;
    for (const form of list.isBrief ? others.slice(-1) : others) {
      if (!REFUSALS.has(tried.answer.response.status)) break;
      tried = await request(form, list);
    }
    const page = read(tried, { ...list, isPaged: isPaged(tried.path, list.request, abilities()) });
    const refused = refusedAbility({ first, status, accepted: tried.path, list, filterRefusals });
    if (refused === 'listExtras') log.info(`${tried.answer.request.what}: only documented parameters are understood`);
    if (refused === 'listFilters') log.info(`${tried.answer.request.what}: only documented filters are understood`);
    if (refused !== undefined) onRefused(refused);
    const { full, unfiltered } = list.request;
    const isFiltered = full === unfiltered || tried.path === full;
    // Otherwise the count includes the rows that the filters would have excluded.
    return { ...page, isFiltered, total: isFiltered ? page.total : undefined };
  };
}

function formsToTry(
  { full, unfiltered, stated, unstatedFilters }: ListRequest,
  { listExtras, listFilters }: ListAbilities,
  filterRefusals: FilterRefusals,
): readonly string[] {
  if (!listExtras) return [stated];
  const isTried = listFilters && !filterRefusals.hasRefused(unstatedFilters);
  return [...new Set(isTried ? [full, unfiltered, stated] : [unfiltered, stated])];
}

function refusedAbility({
  first,
  status,
  accepted,
  list: { request, isBrief },
  filterRefusals,
}: {
  readonly first: string;
  readonly status: number;
  readonly accepted: string;
  readonly list: ListCall;
  readonly filterRefusals: FilterRefusals;
}): 'listExtras' | 'listFilters' | undefined {
  const { full, unfiltered, unstatedFilters } = request;
  if (accepted === full) filterRefusals.accepted(unstatedFilters);
  if (accepted === first) return undefined;
  // Without the form in between, the filters alone may have been refused.
  const mayBeFilters = accepted === unfiltered || (isBrief === true && first === full && full !== unfiltered);
  if (!mayBeFilters) return 'listExtras';
  return filterRefusals.refused(unstatedFilters, status) ? 'listFilters' : undefined;
}

function isPaged(path: string, { unfiltered, stated }: ListRequest, { listExtras }: ListAbilities): boolean {
  // A service that refuses paging has a single page.
  return path !== stated || (unfiltered === stated && listExtras);
}

type ReadPage<T> = Omit<Page<T>, 'isFiltered'>;

interface FormAnswer<T> {
  readonly path: string;
  readonly answer: Answer;
  readonly known: ReadPage<T> | undefined;
}

function pageAgain<T>(page: ReadPage<T>, { response, requestSeq, startedAt, serverDate }: Answer): ReadPage<T> {
  // The count can change under a 304: an ETag covers only the body (src/api/README.md, Conditional requests).
  return { ...page, total: totalOf(response.headers) ?? page.total, requestSeq, startedAt, serverDate };
}

function readPage<T>(
  answer: Answer,
  { query, isLinked, isPaged }: PageCall,
  decode: (rows: readonly unknown[]) => Rows<T>,
): ReadPage<T> {
  const { response, requestSeq, startedAt, serverDate } = answer;
  const rows = readAnswer(answer);
  if (!Array.isArray(rows)) throw wrongShape(answer);
  const announced = isLinked
    ? cursorOfLink(response.headers.link)
    : cursorOfFullPage(rows.length, { limit: pageLimit(query.limit), cursor: query.cursor });
  const next = isPaged ? announced : undefined;
  const read = decode(rows);
  // A further page may consist of a single bad row; failing would lose the pages before it.
  const mayBeRows = query.cursor !== undefined && rows.some(isRecord);
  if (rows.length > 0 && read.items.length === 0 && !mayBeRows) throw wrongShape(answer);
  return { ...read, next, total: totalOf(response.headers), requestSeq, startedAt, serverDate };
}

function totalOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['x-total-count'] ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

class KeptAnswers<T> {
  readonly #byUrl = new Map<string, { readonly etag: string; readonly value: T }>();

  get(url: string): { readonly etag: string; readonly value: T } | undefined {
    const kept = this.#byUrl.get(url);
    if (kept === undefined) return undefined;
    this.#byUrl.delete(url);
    this.#byUrl.set(url, kept);
    return kept;
  }

  set(url: string, etag: string | undefined, value: T): void {
    this.#byUrl.delete(url);
    if (etag !== undefined && etag !== '') this.#byUrl.set(url, { etag, value });
    const oldest = this.#byUrl.size > MAX_CACHED ? this.#byUrl.keys().next().value : undefined;
    if (oldest !== undefined) this.#byUrl.delete(oldest);
  }
}

/** Distinguishes a service that refuses all filters from one that refuses certain values, such as one name. */
export class FilterRefusals {
  readonly #refused = new Set<string>();
  #hasAccepted = false;

  hasRefused(filters: string): boolean {
    return this.#refused.has(filters);
  }

  accepted(filters: string): void {
    if (filters !== '') this.#hasAccepted = true;
  }

  /** Returns whether all filters are refused, rather than a value: by the status, or if no filters ever passed. */
  refused(filters: string, status: number): boolean {
    if (!VALUE_REFUSALS.has(status)) return true;
    if (this.#refused.size >= MAX_REFUSED) this.#refused.clear();
    this.#refused.add(filters);
    return !this.#hasAccepted && this.#refused.size > 1;
  }

  reset(): void {
    this.#refused.clear();
    this.#hasAccepted = false;
  }
}

interface SessionLister<T> {
  readonly lister: Lister<T>;
  readonly parentOf: (item: T) => unknown;
}

interface SessionsCall {
  readonly streamId: string;
  readonly query: SessionQuery;
  readonly signal: AbortSignal | undefined;
  readonly isConditional?: boolean;
}

export class SessionLists {
  readonly #sessions: SessionLister<Session>;
  readonly #rows: SessionLister<RawRow>;
  readonly #broken = new Set<string>();

  constructor(sessions: Lister<Session>, rows: Lister<RawRow>) {
    this.#sessions = { lister: sessions, parentOf: ({ parentId }) => parentId };
    this.#rows = { lister: rows, parentOf: ({ row }) => toRow(row)?.parentId };
  }

  list(call: SessionsCall): Promise<Page<Session>> {
    return listSessionsOf(this.#sessions, this.#broken, call);
  }

  listRows(call: SessionsCall): Promise<Page<RawRow>> {
    return listSessionsOf(this.#rows, this.#broken, call);
  }

  reset(): void {
    this.#broken.clear();
  }
}

/**
 * Loads one page of a stream's sessions. A single old session that has lost its stream makes the public service respond
 * to the documented request with 500 for good (src/api/README.md, Streams). After a second 500, this lists the
 * account's sessions by parent instead and records the stream in `broken`. Throws the first 500 if that fails too.
 */
async function listSessionsOf<T>(
  sessions: SessionLister<T>,
  broken: Set<string>,
  call: SessionsCall,
): Promise<Page<T>> {
  const { streamId } = call;
  if (broken.has(streamId)) return listByParent(sessions, call);
  try {
    return await listStated(sessions, call);
  } catch (first) {
    // The fallback pages differently: a cursor of the documented request is invalid there.
    if (!isServerFailure(first) || call.query.cursor !== undefined) throw first;
    try {
      return await listStated(sessions, call);
    } catch (second) {
      if (!isServerFailure(second)) throw second;
    }
    const page = await listByParent(sessions, call).catch((error: unknown) => {
      throw isApiError(error) ? first : error;
    });
    broken.add(streamId);
    return page;
  }
}

function listStated<T>({ lister }: SessionLister<T>, { streamId, query, ...rest }: SessionsCall): Promise<Page<T>> {
  return lister({ request: listSessionsRequest(streamId, query), query, isLinked: false, ...rest });
}

async function listByParent<T>(
  { lister, parentOf }: SessionLister<T>,
  { streamId, query: { recordedOnly, ...paging }, ...rest }: SessionsCall,
): Promise<Page<T>> {
  const query: UserSessionQuery = {
    ...paging,
    parentId: streamId,
    order: 'createdAt-true,id-true',
    filters: recordedOnly === true ? [{ id: 'record', value: true }] : undefined,
  };
  const page = await lister({ request: listUserSessionsRequest(query), query, isLinked: true, ...rest });
  // A service that doesn't know the parameter also sends the rows of other streams.
  return { ...page, items: page.items.filter((item) => parentOf(item) === streamId) };
}

function isServerFailure(error: unknown): boolean {
  return isApiError(error) && error.status === 500;
}
