import type { Delivery, Webhook } from '../../api/webhooks.ts';
import type { DeliveryRows, Listening, LocalDelivery, WebhooksState } from './state.ts';

export interface Failure {
  readonly at: number;
  readonly statusCode?: number | undefined;
}

/** Returns a webhook's last known delivery if it failed. Webhooks and deliveries are read at different times. */
export function currentFailure(
  { lastFailure, lastTriggeredAt = 0 }: Webhook,
  rows: DeliveryRows | undefined,
): Failure | undefined {
  const newest = rows === undefined || isFiltered(rows.filter) ? undefined : rows.items[0];
  if (newest !== undefined && newest.createdAt > Math.max(lastFailure?.at ?? 0, lastTriggeredAt)) {
    return newest.isSuccess ? undefined : { at: newest.createdAt, statusCode: newest.statusCode };
  }
  return lastFailure !== undefined && lastTriggeredAt <= lastFailure.at ? lastFailure : undefined;
}

/**
 * Returns whether the last request to the local handler failed, and was sent since listening began. False if no server
 * was there: that's checked repeatedly (`isUnanswered`), and may no longer be so.
 */
export function isHandlerFailing({ since }: Listening, last: LocalDelivery | undefined): last is LocalDelivery {
  return last?.isSuccess === false && last.failure !== 'refused' && last.createdAt >= since;
}

export function countFailing({ webhooks, deliveries }: WebhooksState): number {
  return webhooks.items.filter((webhook) => currentFailure(webhook, deliveries.get(webhook.id)) !== undefined).length;
}

/** Returns the listed delivery that succeeded for the same event as a failed one; undefined if none is known. */
export function deliveredLater(delivery: Delivery, listed: readonly Delivery[] = []): Delivery | undefined {
  return othersOf(delivery, listed).find(({ isSuccess }) => isSuccess);
}

/** Whether a delivery repeats an older one that is listed. */
export function isResend(delivery: Delivery, listed: readonly Delivery[] = []): boolean {
  return othersOf(delivery, listed).some(({ createdAt }) => createdAt < delivery.createdAt);
}

function othersOf({ id, eventId }: Delivery, listed: readonly Delivery[]): readonly Delivery[] {
  return eventId === undefined ? [] : (byEvent(listed).get(eventId) ?? []).filter((other) => other.id !== id);
}

const indexes = new WeakMap<readonly Delivery[], ReadonlyMap<string | undefined, readonly Delivery[]>>();

// Cached, because all rows are compared after each change.
function byEvent(listed: readonly Delivery[]): ReadonlyMap<string | undefined, readonly Delivery[]> {
  const index = indexes.get(listed) ?? Map.groupBy(listed, ({ eventId }) => eventId);
  indexes.set(listed, index);
  return index;
}

export function isFiltered({ failedOnly, event, streamId }: DeliveryRows['filter']): boolean {
  return failedOnly === true || event !== undefined || streamId !== undefined;
}
