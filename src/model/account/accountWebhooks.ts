import { isApiError } from '../../api/errors.ts';
import { withCursor } from '../../api/paging.ts';
import { mayHaveHappened } from '../../api/reads.ts';
import type { Paging } from '../../api/types.ts';
import { WebhookApi } from '../../api/webhookApi.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook, WebhookForm } from '../../api/webhooks.ts';
import { delay } from '../../util/clock.ts';
import type { Event } from '../../util/events.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { createdPerAccount, type LateRequests, noteFailedChange } from './accountParts.ts';
import { type PageRequest, type PagesRead, readPages } from './pages.ts';

// Delays before each attempt, because reads may come from a stale replica (src/api/README.md, Changes).
const ATTEMPTS_AFTER_MS: readonly number[] = [0, 1500, 3000];
const NEWEST = 20;
// Services send their time in seconds.
const INEXACT_MS = 5000;

/** Webhooks of one open connection. Methods throw ApiError, and an AbortError if the connection closes before a read. */
export class AccountWebhooks {
  readonly #options: LateRequests & { readonly api: WebhookApi };

  constructor(requests: LateRequests) {
    const api = new WebhookApi(requests.apiOptions);
    this.#options = { ...requests, api };
    requests.onDidReset(() => api.resetAbilities());
  }

  /** False once the service has answered that it has no webhooks, until `resetAbilities`. */
  get isOffered(): boolean {
    return this.#options.api.isOffered;
  }

  /** What the service lacks is no longer known: it may be asked again. */
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

  /** Sends a creation, once. If its response is lost, searches for the webhook. */
  async createWebhook(form: WebhookForm): Promise<Webhook> {
    const { api, apiOptions } = this.#options;
    const { clock } = apiOptions;
    const startedAt = clock.elapsed();
    try {
      return await api.createWebhook(form);
    } catch (error) {
      noteFailedChange(this.#options, 'Creating a webhook', error);
      const found = mayHaveHappened(error) ? await this.#orUnread(() => this.#findCreated(form, startedAt)) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }

  /**
   * Sends a change, once, and reads the webhook back, until it shows the change.
   * @param known what is returned, with the change, if it can't be read back
   */
  async changeWebhook(id: string, form: Partial<WebhookForm>, known?: Webhook): Promise<Webhook> {
    const shows = (webhook: Webhook) => showsForm(webhook, form);
    try {
      await this.#options.api.patchWebhook(id, form);
    } catch (error) {
      noteFailedChange(this.#options, `Changing the webhook ${id}`, error);
      // A secret isn't read back, so nothing shows whether it was saved.
      const isSeen = Object.keys(form).some((field) => field !== 'sharedSecret');
      const read = mayHaveHappened(error) && isSeen ? await this.#orUnread(() => this.#confirm(id, shows)) : undefined;
      if (read === undefined || !shows(read)) throw error;
      return read;
    }
    // A confirmed change counts as done, even if a replica lags behind or can't be read.
    const read = (await this.#orUnread(() => this.#confirm(id, shows))) ?? known ?? (await this.readWebhook(id));
    return withForm(read, form);
  }

  /** Sends a deletion, once. A webhook that is already gone is not an error. */
  async deleteWebhook(id: string): Promise<void> {
    try {
      await this.#options.api.deleteWebhook(id);
    } catch (error) {
      noteFailedChange(this.#options, `Deleting the webhook ${id}`, error);
      if (isGone(error)) return;
      const isDeleted = mayHaveHappened(error) && (await this.#orUnread(() => this.#confirmDeleted(id))) === true;
      if (!isDeleted) throw error;
    }
  }

  /** The newest first. Throws `notFound` if the webhook is gone. */
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

  /** Returns the new delivery. Sent once: an error doesn't say that it wasn't delivered. */
  async resend(webhookId: string, id: string): Promise<Delivery> {
    try {
      return await this.#options.api.resendDelivery(webhookId, id);
    } catch (error) {
      noteFailedChange(this.#options, `Resending ${id}`, error);
      throw error;
    }
  }

  async #findCreated(form: WebhookForm, startedAt: number): Promise<Webhook | undefined> {
    const { api, apiOptions, signal } = this.#options;
    const { clock } = apiOptions;
    for (const ms of ATTEMPTS_AFTER_MS) {
      await delay(clock, ms, signal);
      const page = await api.listWebhooks({ limit: NEWEST }, { signal });
      const since = page.serverDate - (clock.elapsed() - startedAt) - INEXACT_MS;
      const found = page.items.find((webhook) => (webhook.createdAt ?? 0) >= since && showsForm(webhook, form));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #confirm(id: string, shows: (webhook: Webhook) => boolean): Promise<Webhook | undefined> {
    const { api, apiOptions, signal } = this.#options;
    const { clock } = apiOptions;
    let read: Webhook | undefined;
    for (const ms of ATTEMPTS_AFTER_MS) {
      await delay(clock, ms, signal);
      read = await api.getWebhook(id, { signal });
      if (shows(read)) return read;
    }
    return read;
  }

  async #confirmDeleted(id: string): Promise<boolean> {
    const { api, apiOptions, signal } = this.#options;
    const { clock } = apiOptions;
    for (const ms of ATTEMPTS_AFTER_MS) {
      await delay(clock, ms, signal);
      const error = await api.getWebhook(id, { signal }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (isGone(error)) return true;
      if (error !== undefined) throw error;
    }
    return false;
  }

  async #orUnread<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { apiOptions, signal } = this.#options;
    try {
      return await read();
    } catch (error) {
      if (!isApiError(error) && !signal.aborted) throw error;
      if (isApiError(error)) apiOptions.log.warn(`Reading a webhook back failed: ${error.message}`);
      return undefined;
    }
  }
}

/** Returns the webhooks of an account, always the same object. */
export const webhooksOf = createdPerAccount(
  ({ lateRequests }: { readonly lateRequests: LateRequests }) => new AccountWebhooks(lateRequests),
);

function isGone(error: unknown): boolean {
  return isApiError(error) && error.reason === 'notFound';
}

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
