import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook } from '../../api/webhooks.ts';
import type { LoadFailure } from '../store/snapshot.ts';
import type { LocalFailureKind } from './localFailure.ts';

/** A paged list. A failed load sets `trouble` and keeps the rows. */
export interface PagedRows<T> {
  readonly items: readonly T[];
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly hasNextPage: boolean;
  readonly trouble: LoadFailure | undefined;
}

export interface DeliveryRows extends PagedRows<Delivery> {
  readonly filter: DeliveryFilter;
}

/** What is known of the webhooks of the open connection. */
export interface WebhooksState {
  /** False once the service has answered that it has none of it; true until then. */
  readonly isOffered: boolean;
  readonly webhooks: PagedRows<Webhook>;
  /** By the ID of the webhook; of those that were opened. Newest first. */
  readonly deliveries: ReadonlyMap<string, DeliveryRows>;
}

/** A request that this window sent to a handler on this computer. `webhookId` is '' if no webhook was chosen. */
export interface LocalDelivery extends DeliveryDetails {
  /** 1 for the first try. */
  readonly attempt: number;
  /** `recorded`: replayed with the signature that the service had sent, because the secret isn't known. */
  readonly signature: 'fresh' | 'recorded' | 'none';
  /** undefined if it succeeded. `error` says it in words, except for statuses and redirects. */
  readonly failure?: LocalFailureKind | undefined;
}

/** Where events are posted while this window listens for them. */
export interface Listening {
  readonly url: string;
  /** undefined for all. */
  readonly events: readonly string[] | undefined;
  /** The webhook whose secret signs; undefined for the secret of the folder. */
  readonly webhookId: string | undefined;
  /** The one stream whose events are sent; undefined for all. */
  readonly streamId?: string | undefined;
  readonly since: number;
}
