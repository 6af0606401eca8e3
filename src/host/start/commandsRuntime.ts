import * as vscode from 'vscode';
import { KnownSecrets } from '../../api/knownSecrets.ts';
import type { ListSigningKeys } from '../../code/publicKeys.ts';
import { type BoundaryContext, contextOf, runAction, runCommand, showMessage } from '../../commands/boundary.ts';
import { formsOfRows } from '../../commands/codeCommands.ts';
import { actFor } from '../../commands/connection/boundConnection.ts';
import { createContextsBeside } from '../../commands/connection/contextBeside.ts';
import type { CommandContext, WebhookParts } from '../../commands/context.ts';
import { HANDLERS } from '../../commands/handlers.ts';
import { readDocument } from '../../commands/jsonDocuments.ts';
import { reportInterruptedDownloads, runAnnounced } from '../../commands/notificationCommands.ts';
import { openLink } from '../../commands/openLink.ts';
import { runTask } from '../../commands/runTask.ts';
import { namesOf } from '../../model/account/accountNames.ts';
import { signingKeysOf } from '../../model/account/accountSigningKeys.ts';
import { findService, readAccountName, tryService } from '../../model/account/serviceChecks.ts';
import { TestBroadcasts } from '../../model/broadcasts/testBroadcasts.ts';
import { Downloader } from '../../model/downloads/download.ts';
import { createDownloadFiles } from '../../model/downloads/downloadFiles.ts';
import type { LinkParts } from '../../model/links.ts';
import type { AnnouncementsOptions } from '../../model/news/announcements.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Log } from '../../services.ts';
import { describeId, describeIndexedStream, type KnownId } from '../../tree/knownId.ts';
import { type Disposable, type DisposableStore, makeOwning } from '../../util/disposable.ts';
import { keepBroadcastItem } from '../boxes/broadcastItem.ts';
import { createLocalFiles, machineName } from '../boxes/localFiles.ts';
import { BOXES } from '../boxes/pickers.ts';
import { commandTitle, showProgress, showWork } from '../boxes/progress.ts';
import { findCodeEditor, readDropTarget, toTextEdits } from '../code/codeEditor.ts';
import type { DefineId, FindId, ShownId } from '../code/idLinks.ts';
import type { FormsOfRows } from '../code/rowDrops.ts';
import { makeTooltip } from '../tree/treeItems.ts';
import { withTerminal } from './taskTerminal.ts';
import type { BootContext, ViewsRuntime } from './viewsRuntime.ts';

// The user's actions. None of them rejects because of a failing handler.
export interface CommandsRuntime extends Disposable {
  readonly context: BoundaryContext;
  run(id: string, args: readonly unknown[]): Promise<unknown>;
  openLink(parts: LinkParts): Promise<unknown>;
  reportInterruptedDownloads(): Promise<void>;
  readonly announced: AnnouncementsOptions['run'];
  readonly runFor: BootContext['runFor'];
  resolveTask(task: vscode.Task): vscode.Task;
  readonly formsOfRows: FormsOfRows;
  readonly findId: FindId;
  readonly defineId: DefineId;
  readonly listSigningKeys: ListSigningKeys;
}

export function startCommandsRuntime(
  boot: BootContext,
  views: ViewsRuntime,
  { rows: _, dispose: __, ...hooks }: WebhookParts & Disposable & { readonly rows: unknown },
): CommandsRuntime {
  return makeOwning((owned) => {
    const { clock, log, settings, workspace, store, connections, connection, demo, leakSearch, where } = boot;
    const { ui, loader, tabs, drawing, transport, access } = views;
    const files = owned.add(createDownloadFiles({ folder: boot.downloadNotes, clock, log }));
    const downloader = owned.add(new Downloader({ transport, files, clock, log, random: Math.random }));
    const testPattern = vscode.Uri.joinPath(boot.extensionUri, 'media', 'demo', 'source.mp4').fsPath;
    const testBroadcasts = owned.add(new TestBroadcasts({ store, clock, log, testPattern }));
    owned.add(keepBroadcastItem(store));
    const context: BoundaryContext = {
      ...{
        ui: { ...ui, ...BOXES, progress: showProgress, ...createLocalFiles(where, ui.flash) },
        log,
        clock,
        settings,
        workspace,
        store,
        loader,
        connections,
        connection,
        demo,
        ...tabs,
        ...hooks,
        access,
        downloader,
        ...createServiceChecks({ clock, log, transport }, views.secrets),
        transport,
        leakSearch,
        testBroadcasts,
        editor: () => findCodeEditor(log),
      },
      handlers: HANDLERS,
      isDisposed: () => owned.isDisposed,
      showWork: (command) => showWork(clock, command),
      commandTitle,
      contextBeside: createContextsBeside(
        () => context,
        (id) => views.others()?.get(id),
      ),
      dismissRemoved: (id) => views.others()?.dismissRemoved(id),
      selectedRows: followSelection(boot.views, owned),
      shownModels: () => [{ store, loader, connection }, ...(views.others()?.all ?? [])],
      runCommand: (id, ...args) => runCommand(context, id, args),
      showMessage: (message) => void showMessage(context, message),
      machine: () => machineName(where),
      drawing,
      isUserTyping: async () => false,
      noteStep: boot.steps.note,
      linkScheme: vscode.env.uriScheme,
    };
    return {
      context,
      run(id, args) {
        const done = runCommand(context, id, args);
        if (BEFORE_HOVERS.has(id)) readNames(context);
        return done;
      },
      openLink: (parts) => runAction(context, { run: (next) => openLink(next, parts) }),
      reportInterruptedDownloads: async () => reportInterruptedDownloads(context, await files.takeLeft()),
      announced: (act, info) => runAnnounced(context, act, info),
      runFor: (id, command, args) => runAction(context, actFor(context, id, { command, args })),
      resolveTask: (task) => withTerminal(task, (...given) => runTask(context, ...given)),
      formsOfRows: async (document, position, rows) => {
        const target = readDropTarget(document, position);
        const find = async () =>
          formsOfRows(contextOf(context, { command: 'insertSnippet', args: [rows[0], rows] }), target, rows);
        const forms = await orLogged(log, find());
        return forms?.map(({ id, label, changes }) => ({ id, label, edits: toTextEdits(document, changes) }));
      },
      findId: async (text) => {
        const known = describeId(store.snapshot, text, drawing());
        if (known !== undefined) return showKnownId(known);
        const indexed = await (await leakSearch())?.findStream(text);
        return indexed && showKnownId(describeIndexedStream(indexed));
      },
      defineId: (shown) =>
        orLogged(
          log,
          readDocument(context, shown).then((document) => document && boot.documents.provide(document)),
        ),
      listSigningKeys: async (signal) =>
        connection.isOpen ? signingKeysOf(connection.account).listIfOffered(signal) : undefined,
      dispose: () => owned.dispose(),
    };
  });
}

/** These commands send requests anyway, unlike others, such as copying. */
const BEFORE_HOVERS: ReadonlySet<string> = new Set(['showStream', 'goToLiveStream']);

/**
 * For the hover of the Status Bar item. Runs with some commands, so that neither activation nor a view has to send a
 * request.
 */
function readNames({ store, connection, log }: BoundaryContext): void {
  if (store.snapshot.connection.kind !== 'open') return;
  namesOf(connection.account)
    .read()
    .catch((error: unknown) => log.error("The name of the account couldn't be read", error));
}

/** Removes what was typed as a key from the service's response to it, and from no other response. */
function createServiceChecks(
  parts: Pick<BoundaryContext, 'clock' | 'log' | 'transport'>,
  secrets: KnownSecrets,
): Pick<BoundaryContext, 'checkService' | 'findService' | 'readAccountName'> {
  const options = () => ({ ...parts, secrets: new KnownSecrets(secrets) });
  return {
    checkService: (access, signal) => tryService({ ...access, ...options() }, signal),
    findService: (baseUrl, signal) => findService({ baseUrl, ...options() }, signal),
    readAccountName: (access, signal) => readAccountName({ ...access, ...options() }, signal),
  };
}

/** For requests by the editor itself, where an error message would be out of place. */
async function orLogged<T>(log: Log, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    log.warn(`Nothing can be shown in the editor: ${String(error)}`);
    return undefined;
  }
}

function showKnownId({ kind, id, name, tooltip }: KnownId): ShownId {
  const command = kind === 'stream' ? 'liveStreams.showStream' : 'liveStreams.showSession';
  return { hover: makeTooltip(tooltip), kind, id, name, show: () => vscode.commands.executeCommand(command, id) };
}

/** Follows the view whose selection changed last: the other one may still highlight a row that was used long ago. */
function followSelection(views: BootContext['views'], owned: DisposableStore): CommandContext['selectedRows'] {
  let followed: readonly vscode.TreeView<ViewNode>[] = Object.values(views);
  for (const view of followed) {
    owned.add(
      view.onDidChangeSelection(() => {
        followed = [view];
      }),
    );
  }
  return () => followed.flatMap(({ visible, selection }) => (visible ? selection : []));
}
