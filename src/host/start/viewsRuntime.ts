import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { CommandContext } from '../../commands/context.ts';
import { Account, tryService } from '../../model/account/account.ts';
import { Interest } from '../../model/loading/interest.ts';
import { StreamLoader } from '../../model/loading/loader.ts';
import { Poller } from '../../model/loading/poller.ts';
import { Announcements, type AnnouncementsOptions } from '../../model/news/announcements.ts';
import { LastFocused } from '../../model/news/lastFocused.ts';
import type { Downloads, Memento, Presence, Transport } from '../../services.ts';
import type { Node } from '../../tree/nodes.ts';
import { statusText } from '../../tree/statusText.ts';
import { streamsTree } from '../../tree/streamsTree.ts';
import { TreeModel } from '../../tree/treeModel.ts';
import { streamsState } from '../../tree/treeState.ts';
import { createHovers } from '../../tree/view/hovers.ts';
import { type Disposable, DisposableStore, makeOwning, onDispose } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { createLatePart } from '../../util/lateParts.ts';
import type { MaskedDocuments } from '../boxes/documents.ts';
import { externalAddress } from '../boxes/externalAddress.ts';
import { createUi } from '../boxes/ui.ts';
import type { EditorPanels, EditorPanelsOptions } from '../panels/editorPanels.ts';
import type { OutputLog } from '../storage/log.ts';
import { createTransport } from '../storage/transport.ts';
import { readDrawing } from '../tree/drawing.ts';
import { fillRecordingsView } from '../tree/recordingsView.ts';
import { registerRowDecorations } from '../tree/rowDecorations.ts';
import type { RowProvider } from '../tree/rowProvider.ts';
import { keepStatusItem } from '../tree/statusBar.ts';
import { fillView } from '../tree/treeView.ts';
import { couldNotLoad, createLoadFailure } from './registrations.ts';

export interface BootContext
  extends Pick<CommandContext, 'clock' | 'settings' | 'store' | 'connections' | 'current' | 'demo' | 'leakSearch'> {
  readonly log: OutputLog;
  readonly documents: MaskedDocuments;
  readonly global: Memento;
  readonly extensionUri: vscode.Uri;
  readonly downloadNotes: string;
  readonly where: vscode.ExtensionKind;
  readonly views: Readonly<Record<'streams' | 'recordings', vscode.TreeView<Node>>>;
  readonly announced: AnnouncementsOptions['run'];
}

export interface ViewsRuntime extends Disposable, Pick<CommandContext, 'ui' | 'loader' | 'drawing' | 'checkService'> {
  readonly transport: Transport & Downloads;
  readonly player: EditorPanels['player'];
  readonly details: EditorPanels['details'];
  readonly streams: RowProvider;
  readonly recordings: RowProvider;
}

/** The part of the composition root that activation skips: everything that sends requests or renders the responses. */
export function startViewsRuntime(started: BootContext): ViewsRuntime {
  return makeOwning((owned) => look(started, owned));
}

function look(started: BootContext, owned: DisposableStore): ViewsRuntime {
  const { clock, log, settings, store, current, demo, global, views, extensionUri, where } = started;
  const presence = owned.add(createPresence());
  for (const view of Object.values(views)) owned.add(presence.watch(view));

  const transport = owned.add(createTransport({ settings, where, clock, log }));
  const interest = new Interest();
  const loader = owned.add(new StreamLoader({ store, clock, log, interest, pageSize: settings.pageSize }));
  const checkService: CommandContext['checkService'] = (connection, signal) =>
    tryService({ ...connection, transport, clock, log }, signal);
  current.serve({
    loader,
    openAccount: ({ baseUrl, apiKey }) => new Account({ baseUrl, apiKey, transport, store, clock, log }),
  });

  const drawing = () => readDrawing(clock);
  const { onDidChange } = store;
  const model = owned.add(new TreeModel({ store, shape: streamsTree(store, loader), drawing }));
  const texts = () => streamsState(store.snapshot, drawing());
  const hover = createHovers({ store, current, loader, transport, clock, log });
  const viewParts = { model, interest, clock, texts, onDidChangeTexts: onDidChange, log, hover };
  owned.add(registerRowDecorations());
  const streams = owned.add(fillView({ view: views.streams, ...viewParts }));
  const recordings = owned.add(fillRecordingsView({ view: views.recordings, store, loader, clock, log, drawing }));
  const readStatus = () => statusText(store.snapshot, drawing(), settings.refreshInterval());
  owned.add(keepStatusItem({ read: readStatus, onDidChange, clock }));
  owned.add(settings.onDidChange(() => void loader.fillPages()));
  owned.add(new Poller({ store, loader, interest, clock, presence, settings, random: Math.random }));

  const ui = owned.add(createUi({ log, where, documents: started.documents, reveal: streams.reveal }));
  const playing = { ui, log, clock, settings, store, current, demo, drawing, transport, externalAddress, extensionUri };
  const { player, details } = owned.add(createEditorTabs({ ...playing, loader, presence }));
  const lastFocused = owned.add(new LastFocused({ presence, settings, global, windowId: randomUUID(), log }));
  owned.add(new Announcements({ store, loader, clock, settings, lastFocused, ui, log, run: started.announced }));
  return {
    ...{ ui, loader, drawing, checkService, transport, player, details },
    streams: streams.provider,
    recordings: recordings.provider,
    dispose: () => owned.dispose(),
  };
}

function createEditorTabs(options: EditorPanelsOptions): EditorPanels {
  const owned = new DisposableStore();
  const load = createLatePart({ owned, log: options.log, notify: createLoadFailure() }, async () => {
    const { createEditorPanels } = await import('../panels/editorPanels.ts');
    return () => createEditorPanels(options);
  });
  const restore = (kind: 'player' | 'details') => async (panel: vscode.WebviewPanel, state: unknown) => {
    const panels = await load();
    if (panels === undefined) throw new Error(couldNotLoad());
    await panels[kind].restore(panel, state);
  };
  return {
    player: {
      openStream: async (stream, place) => (await load())?.player.openStream(stream, place),
      openRecording: async (session, place) => (await load())?.player.openRecording(session, place),
      restore: restore('player'),
    },
    details: {
      openStream: async (stream, place) => (await load())?.details.openStream(stream, place),
      openSession: async (session, place) => (await load())?.details.openSession(session, place),
      restore: restore('details'),
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
