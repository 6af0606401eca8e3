import type { Log } from '../services.ts';
import { isRecord } from '../util/isRecord.ts';
import type { Answered, Caller } from './calls.ts';
import type { Rows } from './decode.ts';
import type { FilterJudge } from './filterJudge.ts';
import { KeptAnswers } from './keptAnswers.ts';
import { cursorOfFullPage, cursorOfLink } from './paging.ts';
import { readAnswer, wrongShape } from './reads.ts';
import { type ListRequest, pageLimit } from './requests.ts';
import type { Abilities, Page } from './types.ts';

/** Statuses of a service that doesn't know a parameter (src/api/README.md, Stated and seen). */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

export interface ListCall {
  readonly request: ListRequest;
  readonly query: { readonly limit?: number; readonly cursor?: string };
  /** True: the Link header announces the next page. False: a full page means that there is another. */
  readonly isLinked: boolean;
  readonly signal: AbortSignal | undefined;
  readonly isConditional?: boolean;
}

interface PageCall extends ListCall {
  readonly isPaged: boolean;
}

export interface ListerOptions<T> {
  readonly call: Caller;
  readonly decode: (rows: readonly unknown[]) => Rows<T>;
  /** Returns the server time of a response with these rows. Default: the `serverDate` of the response. */
  readonly serverDateOf?: (answered: Answered, items: readonly T[]) => number;
  readonly log: Log;
  readonly abilities: () => Pick<Abilities, 'listExtras' | 'listFilters'>;
  readonly filterJudge: FilterJudge;
  readonly onRefused: (ability: 'listExtras' | 'listFilters') => void;
}

/**
 * Loads one page of a list. If the service refuses the request, retries it without the unstated filters, then
 * without all unstated parameters; the caller filters the rows. If the response to a conditional call is unchanged,
 * returns the same `items` array.
 */
export type Lister<T> = (call: ListCall) => Promise<Page<T>>;

export function createLister<T>(options: ListerOptions<T>): Lister<T> {
  const {
    call,
    decode,
    serverDateOf = ({ serverDate }) => serverDate,
    log,
    abilities,
    filterJudge: judge,
    onRefused,
  } = options;
  const kept = new KeptAnswers<ReadPage<T>>();

  async function ask(path: string, list: ListCall): Promise<Asked<T>> {
    const known = list.isConditional ? kept.get(path) : undefined;
    const answered = await call({ path, signal: list.signal, etag: known?.etag });
    return { path, answered, known: answered.response.status === 304 ? known?.value : undefined };
  }

  function read({ path, answered, known }: Asked<T>, list: PageCall): ReadPage<T> {
    const page = known ? pageAgain(known, answered) : readPage(answered, list, decode);
    const serverDate = serverDateOf(answered, page.items);
    if (page.dropped > 0 && !known) log.warn(`${answered.asked.what}: left out ${page.dropped} unreadable rows`);
    if (list.isConditional && !known) kept.set(path, answered.response.headers.etag, page);
    return { ...page, serverDate };
  }

  return async (list) => {
    const forms = formsToTry(list.request, abilities(), judge);
    const [first = list.request.stated] = forms;
    let asked = await ask(first, list);
    const { status } = asked.answered.response;
    for (const form of forms.slice(1)) {
      if (!REFUSALS.has(asked.answered.response.status)) break;
      asked = await ask(form, list);
    }
    const page = read(asked, { ...list, isPaged: isPaged(asked.path, list.request, abilities()) });
    const refused = refusedAbility({ first, status, answered: asked.path, request: list.request, judge });
    if (refused === 'listExtras') log.info(`${asked.answered.asked.what}: only the stated parameters are understood`);
    if (refused === 'listFilters') log.info(`${asked.answered.asked.what}: only the stated filters are understood`);
    if (refused !== undefined) onRefused(refused);
    const { full, unfiltered } = list.request;
    const isFiltered = full === unfiltered || asked.path === full;
    // Otherwise the count includes the rows that the filters would have excluded.
    return { ...page, isFiltered, total: isFiltered ? page.total : undefined };
  };
}

function formsToTry(
  { full, unfiltered, stated, unstatedFilters }: ListRequest,
  { listExtras, listFilters }: Pick<Abilities, 'listExtras' | 'listFilters'>,
  judge: FilterJudge,
): readonly string[] {
  if (!listExtras) return [stated];
  const isTried = listFilters && !judge.hasRefused(unstatedFilters);
  return [...new Set(isTried ? [full, unfiltered, stated] : [unfiltered, stated])];
}

/**
 * Returns the ability that the service turns out to lack if another form than `first` succeeded; `status` is that of
 * `first`.
 */
function refusedAbility({
  first,
  status,
  answered,
  request: { full, unfiltered, unstatedFilters },
  judge,
}: {
  readonly first: string;
  readonly status: number;
  readonly answered: string;
  readonly request: ListRequest;
  readonly judge: FilterJudge;
}): 'listExtras' | 'listFilters' | undefined {
  if (answered === full) judge.accepted(unstatedFilters);
  if (answered === first) return undefined;
  if (answered !== unfiltered) return 'listExtras';
  return judge.refused(unstatedFilters, status) ? 'listFilters' : undefined;
}

function isPaged(
  answered: string,
  { unfiltered, stated }: ListRequest,
  { listExtras }: Pick<Abilities, 'listExtras'>,
): boolean {
  // A service that refuses paging has a single page.
  return answered !== stated || (unfiltered === stated && listExtras);
}

type ReadPage<T> = Omit<Page<T>, 'isFiltered'>;

interface Asked<T> {
  readonly path: string;
  readonly answered: Answered;
  readonly known: ReadPage<T> | undefined;
}

function pageAgain<T>(page: ReadPage<T>, { response, turn, startedAt, serverDate }: Answered): ReadPage<T> {
  // The count can change under a 304: an ETag covers only the body (src/api/README.md, Conditional requests).
  return { ...page, total: totalOf(response.headers) ?? page.total, turn, startedAt, serverDate };
}

function readPage<T>(
  answered: Answered,
  { query, isLinked, isPaged }: PageCall,
  decode: (rows: readonly unknown[]) => Rows<T>,
): ReadPage<T> {
  const { response, turn, startedAt, serverDate } = answered;
  const rows = readAnswer(answered);
  if (!Array.isArray(rows)) throw wrongShape(answered);
  const announced = isLinked
    ? cursorOfLink(response.headers.link)
    : cursorOfFullPage(rows.length, { limit: pageLimit(query.limit), cursor: query.cursor });
  const next = isPaged ? announced : undefined;
  const read = decode(rows);
  // A further page may consist of a single bad row; failing would lose the pages before it.
  const mayBeRows = query.cursor !== undefined && rows.some(isRecord);
  if (rows.length > 0 && read.items.length === 0 && !mayBeRows) throw wrongShape(answered);
  return { ...read, next, total: totalOf(response.headers), turn, startedAt, serverDate };
}

function totalOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['x-total-count'] ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
