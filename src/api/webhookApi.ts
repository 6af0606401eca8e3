import type { Log } from '../services.ts';
import { parseJson } from '../util/parseJson.ts';
import { truncate } from '../util/text.ts';
import { type Answer, type Call, type Caller, type CallerOptions, createCaller } from './calls.ts';
import {
  booleanOf,
  countOf,
  decodeRows,
  idOf,
  type JsonObject,
  textOf,
  textsOf,
  timeOf,
  toRow,
  wholeOf,
} from './decode.ts';
import { ApiError, isApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { listDeliveriesRequest, listWebhooksRequest, webhookBody } from './lateRequests.ts';
import { createLister, FilterRefusals, type Lister } from './lists.ts';
import { walk, withCursor } from './paging.ts';
import {
  changeNotFound,
  checkId,
  isSuccess,
  mayLackEndpoint,
  notFound,
  notOffered,
  readOne,
  requireSuccess,
} from './reads.ts';
import type { CallOptions, Page, Paging } from './types.ts';
import {
  type Delivery,
  type DeliveryDetails,
  type DeliveryFilter,
  type DeliveryRequest,
  type DeliveryResponse,
  MOST_OF_RESPONSE,
  readSent,
  streamOfBody,
  type Webhook,
  type WebhookFailure,
  type WebhookForm,
} from './webhooks.ts';

export interface WebhookApiOptions extends CallerOptions {
  readonly log: Log;
  readonly secrets: KnownSecrets;
}

interface ListOptions extends CallOptions {
  /** See `conditional` in StreamApi. */
  readonly conditional?: boolean | undefined;
}

const FULL_PAGE = 1000;
const LISTS = { listExtras: true, listFilters: true };

/**
 * The requests about webhooks (src/api/README.md, Webhooks). None of them is documented. Methods throw ApiError, or an
 * AbortError of their signal. Secrets are noted and never returned.
 */
export class WebhookApi {
  readonly #secrets: KnownSecrets;
  readonly #call: Caller;
  readonly #hide: Hide;
  readonly #webhooks: Lister<Webhook>;
  readonly #deliveries: Lister<Delivery>;
  readonly #filterRefusals = new FilterRefusals();
  #lists = LISTS;
  #isOffered = true;
  #readsById = false;

  constructor({ log, secrets, ...caller }: WebhookApiOptions) {
    this.#secrets = secrets;
    this.#hide = (text) => secrets.hide(text);
    this.#call = createCaller(caller, secrets);
    const shared = {
      call: this.#call,
      log,
      abilities: () => this.#lists,
      filterRefusals: this.#filterRefusals,
      onRefused: (ability: keyof typeof LISTS) => {
        this.#lists = { ...this.#lists, [ability]: false };
      },
    };
    const decode = (row: unknown) => decodeWebhook(row, this.#hide);
    this.#webhooks = createLister({ ...shared, decode: (rows) => decodeRows(rows, decode) });
    this.#deliveries = createLister({ ...shared, decode: (rows) => decodeRows(rows, decodeDelivery) });
  }

  /** False once the service has responded that it has no webhooks, until `resetAbilities`. */
  get isOffered(): boolean {
    return this.#isOffered;
  }

  resetAbilities(): void {
    this.#filterRefusals.reset();
    this.#lists = LISTS;
    this.#isOffered = true;
  }

  /** GET /webhook. Throws `rejected` (notOffered) if the service doesn't have it. */
  async listWebhooks(query: Paging, { signal, conditional }: ListOptions = {}): Promise<Page<Webhook>> {
    const request = listWebhooksRequest(query);
    try {
      return await this.#webhooks({ request, query, isLinked: true, signal, isConditional: conditional ?? false });
    } catch (error) {
      if (!lacksEndpoint(error)) throw error;
      this.#isOffered = false;
      throw toNotOffered(error);
    }
  }

  /** GET /webhook/{id}; if the service lacks it, searches the list. Throws `notFound` if there is no such webhook. */
  async getWebhook(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    const answer = await this.#call({ path: `/webhook/${checkId(id)}`, signal });
    const { status } = answer.response;
    this.#readsById ||= isSuccess(status);
    // A 404 may mean that the service doesn't support the request, unless a webhook was read this way before.
    if (!mayLackEndpoint(status) || this.#readsById) return this.#readWebhook(answer);
    const loadPage = (cursor: string | undefined) => {
      return this.listWebhooks(withCursor<Paging>({ limit: FULL_PAGE }, cursor), { signal });
    };
    for await (const { items } of walk(loadPage)) {
      const found = items.find((webhook) => webhook.id === id);
      if (found !== undefined) return found;
    }
    throw notFound(answer);
  }

  /** POST /webhook. */
  async createWebhook(form: WebhookForm): Promise<Webhook> {
    this.#secrets.note(form);
    const answer = await this.#call({ method: 'POST', path: '/webhook', body: webhookBody(form) });
    if (mayLackEndpoint(answer.response.status)) throw notOffered(answer);
    return this.#readWebhook(answer);
  }

  /** PATCH /webhook/{id}. */
  async patchWebhook(id: string, form: Partial<WebhookForm>): Promise<void> {
    this.#secrets.note(form);
    await this.#change(id, { method: 'PATCH', path: `/webhook/${checkId(id)}`, body: webhookBody(form) });
  }

  /** DELETE /webhook/{id}. Throws `notFound` if it no longer exists. */
  deleteWebhook(id: string): Promise<void> {
    return this.#change(id, { method: 'DELETE', path: `/webhook/${id}` });
  }

  /**
   * GET /webhook/{id}/log, the newest first. Throws `notFound` if the webhook is gone, and `rejected` (notOffered) if
   * the service has no log.
   */
  async listDeliveries(
    webhookId: string,
    { filter, ...query }: Paging & { readonly filter: DeliveryFilter },
    { signal, conditional }: ListOptions = {},
  ): Promise<Page<Delivery>> {
    const request = listDeliveriesRequest(checkId(webhookId), query, filter);
    try {
      const isConditional = conditional ?? false;
      return await this.#deliveries({ request, query, isLinked: true, signal, isConditional });
    } catch (error) {
      if (!lacksEndpoint(error)) throw error;
      await this.getWebhook(webhookId, { signal });
      throw toNotOffered(error);
    }
  }

  /** GET /webhook/{id}/log/{logId}. Its body may hold a stream key, which is noted. */
  async getDelivery(webhookId: string, id: string, { signal }: CallOptions = {}): Promise<DeliveryDetails> {
    const answer = await this.#call({ path: `/webhook/${checkId(webhookId)}/log/${checkId(id)}`, signal });
    return this.#readDelivery(answer, webhookId);
  }

  /** POST /webhook/{id}/log/{logId}/resend. Returns the new delivery, whose body may hold a stream key, which is noted. */
  async resendDelivery(webhookId: string, id: string): Promise<DeliveryDetails> {
    const path = `/webhook/${checkId(webhookId)}/log/${checkId(id)}/resend`;
    const answer = await this.#call({ method: 'POST', path, body: '{}' });
    const { status } = answer.response;
    if (status === 405 || status === 501) throw notOffered(answer);
    return this.#readDelivery(answer, webhookId);
  }

  #readDelivery(answer: Answer, webhookId: string): DeliveryDetails {
    const { value } = readOne(answer, (row) => {
      const body = toRow(toRow(row)?.request)?.body;
      const sent = toRow(typeof body === 'string' ? parseJson(body) : body);
      for (const part of [sent?.stream, sent?.payload]) this.#secrets.note(part);
      return decodeDeliveryDetails(row, this.#hide);
    });
    return { ...value, webhookId: value.webhookId || webhookId };
  }

  #readWebhook(answer: Answer): Webhook {
    return readOne(answer, (row) => decodeWebhook(row, this.#hide)).value;
  }

  async #change(id: string, call: Call): Promise<void> {
    checkId(id);
    const answer = await this.#call(call);
    const { status } = answer.response;
    if (!mayLackEndpoint(status)) return requireSuccess(answer);
    // Throws notFound if the webhook is gone.
    await this.getWebhook(id);
    throw status === 404 ? changeNotFound(answer) : notOffered(answer);
  }
}

function lacksEndpoint(error: unknown): error is ApiError {
  return isApiError(error) && error.status !== undefined && mayLackEndpoint(error.status);
}

function toNotOffered({ message, status, host = '' }: ApiError): ApiError {
  return new ApiError('rejected', `${message}, not offered`, { status, host, why: 'notOffered' });
}

/** Removes known secrets from text that others have written. */
type Hide = (text: string) => string;

// The Base64 length of this many characters, if each takes four bytes.
const LONGEST_BASE64 = Math.ceil((MOST_OF_RESPONSE * 4) / 3) * 4;
const MOST_HEADERS = 100;

/** Returns undefined if the ID isn't valid. Leaves out the secret. */
function decodeWebhook(value: unknown, hide: Hide): Webhook | undefined {
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

/** Returns undefined if the ID isn't valid or there's no time. */
function decodeDelivery(value: unknown): Delivery | undefined {
  const row = toRow(value);
  const [id, createdAt] = [idOf(row?.id), timeOf(row?.createdAt)];
  if (row === undefined || id === undefined || createdAt === undefined) return undefined;
  const statusCode = statusOf(row.statusCode) ?? statusOf(toRow(row.response)?.status);
  const seconds = countOf(row.duration);
  const event = textOf(row.event) ?? '';
  const sent = readSent(toRow(row.request)?.body);
  const stream = streamOfBody(sent);
  return {
    id,
    webhookId: idOf(row.webhookId) ?? '',
    event,
    createdAt,
    duration: seconds === undefined ? undefined : seconds * 1000,
    isSuccess: booleanOf(row.success) ?? (statusCode !== undefined && statusCode >= 200 && statusCode < 300),
    statusCode,
    streamId: streamIdOf(row, event, stream),
    streamName: textOf(stream?.name),
    eventId: idOf(sent?.id),
  };
}

function decodeDeliveryDetails(value: unknown, hide: Hide): DeliveryDetails | undefined {
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

/** Decodes Base64. Returns a value that isn't Base64 as it is; undefined if the decoded bytes aren't text. */
function decodeText(value: unknown, hide: Hide): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.trim();
  const start = plain.slice(0, LONGEST_BASE64);
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(start) && start.replace(/=+$/, '').length % 4 !== 1;
  const text = isBase64 ? textOfBytes(Buffer.from(start, 'base64')) : plain;
  return text === undefined ? undefined : truncate(hide(truncate(text, MOST_OF_RESPONSE)), MOST_OF_RESPONSE);
}

function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    // The service cuts responses, perhaps within a character: with `stream`, that isn't an error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const ABOUT_STREAMS = /^(stream|recording|multistream|playback)\./;

// The body names the stream; the resource may be something else, such as an asset.
function streamIdOf(row: JsonObject, event: string, stream: JsonObject | undefined): string | undefined {
  const resource = ABOUT_STREAMS.test(event) ? idOf(row.resourceId) : undefined;
  return idOf(stream?.parentId) ?? idOf(stream?.id) ?? resource;
}
