import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { safeFileName } from '../model/fileName.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../util/disposable.ts';
import type { Action, FromPage, Heading, Problem, Shown, ToPage } from '../webview/player/messages.ts';
import { canDownload, doPlayerAction } from './playerActions.ts';
import {
  type FinderContext,
  type Found,
  findPlayback,
  lookAgain,
  onlyProblem,
  type PanelSubject,
  reconsider,
  whyNotOpen,
} from './playerFinder.ts';
import { playerHtml } from './playerHtml.ts';
import { type Subject, streamHeading } from './playerSubject.ts';
import { webviewRoots } from './webviewPage.ts';

export interface PlayerPanelOptions extends FinderContext {
  readonly extensionUri: vscode.Uri;
}

const PATIENCE_MS = 400;
/** In place of a page's number, once the tab is closed: no page has it, so nothing that was under way goes on. */
const NO_PAGE = -1;

/** How a load is to go. */
interface LoadOptions {
  readonly startsItself: boolean;
  readonly prefersMp4?: boolean;
}

/**
 * One player in one tab. Finds out by the thing's id where it plays whenever it is opened, restored, tried again, or its
 * connection comes back; its page is made anew each time, since the policy names the origins.
 */
export class PlayerPanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #options: PlayerPanelOptions;
  readonly #target: PanelSubject;
  readonly #owned = new DisposableStore();
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #patience = this.#owned.add(new DisposableSlot());
  #loading = new AbortController();
  /** Raised with each page; what an older one says is not heard. */
  #page = 0;
  /** Of what was shown last. */
  #serial = 0;
  #shown: Shown;
  #subject: Subject | undefined;
  #isPending = false;

  constructor(panel: vscode.WebviewPanel, target: PanelSubject, options: PlayerPanelOptions) {
    this.#panel = panel;
    this.#target = target;
    this.#options = options;
    const heading: Heading = { title: panel.title, facts: [], isLive: false };
    this.#shown = { heading, source: undefined, problem: { kind: 'opening' }, offers: [] };
    panel.webview.options = { enableScripts: true, localResourceRoots: webviewRoots(options.extensionUri) };
    this.#owned.add(
      panel.webview.onDidReceiveMessage((message: FromPage | null | undefined) => void this.#receive(message)),
    );
    this.#owned.add(panel.onDidChangeViewState(() => this.#planLook()));
    this.#owned.add(
      options.store.onDidChange(({ previous, current }) => {
        const wasOther = previous.connection.kind !== current.connection.kind;
        const isOther = previous.generation !== current.generation || (wasOther && this.#shown.source === undefined);
        if (isOther) void this.load({ startsItself: false });
        else this.#followStream();
      }),
    );
    this.#owned.add({ dispose: () => this.#loading.abort() });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#page = NO_PAGE;
    this.#owned.dispose();
  }

  /** Finds out anew what there is to play, and shows it, or why not. Does not throw. */
  async load({ startsItself, prefersMp4 = false }: LoadOptions): Promise<void> {
    if (this.#page === NO_PAGE) return;
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#timer.set(undefined);
    this.#sayOpening();
    const { store } = this.#options;
    try {
      const before = this.#subject;
      const options = { before, startsItself, prefersMp4, signal };
      const found =
        whyNotOpen(store.snapshot, this.#target) ?? (await findPlayback(this.#options, this.#target, options));
      const offers = await this.#possible(found.offers);
      if (!signal.aborted) this.#take({ ...found, offers });
    } catch (error) {
      if (!signal.aborted) this.#take(onlyProblem({ kind: 'stopped' }));
      if (!signal.aborted) this.#options.log.error('Opening the player failed', error);
    }
  }

  /** Only when it takes a while: a page is not made to be replaced at once. */
  #sayOpening(): void {
    const opening: Shown = { ...this.#shown, source: undefined, problem: { kind: 'opening' } };
    if (this.#page > 0) this.#sendShown(opening);
    else this.#patience.set(this.#options.clock.setTimeout(() => this.#drawPage(), PATIENCE_MS));
  }

  async #possible(offers: readonly Action[]): Promise<readonly Action[]> {
    if (!offers.includes('downloadMp4') || (await canDownload())) return offers;
    return offers.filter((offer) => offer !== 'downloadMp4');
  }

  #take({ subject, heading, source, problem, offers, isPending }: Found): void {
    this.#subject = subject ?? this.#subject;
    this.#isPending = isPending;
    this.#patience.set(undefined);
    if (subject !== undefined) this.#panel.title = subject.tab;
    const kept = { ...this.#shown.heading, isLive: false };
    this.#shown = { heading: heading ?? kept, source, problem, offers };
    this.#drawPage();
    this.#planLook();
  }

  /** Makes the page anew; what it shows is sent when it is ready for it. */
  #drawPage(): void {
    this.#page += 1;
    this.#serial += 1;
    const { webview } = this.#panel;
    const { extensionUri } = this.#options;
    const { connection, kind, id } = this.#target;
    const data = { page: this.#page, subject: { connection, kind, id } };
    webview.html = playerHtml({ webview, extensionUri, origins: this.#shown.source?.origins ?? [], data });
  }

  async #receive(message: FromPage | null | undefined): Promise<void> {
    if (message?.page !== this.#page) return;
    try {
      await this.#obey(message);
    } catch (error) {
      this.#options.log.error('The player could not do what was asked', error);
    }
  }

  #obey(message: FromPage): unknown {
    switch (message.kind) {
      case 'ready':
        return this.#send({ kind: 'show', serial: this.#serial, ...this.#shown });
      case 'act':
        return this.#act(message.action);
      case 'frame':
        return this.#saveFrame(message.png, message.position);
      case 'failed':
        this.#options.log.info(`The player stopped: ${message.problem.kind}`);
        return this.#reconsider(message.problem);
      case 'ended':
        return this.#reconsider(undefined);
    }
  }

  #act(action: Action): Promise<void> {
    if (action === 'retry') return this.load({ startsItself: true });
    if (action === 'playMp4') return this.load({ startsItself: true, prefersMp4: true });
    const session = this.#subject?.session ?? this.#target.session;
    return doPlayerAction(action, { subject: this.#target, session, ui: this.#options.ui });
  }

  /** The page met a problem, or the end of a broadcast: it may mean more than the page can know. */
  async #reconsider(met: Problem | undefined): Promise<void> {
    const page = this.#page;
    if (this.#subject === undefined) return;
    const { problem, subject, isPending } = await reconsider(this.#options, this.#target, this.#subject, met);
    if (page !== this.#page) return;
    this.#subject = subject;
    this.#isPending = isPending;
    this.#shown = { ...this.#shown, source: undefined, problem };
    if (problem !== met) this.#sendShown(this.#shown);
    this.#planLook();
  }

  /** In the poller's rhythm, while the tab is seen: has what is waited for come? */
  #planLook(): void {
    const { clock, settings } = this.#options;
    const seconds = settings.refreshInterval();
    const isDue = this.#isPending && this.#panel.visible && seconds > 0 && this.#shown.source === undefined;
    this.#timer.set(isDue ? clock.setTimeout(() => void this.#look(), seconds * 1000) : undefined);
  }

  async #look(): Promise<void> {
    const page = this.#page;
    try {
      const { hasCome, subject } = await lookAgain(this.#options, this.#target, this.#subject);
      if (page !== this.#page) return;
      this.#subject = subject;
      if (hasCome) return await this.load({ startsItself: true });
    } catch (error) {
      this.#options.log.debug(`Looking again for what to play failed: ${String(error)}`);
    }
    if (page === this.#page) this.#planLook();
  }

  /** Name and state follow the store; what goes live while it is waited for is shown at once. */
  #followStream(): void {
    const { stream } = this.#subject ?? {};
    if (stream === undefined) return;
    const heading = streamHeading(this.#options, stream);
    if (JSON.stringify(heading) === JSON.stringify(this.#shown.heading)) return;
    const isAwaited = this.#isPending && this.#panel.visible && this.#shown.source === undefined;
    if (heading.isLive && isAwaited) return void this.load({ startsItself: true });
    this.#shown = { ...this.#shown, heading };
    this.#send({ kind: 'heading', heading });
  }

  async #saveFrame(png: Uint8Array, position: number): Promise<void> {
    const { title } = this.#shown.heading;
    const name = this.#target.kind === 'session' ? `${title} ${fileTime(position)}` : title;
    const fileName = safeFileName(name, t('Frame'), '.png');
    await this.#options.ui.saveFile({ fileName, bytes: png, filters: { [t('Picture')]: ['png'] } });
  }

  #sendShown(shown: Shown): void {
    this.#serial += 1;
    this.#send({ kind: 'show', serial: this.#serial, ...shown });
  }

  #send(message: ToPage): void {
    void this.#panel.webview.postMessage(message);
  }
}

/** "01-02-03", as it may stand in a file's name. */
function fileTime(position: number): string {
  const seconds = Number.isFinite(position) ? Math.floor(position) : 0;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
