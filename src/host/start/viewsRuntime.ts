import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../api/knownSecrets.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { PlaybackAccess } from '../../model/access/playbackAccess.ts';
import type { TokenRequest } from '../../model/access/token.ts';
import { serveConnection } from '../../model/connection/connectionModel.ts';
import type { Interest } from '../../model/loading/interest.ts';
import type { StreamLoader } from '../../model/loading/loader.ts';
import { Announcements, type AnnouncementsOptions } from '../../model/news/announcements.ts';
import { LastFocused } from '../../model/news/lastFocused.ts';
import type { Node } from '../../model/rows/nodes.ts';
import type { WalkthroughSteps } from '../../model/walkthroughSteps.ts';
import type { BoxlessUi, Downloads, Memento, Presence, Secrets, Transport } from '../../services.ts';
import { recordingsTree } from '../../tree/recordingsTree.ts';
import type { DrawingContext } from '../../tree/row.ts';
import { statusText } from '../../tree/statusText.ts';
import { streamsTree } from '../../tree/streamsTree.ts';
import { TreeModel } from '../../tree/treeModel.ts';
import { recordingsState, streamsState } from '../../tree/treeState.ts';
import { createHovers } from '../../tree/view/hovers.ts';
import { type Disposable, DisposableStore, makeOwning, onDispose } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { createLazyPart, type LazyPart } from '../../util/lazyParts.ts';
import type { MaskedDocuments } from '../boxes/documents.ts';
import { createUi } from '../boxes/ui.ts';
import type { EditorPanels, EditorPanelsOptions } from '../panels/editorPanels.ts';
import type { OutputLog } from '../storage/log.ts';
import { createTransport } from '../storage/transport.ts';
import { readDrawing } from '../tree/drawing.ts';
import type { RowProvider } from '../tree/rowProvider.ts';
import { keepStatusItem } from '../tree/statusBar.ts';
import { fillView } from '../tree/treeView.ts';
import { couldNotLoad, createLoadFailure } from './registrations.ts';

export interface BootContext
  extends Pick<
    CommandContext,
    'clock' | 'settings' | 'workspace' | 'store' | 'connections' | 'current' | 'demo' | 'leakSearch'
  > {
  readonly log: OutputLog;
  readonly steps: Pick<WalkthroughSteps, 'note'>;
  readonly documents: MaskedDocuments;
  readonly global: Memento;
  readonly secrets: Secrets;
  readonly extensionUri: vscode.Uri;
  readonly downloadNotes: string;
  readonly where: vscode.ExtensionKind;
  readonly views: Readonly<Record<'streams' | 'recordings', vscode.TreeView<Node>>>;
  readonly announced: AnnouncementsOptions['run'];
  readonly loadWebhooks: EditorPanelsOptions['loadWebhooks'];
}

export interface ViewsRuntime extends Disposable, Pick<CommandContext, 'loader' | 'drawing'> {
  readonly secrets: KnownSecrets;
  readonly access: LazyPart<PlaybackAccess>;
  readonly interest: Interest;
  readonly ui: BoxlessUi;
  readonly transport: Transport & Downloads;
  readonly player: EditorPanels['player'];
  readonly details: EditorPanels['details'];
  readonly checks: EditorPanels['checks'];
  readonly deliveries: EditorPanels['deliveries'];
  readonly streams: RowProvider;
  readonly recordings: RowProvider;
}

/** The part of the composition root that activation skips: everything that sends requests or renders the responses. */
export function startViewsRuntime(boot: BootContext): ViewsRuntime {
  return makeOwning((owned) => createViews(boot, owned));
}

function createViews(boot: BootContext, owned: DisposableStore): ViewsRuntime {
  const { clock, settings, store, views } = boot;
  const presence = owned.add(createPresence());
  for (const view of Object.values(views)) owned.add(presence.watch(view));

  const transport = owned.add(createTransport(boot));
  const secrets = new KnownSecrets();
  const access = createAccess(boot, owned, secrets);
  const makeToken = async (id: string, request: TokenRequest) => (await access())?.makeToken(id, request);
  const modelParts = { ...boot, transport, secrets, presence, makeToken, random: Math.random };
  const { loader, interest } = owned.add(serveConnection(boot, modelParts));

  const drawing = () => readDrawing(clock);
  const { streams, recordings } = fillViews(boot, { owned, loader, interest, transport, drawing });
  const readStatus = () => statusText(store.snapshot, drawing(), settings.refreshInterval());
  owned.add(keepStatusItem({ read: readStatus, onDidChange: store.onDidChange, clock }));

  const ui = owned.add(createUi({ ...boot, reveal: streams.reveal }));
  const panelOptions = { ...boot, ui, loader, presence, drawing, transport };
  const { player, details, checks, deliveries } = owned.add(createEditorTabs(panelOptions));
  const lastFocused = owned.add(new LastFocused({ ...boot, presence, windowId: randomUUID() }));
  owned.add(new Announcements({ ...boot, loader, lastFocused, ui, run: boot.announced }));
  return {
    ...{ ui, loader, interest, drawing, secrets, transport, access, player, details, checks, deliveries },
    streams: streams.provider,
    recordings: recordings.provider,
    dispose: () => owned.dispose(),
  };
}

/** Loaded for the first private stream that is watched. */
function createAccess({ log, clock, secrets }: BootContext, owned: DisposableStore, known: KnownSecrets) {
  return createLazyPart({ owned, log, notify: createLoadFailure() }, async () => {
    const { PlaybackAccess } = await import('../../model/access/playbackAccess.ts');
    return () => new PlaybackAccess({ secrets, clock, log, known });
  });
}

interface ViewParts {
  readonly owned: DisposableStore;
  readonly loader: StreamLoader;
  readonly interest: Interest;
  readonly transport: Transport;
  readonly drawing: () => DrawingContext;
}

/** The Recordings view loads nothing until it is visible. */
function fillViews(boot: BootContext, { owned, loader, interest, transport, drawing }: ViewParts) {
  const { store, views } = boot;
  const shared = { ...boot, onDidChangeTexts: store.onDidChange };
  const streams = fillView({
    ...shared,
    view: views.streams,
    model: owned.add(new TreeModel({ store, shape: streamsTree(store, loader), drawing })),
    texts: () => streamsState(store.snapshot, drawing(), boot.settings.refreshInterval()),
    interest,
    hover: createHovers({ ...boot, loader, transport }),
  });
  const recordings = fillView({
    ...shared,
    view: views.recordings,
    model: owned.add(new TreeModel({ store, shape: recordingsTree(store, loader), drawing })),
    texts: () => recordingsState(store.snapshot, drawing()),
  });
  owned.add(views.recordings.onDidChangeVisibility(({ visible }) => store.recordingsShown(visible)));
  store.recordingsShown(views.recordings.visible);
  return { streams: owned.add(streams), recordings: owned.add(recordings) };
}

function createEditorTabs(options: EditorPanelsOptions): EditorPanels {
  const owned = new DisposableStore();
  const load = createLazyPart({ owned, log: options.log, notify: createLoadFailure() }, async () => {
    const { createEditorPanels } = await import('../panels/editorPanels.ts');
    return () => createEditorPanels(options);
  });
  const restore =
    (kind: 'player' | 'details' | 'checks' | 'deliveries') => async (panel: vscode.WebviewPanel, state: unknown) => {
      const panels = await load();
      if (panels === undefined) throw new Error(couldNotLoad());
      await panels[kind].restore(panel, state);
    };
  return {
    player: {
      openStream: async (stream) => (await load())?.player.openStream(stream),
      openRecording: async (session) => (await load())?.player.openRecording(session),
      openClip: async (clip) => (await load())?.player.openClip(clip),
      restore: restore('player'),
    },
    details: {
      openStream: async (stream) => (await load())?.details.openStream(stream),
      openSession: async (session) => (await load())?.details.openSession(session),
      restore: restore('details'),
    },
    checks: {
      open: async (check) => (await load())?.checks.open(check),
      restore: restore('checks'),
    },
    deliveries: {
      openDelivery: async (delivery) => (await load())?.deliveries.openDelivery(delivery),
      restore: restore('deliveries'),
    },
    dispose: () => owned.dispose(),
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
