import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { knowsDashboard } from './commands/knownAddresses.ts';
import { createDocuments } from './host/boxes/documents.ts';
import { createClock } from './host/start/clock.ts';
import { createDemoSwitch } from './host/start/demoSwitch.ts';
import { configureTexts } from './host/start/l10n.ts';
import { createLateParts } from './host/start/lateParts.ts';
import { createLoadFailure } from './host/start/loadFailure.ts';
import { readCommandIds, registerCommands } from './host/start/registerCommands.ts';
import { registerRestoredPanels } from './host/start/restoredPanels.ts';
import { registerLinks } from './host/start/uriHandler.ts';
import type { BootContext, ViewsRuntime } from './host/start/viewsRuntime.ts';
import { createLog } from './host/storage/log.ts';
import { createMemento } from './host/storage/memento.ts';
import { mayHaveLeft } from './host/storage/partialFiles.ts';
import { createSecrets } from './host/storage/secrets.ts';
import { createSettings } from './host/storage/settings.ts';
import { contextKeysOf, keepContextKeys } from './host/tree/contextKeys.ts';
import { readDrawing } from './host/tree/drawing.ts';
import { createLateView } from './host/tree/rowProvider.ts';
import { registerTreeKeys } from './host/tree/treeKeys.ts';
import { Connections } from './model/connection/connections.ts';
import { CurrentConnection } from './model/connection/current.ts';
import { followConnections, openAtStart } from './model/connection/windowConnection.ts';
import { DETAILS_VIEW, PLAYER_VIEW } from './model/pages/panelState.ts';
import { StreamStore } from './model/store/store.ts';
import { keepViewChoices, readViewChoices } from './model/store/viewChoices.ts';
import { DisposableStore } from './util/disposable.ts';
import { either } from './util/events.ts';

/**
 * The composition root: creates, connects and owns the objects. Contains what VS Code needs from the start; looking.ts
 * (views and panels) and acting.ts (commands) are loaded on demand. Sends no requests.
 */
export function activate(context: vscode.ExtensionContext): void {
  configureTexts();
  const owned = new DisposableStore();
  context.subscriptions.push(owned);

  const clock = createClock();
  const log = owned.add(createLog());
  const settings = owned.add(createSettings(log));
  const workspace = createMemento(context.workspaceState);
  const global = createMemento(context.globalState);
  const { extensionUri } = context;

  const { locale } = readDrawing(clock);
  const showsHistoricChildStreams = settings.showHistoricChildStreams();
  const initial = { ...readViewChoices(workspace), showsHistoricChildStreams, locale };
  const onListenerError = (error: unknown) => log.error('Following a change failed', error);
  const store = owned.add(new StreamStore({ clock, initial, onListenerError }));
  owned.add(keepViewChoices(store, workspace, log));
  owned.add(settings.onDidChange(() => store.setShowsHistoricChildStreams(settings.showHistoricChildStreams())));
  const current = owned.add(new CurrentConnection(store));
  const secrets = createSecrets(context.secrets);
  const parts = { secrets, clock, global, workspace, log, locale };
  const connections = owned.add(new Connections({ ...parts, newId: randomUUID }));
  owned.add(followConnections({ connections, current, store, log }));
  const demoParts = { extensionUri, clock, current, connections, workspace, log };
  const demo = owned.add(createDemoSwitch({ ...demoParts, name: t('Demo') }));
  const documents = owned.add(createDocuments());

  const late = createLateParts({ owned, log, tell: createLoadFailure() });
  const looking = late(async () => {
    const { startViewsRuntime } = await import('./host/start/viewsRuntime.ts');
    return () => startViewsRuntime(started);
  });
  const acting = late(async () => {
    const [{ startCommandsRuntime }, seen] = await Promise.all([import('./host/start/commandsRuntime.ts'), looking()]);
    return seen && (() => startCommandsRuntime(started, seen));
  });
  const streams = owned.add(createLateView('liveStreams.streams', async () => (await looking())?.streams));
  const recordings = owned.add(createLateView('liveStreams.recordings', async () => (await looking())?.recordings));
  const started: BootContext = {
    ...{ clock, log, settings, store, connections, current, demo, documents, global, extensionUri },
    downloadNotes: join(context.globalStorageUri.fsPath, 'downloads'),
    where: context.extension.extensionKind,
    views: { streams: streams.view, recordings: recordings.view },
    announced: async (act, connection) => (await acting())?.announced(act, connection),
  };

  const readKeys = () => contextKeysOf(store.snapshot, knowsDashboard({ current, settings, demo }));
  owned.add(keepContextKeys({ read: readKeys, onDidChange: either(store.onDidChange, settings.onDidChange), log }));
  const run = async (id: string, args: readonly unknown[]) => (await acting())?.run(id, args);
  const ids = Map.groupBy(readCommandIds(context.extension.packageJSON), (id) => id.startsWith('tree.'));
  owned.add(registerCommands(ids.get(false) ?? [], run));
  owned.add(registerTreeKeys(ids.get(true) ?? [], streams.view, run));
  owned.add(registerRestoredPanels(PLAYER_VIEW, async () => (await looking())?.player));
  owned.add(registerRestoredPanels(DETAILS_VIEW, async () => (await looking())?.details));

  const inBackground = (what: string, run: () => Promise<unknown>) => {
    run().catch((error: unknown) => log.error(`${what} failed`, error));
  };
  owned.add(registerLinks((parts) => inBackground('Opening a link', async () => (await acting())?.openLink(parts))));
  const notify = () => {
    if (settings.notifications().size > 0) inBackground('Starting to look for news', looking);
  };
  owned.add(settings.onDidChange(notify));
  notify();
  const ui: Pick<ViewsRuntime['ui'], 'notify'> = { notify: async (...said) => (await looking())?.ui.notify(...said) };
  const open = () => openAtStart({ connections, current, store, clock, demo, ui, log });
  inBackground('Starting', async () => {
    await open().catch((error: unknown) => log.error('Opening the connection failed', error));
    if (await mayHaveLeft(started.downloadNotes, clock.now())) await (await acting())?.tellLeftDownloads();
  });
}
