import { withCursor } from '../../api/paging.ts';
import type { Paging } from '../../api/types.ts';
import { WebhookApi } from '../../api/webhookApi.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook, WebhookForm } from '../../api/webhooks.ts';
import type { Event } from '../../util/events.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { createdPerAccount, type LateRequests } from './accountParts.ts';
import { type PageRequest, type PagesRead, readPages } from './pages.ts';
import { readUntil } from './reads.ts';
import { deleteOnce, INEXACT_MS, noteFailedChange, orUnread, sendOnce } from './sentOnce.ts';

const NEWEST = 20;

/** Webhooks of an open connection. Methods throw ApiError, and an AbortError if the connection closes before a read. */
export class AccountWebhooks {
  readonly #options: LateRequests & { readonly api: WebhookApi };

  constructor(requests: LateRequests) {
    const api = new WebhookApi(requests.apiOptions);
    this.#options = { ...requests, api };
    requests.onDidReset(() => api.resetAbilities());
  }

  /** False once the service has responded that it has no webhooks, until `resetAbilities`. */
  get isOffered(): boolean {
    return this.#options.api.isOffered;
  }

  /** Fires when the missing abilities of the service are forgotten, so that they are tried again. */
  get onDidReset(): Event<void> {
    return this.#options.onDidReset;
  }

  resetAbilities(): void {
    this.#options.api.resetAbilities();
  }

  /** Throws `rejected` (notOffered) if the service has no webhooks. */
  listWebhooks(request: PageRequest): Promise<PagesRead<Webhook>> {
    const { api, run } = this.#options;
    const query: Paging = { limit: request.limit };
    const conditional = request.isPoll ?? false;
    return run((signal) =>
      readPages((cursor) => api.listWebhooks(withCursor(query, cursor), { signal, conditional }), request),
    );
  }

  /** Throws `notFound` if there is no such webhook. */
  readWebhook(id: string): Promise<Webhook> {
    return this.#options.run((signal) => this.#options.api.getWebhook(id, { signal }));
  }

  /** Creates a webhook with a single request. If its response is lost, searches for the webhook. */
  async createWebhook(form: WebhookForm): Promise<Webhook> {
    const { api, parts } = this.#options;
    const startedAt = parts.clock.elapsed();
    return sendOnce(this.#options, 'Creating a webhook', {
      send: () => api.createWebhook(form),
      find: () => readUntil(parts, () => this.#findCreated(form, startedAt)),
    });
  }

  /**
   * Sends a change once and reads the webhook back until it shows the change.
   * @param known the webhook to return, with the change, if it can't be read back
   */
  async changeWebhook(id: string, form: Partial<WebhookForm>, known?: Webhook): Promise<Webhook> {
    const { api, parts, signal } = this.#options;
    const what = `Changing the webhook ${id}`;
    const shows = (webhook: Webhook) => showsForm(webhook, form);
    const readBack = () => readUntil(parts, () => api.getWebhook(id, { signal }), shows);
    // A secret isn't read back, so nothing shows whether it was saved.
    const isSeen = Object.keys(form).some((field) => field !== 'sharedSecret');
    const found = await sendOnce<Webhook | 'changed'>(this.#options, what, {
      send: () => api.patchWebhook(id, form).then(() => 'changed'),
      find: async () => {
        const read = isSeen ? await readBack() : undefined;
        return read !== undefined && shows(read) ? read : undefined;
      },
    });
    if (found !== 'changed') return found;
    // A confirmed change counts as done, even if a replica lags behind or can't be read.
    const read = (await orUnread(parts, what, readBack)) ?? known ?? (await this.readWebhook(id));
    return withForm(read, form);
  }

  /** Deletes a webhook with a single request. A webhook that is already gone isn't an error. */
  async deleteWebhook(id: string): Promise<void> {
    const { api, signal } = this.#options;
    await deleteOnce(this.#options, `Deleting the webhook ${id}`, {
      send: () => api.deleteWebhook(id),
      isThere: () => api.getWebhook(id, { signal }).then(() => true),
    });
  }

  /** Lists the newest first. Throws `notFound` if the webhook is gone. */
  listDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<PagesRead<Delivery>> {
    const { api, run } = this.#options;
    const query = { limit: request.limit, filter };
    const conditional = request.isPoll ?? false;
    return run(
      (either) =>
        readPages((cursor) => {
          return api.listDeliveries(webhookId, withCursor<typeof query & Paging>(query, cursor), {
            ...{ signal: either, conditional },
          });
        }, request),
      signal,
    );
  }

  readDelivery(webhookId: string, id: string, signal?: AbortSignal): Promise<DeliveryDetails> {
    return this.#options.run((either) => this.#options.api.getDelivery(webhookId, id, { signal: either }), signal);
  }

  /** Returns the new delivery. Sends only once, because the delivery may have happened despite an error. */
  async resend(webhookId: string, id: string): Promise<DeliveryDetails> {
    try {
      return await this.#options.api.resendDelivery(webhookId, id);
    } catch (error) {
      noteFailedChange(this.#options, `Resending ${id}`, error);
      throw error;
    }
  }

  async #findCreated(form: WebhookForm, startedAt: number): Promise<Webhook | undefined> {
    const { api, parts, signal } = this.#options;
    const page = await api.listWebhooks({ limit: NEWEST }, { signal });
    const since = page.serverDate - (parts.clock.elapsed() - startedAt) - INEXACT_MS;
    return page.items.find((webhook) => (webhook.createdAt ?? 0) >= since && showsForm(webhook, form));
  }
}

/** Returns the webhooks of an account, always the same object. */
export const webhooksOf = createdPerAccount(
  ({ lateRequests }: { readonly lateRequests: LateRequests }) => new AccountWebhooks(lateRequests),
);

function showsForm(webhook: Webhook, form: Partial<WebhookForm>): boolean {
  return isSameJson(webhook, withForm(webhook, form));
}

function withForm(webhook: Webhook, { sharedSecret: _, ...form }: Partial<WebhookForm>): Webhook {
  return {
    ...webhook,
    name: form.name ?? webhook.name,
    url: form.url ?? webhook.url,
    events: form.events ?? webhook.events,
    streamId: form.streamId === undefined ? webhook.streamId : (form.streamId ?? undefined),
  };
}
