import { createHmac } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createDeadline } from '../util/clock.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type { DemoDelivery, DemoEvent, DemoSession, DemoState, DemoWebhook } from './demoState.ts';
import { makeUuid } from './random.ts';

const LONGEST_MS = 30_000;
const LONGEST_RESPONSE = 1024;
// As the public service, this retries after a 5xx and after a timeout only.
const RETRIES_AFTER_MS: readonly number[] = [5000, 10_000, 20_000];
const MOST_LOGGED = 500;
const MOST_AT_A_TIME = 20;
const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** What became of a request: a response, or why there is none. */
interface Outcome {
  /** Nothing was sent. */
  readonly isMadeUp?: true;
  readonly status?: number;
  readonly statusText?: string;
  readonly body?: string;
  readonly error?: string;
  readonly isTimeout?: boolean;
}

type SentRequest = NonNullable<DemoDelivery['request']>;

/** Delivers events to the webhooks of the demo, on this computer only, and logs each delivery. */
export class WebhookSender implements Disposable {
  readonly #state: DemoState;
  readonly #closed = new AbortController();
  readonly #retries = new DisposableStore();
  #running = 0;

  constructor(state: DemoState) {
    this.#state = state;
  }

  dispose(): void {
    this.#closed.abort();
    this.#retries.dispose();
  }

  /** Delivers an event to each webhook that wants it. */
  report({ event, stream, ...about }: DemoEvent): void {
    const { clock, random, webhooks } = this.#state;
    for (const webhook of webhooks.values()) {
      if (!webhook.events.includes(event) || (webhook.streamId ?? stream.id) !== stream.id) continue;
      const now = clock.now();
      const id = makeUuid(random);
      const body = bodyOf({ id, webhookId: webhook.id, createdAt: now, timestamp: now }, { event, stream, ...about });
      const request = makeRequest(webhook, body, now);
      void this.#deliver(webhook, { event, resourceId: stream.id, request });
    }
  }

  /** Sends a recorded body once more to the recorded address, and returns the new delivery. */
  resend(webhook: DemoWebhook, { event, resourceId, request }: DemoDelivery): Promise<DemoDelivery | undefined> {
    if (request === undefined) return Promise.resolve(undefined);
    const again = { ...makeRequest(webhook, request.body, this.#state.clock.now()), url: request.url };
    return this.#attempt(webhook, { event, resourceId, request: again }).then(({ delivery }) => delivery);
  }

  async #deliver(webhook: DemoWebhook, sent: Sent, attempt = 0): Promise<void> {
    if (this.#running >= MOST_AT_A_TIME || this.#closed.signal.aborted) return;
    this.#running += 1;
    const { outcome } = await this.#attempt(webhook, sent).finally(() => {
      this.#running -= 1;
    });
    const pause = RETRIES_AFTER_MS[attempt];
    const isRetried = outcome.isTimeout === true || (outcome.status ?? 0) >= 500;
    if (!isRetried || pause === undefined || !this.#state.webhooks.has(webhook.id)) return;
    this.#retries.add(this.#state.clock.setTimeout(() => void this.#deliver(webhook, sent, attempt + 1), pause));
  }

  async #attempt(webhook: DemoWebhook, sent: Sent) {
    const { clock } = this.#state;
    const startedAt = clock.now();
    const outcome = await this.#send(sent.request);
    const endedAt = outcome.isMadeUp === true ? startedAt + this.#state.random.between(60, 400) : clock.now();
    const delivery = logDelivery(this.#state, webhook, { sent, outcome, startedAt, endedAt });
    return { delivery, outcome };
  }

  async #send({ url, method, headers, body }: SentRequest): Promise<Outcome> {
    const { hostname, protocol } = new URL(url);
    // Names under .example belong to nobody: the demo makes up their answers, as it does broadcasts.
    if (hostname.endsWith('.example')) return { ...ACCEPTED, isMadeUp: true };
    if (!HERE.has(hostname)) return { error: 'The demo delivers to this computer only' };
    const deadline = createDeadline(this.#state.clock, LONGEST_MS, this.#closed.signal);
    try {
      const send = protocol === 'https:' ? requestHttps : requestHttp;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = send(url, {
          ...{ method, headers, agent: false, signal: deadline.signal },
          lookup: (_name, _options, found) => found(null, ADDRESSES),
        });
        sending.on('response', resolve).on('error', reject).end(body);
      });
      const { statusCode: status = 0, statusMessage: statusText = '' } = response;
      return { status, statusText, body: await readStart(response) };
    } catch (error) {
      const isTimeout = deadline.isOver;
      const reason = error instanceof Error ? reasonOf(error) : 'The request failed';
      return { error: isTimeout ? 'No response within 30 s' : reason, isTimeout };
    } finally {
      deadline.dispose();
    }
  }
}

/** An error of several addresses has no message of its own. */
function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}

interface Sent extends Pick<DemoDelivery, 'event' | 'resourceId'> {
  readonly request: SentRequest;
}

function makeRequest({ url, sharedSecret }: DemoWebhook, body: string, now: number): SentRequest {
  const signature = createHmac('sha256', sharedSecret).update(body).digest('hex');
  return {
    ...{ url, method: 'POST', body },
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'livepeer.studio',
      'Livepeer-Signature': `t=${now},v1=${signature}`,
    },
  };
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Ends the connection: the rest isn't read.
    if (bytes >= LONGEST_RESPONSE * 4) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, LONGEST_RESPONSE);
}

interface LoggedAttempt {
  readonly sent: Sent;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Logs a delivery, with what came of it, and what it says of its webhook. */
export function logDelivery(
  state: DemoState,
  webhook: DemoWebhook,
  { sent, outcome, startedAt, endedAt }: LoggedAttempt,
): DemoDelivery {
  const { status, statusText = '', body = '', error } = outcome;
  const response = Buffer.from(body).toString('base64');
  const delivery: DemoDelivery = {
    ...{ id: makeUuid(state.random), webhookId: webhook.id, ...sent, createdAt: startedAt },
    duration: (endedAt - startedAt) / 1000,
    success: status !== undefined && status >= 200 && status < 300,
    ...(status !== undefined && { response: { status, statusText, body: response } }),
    ...(error !== undefined && { errorMessage: error }),
  };
  const lastFailure = delivery.success
    ? webhook.status.lastFailure
    : { timestamp: startedAt, error, response, statusCode: status };
  webhook.status = { lastTriggeredAt: startedAt, ...(lastFailure && { lastFailure }) };
  const log = state.deliveries.get(webhook.id) ?? [];
  state.deliveries.set(webhook.id, [delivery, ...log].slice(0, MOST_LOGGED));
  return delivery;
}

// Recordings are said to be ready in what is sent when they are waiting, too, as the public service does.
function bodyOf(sent: object, { event, stream, payload: session }: DemoEvent): string {
  const ended = session && { ...session, recordingStatus: 'ready', assetId: session.id };
  const payloads: Readonly<Record<string, unknown>> = {
    'recording.started': { session },
    'recording.waiting': { session: ended },
    'recording.ready': { recordingUrl: session?.recordingUrl, mp4Url: session?.mp4Url, session: ended },
  };
  return JSON.stringify({ ...sent, event, stream: { ...stream, streamKey: undefined }, payload: payloads[event] });
}

/** Adds a webhook with a log of the newest sessions: most deliveries succeeded, and some failed. */
export function seedWebhooks(state: DemoState): void {
  const url = 'https://www.studio.example/api/webhook';
  const random = state.random.branch('webhooks');
  const events = ['stream.started', 'stream.idle', 'recording.ready'];
  const webhook = addWebhook(
    { ...state, random },
    { name: 'Website', url, events, createdAt: state.clock.now() - 9e9 },
  );
  const sessions = [...state.sessions.values()];
  const past = sessions.flatMap((session) => pastEvents(state, session)).sort((a, b) => a.at - b.at);
  for (const [place, { at: startedAt, ...what }] of past.slice(-30).entries()) {
    const sent = { id: makeUuid(random), webhookId: webhook.id, createdAt: startedAt, timestamp: startedAt };
    const request = makeRequest(webhook, bodyOf(sent, what), startedAt);
    const outcome = place % 9 === 3 ? FAILED : ACCEPTED;
    const endedAt = startedAt + random.between(60, 400);
    const attempt = { sent: { event: what.event, resourceId: what.stream.id, request }, outcome, startedAt, endedAt };
    logDelivery({ ...state, random }, webhook, attempt);
  }
}

const ACCEPTED: Outcome = { status: 200, statusText: 'OK', body: 'ok' };
const FAILED: Outcome = {
  status: 500,
  statusText: 'Internal Server Error',
  body: '<h1>TypeError: payload is undefined</h1>',
};
const READY_AFTER_MS = 75_000;

/** Returns what webhooks would have been told of a session. */
function pastEvents(state: DemoState, session: DemoSession): readonly (DemoEvent & { readonly at: number })[] {
  const { parentId, createdAt, lastSeen, recordingStatus } = session;
  const stream = state.streams.get(parentId);
  if (stream === undefined) return [];
  const started = { event: 'stream.started', stream, at: createdAt };
  const isRunning = state.broadcasts.get(parentId)?.sessionId === session.id;
  if (isRunning || lastSeen === 0) return [started];
  const ready = { event: 'recording.ready', stream, payload: session, at: lastSeen + READY_AFTER_MS };
  const isReady = recordingStatus === 'ready' && ready.at <= state.clock.now();
  return [started, { event: 'stream.idle', stream, at: lastSeen }, ...(isReady ? [ready] : [])];
}

export function addWebhook(
  state: Pick<DemoState, 'clock' | 'random' | 'webhooks'>,
  fields: Partial<DemoWebhook>,
): DemoWebhook {
  const webhook: DemoWebhook = {
    ...{ id: makeUuid(state.random), name: '', url: '', events: [], createdAt: state.clock.now(), status: {} },
    sharedSecret: makeUuid(state.random),
    ...fields,
  };
  state.webhooks.set(webhook.id, webhook);
  return webhook;
}
