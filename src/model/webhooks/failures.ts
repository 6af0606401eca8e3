import type { Delivery, Webhook } from '../../api/webhooks.ts';
import type { DeliveryRows, WebhooksState } from './state.ts';

/** Whether the last delivery of a webhook failed, as far as is known. */
export function isFailing({ lastFailure, lastTriggeredAt }: Webhook, rows: DeliveryRows | undefined): boolean {
  if (lastFailure === undefined || (lastTriggeredAt ?? 0) > lastFailure.at) return false;
  const newest = rows === undefined || isFiltered(rows.filter) ? undefined : rows.items[0];
  return newest?.isSuccess !== true || newest.createdAt <= lastFailure.at;
}

export function countFailing({ webhooks, deliveries }: WebhooksState): number {
  return webhooks.items.filter((webhook) => isFailing(webhook, deliveries.get(webhook.id))).length;
}

/** Returns the listed delivery by which the webhook got the event of one that failed; undefined if none is known. */
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
