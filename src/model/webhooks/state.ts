import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook } from '../../api/webhooks.ts';
import type { Event } from '../../util/events.ts';
import type { LoadFailure } from '../store/snapshot.ts';
import type { EventSubject } from './envelope.ts';
import type { LocalFailureKind } from './localFailure.ts';

/** A paged list. A failed load sets `trouble` and keeps the rows. */
export interface PagedRows<T> {
  readonly items: readonly T[];
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly hasNextPage: boolean;
  readonly trouble: LoadFailure | undefined;
  /** When they were last loaded, if loading them has failed since. */
  readonly loadedAt: number | undefined;
}

export interface DeliveryRows extends PagedRows<Delivery> {
  readonly filter: DeliveryFilter;
}

/** The state of the open connection's webhooks. */
export interface WebhooksState {
  /** False once the service has responded that it has no webhooks; true until then. */
  readonly isOffered: boolean;
  readonly webhooks: PagedRows<Webhook>;
  /** By the ID of the webhook, for those that were opened. Newest first. */
  readonly deliveries: ReadonlyMap<string, DeliveryRows>;
  /** The results of the last resends from this window, by the ID of the original delivery. */
  readonly resent: ReadonlyMap<string, DeliveryDetails>;
}

/** A request that this window sent to a handler on this computer. `webhookId` is '' if no webhook was chosen. */
export interface LocalDelivery extends DeliveryDetails {
  /** The ID of the connection that was open; undefined if there was none. */
  readonly connection?: string | undefined;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** `recorded`: replayed with the service's own signature because the secret isn't known. */
  readonly signature: 'fresh' | 'recorded' | 'none';
  /** The webhook whose secret signed it afresh; '' for the folder. */
  readonly signedBy?: string | undefined;
  /** Whether it was taken from the service's log of deliveries to the webhook. */
  readonly isOfLog?: boolean | undefined;
  /** Whether the user sent it as a test event. */
  readonly isTest?: boolean | undefined;
  /** The ID of the delivery whose request was sent again. */
  readonly replayOf?: string | undefined;
  /** undefined if it succeeded. `error` describes it, except for statuses. */
  readonly failure?: LocalFailureKind | undefined;
}

/** Describes where and how events are posted while this window listens. */
export interface Listening {
  readonly url: string;
  /** undefined for all. */
  readonly events: readonly string[] | undefined;
  /** The webhook whose secret signs; undefined for the secret of the folder. */
  readonly webhookId: string | undefined;
  /** The one stream whose events are sent; undefined for all. */
  readonly streamId?: string | undefined;
  readonly since: number;
  /** Whether it's known that nothing listens at the URL. */
  readonly isUnanswered?: boolean;
}

export interface Signer {
  /** The webhook that the secret belongs to; '' for the folder. */
  readonly webhookId: string;
  readonly secret: string;
}

/** Posts events on this computer (`EventListener`). Its methods throw LocalUrlError. */
export interface LocalEvents {
  readonly listening: Listening | undefined;
  /** Newest first. */
  readonly deliveries: readonly LocalDelivery[];
  readonly onDidChange: Event<void>;
  /** The last URL in this folder. */
  readonly lastUrl: string | undefined;
  start(request: ListenRequest): Promise<void>;
  stop(): void;
  send(event: TestEvent): Promise<LocalDelivery>;
  makeBody(event: string, subject?: EventSubject): string;
  /** Returns the secret that signs events sent to the URL where this window listens, or otherwise to `lastUrl`. */
  readSigner(): Promise<Signer>;
  /** @param isChosen whether the user entered the URL, which then becomes `lastUrl` unless the window listens */
  replay(delivery: DeliveryDetails | LocalDelivery, url?: string, isChosen?: boolean): Promise<LocalDelivery>;
}

export interface TestEvent {
  readonly event: string;
  readonly url?: string | undefined;
  readonly subject?: EventSubject | undefined;
  /** Sent as it is, instead of a body from `makeBody`. */
  readonly body?: string | undefined;
  /** The webhook whose secret signs, if it's known; undefined for the usual signer at the URL. */
  readonly webhookId?: string | undefined;
}

export interface ListenRequest {
  readonly url: string;
  readonly events?: readonly string[] | undefined;
  readonly webhookId?: string | undefined;
  /** The one stream of the chosen webhook, if it has one. */
  readonly streamId?: string | undefined;
  /** Whether to listen even if another window listens at the URL. */
  readonly isShared?: boolean | undefined;
}
