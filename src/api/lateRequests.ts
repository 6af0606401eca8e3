import type { Answer, Caller } from './calls.ts';
import {
  encodeFilters,
  type ListRequest,
  orderParameter,
  type Parameter,
  pagingParameters,
  pathOf,
} from './requests.ts';
import type { CallOptions, Filter, Paging } from './types.ts';
import type { DeliveryFilter, WebhookForm } from './webhooks.ts';

// Requests by code that is loaded late. None of them is documented.

export const SIGNING_KEYS = '/access-control/signing-key';

const PARAMETER_REFUSALS: ReadonlySet<number> = new Set([400, 422]);

/** Requests a list with a handful of rows per account. Without a limit (undocumented), a service may omit some. */
export async function requestAll(
  call: Caller,
  path: string,
  { signal, stated = [] }: CallOptions & { readonly stated?: readonly Parameter[] },
): Promise<Answer> {
  const answer = await call({ path: pathOf(path, [...stated, ...pagingParameters({ limit: 1000 })]), signal });
  return PARAMETER_REFUSALS.has(answer.response.status) ? call({ path: pathOf(path, stated), signal }) : answer;
}

/** GET /webhook. None of its parameters is documented. */
export function listWebhooksRequest(query: Paging): ListRequest {
  return unstatedRequest('/webhook', query, []);
}

/** GET /webhook/{id}/log. None of its parameters is documented. */
export function listDeliveriesRequest(webhookId: string, query: Paging, filter: DeliveryFilter): ListRequest {
  const { failedOnly, event, streamId } = filter;
  const filters: readonly Filter[] = [
    ...(failedOnly === true ? [{ id: 'success', value: false }] : []),
    ...(event === undefined ? [] : [{ id: 'event', value: event }]),
    ...(streamId === undefined ? [] : [{ id: 'resourceId', value: streamId }]),
  ];
  return unstatedRequest(`/webhook/${encodeURIComponent(webhookId)}/log`, query, filters);
}

/** GET /task, for the tasks that make clips. The newest hundred, because a task may be large. */
export function clipTasksPath(): string {
  return unstatedRequest('/task', { limit: 100 }, [{ id: 'type', value: 'clip' }]).full;
}

function unstatedRequest(path: string, query: Paging, filters: readonly Filter[]): ListRequest {
  const paged = (sent: readonly Filter[]) =>
    pathOf(path, [['filters', encodeFilters(sent)], ...pagingParameters(query), orderParameter(query)]);
  return { full: paged(filters), unfiltered: paged([]), stated: path, unstatedFilters: encodeFilters(filters) ?? '' };
}

/** Returns the body of POST and PATCH /webhook. Sends null for a `streamId` of null, and nothing for undefined. */
export function webhookBody(form: Partial<WebhookForm>): string {
  const { name, url, events, sharedSecret, streamId } = form;
  return JSON.stringify({ name, url, events, sharedSecret, streamId });
}
