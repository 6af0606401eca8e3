import { ApiError } from '../../../src/api/errors.ts';
import type { Delivery, DeliveryDetails, Webhook } from '../../../src/api/webhooks.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { LocalUrlError } from '../../../src/model/webhooks/localUrl.ts';
import type { DeliveryRows, Listening, LocalDelivery, WebhooksState } from '../../../src/model/webhooks/state.ts';
import { NOW } from './builders.ts';

export function aWebhook(overrides: Partial<Webhook> = {}): Webhook {
  return {
    id: 'hook',
    name: 'Production',
    url: 'https://api.example.com/live?token=secret',
    events: ['stream.started'],
    streamId: undefined,
    createdAt: NOW,
    lastTriggeredAt: undefined,
    lastFailure: undefined,
    ...overrides,
  };
}

export function aDelivery(overrides: Partial<Delivery> = {}): Delivery {
  const isSuccess = overrides.isSuccess ?? true;
  return {
    id: 'delivery',
    webhookId: 'hook',
    event: 'stream.started',
    createdAt: NOW - 120_000,
    duration: 120,
    isSuccess,
    statusCode: isSuccess ? 200 : 500,
    streamId: undefined,
    streamName: undefined,
    ...overrides,
  };
}

export function deliveryDetails(overrides: Partial<DeliveryDetails> = {}): DeliveryDetails {
  return { ...aDelivery(overrides), request: undefined, response: undefined, error: undefined, ...overrides };
}

export function aLocalDelivery(overrides: Partial<LocalDelivery> = {}): LocalDelivery {
  return {
    ...deliveryDetails({ id: 'local', webhookId: '', ...overrides }),
    attempt: 1,
    signature: 'fresh',
    ...overrides,
  };
}

export function deliveryRows(items: readonly Delivery[], overrides: Partial<DeliveryRows> = {}): DeliveryRows {
  return {
    items,
    isLoaded: true,
    isLoading: false,
    hasNextPage: false,
    trouble: undefined,
    loadedAt: undefined,
    filter: {},
    ...overrides,
  };
}

export function webhooksState(overrides: {
  readonly webhooks?: readonly Webhook[];
  readonly deliveries?: Readonly<Record<string, DeliveryRows>>;
  readonly list?: Partial<WebhooksState['webhooks']>;
  readonly isOffered?: boolean;
}): WebhooksState {
  const { webhooks = [], deliveries = {}, list = {}, isOffered = true } = overrides;
  return {
    isOffered,
    webhooks: {
      items: webhooks,
      isLoaded: true,
      isLoading: false,
      hasNextPage: false,
      trouble: undefined,
      loadedAt: undefined,
      ...list,
    },
    deliveries: new Map(Object.entries(deliveries)),
    resent: new Map(),
  };
}

export interface FakeWebhooks {
  readonly webhooks: CommandContext['webhooks'];
  readonly eventListener: CommandContext['eventListener'];
  readonly webhookSecrets: CommandContext['webhookSecrets'];
  readonly deliveries: CommandContext['deliveries'];
  readonly revealWebhook: CommandContext['revealWebhook'];
  readonly isWebhooksViewVisible: CommandContext['isWebhooksViewVisible'];
  isViewVisible: boolean;
  /** What was called, in order, each as its name with its arguments. */
  readonly calls: (readonly [name: string, ...args: readonly unknown[]])[];
  readonly secrets: Map<string, string>;
  state: WebhooksState;
  listening: Listening | undefined;
  lastUrl: string | undefined;
  local: readonly LocalDelivery[];
  /** Whether another window listens. */
  isInUse: boolean;
  /** What comes of what is sent to this computer. */
  outcome: Partial<LocalDelivery>;
}

/** Webhooks as commands use them: notes what was called, and answers from its state. */
export function fakeWebhooks(
  initial: Partial<Pick<FakeWebhooks, 'state' | 'lastUrl' | 'local' | 'outcome'>> = {},
): FakeWebhooks {
  const calls: FakeWebhooks['calls'] = [];
  const secrets = new Map<string, string>();
  const note = (name: string, ...args: readonly unknown[]) => void calls.push([name, ...args]);
  const known = (id: string): Webhook => {
    const found = fake.state.webhooks.items.find((webhook) => webhook.id === id);
    if (found === undefined) throw new ApiError('notFound', 'No such webhook');
    return found;
  };
  const fake: FakeWebhooks = {
    ...{
      calls,
      secrets,
      state: webhooksState({}),
      lastUrl: undefined,
      local: [],
      outcome: {},
      listening: undefined,
      isInUse: false,
    },
    ...initial,
    webhooks: {
      get state() {
        return fake.state;
      },
      onDidChange: () => ({ dispose: () => {} }),
      findAt: (handler) => fake.state.webhooks.items.find(({ url }) => url.endsWith(`//${handler}`)),
      refresh: async () => note('refresh'),
      loadMore: async () => note('loadMore'),
      openDeliveries: async (id) => note('openDeliveries', id),
      loadMoreDeliveries: async (id) => note('loadMoreDeliveries', id),
      setFilter: async (id, filter) => note('setFilter', id, filter),
      readDelivery: async (webhookId, id) => deliveryDetails({ webhookId, id }),
      async create(form) {
        note('create', form);
        const { sharedSecret: _, ...rest } = form;
        return aWebhook({ ...rest, streamId: rest.streamId ?? undefined, id: 'new' });
      },
      async change(id, form) {
        note('change', id, form);
        // As the public service does (src/api/README.md, Webhooks).
        if (form.streamId === null) throw new ApiError('rejected', 'should be string', { status: 422 });
        return known(id);
      },
      delete: async (id) => note('delete', id),
      async resend(webhookId, id) {
        note('resend', webhookId, id);
        return deliveryDetails({ webhookId, id: 'resent' });
      },
    },
    eventListener: {
      onDidChange: () => ({ dispose: () => {} }),
      get listening() {
        return fake.listening;
      },
      get deliveries() {
        return fake.local;
      },
      get lastUrl() {
        return fake.lastUrl;
      },
      async start(options) {
        note('start', options);
        if (fake.isInUse && options.isShared !== true) throw new LocalUrlError('inUse');
        const { url, events, webhookId } = options;
        fake.listening = { url, events, webhookId, since: 0, isUnanswered: url.includes('nobody') };
      },
      stop: () => note('stop'),
      async send(options) {
        note('send', options);
        return aLocalDelivery({ event: options.event, ...fake.outcome });
      },
      makeBody: (event, subject) =>
        JSON.stringify({ event, stream: subject?.stream.id, session: subject?.session?.id }),
      readSigner: async () => ({ webhookId: '', secret: 'folder secret' }),
      async replay(delivery, url) {
        note('replay', delivery.id, url);
        return aLocalDelivery({ event: delivery.event, ...fake.outcome });
      },
    },
    webhookSecrets: {
      of: async (connectionId, webhookId) =>
        webhookId === undefined ? 'folder secret' : secrets.get(`${connectionId}/${webhookId}`),
      set: async (connectionId, webhookId, secret) => void secrets.set(`${connectionId}/${webhookId}`, secret),
      delete: async (connectionId, webhookId) => void secrets.delete(`${connectionId}/${webhookId}`),
      deleteAll: async (connectionId) => {
        for (const key of [...secrets.keys()]) if (key.startsWith(`${connectionId}/`)) secrets.delete(key);
      },
    },
    revealWebhook: async (id) => note('reveal', id),
    isWebhooksViewVisible: () => fake.isViewVisible,
    isViewVisible: false,
    deliveries: { openDelivery: async ({ webhookId, id }) => note('openDelivery', webhookId, id) },
  };
  return fake;
}
