import type { Log } from '../services.ts';
import { parseJson } from '../util/parseJson.ts';
import { type Answer, type Call, type Caller, type CallerOptions, createCaller } from './calls.ts';
import { decodeRows, toRow } from './decode.ts';
import { decodeDelivery, decodeDeliveryDetails, decodeWebhook, type Hide } from './decodeWebhooks.ts';
import { ApiError, isApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { listDeliveriesRequest, listWebhooksRequest, webhookBody } from './lateRequests.ts';
import { createLister, FilterRefusals, type Lister } from './lists.ts';
import { walk, withCursor } from './paging.ts';
import {
  changeNotFound,
  checkId,
  errorInSuccess,
  errorOfAnswer,
  isSuccess,
  mayLackEndpoint,
  notFound,
  notOffered,
  readOne,
} from './reads.ts';
import type { CallOptions, Page, Paging } from './types.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook, WebhookForm } from './webhooks.ts';

export interface WebhookApiOptions extends CallerOptions {
  readonly log: Log;
  readonly secrets: KnownSecrets;
}

interface ListOptions extends CallOptions {
  /** As for StreamApi. */
  readonly conditional?: boolean | undefined;
}

const FULL_PAGE = 1000;
const LISTS = { listExtras: true, listFilters: true };

/**
 * The requests about webhooks (src/api/README.md, Webhooks). None of them is stated. Methods throw ApiError, or an
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

  /** False once the service has answered that it has no webhooks, until `resetAbilities`. */
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

  /** GET /webhook/{id}; if the service doesn't have it, searches the list. Throws `notFound` if there is no such webhook. */
  async getWebhook(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    const answer = await this.#call({ path: `/webhook/${checkId(id)}`, signal });
    const { status } = answer.response;
    this.#readsById ||= isSuccess(status);
    // A 404 may mean that the service has no such request, unless it has answered one.
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
  async createWebhook(form: WebhookForm, { signal }: CallOptions = {}): Promise<Webhook> {
    this.#secrets.note(form);
    const answer = await this.#call({ method: 'POST', path: '/webhook', body: webhookBody(form), signal });
    if (mayLackEndpoint(answer.response.status)) throw notOffered(answer);
    return this.#readWebhook(answer);
  }

  /** PATCH /webhook/{id}. */
  async patchWebhook(id: string, form: Partial<WebhookForm>, { signal }: CallOptions = {}): Promise<void> {
    this.#secrets.note(form);
    await this.#change(id, { method: 'PATCH', path: `/webhook/${checkId(id)}`, body: webhookBody(form), signal });
  }

  /** DELETE /webhook/{id}. Throws `notFound` if it no longer exists. */
  deleteWebhook(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#change(id, { method: 'DELETE', path: `/webhook/${id}`, signal });
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
    const { value } = readOne(answer, (row) => {
      const body = toRow(toRow(row)?.request)?.body;
      const sent = toRow(typeof body === 'string' ? parseJson(body) : body);
      for (const part of [sent?.stream, sent?.payload]) this.#secrets.note(part);
      return decodeDeliveryDetails(row, this.#hide);
    });
    return { ...value, webhookId: value.webhookId || webhookId };
  }

  /** POST /webhook/{id}/log/{logId}/resend. Returns the new delivery. */
  async resendDelivery(webhookId: string, id: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const path = `/webhook/${checkId(webhookId)}/log/${checkId(id)}/resend`;
    const answer = await this.#call({ method: 'POST', path, body: '{}', signal });
    const { status } = answer.response;
    if (status === 405 || status === 501) throw notOffered(answer);
    const { value } = readOne(answer, decodeDelivery);
    return { ...value, webhookId: value.webhookId || webhookId };
  }

  #readWebhook(answer: Answer): Webhook {
    return readOne(answer, (row) => decodeWebhook(row, this.#hide)).value;
  }

  async #change(id: string, call: Call): Promise<void> {
    checkId(id);
    const answer = await this.#call(call);
    const { status } = answer.response;
    if (isSuccess(status)) {
      const error = errorInSuccess(answer);
      if (error !== undefined) throw error;
      return;
    }
    if (!mayLackEndpoint(status)) throw errorOfAnswer(answer);
    // Throws notFound if the webhook is gone.
    await this.getWebhook(id, { signal: call.signal });
    throw status === 404 ? changeNotFound(answer) : notOffered(answer);
  }
}

function lacksEndpoint(error: unknown): error is ApiError {
  return isApiError(error) && error.status !== undefined && mayLackEndpoint(error.status);
}

function toNotOffered({ message, status, host = '' }: ApiError): ApiError {
  return new ApiError('rejected', `${message}, not offered`, { status, host, why: 'notOffered' });
}
