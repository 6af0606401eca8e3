import {
  encodeFilters,
  type ListRequest,
  orderParameter,
  type Parameter,
  pagingParameters,
  pathOf,
} from './requests.ts';
import type { Filter, Paging } from './types.ts';
import type { DeliveryFilter, WebhookForm } from './webhooks.ts';

// What only code that is loaded late requests. None of it is stated.

export const SIGNING_KEYS = '/access-control/signing-key';

/** Of a list of which accounts have a handful. Without a limit, a service may leave some out. */
export function listAllRequest(path: string, stated: readonly Parameter[] = []): { full: string; stated: string } {
  return { full: pathOf(path, [...stated, ...pagingParameters({ limit: 1000 })]), stated: pathOf(path, stated) };
}

/** Returns the body of POST /access-control/signing-key. */
export function signingKeyBody({ name }: { readonly name: string }): string {
  return JSON.stringify({ name });
}

/** GET /webhook. None of its parameters is stated. */
export function listWebhooksRequest(query: Paging): ListRequest {
  return unstatedRequest('/webhook', query, []);
}

/** GET /webhook/{id}/log. None of its parameters is stated. */
export function listDeliveriesRequest(webhookId: string, query: Paging, filter: DeliveryFilter): ListRequest {
  const { failedOnly, event, streamId } = filter;
  const filters: readonly Filter[] = [
    ...(failedOnly === true ? [{ id: 'success', value: false }] : []),
    ...(event === undefined ? [] : [{ id: 'event', value: event }]),
    ...(streamId === undefined ? [] : [{ id: 'resourceId', value: streamId }]),
  ];
  return unstatedRequest(`/webhook/${encodeURIComponent(webhookId)}/log`, query, filters);
}

function unstatedRequest(path: string, query: Paging, filters: readonly Filter[]): ListRequest {
  const paged = (sent: readonly Filter[]) =>
    pathOf(path, [['filters', encodeFilters(sent)], ...pagingParameters(query), orderParameter(query)]);
  return { full: paged(filters), unfiltered: paged([]), stated: path, unstatedFilters: encodeFilters(filters) ?? '' };
}

/** Returns the body of POST and PATCH /webhook. A `streamId` that is there but undefined is removed: sent as null. */
export function webhookBody(form: Partial<WebhookForm>): string {
  const { name, url, events, sharedSecret, streamId } = form;
  return JSON.stringify({ name, url, events, sharedSecret, streamId });
}
