import { textOf } from '../../api/decode.ts';
import { MOST_OF_RESPONSE, readSent, streamOfBody } from '../../api/webhooks.ts';
import type { Clock } from '../../services.ts';
import { delay } from '../../util/clock.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { truncate } from '../../util/text.ts';
import { readEventId } from './envelope.ts';
import { localFailureText } from './localFailure.ts';
import type { LocalOutcome, LocalRequest, PostLocally } from './localPost.ts';
import type { LocalDelivery } from './state.ts';

/** A request to post. Its body and headers are made for each attempt, because they contain the time. */
export interface Outgoing {
  readonly url: string;
  readonly event: string;
  readonly webhookId: string;
  readonly streamId: string | undefined;
  readonly replayOf?: string | undefined;
  readonly isTest?: boolean | undefined;
  readonly isOfLog?: boolean | undefined;
  readonly make: (now: number) => Made;
}

export interface Made extends Pick<LocalRequest, 'headers' | 'body'> {
  readonly signature: LocalDelivery['signature'];
  readonly signedBy?: LocalDelivery['signedBy'];
}

interface LocalSenderOptions {
  readonly post: PostLocally;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Returns the ID of the open connection. */
  readonly connection: () => string | undefined;
  /** Returns a string without the account's secrets, which a handler knows and may repeat. */
  readonly clean: (text: string) => string;
}

const MOST_KEPT = 200;
/** The maximum total length of the bodies that are kept, in UTF-16 units. */
const MOST_KEPT_LENGTH = 4 * 1024 * 1024;

/** Posts to handlers on this computer and keeps the newest deliveries. */
export class LocalSender implements Disposable {
  readonly #options: LocalSenderOptions;
  readonly #changed = new Emitter<void>();
  readonly #closing = new AbortController();
  readonly onDidChange = this.#changed.event;
  #deliveries: readonly LocalDelivery[] = [];

  constructor(options: LocalSenderOptions) {
    this.#options = options;
  }

  /** Newest first. */
  get deliveries(): readonly LocalDelivery[] {
    return this.#deliveries;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#closing.abort();
  }

  /** Never rejects because of the handler. */
  async send(outgoing: Outgoing, attempt = 1): Promise<LocalDelivery> {
    const { clock, newId, post, clean } = this.#options;
    const connection = this.#options.connection();
    const createdAt = clock.now();
    const made = outgoing.make(createdAt);
    const { headers, body, signature, signedBy } = made;
    const { response: said, ...ended } = await post({ url: outgoing.url, headers, body, signal: this.#closing.signal });
    // Masked before it's cut, because a part of a secret couldn't be recognized.
    const text = said?.body && truncate(clean(said.body), MOST_OF_RESPONSE);
    const outcome = { ...ended, response: said && { ...said, body: text } };
    const request = { url: outgoing.url, method: 'POST', headers, body };
    const { event, webhookId, streamId, replayOf, isTest, isOfLog } = outgoing;
    const envelope = readSent(body);
    const [eventId, streamName] = [readEventId(envelope), textOf(streamOfBody(envelope)?.name)];
    const what = { id: newId(), eventId, connection, event, webhookId, streamId, streamName };
    const sent = { ...what, replayOf, isTest, isOfLog, createdAt, attempt, request, signature, signedBy };
    const delivery = { ...sent, ...resultOf(outcome, new URL(outgoing.url).host) };
    this.#keep(delivery);
    return delivery;
  }

  #keep(delivery: LocalDelivery): void {
    let length = 0;
    this.#deliveries = [delivery, ...this.#deliveries].slice(0, MOST_KEPT).filter((each, at) => {
      length += each.request?.body.length ?? 0;
      return at === 0 || length <= MOST_KEPT_LENGTH;
    });
    this.#changed.fire();
  }
}

function resultOf({ failure, response, duration }: LocalOutcome, host: string) {
  const error = failure && localFailureText(failure, host);
  return { failure, error, response, duration, isSuccess: failure === undefined, statusCode: response?.status };
}

// The next event is sent after a response to the previous one or after this time, so that it isn't late.
const HEAD_START_MS = 250;
/**
 * The service retries after 5 seconds, then after twice as long each time, for more than a day. Here, retries end after
 * about two and a half minutes, because failed deliveries can be replayed.
 */
const RETRIED_AFTER_MS: readonly number[] = [5000, 10_000, 20_000, 40_000, 80_000];

/** Sends events in order and retries after 5xx and timeouts, as the service does. */
export class EventQueue implements Disposable {
  readonly #sender: LocalSender;
  readonly #clock: Clock;
  readonly #retries = new Set<Disposable>();
  readonly #waiting: { readonly outgoing: Outgoing; readonly attempt: number }[] = [];
  #isSending = false;
  #isDisposed = false;

  constructor(sender: LocalSender, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
  }

  /** Drops the events that haven't been sent. */
  dispose(): void {
    this.#isDisposed = true;
    this.#waiting.length = 0;
    for (const timer of this.#retries) timer.dispose();
    this.#retries.clear();
  }

  add(outgoing: Outgoing, attempt = 1): void {
    if (this.#isDisposed) return;
    this.#waiting.push({ outgoing, attempt });
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await this.#sendNext(next.outgoing, next.attempt);
    }
    this.#isSending = false;
  }

  // Resolves once the next one may be sent.
  async #sendNext(outgoing: Outgoing, attempt: number): Promise<void> {
    const answered = new AbortController();
    const sent = this.#sender.send(outgoing, attempt).then((delivery) => {
      answered.abort();
      if (delivery.failure === 'timedOut' || (delivery.statusCode ?? 0) >= 500) this.#retry(outgoing, attempt);
    });
    const headStart = delay(this.#clock, HEAD_START_MS, answered.signal).catch(() => undefined);
    await Promise.race([sent, headStart]);
  }

  #retry(outgoing: Outgoing, attempt: number): void {
    const after = RETRIED_AFTER_MS[attempt - 1];
    if (after === undefined || this.#isDisposed) return;
    const timer = this.#clock.setTimeout(() => {
      this.#retries.delete(timer);
      this.add(outgoing, attempt + 1);
    }, after);
    this.#retries.add(timer);
  }
}
