import { orNone } from '../../api/errors.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook } from '../../api/webhooks.ts';
import { untilAborted } from '../../util/async.ts';
import type { DeliveryLog } from './followedLog.ts';

interface ListRequest {
  readonly limit: number;
  readonly isPoll?: boolean;
}

/** The part of an account's webhooks that the log needs. */
export interface LoggedWebhooks {
  readonly isOffered: boolean;
  listWebhooks(request: ListRequest): Promise<{ readonly items: readonly Webhook[] }>;
  listDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    request: ListRequest,
    signal?: AbortSignal,
  ): Promise<{ readonly items: readonly Delivery[] }>;
  readDelivery(webhookId: string, id: string, signal?: AbortSignal): Promise<DeliveryDetails>;
}

const WEBHOOKS = 50;

/** Returns the log that `EventListener` follows. */
export function readAccountLog(webhooks: LoggedWebhooks): DeliveryLog {
  return {
    async listWebhooks(signal) {
      if (!webhooks.isOffered) return undefined;
      const read = untilAborted(webhooks.listWebhooks({ limit: WEBHOOKS, isPoll: true }), signal);
      return (await orNone(read, 'notOffered'))?.items;
    },
    async listNewest(webhookId, limit, signal) {
      return (await webhooks.listDeliveries(webhookId, {}, { limit, isPoll: true }, signal)).items;
    },
    readDelivery: (webhookId, id, signal) => webhooks.readDelivery(webhookId, id, signal),
  };
}
