import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../api/knownSecrets.ts';
import type { CommandContext, EditorTabs } from '../../commands/context.ts';
import type { PlaybackAccess } from '../../model/access/playbackAccess.ts';
import type { TokenRequest } from '../../model/access/token.ts';
import { serveConnection } from '../../model/connection/connectionModel.ts';
import type { OtherConnections } from '../../model/connection/otherConnections.ts';
import type { Interest } from '../../model/loading/interest.ts';
import type { AnnouncementsOptions } from '../../model/news/announcements.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { WalkthroughSteps } from '../../model/walkthroughSteps.ts';
import type { BoxlessUi, Downloads, Memento, Presence, Secrets, Transport } from '../../services.ts';
import { recordingsTree } from '../../tree/recordingsTree.ts';
import type { TreeShape } from '../../tree/rowKind.ts';
import { type StatusText, statusText } from '../../tree/statusText.ts';
import { streamsTree } from '../../tree/streamsTree.ts';
import { TreeModel } from '../../tree/treeModel.ts';
import { recordingsState, streamsState } from '../../tree/treeState.ts';
import { ExpandedRows } from '../../tree/view/expandedRows.ts';
import { createLateHovers } from '../../tree/view/lateHovers.ts';
import { makeQueue } from '../../util/async.ts';
import { type Disposable, DisposableSlot, DisposableStore, makeOwning, onDispose } from '../../util/disposable.ts';
import { Emitter, type Event, either } from '../../util/events.ts';
import { createLazyPart, type LazyPart, type LazyPartContext } from '../../util/lazyParts.ts';
import type { MaskedDocuments } from '../boxes/documents.ts';
import { createUi } from '../boxes/ui.ts';
import type { EditorPanels, EditorPanelsOptions } from '../panels/editorPanels.ts';
import type { OutputLog } from '../storage/log.ts';
import { createTransport } from '../storage/transport.ts';
import { readDrawing } from '../tree/drawing.ts';
import type { RowProvider } from '../tree/rowProvider.ts';
import { keepStatusItem } from '../tree/statusBar.ts';
import { type FilledView, fillView } from '../tree/treeView.ts';
import type { AllConnections, StreamsViewParts } from './connectionsRuntime.ts';
import { createLoadFailure } from './registrations.ts';

export interface BootContext
  extends Pick<
    CommandContext,
    'clock' | 'settings' | 'workspace' | 'store' | 'connections' | 'connection' | 'demo' | 'leakSearch'
  > {
  readonly log: OutputLog;
  readonly steps: WalkthroughSteps;
  readonly documents: MaskedDocuments;
  readonly global: Memento;
  readonly secrets: Secrets;
  readonly extensionUri: vscode.Uri;
  readonly downloadNotes: string;
  readonly where: vscode.ExtensionKind;
  readonly views: Readonly<Record<'streams' | 'recordings', vscode.TreeView<ViewNode>>>;
  readonly announced: AnnouncementsOptions['run'];
  readonly runFor: EditorPanelsOptions['runFor'];
  readonly loadWebhooks: EditorPanelsOptions['loadWebhooks'];
}

export interface ViewsRuntime extends Disposable, Pick<CommandContext, 'loader' | 'drawing'> {
  readonly secrets: KnownSecrets;
  readonly access: LazyPart<PlaybackAccess>;
  readonly interest: Interest;
  readonly presence: WindowPresence;
  /** Connections that are shown next to the active one. */
  readonly others: StreamsView['others'];
  readonly ui: BoxlessUi;
  /** Notifies about news from now on, according to the settings. */
  readonly announce: LazyPart<Disposable>;
  readonly transport: Transport & Downloads;
  readonly panels: LazyPart<EditorPanels>;
  readonly tabs: EditorTabs;
  readonly streams: RowProvider;
  readonly recordings: RowProvider;
}

/** The part of the composition root that activation skips: everything that sends requests or renders responses. */
export function startViewsRuntime(boot: BootContext): ViewsRuntime {
  return makeOwning((owned) => createViews(boot, owned));
}

function createViews(boot: BootContext, owned: DisposableStore): ViewsRuntime {
  const { clock, views } = boot;
  const presence = owned.add(createPresence());
  for (const view of Object.values(views)) owned.add(presence.watch(view));

  const transport = owned.add(createTransport(boot));
  const secrets = new KnownSecrets();
  const late = { ...boot, owned, notify: createLoadFailure() };
  const access = createAccess(late, secrets);
  const makeToken = async (id: string, request: TokenRequest) => (await access())?.makeToken(id, request);
  const modelParts = { ...boot, transport, secrets, presence, makeToken, random: Math.random };
  const model = owned.add(serveConnection(boot, modelParts));
  const { loader, interest } = model;

  const drawing = () => readDrawing(clock, boot.settings);
  const viewParts = { ...boot, modelParts, transport, model, loader, drawing };
  const streams = owned.add(createStreamsView(viewParts));
  const shape = recordingsTree(boot.store, loader);
  const recordings = owned.add(fillWithOne(viewParts, { view: views.recordings, shape, texts: recordingsState }));
  owned.add(watchRecordings(boot));
  owned.add(keepStatusItem({ read: streams.readStatus, onDidChange: streams.onDidChangeStatus, clock }));

  const ui = owned.add(createUi({ ...boot, reveal: streams.reveal }));
  const { others, onDidChangeOthers } = streams;
  const panelOptions = { ...boot, ui, loader, presence, drawing, transport, others, onDidChangeOthers };
  let made: EditorPanels | undefined;
  const panels = createLazyPart(late, async () => {
    const { createEditorPanels } = await import('../panels/editorPanels.ts');
    return () => {
      made = createEditorPanels(panelOptions);
      return made;
    };
  });
  const tabs: EditorTabs = {
    ...openLate(panels),
    findPage: (of) => made?.findPage(of),
    findDelivery: () => made?.findDelivery(),
  };
  const announce = createLazyPart(late, async () => {
    const { startAnnouncements } = await import('../../model/news/announcements.ts');
    return () =>
      startAnnouncements({ ...boot, ...tabs, loader, presence, ui, run: boot.announced, windowId: randomUUID() });
  });
  return {
    ...{ ui, loader, interest, presence, drawing, secrets, transport, access, panels, announce, others },
    tabs,
    streams: streams.provider,
    recordings: recordings.provider,
    dispose: () => owned.dispose(),
  };
}

/** Loaded when a private stream is first watched. */
function createAccess(late: BootContext & LazyPartContext, known: KnownSecrets) {
  return createLazyPart(late, async () => {
    const { PlaybackAccess } = await import('../../model/access/playbackAccess.ts');
    return () => new PlaybackAccess({ ...late, known });
  });
}

interface StreamsView extends Pick<FilledView, 'provider' | 'reveal'>, Disposable {
  /** Connections that are shown next to the active one. */
  readonly others: () => OtherConnections | undefined;
  /** Fires when other connections begin or stop being shown next to the active one. */
  readonly onDidChangeOthers: Event<void>;
  readonly readStatus: () => StatusText | undefined;
  readonly onDidChangeStatus: Event<void>;
}

/** The rows of the active connection, or of all; the code for those is loaded when they are first shown. */
function createStreamsView(parts: StreamsViewParts): StreamsView {
  const { store, log, drawing } = parts;
  const owned = new DisposableStore();
  const rowsChanged = owned.add(new Emitter<ViewNode[] | undefined>());
  const othersChanged = owned.add(new Emitter<void>());
  const othersUpdated = owned.add(new Emitter<void>());
  const shown = owned.add(new DisposableSlot<FilledView>());
  const following = owned.add(new DisposableSlot());
  const load = createLazyPart({ owned, log, notify: createLoadFailure() }, async () => {
    const { fillWithAll } = await import('./connectionsRuntime.ts');
    return () => ({ fillWithAll, dispose() {} });
  });
  const { loader, interest } = parts.model;
  const streamsOptions = {
    view: parts.views.streams,
    shape: streamsTree(store, loader),
    interest,
    texts: streamsState,
  };
  let all: AllConnections | undefined;

  function show(view: FilledView, isOfAll: AllConnections | undefined): void {
    const isFirst = shown.value === undefined;
    all = isOfAll;
    shown.set(view);
    following.set(view.provider.onDidChangeTreeData((rows) => rowsChanged.fire(rows)));
    othersUpdated.fire();
    if (isFirst) return;
    rowsChanged.fire(undefined);
    othersChanged.fire();
  }

  async function follow(): Promise<void> {
    const loaded = store.snapshot.showsAllConnections ? await load() : undefined;
    if (owned.isDisposed) return;
    const isWanted = store.snapshot.showsAllConnections && loaded !== undefined;
    if (shown.value !== undefined && isWanted === (all !== undefined)) return;
    if (!isWanted) return show(fillWithOne(parts, streamsOptions), undefined);
    const filled = loaded.fillWithAll(parts, () => othersChanged.fire());
    filled.others.onDidUpdate(() => othersUpdated.fire());
    show(filled, filled);
  }

  const inOrder = makeQueue();
  let settled = inOrder(follow);
  owned.add(
    store.onDidChange(({ previous, current }) => {
      if (previous.showsAllConnections !== current.showsAllConnections) settled = inOrder(follow);
    }),
  );
  /** VS Code may request rows from before the switch. */
  const viewOf = (node: ViewNode) =>
    (node.connection === undefined) === (all === undefined) ? shown.value : undefined;
  return {
    provider: {
      onDidChangeTreeData: rowsChanged.event,
      async getChildren(node) {
        await settled;
        return (node === undefined ? shown.value : viewOf(node))?.provider.getChildren(node) ?? [];
      },
      getTreeItem: (node) => viewOf(node)?.provider.getTreeItem(node) ?? { label: '' },
      getParent: (node) => viewOf(node)?.provider.getParent(node),
      resolveTreeItem: (item, node, token) => viewOf(node)?.provider.resolveTreeItem(item, node, token) ?? item,
    },
    async reveal(row) {
      await settled;
      await shown.value?.reveal(row);
    },
    others: () => all?.others,
    onDidChangeOthers: othersChanged.event,
    readStatus: () => (all === undefined ? statusText(store.snapshot, drawing()) : all.readStatus()),
    onDidChangeStatus: either(store.onDidChange, othersUpdated.event),
    dispose: () => owned.dispose(),
  };
}

interface TreeOptions {
  readonly shape: TreeShape;
  readonly view: vscode.TreeView<ViewNode>;
  readonly interest?: Interest;
  readonly texts: typeof recordingsState;
}

/** Fills a view with rows of the active connection. */
function fillWithOne(parts: StreamsViewParts, { view, shape, interest, texts }: TreeOptions): FilledView {
  const { store, drawing } = parts;
  const owned = new DisposableStore();
  const model = owned.add(new TreeModel({ store, shape, drawing }));
  const filled = owned.add(
    fillView({
      ...parts,
      view,
      model,
      expanded: new ExpandedRows(interest, model),
      texts: () => texts(store.snapshot, drawing()),
      onDidChangeTexts: store.onDidChange,
      hover: createLateHovers(parts),
    }),
  );
  return { ...filled, dispose: () => owned.dispose() };
}

/** The Recordings view loads nothing until it's visible. */
function watchRecordings({ store, views: { recordings } }: BootContext): Disposable {
  store.recordingsShown(recordings.visible);
  return recordings.onDidChangeVisibility(({ visible }) => store.recordingsShown(visible));
}

/** The tabs' code is loaded when the first one is opened. */
function openLate(panels: LazyPart<EditorPanels>): Omit<EditorTabs, 'findPage' | 'findDelivery'> {
  return {
    player: {
      openStream: async (...subject) => (await panels())?.player.openStream(...subject),
      openRecording: async (...subject) => (await panels())?.player.openRecording(...subject),
      openClip: async (...subject) => (await panels())?.player.openClip(...subject),
    },
    details: {
      openStream: async (...subject) => (await panels())?.details.openStream(...subject),
      openSession: async (...subject) => (await panels())?.details.openSession(...subject),
    },
    checks: { open: async (check) => (await panels())?.checks.open(check) },
    deliveries: { openDelivery: async (delivery) => (await panels())?.deliveries.openDelivery(delivery) },
  };
}

interface WatchedView {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<unknown>;
}

interface WindowPresence extends Presence, Disposable {
  watch(view: WatchedView): Disposable;
}

export function createPresence(): WindowPresence {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  const views = new Set<WatchedView>();
  owned.add(vscode.window.onDidChangeWindowState(() => changes.fire()));
  return {
    isViewVisible: () => [...views].some((view) => view.visible),
    isFocused: () => vscode.window.state.focused,
    onDidChange: changes.event,
    watch(view) {
      views.add(view);
      const subscription = view.onDidChangeVisibility(() => changes.fire());
      changes.fire();
      return owned.add(
        onDispose(() => {
          subscription.dispose();
          views.delete(view);
          changes.fire();
        }),
      );
    },
    dispose: () => owned.dispose(),
  };
}
