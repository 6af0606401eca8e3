import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError, isApiError } from '../api/errors.ts';
import type { DeliveryDetails } from '../api/webhooks.ts';
import { isForOpenConnection } from '../model/connection/connectActions.ts';
import type { ModelContext } from '../model/context.ts';
import type { KeptDelivery } from '../model/pages/panelState.ts';
import { curlCommand } from '../model/webhooks/curlCommand.ts';
import { deliveredLater } from '../model/webhooks/failures.ts';
import { lastTryOf } from '../model/webhooks/retries.ts';
import { signatureOf } from '../model/webhooks/signature.ts';
import type { LocalDelivery, LocalEvents, WebhooksState } from '../model/webhooks/state.ts';
import type { WebhookSecrets } from '../model/webhooks/webhookSecrets.ts';
import type { Webhooks } from '../model/webhooks/webhooks.ts';
import type { Ui } from '../services.ts';
import { retryLabel } from '../texts/labels.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type {
  DeliveryAct,
  DeliveryCommand,
  DeliveryRun,
  FromDelivery,
  ShownDelivery,
  ToDelivery,
} from '../webview/delivery/messages.ts';
import { isDeliveryRun, readDeliveryMessage, runOf } from './deliveryMessages.ts';
import { isLocalDelivery } from './deliveryOutcome.ts';
import { connectionProblem } from './ownConnection.ts';
import { noteFailure, type PageEvents, type WebviewPage } from './page.ts';
import {
  type DeliverySubject,
  deliveryElsewhere,
  deliveryTitle,
  noDelivery,
  type ReadDelivery,
  readDelivery,
  shownDelivery,
} from './shownDelivery.ts';
import { nameInDeliveryTab } from './tabTitles.ts';

/** The subject of a delivery's tab. Without `delivery` in a tab that was restored with the window. */
export interface DeliveryTarget extends KeptDelivery {
  readonly delivery?: DeliveryDetails;
}

export interface DeliveryOptions {
  /** Loads the webhooks; undefined if their code can't be loaded. */
  readonly loadWebhooks: () => Promise<KnownWebhooks | undefined>;
}

interface KnownWebhooks {
  readonly webhooks: Pick<Webhooks, 'readDelivery' | 'onDidChange'> & {
    readonly state: Pick<WebhooksState, 'resent' | 'webhooks' | 'deliveries'>;
  };
  readonly webhookSecrets: Pick<WebhookSecrets, 'of' | 'onDidChange'>;
  readonly eventListener: Pick<LocalEvents, 'deliveries' | 'onDidChange'>;
}

export interface DeliveryPanelOptions extends DeliveryOptions, Pick<ModelContext, 'log' | 'drawing'> {
  readonly store: Pick<ModelContext['store'], 'snapshot' | 'onDidChange'>;
  readonly ui: Pick<Ui, 'copy'>;
  readonly title: string;
  readonly makePage: (events: PageEvents<FromDelivery>) => WebviewPage;
  readonly runCommand: (id: DeliveryCommand | 'switchConnection', ...args: readonly unknown[]) => Promise<void>;
  /** Keeps later clicks from showing something else in this tab. */
  readonly keep: () => void;
}

/** One delivery in one tab. It never changes, so it's read once. Secrets are hidden again with the tab. */
export class DeliveryPanel implements Disposable {
  readonly #options: DeliveryPanelOptions;
  readonly #owned = new DisposableStore();
  readonly #page: WebviewPage;
  readonly #title: string;
  #known: KnownWebhooks | undefined;
  #target: DeliveryTarget;
  #loading: AbortController | undefined;
  #read: ReadDelivery | undefined;
  /** Of the last replay. */
  readonly #readReplay = this.#keepsRead<LocalDelivery>();
  /** Of the last resend. */
  readonly #readResent = this.#keepsRead<DeliveryDetails>();
  #failure: { readonly sentence: string; readonly canRetry: boolean } | undefined;
  #isRevealed = false;
  #sent = '';
  readonly isInUse = false;

  constructor(target: DeliveryTarget, options: DeliveryPanelOptions) {
    this.#target = target;
    this.#options = options;
    this.#title = deliveryTitle(nameInDeliveryTab(options.title));
    this.#page = this.#owned.add(
      options.makePage({
        read: readDeliveryMessage,
        onReady: () => this.#sendAgain(),
        onSaid: (said) => this.#do(said),
        onSeenOrHidden: () => this.#seenOrHidden(),
      }),
    );
    this.#owned.add(options.store.onDidChange(() => this.#followStore()));
  }

  async showAgain(target: DeliveryTarget): Promise<void> {
    this.#target = target;
    this.#page.reveal();
    await this.load();
  }

  async load(): Promise<void> {
    const { delivery, kind } = this.#target;
    this.#failure = undefined;
    if (delivery !== undefined) return this.#take(delivery);
    if (kind === 'localDelivery') {
      const sentence = t("Events sent from this computer aren't kept when the window reloads.");
      this.#failure = { sentence, canRetry: false };
    } else if (this.#isOpen) return this.#request();
    this.#update();
  }

  dispose(): void {
    this.#loading?.abort();
    this.#owned.dispose();
  }

  get #problem() {
    const { connection } = this.#target;
    return connectionProblem(this.#options.store.snapshot, { connection });
  }

  get #isOpen(): boolean {
    return this.#problem === undefined;
  }

  async #request(): Promise<void> {
    const { loadWebhooks, log } = this.#options;
    const { webhookId, id } = this.#target;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#update();
    try {
      const known = await loadWebhooks();
      if (known === undefined) throw new Error('What knows of webhooks could not be loaded');
      const delivery = await known.webhooks.readDelivery(webhookId, id, loading.signal);
      if (this.#loading === loading) await this.#take(delivery);
    } catch (error) {
      if (this.#loading !== loading || isAbortError(error)) return;
      noteFailure(log, 'A delivery could not be read', error);
      const isGone = isApiError(error, 'notFound');
      const sentence = isGone
        ? t('This delivery is no longer in the log of its webhook.')
        : describeError(error, { service: undefined });
      this.#failure = { sentence, canRetry: !isGone };
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
      this.#update();
    }
  }

  async #take(delivery: DeliveryDetails): Promise<void> {
    this.#target = { ...this.#target, delivery };
    this.#note({ delivery, secret: this.#read?.secret });
    this.#update();
    await this.#readSecret();
  }

  async #readSecret(): Promise<void> {
    const { delivery, connection } = this.#target;
    if (delivery === undefined) return;
    try {
      const known = await this.#options.loadWebhooks();
      if (known === undefined || this.#owned.isDisposed) return;
      this.#follow(known);
      const { webhookSecrets } = known;
      const signer = this.#signer;
      const secret = await webhookSecrets.of(connection, signer === '' ? undefined : signer);
      if (this.#target.delivery !== delivery) return;
      this.#note({ delivery, secret });
    } catch (error) {
      noteFailure(this.#options.log, 'The secret of a webhook could not be read', error);
    }
    this.#update();
  }

  #follow(known: KnownWebhooks): void {
    if (this.#known !== undefined) return;
    this.#known = known;
    this.#owned.add(known.webhookSecrets.onDidChange(() => void this.#readSecret()));
    this.#owned.add(known.eventListener.onDidChange(() => this.#update()));
    this.#owned.add(known.webhooks.onDidChange(() => this.#update()));
  }

  /** The webhook whose secret signed the delivery; '' for the folder. */
  get #signer(): string {
    const { delivery, webhookId } = this.#target;
    return (delivery !== undefined && isLocalDelivery(delivery) ? delivery.signedBy : undefined) ?? webhookId;
  }

  #note({ delivery, secret }: Omit<DeliverySubject, 'stream'>): void {
    const { drawing } = this.#options;
    this.#read = readDelivery({ delivery, secret, stream: this.#stream }, drawing());
  }

  get #stream(): DeliverySubject['stream'] {
    const { streamId } = this.#target.delivery ?? {};
    if (streamId === undefined || !this.#isOpen) return undefined;
    return this.#options.store.snapshot.streams.get(streamId)?.stream;
  }

  #followStore(): void {
    if (this.#read !== undefined) {
      const stream = this.#stream;
      const { name, streamKey } = this.#read.stream ?? {};
      const isOther = stream?.name !== name || stream?.streamKey !== streamKey;
      if (isOther && stream !== undefined) this.#note(this.#read);
    } else if (this.#isOpen && this.#loading === undefined && this.#failure === undefined) void this.load();
    this.#update();
  }

  get #shown(): ShownDelivery {
    const { drawing } = this.#options;
    const elsewhere = this.#problem;
    const isLocal = this.#target.kind === 'localDelivery';
    if (this.#read === undefined) {
      if (elsewhere !== undefined && !isLocal) return deliveryElsewhere(this.#title, elsewhere);
      const { sentence, canRetry = false } = this.#failure ?? {};
      return noDelivery(this.#title, sentence, canRetry ? [{ label: retryLabel(), act: 'retry' }] : []);
    }
    const { id, webhookId } = this.#target;
    const { delivery } = this.#read;
    const ownId = webhookOf(delivery, webhookId);
    const webhook = this.#known?.webhooks.state.webhooks.items.find((each) => each.id === ownId);
    const local = this.#known?.eventListener.deliveries ?? [];
    const replay = local.find(({ replayOf }) => replayOf === id);
    const resent = isLocal ? undefined : this.#known?.webhooks.state.resent.get(id);
    const listed = isLocal ? local : (this.#known?.webhooks.state.deliveries.get(webhookId)?.items ?? []);
    const last = deliveredLater(delivery, listed) ?? (isLocal ? delivery : lastTryOf(delivery, listed));
    const retried = last.id === id ? undefined : last;
    const sent = listed.filter(({ eventId }) => eventId !== undefined && eventId === delivery.eventId);
    const repeats = { replay: replay && this.#readReplay(replay), resent: resent && this.#readResent(resent) };
    const known = { webhook, ...repeats, retried, sent };
    const needsKey = elsewhere === undefined && this.#options.store.snapshot.connection.kind === 'refused';
    const view = { isRevealed: this.#isRevealed, elsewhere, needsKey, ...known };
    return shownDelivery(this.#read, view, drawing());
  }

  /** Returns a function that reads a repeated delivery again only if it's another, or more is known of it. */
  #keepsRead<T extends DeliveryDetails>(): (delivery: T) => ReadDelivery<T> {
    let known: ReadDelivery<T> | undefined;
    return (delivery) => {
      const { secret, stream } = this.#read ?? {};
      if (known?.delivery === delivery && known.secret === secret && known.stream === stream) return known;
      known = readDelivery({ delivery, secret, stream }, this.#options.drawing());
      return known;
    };
  }

  #update(): void {
    if (this.#owned.isDisposed || !this.#page.isSeen) return;
    const shown = this.#shown;
    const text = JSON.stringify(shown);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send({ kind: 'show', shown });
  }

  #seenOrHidden(): void {
    if (!this.#page.isSeen) {
      this.#isRevealed = false;
      this.#sent = '';
    }
    this.#update();
  }

  #sendAgain(): void {
    this.#isRevealed = false;
    this.#sent = '';
    this.#update();
  }

  async #do({ act, target }: FromDelivery): Promise<void> {
    return isDeliveryRun(act) ? this.#run(act, target) : this.#act(act);
  }

  async #run(act: DeliveryRun, attempt?: string): Promise<void> {
    const { store, runCommand, keep } = this.#options;
    const { connection, webhookId, id, delivery } = this.#target;
    const { command, target } = runOf(act);
    if (!isForOpenConnection(store.snapshot, connection, command)) return this.#update();
    switch (target) {
      case 'delivery':
        return runCommand(command, { webhookId, id, isOnPage: true });
      case 'elsewhere':
        return runCommand(command, { webhookId, id, isOnPage: true, isElsewhere: true });
      case 'attempt': {
        const isShown = this.#shown.attempts.some(({ button }) => button !== undefined && button.target === attempt);
        const isLocal = this.#known?.eventListener.deliveries.some((each) => each.id === attempt) === true;
        return isShown ? runCommand(command, { webhookId: isLocal ? '' : webhookId, id: attempt }) : undefined;
      }
      case 'stream':
        keep();
        return delivery?.streamId === undefined ? undefined : runCommand(command, delivery.streamId);
      case 'webhook':
        return runCommand(command, { id: webhookId });
      case 'signer':
        return runCommand(command, { id: this.#signer });
      case 'secret':
        return runCommand(command, { id: this.#signer, deliveryId: id });
      case 'none':
        return runCommand(command);
      default:
        target satisfies never;
    }
  }

  async #act(act: DeliveryAct): Promise<void> {
    const request = this.#target.delivery?.request;
    switch (act) {
      case 'copyCurl':
        return this.#copy(act, request && curlCommand(request));
      case 'copyBody':
        return this.#copy(act, request?.body);
      case 'copySignature':
        return this.#copy(act, request && signatureOf(request.headers));
      case 'reveal':
      case 'hide':
        this.#isRevealed = act === 'reveal';
        return this.#update();
      case 'retry':
        return this.load();
      case 'openOwnConnection':
        return this.#options.runCommand('switchConnection', { connectionId: this.#target.connection });
      default:
        act satisfies never;
    }
  }

  async #copy(act: DeliveryAct, text: string | undefined): Promise<void> {
    if (text === undefined) return;
    await this.#options.ui.copy(text);
    this.#send({ kind: 'copied', act });
  }

  #send(message: ToDelivery): void {
    this.#page.send(message);
  }
}

/** An envelope made here may name any webhook, so it belongs to the one whose secret signed it. */
function webhookOf(delivery: ReadDelivery['delivery'], webhookId: string): string | undefined {
  return isLocalDelivery(delivery) && delivery.isOfLog !== true ? delivery.signedBy : webhookId;
}
