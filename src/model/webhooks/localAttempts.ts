import type { LocalDelivery } from './state.ts';

interface Attempts {
  /** The first attempt that is still kept for each event and each replay, newest first. */
  readonly firsts: readonly LocalDelivery[];
  /** The last attempts, by the IDs of the first ones. */
  readonly lasts: ReadonlyMap<string, LocalDelivery>;
}

const known = new WeakMap<readonly LocalDelivery[], Attempts>();

/** Groups the attempts to send the same event. Cached, because all rows are compared after each change. */
export function localAttempts(deliveries: readonly LocalDelivery[]): Attempts {
  const attempts = known.get(deliveries) ?? findAttempts(deliveries);
  known.set(deliveries, attempts);
  return attempts;
}

function findAttempts(deliveries: readonly LocalDelivery[]): Attempts {
  const firstOf = new Map<string, string>();
  const lasts = new Map<string, LocalDelivery>();
  for (const delivery of deliveries.toReversed()) {
    const { id, eventId = id, attempt } = delivery;
    const first = attempt === 1 ? id : (firstOf.get(eventId) ?? id);
    firstOf.set(eventId, first);
    lasts.set(first, delivery);
  }
  return { firsts: deliveries.filter(({ id }) => lasts.has(id)), lasts };
}
