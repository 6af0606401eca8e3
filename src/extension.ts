import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { config, t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LiveStreamsApi } from './agents/liveStreamsApi.ts';
import { registerAgentFeatures } from './host/agents/agentFeatures.ts';
import { createDocuments } from './host/boxes/documents.ts';
import { registerCodeFeatures } from './host/code/codeFeatures.ts';
import { createRowDrags } from './host/code/rowDrops.ts';
import { createHostedDemo } from './host/start/demoSwitch.ts';
import {
  createLoadFailure,
  readCommandIds,
  registerCommands,
  registerLinks,
  registerRestoredPanels,
  registerTasks,
} from './host/start/registrations.ts';
import { createStepMarks } from './host/start/walkthroughMarks.ts';
import type { WebhooksBoot } from './host/start/webhooksRuntime.ts';
import { createLog } from './host/storage/log.ts';
import { createSettings } from './host/storage/settings.ts';
import { createMemento, createSecrets } from './host/storage/storage.ts';
import { contextKeysOf, keepContextKeys } from './host/tree/contextKeys.ts';
import { readDrawing } from './host/tree/drawing.ts';
import { createLateView } from './host/tree/rowProvider.ts';
import { withTreeKeys } from './host/tree/treeKeys.ts';
import { Connection } from './model/connection/connection.ts';
import { Connections } from './model/connection/connections.ts';
import { knowsDashboard, saysUrls } from './model/connection/knownAddresses.ts';
import { followConnections, openAtStart } from './model/connection/windowConnection.ts';
import { mayHaveLeft } from './model/downloads/partialFiles.ts';
import type { LinkParts } from './model/links.ts';
import { CHECK_VIEW, DELIVERY_VIEW, DETAILS_VIEW, PLAYER_VIEW } from './model/pages/panelState.ts';
import { StreamStore } from './model/store/store.ts';
import { keepViewChoices, readViewChoices } from './model/store/viewChoices.ts';
import { WalkthroughSteps } from './model/walkthroughSteps.ts';
import type { Log, Notifier } from './services.ts';
import { createClock } from './util/clock.ts';
import { DisposableStore } from './util/disposable.ts';
import { either } from './util/events.ts';
import { createLazyPart } from './util/lazyParts.ts';

/**
 * The composition root: creates, connects, and owns the objects. Contains what VS Code needs from the start; the
 * runtimes of views (with the panels) and of commands are loaded on demand. Sends no requests.
 */
export function activate(context: vscode.ExtensionContext): LiveStreamsApi {
  if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });
  const parts = createParts(context);
  const late = createLateRuntimes(context, parts);
  registerCommandsAndTabs(context, parts, late);
  registerTexts(parts, late);
  watchNotifications(parts, late);
  const { api, tools } = registerAgentFeatures(context.extension.packageJSON, late.agents, parts.store);
  parts.owned.add(tools);
  const ui: Notifier = {
    notify: async (...said) => (await late.views())?.ui.notify(...said),
  };
  inBackground(parts, 'Starting', async () => {
    const opening = openAtStart({ ...parts, ui });
    await opening.catch((error: unknown) => parts.log.error('Opening the connection failed', error));
    const isInterrupted = await mayHaveLeft(late.downloadNotes, parts.clock.now());
    if (isInterrupted) await (await late.commands())?.reportInterruptedDownloads();
  });
  return api;
}

type Parts = ReturnType<typeof createParts>;
type LateRuntimes = ReturnType<typeof createLateRuntimes>;

function createParts(context: vscode.ExtensionContext) {
  const { subscriptions, workspaceState, globalState, secrets, extensionUri, globalStorageUri } = context;
  const owned = new DisposableStore();
  subscriptions.push(owned);
  const clock = createClock();
  const log = owned.add(createLog());
  const settings = owned.add(createSettings(log));
  const workspace = createMemento(workspaceState);
  const global = createMemento(globalState);
  const { locale } = readDrawing(clock);
  const keptSecrets = createSecrets(secrets);
  const base = { owned, extensionUri, clock, log, settings, workspace, global, locale };
  const initial = { ...readViewChoices(workspace), settings: settings.values(), locale };
  const onListenerError = (error: unknown) => log.error('Following a change failed', error);
  const store = owned.add(new StreamStore({ clock, initial, onListenerError }));
  owned.add(keepViewChoices(store, workspace, log));
  owned.add(settings.onDidChange(() => store.setSettings(settings.values())));
  const steps = owned.add(new WalkthroughSteps({ ...base, store }));
  const connection = owned.add(new Connection(store));
  const connections = owned.add(new Connections({ ...base, secrets: keptSecrets, newId: randomUUID }));
  owned.add(followConnections({ connections, connection, store, log }));
  const recordingsFolder = join(globalStorageUri.fsPath, 'demo');
  const demo = owned.add(createHostedDemo({ ...base, connection, connections, name: t('Demo'), recordingsFolder }));
  const documents = owned.add(createDocuments());
  return { ...base, secrets: keptSecrets, store, steps, connection, connections, demo, documents };
}

/** The runtimes are loaded on first use. Each gets what it needs from the others as a function. */
function createLateRuntimes({ globalStorageUri, extension }: vscode.ExtensionContext, parts: Parts) {
  const { owned } = parts;
  const failure = { ...parts, notify: createLoadFailure() };
  const views = createLazyPart(failure, async () => {
    const { startViewsRuntime } = await import('./host/start/viewsRuntime.ts');
    return () => startViewsRuntime(boot);
  });
  const webhooks = createLazyPart(failure, async () => {
    const [{ startWebhooksRuntime }, loaded] = await Promise.all([import('./host/start/webhooksRuntime.ts'), views()]);
    return loaded && (() => startWebhooksRuntime(boot, loaded));
  });
  const commands = createLazyPart(failure, async () => {
    const [{ startCommandsRuntime }, shown, hooks] = await Promise.all([
      import('./host/start/commandsRuntime.ts'),
      views(),
      webhooks(),
    ]);
    return shown && hooks && (() => startCommandsRuntime(boot, shown, hooks));
  });
  const leakSearch = createLazyPart(failure, async () => {
    const { LeakGuard } = await import('./host/code/leakGuard.ts');
    const listSigningKeys = async (signal: AbortSignal) => (await commands())?.listSigningKeys(signal);
    return () => new LeakGuard({ ...parts, connect: views, listSigningKeys });
  });
  const agents = createLazyPart(failure, async () => {
    const loaded = await commands();
    const { startAgentsRuntime } = await import('./host/agents/agentsRuntime.ts');
    return loaded && (() => startAgentsRuntime(loaded));
  });
  const rowsOf = (id: 'liveStreams.streams' | 'liveStreams.recordings') => {
    return { canSelectMany: true, dragAndDropController: createRowDrags(id) };
  };
  const streams = owned.add(
    createLateView('liveStreams.streams', async () => (await views())?.streams, rowsOf('liveStreams.streams')),
  );
  const recordings = owned.add(
    createLateView('liveStreams.recordings', async () => (await views())?.recordings, rowsOf('liveStreams.recordings')),
  );
  const hooks = owned.add(createLateView('liveStreams.webhooks', async () => (await webhooks())?.rows));
  const boot: WebhooksBoot = {
    ...parts,
    leakSearch,
    downloadNotes: join(globalStorageUri.fsPath, 'downloads'),
    where: extension.extensionKind,
    views: { streams: streams.view, recordings: recordings.view },
    webhooksView: hooks.view,
    announced: async (act, connection) => (await commands())?.announced(act, connection),
    runFor: async (connection, id, args) => (await commands())?.runFor(connection, id, args),
    loadWebhooks: webhooks,
  };
  return { views, commands, leakSearch, agents, streams, downloadNotes: boot.downloadNotes };
}

function registerCommandsAndTabs({ extension }: vscode.ExtensionContext, parts: Parts, late: LateRuntimes): void {
  const { owned, store, settings, log, steps, demo } = parts;
  const marks = owned.add(createStepMarks(parts.clock));
  const readKeys = () =>
    contextKeysOf(
      store.snapshot,
      {
        isDemoRunning: demo.running !== undefined,
        knowsDashboard: knowsDashboard(parts),
        saysUrls: saysUrls(parts),
      },
      { isDone: steps.isDone, isMarking: marks.isMarking },
    );
  const ofSteps = either(steps.onDidChange, marks.onDidChange);
  const ofService = either(store.onDidChange, demo.onDidChange);
  const onDidChange = either(either(ofService, settings.onDidChange), ofSteps);
  owned.add(keepContextKeys({ read: readKeys, onDidChange, log }));
  const run = async (id: string, args: readonly unknown[]) => (await late.commands())?.run(id, args);
  owned.add(registerCommands(readCommandIds(extension.packageJSON), withTreeKeys(late.streams.view, run)));
  const panels = async () => (await late.views())?.panels();
  owned.add(registerRestoredPanels(PLAYER_VIEW, async () => (await panels())?.player));
  owned.add(registerRestoredPanels(DETAILS_VIEW, async () => (await panels())?.details));
  owned.add(registerRestoredPanels(CHECK_VIEW, async () => (await panels())?.checks));
  owned.add(registerRestoredPanels(DELIVERY_VIEW, async () => (await panels())?.deliveries));
  const openLink = (link: LinkParts) =>
    inBackground(parts, 'Opening a link', async () => (await late.commands())?.openLink(link));
  owned.add(registerLinks(openLink));
  owned.add(registerTasks(late.commands));
}

function registerTexts(parts: Parts, { commands, leakSearch }: LateRuntimes): void {
  const { owned, connection } = parts;
  const features = registerCodeFeatures({
    findId: async (text) => (connection.info !== undefined ? (await commands())?.findId(text) : undefined),
    defineId: async (shown) => (await commands())?.defineId(shown),
    formsOfRows: async (...dropped) => (await commands())?.formsOfRows(...dropped),
    guardKeys: () => inBackground(parts, 'Looking for keys', leakSearch),
  });
  owned.add(features);
}

/** Checks for news as soon as notifications are on, even without a view. */
function watchNotifications(parts: Parts, { views }: LateRuntimes): void {
  const { owned, settings } = parts;
  const start = () => {
    if (settings.notifications().size === 0) return;
    inBackground(parts, 'Looking for news', async () => (await views())?.announce());
  };
  owned.add(settings.onDidChange(start));
  start();
}

function inBackground({ log }: { readonly log: Log }, what: string, run: () => Promise<unknown>): void {
  run().catch((error: unknown) => log.error(`${what} failed`, error));
}
