import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Delivery, DeliveryDetails, Webhook } from '../../../../src/api/webhooks.ts';
import { EventListener, type EventListenerOptions } from '../../../../src/model/webhooks/eventListener.ts';
import type { DeliveryLog } from '../../../../src/model/webhooks/followedLog.ts';
import { WebhookSecrets } from '../../../../src/model/webhooks/webhookSecrets.ts';
import { composePoller } from '../../../support/model/composedPoller.ts';
import { fakeLog, fakeMemento, fakeSecrets } from '../../../support/model/fakes.ts';
import { startServer } from '../../../support/service/testServer.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: { id: string; event: string; stream?: { id: string }; timestamp: number; createdAt: number };
}

/** A handler on this computer that answers with `status` and remembers what it received. */
export async function startHandler() {
  const received: Received[] = [];
  const state = { status: 200, hangs: false };
  const server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body, json: JSON.parse(body) });
    if (!state.hangs) response.writeHead(state.status).end('seen');
  }, createServer());
  const events = () => received.map(({ json }) => `${json.event} ${json.stream?.id ?? ''}`.trim());
  return { ...server, url: `${server.url}/api/webhook`, received, events, state };
}

/** The service's webhooks and their logs, newest first. */
export class FakeDeliveryLog implements DeliveryLog {
  readonly webhooks: Webhook[] = [];
  readonly deliveries: DeliveryDetails[] = [];
  readonly requests: string[] = [];
  fault: (() => void) | undefined;

  add(delivery: Partial<DeliveryDetails> & Pick<Delivery, 'id' | 'event' | 'createdAt'>, body?: unknown): void {
    const request = { url: 'https://a.test/', method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    const rest = {
      ...{ webhookId: 'w', duration: 100, isSuccess: true, statusCode: 200, streamId: 'one', streamName: undefined },
      error: undefined,
    };
    this.deliveries.unshift({
      ...rest,
      response: undefined,
      request: body === undefined ? undefined : request,
      ...delivery,
    });
  }

  addWebhook(id: string, createdAt = 1): void {
    const rest = { url: 'https://a.test/', events: [], streamId: undefined, lastTriggeredAt: undefined };
    this.webhooks.push({ id, name: id, createdAt, lastFailure: undefined, ...rest });
  }

  async listWebhooks(): Promise<readonly Webhook[]> {
    this.#note('webhooks');
    return this.webhooks;
  }

  async listNewest(webhookId: string, limit: number): Promise<readonly Delivery[]> {
    this.#note(`log of ${webhookId}`);
    return this.deliveries.filter((each) => each.webhookId === webhookId).slice(0, limit);
  }

  async readDelivery(_webhookId: string, id: string): Promise<DeliveryDetails> {
    this.#note(id);
    const found = this.deliveries.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no delivery ${id}`);
    return found;
  }

  #note(request: string): void {
    this.requests.push(request);
    this.fault?.();
  }
}

const HEADERS = { 'Content-Type': 'application/json', 'Livepeer-Signature': `t=1,v1=${'a'.repeat(64)}` };

/** A window whose views are hidden, over a scripted service and a held clock. */
export function composeListener(overrides: Partial<EventListenerOptions> = {}) {
  const model = composePoller();
  model.become({ isViewVisible: false, isFocused: false });
  const log = fakeLog();
  const [memory, storage, deliveryLog] = [new Map<string, unknown>(), fakeSecrets(), new FakeDeliveryLog()];
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const workspace = fakeMemento(memory);
  const secrets = new WebhookSecrets({ ...model, log, newId, workspace, secrets: storage.window() });
  const parts = {
    ...model,
    log,
    newId,
    workspace,
    secrets,
    openLog: () => deliveryLog,
    readSessions: async (streamId: string, signal: AbortSignal) => {
      const query = { recordedOnly: false, limit: 3, signal };
      return (await model.connection.account.listSomeSessions(streamId, query)).items;
    },
    readStream: (id: string, signal: AbortSignal) => model.connection.account.readStream(id, { signal }),
    clean: (text: string) => text,
    findWebhookAt: () => undefined,
  };
  const listener = new EventListener({ ...parts, takeLock: async () => ({ release: async () => {} }), ...overrides });
  return { ...parts, listener, deliveryLog, memory, storage };
}

/** Waits for what other processes and sockets do, at most 10 seconds. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 1000 && !isSo(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  if (!isSo()) throw new Error(`Waited in vain for ${what}`);
}
