import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { StreamApi } from './api/streamApi.ts';
import type { Abilities } from './api/types.ts';
import { runAnnounced } from './commands/announced.ts';
import { runCommand } from './commands/boundary.ts';
import type { CommandContext } from './commands/context.ts';
import { knowsDashboard } from './commands/knownAddresses.ts';
import { tellLeftDownloads } from './commands/leftDownloads.ts';
import { openLink } from './commands/links.ts';
import { COMMANDS, type CommandHandler } from './commands/table.ts';
import { TREE_KEYS } from './commands/treeKeys.ts';
import { createClock } from './host/clock.ts';
import { registerCommands } from './host/commands.ts';
import { contextKeysOf, keepContextKeys } from './host/contextKeys.ts';
import { createDemoSwitch } from './host/demoSwitch.ts';
import { createDocuments } from './host/documents.ts';
import { createDownloadFiles } from './host/downloadFiles.ts';
import { readDrawing } from './host/drawing.ts';
import { createEditorTabs } from './host/editorTabs.ts';
import { externalAddress } from './host/externalAddress.ts';
import { configureTexts } from './host/l10n.ts';
import { readLinkScheme, registerLinks } from './host/links.ts';
import { createLog } from './host/log.ts';
import { machineName } from './host/machine.ts';
import { createMemento } from './host/memento.ts';
import { createPictures } from './host/pictures.ts';
import { createPresence } from './host/presence.ts';
import { createRecordingsView } from './host/recordingsView.ts';
import { createSecrets } from './host/secrets.ts';
import { createSettings } from './host/settings.ts';
import { keepStatusItem } from './host/statusBar.ts';
import { createTransport } from './host/transport.ts';
import { registerTreeKeys } from './host/treeKeys.ts';
import { createView } from './host/treeView.ts';
import { createUi } from './host/ui.ts';
import { Announcements, type AnnouncementsOptions } from './model/announcements.ts';
import { Connections } from './model/connections.ts';
import { CurrentConnection } from './model/current.ts';
import { Downloader } from './model/downloader.ts';
import { Interest } from './model/interest.ts';
import { LastFocused } from './model/lastFocused.ts';
import { StreamLoader } from './model/loader.ts';
import { Poller } from './model/poller.ts';
import { RecentEnds } from './model/recentEnds.ts';
import { StreamStore } from './model/store.ts';
import { keepViewChoices, readViewChoices } from './model/viewChoices.ts';
import { followConnections, openAtStart } from './model/windowConnection.ts';
import { statusText } from './tree/statusText.ts';
import { streamsTree } from './tree/streamsTree.ts';
import { TreeModel } from './tree/treeModel.ts';
import { treeState } from './tree/treeState.ts';
import { DisposableStore } from './util/disposable.ts';
import { either } from './util/events.ts';

/** The composition root: makes the objects, joins them and owns them. Sends nothing: the first request follows the first row asked for. */
export function activate(context: vscode.ExtensionContext): void {
  configureTexts();
  const owned = new DisposableStore();
  context.subscriptions.push(owned);

  const clock = createClock();
  const log = owned.add(createLog());
  const settings = owned.add(createSettings(log));
  const presence = owned.add(createPresence());
  const workspace = createMemento(context.workspaceState);
  const where = context.extension.extensionKind;
  const transport = owned.add(createTransport({ settings, where, clock, log }));

  const initial = { ...readViewChoices(workspace), showsHistoricChildStreams: settings.showHistoricChildStreams() };
  const onListenerError = (error: unknown) => log.error('Following a change failed', error);
  const store = owned.add(new StreamStore({ clock, initial, onListenerError }));
  owned.add(keepViewChoices(store, workspace, log));
  owned.add(settings.onDidChange(() => store.setShowsHistoricChildStreams(settings.showHistoricChildStreams())));
  const interest = new Interest();
  const loader = owned.add(new StreamLoader({ store, clock, log, interest, pageSize: settings.pageSize }));
  const makeApi: CommandContext['makeApi'] = (connection) => new StreamApi({ ...connection, transport, clock, log });
  const current = owned.add(
    new CurrentConnection({
      store,
      loader,
      makeApi: (connection) => {
        const onDidChangeAbilities = (abilities: Abilities) => store.abilitiesChanged(abilities);
        return new StreamApi({ ...connection, transport, clock, log, onDidChangeAbilities });
      },
    }),
  );
  const secrets = createSecrets(context.secrets);
  const global = createMemento(context.globalState);
  const connections = owned.add(new Connections({ secrets, global, workspace, log, newId: randomUUID }));
  owned.add(followConnections({ connections, current, store, log }));
  const { extensionUri } = context;
  const demoParts = { extensionUri, clock, current, connections, workspace, log };
  const demo = owned.add(createDemoSwitch({ ...demoParts, name: t('Demo') }));

  const drawing = () => readDrawing(clock);
  const model = owned.add(new TreeModel({ store, shape: streamsTree(store, loader), drawing }));
  const texts = () => treeState(store.snapshot, drawing());
  const { onDidChange } = store;
  const picture = createPictures({ store, current, transport, clock, log });
  const viewParts = { model, interest, clock, texts, onDidChangeTexts: onDidChange, log, picture };
  const streams = owned.add(createView({ id: 'liveStreams.streams', ...viewParts }));
  const recordings = owned.add(createRecordingsView({ store, loader, clock, log, drawing }));
  for (const { view } of [streams, recordings]) owned.add(presence.watch(view));
  const readKeys = () => contextKeysOf(store.snapshot, texts().context, knowsDashboard({ current, settings, demo }));
  owned.add(keepContextKeys({ read: readKeys, onDidChange: either(onDidChange, settings.onDidChange), log }));
  owned.add(new Poller({ store, loader, interest, clock, presence, settings, random: Math.random }));

  const documents = owned.add(createDocuments());
  const ui = owned.add(createUi({ log, where, documents, reveal: streams.reveal }));
  const playing = { ui, log, clock, settings, store, current, demo, drawing, transport, externalAddress, extensionUri };
  const tabs = owned.add(createEditorTabs({ ...playing, loader, presence }));
  const files = owned.add(
    createDownloadFiles({ folder: join(context.globalStorageUri.fsPath, 'downloads'), clock, log }),
  );
  const downloader = owned.add(new Downloader({ transport, files, clock, log, random: Math.random }));
  const commandContext: CommandContext = {
    ...{ ui, log, clock, settings, store, loader, connections, current, demo, downloader, makeApi },
    ...{ player: tabs.player, details: tabs.details },
    machine: () => machineName(where),
    recentEnds: new RecentEnds(),
    drawing,
    linkScheme: readLinkScheme(),
  };
  const runById = (_id: string, handler: CommandHandler, args: readonly unknown[]) =>
    runCommand(commandContext, handler, args);
  owned.add(registerCommands(COMMANDS, runById));
  owned.add(registerTreeKeys(TREE_KEYS, streams.view, runById));
  owned.add(registerLinks((parts) => runCommand(commandContext, (next) => openLink(next, parts))));
  owned.add(keepStatusItem({ read: () => statusText(store.snapshot, readDrawing(clock)), onDidChange, clock }));
  const lastFocused = owned.add(new LastFocused({ presence, settings, global, windowId: randomUUID(), log }));
  const run: AnnouncementsOptions['run'] = (act, connection) => runAnnounced(commandContext, act, connection);
  owned.add(new Announcements({ store, loader, clock, settings, lastFocused, ui, log, run }));
  openAtStart(commandContext)
    .catch((error: unknown) => log.error('Opening the connection failed', error))
    .then(async () => tellLeftDownloads(commandContext, await files.clearLeft()));
}
