/** Webhooks and their deliveries on the wire (src/api/README.md, Webhooks). Decoding drops secrets. */

import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';

/** The known events, by subject. There may be others. */
export const WEBHOOK_EVENTS = [
  'stream.started',
  'stream.idle',
  'stream.detection',
  'recording.started',
  'recording.waiting',
  'recording.ready',
  'multistream.connected',
  'multistream.error',
  'multistream.disconnected',
  'playback.user.new',
  'playback.accessControl',
  'asset.created',
  'asset.updated',
  'asset.ready',
  'asset.failed',
  'asset.deleted',
  'task.spawned',
  'task.updated',
  'task.completed',
  'task.failed',
] as const;

/** Services keep at most this many characters of a handler's response. */
export const MOST_OF_RESPONSE = 1024;

export interface WebhookFailure {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** In the service's own words; undefined if it got a response. */
  readonly error: string | undefined;
  readonly statusCode: number | undefined;
  /** Decoded, at most 1,024 characters. */
  readonly response: string | undefined;
}

export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The one stream whose events it receives; undefined for all. */
  readonly streamId: string | undefined;
  readonly createdAt: number | undefined;
  readonly lastTriggeredAt: number | undefined;
  readonly lastFailure: WebhookFailure | undefined;
}

/** A user's input for a webhook. */
export interface WebhookForm {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  /** null for all streams, in a change; undefined for all streams in a new webhook, or leaves it as it is. */
  readonly streamId?: string | null | undefined;
  /** A new secret to sign with; undefined lets the service choose, or leaves it as it is. */
  readonly sharedSecret?: string | undefined;
}

/** One delivery, as a list shows it. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  /** In milliseconds. */
  readonly duration: number | undefined;
  readonly isSuccess: boolean;
  /** undefined if there was no response. */
  readonly statusCode: number | undefined;
  /** The stream that it's about. */
  readonly streamId: string | undefined;
  /** The stream's name when this was sent. */
  readonly streamName: string | undefined;
  /** The event that it reports. Repeated deliveries have the same; undefined if unknown. */
  readonly eventId?: string | undefined;
}

export interface DeliveryRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent, because the signature covers exactly this text. */
  readonly body: string;
}

export interface DeliveryResponse {
  readonly status: number | undefined;
  readonly statusText: string;
  /** Decoded, at most 1,024 characters; undefined if it isn't text. */
  readonly body: string | undefined;
}

/** A delivery with its request and its response, either of which may not have been recorded. */
export interface DeliveryDetails extends Delivery {
  readonly request: DeliveryRequest | undefined;
  readonly response: DeliveryResponse | undefined;
  /** Why there was no response, in the words of the service or the network. */
  readonly error: string | undefined;
}

/** Each part narrows the list; undefined has no effect. */
export interface DeliveryFilter {
  readonly failedOnly?: boolean | undefined;
  readonly event?: string | undefined;
  readonly streamId?: string | undefined;
}

// In lists, longer bodies aren't parsed to find their subject.
const LONGEST_PARSED = 200_000;

type Sent = Readonly<Record<string, unknown>>;

/** Returns the body of a delivery, as it was sent. */
export function readSent(body: unknown): Sent | undefined {
  const sent = typeof body === 'string' && body.length <= LONGEST_PARSED ? parseJson(body) : body;
  return isRecord(sent) ? sent : undefined;
}

/** Returns the stream that the body of a delivery is about. */
export function streamOfBody(sent: Sent | undefined): Sent | undefined {
  return isRecord(sent?.stream) ? sent.stream : undefined;
}
