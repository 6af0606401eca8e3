import type { JsonObject } from './decode.ts';
import type {
  Filter,
  ListOrder,
  NewStream,
  Paging,
  PlaybackPolicy,
  SessionQuery,
  StreamPatch,
  StreamQuery,
  UserSessionQuery,
} from './types.ts';

/**
 * The path of a list request in three forms: `full`, `unfiltered` without undocumented filters but with limit, cursor,
 * and order, and `stated` with documented parameters only, which every service has to understand. Forms are equal if
 * there is nothing to omit. `unstatedFilters` are the undocumented filters, the same on every page; empty if there are
 * none.
 */
export interface ListRequest {
  readonly full: string;
  readonly unfiltered: string;
  readonly stated: string;
  readonly unstatedFilters: string;
}

/**
 * GET /stream. Documented: streamsonly=1 and filters on isActive and record (src/api/README.md, Documented and observed
 * behavior).
 */
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

/** GET /stream/{id}/sessions. Documented: record=1. */
export function listSessionsRequest(streamId: string, query: SessionQuery): ListRequest {
  const path = `/stream/${encodeURIComponent(streamId)}/sessions`;
  const record: Parameter = ['record', query.recordedOnly ? '1' : undefined];
  const full = pathOf(path, [record, ...pagingParameters(query)]);
  return { full, unfiltered: full, stated: pathOf(path, [record]), unstatedFilters: '' };
}

/** GET /stream/{id}/clips and GET /session/{id}/clips. None of their parameters is documented. */
export function listClipsRequest(of: 'stream' | 'session', id: string, query: Paging): ListRequest {
  const path = `/${of}/${encodeURIComponent(id)}/clips`;
  const full = pathOf(path, [...pagingParameters(query), orderParameter(query)]);
  return { full, unfiltered: full, stated: path, unstatedFilters: '' };
}

/** GET /session. None of its parameters is documented. */
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

/** Returns the body of POST /stream. Picks the known fields, since services respond to unknown ones with 422. */
export function newStreamBody({ name, record, profiles, playbackPolicy: policy }: NewStream): string {
  return JSON.stringify({ name, record, profiles, playbackPolicy: policy && policyFields(policy) });
}

export function patchBody({ name, record, suspended, userTags, profiles }: StreamPatch): string {
  return JSON.stringify({ name, record, suspended, userTags, profiles });
}

/**
 * Returns the body that sets a playback policy, which replaces the previous one. The policy of the same webhook keeps
 * the fields that users can't set here.
 * @param before the service's current policy
 */
export function policyBody(policy: PlaybackPolicy, before: JsonObject = {}): string {
  const { type, webhookId } = policy;
  const isSame = type === 'webhook' && before.type === type && before.webhookId === webhookId;
  const { webhookContext, refreshInterval } = isSame ? before : {};
  return JSON.stringify({ playbackPolicy: { ...policyFields(policy), webhookContext, refreshInterval } });
}

function policyFields({ type, webhookId, allowedOrigins }: PlaybackPolicy): JsonObject {
  return { type, webhookId, allowedOrigins: allowedOrigins.length === 0 ? undefined : allowedOrigins };
}

export type Parameter = readonly [name: string, value: string | undefined];

export function pathOf(path: string, parameters: readonly Parameter[]): string {
  const query = parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

export function pagingParameters(query: Paging): readonly Parameter[] {
  const limit = pageLimit(query.limit);
  return [
    ['limit', limit === undefined ? undefined : String(limit)],
    ['cursor', query.cursor],
  ];
}

export function orderParameter(query: Paging & { readonly order?: ListOrder | undefined }): Parameter {
  // Paging requires a unique order (src/api/README.md, Lists).
  const isPaged = query.limit !== undefined || query.cursor !== undefined;
  return ['order', query.order ?? (isPaged ? 'createdAt-true,id-true' : undefined)];
}

/** Clamps a limit to the range that services accept: 1 to 1000 (src/api/README.md, Lists). */
export function pageLimit(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.min(Math.max(Math.trunc(limit), 1), 1000);
}

export function encodeFilters(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined;
  // Services decode the value twice, so a literal % is encoded once more than the rest (src/api/README.md, Lists).
  return JSON.stringify(filters.map(({ id, value }) => ({ id, value: escapeName(id, value) }))).replaceAll('%', '%25');
}

function escapeName(id: string, value: Filter['value']): Filter['value'] {
  // In a name, % and _ are wildcards and a backslash escapes; user input is literal (src/api/README.md, Lists).
  return id === 'name' && typeof value === 'string' ? value.replace(/[\\%_]/g, '\\$&') : value;
}

function isStatedFilter({ id, value }: Filter): boolean {
  return (id === 'isActive' || id === 'record') && typeof value === 'boolean';
}
