import type { Delivery, Webhook } from '../../api/webhooks.ts';
import type { DeliveryRows } from './state.ts';

/**
 * Returns since when a webhook is failing, as far as is known: since the earliest failure after its last success. Unix time
 * in milliseconds; undefined if its last delivery succeeded.
 */
export function failingSince(
  { lastFailure, lastTriggeredAt }: Webhook,
  rows: DeliveryRows | undefined,
): number | undefined {
  if (lastFailure === undefined || (lastTriggeredAt ?? 0) > lastFailure.at) return undefined;
  if (rows === undefined || isFiltered(rows.filter)) return lastFailure.at;
  const [newest] = rows.items;
  if (newest?.isSuccess === true) return newest.createdAt > lastFailure.at ? undefined : lastFailure.at;
  const lastGood = rows.items.findIndex(({ isSuccess }) => isSuccess);
  const failed = lastGood === -1 ? rows.items : rows.items.slice(0, lastGood);
  return Math.min(lastFailure.at, ...failed.map(({ createdAt }) => createdAt));
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
