import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { config, t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LiveStreamsApi } from './agents/liveStreamsApi.ts';
import { knowsDashboard } from './commands/knownAddresses.ts';
import { registerAgentFeatures } from './host/agents/agentFeatures.ts';
import { createDocuments } from './host/boxes/documents.ts';
import { registerCodeFeatures } from './host/code/codeFeatures.ts';
import { createDemoSwitch } from './host/start/demoSwitch.ts';
import {
  createLoadFailure,
  readCommandIds,
  registerCommands,
  registerLinks,
  registerRestoredPanels,
} from './host/start/registrations.ts';
import type { BootContext, ViewsRuntime } from './host/start/viewsRuntime.ts';
import { createLog } from './host/storage/log.ts';
import { createSettings } from './host/storage/settings.ts';
import { createMemento, createSecrets } from './host/storage/storage.ts';
import { contextKeysOf, keepContextKeys } from './host/tree/contextKeys.ts';
import { readDrawing } from './host/tree/drawing.ts';
import { createLateView } from './host/tree/rowProvider.ts';
import { withTreeKeys } from './host/tree/treeKeys.ts';
import { Connections } from './model/connection/connections.ts';
import { CurrentConnection } from './model/connection/current.ts';
import { followConnections, openAtStart } from './model/connection/windowConnection.ts';
import { mayHaveLeft } from './model/downloads/partialFiles.ts';
import { DETAILS_VIEW, PLAYER_VIEW } from './model/pages/panelState.ts';
import { StreamStore } from './model/store/store.ts';
import { keepViewChoices, readViewChoices } from './model/store/viewChoices.ts';
import type { Clock, Log, Memento, Settings } from './services.ts';
import { createClock } from './util/clock.ts';
import { DisposableStore } from './util/disposable.ts';
import { either } from './util/events.ts';
import { createLatePart } from './util/lateParts.ts';

/**
 * The composition root: creates, connects and owns the objects. Contains what VS Code needs from the start; the runtimes
 * of views (with the panels) and of commands are loaded on demand. Sends no requests.
 */
export function activate(context: vscode.ExtensionContext): LiveStreamsApi {
  if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });
  const owned = new DisposableStore();
  context.subscriptions.push(owned);

  const clock = createClock();
  const log = owned.add(createLog());
  const settings = owned.add(createSettings(log));
  const workspace = createMemento(context.workspaceState);
  const global = createMemento(context.globalState);
  const { extensionUri } = context;

  const { locale } = readDrawing(clock);
  const store = createStore(owned, { clock, log, settings, workspace, locale });
  const current = owned.add(new CurrentConnection(store));
  const secrets = createSecrets(context.secrets);
  const parts = { secrets, clock, global, workspace, log, locale };
  const connections = owned.add(new Connections({ ...parts, newId: randomUUID }));
  owned.add(followConnections({ connections, current, store, log }));
  const demoParts = { extensionUri, clock, current, connections, workspace, log };
  const demo = owned.add(createDemoSwitch({ ...demoParts, name: t('Demo') }));
  const documents = owned.add(createDocuments());

  const late = { owned, log, notify: createLoadFailure() };
  const views = createLatePart(late, async () => {
    const { startViewsRuntime } = await import('./host/start/viewsRuntime.ts');
    return () => startViewsRuntime(boot);
  });
  const commands = createLatePart(late, async () => {
    const [{ startCommandsRuntime }, loaded] = await Promise.all([import('./host/start/commandsRuntime.ts'), views()]);
    return loaded && (() => startCommandsRuntime(boot, loaded));
  });
  const leakSearch = createLatePart(late, async () => {
    const { LeakGuard } = await import('./host/code/leakGuard.ts');
    return () => new LeakGuard({ connections, current, store, settings, clock, log, connect: views });
  });
  const agents = createLatePart(late, async () => {
    const loading = Promise.all([import('./host/agents/agentsRuntime.ts'), views()]);
    const [{ startAgentsRuntime }, loaded] = await loading;
    return loaded && (() => startAgentsRuntime(boot, loaded));
  });
  const streams = owned.add(createLateView('liveStreams.streams', async () => (await views())?.streams));
  const recordings = owned.add(createLateView('liveStreams.recordings', async () => (await views())?.recordings));
  const boot: BootContext = {
    ...{ clock, log, settings, store, connections, current, demo, documents, global, extensionUri, leakSearch },
    downloadNotes: join(context.globalStorageUri.fsPath, 'downloads'),
    where: context.extension.extensionKind,
    views: { streams: streams.view, recordings: recordings.view },
    announced: async (act, connection) => (await commands())?.announced(act, connection),
  };

  const readKeys = () => contextKeysOf(store.snapshot, knowsDashboard({ current, settings, demo }));
  owned.add(keepContextKeys({ read: readKeys, onDidChange: either(store.onDidChange, settings.onDidChange), log }));
  const run = async (id: string, args: readonly unknown[]) => (await commands())?.run(id, args);
  owned.add(registerCommands(readCommandIds(context.extension.packageJSON), withTreeKeys(streams.view, run)));
  owned.add(registerRestoredPanels(PLAYER_VIEW, async () => (await views())?.player));
  owned.add(registerRestoredPanels(DETAILS_VIEW, async () => (await views())?.details));

  const inBackground = (what: string, run: () => Promise<unknown>) => {
    run().catch((error: unknown) => log.error(`${what} failed`, error));
  };
  owned.add(registerLinks((parts) => inBackground('Opening a link', async () => (await commands())?.openLink(parts))));
  const notify = () => {
    if (settings.notifications().size > 0) inBackground('Starting to look for news', views);
  };
  owned.add(settings.onDidChange(notify));
  notify();
  const isAnythingKnown = () => store.snapshot.streams.size > 0;
  owned.add(
    registerCodeFeatures({
      findId: async (text) => (isAnythingKnown() ? (await views())?.findId(text) : undefined),
      defineId: async (shown) => (await commands())?.defineId(shown),
      formsOfRows: async (...dropped) => (await commands())?.formsOfRows(...dropped),
      guardKeys: () => inBackground('Looking for keys', leakSearch),
    }),
  );
  const { api } = owned.add(registerAgentFeatures(context.extension.packageJSON, agents, store));
  const ui: Pick<ViewsRuntime['ui'], 'notify'> = { notify: async (...said) => (await views())?.ui.notify(...said) };
  const open = () => openAtStart({ connections, current, store, clock, demo, ui, log });
  inBackground('Starting', async () => {
    await open().catch((error: unknown) => log.error('Opening the connection failed', error));
    if (await mayHaveLeft(boot.downloadNotes, clock.now())) await (await commands())?.reportInterruptedDownloads();
  });
  return api;
}

interface StoreParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly workspace: Memento;
  readonly locale: string;
}

function createStore(owned: DisposableStore, { clock, log, settings, workspace, locale }: StoreParts): StreamStore {
  const showsChildStreams = settings.showHistoricChildStreams();
  const initial = { ...readViewChoices(workspace), showsChildStreams, locale };
  const onListenerError = (error: unknown) => log.error('Following a change failed', error);
  const store = owned.add(new StreamStore({ clock, initial, onListenerError }));
  owned.add(keepViewChoices(store, workspace, log));
  owned.add(settings.onDidChange(() => store.setShowsChildStreams(settings.showHistoricChildStreams())));
  return store;
}
