import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import type { DeliveryTabs, DetailsTabs, PlayerTabs } from '../../commands/context.ts';
import type { CommandId } from '../../commands/table.ts';
import type { OtherConnections } from '../../model/connection/otherConnections.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import { readDeliveryTarget, readPanelTarget, readPlayerState } from '../../model/pages/keptTargets.ts';
import { CHECK_VIEW, DELIVERY_VIEW, DETAILS_VIEW, PLAYER_VIEW } from '../../model/pages/panelState.ts';
import { CheckPanel, type CheckPanelOptions, type CheckTarget } from '../../panels/checkPanel.ts';
import { isLocalDelivery } from '../../panels/deliveryOutcome.ts';
import {
  type DeliveryOptions,
  DeliveryPanel,
  type DeliveryPanelOptions,
  type DeliveryTarget,
} from '../../panels/deliveryPanel.ts';
import { type DetailsDependencies, type DetailsOptions, DetailsPanel } from '../../panels/detailsPanel.ts';
import {
  type PageEvents,
  type PageFailureContext,
  PageGenerations,
  reportPageFailure,
  type WebviewPage,
} from '../../panels/page.ts';
import { type RunCommand, rowOfSession } from '../../panels/pageCommands.ts';
import type { PageTarget, PlayedTarget } from '../../panels/playerFinder.ts';
import { readPlayerMessage } from '../../panels/playerMessages.ts';
import { type ActionTarget, createPlayerSound, type PlayerActions, PlayerPart } from '../../panels/playerPart.ts';
import { deliveryTitle } from '../../panels/shownDelivery.ts';
import { titleOfSession } from '../../panels/shownDetails.ts';
import { checkTab, deliveryTab, detailsTab, nameInTab } from '../../panels/tabTitles.ts';
import { pagePolicy, webviewHtml } from '../../panels/webviewHtml.ts';
import type { BoxlessUi, Clock, Log } from '../../services.ts';
import type { CheckTabs } from '../../texts/checkOutcome.ts';
import { clipName } from '../../texts/clips.ts';
import { nameOf, nameOfParent } from '../../texts/names.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import { isRecord } from '../../util/isRecord.ts';
import type { PageData, ShownSubject } from '../../webview/messages.ts';
import type { Action, FromPlayer } from '../../webview/player/messages.ts';
import { askAndSave } from '../boxes/saveDialog.ts';
import { createTabs, type Tab, type TabSubject, type Tabs } from './webviewTabs.ts';

interface Restoring {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export interface EditorPanels extends Disposable {
  readonly player: PlayerTabs & Restoring;
  readonly details: DetailsTabs & Restoring;
  readonly checks: CheckTabs & Restoring;
  readonly deliveries: DeliveryTabs & Restoring;
}

export interface EditorPanelsOptions extends Omit<DetailsOptions, 'readPart' | 'sound' | 'ui'>, DeliveryOptions {
  readonly ui: BoxlessUi;
  readonly extensionUri: vscode.Uri;
  /** Connections that are shown beside the active one. */
  readonly others: () => OtherConnections | undefined;
  readonly onDidChangeOthers: Event<void>;
  /** Runs a command for a connection, if it is for one, unless that isn't open. */
  readonly runFor: (connection: string, id: CommandId, args: readonly unknown[]) => Promise<unknown>;
}

/** The open players and details pages, loaded as one: a session's page contains a player. */
export function createEditorPanels(given: EditorPanelsOptions): EditorPanels {
  const owned = new DisposableStore();
  const shared = { ...given, ui: { ...given.ui, saveFile: askAndSave }, readPart: createPartReader(given) };
  const active: ConnectionObjects = { store: given.store, loader: given.loader, current: given.current };
  const modelOf = (connection: string): ConnectionObjects => given.others()?.get(connection) ?? active;
  const models = new WeakMap<Tab, ConnectionObjects>();
  const options: TabOptions = {
    ...shared,
    sound: createPlayerSound(),
    makeOwn(connection, make) {
      const model = modelOf(connection);
      const { store, loader, current } = model;
      const runCommand: RunCommand = async (id, ...args) => void (await given.runFor(connection, id, args));
      const tab = make({ ...options, store, loader, current, runCommand });
      models.set(tab, model);
      return tab;
    },
  };
  const players = owned.add(createPlayerTabs(options));
  const pages = owned.add(createDetailsTabs(options, players));
  const checks = owned.add(createCheckTabs(options));
  const deliveries = owned.add(createDeliveryTabs(options));
  const { drawing } = options;
  const activeId = (): string => active.current.info?.id ?? '';
  owned.add(
    given.onDidChangeOthers(() => {
      for (const tabs of [players, pages, checks]) {
        tabs.renew((tab, { connection }: TabSubject) => models.get(tab) !== modelOf(connection));
      }
    }),
  );
  return {
    player: {
      openStream: (stream, connection = activeId()) => {
        const target = { connection, kind: 'stream', id: stream.id } as const;
        return players.show(target, nameOf(stream));
      },
      openRecording: (session, connection = activeId()) => {
        const { id } = session;
        const title = nameOfParent(session, modelOf(connection).store.snapshot) ?? id;
        return players.show({ connection, kind: 'session', id, session }, title);
      },
      openClip: (clip, connection = activeId()) =>
        players.show({ connection, kind: 'clip', id: clip.id }, clipName(clip)),
      restore: (panel, state) => players.restore(panel, readPlayerState(state)),
    },
    details: {
      openStream: (stream, connection = activeId()) => {
        const target = { connection, kind: 'stream', id: stream.id } as const;
        return pages.show(target, detailsTab(nameOf(stream)));
      },
      openSession: (session, connection = activeId()) => {
        const target = { connection, kind: 'session', id: session.id, session } as const;
        const { snapshot } = modelOf(connection).store;
        return pages.show(target, detailsTab(titleOfSession(session, snapshot, drawing())));
      },
      restore: (panel, state) => pages.restore(panel, readPanelTarget(state)),
    },
    checks: {
      open: ({ kind, connection, id, name, run }) => checks.show({ kind, connection, id, run }, checkTab(name)),
      restore: (panel, state) => checks.restore(panel, readCheckTarget(state)),
    },
    deliveries: {
      openDelivery: (delivery) => {
        const { webhookId, id, event } = delivery;
        const kind = isLocalDelivery(delivery) ? 'localDelivery' : 'delivery';
        const target = { kind, connection: activeId(), webhookId, id, delivery } as const;
        return deliveries.show(target, deliveryTab(deliveryTitle(event)));
      },
      restore: (panel, state) => deliveries.restore(panel, readDeliveryTarget(state)),
    },
    dispose: () => owned.dispose(),
  };
}

function readCheckTarget(state: unknown): CheckTarget | undefined {
  const subject = readPanelTarget(state);
  return subject?.kind === 'stream' ? { ...subject, kind: 'stream' } : undefined;
}

/** What a page loads late is posted to it: its policy allows no request. */
function createPartReader({ extensionUri, log }: EditorPanelsOptions): DetailsOptions['readPart'] {
  const read = (file: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist/webview', file));
  return async (part) => {
    try {
      const script = new TextDecoder().decode(await read(`${part}.js`));
      if (part !== 'sound') return { part, script };
      const wasm = await promisify(brotliDecompress)(await read('sound.wasm.br'));
      // A buffer of its own: all of it is posted.
      return { part, script, wasm: new Uint8Array(wasm).buffer };
    } catch (error) {
      log.error(`A part of the player could not be read: ${part}`, error);
      return { part, script: undefined };
    }
  };
}

interface TabOptions extends DetailsOptions, Omit<EditorPanelsOptions, 'ui'> {
  readonly makeOwn: <T>(connection: string, make: (own: OwnOptions) => Tab<T>) => Tab<T>;
}

interface OwnOptions extends TabOptions {
  readonly runCommand: RunCommand;
}

/** Whether it may be: tabs are known by their titles. */
function isPinned({ viewType, title }: vscode.WebviewPanel): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    // VS Code puts words of its own before the type.
    tabs.some(
      ({ isPinned, label, input }) =>
        isPinned && label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
    ),
  );
}

function createPlayerTabs(options: TabOptions): Tabs<PlayedTarget> {
  // The sound of a video goes on while another tab is in front.
  const retained = { retainContextWhenHidden: true };
  return createTabs<PlayedTarget>({
    open: (title) => vscode.window.createWebviewPanel(PLAYER_VIEW, title, vscode.ViewColumn.Active, retained),
    isPinned,
    make: (panel, target) => {
      panel.iconPath = tabIcon(target.kind === 'stream' ? 'stream' : 'session');
      return options.makeOwn(target.connection, (own) => new PlayerPanel(panel, target, own));
    },
  });
}

function createDetailsTabs(options: TabOptions, players: Tabs<PlayedTarget>): Tabs<PageTarget> {
  const { extensionUri, clock, log, ui } = options;
  return createTabs<PageTarget>({
    open: (title) => vscode.window.createWebviewPanel(DETAILS_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    make: (panel, target, keep) => {
      panel.iconPath = tabIcon('details');
      const makePage: DetailsDependencies['makePage'] = (events) =>
        new PanelPage({ ...events, panel, extensionUri, name: 'details', subject: target, clock, log, ui });
      const hasPlayer = () => players.isOpen(target);
      return options.makeOwn(target.connection, (own) => {
        const seams = { title: panel.title, makePage, acts: playerActs(own, target), keep, hasPlayer };
        return new DetailsPanel(target, { ...own, ...seams });
      });
    },
  });
}

function createCheckTabs(options: TabOptions): Tabs<CheckTarget> {
  const { extensionUri, clock, log, ui } = options;
  return createTabs<CheckTarget>({
    open: (title) => vscode.window.createWebviewPanel(CHECK_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    keepsEach: true,
    make: (panel, target) => {
      panel.iconPath = tabIcon('check');
      const { kind, connection, id } = target;
      // A URL may contain secrets, and the page keeps its subject.
      const subject: ShownSubject = { kind, connection, id: kind === 'playback' ? '' : id };
      const makePage: CheckPanelOptions['makePage'] = (events) =>
        new PanelPage({ ...events, panel, extensionUri, name: 'check', subject, clock, log, ui });
      return options.makeOwn(connection, (own) => new CheckPanel(target, { ...own, title: panel.title, makePage }));
    },
  });
}

function createDeliveryTabs(options: TabOptions): Tabs<DeliveryTarget> {
  const { extensionUri, clock, log, ui } = options;
  return createTabs<DeliveryTarget>({
    open: (title) => vscode.window.createWebviewPanel(DELIVERY_VIEW, title, vscode.ViewColumn.Active),
    isPinned,
    make: (panel, target, keep) => {
      panel.iconPath = tabIcon('delivery');
      const makePage: DeliveryPanelOptions['makePage'] = (events) =>
        new PanelPage({ ...events, panel, extensionUri, name: 'delivery', subject: target, clock, log, ui });
      return new DeliveryPanel(target, { ...options, title: panel.title, makePage, runCommand: runOwnCommand, keep });
    },
  });
}

class PlayerPanel implements Tab {
  readonly #owned = new DisposableStore();
  readonly #page: PanelPage<FromPlayer>;
  readonly #part: PlayerPart;

  constructor(panel: vscode.WebviewPanel, target: PlayedTarget, options: OwnOptions) {
    const { extensionUri, clock, log, ui, store } = options;
    const page = new PanelPage({
      ...{ panel, extensionUri, name: 'player', subject: target, clock, log, ui },
      read: readPlayerMessage,
      onReady: () => {
        this.#part.sendShown();
        this.#part.sendVisibility();
      },
      onSaid: (said) => this.#part.receive(said),
      onSeenOrHidden: () => this.#part.seenOrHidden(),
    });
    this.#page = this.#owned.add(page);
    const onFound = ({ tab }: { readonly tab: string }): void => {
      page.title = tab;
    };
    const title = nameInTab(panel.title, target.kind);
    const partOptions = {
      ...options,
      target,
      title,
      view: page,
      acts: playerActs(options, target),
      pollsItself: true,
      onFound,
    };
    this.#part = this.#owned.add(new PlayerPart(partOptions));
    this.#owned.add(
      store.onDidChange(({ previous, current }) => {
        const wasOther = previous.connection.kind !== current.connection.kind;
        const isOther = previous.generation !== current.generation || (wasOther && !this.#part.hasSource);
        if (isOther) void this.load({ startsItself: false });
        else this.#part.followStream();
      }),
    );
  }

  get isPlaying(): boolean {
    return this.#part.isPlaying;
  }

  showAgain(): void {
    this.#page.reveal();
    if (this.#part.hasStopped) void this.load({ startsItself: true });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  load(how: { readonly startsItself: boolean }): Promise<void> {
    return this.#part.load(how);
  }
}

function playerActs(
  { runCommand, runFor }: OwnOptions,
  { connection }: { readonly connection: string },
): PlayerActions {
  return {
    act: (action, target) => doPlayerAction(runCommand, action, target),
    async createClip(clip, on, onMade) {
      const row = rowOf(on);
      const args = [{ ...(typeof row === 'object' ? row : { id: row }), ...clip, onMade }];
      await runFor(connection, 'createClip', args);
    },
    canDownload,
  };
}

function rowOf({ subject, session }: ActionTarget): unknown {
  return subject.kind === 'stream' || session === undefined ? subject.id : rowOfSession(session);
}

const CLIP_ACTIONS: Readonly<Partial<Record<Action, CommandId>>> = {
  openInBrowser: 'openClip',
  copyClipUrl: 'copyClipUrl',
  downloadMp4: 'downloadClip',
};

async function doPlayerAction(
  run: RunCommand,
  action: Exclude<Action, 'retry' | 'playMp4'>,
  target: ActionTarget,
): Promise<void> {
  const { subject, session, clip } = target;
  if (subject.kind === 'clip') {
    const command = CLIP_ACTIONS[action];
    if (command !== undefined) return run(command, { id: subject.id, inBrowser: action === 'openInBrowser' });
    if (action === 'showDetails') return clip?.sessionId === undefined ? undefined : run('showSession', clip.sessionId);
  }
  const isStream = subject.kind === 'stream';
  const row = rowOf(target);
  switch (action) {
    case 'openInBrowser':
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'alwaysInBrowser':
      await vscode.workspace
        .getConfiguration('liveStreams')
        .update('playIn', 'browser', vscode.ConfigurationTarget.Global);
      return run(isStream ? 'openPlayerPage' : 'openRecordingInBrowser', row);
    case 'copyAddress': {
      const hasOnlyFile = session?.recordingUrl === undefined && session?.mp4Url !== undefined;
      return run(isStream ? 'copyPlaybackUrl' : hasOnlyFile ? 'copyMp4Url' : 'copyRecordingUrl', row);
    }
    case 'copyWithToken':
      return run('copyPlaybackUrlWithToken', row);
    case 'downloadMp4':
      return run('downloadMp4', row);
    case 'createClip':
      return run('createClip', row);
    case 'copyClipUrl':
      return;
    case 'openRecording':
      return session === undefined ? undefined : run('openRecording', rowOfSession(session));
    case 'watchLive':
      return run('watchStream', isStream ? subject.id : session?.parentId);
    case 'startTestBroadcast':
      return isStream ? run('startTestBroadcast', subject.id) : undefined;
    case 'resumeStream':
      return isStream ? run('resumeStream', subject.id) : undefined;
    case 'showDetails':
      return run(isStream ? 'showStream' : 'showSession', row);
    case 'openOwnConnection':
      return run('switchConnection', { connectionId: subject.connection });
    case 'setApiKey':
      return run(action, { connectionId: subject.connection });
    case 'createSigningKey':
    case 'useSigningKey':
    case 'switchConnection':
    case 'addConnection':
    case 'startDemo':
      return run(action);
    case 'setAddress':
      return run('setAddresses');
    case 'maximise':
      await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
      return;
    default:
      action satisfies never;
  }
}

async function canDownload(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes('liveStreams.downloadMp4');
}

const runOwnCommand: RunCommand = async (id, ...args) => {
  await vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
};

/** Lines and filled parts in a square of 16. */
const SHAPES = {
  stream:
    '<circle cx="8" cy="8" r="1.4" fill="COLOR"/><path d="M5.2 10.8a4 4 0 0 1 0-5.6M10.8 5.2a4 4 0 0 1 0 5.6M3 13a7 7 0 0 1 0-10M13 3a7 7 0 0 1 0 10"/>',
  session: '<circle cx="8" cy="8" r="6.2"/><path d="M6.6 5.4v5.2L10.8 8z" fill="COLOR"/>',
  details: '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.3v4M8 4.7v.8"/>',
  check: '<circle cx="8" cy="8" r="6.2"/><path d="M5.2 8.2l2 2 3.6-4.2"/>',
  delivery: '<rect x="1.8" y="3.4" width="12.4" height="9.2" rx="1.4"/><path d="M2.4 4.4L8 8.8l5.6-4.4"/>',
};

const LIGHT = '#424242';
const DARK = '#c5c5c5';

/** Returns the icon of a tab. It is no file, because the package has few to spare. */
function tabIcon(shape: keyof typeof SHAPES): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  return { light: drawIcon(SHAPES[shape], LIGHT), dark: drawIcon(SHAPES[shape], DARK) };
}

function drawIcon(shape: string, color: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill="none" stroke="COLOR" stroke-width="1.2" stroke-linecap="round">${shape}</svg>`;
  const data = Buffer.from(svg.replaceAll('COLOR', color)).toString('base64');
  return vscode.Uri.parse(`data:image/svg+xml;base64,${data}`);
}

interface PanelPageOptions<Said> extends PageEvents<Said> {
  readonly panel: vscode.WebviewPanel;
  readonly extensionUri: vscode.Uri;
  readonly name: PageData['name'];
  readonly subject: ShownSubject;
  readonly clock: Clock;
  readonly log: Log;
  readonly ui: PageFailureContext['ui'];
}

/** The page in a tab. Messages of older pages are ignored. */
class PanelPage<Said> implements Disposable, WebviewPage {
  readonly #options: PanelPageOptions<Said>;
  readonly #owned = new DisposableStore();
  readonly #pages: PageGenerations;
  #isReady = false;

  constructor(options: PanelPageOptions<Said>) {
    this.#options = options;
    this.#pages = new PageGenerations(options.clock);
    const { panel, extensionUri, onSeenOrHidden } = options;
    const localResourceRoots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
    panel.webview.options = { enableScripts: true, localResourceRoots };
    this.#owned.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.#receive(message)));
    this.#owned.add(panel.onDidChangeViewState(onSeenOrHidden));
    this.#draw();
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

  reveal(): void {
    if (!this.#owned.isDisposed) this.#options.panel.reveal();
  }

  send(message: object): void {
    if (this.#isReady && !this.#owned.isDisposed) void this.#options.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #draw(): void {
    const { panel, extensionUri, name, subject } = this.#options;
    const { webview } = panel;
    this.#isReady = false;
    const file = (path: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', path)).toString();
    const nonce = randomBytes(18).toString('base64url');
    const { connection, kind, id, webhookId } = subject;
    const script = name === 'check' || name === 'delivery' ? 'webview/report.js' : 'webview/page.js';
    const texts = vscode.l10n.bundle ?? null;
    const of = webhookId === undefined ? {} : { webhookId };
    const data: PageData = { name, page: this.#pages.draw(), subject: { connection, kind, id, ...of }, texts };
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

  #classifyReady(page: unknown): void {
    const { log, name, onReady } = this.#options;
    const heard = this.#pages.classifyReady(page);
    if (heard === 'current') {
      this.#isReady = true;
      onReady();
    } else if (heard === 'lost') {
      log.info(`The editor lost a ${name} page, which is made again`);
      this.#draw();
    }
  }

  async #receive(message: unknown): Promise<void> {
    if (this.#owned.isDisposed) return;
    const { page, said } = isRecord(message) ? message : {};
    if (isRecord(said) && said.kind === 'ready') return this.#classifyReady(page);
    if (page !== this.#pages.number) return;
    const { read, log, onSaid, name } = this.#options;
    const known = read(said);
    if (known === undefined) return log.warn(`Rejected an invalid message from the ${name} page`);
    try {
      await onSaid(known);
    } catch (error) {
      void reportPageFailure(this.#options, name, error);
    }
  }
}
