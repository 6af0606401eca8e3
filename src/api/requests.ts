import type {
  Filter,
  ListOrder,
  NewStream,
  SessionQuery,
  StreamPatch,
  StreamQuery,
  UserSessionQuery,
} from './types.ts';

/** A list's request in three forms, each with less than the one before; where a form has nothing to lose, it is the same. */
export interface ListRequest {
  /** With all that was asked for. */
  readonly full: string;
  /** Without the filters that are not stated: limit, cursor and order are what a list is paged by. */
  readonly unfiltered: string;
  /** With what every service has to understand. */
  readonly stated: string;
  /** The filters that are not stated, the same on every page; empty where there are none. */
  readonly unstatedFilters: string;
}

/** GET /stream. Stated are streamsonly=1 and filters on isActive and record (src/api/README.md, Stated and seen). */
export function listStreamsRequest(query: StreamQuery): ListRequest {
  const parentsOnly: Parameter = ['streamsonly', query.parentsOnly ? '1' : undefined];
  const all = query.filters ?? [];
  const stated = all.filter(isStatedFilter);
  const paged = (filters: readonly Filter[]) =>
    pathOf('/stream', [
      parentsOnly,
      ['filters', encodeFilters(filters)],
      ...pagingParameters(query),
      orderParameter(query),
      ['count', query.count ? '1' : undefined],
    ]);
  return {
    full: paged(all),
    unfiltered: paged(stated),
    stated: pathOf('/stream', [parentsOnly, ['filters', encodeFilters(stated)]]),
    unstatedFilters: encodeFilters(all.filter((filter) => !isStatedFilter(filter))) ?? '',
  };
}

/** GET /stream/{id}/sessions. Stated is record=1. */
export function listSessionsRequest(streamId: string, query: SessionQuery): ListRequest {
  const path = `/stream/${encodeURIComponent(streamId)}/sessions`;
  const record: Parameter = ['record', query.recordedOnly ? '1' : undefined];
  const full = pathOf(path, [record, ...pagingParameters(query)]);
  return { full, unfiltered: full, stated: pathOf(path, [record]), unstatedFilters: '' };
}

/** GET /session. No parameter of it is stated. */
export function listUserSessionsRequest(query: UserSessionQuery): ListRequest {
  const paged = (filters: readonly Filter[]) =>
    pathOf('/session', [
      ['parentId', query.parentId],
      ['filters', encodeFilters(filters)],
      ...pagingParameters(query),
      orderParameter(query),
    ]);
  const filters = query.filters ?? [];
  const unstatedFilters = encodeFilters(filters) ?? '';
  return { full: paged(filters), unfiltered: paged([]), stated: '/session', unstatedFilters };
}

/** The body of POST /stream: only what is named there, since unknown fields are answered 422. */
export function newStreamBody({ name, record, profiles }: NewStream): string {
  return JSON.stringify({ name, record, profiles });
}

/** The body of PATCH /stream/{id}. */
export function patchBody({ name, record, suspended }: StreamPatch): string {
  return JSON.stringify({ name, record, suspended });
}

type Parameter = readonly [name: string, value: string | undefined];

function pathOf(path: string, parameters: readonly Parameter[]): string {
  const query = parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

function pagingParameters(query: { readonly limit?: number; readonly cursor?: string }): readonly Parameter[] {
  const limit = pageLimit(query.limit);
  return [
    ['limit', limit === undefined ? undefined : String(limit)],
    ['cursor', query.cursor],
  ];
}

/** No page is asked for without an order that is unique (src/api/README.md, Lists). */
function orderParameter(query: {
  readonly limit?: number;
  readonly cursor?: string;
  readonly order?: ListOrder;
}): Parameter {
  const isPaged = query.limit !== undefined || query.cursor !== undefined;
  return ['order', query.order ?? (isPaged ? 'createdAt-true,id-true' : undefined)];
}

/** What a service takes for a limit: 1 to 1000 (src/api/README.md, Lists). */
export function pageLimit(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.min(Math.max(Math.trunc(limit), 1), 1000);
}

/** The service decodes the value twice, so a literal % has to be encoded once more than the rest (src/api/README.md, Lists). */
function encodeFilters(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return JSON.stringify(filters.map(({ id, value }) => ({ id, value: escapeName(id, value) }))).replaceAll('%', '%25');
}

/** In a name, % and _ are wildcards and a backslash escapes: what a person types stands for itself (src/api/README.md, Lists). */
function escapeName(id: string, value: Filter['value']): Filter['value'] {
  return id === 'name' && typeof value === 'string' ? value.replace(/[\\%_]/g, '\\$&') : value;
}

function isStatedFilter({ id, value }: Filter): boolean {
  return (id === 'isActive' || id === 'record') && typeof value === 'boolean';
}
