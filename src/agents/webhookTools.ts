import { t } from '@vscode/l10n';
import { isApiError } from '../api/errors.ts';
import { type Delivery, type DeliveryDetails, WEBHOOK_EVENTS, type Webhook } from '../api/webhooks.ts';
import { webhooksOf } from '../model/account/accountWebhooks.ts';
import { checkLocalUrl, isLocalUrlError } from '../model/webhooks/localUrl.ts';
import { explainLocalUrl } from '../texts/localUrls.ts';
import { plainUrl } from '../texts/webhooks.ts';
import { type AgentAnswer, isoDate, type Sources, shortText, ToolProblem } from './answers.ts';
import type { ToolCall } from './call.ts';
import { requireKnown, sourcesOf } from './streams.ts';
import { tool } from './tool.ts';

const MOST_ROWS = 50;
const BODY_BYTES = 2048;

export const webhooks = tool({
  fields: { limit: { kind: 'wholeNumber', least: 1, most: MOST_ROWS } } as const,
  async run(call, { limit = MOST_ROWS }) {
    const { items, hasNextPage } = await offered(call, () => webhooksOf(call.account).listWebhooks({ limit }));
    const { clean } = sourcesOf(call);
    const shown = items.slice(0, limit);
    return {
      facts: { isComplete: !hasNextPage && shown.length === items.length },
      rows: { name: 'webhooks', items: shown.map((webhook) => webhookFacts(webhook, clean)) },
    };
  },
});

function webhookFacts(webhook: Webhook, clean: Sources['clean']): AgentAnswer {
  const { id, name, url, events, streamId, lastTriggeredAt, lastFailure } = webhook;
  return {
    id,
    name: shortText(name, clean),
    url: shortText(plainUrl(url), clean),
    events: events.slice(0, WEBHOOK_EVENTS.length).map((event) => shortText(event, clean)),
    streamId,
    lastTriggeredAt: isoDate(lastTriggeredAt),
    lastFailure: lastFailure && {
      at: isoDate(lastFailure.at),
      statusCode: lastFailure.statusCode,
      error: lastFailure.error && shortText(lastFailure.error, clean),
    },
  };
}

export const deliveries = tool({
  fields: {
    webhookId: { kind: 'id', isRequired: true },
    id: { kind: 'id' },
    failedOnly: { kind: 'boolean' },
    event: { kind: 'text', longest: 100 },
    limit: { kind: 'wholeNumber', least: 1, most: MOST_ROWS },
  } as const,
  async run(call, { webhookId, id, failedOnly, event, limit = 20 }) {
    const { account, signal } = call;
    const { clean } = sourcesOf(call);
    if (id !== undefined) {
      const details = await offered(call, () => webhooksOf(account).readDelivery(webhookId, id, signal));
      return { facts: { delivery: detailsFacts(details, clean) } };
    }
    const filter = { failedOnly, event };
    const { items, hasNextPage } = await offered(call, () =>
      webhooksOf(account).listDeliveries(webhookId, filter, { limit }, signal),
    );
    const shown = items.slice(0, limit);
    return {
      facts: { isComplete: !hasNextPage && shown.length === items.length },
      rows: { name: 'deliveries', items: shown.map((delivery) => deliveryFacts(delivery, clean)) },
    };
  },
});

function deliveryFacts(delivery: Delivery, clean: Sources['clean']): AgentAnswer {
  const { id, event, createdAt, duration, isSuccess, statusCode, streamId } = delivery;
  const at = isoDate(createdAt);
  return { id, event: shortText(event, clean), at, isSuccess, statusCode, durationMs: duration, streamId };
}

/** Without headers: they hold the signature. */
function detailsFacts(details: DeliveryDetails, clean: Sources['clean']): AgentAnswer {
  const { request, response, error } = details;
  return {
    ...deliveryFacts(details, clean),
    error: error && shortText(error, clean),
    request: request && { url: shortText(plainUrl(request.url), clean), ...bodyFacts(request.body, clean) },
    response: response && { status: response.status, ...bodyFacts(response.body ?? '', clean) },
  };
}

/** Leaves out a body that is too long: a secret that is cut may no longer be recognized. */
function bodyFacts(body: string, clean: Sources['clean']): AgentAnswer {
  const bytes = Buffer.byteLength(body);
  return bytes > BODY_BYTES ? { bodyBytes: bytes } : { body: clean(body).toWellFormed() };
}

export const testEvent = tool({
  fields: {
    event: { kind: 'word', words: WEBHOOK_EVENTS, isRequired: true },
    id: { kind: 'id', isRequired: true },
    url: { kind: 'text', longest: 500 },
  } as const,
  ask(call, { event, id, url }) {
    const { clean } = sourcesOf(call);
    const name = shortText(requireKnown(call, id).name, clean);
    return {
      title: t('Send a test event?'),
      message: t('An agent wants to send the event "{0}" about "{1}" to {2}.', event, name, localUrl(call, url)),
    };
  },
  async run(call, { event, id, url }) {
    const { clean } = sourcesOf(call);
    const target = localUrl(call, url);
    try {
      const subject = { stream: requireKnown(call, id) };
      const sent = await call.context.eventListener.send({ event, subject, url: target });
      return { facts: { done: `The event was sent to ${target}.`, delivery: detailsFacts(sent, clean) } };
    } catch (error) {
      throw isLocalUrlError(error) ? new ToolProblem(explainLocalUrl(error.reason)) : error;
    }
  },
});

/** Throws a ToolProblem unless it's a URL of this computer. */
function localUrl({ context }: ToolCall, given: string | undefined): string {
  const { listening, lastUrl } = context.eventListener;
  const checked = checkLocalUrl(given ?? listening?.url ?? lastUrl ?? '');
  if ('fault' in checked) throw new ToolProblem(explainLocalUrl(checked.fault));
  return checked.url;
}

/** Throws a ToolProblem if the service has no webhooks. */
async function offered<T>({ account, info }: ToolCall, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isApiError(error) && !webhooksOf(account).isOffered) {
      throw new ToolProblem(`${info.name} doesn't support webhooks.`);
    }
    throw error;
  }
}
