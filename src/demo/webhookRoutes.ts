import { type BodyRule, readJsonBody, refuseFormat } from './bodies.ts';
import type { DemoDelivery, DemoState, DemoWebhook } from './demoState.ts';
import { type DemoResponse, empty, failure, json } from './http.ts';
import { answerRows, type ListCall, type ListFields, readTest } from './listing.ts';
import { addWebhook } from './webhooks.ts';

const WEBHOOK_FIELDS: ListFields = {
  id: 'string',
  name: 'text',
  url: 'string',
  streamId: 'string',
  createdAt: 'number',
};
const LOG_FIELDS: ListFields = {
  id: 'string',
  event: 'string',
  resourceId: 'string',
  statusCode: 'number',
  createdAt: 'number',
  success: 'boolean',
};
const NEWEST_FIRST = 'createdAt-true';

const PATCH: BodyRule = {
  fields: { name: 'string', url: 'string', events: 'array', sharedSecret: 'string', streamId: 'string' },
  required: [],
};
const NEW: BodyRule = { ...PATCH, required: ['name', 'url', 'events'] };

/** Responds to the requests below /webhook, and to a resend once it's delivered. Throws MalformedFilters. */
export function answerWebhooks(
  state: DemoState,
  call: ListCall,
  [id, part, logId, act]: readonly (string | undefined)[],
): DemoResponse | Promise<DemoResponse> {
  const { method, body } = call.request;
  if (id === undefined) {
    if (method === 'POST') return save(body, NEW, (fields) => json(201, addWebhook(state, fields)));
    return method === 'GET' ? listWebhooks(state, call) : failure(404, 'Not found');
  }
  const webhook = state.webhooks.get(id);
  if (webhook === undefined) return failure(404, 'Not found');
  if (part === 'log') return answerLog(state, call, { webhook, logId, act });
  if (part !== undefined) return failure(404, 'Not found');
  if (method === 'GET') return json(200, webhook);
  if (method === 'PATCH') return save(body, PATCH, (fields) => changeWebhook(webhook, fields));
  if (method !== 'DELETE') return failure(404, 'Not found');
  state.webhooks.delete(id);
  state.deliveries.delete(id);
  return empty(204);
}

function listWebhooks(state: DemoState, call: ListCall): DemoResponse {
  const rows = [...state.webhooks.values()].filter(readTest(call, WEBHOOK_FIELDS));
  return answerRows({ state, call, fields: WEBHOOK_FIELDS, defaultOrder: NEWEST_FIRST, show: (row) => row }, rows);
}

function save(body: string, rule: BodyRule, act: (fields: Partial<DemoWebhook>) => DemoResponse): DemoResponse {
  const read = readJsonBody(body, rule);
  if ('refusal' in read) return read.refusal;
  const { url, events } = read.value;
  if (typeof url === 'string' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return refuseFormat('.url', 'should be an http or https URL');
  if (Array.isArray(events) && !events.every((event) => typeof event === 'string')) {
    return refuseFormat('.events', 'should be strings');
  }
  return act(read.value as Partial<DemoWebhook>);
}

function changeWebhook(webhook: DemoWebhook, fields: Partial<DemoWebhook>): DemoResponse {
  Object.assign(webhook, fields);
  return empty(204);
}

interface LogCall {
  readonly webhook: DemoWebhook;
  readonly logId: string | undefined;
  readonly act: string | undefined;
}

function answerLog(
  state: DemoState,
  call: ListCall,
  { webhook, logId, act }: LogCall,
): DemoResponse | Promise<DemoResponse> {
  const { method } = call.request;
  const log = state.deliveries.get(webhook.id) ?? [];
  if (logId === undefined) return method === 'GET' ? listLog(state, call, log) : failure(404, 'Not found');
  const delivery = log.find(({ id }) => id === logId);
  if (delivery === undefined) return failure(404, 'Not found');
  if (act === undefined && method === 'GET') return json(200, delivery);
  if (act !== 'resend' || method !== 'POST') return failure(404, 'Not found');
  return resend(state, webhook, delivery);
}

async function resend(state: DemoState, webhook: DemoWebhook, delivery: DemoDelivery): Promise<DemoResponse> {
  const sent = await state.resend(webhook, delivery);
  return sent === undefined ? failure(400, 'The request was not recorded') : json(200, sent);
}

function listLog(state: DemoState, call: ListCall, log: readonly DemoDelivery[]): DemoResponse {
  const passes = readTest(call, LOG_FIELDS);
  const rows = log.map((row) => ({ ...row, statusCode: row.response?.status })).filter(passes);
  const show = ({ statusCode: _, ...row }: (typeof rows)[number]) => row;
  return answerRows({ state, call, fields: LOG_FIELDS, defaultOrder: NEWEST_FIRST, show }, rows);
}
