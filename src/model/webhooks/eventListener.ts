import type { DeliveryDetails } from '../../api/webhooks.ts';
import type { Memento } from '../../services.ts';
import { makeQueue } from '../../util/async.ts';
import { delay } from '../../util/clock.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import { Emitter, type Event, either } from '../../util/events.ts';
import { connectionIdOf } from '../store/snapshot.ts';
import { type EventSubject, makeEnvelope } from './envelope.ts';
import { type ListeningParts, ListeningSession } from './listeningSession.ts';
import { type ListenLock, takeListenLock } from './listenLock.ts';
import { canConnect, createLocalPost, type PostLocally } from './localPost.ts';
import { LocalSender, type Outgoing } from './localSender.ts';
import { checkLocalUrl, handlerOf, LocalUrlError, type Lookup, resolveLocal } from './localUrl.ts';
import { makeBodyRequest, makeReplay } from './requests.ts';
import type { Listening, ListenRequest, LocalDelivery, Signer, TestEvent } from './state.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

type OwnParts = Pick<ListeningParts, 'sender' | 'readSigner' | 'canConnect' | 'onDidFindOut'>;

const LAST_URL = 'webhooks.localUrl';
// A service that doesn't respond must not prevent listening.
const BASELINE_WITHIN_MS = 5000;

export interface EventListenerOptions extends Omit<ListeningParts, keyof OwnParts> {
  readonly secrets: WebhookSecrets;
  /** The state stored for the folder. */
  readonly workspace: Memento;
  /** Returns the ID of the loaded webhook that delivers to a handler; undefined if there is none. */
  readonly findWebhookAt: (handler: string) => string | undefined;
  /** Returns a string without the account's secrets. */
  readonly clean: (text: string) => string;
  readonly post?: PostLocally;
  readonly lookup?: Lookup;
  readonly takeLock?: (url: string) => Promise<ListenLock | undefined>;
}

interface OwnDeliveries {
  readonly all: readonly LocalDelivery[];
  readonly open: string | undefined;
  readonly own: readonly LocalDelivery[];
}

interface HandlerLock {
  readonly handler: string;
  /** undefined if the URL is shared with another window. */
  readonly held: ListenLock | undefined;
}

/**
 * Posts the events of the open connection's streams to a handler on this computer, as the service would. Test events
 * and replays work without listening. Methods throw only LocalUrlError; a handler's failure is recorded as a delivery.
 */
export class EventListener implements Disposable {
  readonly #options: EventListenerOptions;
  readonly #owned = new DisposableStore();
  readonly #sender: LocalSender;
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly #session = this.#owned.add(new DisposableSlot<ListeningSession>());
  readonly #inOrder = makeQueue();
  #lock: HandlerLock | undefined;
  #shown: OwnDeliveries | undefined;
  #released: Promise<void> = Promise.resolve();
  #stops = 0;
  readonly onDidChange: Event<void>;

  constructor(options: EventListenerOptions) {
    this.#options = options;
    const post = options.post ?? createLocalPost(options);
    this.#sender = this.#owned.add(
      new LocalSender({ ...options, post, connection: () => connectionIdOf(options.store.snapshot) }),
    );
    this.onDidChange = either(this.#changed.event, this.#sender.onDidChange);
    this.#owned.add(options.secrets.onDidChange(() => void this.#session.value?.readSigner()));
  }

  get listening(): Listening | undefined {
    return this.#session.value?.listening;
  }

  /**
   * The deliveries of the open connection, newest first. Returns the same list until it changes, because rows cache
   * lookups by list.
   */
  get deliveries(): readonly LocalDelivery[] {
    const open = connectionIdOf(this.#options.store.snapshot);
    const { deliveries: all } = this.#sender;
    if (this.#shown?.all !== all || this.#shown.open !== open) {
      this.#shown = { all, open, own: all.filter(({ connection }) => connection === open) };
    }
    return this.#shown.own;
  }

  /** The URL where this folder last listened or, until it has, the first URL it sent to. */
  get lastUrl(): string | undefined {
    const url = this.#options.workspace.get(LAST_URL);
    return typeof url === 'string' ? url : undefined;
  }

  dispose(): void {
    this.#stops += 1;
    this.#release();
    this.#owned.dispose();
  }

  /**
   * Resolves once the current state is known. Later events are sent. If the URL is refused, the window continues to
   * listen at its previous URL. Throws `inUse` if another window listens at the URL.
   */
  start(request: ListenRequest): Promise<void> {
    const stops = this.#stops;
    return this.#inOrder(() => this.#start(request, () => stops !== this.#stops));
  }

  stop(): void {
    this.#stops += 1;
    if (this.#session.value === undefined) return;
    this.#session.set(undefined);
    this.#release();
    this.#changed.fire();
  }

  async send({ event, url, subject, body, webhookId: chosen }: TestEvent): Promise<LocalDelivery> {
    const target = await this.#checkTarget(url);
    const ofWebhook = chosen ?? this.#sessionAt(target)?.listening.webhookId;
    const signer = await this.#readSigner(target, ofWebhook);
    const webhookId = ofWebhook ?? signer.webhookId;
    const makeNow = (now: number) => body ?? this.#envelope({ event, subject, webhookId, now });
    const outgoing = { url: target, event, webhookId, streamId: subject?.stream.id, isTest: true };
    return this.#send({ ...outgoing, make: (now) => makeBodyRequest(makeNow(now), signer, now) });
  }

  /** Returns the secret that signs events sent to the URL where this window listens, or otherwise to `lastUrl`. */
  readSigner(): Promise<Signer> {
    return this.#readSigner(this.listening?.url ?? this.lastUrl, this.listening?.webhookId);
  }

  /** Returns the body of a test event, to edit. */
  makeBody(event: string, subject?: EventSubject): string {
    const webhookId = this.listening?.webhookId ?? '';
    return this.#envelope({ event, subject, webhookId, now: this.#options.clock.now(), indent: 2 });
  }

  /** Sends a recorded request again, byte for byte. Throws `noRequest` if it wasn't recorded. */
  async replay(delivery: DeliveryDetails | LocalDelivery, url?: string, isChosen = false): Promise<LocalDelivery> {
    const { request } = delivery;
    if (request === undefined) throw new LocalUrlError('noRequest');
    const target = await this.#checkTarget(url);
    if (isChosen && this.listening === undefined) this.#remember(target);
    const signer = this.#sessionAt(target)?.signer ?? (await this.#signerOf(delivery));
    const { id: replayOf, event, webhookId, streamId } = delivery;
    return this.#send({
      url: target,
      event,
      webhookId,
      streamId,
      replayOf,
      isOfLog: !('attempt' in delivery) || delivery.isOfLog === true,
      make: (now) => makeReplay(request, signer, now),
    });
  }

  async #start(request: ListenRequest, isStopped: () => boolean): Promise<void> {
    const url = await this.#checkUrl(request.url);
    const lock = await this.#takeLock(url, request.isShared === true);
    const session = new ListeningSession(this.#parts(), { ...request, url });
    await session.readSigner();
    if (isStopped()) {
      session.dispose();
      if (this.#session.value === undefined) this.#releaseLock(lock);
      return;
    }
    if (this.#lock?.handler !== lock.handler) this.#release();
    this.#lock = lock;
    this.#session.set(session);
    this.#remember(url);
    const isKnown = new AbortController();
    const begun = session.begin().finally(() => isKnown.abort());
    this.#changed.fire();
    await Promise.race([begun, delay(this.#options.clock, BASELINE_WITHIN_MS, isKnown.signal).catch(() => undefined)]);
  }

  #parts(): ListeningParts {
    const readSigner = ({ url, webhookId }: Listening, connectionId: string | undefined) => {
      return this.#readSigner(url, webhookId, connectionId);
    };
    return {
      ...this.#options,
      sender: this.#sender,
      readSigner,
      canConnect: (url) => canConnect(url, this.#options),
      onDidFindOut: () => this.#changed.fire(),
    };
  }

  async #checkTarget(url: string | undefined): Promise<string> {
    const target = url ?? this.listening?.url ?? this.lastUrl;
    if (target === undefined) throw new LocalUrlError('noUrl');
    const checked = await this.#checkUrl(target);
    if (this.lastUrl === undefined) this.#remember(checked);
    return checked;
  }

  async #checkUrl(text: string): Promise<string> {
    const checked = checkLocalUrl(text);
    if ('fault' in checked) throw new LocalUrlError(checked.fault);
    const resolved = await resolveLocal(checked.url, this.#options.lookup);
    if ('fault' in resolved) throw new LocalUrlError(resolved.fault);
    return checked.url;
  }

  async #takeLock(url: string, isShared: boolean): Promise<HandlerLock> {
    const handler = handlerOf(url);
    if (this.#lock?.handler === handler) return this.#lock;
    const { log, takeLock = takeListenLock } = this.#options;
    await this.#released;
    try {
      const held = await takeLock(url);
      if (held === undefined && !isShared) throw new LocalUrlError('inUse');
      return { handler, held };
    } catch (error) {
      if (error instanceof LocalUrlError) throw error;
      log.error("Couldn't determine whether other windows listen at this URL", error);
      return { handler, held: undefined };
    }
  }

  #release(): void {
    if (this.#lock !== undefined) this.#releaseLock(this.#lock);
    this.#lock = undefined;
  }

  #releaseLock({ held }: HandlerLock): void {
    if (held !== undefined) this.#released = held.release();
  }

  #sessionAt(url: string): ListeningSession | undefined {
    const session = this.#session.value;
    return session !== undefined && handlerOf(session.listening.url) === handlerOf(url) ? session : undefined;
  }

  /** Uses the chosen webhook or the one that delivers to the URL, if its secret is known here; otherwise the folder. */
  async #readSigner(
    url: string | undefined,
    chosen: string | undefined,
    connectionId = connectionIdOf(this.#options.store.snapshot),
  ): Promise<Signer> {
    const webhookId = chosen ?? (url === undefined ? undefined : this.#options.findWebhookAt(handlerOf(url)));
    return (await this.#signerOfWebhook(webhookId, connectionId)) ?? this.#signerOfFolder();
  }

  /** Returns undefined if its secret isn't known here. */
  async #signerOfWebhook(
    webhookId: string | undefined,
    connectionId = connectionIdOf(this.#options.store.snapshot),
  ): Promise<Signer | undefined> {
    if (webhookId === undefined || webhookId === '' || connectionId === undefined) return undefined;
    const secret = await this.#options.secrets.of(connectionId, webhookId);
    return secret === undefined ? undefined : { webhookId, secret };
  }

  /** Makes the folder's secret if it has none yet. */
  async #signerOfFolder(): Promise<Signer> {
    return { webhookId: '', secret: await this.#options.secrets.ofFolder() };
  }

  /** Returns undefined if the secret that signed it isn't known here. */
  async #signerOf(delivery: DeliveryDetails | LocalDelivery): Promise<Signer | undefined> {
    const signer = await this.#signerOfWebhook(delivery.webhookId);
    // Requests sent from here without a webhook's secret were signed with the folder's.
    return signer ?? ('attempt' in delivery ? this.#signerOfFolder() : undefined);
  }

  #envelope(facts: {
    readonly event: string;
    readonly subject: EventSubject | undefined;
    readonly webhookId: string;
    readonly now: number;
    readonly indent?: number;
  }): string {
    const { now, indent, ...rest } = facts;
    return makeEnvelope({ ...rest, id: this.#options.newId(), createdAt: now, timestamp: now }, indent);
  }

  #send(outgoing: Outgoing): Promise<LocalDelivery> {
    return this.#sender.send(outgoing);
  }

  #remember(url: string): void {
    const { log, workspace } = this.#options;
    if (url === this.lastUrl) return;
    workspace.set(LAST_URL, url).catch((error: unknown) => {
      log.error("Couldn't save the local URL of this folder", error);
    });
  }
}
