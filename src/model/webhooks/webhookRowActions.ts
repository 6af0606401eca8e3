import type { DeliveryFilter } from '../../api/webhooks.ts';
import type { WebhooksState } from './state.ts';
import type { WebhookNodeOf } from './webhookNodes.ts';

/** What loads the lists that rows end. */
interface RowLoader {
  readonly state: WebhooksState;
  refresh(): Promise<void>;
  loadMore(): Promise<void>;
  loadMoreDeliveries(webhookId: string): Promise<void>;
  setFilter(webhookId: string, filter: DeliveryFilter): Promise<void>;
}

type EndRow = Pick<WebhookNodeOf<'webhookEnd'>, 'webhookId'>;

/** Loads the next page of the list that a row ends. */
export function loadMoreWebhookRows(webhooks: RowLoader, { webhookId }: EndRow): Promise<void> {
  return webhookId === undefined ? webhooks.loadMore() : webhooks.loadMoreDeliveries(webhookId);
}

/** Loads the list again that a row ends, or the page that failed. */
export function retryWebhookRows(webhooks: RowLoader, { webhookId }: EndRow): Promise<void> {
  if (webhookId === undefined) return webhooks.refresh();
  const rows = webhooks.state.deliveries.get(webhookId);
  if (rows?.isLoaded === true && rows.hasNextPage) return webhooks.loadMoreDeliveries(webhookId);
  return webhooks.setFilter(webhookId, rows?.filter ?? {});
}
