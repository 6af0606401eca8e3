import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createDeadline } from '../util/deadline.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import type { DemoDelivery, DemoEvent, DemoSession, DemoState, DemoStream, DemoWebhook } from './demoState.ts';
import { makeUuid } from './random.ts';

const LONGEST_MS = 30_000;
const LONGEST_RESPONSE = 1024;
// Like the public service, this retries only after a 5xx and after a timeout.
const RETRIES_AFTER_MS: readonly number[] = [5000, 10_000, 20_000];
const MOST_LOGGED = 500;
const MOST_AT_A_TIME = 20;
/** The public service relies on a response for this long. */
const ADMITTED_S = 120;
const MOST_ADMITTED = 1000;
const SENT_HEADERS = { origin: 'Origin', referer: 'Referer', 'user-agent': 'User-Agent' } as const;
/** This computer, as in `URL.hostname`. */
export const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The outcome of a request: a response, or why there is none. */
interface Outcome {
  /** Set if nothing was sent. */
  readonly isMadeUp?: true;
  readonly status?: number;
  readonly statusText?: string;
  readonly body?: string;
  readonly error?: string;
  readonly isTimeout?: boolean;
}

type SentRequest = NonNullable<DemoDelivery['request']>;

/** Delivers events to the demo's webhooks, on this computer only, and logs each delivery. */
export class WebhookSender implements Disposable {
  readonly #state: DemoState;
  readonly #closed = new AbortController();
  readonly #retries = new DisposableStore();
  /** When the admission of a viewer ends, by stream, webhook, and access key. */
  readonly #admitted = new Map<string, number>();
  #running = 0;

  constructor(state: DemoState) {
    this.#state = state;
  }

  dispose(): void {
    this.#closed.abort();
    this.#retries.dispose();
  }

  /** Delivers an event to each webhook that subscribes to it. */
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

  /** Sends a recorded body to the recorded URL again and returns the new delivery. */
  resend(webhook: DemoWebhook, { event, resourceId, request }: DemoDelivery): Promise<DemoDelivery | undefined> {
    if (request === undefined) return Promise.resolve(undefined);
    const again = { ...makeRequest(webhook, request.body, this.#state.clock.now()), url: request.url };
    return this.#attempt(webhook, { event, resourceId, request: again }).then(({ delivery }) => delivery);
  }

  /**
   * Asks a webhook whether a viewer may watch a stream, and caches a positive response for as long as the policy says.
   * Isn't logged as a delivery.
   */
  async admits(webhook: DemoWebhook, stream: DemoStream, { accessKey, headers }: DemoViewer): Promise<boolean> {
    const { clock } = this.#state;
    const { webhookContext: context, refreshInterval = ADMITTED_S } = stream.playbackPolicy ?? {};
    const viewer = [stream.id, webhook.id, accessKey].join(' ');
    if ((this.#admitted.get(viewer) ?? 0) > clock.now()) return true;
    if (this.#running >= MOST_AT_A_TIME) return false;
    const now = clock.now();
    const sent = Object.entries(SENT_HEADERS).map(([name, as]) => [as, headers[name]]);
    const body = JSON.stringify({ context, accessKey, timestamp: now, headers: Object.fromEntries(sent) });
    this.#running += 1;
    const outcome = await this.#send(makeRequest(webhook, body, now)).finally(() => {
      this.#running -= 1;
    });
    const status = statusOf(outcome);
    const isAdmitted = isSuccess(status);
    noteOutcome(webhook, { ...outcome, ...(status !== undefined && { status }) }, { at: now, isSuccess: isAdmitted });
    if (this.#admitted.size >= MOST_ADMITTED) this.#admitted.clear();
    if (isAdmitted) this.#admitted.set(viewer, clock.now() + refreshInterval * 1000);
    return isAdmitted;
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
    // Names under .example are reserved: the demo simulates their responses, as it does broadcasts.
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

/** An error for several addresses has no message of its own. */
function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}

interface DemoViewer {
  readonly accessKey: string;
  readonly headers: IncomingHttpHeaders;
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
    // Ends the connection without reading the rest.
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

/** Logs a delivery with its outcome, and updates the state of its webhook. */
function logDelivery(
  state: DemoState,
  webhook: DemoWebhook,
  { sent, outcome, startedAt, endedAt }: LoggedAttempt,
): DemoDelivery {
  const { status, statusText = '', body = '', error } = outcome;
  const response = Buffer.from(body).toString('base64');
  const delivery: DemoDelivery = {
    ...{ id: makeUuid(state.random), webhookId: webhook.id, ...sent, createdAt: startedAt },
    duration: (endedAt - startedAt) / 1000,
    success: isSuccess(status),
    ...(status !== undefined && { response: { status, statusText, body: response } }),
    ...(error !== undefined && { errorMessage: error }),
  };
  noteOutcome(webhook, outcome, { at: startedAt, isSuccess: delivery.success });
  const log = state.deliveries.get(webhook.id) ?? [];
  state.deliveries.set(webhook.id, [delivery, ...log].slice(0, MOST_LOGGED));
  return delivery;
}

// Like the public service, says that a recording is ready even when it's still waiting.
function bodyOf(sent: object, { event, stream, session, target }: DemoEvent): string {
  const ended = session && { ...session, recordingStatus: 'ready', assetId: session.id };
  const payloads: Readonly<Record<string, unknown>> = {
    'recording.started': { session },
    'recording.waiting': { session: ended },
    'recording.ready': { recordingUrl: session?.recordingUrl, mp4Url: session?.mp4Url, session: ended },
  };
  const payload = target === undefined ? payloads[event] : { target };
  return JSON.stringify({ ...sent, event, stream: { ...stream, streamKey: undefined }, payload });
}

function noteOutcome(
  webhook: DemoWebhook,
  { status: statusCode, body = '', error }: Outcome,
  { at, isSuccess: succeeded }: { readonly at: number; readonly isSuccess: boolean },
): void {
  const response = Buffer.from(body).toString('base64');
  const lastFailure = succeeded ? webhook.status.lastFailure : { timestamp: at, error, response, statusCode };
  webhook.status = { lastTriggeredAt: at, ...(lastFailure && { lastFailure }) };
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Handlers may also refuse with a status in the body. */
function statusOf({ status, body = '' }: Outcome): number | undefined {
  const answer = isSuccess(status) ? parseJson(body) : undefined;
  return isRecord(answer) && typeof answer.ret === 'number' && answer.ret !== 0 ? answer.ret : status;
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
  const newest = past.slice(-30);
  for (const [place, { at: startedAt, ...what }] of newest.entries()) {
    const sent = { id: makeUuid(random), webhookId: webhook.id, createdAt: startedAt, timestamp: startedAt };
    const request = makeRequest(webhook, bodyOf(sent, what), startedAt);
    const outcome = (newest.length - place) % 9 === 3 ? FAILED : ACCEPTED;
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

/** Returns the events that webhooks would have received for a session. */
function pastEvents(state: DemoState, session: DemoSession): readonly (DemoEvent & { readonly at: number })[] {
  const { parentId, createdAt, lastSeen, recordingStatus } = session;
  const stream = state.streams.get(parentId);
  if (stream === undefined) return [];
  const started = { event: 'stream.started', stream, at: createdAt };
  const isRunning = state.broadcasts.get(parentId)?.sessionId === session.id;
  if (isRunning || lastSeen === 0) return [started];
  const ready = { event: 'recording.ready', stream, session, at: lastSeen + READY_AFTER_MS };
  const isReady = recordingStatus === 'ready' && ready.at <= state.clock.now();
  return [started, { event: 'stream.idle', stream, at: lastSeen }, ...(isReady ? [ready] : [])];
}

export function addWebhook(state: DemoState, fields: Partial<DemoWebhook>): DemoWebhook {
  const webhook: DemoWebhook = {
    ...{ id: makeUuid(state.random), name: '', url: '', events: [], createdAt: state.clock.now(), status: {} },
    sharedSecret: makeUuid(state.random),
    ...fields,
  };
  state.webhooks.set(webhook.id, webhook);
  return webhook;
}
