import { isAbortError, isApiError } from '../../api/errors.ts';
import type { DeliveryDetails, Webhook } from '../../api/webhooks.ts';
import type { Clock, Log } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import { parseJson } from '../../util/parseJson.ts';
import { readEventId } from './envelope.ts';
import { type DeliveryLog, FollowedLog } from './followedLog.ts';

interface DeliveryForwarderOptions {
  /** Returns the log of the open connection; undefined while there is nothing to read. */
  readonly openLog: () => DeliveryLog | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** The only webhook whose log is read; undefined for the most recently triggered ones. */
  readonly webhookId: string | undefined;
  readonly onDelivery: (delivery: DeliveryDetails) => void;
}

// A delivery is forwarded within 15 seconds, including the requests.
const READ_EVERY_MS = 12_000;
const LONGEST_WAIT_MS = 5 * 60_000;
const MOST_LOGS = 8;
const MOST_FORWARDED = 2000;

/**
 * Follows the service's log of deliveries while this window listens. Forwards each event that the window can't see
 * itself once and every delivery that a user resends, but not the service's own retries.
 */
export class DeliveryForwarder implements Disposable {
  readonly #options: DeliveryForwarderOptions;
  readonly #timer = new DisposableSlot();
  readonly #forwarded = new Set<string>();
  #connection = new AbortController();
  #logs = new Map<string, FollowedLog>();
  #newestWebhookAt: number | undefined;
  #failures = 0;

  constructor(options: DeliveryForwarderOptions) {
    this.#options = options;
  }

  dispose(): void {
    this.#connection.abort();
    this.#timer.dispose();
  }

  /** Notes the deliveries in the logs. Only those that appear after this has resolved are forwarded. */
  async begin(): Promise<void> {
    await this.#read();
  }

  /** Starts over for another connection. If it's the same one with another key (`isSame`), continues where it was. */
  restart(isSame: boolean): void {
    this.#connection.abort();
    this.#connection = new AbortController();
    if (!isSame) {
      this.#logs = new Map();
      this.#newestWebhookAt = undefined;
    }
    this.#failures = 0;
    void this.#read();
  }

  async #read(): Promise<void> {
    const { clock, openLog } = this.#options;
    const { signal } = this.#connection;
    this.#timer.set(undefined);
    const log = openLog();
    if (log !== undefined) await this.#tryRead(log, signal);
    if (signal.aborted) return;
    const wait = Math.min(LONGEST_WAIT_MS, READ_EVERY_MS * 2 ** this.#failures);
    this.#timer.set(clock.setTimeout(() => void this.#read(), wait));
  }

  async #tryRead(log: DeliveryLog, signal: AbortSignal): Promise<void> {
    try {
      for (const id of await this.#findLogs(log, signal)) await this.#readLog(log, id, signal);
      this.#failures = 0;
    } catch (error) {
      if (isAbortError(error) || signal.aborted) return;
      if (isApiError(error)) this.#options.log.warn(`The log of a webhook can't be read: ${error.message}`);
      else this.#options.log.error('Following the log of a webhook failed', error);
      this.#failures += 1;
    }
  }

  async #readLog(log: DeliveryLog, id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#logs.get(id)?.readNew(log, signal, (delivery) => {
        if (!signal.aborted) this.#forward(delivery);
      });
    } catch (error) {
      // The webhook, or a delivery that was just listed, was deleted.
      if (!isApiError(error, 'notFound')) throw error;
      this.#logs.delete(id);
    }
  }

  // The service may send the same event to several webhooks.
  #forward(delivery: DeliveryDetails): void {
    const eventId = readEventId(parseJson(delivery.request?.body ?? ''));
    const isFirst = eventId === undefined || !this.#forwarded.has(eventId);
    const isOfSame = eventId !== undefined && this.#forwarded.has(`${delivery.webhookId} ${eventId}`);
    if (!isFirst && !isOfSame) return;
    if (eventId !== undefined) this.#forwarded.add(eventId).add(`${delivery.webhookId} ${eventId}`);
    while (this.#forwarded.size > MOST_FORWARDED) this.#forwarded.delete([...this.#forwarded][0] ?? '');
    this.#options.onDelivery(delivery);
  }

  async #findLogs(log: DeliveryLog, signal: AbortSignal): Promise<readonly string[]> {
    const { webhookId } = this.#options;
    if (webhookId !== undefined) return this.#follow([webhookId], () => false);
    const webhooks = await log.listWebhooks(signal);
    if (webhooks === undefined) return [];
    const newestAt = this.#newestWebhookAt;
    const isNew = (id: string): boolean => {
      const createdAt = webhooks.find((each) => each.id === id)?.createdAt;
      return newestAt !== undefined && createdAt !== undefined && createdAt > newestAt;
    };
    this.#newestWebhookAt ??= Math.max(0, ...webhooks.map(({ createdAt = 0 }) => createdAt));
    return this.#follow(newestFirst(webhooks).slice(0, MOST_LOGS), isNew);
  }

  #follow(ids: readonly string[], isNew: (id: string) => boolean): readonly string[] {
    for (const id of ids) if (!this.#logs.has(id)) this.#logs.set(id, new FollowedLog(id, isNew(id)));
    return ids;
  }
}

function newestFirst(webhooks: readonly Webhook[]): readonly string[] {
  const triggeredAt = ({ lastTriggeredAt, createdAt }: Webhook) => lastTriggeredAt ?? createdAt ?? 0;
  return [...webhooks].sort((a, b) => triggeredAt(b) - triggeredAt(a)).map(({ id }) => id);
}
