import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import type { DeliveryTabs, DetailsTabs, EditorTabs, FoundPage, PlayerTabs } from '../../commands/context.ts';
import type { OtherConnections } from '../../model/connection/otherConnections.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import {
  readCheckTarget,
  readDeliveryTarget,
  readPanelTarget,
  readPlayerState,
} from '../../model/pages/keptTargets.ts';
import { CHECK_VIEW, DELIVERY_VIEW, DETAILS_VIEW, PLAYER_VIEW } from '../../model/pages/panelState.ts';
import type { WalkthroughSteps } from '../../model/walkthroughSteps.ts';
import { CheckPanel, type CheckTarget } from '../../panels/checkPanel.ts';
import { isLocalDelivery } from '../../panels/deliveryOutcome.ts';
import { type DeliveryOptions, DeliveryPanel, type DeliveryTarget } from '../../panels/deliveryPanel.ts';
import { type DetailsOptions, DetailsPanel } from '../../panels/detailsPanel.ts';
import { type PageEvents, type PageFailureContext, PageReceiver, type WebviewPage } from '../../panels/page.ts';
import type { RunCommand } from '../../panels/pageCommands.ts';
import { type FocusablePage, notePage } from '../../panels/pageInFront.ts';
import { type PlayerActionsOptions, type PlayerWindow, playerActs } from '../../panels/player/playerActions.ts';
import type { PageTarget, PlayedTarget } from '../../panels/player/playerFinder.ts';
import { PlayerPanel } from '../../panels/player/playerPanel.ts';
import { createPlayerSound } from '../../panels/player/playerPart.ts';
import { titleOfSession } from '../../panels/shownDetails.ts';
import { type TabShape, tabIcon } from '../../panels/tabIcons.ts';
import { checkTab, deliverySubject, deliveryTab, detailsTab, nameOfParent, playerTab } from '../../panels/tabTitles.ts';
import { pagePolicy, webviewHtml } from '../../panels/webviewHtml.ts';
import type { BoxlessUi, Clock, Log } from '../../services.ts';
import type { CheckTabs } from '../../texts/checkOutcome.ts';
import { clipName } from '../../texts/clips.ts';
import { nameOf } from '../../texts/names.ts';
import { formatRecent } from '../../util/dates.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import type { PageData, Ping, ShownSubject } from '../../webview/messages.ts';
import { askAndSave } from '../boxes/saveDialog.ts';
import { createTabs, type Tab, type TabSubject, type Tabs } from './webviewTabs.ts';

interface Restoring {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export interface EditorPanels extends Disposable, Pick<EditorTabs, 'findPage' | 'findDelivery'> {
  readonly player: PlayerTabs & Restoring;
  readonly details: DetailsTabs & Restoring;
  readonly checks: CheckTabs & Restoring;
  readonly deliveries: DeliveryTabs & Restoring;
}

export interface EditorPanelsOptions
  extends Omit<DetailsOptions, 'readPart' | 'sound' | 'noteStep' | 'ui'>,
    DeliveryOptions {
  readonly ui: BoxlessUi;
  readonly extensionUri: vscode.Uri;
  readonly steps: { readonly note: WalkthroughSteps['note'] };
  /** Connections that are shown next to the active one. */
  readonly others: () => OtherConnections | undefined;
  readonly onDidChangeOthers: Event<void>;
  readonly runFor: PlayerActionsOptions['runFor'];
}

/** The open players and details pages, loaded as one: a session's page contains a player. */
export function createEditorPanels(options: EditorPanelsOptions): EditorPanels {
  const owned = new DisposableStore();
  const connections = connectionsOf(options);
  const tabs = createAllTabs(options, connections, owned);
  const parts: PanelParts = { ...tabs, ...connections, drawing: options.drawing };
  return {
    player: playersOf(parts),
    details: detailsPagesOf(parts),
    checks: checksOf(parts),
    deliveries: deliveriesOf(parts),
    findPage: (of) => findPage(tabs, of),
    findDelivery: () => tabs.deliveries.find(undefined)?.target,
    dispose: () => owned.dispose(),
  };
}

interface Connections {
  readonly active: ConnectionObjects;
  readonly activeId: () => string;
  /** Returns the parts of the active connection for one that isn't shown next to it. */
  readonly objectsOf: (connection: string) => ConnectionObjects;
}

function connectionsOf({ store, loader, connection, others }: EditorPanelsOptions): Connections {
  const active = { store, loader, connection };
  return {
    active,
    activeId: () => connection.info?.id ?? '',
    objectsOf: (id) => others()?.get(id) ?? active,
  };
}

interface AllTabs {
  readonly players: Tabs<PlayedTarget>;
  readonly pages: Tabs<PageTarget>;
  readonly checks: Tabs<CheckTarget>;
  readonly deliveries: Tabs<DeliveryTarget>;
}

/** If a connection gets other objects, its tabs continue with those. */
function createAllTabs(given: EditorPanelsOptions, { objectsOf }: Connections, owned: DisposableStore): AllTabs {
  const models = new WeakMap<Tab, ConnectionObjects>();
  const options: TabOptions = {
    ...given,
    ui: { ...given.ui, saveFile: askAndSave },
    readPart: createPartReader(given),
    sound: createPlayerSound(),
    noteStep: given.steps.note,
    playerWindow: PLAYER_WINDOW,
    showKeptPage(page) {
      if (pages.find(page) === undefined) return false;
      void pages.show(page, '');
      return true;
    },
    makeOwn(connectionId, make) {
      const model = objectsOf(connectionId);
      const { store, loader, connection } = model;
      const runCommand: RunCommand = async (id, ...args) => void (await given.runFor(connectionId, id, args));
      const tab = make({ ...options, store, loader, connection, runCommand });
      models.set(tab, model);
      return tab;
    },
  };
  const players = owned.add(createPlayerTabs(options));
  const pages = owned.add(createDetailsTabs(options, players));
  const checks = owned.add(createCheckTabs(options));
  const deliveries = owned.add(createDeliveryTabs(options));
  owned.add(
    given.onDidChangeOthers(() => {
      for (const { tab, target } of [...players.all, ...pages.all, ...checks.all]) {
        const model = objectsOf(target.connection);
        if (models.get(tab) === model) continue;
        models.set(tab, model);
        tab.continueWith?.(model);
      }
    }),
  );
  return { players, pages, checks, deliveries };
}

interface PanelParts extends AllTabs, Connections {
  readonly drawing: EditorPanelsOptions['drawing'];
}

function playersOf({ players, activeId, objectsOf, drawing }: PanelParts): EditorPanels['player'] {
  return {
    openStream: (stream, connection = activeId(), isForClip = false) =>
      players.show({ connection, kind: 'stream', id: stream.id, isForClip }, playerTab(nameOf(stream))),
    openRecording: (session, connection = activeId(), isForClip = false) => {
      const { id } = session;
      const title = nameOfParent(session, objectsOf(connection).store.snapshot) ?? id;
      return players.show({ connection, kind: 'session', id, session, isForClip }, playerTab(title));
    },
    openClip: (clip, connection = activeId()) =>
      players.show({ connection, kind: 'clip', id: clip.id }, playerTab(clipName(clip, drawing()))),
    restore: (panel, state) => players.restore(panel, readPlayerState(state)),
  };
}

function detailsPagesOf({ pages, activeId, objectsOf, drawing }: PanelParts): EditorPanels['details'] {
  return {
    openStream: (stream, connection = activeId()) =>
      pages.show({ connection, kind: 'stream', id: stream.id }, detailsTab(nameOf(stream))),
    openSession: (session, connection = activeId(), clipId = undefined) => {
      const target = { connection, kind: 'session', id: session.id, session, clipId } as const;
      const { snapshot } = objectsOf(connection).store;
      return pages.show(target, detailsTab(titleOfSession(session, snapshot, drawing())));
    },
    restore: (panel, state) => pages.restore(panel, readPanelTarget(state)),
  };
}

function checksOf({ checks }: PanelParts): EditorPanels['checks'] {
  return {
    open: ({ kind, connection, id, name, run }) => checks.show({ kind, connection, id, run }, checkTab(name)),
    restore: (panel, state) => checks.restore(panel, readCheckTarget(state)),
  };
}

function deliveriesOf({ deliveries, active, activeId, drawing }: PanelParts): EditorPanels['deliveries'] {
  return {
    openDelivery: (delivery) => {
      const { webhookId, id, createdAt } = delivery;
      const kind = isLocalDelivery(delivery) ? 'localDelivery' : 'delivery';
      const target = { kind, connection: activeId(), webhookId, id, delivery } as const;
      const title = deliverySubject(active.store.snapshot, delivery);
      return deliveries.show(target, deliveryTab(title, formatRecent(createdAt, drawing())));
    },
    restore: (panel, state) => deliveries.restore(panel, readDeliveryTarget(state)),
  };
}

function findPage({ players, pages, checks }: AllTabs, of: TabSubject | undefined): FoundPage | undefined {
  const [player, details] = [players.find(of), pages.find(of)];
  // A details page has a player of its own, which counts if it's the one in sight.
  const isPlayerHidden = player?.panel.visible === false && details?.panel.visible === true;
  const page = isPlayerHidden ? details : (player ?? details);
  if (page !== undefined) {
    const { target, tab } = page;
    const isPlayer = page === player;
    return { ...target, ...tab.read, session: tab.read?.session ?? target.session, isPlayer };
  }
  const { kind, connection, id } = checks.find(of)?.target ?? {};
  return kind === 'stream' && connection !== undefined && id !== undefined ? { kind, connection, id } : undefined;
}

/** Late parts of a page are posted to it: its policy doesn't allow requests. */
function createPartReader({ extensionUri, log }: EditorPanelsOptions): DetailsOptions['readPart'] {
  const read = (file: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist/webview', file));
  return async (part) => {
    try {
      const script = new TextDecoder().decode(await read(`${part}.js`));
      if (part !== 'sound') return { part, script };
      const wasm = await promisify(brotliDecompress)(await read('sound.wasm.br'));
      // A separate buffer, because the whole buffer is posted.
      return { part, script, wasm: new Uint8Array(wasm).buffer };
    } catch (error) {
      log.error(`A part of the player couldn't be read: ${part}`, error);
      return { part, script: undefined };
    }
  };
}

interface TabOptions extends DetailsOptions, Omit<EditorPanelsOptions, 'ui'> {
  readonly playerWindow: PlayerWindow;
  readonly showKeptPage: PlayerActionsOptions['showKeptPage'];
  readonly makeOwn: <T>(connection: string, make: (own: OwnOptions) => Tab<T>) => Tab<T>;
}

interface OwnOptions extends TabOptions {
  readonly runCommand: RunCommand;
}

/** Whether the panel may be pinned: tabs are identified by their titles. */
function isPinned({ viewType, title }: vscode.WebviewPanel): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    // VS Code adds a prefix to the type.
    tabs.some(
      ({ isPinned, label, input }) =>
        isPinned && label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
    ),
  );
}

function createPlayerTabs(options: TabOptions): Tabs<PlayedTarget> {
  // A video keeps playing its sound while another tab is in front.
  const retained = { retainContextWhenHidden: true };
  return createTabs<PlayedTarget>({
    open: (title) => vscode.window.createWebviewPanel(PLAYER_VIEW, title, vscode.ViewColumn.Active, retained),
    isPinned,
    make: (panel, target) => {
      const setIcon = (shape: TabShape) => {
        panel.iconPath = iconOf(shape);
      };
      const makePage = createPageMaker(panel, { name: 'player', subject: target }, options);
      return options.makeOwn(
        target.connection,
        (own) => new PlayerPanel(target, { ...own, title: panel.title, setIcon, makePage }),
      );
    },
  });
}

function createDetailsTabs(options: TabOptions, players: Tabs<PlayedTarget>): Tabs<PageTarget> {
  return createTabs<PageTarget>({
    open: (title) => vscode.window.createWebviewPanel(DETAILS_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    make: (panel, target, keep) => {
      panel.iconPath = iconOf('details');
      const makePage = createPageMaker(panel, { name: 'details', subject: target }, options);
      const hasPlayer = () => players.find(target) !== undefined;
      return options.makeOwn(target.connection, (own) => {
        const seams = { title: panel.title, makePage, acts: playerActs(own, target), keep, hasPlayer };
        return new DetailsPanel(target, { ...own, ...seams });
      });
    },
  });
}

function createCheckTabs(options: TabOptions): Tabs<CheckTarget> {
  return createTabs<CheckTarget>({
    open: (title) => vscode.window.createWebviewPanel(CHECK_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    keepsEach: true,
    make: (panel, target) => {
      panel.iconPath = iconOf('check');
      const { kind, connection, id } = target;
      // A URL may contain secrets, and the page keeps its subject.
      const subject: ShownSubject = { kind, connection, id: kind === 'playback' ? '' : id };
      const makePage = createPageMaker(panel, { name: 'check', subject }, options);
      return options.makeOwn(connection, (own) => new CheckPanel(target, { ...own, title: panel.title, makePage }));
    },
  });
}

function createDeliveryTabs(options: TabOptions): Tabs<DeliveryTarget> {
  return createTabs<DeliveryTarget>({
    open: (title) => vscode.window.createWebviewPanel(DELIVERY_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    make: (panel, target, keep) => {
      panel.iconPath = iconOf('delivery');
      const makePage = createPageMaker(panel, { name: 'delivery', subject: target }, options);
      return new DeliveryPanel(target, { ...options, title: panel.title, makePage, runCommand: runOwnCommand, keep });
    },
  });
}

const PLAYER_WINDOW: PlayerWindow = {
  async playInBrowser() {
    await vscode.workspace
      .getConfiguration('liveStreams')
      .update('playIn', 'browser', vscode.ConfigurationTarget.Global);
  },
  async toggleMaximized() {
    await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
  },
  async canDownload() {
    return (await vscode.commands.getCommands(true)).includes('liveStreams.downloadMp4');
  },
};

const runOwnCommand: RunCommand = async (id, ...args) => {
  await vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
};

function iconOf(shape: TabShape): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const { light, dark } = tabIcon(shape);
  return { light: vscode.Uri.parse(light), dark: vscode.Uri.parse(dark) };
}

interface PageContent {
  readonly name: PageData['name'];
  readonly subject: ShownSubject;
}

/** Returns a function that makes the page in a tab. */
function createPageMaker(
  panel: vscode.WebviewPanel,
  content: PageContent,
  { extensionUri, clock, log, ui }: TabOptions,
) {
  return <Said>(events: PageEvents<Said>) =>
    new PanelPage({ ...events, ...content, panel, extensionUri, clock, log, ui });
}

interface PanelPageOptions<Said> extends PageEvents<Said>, PageContent {
  readonly panel: vscode.WebviewPanel;
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
  readonly ui: PageFailureContext['ui'];
}

/** The page in a tab. Messages of older pages are ignored. */
class PanelPage<Said> implements WebviewPage, FocusablePage {
  readonly #options: PanelPageOptions<Said>;
  readonly #owned = new DisposableStore();
  readonly #receiver: PageReceiver<Said>;

  constructor(options: PanelPageOptions<Said>) {
    this.#options = options;
    this.#receiver = new PageReceiver({
      ...options,
      draw: (page) => this.#draw(page),
      sendPing: () => this.send({ kind: 'ping' } satisfies Ping),
    });
    this.#owned.add(this.#receiver);
    this.#owned.add(notePage(this));
    const { panel, extensionUri, onSeenOrHidden } = options;
    const localResourceRoots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
    panel.webview.options = { enableScripts: true, localResourceRoots };
    this.#owned.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!this.#owned.isDisposed) void this.#receiver.receive(message);
      }),
    );
    this.#owned.add(panel.onDidChangeViewState(onSeenOrHidden));
    this.#receiver.draw();
  }

  /** A disposed panel throws on every access. */
  get isSeen(): boolean {
    return !this.#owned.isDisposed && this.#options.panel.visible;
  }

  get isInFront(): boolean {
    return !this.#owned.isDisposed && this.#options.panel.active;
  }

  get title(): string {
    return this.#owned.isDisposed ? '' : this.#options.panel.title;
  }

  set title(title: string) {
    if (!this.#owned.isDisposed && this.#options.panel.title !== title) this.#options.panel.title = title;
  }

  reveal(): void {
    if (!this.#owned.isDisposed) this.#options.panel.reveal();
  }

  send(message: object): void {
    if (this.#receiver.isReady && !this.#owned.isDisposed) void this.#options.panel.webview.postMessage(message);
  }

  ping(): Promise<void> {
    return this.#receiver.ping();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #draw(page: number): void {
    const { panel, extensionUri, name, subject } = this.#options;
    const { webview } = panel;
    const file = (path: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', path)).toString();
    const nonce = randomBytes(18).toString('base64url');
    const { connection, kind, id, webhookId } = subject;
    const script = name === 'check' || name === 'delivery' ? 'webview/report.js' : 'webview/page.js';
    const texts = vscode.l10n.bundle ?? null;
    const of = webhookId === undefined ? {} : { webhookId };
    const data: PageData = { name, page, subject: { connection, kind, id, ...of }, texts };
    webview.html = webviewHtml({
      language: vscode.env.language,
      title: panel.title,
      policy: pagePolicy({ nonce, ownFiles: webview.cspSource, hasPlayer: name === 'player' || kind === 'session' }),
      nonce,
      scriptUri: file(script),
      styleUri: file('webview/page.css'),
      data,
    });
  }
}
