import type { NodeOf } from '../rows/nodes.ts';

/** The identity of a row in the Webhooks view. Kept by ID and never replaced, like the nodes of the other views. */
export type WebhookNode =
  | { readonly kind: 'thisComputer'; readonly id: string }
  | { readonly kind: 'localDelivery'; readonly id: string; readonly deliveryId: string }
  | { readonly kind: 'webhook'; readonly id: string; readonly webhookId: string }
  | { readonly kind: 'deliveryFilter'; readonly id: string; readonly webhookId: string }
  | { readonly kind: 'deliveryDay'; readonly id: string; readonly webhookId: string; readonly day: number | undefined }
  | { readonly kind: 'delivery'; readonly id: string; readonly webhookId: string; readonly deliveryId: string }
  | {
      readonly kind: 'webhookEnd';
      readonly id: string;
      readonly end: WebhookEnd;
      /** The webhook whose deliveries end there; undefined at the end of the webhooks. */
      readonly webhookId: string | undefined;
    }
  | NodeOf<'notice'>;

export type WebhookEnd = 'more' | 'retry' | 'empty' | 'loading' | 'unanswered';
type WebhookNodeKind = WebhookNode['kind'];
export type WebhookNodeOf<K extends WebhookNodeKind> = Extract<WebhookNode, { readonly kind: K }>;

const KINDS: Readonly<Record<WebhookNodeKind, true>> = {
  thisComputer: true,
  localDelivery: true,
  webhook: true,
  deliveryFilter: true,
  deliveryDay: true,
  delivery: true,
  webhookEnd: true,
  notice: true,
};

export function isWebhookNode(given: unknown): given is WebhookNode {
  if (typeof given !== 'object' || given === null || !('kind' in given) || !('id' in given)) return false;
  return typeof given.kind === 'string' && Object.hasOwn(KINDS, given.kind);
}

/** IDs are keys, never labels or states. The service's IDs contain no "+", so those with one can't collide. */
export function thisComputerNode(): WebhookNodeOf<'thisComputer'> {
  return { kind: 'thisComputer', id: '+thisComputer' };
}

export function localDeliveryNode(deliveryId: string): WebhookNodeOf<'localDelivery'> {
  return { kind: 'localDelivery', id: `+thisComputer/${deliveryId}`, deliveryId };
}

export function webhookNode(webhookId: string): WebhookNodeOf<'webhook'> {
  return { kind: 'webhook', id: webhookId, webhookId };
}

export function deliveryFilterNode(webhookId: string): WebhookNodeOf<'deliveryFilter'> {
  return { kind: 'deliveryFilter', id: `${webhookId}/+filter`, webhookId };
}

/**
 * @param webhookId the ID of the This Computer row for deliveries that were sent from here
 * @param day as `dayNumber` returns it
 */
export function deliveryDayNode(webhookId: string, day: number | undefined): WebhookNodeOf<'deliveryDay'> {
  return { kind: 'deliveryDay', id: `${webhookId}/+day${day ?? ''}`, webhookId, day };
}

export function deliveryNode(webhookId: string, deliveryId: string): WebhookNodeOf<'delivery'> {
  return { kind: 'delivery', id: `${webhookId}/${deliveryId}`, webhookId, deliveryId };
}

export function webhookEndNode(end: WebhookEnd, webhookId?: string): WebhookNodeOf<'webhookEnd'> {
  return { kind: 'webhookEnd', id: `${webhookId ?? ''}/+${end}`, end, webhookId };
}
