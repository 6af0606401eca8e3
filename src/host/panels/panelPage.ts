import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { TabPlace } from '../../commands/context.ts';
import type { KeptSubject } from '../../model/pages/panelState.ts';
import {
  type Page,
  type PageEvents,
  type PageFailureContext,
  PageGenerations,
  reportPageFailure,
} from '../../panels/page.ts';
import { pagePolicy, webviewHtml } from '../../panels/webviewHtml.ts';
import type { Clock, Log } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { PageData } from '../../webview/messages.ts';

interface PanelPageOptions<Said> extends PageEvents<Said> {
  readonly panel: vscode.WebviewPanel;
  readonly extensionUri: vscode.Uri;
  readonly name: PageData['name'];
  readonly subject: KeptSubject;
  readonly clock: Clock;
  readonly log: Log;
  readonly ui: PageFailureContext['ui'];
}

/** How long to wait for the media origins before creating a page without any. */
const PATIENCE_MS = 400;

/**
 * The page in a tab. Its content security policy is fixed when it is created and names the media origins, so other
 * origins require a new page. Messages of older pages are ignored.
 */
export class PanelPage<Said> implements Page, Disposable {
  readonly #options: PanelPageOptions<Said>;
  readonly #owned = new DisposableStore();
  readonly #patience = this.#owned.add(new DisposableSlot());
  readonly #pages: PageGenerations;
  #origins: ReadonlySet<string> = new Set();
  #isReady = false;

  constructor(options: PanelPageOptions<Said>) {
    this.#options = options;
    this.#pages = new PageGenerations(options.clock);
    const { panel, extensionUri, onSeenOrHidden } = options;
    const localResourceRoots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
    panel.webview.options = { enableScripts: true, localResourceRoots };
    this.#owned.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.#receive(message)));
    this.#owned.add(panel.onDidChangeViewState(onSeenOrHidden));
  }

  /** A disposed panel throws on every access. */
  get isSeen(): boolean {
    return !this.#owned.isDisposed && this.#options.panel.visible;
  }

  get title(): string {
    return this.#owned.isDisposed ? '' : this.#options.panel.title;
  }

  set title(title: string) {
    if (!this.#owned.isDisposed && this.#options.panel.title !== title) this.#options.panel.title = title;
  }

  reveal(place: TabPlace): void {
    if (this.#owned.isDisposed) return;
    this.#options.panel.reveal(place === 'beside' ? vscode.ViewColumn.Beside : undefined);
  }

  allow(origins: readonly string[]): void {
    const isSame = origins.length === this.#origins.size && origins.every((origin) => this.#origins.has(origin));
    if (this.#pages.number === 0 || (origins.length > 0 && !isSame)) this.#draw(origins);
  }

  allowSoon(): void {
    const { clock } = this.#options;
    if (this.#pages.number === 0) this.#patience.set(clock.setTimeout(() => this.allow([]), PATIENCE_MS));
  }

  send(message: object): void {
    if (this.#isReady && !this.#owned.isDisposed) void this.#options.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #draw(origins: readonly string[]): void {
    if (this.#owned.isDisposed) return;
    const { panel, extensionUri, name, subject } = this.#options;
    const { webview } = panel;
    this.#patience.set(undefined);
    this.#origins = new Set(origins);
    this.#isReady = false;
    const file = (path: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', path)).toString();
    const nonce = randomBytes(18).toString('base64url');
    const { connection, kind, id } = subject;
    const texts = vscode.l10n.bundle ?? null;
    const data: PageData = { name, page: this.#pages.draw(), subject: { connection, kind, id }, texts };
    webview.html = webviewHtml({
      language: vscode.env.language,
      title: panel.title,
      policy: pagePolicy({ nonce, ownFiles: webview.cspSource, origins }),
      nonce,
      scriptUri: file('webview/page.js'),
      styleUri: file('webview/page.css'),
      data,
    });
  }

  #classifyReady(page: unknown): void {
    const { log, name, onReady } = this.#options;
    const heard = this.#pages.classifyReady(page);
    if (heard === 'current') {
      this.#isReady = true;
      onReady();
    } else if (heard === 'lost') {
      log.info(`The editor lost a ${name} page, which is made again`);
      this.#draw([...this.#origins]);
    }
  }

  async #receive(message: unknown): Promise<void> {
    if (this.#owned.isDisposed) return;
    const { page, said } = isObject(message) ? message : {};
    if (isObject(said) && said.kind === 'ready') return this.#classifyReady(page);
    if (page !== this.#pages.number) return;
    const { read, log, onSaid, name } = this.#options;
    const known = read(said);
    if (known === undefined) return log.warn(`The ${name} page said what it may not say`);
    try {
      await onSaid(known);
    } catch (error) {
      void reportPageFailure(this.#options, name, error);
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
