import type { Delivery, DeliveryDetails, Webhook } from '../../api/webhooks.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';
import { readEventId } from './envelope.ts';
import { isRetryOf, startOf } from './retries.ts';

/** Reads the service's webhooks and their deliveries. The calls reject with an ApiError. */
export interface DeliveryLog {
  /** The first page; undefined if the service has no webhooks at all. */
  listWebhooks(signal: AbortSignal): Promise<readonly Webhook[] | undefined>;
  /** At most `limit`, newest first. */
  listNewest(webhookId: string, limit: number, signal: AbortSignal): Promise<readonly Delivery[]>;
  readDelivery(webhookId: string, id: string, signal: AbortSignal): Promise<DeliveryDetails>;
}

/** The events that this window finds itself. Only resends of these are taken from the log. */
export const OWN_EVENTS: ReadonlySet<string> = new Set([
  'stream.started',
  'stream.idle',
  'recording.waiting',
  'recording.ready',
]);

const MOST_KNOWN = 2000;
const LISTED = 50;
/** How many deliveries to list if more have appeared than the first list contains. */
const MOST_LISTED = 1000;
/** How many deliveries are read only to see whether they were resent. */
const MOST_CHECKED = 20;
const MOST_COMPARED = 3;
// The service may delay the first delivery of an event for some minutes.
const CERTAINLY_RESENT_AFTER_MS = 30 * 60_000;
const FIRST_WITHIN_MS = 4000;

/** The log of one webhook, from when listening began. */
export class FollowedLog {
  readonly #webhookId: string;
  /** Newest first: those listed when listening began and all since. */
  #recent: readonly Delivery[] | undefined;
  readonly #eventIds = new Set<string>();

  /** @param isNew whether the webhook was created since listening began, so that all of its deliveries are new */
  constructor(webhookId: string, isNew: boolean) {
    this.#webhookId = webhookId;
    this.#recent = isNew ? [] : undefined;
  }

  /**
   * Calls `forward` with each new delivery, oldest first. Unless the webhook is new, the first call forwards nothing.
   * After a failure, the next call continues with the deliveries that weren't read.
   */
  async readNew(log: DeliveryLog, signal: AbortSignal, forward: (delivery: DeliveryDetails) => void): Promise<void> {
    if (this.#recent === undefined) {
      this.#recent = await this.#listNew(log, signal);
      return;
    }
    let checked = 0;
    for (const delivery of [...(await this.#listNew(log, signal))].reverse()) {
      if (OWN_EVENTS.has(delivery.event)) checked += 1;
      if (!OWN_EVENTS.has(delivery.event) || checked <= MOST_CHECKED) await this.#check(log, delivery, signal, forward);
      this.#recent = [delivery, ...this.#recent].slice(0, MOST_KNOWN);
    }
  }

  async #check(
    log: DeliveryLog,
    { id }: Delivery,
    signal: AbortSignal,
    forward: (delivery: DeliveryDetails) => void,
  ): Promise<void> {
    const details = await log.readDelivery(this.#webhookId, id, signal);
    if (await this.#isForwarded(log, details, signal)) forward(details);
  }

  async #listNew(log: DeliveryLog, signal: AbortSignal): Promise<readonly Delivery[]> {
    const known = new Set(this.#recent?.map(({ id }) => id));
    const isNew = ({ id }: Delivery) => !known.has(id);
    const newest = await log.listNewest(this.#webhookId, LISTED, signal);
    const isCut = this.#recent !== undefined && newest.length >= LISTED && newest.every(isNew);
    return (isCut ? await log.listNewest(this.#webhookId, MOST_LISTED, signal) : newest).filter(isNew);
  }

  async #isForwarded(log: DeliveryLog, delivery: DeliveryDetails, signal: AbortSignal): Promise<boolean> {
    const isOwn = OWN_EVENTS.has(delivery.event);
    const body = parseJson(delivery.request?.body ?? '');
    const eventId = readEventId(body);
    if (eventId === undefined) return !isOwn && delivery.request !== undefined;
    const isRepeated =
      this.#eventIds.has(eventId) || (await this.#wasDeliveredBefore(log, delivery, body, eventId, signal));
    this.#eventIds.add(eventId);
    if (this.#eventIds.size > MOST_KNOWN) this.#eventIds.delete([...this.#eventIds][0] ?? '');
    return isRepeated ? !this.#isRetry(delivery) : !isOwn;
  }

  // Compares it with earlier deliveries, including those before listening began.
  async #wasDeliveredBefore(
    log: DeliveryLog,
    delivery: DeliveryDetails,
    body: unknown,
    eventId: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const happenedAt = isRecord(body) && typeof body.createdAt === 'number' ? body.createdAt : delivery.createdAt;
    const age = startOf(delivery) - happenedAt;
    if (age > CERTAINLY_RESENT_AFTER_MS) return true;
    if (age < FIRST_WITHIN_MS) return false;
    const before = this.#sameBefore(delivery).filter(({ createdAt }) => createdAt >= happenedAt);
    for (const { id } of before.slice(-MOST_COMPARED)) {
      const { request } = await log.readDelivery(this.#webhookId, id, signal);
      if (readEventId(parseJson(request?.body ?? '')) === eventId) return true;
    }
    return false;
  }

  /** Whether the service itself retried because the previous delivery failed. */
  #isRetry(delivery: Delivery): boolean {
    return this.#sameBefore(delivery).some((before) => isRetryOf(delivery, before));
  }

  #sameBefore({ id, event, streamId, createdAt }: Delivery): readonly Delivery[] {
    const all = this.#recent ?? [];
    return all.filter(
      (each) => each.id !== id && each.event === event && each.streamId === streamId && each.createdAt <= createdAt,
    );
  }
}
