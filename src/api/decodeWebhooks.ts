import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { truncate } from '../util/text.ts';
import { booleanOf, countOf, idOf, type JsonObject, textOf, textsOf, timeOf, toRow, wholeOf } from './decode.ts';
import type {
  Delivery,
  DeliveryDetails,
  DeliveryRequest,
  DeliveryResponse,
  Webhook,
  WebhookFailure,
} from './webhooks.ts';

/** Removes known secrets from what others have written. */
export type Hide = (text: string) => string;

const LONGEST_RESPONSE = 1024;
// Base64 of so many characters, if each takes four bytes.
const LONGEST_BASE64 = Math.ceil((LONGEST_RESPONSE * 4) / 3) * 4;
const MOST_HEADERS = 100;
// Longer bodies of a list's rows aren't parsed to find their stream.
const LONGEST_PARSED = 200_000;

/** Undefined without a valid id. The secret is left out. */
export function decodeWebhook(value: unknown, hide: Hide): Webhook | undefined {
  const row = toRow(value);
  const id = idOf(row?.id);
  if (row === undefined || id === undefined) return undefined;
  const status = toRow(row.status);
  return {
    id,
    name: hide(textOf(row.name) ?? ''),
    url: wholeOf(row.url) ?? '',
    events: textsOf(row.events),
    streamId: idOf(row.streamId),
    createdAt: timeOf(row.createdAt),
    lastTriggeredAt: timeOf(status?.lastTriggeredAt),
    lastFailure: decodeFailure(toRow(status?.lastFailure), hide),
  };
}

function decodeFailure(row: JsonObject | undefined, hide: Hide): WebhookFailure | undefined {
  const at = timeOf(row?.timestamp);
  if (row === undefined || at === undefined) return undefined;
  const error = textOf(row.error);
  return {
    at,
    error: error && hide(error),
    statusCode: statusOf(row.statusCode),
    response: decodeText(row.response, hide),
  };
}

/** Undefined without a valid id, or without a time. */
export function decodeDelivery(value: unknown): Delivery | undefined {
  const row = toRow(value);
  const [id, createdAt] = [idOf(row?.id), timeOf(row?.createdAt)];
  if (row === undefined || id === undefined || createdAt === undefined) return undefined;
  const statusCode = statusOf(row.statusCode) ?? statusOf(toRow(row.response)?.status);
  const seconds = countOf(row.duration);
  const event = textOf(row.event) ?? '';
  return {
    id,
    webhookId: idOf(row.webhookId) ?? '',
    event,
    createdAt,
    duration: seconds === undefined ? undefined : seconds * 1000,
    isSuccess: booleanOf(row.success) ?? (statusCode !== undefined && statusCode >= 200 && statusCode < 300),
    statusCode,
    streamId: streamIdOf(row, event),
  };
}

export function decodeDeliveryDetails(value: unknown, hide: Hide): DeliveryDetails | undefined {
  const row = toRow(value);
  const delivery = decodeDelivery(row);
  if (row === undefined || delivery === undefined) return undefined;
  const error = textOf(row.errorMessage) ?? textOf(row.error);
  return {
    ...delivery,
    request: decodeRequest(toRow(row.request)),
    response: decodeResponse(toRow(row.response), hide),
    error: error && hide(error),
  };
}

function decodeRequest(row: JsonObject | undefined): DeliveryRequest | undefined {
  if (row === undefined) return undefined;
  const { body } = row;
  return {
    url: wholeOf(row.url) ?? '',
    method: textOf(row.method) ?? 'POST',
    headers: decodeHeaders(row.headers),
    body: typeof body === 'string' ? body : body === undefined || body === null ? '' : JSON.stringify(body),
  };
}

function decodeHeaders(value: unknown): Readonly<Record<string, string>> {
  const headers = Object.entries(toRow(value) ?? {}).slice(0, MOST_HEADERS);
  return Object.fromEntries(
    headers.flatMap(([name, sent]) => {
      const text = Array.isArray(sent) ? textsOf(sent).join(', ') : textOf(sent);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function decodeResponse(row: JsonObject | undefined, hide: Hide): DeliveryResponse | undefined {
  if (row === undefined) return undefined;
  const status = statusOf(row.status);
  return { status, statusText: hide(textOf(row.statusText) ?? ''), body: decodeText(row.body, hide) };
}

function statusOf(value: unknown): number | undefined {
  const status = countOf(value);
  return status !== undefined && Number.isInteger(status) && status >= 100 && status <= 999 ? status : undefined;
}

/** Decodes base64 of text. What isn't base64 is taken as it is; undefined if what is encoded isn't text. */
function decodeText(value: unknown, hide: Hide): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.trim();
  const start = plain.slice(0, LONGEST_BASE64);
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(start) && start.replace(/=+$/, '').length % 4 !== 1;
  const text = isBase64 ? textOfBytes(Buffer.from(start, 'base64')) : plain;
  return text === undefined ? undefined : truncate(hide(truncate(text, LONGEST_RESPONSE)), LONGEST_RESPONSE);
}

function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    // The service cuts responses, perhaps within a character: with `stream`, that is no error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const ABOUT_STREAMS = /^(stream|recording|multistream|playback)\./;

// The body names the stream; the resource may be something else, such as an asset.
function streamIdOf(row: JsonObject, event: string): string | undefined {
  const body = toRow(row.request)?.body;
  const sent = typeof body === 'string' && body.length <= LONGEST_PARSED ? parseJson(body) : body;
  const stream = isRecord(sent) ? toRow(sent.stream) : undefined;
  const resource = ABOUT_STREAMS.test(event) ? idOf(row.resourceId) : undefined;
  return idOf(stream?.parentId) ?? idOf(stream?.id) ?? resource;
}
