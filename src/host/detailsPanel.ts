import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import type { Session, Stream } from '../api/types.ts';
import type { CommandContext } from '../commands/context.ts';
import { templatesInForce } from '../commands/knownAddresses.ts';
import { flashDone, nameOf } from '../commands/messages.ts';
import { isRefusal } from '../commands/refusal.ts';
import { detailsPolicy } from '../model/detailsState.ts';
import { KeyReveal } from '../model/keyReveal.ts';
import type { KeptSubject } from '../model/panelSubject.ts';
import type { Presence } from '../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../util/disposable.ts';
import type { FromPage, PageAct, PageCommand, Shown, ToPage } from '../webview/details/messages.ts';
import { hasGone, isOther, loadSubject, lookAtSubject, type SubjectParts } from './detailsLoading.ts';
import { readPageMessage, targetOf } from './detailsMessages.ts';
import { rowOfSession, runOwnCommand } from './ownCommands.ts';
import { factOf, shownDetails, whyNotOpen } from './shownDetails.ts';
import { secretsOf } from './streamDetails.ts';
import { webviewPage, webviewRoots } from './webviewPage.ts';

export interface DetailsOptions
  extends Pick<
    CommandContext,
    'current' | 'store' | 'loader' | 'settings' | 'demo' | 'drawing' | 'clock' | 'ui' | 'log'
  > {
  readonly presence: Pick<Presence, 'isFocused'>;
  readonly extensionUri: vscode.Uri;
}

export interface DetailsTarget extends KeptSubject {
  /** As it was known when it was opened. */
  readonly session?: Session | undefined;
}

/** Changes come in bursts. */
const GATHER_MS = 100;
/** So that "4 min ago" stays true where nothing is asked. */
const TICK_SECONDS = 20;

/**
 * The details of one stream or session in one tab. While it is seen it follows the store and looks at the service in the
 * poller's rhythm; hidden it does nothing, and its page is made anew when it is seen again.
 */
export class DetailsPanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #target: DetailsTarget;
  readonly #options: DetailsOptions;
  readonly #owned = new DisposableStore();
  readonly #gathering = this.#owned.add(new DisposableSlot());
  readonly #look = this.#owned.add(new DisposableSlot());
  readonly #reveal: KeyReveal;
  #loads = 0;
  /** It has to be loaded when it is seen next. */
  #isDue = false;
  #session: Session | undefined;
  #name = '';
  /** Why there is nothing to show, beyond what the store says. */
  #trouble: string | undefined;
  #parentId: string | undefined;
  #sent = '';
  /** A panel that is gone throws when it is asked for its title, or whether it is seen. */
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, target: DetailsTarget, options: DetailsOptions) {
    this.#panel = panel;
    this.#target = target;
    this.#options = options;
    this.#session = target.session;
    this.#reveal = this.#owned.add(new KeyReveal(options.clock, () => this.#send({ kind: 'hide' })));
    const { extensionUri, store } = options;
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: webviewRoots(extensionUri) };
    this.#owned.add(webview.onDidReceiveMessage((message: unknown) => void this.#receive(readPageMessage(message))));
    this.#owned.add(panel.onDidChangeViewState(() => this.#seenOrHidden()));
    this.#owned.add(
      store.onDidChange((change) => {
        const { previous, current } = change;
        const isAnew =
          previous.generation !== current.generation || previous.connection.kind !== current.connection.kind;
        if (previous.generation !== current.generation) this.#forgetSession();
        if (isAnew || hasGone(change, this.#parts)) void this.load();
        else if (isOther(change, this.#parts)) this.#gather();
      }),
    );
    const { connection, kind, id } = target;
    const data = { subject: { connection, kind, id } };
    webview.html = webviewPage({ webview, extensionUri, name: 'details', policy: detailsPolicy, data });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#loads += 1;
    this.#owned.dispose();
  }

  /** Has asked for what is not known yet, once it is seen. Does not throw. */
  async load(): Promise<void> {
    if (this.#isDisposed) return;
    const load = ++this.#loads;
    this.#reveal.end();
    this.#trouble = undefined;
    this.#update();
    this.#isDue = !this.#panel.visible;
    if (!this.#isOpen || this.#isDue) return;
    try {
      const session = await loadSubject(this.#options, this.#parts);
      if (load === this.#loads) this.#session = session;
    } catch (error) {
      if (load === this.#loads) this.#trouble = this.#troubleOf(error);
    }
    if (load === this.#loads) this.#update();
  }

  /** Its connection was opened anew: its addresses may have moved, or itself be gone. */
  #forgetSession(): void {
    this.#parentId = this.#session?.parentId ?? this.#parentId;
    this.#session = undefined;
  }

  get #parts(): SubjectParts {
    return { target: this.#target, session: this.#session, parentId: this.#parentId, name: this.#name };
  }

  get #shown(): Shown {
    const { title } = this.#panel;
    return shownDetails(this.#options, { ...this.#parts, trouble: this.#trouble, title });
  }

  get #isOpen(): boolean {
    return whyNotOpen(this.#options.store.snapshot, this.#target, '') === undefined;
  }

  #troubleOf(error: unknown): string | undefined {
    const { current, log } = this.#options;
    if (isAbortError(error)) return undefined;
    if (isRefusal(error)) return error.sentence;
    log.error('The details could not be loaded', error);
    return describeError(error, { service: current.info?.name ?? t('The service') });
  }

  #seenOrHidden(): void {
    if (!this.#panel.visible) {
      this.#reveal.end();
      this.#gathering.set(undefined);
      this.#look.set(undefined);
      this.#sent = '';
    } else if (this.#isDue) void this.load();
    else this.#planLook();
  }

  #gather(): void {
    if (!this.#panel.visible || this.#gathering.value !== undefined) return;
    this.#gathering.set(
      this.#options.clock.setTimeout(() => {
        this.#gathering.set(undefined);
        this.#update();
      }, GATHER_MS),
    );
  }

  /** Sends what is to be shown, when it is another and anybody sees it. */
  #update(): void {
    if (this.#isDisposed) return;
    const shown = this.#shown;
    if (shown.kind === 'details') this.#name = shown.title;
    if (this.#panel.title !== tabTitle(shown)) this.#panel.title = tabTitle(shown);
    if (!this.#panel.visible) return;
    const text = JSON.stringify(shown);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send({ kind: 'show', shown });
  }

  /** In the poller's rhythm, while the tab is seen and the window has the focus. */
  #planLook(): void {
    if (this.#isDisposed) return;
    const { clock, settings } = this.#options;
    const seconds = settings.refreshInterval();
    const wait = seconds > 0 ? seconds : TICK_SECONDS;
    this.#look.set(clock.setTimeout(() => void this.#lookAgain(seconds * 1000), wait * 1000));
  }

  async #lookAgain(intervalMs: number): Promise<void> {
    const { log, presence } = this.#options;
    const isDue = intervalMs > 0 && presence.isFocused() && this.#trouble === undefined;
    try {
      if (isDue && this.#isOpen) {
        this.#session = await lookAtSubject(this.#options, this.#parts, intervalMs);
      }
    } catch (error) {
      log.debug(`Looking again at the details failed: ${String(error)}`);
    }
    if (this.#isDisposed) return;
    this.#update();
    if (this.#panel.visible) this.#planLook();
  }

  async #receive(message: FromPage | undefined): Promise<void> {
    if (this.#isDisposed) return;
    if (message === undefined) return this.#options.log.warn('The details page said what it may not say');
    try {
      if (message.kind === 'ready') this.#ready();
      else if (message.kind === 'act') await this.#act(message.act);
      else await this.#command(message.command, message.session);
    } catch (error) {
      this.#options.log.error('The details page could not do what was asked', error);
    }
  }

  #ready(): void {
    this.#sent = '';
    this.#reveal.end();
    this.#update();
    this.#planLook();
  }

  async #act(act: PageAct): Promise<void> {
    const { loader, ui } = this.#options;
    const { id, kind } = this.#target;
    switch (act) {
      case 'reveal':
        return this.#revealKey();
      case 'hide':
        return this.#reveal.end();
      case 'copyWhip':
        return this.#copyWhip();
      case 'setAddress':
        return ui.openSettings('liveStreams.addresses');
      case 'retry':
        if (kind === 'stream') void loader.reloadSessions(id);
        return this.load();
      case 'loadMore':
        return kind === 'stream' ? loader.loadMoreSessions(id) : undefined;
      case 'showStream':
        return runOwnCommand('showStream', this.#session?.parentId);
    }
  }

  #streamShown(): Stream | undefined {
    if (this.#target.kind !== 'stream' || !this.#isOpen) return undefined;
    return factOf(this.#options, this.#target.id)?.stream;
  }

  /** The key goes to the page only here, and only while it is seen. */
  #revealKey(): void {
    const stream = this.#streamShown();
    if (stream?.streamKey === undefined || !this.#panel.visible) return;
    this.#send({ kind: 'reveal', secrets: secretsOf(stream, templatesInForce(this.#options)) });
    this.#reveal.begin();
  }

  async #copyWhip(): Promise<void> {
    const stream = this.#streamShown();
    const { whip } = stream === undefined ? {} : secretsOf(stream, templatesInForce(this.#options));
    if (stream === undefined || whip === undefined) return;
    await this.#options.ui.copy(whip);
    flashDone(this.#options, t('Copied the WHIP address of "{0}". It holds the stream key.', nameOf(stream)));
  }

  async #command(command: PageCommand, sessionId: string | undefined): Promise<void> {
    const { id, kind } = this.#target;
    switch (targetOf(command)) {
      case 'none':
        return runOwnCommand(command);
      case 'stream': {
        const streamId = kind === 'stream' ? id : this.#session?.parentId;
        return streamId === undefined ? undefined : runOwnCommand(command, streamId);
      }
      case 'session': {
        if (kind === 'session')
          return runOwnCommand(command, rowOfSession(this.#session ?? { id, parentId: undefined }));
        return sessionId === undefined
          ? undefined
          : runOwnCommand(command, rowOfSession({ id: sessionId, parentId: id }));
      }
    }
  }

  #send(message: ToPage): void {
    if (this.#isDisposed) return;
    void this.#panel.webview.postMessage(message);
  }
}

/** As the tab is called: told from the player's by a word. */
function tabTitle({ title, kind }: Shown): string {
  return kind === 'notice' ? title : t('{0} (Details)', title);
}
