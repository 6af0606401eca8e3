import { isApiError } from '../../api/errors.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook, WebhookForm } from '../../api/webhooks.ts';
import type { Clock, Log } from '../../services.ts';
import { timeSince } from '../../util/clock.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { type AccountWebhooks, webhooksOf } from '../account/accountWebhooks.ts';
import { mayHaveHappened } from '../account/sentOnce.ts';
import type { Connection } from '../connection/connection.ts';
import { hasRecovered, mayPass, type SnapshotChange } from '../store/snapshot.ts';
import { checkLocalUrl, handlerOf } from './localUrl.ts';
import { PagedList } from './pagedList.ts';
import type { DeliveryRows, WebhooksState } from './state.ts';

interface WebhooksOptions {
  readonly connection: Connection;
  readonly store: { readonly onDidChange: Event<SnapshotChange> };
  readonly clock: Clock;
  readonly log: Log;
  /** Default: 50. */
  readonly pageSize?: number;
}

interface WebhookLog {
  readonly list: PagedList<Delivery>;
  readonly filter: DeliveryFilter;
}

const POLL_MS = 60_000;
// When the view is shown again, a failed load is retried, but not sooner than this after the last attempt.
const COMING_BACK_AFTER_MS = 5000;
const AWAITING_POLL_MS = 15_000;
const AWAITING_AT_MOST_MS = 5 * 60_000;
const BACK_OFF_AT_MOST_MS = 5 * 60_000;
const LOGS_PER_POLL = 8;
const MOST_RESENT = 50;
// Collapsed webhooks whose first page is kept.
const MOST_CLOSED = 20;

/**
 * The webhooks of the open connection and their deliveries, loaded when they are shown. A new connection starts empty.
 * Loads in the background don't throw; changes and `readDelivery` throw ApiError or NoConnectionError.
 */
export class Webhooks implements Disposable {
  readonly #options: WebhooksOptions;
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<void>;
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #subscription = this.#owned.add(new DisposableSlot());
  readonly #pageSize: number;
  readonly #recent: RecentWebhooks;
  #service: AccountWebhooks | undefined;
  #list: PagedList<Webhook>;
  // In the order in which they were last opened.
  #logs = new Map<string, WebhookLog>();
  #open = new Set<string>();
  #awaited = new Map<string, number>();
  #resent: ReadonlyMap<string, DeliveryDetails> = new Map();
  #isOffered = true;
  #isShown = false;
  #isPolling = false;
  #listedAt: number | undefined;
  #polledAt: number | undefined;
  #nextPollAt: number | undefined;
  #logsFrom = 0;
  #state: WebhooksState | undefined;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#pageSize = options.pageSize ?? 50;
    const onError = (error: unknown) => options.log.error('A listener failed', error);
    this.#changed = this.#owned.add(new Emitter(onError));
    this.#recent = new RecentWebhooks(options.clock);
    this.#list = this.#makeList();
    this.#owned.add(options.connection.onDidChange(() => this.#attach()));
    this.#owned.add(options.store.onDidChange((change) => this.#onStoreChange(change)));
    this.#attach();
  }

  get state(): WebhooksState {
    const { trouble } = this.#list.rows;
    this.#state ??= {
      isOffered: this.#isOffered,
      webhooks: { ...this.#list.rows, trouble: trouble && { ...trouble, nextTryAt: this.#nextPollAt } },
      deliveries: new Map(
        [...this.#logs].map(([id, { list, filter }]): [string, DeliveryRows] => [id, { ...list.rows, filter }]),
      ),
      resent: this.#resent,
    };
    return this.#state;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#detach();
    this.#owned.dispose();
  }

  /** Polls once a minute while shown. Stops awaiting deliveries when hidden. */
  setShown(isShown: boolean): void {
    if (this.#isShown === isShown) return;
    this.#isShown = isShown;
    if (!isShown) this.#awaited.clear();
    if (isShown && this.#interval() !== undefined) void this.#poll();
    else this.#plan();
  }

  /** Reads the loaded lists again and checks again whether the service offers webhooks. */
  async refresh(): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    service.resetAbilities();
    await this.#list.reload();
    await Promise.all([...this.#logs].filter(([id]) => this.#isUsed(id)).map(([, { list }]) => list.poll()));
    this.#plan();
  }

  /** Returns the loaded webhook that delivers to a handler on this computer (`handlerOf`). */
  findAt(handler: string): Webhook | undefined {
    return this.#list.rows.items.find(({ url }) => {
      const checked = checkLocalUrl(url);
      return 'url' in checked && handlerOf(checked.url) === handler;
    });
  }

  loadMore(): Promise<void> {
    return this.#list.loadMore();
  }

  async openDeliveries(webhookId: string): Promise<void> {
    this.#open.add(webhookId);
    const log = this.#logOf(webhookId);
    // The most recently opened ones come last.
    this.#logs.delete(webhookId);
    this.#logs.set(webhookId, log);
    if (!log.list.rows.isLoaded) await log.list.poll();
    this.#plan();
  }

  closeDeliveries(webhookId: string): void {
    if (!this.#open.delete(webhookId)) return;
    this.#logs.get(webhookId)?.list.shrink();
    const closed = [...this.#logs.keys()].filter((id) => !this.#isUsed(id));
    for (const id of closed.slice(0, -MOST_CLOSED)) this.#dropLog(id);
    this.#plan();
  }

  async loadMoreDeliveries(webhookId: string): Promise<void> {
    await this.#logs.get(webhookId)?.list.loadMore();
  }

  /** Reloads the log with this filter. */
  async setFilter(webhookId: string, filter: DeliveryFilter): Promise<void> {
    this.#logs.get(webhookId)?.list.close();
    const log = this.#makeLog(webhookId, filter);
    this.#logs.set(webhookId, log);
    this.#notify();
    await log.list.poll();
  }

  async readDelivery(webhookId: string, id: string, signal?: AbortSignal): Promise<DeliveryDetails> {
    return this.#account.readDelivery(webhookId, id, signal);
  }

  /** Sends once. If the response is lost, checks whether the webhook was saved anyway. Awaits its first delivery. */
  async create(form: WebhookForm): Promise<Webhook> {
    const list = this.#list;
    const webhook = await this.#account.createWebhook(form);
    if (list !== this.#list) return webhook;
    this.#recent.note(webhook.id, webhook);
    if (list.rows.isLoaded) list.edit((items) => [webhook, ...items.filter(({ id }) => id !== webhook.id)]);
    this.#awaitDelivery(webhook.id);
    return webhook;
  }

  async change(id: string, form: Partial<WebhookForm>): Promise<Webhook> {
    const list = this.#list;
    const known = list.rows.items.find((webhook) => webhook.id === id);
    try {
      const webhook = await this.#account.changeWebhook(id, form, known);
      if (list !== this.#list) return webhook;
      this.#recent.note(id, webhook);
      list.edit((items) => items.map((item) => (item.id === id ? webhook : item)));
      return webhook;
    } catch (error) {
      if (list === this.#list) this.#removeIfGone(id, error);
      throw error;
    }
  }

  async delete(id: string): Promise<void> {
    const list = this.#list;
    await this.#account.deleteWebhook(id);
    if (list === this.#list) this.#remove(id);
  }

  async resend(webhookId: string, id: string): Promise<DeliveryDetails> {
    const list = this.#list;
    const log = this.#logs.get(webhookId);
    try {
      const delivery = await this.#account.resend(webhookId, id);
      if (list !== this.#list) return delivery;
      if (log?.list.rows.isLoaded && passes(delivery, log.filter)) {
        log.list.edit((items) => [delivery, ...items.filter((item) => item.id !== delivery.id)]);
      }
      this.#awaited.delete(webhookId);
      this.#resent = new Map([...this.#resent, [id, delivery] as const].slice(-MOST_RESENT));
      this.#notify();
      return delivery;
    } catch (error) {
      // It may have been delivered. The log shows whether it was.
      if (mayHaveHappened(error)) void log?.list.poll();
      throw error;
    }
  }

  get #account(): AccountWebhooks {
    return webhooksOf(this.#options.connection.account);
  }

  #attach(): void {
    this.#detach();
    const { connection } = this.#options;
    this.#service = connection.isOpen ? webhooksOf(connection.account) : undefined;
    this.#subscription.set(this.#service?.onDidReset(() => this.#askAgain()));
    this.#list = this.#makeList();
    this.#isOffered = true;
    this.#notify();
    if (this.#isShown) void this.#poll();
  }

  #detach(): void {
    this.#timer.set(undefined);
    this.#list.close();
    for (const { list } of this.#logs.values()) list.close();
    this.#logs = new Map();
    this.#open = new Set();
    this.#awaited = new Map();
    this.#resent = new Map();
    this.#recent.clear();
    this.#listedAt = undefined;
    this.#polledAt = undefined;
  }

  // The view is hidden while webhooks aren't offered, so nothing else would notice that they are.
  #askAgain(): void {
    if (!this.#isOffered) void this.#list.reload();
  }

  // A user who starts a broadcast while a log is open expects its delivery there.
  #onStoreChange({ previous, current }: SnapshotChange): void {
    if (!this.#isShown || previous.generation !== current.generation) return;
    if (hasRecovered(previous, current)) this.#retryFailed();
    if (previous.streams === current.streams) return;
    for (const [id, { stream }] of current.streams) {
      const wasActive = previous.streams.get(id)?.stream.isActive ?? stream.isActive;
      if (wasActive !== stream.isActive) this.#awaitShown(stream.isActive ? 'stream.started' : 'stream.idle', id);
    }
  }

  #retryFailed(): void {
    const lists = [this.#list, ...this.#openLogs().map(([, { list }]) => list)];
    const failed = lists.filter(({ rows }) => mayPass(rows.trouble));
    void Promise.all(failed.map((list) => list.poll())).then(() => this.#plan());
  }

  /** Polls the log every 15 seconds until a new delivery appears, for at most 5 minutes. */
  #awaitDelivery(webhookId: string): void {
    this.#awaited.set(webhookId, this.#options.clock.now() + AWAITING_AT_MOST_MS);
    const { list } = this.#logOf(webhookId);
    if (!list.rows.isLoaded) void list.poll();
    this.#plan();
  }

  #awaitShown(event: string, streamId: string): void {
    for (const { id, events, streamId: only = streamId } of this.#list.rows.items) {
      if (this.#open.has(id) && events.includes(event) && only === streamId) this.#awaitDelivery(id);
    }
  }

  #makeList(): PagedList<Webhook> {
    const { clock, log } = this.#options;
    const service = this.#service;
    const list: PagedList<Webhook> = new PagedList({
      ...{ clock, log, pageSize: this.#pageSize },
      fetch: async (request) => {
        if (service === undefined) throw new DOMException('No connection is open', 'AbortError');
        this.#listedAt = clock.now();
        try {
          const read = await service.listWebhooks(request);
          if (list === this.#list) this.#isOffered = true;
          return read;
        } catch (error) {
          if (list === this.#list) this.#isOffered = service.isOffered;
          throw error;
        }
      },
      correct: (items) => this.#recent.correct(items),
      onDidChange: () => this.#notify(),
    });
    return list;
  }

  #logOf(webhookId: string): WebhookLog {
    const log = this.#logs.get(webhookId) ?? this.#makeLog(webhookId, {});
    this.#logs.set(webhookId, log);
    return log;
  }

  #makeLog(webhookId: string, filter: DeliveryFilter): WebhookLog {
    const { clock, log } = this.#options;
    const service = this.#service;
    const list: PagedList<Delivery> = new PagedList({
      ...{ clock, log, pageSize: this.#pageSize },
      fetch: async (request) => {
        if (service === undefined) throw new DOMException('No connection is open', 'AbortError');
        try {
          const read = await service.listDeliveries(webhookId, filter, request);
          // A service may ignore filters.
          const items = read.items.filter((delivery) => passes(delivery, filter));
          if (list.rows.isLoaded && request.from === undefined) this.#noteNew(webhookId, list.rows.items, items);
          return { ...read, items };
        } catch (error) {
          if (this.#logs.get(webhookId)?.list === list) this.#removeIfGone(webhookId, error);
          throw error;
        }
      },
      onDidChange: () => this.#notify(),
    });
    return { list, filter };
  }

  #noteNew(webhookId: string, known: readonly Delivery[], items: readonly Delivery[]): void {
    const [newest] = known;
    const ids = new Set(known.map(({ id }) => id));
    const isNew = items.some(({ id, createdAt }) => !ids.has(id) && createdAt >= (newest?.createdAt ?? 0));
    if (isNew) this.#awaited.delete(webhookId);
  }

  #removeIfGone(webhookId: string, error: unknown): void {
    if (isApiError(error, 'notFound')) this.#remove(webhookId);
  }

  #remove(webhookId: string): void {
    this.#recent.note(webhookId, undefined);
    this.#open.delete(webhookId);
    this.#awaited.delete(webhookId);
    this.#dropLog(webhookId);
    this.#list.edit((items) => items.filter(({ id }) => id !== webhookId));
  }

  #dropLog(webhookId: string): void {
    this.#logs.get(webhookId)?.list.close();
    this.#logs.delete(webhookId);
    this.#notify();
  }

  #isUsed(webhookId: string): boolean {
    return this.#open.has(webhookId) || this.#isAwaited(webhookId);
  }

  #isAwaited(webhookId: string): boolean {
    return (this.#awaited.get(webhookId) ?? 0) > this.#options.clock.now();
  }

  #openLogs(): readonly (readonly [string, WebhookLog])[] {
    return [...this.#logs].filter(([id]) => (this.#isShown && this.#open.has(id)) || this.#isAwaited(id));
  }

  // Polling

  #interval(): number | undefined {
    if (this.#service === undefined || !this.#isOffered || this.#isRefused()) return undefined;
    if ([...this.#logs.keys()].some((id) => this.#isAwaited(id))) return AWAITING_POLL_MS;
    return this.#isShown ? POLL_MS : undefined;
  }

  #isRefused(): boolean {
    const lists = [this.#list, ...[...this.#logs.values()].map(({ list }) => list)];
    return lists.some(({ rows }) => rows.trouble?.error.reason === 'unauthorized');
  }

  #plan(): void {
    const { clock } = this.#options;
    const interval = this.#interval();
    if (interval === undefined || this.#isPolling) {
      this.#timer.set(undefined);
      if (interval === undefined) this.#noteNextPoll(undefined);
      return;
    }
    const lists = [this.#list, ...this.#openLogs().map(([, { list }]) => list)];
    const failures = Math.max(...lists.map((list) => list.failures));
    const wait = Math.max(interval, Math.min(BACK_OFF_AT_MOST_MS, interval * 2 ** failures));
    const now = clock.now();
    const last = Math.min(this.#polledAt ?? now, now);
    const toldToWait = Math.max(...lists.map(({ rows }) => rows.trouble?.nextTryAt ?? 0));
    const at = Math.max(last + wait, toldToWait);
    this.#timer.set(clock.setTimeout(() => void this.#poll(), Math.max(0, at - now)));
    this.#noteNextPoll(at);
  }

  #noteNextPoll(at: number | undefined): void {
    if (this.#nextPollAt === at) return;
    this.#nextPollAt = at;
    if (this.#list.rows.trouble !== undefined) this.#notify();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await Promise.all([
        this.#isListDue() ? this.#list.poll() : undefined,
        ...this.#logsDue().map((list) => list.poll()),
      ]);
    } finally {
      this.#isPolling = false;
      this.#polledAt = this.#options.clock.now();
      this.#plan();
    }
  }

  #isListDue(): boolean {
    const now = this.#options.clock.now();
    const { trouble } = this.#list.rows;
    if (!this.#isShown || (trouble?.nextTryAt ?? 0) > now) return false;
    return timeSince(this.#listedAt, now) >= (trouble === undefined ? POLL_MS : COMING_BACK_AFTER_MS);
  }

  #logsDue(): readonly PagedList<Delivery>[] {
    const logs = this.#openLogs();
    const from = logs.length > LOGS_PER_POLL ? this.#logsFrom % logs.length : 0;
    this.#logsFrom = from + LOGS_PER_POLL;
    return [...logs.slice(from), ...logs.slice(0, from)].slice(0, LOGS_PER_POLL).map(([, { list }]) => list);
  }

  #notify(): void {
    this.#state = undefined;
    this.#changed.fire();
  }
}

function passes(delivery: Delivery, { failedOnly, event, streamId }: DeliveryFilter): boolean {
  if (failedOnly === true && delivery.isSuccess) return false;
  if (event !== undefined && delivery.event !== event) return false;
  // A delivery may have no stream ID. The service's filter is trusted then.
  return streamId === undefined || delivery.streamId === undefined || delivery.streamId === streamId;
}

// As for streams, because lists come from a replica (src/api/README.md, Lists).
const KEPT_MS = 30_000;

/** Webhooks that were just created, changed, or deleted. They override lists for 30 seconds. */
class RecentWebhooks {
  readonly #clock: Clock;
  readonly #changes = new Map<string, { readonly at: number; readonly webhook: Webhook | undefined }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param webhook undefined if it was deleted */
  note(id: string, webhook: Webhook | undefined): void {
    this.#changes.set(id, { at: this.#clock.now(), webhook });
  }

  clear(): void {
    this.#changes.clear();
  }

  /** Corrects a list that is sorted newest first. New webhooks that aren't listed yet come first. */
  correct(listed: readonly Webhook[]): readonly Webhook[] {
    const now = this.#clock.now();
    for (const [id, { at }] of this.#changes) if (timeSince(at, now) > KEPT_MS) this.#changes.delete(id);
    if (this.#changes.size === 0) return listed;
    const ids = new Set(listed.map(({ id }) => id));
    const missing = [...this.#changes.values()].flatMap(({ webhook, at }) => {
      const isNew = webhook?.createdAt !== undefined && Math.abs(at - webhook.createdAt) <= KEPT_MS;
      return webhook === undefined || ids.has(webhook.id) || !isNew ? [] : [webhook];
    });
    return [...missing.reverse(), ...listed.flatMap((webhook) => this.#correctOne(webhook))];
  }

  #correctOne(listed: Webhook): readonly Webhook[] {
    const change = this.#changes.get(listed.id);
    if (change === undefined) return [listed];
    if (change.webhook === undefined) return [];
    const { name, url, events, streamId } = change.webhook;
    return [{ ...listed, name, url, events, streamId }];
  }
}
