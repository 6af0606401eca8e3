import type { DeliveryDetails } from '../../api/webhooks.ts';
import type { Presence } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Interest } from '../loading/interest.ts';
import { connectionIdOf, type SnapshotChange } from '../store/snapshot.ts';
import { DeliveryForwarder } from './deliveryForwarder.ts';
import { makeEnvelope } from './envelope.ts';
import { type DeliveryLog, OWN_EVENTS } from './followedLog.ts';
import { EventQueue, type LocalSender } from './localSender.ts';
import type { SeenEvent } from './recordingEvents.ts';
import { makeBodyRequest, makeReplay } from './requests.ts';
import type { Listening, ListenRequest, LocalDelivery, Signer } from './state.ts';
import { isSameConnection, StreamEvents, type StreamEventsOptions } from './streamEvents.ts';

export interface ListeningParts extends Omit<StreamEventsOptions, 'onEvent' | 'isFollowed'> {
  readonly interest: Interest;
  readonly presence: Presence;
  readonly readSigner: (listening: Listening, connectionId: string | undefined) => Promise<Signer>;
  /** Returns the service's log for the open connection; undefined if none is open. See `readAccountLog`. */
  readonly openLog: () => DeliveryLog | undefined;
  readonly newId: () => string;
  readonly sender: LocalSender;
  /** Whether something listens at a URL. */
  readonly canConnect: (url: string) => Promise<boolean>;
  /** Called once `isUnanswered` has changed. */
  readonly onDidFindOut: () => void;
}

// A check only connects: the handler gets no request. If there is a handler, checks are rare and made only while the
// window has focus.
const UNANSWERED_CHECK_MS = 3000;
const ANSWERED_CHECK_MS = 15_000;

/** Sends the events that this window sees and those in the service's log, until it stops listening. */
export class ListeningSession implements Disposable {
  #listening: Listening;
  readonly #parts: ListeningParts;
  readonly #connectionId: string | undefined;
  readonly #owned = new DisposableStore();
  readonly #queue: EventQueue;
  readonly #check = this.#owned.add(new DisposableSlot());
  #signer: Signer = { webhookId: '', secret: '' };
  #checkedAt = 0;

  constructor(parts: ListeningParts, { url, events, webhookId, streamId }: ListenRequest) {
    this.#parts = parts;
    this.#connectionId = connectionIdOf(parts.store.snapshot);
    this.#listening = { url, events, webhookId, streamId, since: parts.clock.now() };
    this.#queue = this.#owned.add(new EventQueue(parts.sender, parts.clock));
  }

  get listening(): Listening {
    return this.#listening;
  }

  get signer(): Signer {
    return this.#signer;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async readSigner(): Promise<void> {
    this.#signer = await this.#parts.readSigner(this.listening, this.#connectionId);
  }

  async begin(): Promise<void> {
    const { interest, presence, store, sender } = this.#parts;
    const { webhookId } = this.listening;
    const onEvent = (seen: SeenEvent): void => this.#onEvent(seen);
    const isFollowed = (streamId: string): boolean => [...OWN_EVENTS].some((event) => this.#isSent(event, streamId));
    const events = this.#owned.add(new StreamEvents({ ...this.#parts, onEvent, isFollowed }));
    const onDelivery = (delivery: DeliveryDetails): void => this.#onDelivery(delivery);
    const openLog = (): DeliveryLog | undefined => this.#openLog();
    const forwarder = this.#owned.add(new DeliveryForwarder({ ...this.#parts, openLog, webhookId, onDelivery }));
    this.#owned.add(
      store.onDidChange(({ previous, current }: SnapshotChange) => {
        if (previous.generation !== current.generation) forwarder.restart(isSameConnection(previous, current));
      }),
    );
    this.#owned.add(interest.listen());
    this.#owned.add(sender.onDidChange(() => this.#onDidSend(sender.deliveries[0])));
    this.#owned.add(presence.onDidChange(() => this.#planCheck()));
    await Promise.all([events.begin(), forwarder.begin(), this.#checkHandler()]);
  }

  async #checkHandler(): Promise<void> {
    this.#noteHandler(!(await this.#parts.canConnect(this.#listening.url)));
  }

  #onDidSend(delivery: LocalDelivery | undefined): void {
    if (URL.parse(delivery?.request?.url ?? '')?.host !== new URL(this.#listening.url).host) return;
    if (delivery?.failure === 'refused') this.#noteHandler(true);
    else if (delivery?.statusCode !== undefined) this.#noteHandler(false);
  }

  #noteHandler(isUnanswered: boolean): void {
    if (this.#owned.isDisposed) return;
    const { clock, onDidFindOut } = this.#parts;
    this.#checkedAt = clock.elapsed();
    const isKnown = isUnanswered === (this.#listening.isUnanswered ?? false);
    if (!isKnown) this.#listening = { ...this.#listening, isUnanswered };
    this.#planCheck();
    if (!isKnown) onDidFindOut();
  }

  #planCheck(): void {
    const { clock, presence } = this.#parts;
    const { isUnanswered = false } = this.#listening;
    const wait = this.#checkedAt + (isUnanswered ? UNANSWERED_CHECK_MS : ANSWERED_CHECK_MS) - clock.elapsed();
    const isDue = isUnanswered || presence.isFocused();
    this.#check.set(isDue ? clock.setTimeout(() => void this.#checkHandler(), Math.max(0, wait)) : undefined);
  }

  // The chosen webhook belongs to the connection that was open when listening began.
  #openLog(): DeliveryLog | undefined {
    const { openLog, store } = this.#parts;
    if (store.snapshot.connection.kind !== 'open') return undefined;
    const isOther =
      this.listening.webhookId !== undefined && connectionIdOf(this.#parts.store.snapshot) !== this.#connectionId;
    return isOther ? undefined : openLog();
  }

  #isSent(event: string, streamId: string | undefined): boolean {
    const { events, streamId: only } = this.listening;
    return (events === undefined || events.includes(event)) && (only === undefined || only === streamId);
  }

  #onEvent({ event, subject, at }: SeenEvent): void {
    const { clock, newId } = this.#parts;
    const { url, webhookId = '' } = this.listening;
    const streamId = subject.stream.id;
    if (!this.#isSent(event, streamId)) return;
    const facts = { id: newId(), webhookId, event, createdAt: at ?? clock.now(), subject };
    const body = (now: number) => makeEnvelope({ ...facts, timestamp: now });
    const make = (now: number) => makeBodyRequest(body(now), this.#signer, now);
    this.#queue.add({ url, event, webhookId, streamId, make });
  }

  #onDelivery({ event, webhookId, streamId, request }: DeliveryDetails): void {
    if (request === undefined || !this.#isSent(event, streamId)) return;
    const make = (now: number) => makeReplay(request, this.#signer, now);
    this.#queue.add({ url: this.listening.url, event, webhookId, streamId, isOfLog: true, make });
  }
}
